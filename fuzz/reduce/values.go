package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// values simplifies the components of inputs and uniforms.
func values(job *pica.Job) (list []jobEdit) {
	for k, row := range job.Vertices {
		list = append(list, vectors(job.InputFormat, row, func(values []pica.Vec4) jobEdit {
			return change(job, func(c *pica.Job) { c.Vertices = replaced(c.Vertices, k, values) })
		})...)
	}
	for k, u := range job.Floats {
		list = append(list, vectors(u.Format, u.Values, func(values []pica.Vec4) jobEdit {
			v := pica.Upload{Register: u.Register, Format: u.Format, Values: values}
			return change(job, func(c *pica.Job) { c.Floats = replaced(c.Floats, k, v) })
		})...)
	}
	for component := 1; component < 4; component++ { // people look at x first
		list = append(list, change(job, func(c *pica.Job) {
			swap := func(values []pica.Vec4) []pica.Vec4 {
				values = slices.Clone(values)
				for k := range values {
					values[k][0], values[k][component] = values[k][component], values[k][0]
				}
				return values
			}
			c.Vertices, c.Floats = slices.Clone(c.Vertices), slices.Clone(c.Floats)
			for k := range c.Vertices {
				c.Vertices[k] = swap(c.Vertices[k])
			}
			for k := range c.Floats {
				c.Floats[k].Values = swap(c.Floats[k].Values)
			}
		}))
	}
	return list
}

// vectors simplifies one list of vectors: a vector as a whole, then each
// component.
func vectors(format pica.NumberFormat, all []pica.Vec4, with func(values []pica.Vec4) jobEdit) (list []jobEdit) {
	for k, v := range all {
		if v == (pica.Vec4{}) {
			continue
		}
		list = append(list, with(replaced(all, k, pica.Vec4{})))
		for c := range v {
			if v[c] == 0 {
				continue
			}
			alone := pica.Vec4{}
			alone[c] = v[c]
			list = append(list, with(replaced(all, k, alone)))
			for _, simpler := range simplerValues(format, v[c]) {
				one := v
				one[c] = simpler
				list = append(list, with(replaced(all, k, one)))
			}
		}
	}
	return list
}

// simplerValues lists patterns to try in place of v, the simplest first.
func simplerValues(format pica.NumberFormat, v uint32) []uint32 {
	exponents, significands := format.Fields()
	bias := uint32(format.Bias())
	list := []uint32{0, format.One(), exponents.Put(0, bias+1), exponents.Put(0, bias-1)}
	list = append(list, v&(significands.Mask()|exponents.Mask())) // without the sign
	significand, exponent := significands.Get(v), exponents.Get(v)
	for keep := range significands.Width { // the leading bits only
		list = append(list, significands.Put(v, significand&^(1<<(significands.Width-keep)-1)))
	}
	for bit := range significands.Width { // one bit less
		if significand>>bit&1 != 0 {
			list = append(list, significands.Put(v, significand&^(1<<bit)))
		}
	}
	for _, e := range []uint32{bias, bias + 1, bias - 1, (exponent + bias) / 2, (exponent + bias + 1) / 2} {
		list = append(list, exponents.Put(v, e))
	}
	if exponent > bias {
		list = append(list, exponents.Put(v, exponent-1))
	} else if exponent < bias {
		list = append(list, exponents.Put(v, exponent+1))
	}
	return list
}
