package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// values simplifies the components of inputs and uniforms.
func values(job *pica.Job) (list []jobEdit) {
	for k, row := range job.Vertices {
		list = append(list, vectors(job.InputForm, row, func(values []pica.Vec4) jobEdit {
			return change(job, func(c *pica.Job) { c.Vertices = replaced(c.Vertices, k, values) })
		})...)
	}
	for k, u := range job.Floats {
		list = append(list, vectors(u.Form, u.Values, func(values []pica.Vec4) jobEdit {
			v := pica.Upload{Register: u.Register, Form: u.Form, Values: values}
			return change(job, func(c *pica.Job) { c.Floats = replaced(c.Floats, k, v) })
		})...)
	}
	for component := 1; component < 4; component++ { // x is where people look first
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
func vectors(form pica.Form, all []pica.Vec4, with func(values []pica.Vec4) jobEdit) (list []jobEdit) {
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
			for _, simpler := range simplerValues(form, v[c]) {
				one := v
				one[c] = simpler
				list = append(list, with(replaced(all, k, one)))
			}
		}
	}
	return list
}

// simplerValues lists patterns to try in the place of v, the simplest first.
func simplerValues(form pica.Form, v uint32) []uint32 {
	f := floatOf(form)
	bias := uint32(1)<<(f.exponent.Width-1) - 1
	one := f.exponent.Put(0, bias)
	list := []uint32{0, one, f.exponent.Put(0, bias+1), f.exponent.Put(0, bias-1)}
	list = append(list, v&(f.mantissa.Mask()|f.exponent.Mask())) // no sign
	mantissa, exponent := f.mantissa.Get(v), f.exponent.Get(v)
	for keep := range f.mantissa.Width { // the leading bits only
		list = append(list, f.mantissa.Put(v, mantissa&^(1<<(f.mantissa.Width-keep)-1)))
	}
	for bit := range f.mantissa.Width { // one bit less
		if mantissa>>bit&1 != 0 {
			list = append(list, f.mantissa.Put(v, mantissa&^(1<<bit)))
		}
	}
	for _, e := range []uint32{bias, bias + 1, bias - 1, (exponent + bias) / 2, (exponent + bias + 1) / 2} {
		list = append(list, f.exponent.Put(v, e))
	}
	if exponent > bias {
		list = append(list, f.exponent.Put(v, exponent-1))
	} else if exponent < bias {
		list = append(list, f.exponent.Put(v, exponent+1))
	}
	return list
}
