package hypothesis

import (
	"fmt"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// upload is a hook of [oracle.Upload].
type upload = func(u *oracle.Unit, n int, from pica.NumberFormat, v pica.Vec4) pica.Vec4

// numbers are what may become of a number on its way into a register.
var numbers = []struct {
	name string
	of   func(u *oracle.Unit, from pica.NumberFormat, x uint32) uint32
}{
	{"subnormals become 0", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if subnormal(u, x) {
			return 0
		}
		return x
	}},
	{"subnormals of their format become 0", func(u *oracle.Unit, from pica.NumberFormat, x uint32) uint32 {
		if tiny(u, from, x) && !u.IsZero(x) {
			return 0
		}
		return x
	}},
	{"subnormals of their format become zeros of their sign",
		func(u *oracle.Unit, from pica.NumberFormat, x uint32) uint32 {
			if tiny(u, from, x) {
				return x & u.Sign
			}
			return x
		}},
	{"subnormals and zeros become 0", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.Exponent(x) == 0 {
			return 0
		}
		return x
	}},
	{"subnormals become zeros of their sign", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.Exponent(x) == 0 {
			return x & u.Sign
		}
		return x
	}},
	{"-0 becomes 0", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if x == u.Sign {
			return 0
		}
		return x
	}},
	{"infinities become the largest numbers", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.IsInf(x) {
			return x - 1
		}
		return x
	}},
	{"infinities become NaN", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.IsInf(x) {
			return u.Quiet
		}
		return x
	}},
	{"infinities become powers of two", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if !u.IsInf(x) {
			return x
		}
		return ordinary(u, x)
	}},
	{"infinities and NaN become numbers", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if !u.IsInf(x) && !u.IsNaN(x) {
			return x
		}
		return ordinary(u, x)
	}},
	{"numbers become their halves", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		return scaled(u, x, -1)
	}},
	{"numbers become twice as large", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		return scaled(u, x, 1)
	}},
	{"infinities and NaN become 0", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.IsInf(x) || u.IsNaN(x) {
			return 0
		}
		return x
	}},
	{"NaN becomes 0", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.IsNaN(x) {
			return 0
		}
		return x
	}},
	{"NaN becomes an infinity", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 {
		if u.IsNaN(x) {
			return u.Infinity | x&u.Sign
		}
		return x
	}},
	{"signs are lost", func(u *oracle.Unit, _ pica.NumberFormat, x uint32) uint32 { return x &^ u.Sign }},
}

// ordinary returns the number of an infinity or a NaN if the largest exponent of float24 is one like the others.
func ordinary(u *oracle.Unit, x uint32) uint32 {
	hidden := uint32(1) << u.Mantissa
	n := oracle.Number{Class: oracle.Finite, Sig: uint64(hidden | x&(hidden-1)), Exp: 64 - u.Mantissa}
	return u.Round(n, oracle.Nearest, false) | x&u.Sign
}

// scaled returns a number with an exponent that is larger by a number, where both are normal.
func scaled(u *oracle.Unit, x uint32, by int) uint32 {
	y := uint32(int(x) + by<<u.Mantissa)
	if special := func(x uint32) bool { return u.Exponent(x) == 0 || u.IsNaN(x) || u.IsInf(x) }; special(x) || special(y) {
		return x
	}
	return y
}

// tiny reports whether a register holds a zero or what is subnormal in the format that it comes from: raw float24 has
// normal numbers from 2^-62 on (2.1).
func tiny(u *oracle.Unit, from pica.NumberFormat, x uint32) bool {
	if u.Exponent(x) == 0 || from != pica.Float24 {
		return u.Exponent(x) == 0
	}
	least := u.Round(oracle.Number{Class: oracle.Finite, Sig: 1, Exp: -62}, oracle.Nearest, false)
	return u.Relate(x&^u.Sign, least) == oracle.Below
}

// change alters a vector of a format on its way into a register.
type change = func(u *oracle.Unit, from pica.NumberFormat, v *pica.Vec4)

// uploads: what becomes of float uniforms and inputs on their way into the registers.
func uploads(job *pica.Job) (list []*Hypothesis) {
	type class struct {
		name string
		is   func(n int, from pica.NumberFormat) bool
	}
	targets := []struct {
		name, letter string
		put          func(r *oracle.Rules, f upload)
		classes      []class
	}{
		{"float uniforms", "c", func(r *oracle.Rules, f upload) { wrap(&r.Upload.Float, f) }, []class{
			{"", func(int, pica.NumberFormat) bool { return true }},
			{" in raw float24", func(_ int, from pica.NumberFormat) bool { return from == pica.Float24 }},
			{" in float32", func(_ int, from pica.NumberFormat) bool { return from == pica.Float32 }}}},
		{"inputs", "v", func(r *oracle.Rules, f upload) { wrap(&r.Upload.Input, f) }, []class{
			{"", func(int, pica.NumberFormat) bool { return true }}}},
		{"float uniforms and inputs", "", func(r *oracle.Rules, f upload) {
			wrap(&r.Upload.Float, f)
			wrap(&r.Upload.Input, f)
		}, []class{{"", func(int, pica.NumberFormat) bool { return true }}}},
	}
	for ti, t := range targets {
		used, kinds := map[int]bool{}, len(t.classes)
		switch ti {
		case 0:
			for _, up := range job.Floats {
				for i := range up.Values {
					if n := up.Register + i; n < pica.NumFloats && len(used) < 8 {
						used[n] = true
					}
				}
			}
		case 1:
			for n := range pica.NumInputs {
				used[n] = true
			}
		}
		for n := range pica.NumFloats {
			if used[n] {
				t.classes = append(t.classes, class{fmt.Sprintf(" %s%d", t.letter, n),
					func(m int, _ pica.NumberFormat) bool { return m == n }})
			}
		}
		for _, bound := range []int{8, 16, 32, 64, 80, 90, 95} {
			if ti == 0 {
				t.classes = append(t.classes, class{fmt.Sprintf(" from c%d on", bound),
					func(m int, _ pica.NumberFormat) bool { return m >= bound }})
			}
		}
		for i, in := range t.classes {
			uploaded(t.name+in.name, i < kinds, func(name, rule string, change change) {
				list = append(list, &Hypothesis{Name: name, Rule: rule, Detail: 1, whole: true, apply: func(r *oracle.Rules) {
					t.put(r, func(u *oracle.Unit, n int, from pica.NumberFormat, v pica.Vec4) pica.Vec4 {
						if in.is(n, from) {
							change(u, from, &v)
						}
						return v
					})
				}})
			})
		}
	}
	return list
}

// uploaded adds what may become of the uploads of some registers, or of all.
func uploaded(where string, all bool, add func(name, rule string, change change)) {
	const rule = "uploads keep every value that the format has (2.2)"
	for _, number := range numbers {
		add(number.name+" in uploads of "+where, rule, func(u *oracle.Unit, from pica.NumberFormat, v *pica.Vec4) {
			for i := range v {
				v[i] = number.of(u, from, v[i])
			}
		})
	}
	shorter := func(how string, bits int, of func(u *oracle.Unit, x uint32, bits int) uint32) {
		add(fmt.Sprintf("uploads of %s %s %d bits of significand", where, how, bits+1), rule,
			func(u *oracle.Unit, _ pica.NumberFormat, v *pica.Vec4) {
				for i := range v {
					v[i] = of(u, v[i], bits)
				}
			})
	}
	for bits := 8; bits < 23 && all; bits++ {
		shorter("keep", bits, cut)
	}
	for _, bits := range shortFormats {
		if all {
			shorter("are rounded to", bits, rounded)
		}
	}
	for _, order := range []struct {
		name string
		of   pica.Vec4
	}{
		{"read from its end", pica.Vec4{3, 2, 1, 0}}, {"y, x, w, z", pica.Vec4{1, 0, 3, 2}},
		{"z, w, x, y", pica.Vec4{2, 3, 0, 1}}, {"x, z, y, w", pica.Vec4{0, 2, 1, 3}}, {"z, y, x, w", pica.Vec4{2, 1, 0, 3}},
	} {
		add("each vector is "+order.name+" in uploads of "+where, "uploads keep the order of components (2.2)",
			func(_ *oracle.Unit, _ pica.NumberFormat, v *pica.Vec4) {
				was := *v
				for i, from := range order.of {
					v[i] = was[from]
				}
			})
	}
	add(where+" are never written", "each register is written (5.1)",
		func(_ *oracle.Unit, _ pica.NumberFormat, v *pica.Vec4) { *v = pica.Vec4{} })
	for i := range 4 {
		for k, name := range "01" {
			add(fmt.Sprintf("%c of %s is %c", "xyzw"[i], where, name), rule,
				func(u *oracle.Unit, _ pica.NumberFormat, v *pica.Vec4) { v[i] = [...]uint32{0, u.One}[k] })
		}
		for j := range 4 {
			if i != j {
				add(fmt.Sprintf("%c of %s is their %c", "xyzw"[i], where, "xyzw"[j]),
					"uploads keep the order of components (2.2)",
					func(_ *oracle.Unit, _ pica.NumberFormat, v *pica.Vec4) { v[i] = v[j] })
			}
		}
	}
}

// absent: inputs that a vertex lacks are not zeros in one lane, or in all.
func absent() (list []*Hypothesis) {
	filled := func(what string, holds func(n, lane int) bool) {
		list = append(list, &Hypothesis{Name: what + " that a vertex lacks is 1",
			Rule: "an input that is not given is 0 (5.1)", Detail: 1, whole: true, apply: func(r *oracle.Rules) {
				before, one := r.Carry.Inputs, r.Unit.One
				r.Carry.Inputs = func(inputs *[pica.NumInputs]pica.Vec4, vertex int) {
					before(inputs, vertex)
					for n := range inputs {
						for lane := range inputs[n] {
							if holds(n, lane) {
								inputs[n][lane] = one
							}
						}
					}
				}
			}})
	}
	list = append(list, &Hypothesis{Name: "the last input of a vertex that has several is 0",
		Rule: "each register is written (5.1)", Detail: 1, whole: true, apply: func(r *oracle.Rules) {
			before := r.Operands.Source
			r.Operands.Source = func(c *oracle.Control, k, n int) int {
				if last := len(c.Job.Vertices[c.Vertex]) - 1; last > 0 && n == last {
					return oracle.Zeros
				}
				if before != nil {
					n = before(c, k, n)
				}
				return n
			}
		}})
	filled("each lane of an input", func(int, int) bool { return true })
	for i, name := range "xyzw" {
		filled(fmt.Sprintf("%c of an input", name), func(_, lane int) bool { return lane == i })
	}
	return list
}

// wrap adds a hook behind those that are there.
func wrap(hook *upload, f upload) {
	before := *hook
	*hook = func(u *oracle.Unit, n int, from pica.NumberFormat, v pica.Vec4) pica.Vec4 {
		if before != nil {
			v = before(u, n, from, v)
		}
		return f(u, n, from, v)
	}
}
