package hypothesis

import (
	"fmt"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// operands: what becomes of a source between its register and the operation.
func operands(c *oracle.Control) (list []*Hypothesis) {
	count := shape(c).Count
	for k := range count {
		list = append(list, operand(k)...)
	}
	if index(c) != pica.IndexNone {
		list = append(list, operand(indexedSource)...)
	}
	list = append(list, exchanges(count)...)
	if dest(c) >= pica.DestTemporary {
		list = append(list, inPlace(count)...)
	}
	list = append(list, patterns(c)...)
	if index(c) != pica.IndexNone {
		list = append(list, indexes()...)
	}
	for _, f := range flushes {
		list = append(list, reading(fmt.Sprintf(f.name, "all sources"), func(c *oracle.Control, s *[3]pica.Vec4) {
			for k := range s {
				f.of(&c.Rules.Unit, &s[k])
			}
		}))
	}
	list = append(list, changed("negates by subtraction from 0", "a negate bit flips the sign (1.4)",
		func(r *oracle.Rules) {
			before := r.Unit.Ops.Negate
			r.Unit.Ops.Negate = func(u *oracle.Unit, x uint32) uint32 {
				switch {
				case u.IsZero(x):
					return 0
				case u.IsNaN(x):
					return x
				}
				return before(u, x)
			}
		}))
	for _, way := range []struct {
		name string
		of   func(x, sign uint32) uint32
	}{
		{"setting", func(x, sign uint32) uint32 { return x | sign }},
		{"clearing", func(x, sign uint32) uint32 { return x &^ sign }},
	} {
		list = append(list, changed("negates by "+way.name+" the sign", "a negate bit flips the sign (1.4)",
			func(r *oracle.Rules) {
				r.Unit.Ops.Negate = func(u *oracle.Unit, x uint32) uint32 { return way.of(x, u.Sign) }
			}))
	}
	list = append(list, reading("no source negated", func(c *oracle.Control, s *[3]pica.Vec4) {
		for k := range shape(c).Count {
			if negated(c, k) {
				negate(c, &s[k])
			}
		}
	}))
	for i, name := range "xyzw" {
		list = append(list, reading(fmt.Sprintf("lane %c of no source negated", name),
			func(c *oracle.Control, s *[3]pica.Vec4) {
				for k := range shape(c).Count {
					if u := &c.Rules.Unit; negated(c, k) {
						s[k][i] = u.Ops.Negate(u, s[k][i])
					}
				}
			}))
	}
	for _, of := range []struct {
		name string
		is   func(selectors int) bool
	}{
		{"xyzw", func(s int) bool { return s == pica.IdentitySwizzle }},
		{"that are equal", func(s int) bool { return s == s&3*0x55 }},
	} {
		list = append(list, reading("no source with selectors "+of.name+" negated", func(c *oracle.Control, s *[3]pica.Vec4) {
			_, bits := descriptor(c)
			for k := range shape(c).Count {
				if negated(c, k) && of.is(c.Rules.Encoding.Selectors[k].Of(bits)) {
					negate(c, &s[k])
				}
			}
		}))
	}
	if count == 3 {
		list = append(list, reading("the product of sources 1 and 2 in the place of source 3",
			func(c *oracle.Control, s *[3]pica.Vec4) {
				for i := range s[2] {
					s[2][i] = c.Rules.Unit.Ops.Mul(&c.Rules.Unit, s[0][i], s[1][i])
				}
			}))
	}
	if c.Op.Base() == pica.DPH || c.Op == pica.DPHI {
		list = append(list, reading("w of source 1 as 1 before it is negated", func(c *oracle.Control, s *[3]pica.Vec4) {
			if negated(c, 0) { // the product changes its sign
				s[1][3] = c.Rules.Unit.Ops.Negate(&c.Rules.Unit, s[1][3])
			}
		}), reading("w of source 2 as 1, too", func(c *oracle.Control, s *[3]pica.Vec4) { s[1][3] = c.Rules.Unit.One }))
	}
	if scalar(c.Op) {
		list = append(list, reading("the first lane of its mask", func(c *oracle.Control, s *[3]pica.Vec4) {
			_, bits := descriptor(c)
			for i := range s[0] {
				if c.Rules.Encoding.Mask.Of(bits)&(8>>i) != 0 {
					s[0][0] = s[0][i]
					return
				}
			}
		}))
	}
	list = append(list, withoutNegation(c)...)
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {0, 2}} {
		if pair[1] < count {
			list = append(list, reading(fmt.Sprintf("sources %d and %d exchanged", pair[0]+1, pair[1]+1),
				func(c *oracle.Control, s *[3]pica.Vec4) {
					if pair[1] < shape(c).Count {
						s[pair[0]], s[pair[1]] = s[pair[1]], s[pair[0]]
					}
				}))
		}
	}
	if s := shape(c); s.Layout != nil && count > 0 {
		list = append(list, fields(c)...)
	}
	return list
}

// withoutNegation: an operation with one source, which a subroutine of the host may compute, destroys what sources are
// negated with.
func withoutNegation(c *oracle.Control) (list []*Hypothesis) {
	var seen opcodes
	for _, w := range c.Job.Code {
		op := pica.OpcodeOf(w).Base()
		if pica.Opcodes[op].Sources != 1 || op == pica.MOV || seen&only(op) != 0 {
			continue
		}
		seen |= only(op)
		list = append(list, noting(fmt.Sprintf("no source is negated once %s is executed", op),
			"each source has a negate bit (1.4)", func(r *oracle.Rules) {
				done := false
				begin, read, finish := r.Carry.Begin, r.Operands.Read, r.Flow.Finish
				r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
					done = false
					begin(f, initial, vertex, kept)
				}
				r.Operands.Read = func(c *oracle.Control, s *[3]pica.Vec4) {
					if read != nil {
						read(c, s)
					}
					for k := range shape(c).Count {
						if done && negated(c, k) {
							negate(c, &s[k])
						}
					}
				}
				r.Flow.Finish = func(c *oracle.Control) {
					done = done || c.Op == op
					finish(c)
				}
			}))
	}
	return list
}

// patterns: the selectors of a source are taken for others, as a fast path for some of them may do.
func patterns(c *oracle.Control) (list []*Hypothesis) {
	add := func(name string, of func(selectors int) int) {
		list = append(list, changed(name, "each slot has a selector (1.4)", selecting(anySource, of)))
	}
	actAs := func(was, is int) {
		add(fmt.Sprintf("selectors %s act as %s", selected(was), selected(is)), func(s int) int {
			if s == was {
				return is
			}
			return s
		})
	}
	_, bits := descriptor(c)
	for k := range shape(c).Count {
		was := c.Rules.Encoding.Selectors[k].Of(bits)
		for _, is := range []int{pica.IdentitySwizzle, 0, 0x55, 0xAA, 0xFF} { // xyzw, xxxx, yyyy, zzzz, wwww
			if is != was {
				actAs(was, is)
			}
		}
		for i := range 4 {
			for j := i + 1; j < 4; j++ {
				is := was&^(3<<(6-2*i)|3<<(6-2*j)) | was>>(6-2*j)&3<<(6-2*i) | was>>(6-2*i)&3<<(6-2*j)
				if is != was && is != pica.IdentitySwizzle {
					actAs(was, is)
				}
			}
		}
		for lane, name := range "xyzw" {
			at := 6 - 2*lane
			from := was >> at & 3
			for to, component := range "xyzw" {
				if to != from {
					add(fmt.Sprintf("selector %c of lane %c acts as %c", "xyzw"[from], name, component), func(s int) int {
						if s>>at&3 == from {
							return s&^(3<<at) | to<<at
						}
						return s
					})
				}
			}
			if other := 3 << (6 - 2*lane); was&^other == pica.IdentitySwizzle&^other {
				add(fmt.Sprintf("selectors that are xyzw but in lane %c act as xyzw", name), func(s int) int {
					if s&^other == pica.IdentitySwizzle&^other {
						return pica.IdentitySwizzle
					}
					return s
				})
			}
		}
	}
	return list
}

// selected names the components that selectors choose, that of lane x first.
func selected(selectors int) string {
	var text [4]byte
	for lane := range text {
		text[lane] = "xyzw"[selectors>>(6-2*lane)&3]
	}
	return string(text[:])
}

// operand are hypotheses about the reading of source k.
func operand(k int) (list []*Hypothesis) {
	name := fmt.Sprintf("source %d", k+1)
	if k == indexedSource {
		name = "the indexed source"
	}
	reads := func(what string, change func(c *oracle.Control, k int, v *pica.Vec4)) *Hypothesis {
		return reading(what, func(c *oracle.Control, s *[3]pica.Vec4) {
			if k := sourceOf(c, k); k >= 0 {
				change(c, k, &s[k])
			}
		})
	}
	for i := range 4 {
		for j := range 4 {
			if i != j {
				list = append(list, changed(
					fmt.Sprintf("lane %c of %s is selected as its lane %c", "xyzw"[i], name, "xyzw"[j]),
					"each slot has a selector (1.4)", selecting(k, func(s int) int {
						return s&^(3<<(6-2*i)) | s>>(6-2*j)&3<<(6-2*i)
					})))
			}
			list = append(list, changed(
				fmt.Sprintf("lane %c of %s is %c", "xyzw"[i], name, "xyzw"[j]),
				"each slot has a selector (1.4)", selecting(k, func(s int) int {
					return s&^(3<<(6-2*i)) | j<<(6-2*i)
				})))
		}
	}
	for i, lane := range "xyzw" {
		list = append(list, reads(fmt.Sprintf("lane %c of %s not negated", lane, name),
			func(c *oracle.Control, k int, v *pica.Vec4) {
				if u := &c.Rules.Unit; negated(c, k) {
					v[i] = u.Ops.Negate(u, v[i])
				}
			}))
	}
	list = append(list, changed(fmt.Sprintf("w of the register of %s is 1", name),
		"DPH takes w of source 1 for 1 (3.2)", func(r *oracle.Rules) {
			before := r.Operands.Swizzle
			r.Operands.Swizzle = func(c *oracle.Control, source int, v *pica.Vec4, selectors int) pica.Vec4 {
				x := *v
				if source == sourceOf(c, k) {
					x[3] = c.Rules.Unit.One
				}
				return before(c, source, &x, selectors)
			}
		}))
	for _, f := range flushes {
		list = append(list, reads(fmt.Sprintf(f.name, name),
			func(c *oracle.Control, _ int, v *pica.Vec4) { f.of(&c.Rules.Unit, v) }))
	}
	if k != indexedSource {
		list = append(list,
			changed(name+" is negated by the bit above its own, too", "a negate bit is one bit (1.4)",
				func(r *oracle.Rules) { r.Encoding.Negate[k].Width = 2 }),
			changed(name+" is neither swizzled nor negated", "a descriptor says both of each source (1.4)",
				func(r *oracle.Rules) {
					selecting(k, func(int) int { return pica.IdentitySwizzle })(r)
					r.Encoding.Negate[k].Width = 0
				}))
	}
	return append(list,
		changed(name+" is not swizzled", "selectors choose components (1.4)",
			selecting(k, func(int) int { return pica.IdentitySwizzle })),
		reads(name+" rounded down", func(c *oracle.Control, _ int, v *pica.Vec4) {
			u := &c.Rules.Unit
			for lane, x := range v {
				v[lane] = u.Ops.Floor(u, x)
			}
		}),
		reads("the magnitude of "+name, func(c *oracle.Control, _ int, v *pica.Vec4) {
			for lane := range v {
				v[lane] &^= c.Rules.Unit.Sign
			}
		}),
		reads(fmt.Sprintf("x of %s for all lanes", name), func(_ *oracle.Control, _ int, v *pica.Vec4) {
			*v = oracle.Broadcast(v[0])
		}),
	)
}

// flushes are what may become of the small numbers of sources.
var flushes = []struct {
	name string // of some sources
	of   func(u *oracle.Unit, v *pica.Vec4)
}{
	{"subnormals of %s as 0", flushing(func(u *oracle.Unit, x uint32) uint32 {
		if subnormal(u, x) {
			return 0
		}
		return x
	})},
	{"subnormals of %s as zeros of their sign", flushing(func(u *oracle.Unit, x uint32) uint32 { return x & u.Sign })},
	{"subnormals and zeros of %s as 0", flushing(func(*oracle.Unit, uint32) uint32 { return 0 })},
	{"negative numbers of %s as 0", func(u *oracle.Unit, v *pica.Vec4) {
		for lane, x := range v {
			if u.Relate(x, 0) == oracle.Below {
				v[lane] = 0
			}
		}
	}},
	{"-0 of %s as 0", flushing(func(u *oracle.Unit, x uint32) uint32 {
		if u.IsZero(x) {
			return 0
		}
		return x
	})},
}

// flushing returns a function that changes the subnormals and zeros of a vector.
func flushing(small func(u *oracle.Unit, x uint32) uint32) func(u *oracle.Unit, v *pica.Vec4) {
	return func(u *oracle.Unit, v *pica.Vec4) {
		for lane, x := range v {
			if u.Exponent(x) == 0 {
				v[lane] = small(u, x)
			}
		}
	}
}

// exchanges: two lanes of a source are exchanged, or a source has the selectors or the sign of another.
func exchanges(count int) (list []*Hypothesis) {
	for k := range count {
		for i := range 4 {
			for j := i + 1; j < 4; j++ {
				list = append(list, changed(
					fmt.Sprintf("lanes %c and %c of source %d are exchanged", "xyzw"[i], "xyzw"[j], k+1),
					"each slot has a selector (1.4)", selecting(k, func(s int) int {
						x, y := s>>(6-2*i)&3, s>>(6-2*j)&3
						return s&^(3<<(6-2*i)|3<<(6-2*j)) | y<<(6-2*i) | x<<(6-2*j)
					})))
			}
		}
		for lanes, pairs := range []string{1: "x and y, z and w", 2: "x and z, y and w", 3: "x and w, y and z"} {
			if pairs != "" {
				list = append(list, changed(fmt.Sprintf("lanes %s of source %d are exchanged", pairs, k+1),
					"each slot has a selector (1.4)", selecting(k, func(s int) (changed int) {
						for i := range 4 {
							changed |= s >> (2 * i) & 3 << (2 * (i ^ lanes))
						}
						return changed
					})))
			}
		}
		if count == 3 {
			list = append(list, likeSource(k)...)
		}
		for other := range count {
			if other == k {
				continue
			}
			list = append(list, reading(fmt.Sprintf("source %d in the place of source %d", other+1, k+1),
				func(c *oracle.Control, s *[3]pica.Vec4) {
					if max(k, other) < shape(c).Count {
						s[k] = s[other]
					}
				}))
			swizzled := func(r *oracle.Rules) {
				before := r.Operands.Swizzle
				r.Operands.Swizzle = func(c *oracle.Control, source int, v *pica.Vec4, selectors int) pica.Vec4 {
					if _, bits := descriptor(c); source == k && other < shape(c).Count {
						selectors = c.Rules.Encoding.Selectors[other].Of(bits)
					}
					return before(c, source, v, selectors)
				}
			}
			list = append(list,
				changed(fmt.Sprintf("source %d is swizzled as source %d", k+1, other+1),
					"each source has selectors of its own (1.4)", swizzled),
				changed(fmt.Sprintf("source %d is swizzled and negated as source %d", k+1, other+1),
					"a descriptor says both of each source (1.4)", func(r *oracle.Rules) {
						swizzled(r)
						r.Encoding.Negate[k] = r.Encoding.Negate[other]
					}),
				reading(fmt.Sprintf("source %d negated as source %d", k+1, other+1),
					func(c *oracle.Control, s *[3]pica.Vec4) {
						if max(k, other) < shape(c).Count && negated(c, k) != negated(c, other) {
							negate(c, &s[k])
						}
					}))
			if k < other {
				list = append(list, reading(fmt.Sprintf("sources %d and %d negated as each other", k+1, other+1),
					func(c *oracle.Control, s *[3]pica.Vec4) {
						if other < shape(c).Count && negated(c, k) != negated(c, other) {
							negate(c, &s[k])
							negate(c, &s[other])
						}
					}))
			}
		}
		for other := range 3 {
			if other != k {
				list = append(list, changed(fmt.Sprintf("source %d is negated by the bit of source %d", k+1, other+1),
					"each source has a negate bit (1.4)",
					func(r *oracle.Rules) { r.Encoding.Negate[k] = r.Encoding.Negate[other] }))
			}
		}
		list = append(list, reading(fmt.Sprintf("source %d with its sign set where it is negated", k+1),
			func(c *oracle.Control, s *[3]pica.Vec4) {
				if k < shape(c).Count && negated(c, k) {
					for lane := range s[k] {
						s[k][lane] |= c.Rules.Unit.Sign
					}
				}
			}))
	}
	return list
}

// likeSource: every source has the selectors of source k, and its sign or not.
func likeSource(k int) []*Hypothesis {
	const rule = "each source has selectors of its own (1.4)"
	name := "every source is swizzled%s as " + fmt.Sprintf("source %d", k+1)
	swizzled := func(r *oracle.Rules) {
		for i := range r.Encoding.Selectors {
			r.Encoding.Selectors[i] = r.Encoding.Selectors[k]
		}
	}
	return []*Hypothesis{changed(fmt.Sprintf(name, ""), rule, swizzled), changed(fmt.Sprintf(name, " and negated"), rule,
		func(r *oracle.Rules) {
			swizzled(r)
			for i := range r.Encoding.Negate {
				r.Encoding.Negate[i] = r.Encoding.Negate[k]
			}
		})}
}

// negated reports whether the descriptor of an instruction negates a source.
func negated(c *oracle.Control, source int) bool {
	_, bits := descriptor(c)
	return c.Rules.Encoding.Negate[source].Of(bits) != 0
}

// negate negates a source.
func negate(c *oracle.Control, v *pica.Vec4) {
	for lane := range v {
		v[lane] = c.Rules.Unit.Ops.Negate(&c.Rules.Unit, v[lane])
	}
}

// disguises: an instruction is executed as another one with its operands.
func disguises(c *oracle.Control) (list []*Hypothesis) {
	op, info := c.Op, &pica.Opcodes[c.Op]
	if info.Sources == 0 {
		return nil
	}
	for other := range pica.Opcode(pica.NumOpcodes) {
		o := &pica.Opcodes[other]
		if other == op || other.Reserved() || other.Base() != other || *other.Layout() != *op.Layout() ||
			o.Sources != info.Sources || o.Writes != info.Writes {
			continue
		}
		list = append(list, changed("is executed as "+other.String(), "each number names an opcode of its own (1.1)",
			func(r *oracle.Rules) {
				of := r.Encoding.Opcode
				r.Encoding.Opcode = func(w uint32) pica.Opcode {
					if x := of(w); x != op {
						return x
					}
					return other
				}
			}).Within(OfOpcode(op)))
	}
	return list
}

// inPlace are hypotheses that an instruction computes lane by lane, and writes each before it reads the next: a source
// that is its destination, or every one, has new values already. They are negated again or not.
func inPlace(count int) (list []*Hypothesis) {
	for k := range count + 1 {
		which := fmt.Sprintf("source %d", k+1)
		if k == count {
			which = "its sources"
		}
		for _, negates := range []bool{false, true} {
			reads := "reads "
			if negates {
				reads = "reads and negates "
			}
			list = append(list, changed(reads+which+" while its destination is written",
				"an instruction reads its sources as they are (1.4, 3)", func(r *oracle.Rules) {
					before := r.Operands.Result
					r.Operands.Result = func(c *oracle.Control, sources *[3]pica.Vec4, v *pica.Vec4) {
						s, same := *sources, false
						for i := range 4 {
							for n := range shape(c).Count {
								d := dest(c) - pica.DestTemporary + pica.SourceTemporary
								if d >= pica.SourceTemporary && source(c, n) == d && (n == k || k == count) {
									same = true
									renew(c, n, &s[n], v, i, negates)
								}
							}
							if x, ok := c.Compute(&s); ok && same {
								v[i] = x[i]
							}
						}
						if before != nil {
							before(c, sources, v)
						}
					}
				}))
		}
	}
	return list
}

// renew gives a source the lanes of a register that are written already, those below a number.
func renew(c *oracle.Control, source int, s, written *pica.Vec4, lanes int, negates bool) {
	_, bits := descriptor(c)
	mask, selectors := c.Rules.Encoding.Mask.Of(bits), c.Rules.Encoding.Selectors[source].Of(bits)
	for lane := range s {
		j := selectors >> (6 - 2*lane) & 3
		if j >= lanes || mask&(8>>j) == 0 {
			continue
		}
		if s[lane] = written[j]; negates && negated(c, source) {
			s[lane] = c.Rules.Unit.Ops.Negate(&c.Rules.Unit, s[lane])
		}
	}
}

// otherForms are the opcodes with the same operation, but another wide source.
var otherForms = map[pica.Opcode]pica.Opcode{
	pica.DPH: pica.DPHI, pica.DST: pica.DSTI, pica.SGE: pica.SGEI, pica.SLT: pica.SLTI, pica.MAD: pica.MADI,
	pica.DPHI: pica.DPH, pica.DSTI: pica.DST, pica.SGEI: pica.SGE, pica.SLTI: pica.SLT, pica.MADI: pica.MAD,
}

// fields: a field of the word or of the descriptor has fewer bits, or a number of a source more.
func fields(c *oracle.Control) (list []*Hypothesis) {
	op, l := c.Op, *shape(c).Layout
	resize := func(name string, more uint8, field func(l *oracle.Layout) *oracle.Field) {
		for width := uint8(1); width <= field(&l).Width+more; width++ {
			if width == field(&l).Width {
				continue
			}
			list = append(list, changed(fmt.Sprintf("%s has %d bits", name, width),
				fmt.Sprintf("%s has %d bits (1.2)", name, field(&l).Width), func(r *oracle.Rules) {
					n := *r.Encoding.Shapes[op].Layout
					field(&n).Width = width
					for o := range r.Encoding.Shapes { // the scope decides which opcodes it holds for
						if s := &r.Encoding.Shapes[o]; s.Layout != nil && *s.Layout == l {
							s.Layout = &n
						}
					}
				}))
		}
	}
	if _, ok := otherForms[op]; ok {
		list = append(list, changed("has the operand fields of its other form", "each form has fields of its own (1.2)",
			func(r *oracle.Rules) {
				shapes := r.Encoding.Shapes
				for op, other := range otherForms { // the scope decides which opcodes it holds for
					r.Encoding.Shapes[op].Layout = shapes[other].Layout
				}
			}).Within(OfOpcode(op)))
	}
	resize("a descriptor number", 0, func(l *oracle.Layout) *oracle.Field { return &l.Desc })
	for _, width := range []uint8{1, 2, 3, 4, 6} { // 5 and 7 are right for some
		list = append(list, changed(fmt.Sprintf("every descriptor number has %d bits", width),
			"a descriptor number has 7 bits, that of MAD 5 (1.2)", func(r *oracle.Rules) {
				for o := range r.Encoding.Shapes {
					if s := &r.Encoding.Shapes[o]; s.Layout != nil && s.Layout.Desc.Width > 0 {
						n := *s.Layout
						n.Desc.Width = width
						s.Layout = &n
					}
				}
			}))
	}
	for k := range shape(c).Count {
		resize(fmt.Sprintf("the number of source %d", k+1), 2, func(l *oracle.Layout) *oracle.Field { return &l.Sources[k] })
	}
	if l.Dest.Width > 0 {
		resize("the number of the destination", 0, func(l *oracle.Layout) *oracle.Field { return &l.Dest })
	}
	resize("the number of the index", 0, func(l *oracle.Layout) *oracle.Field { return &l.Index })
	for k := range shape(c).Count {
		if k != l.Wide {
			list = append(list, changed(fmt.Sprintf("the index belongs to source %d", k+1),
				"an index belongs to the wide source (1.2)", func(r *oracle.Rules) {
					n := *r.Encoding.Shapes[op].Layout
					n.Wide = k
					r.Encoding.Shapes[op].Layout = &n
				}))
		}
	}
	return list
}

// anySource stands for each source, and indexedSource for the one that an index belongs to.
const anySource, indexedSource = -1, -2

// sourceOf returns the source of an instruction that a number stands for, -1 for none.
func sourceOf(c *oracle.Control, k int) int {
	switch {
	case k != indexedSource:
		return k
	case index(c) == pica.IndexNone:
		return -1
	}
	return shape(c).Layout.Wide
}

// selecting misreads the selectors of source k.
func selecting(k int, misread func(selectors int) int) func(r *oracle.Rules) {
	return func(r *oracle.Rules) {
		before := r.Operands.Swizzle
		r.Operands.Swizzle = func(c *oracle.Control, source int, v *pica.Vec4, selectors int) pica.Vec4 {
			if k == anySource || source == sourceOf(c, k) {
				selectors = misread(selectors)
			}
			return before(c, source, v, selectors)
		}
	}
}

// reading changes the sources after they are read.
func reading(what string, change func(c *oracle.Control, sources *[3]pica.Vec4)) *Hypothesis {
	return changed("reads "+what, "an instruction reads its sources as they are (1.4, 3)", func(r *oracle.Rules) {
		before := r.Operands.Read
		r.Operands.Read = func(c *oracle.Control, sources *[3]pica.Vec4) {
			if before != nil {
				before(c, sources)
			}
			change(c, sources)
		}
	})
}
