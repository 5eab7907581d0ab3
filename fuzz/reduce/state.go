package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// switches sets the fields of a job that are no lists to their plainest values.
func switches(job *pica.Job) (list []jobEdit) {
	for _, do := range []func(c *pica.Job){
		func(c *pica.Job) { c.Initial = nil },
		func(c *pica.Job) { c.Keep = false },
		func(c *pica.Job) { c.Stage = pica.Vertex },
		func(c *pica.Job) { c.OutMask = 0xFFFF },
		func(c *pica.Job) { c.Ints = [pica.NumInts][4]uint8{} },
		func(c *pica.Job) { c.Bools = 0 },
	} {
		list = append(list, change(job, do))
	}
	for k := range job.Ints {
		for b, v := range job.Ints[k] {
			for _, less := range []uint8{0, 1, v / 2, max(v, 1) - 1} {
				if less < v {
					list = append(list, change(job, func(c *pica.Job) { c.Ints[k][b] = less }))
				}
			}
		}
	}
	for k := range pica.NumBools {
		list = append(list, change(job, func(c *pica.Job) { c.Bools &^= 1 << k }))
	}
	return list
}

// uniforms drops float uniforms: whole uploads, single registers from either end, and
// registers in between, which become zero.
func uniforms(job *pica.Job) (list []jobEdit) {
	list = append(list, change(job, func(c *pica.Job) { c.Floats = nil }))
	for k, u := range job.Floats {
		list = append(list,
			change(job, func(c *pica.Job) { c.Floats = slices.Delete(slices.Clone(c.Floats), k, k+1) }))
		upload := func(register int, values ...pica.Vec4) {
			v := pica.Upload{Register: register, Format: u.Format, Values: values}
			list = append(list, change(job, func(c *pica.Job) { c.Floats = replaced(c.Floats, k, v) }))
		}
		for n := range u.Values {
			upload(u.Register+n, u.Values[n])
		}
		upload(0, u.Values...)
		if n := len(u.Values); n > 1 {
			upload(u.Register, u.Values[:n/2]...)
			upload(u.Register+n/2, u.Values[n/2:]...)
			upload(u.Register, u.Values[:n-1]...)
			upload(u.Register+1, u.Values[1:]...)
		}
	}
	return list
}

// inputs drops input registers: the last ones, or one, so that the registers behind it move
// down.
func inputs(job *pica.Job) (list []jobEdit) {
	for k, v := range job.Vertices {
		for _, n := range []int{0, len(v) / 2, max(len(v), 1) - 1} {
			list = append(list, change(job, func(c *pica.Job) { c.Vertices = replaced(c.Vertices, k, v[:n]) }))
		}
		for n := range v {
			list = append(list, change(job,
				func(c *pica.Job) { c.Vertices = replaced(c.Vertices, k, slices.Delete(slices.Clone(v), n, n+1)) }))
		}
	}
	return list
}

// isolate makes the instruction at fault the only one, with its operands as inputs and uniforms.
func isolate(witness func(*pica.Job) (Witness, bool)) func(job *pica.Job) []jobEdit {
	return func(job *pica.Job) []jobEdit {
		if witness == nil || len(job.Code) <= 2 {
			return nil
		}
		w, ok := witness(job)
		if !ok || w.PC >= len(job.Code) || pica.Opcodes[pica.OpcodeOf(job.Code[w.PC])].Sources == 0 {
			return nil
		}
		return []jobEdit{
			func() (*pica.Job, bool) { return folded(job, &w), true },
			func() (*pica.Job, bool) { return lifted(job, &w) },
		}
	}
}

// single returns the job with one vertex, a program of the given words and END, and nothing that
// these do not need.
func single(job *pica.Job, w *Witness, code ...uint32) *pica.Job {
	c := *job
	c.Code = append(code, uint32(pica.END)<<26)
	c.Entry, c.Keep, c.Initial = 0, false, nil
	c.Vertices = job.Vertices[w.Vertex : w.Vertex+1]
	return &c
}

// folded gives the instruction its final operands: no index, no swizzle, no negation.
func folded(job *pica.Job, w *Witness) *pica.Job {
	word := job.Code[w.PC]
	layout := pica.OpcodeOf(word).Layout()
	var inputs []pica.Vec4
	var floats []pica.Upload
	wide := pica.Opcodes[pica.OpcodeOf(word)].Sources > 1 // two inputs are a hazard
	for k := range pica.Opcodes[pica.OpcodeOf(word)].Sources {
		if layout.Src[k].Width == 7 && wide {
			word = layout.Src[k].Put(word, pica.SourceUniform)
			floats = []pica.Upload{{Format: w.Storage, Values: []pica.Vec4{w.Sources[k]}}}
			continue
		}
		word = layout.Src[k].Put(word, uint32(pica.SourceInput+len(inputs)))
		inputs = append(inputs, w.Sources[k])
	}
	word = layout.Index.Put(word, pica.IndexNone)
	identity := [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle}
	c := single(job, w, layout.Desc.Put(word, 0))
	c.Descriptors = []uint32{uint32(pica.MakeDescriptor(job.DescriptorOf(word).Mask(), [3]bool{}, identity))}
	c.InputFormat, c.Vertices, c.Floats = w.Storage, [][]pica.Vec4{inputs}, floats
	return c
}

// lifted keeps the instruction as it is; values of temporaries become inputs, and a MOVA sets the
// address register.
func lifted(job *pica.Job, w *Witness) (*pica.Job, bool) {
	if job.InputFormat != pica.Float24 || w.Storage != pica.Float24 {
		return nil, false
	}
	word := job.Code[w.PC]
	layout := pica.OpcodeOf(word).Layout()
	row := slices.Clone(job.Vertices[w.Vertex])
	give := func(v pica.Vec4) (register uint32, ok bool) {
		row = append(row, v)
		return uint32(len(row) - 1), len(row) <= pica.NumInputs
	}
	for k := range pica.Opcodes[pica.OpcodeOf(word)].Sources {
		r := layout.Src[k].Get(word)
		if r < pica.SourceTemporary || r >= pica.SourceUniform {
			continue
		}
		input, ok := give(w.Before.R[r-pica.SourceTemporary])
		if !ok {
			return nil, false
		}
		word = layout.Src[k].Put(word, input)
	}
	code := []uint32{word}
	descs := slices.Clone(job.Descriptors)
	if index := layout.Index.Get(word); index == pica.IndexA0X || index == pica.IndexA0Y {
		input, ok := give(pica.Vec4{
			pica.Float24.Integer(int64(w.Before.Address[0])), pica.Float24.Integer(int64(w.Before.Address[1])),
		})
		if !ok || len(descs) >= pica.MaxDescriptors {
			return nil, false
		}
		mova := pica.MOVA.Layout()
		code = []uint32{mova.Desc.Put(mova.Src[0].Put(uint32(pica.MOVA)<<26, input), uint32(len(descs))), word}
		descs = append(descs, uint32(pica.IdentityDescriptor))
	}
	c := single(job, w, code...)
	c.Descriptors, c.Vertices = descs, [][]pica.Vec4{row}
	return c, len(c.Code) < len(job.Code)
}

// specialValues are values that many faults depend on.
var specialValues = [pica.NumNumberFormats][]uint32{
	pica.Float32: {0x3F800000, 0, 0x80000000, 0xBF800000, 0x3FC00000, 0x7F800000, 0xFF800000, 0x7FC00000},
	pica.Float24: {0x3F0000, 0, 0x800000, 0xBF0000, 0x3F8000, 0x7F0000, 0xFF0000, 0x7F8000},
}

// specials makes one instruction the only one, with special values in place of computed
// temporaries.
func specials(job *pica.Job) (list []jobEdit) {
	if len(job.Code) <= 2 || len(job.Code) > maxLoose || len(job.Vertices) == 0 {
		return nil
	}
	values := specialValues[job.InputFormat]
	for _, word := range job.Code {
		layout := pica.OpcodeOf(word).Layout()
		row, free := job.Vertices[0], len(job.Vertices[0])
		given, combinations := 0, 1
		for k := range pica.Opcodes[pica.OpcodeOf(word)].Sources {
			if r := layout.Src[k].Get(word); r >= pica.SourceTemporary && r < pica.SourceUniform {
				word = layout.Src[k].Put(word, uint32(free+given)&31)
				given++
				combinations *= len(values)
			}
		}
		if given == 0 || free+given > pica.NumInputs {
			continue
		}
		for n := range combinations {
			list = append(list, func() (*pica.Job, bool) {
				full, rest := slices.Clone(row), n
				for range given {
					v := values[rest%len(values)]
					full = append(full, pica.Vec4{v, v, v, v})
					rest /= len(values)
				}
				c := single(job, &Witness{}, word)
				c.Vertices = [][]pica.Vec4{full}
				return c, true
			})
		}
	}
	return list
}
