package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// maxRename bounds the new numbers of registers.
const maxRename = 8

// registers lowers the numbers of used registers: two registers of a file are exchanged
// everywhere, with their values.
func registers(job *pica.Job) (list []jobEdit) {
	used := usedRegisters(job)
	for f, file := range files {
		for high := range file.size {
			if !used[f][high] {
				continue
			}
			for low := range min(high, maxRename) {
				list = append(list, func() (*pica.Job, bool) { return exchange(job, file, low, high) })
			}
		}
	}
	return list
}

// file is a register file: the fields of instructions that name its registers, and the values
// in a job.
type file struct {
	size    int
	read    bool
	sources uint32 // number of the first register in source fields, if read
	written bool
	dest    uint32                                // number of the first register in destination fields, if written
	field   func(l *pica.Layout) pica.Field       // of boolean and integer uniforms
	values  func(c *pica.Job, low, high int) bool // swaps the values of two registers
}

var files = []file{
	{size: pica.NumInputs, sources: pica.SourceInput, read: true, values: exchangeInputs},
	{size: pica.NumFloats, sources: pica.SourceUniform, read: true, values: exchangeFloats},
	{size: pica.NumTemporaries, sources: pica.SourceTemporary, read: true, dest: pica.DestTemporary, written: true},
	{size: pica.NumOutputs, dest: pica.DestOutput, written: true},
	{size: pica.NumInts, field: func(l *pica.Layout) pica.Field { return l.Int },
		values: func(c *pica.Job, low, high int) bool {
			c.Ints[low], c.Ints[high] = c.Ints[high], c.Ints[low]
			return true
		}},
	{size: pica.NumBools, field: func(l *pica.Layout) pica.Field { return l.Bool },
		values: func(c *pica.Job, low, high int) bool {
			a, b := c.Bools>>low&1, c.Bools>>high&1
			c.Bools = c.Bools&^(1<<low|1<<high) | a<<high | b<<low
			return true
		}},
}

// each calls do with every field of a word that names a register of the file.
func (f file) each(word uint32, do func(field pica.Field, base uint32)) {
	op := pica.OpcodeOf(word)
	l, info := op.Layout(), &pica.Opcodes[op]
	for k := range info.Sources {
		if f.read {
			do(l.Src[k], f.sources)
		}
	}
	if f.written && info.Writes&pica.WritesDest != 0 {
		do(l.Dest, f.dest)
	}
	if f.field != nil && f.field(l).Width > 0 {
		do(f.field(l), 0)
	}
}

func usedRegisters(job *pica.Job) (used [6][pica.NumFloats]bool) {
	for k, f := range files {
		for _, w := range job.Code {
			f.each(w, func(field pica.Field, base uint32) {
				if r := field.Get(w); r >= base && r < base+uint32(f.size) {
					used[k][r-base] = true
				}
			})
		}
	}
	return used
}

// exchange swaps two registers of a file in the program and in the values.
func exchange(job *pica.Job, f file, low, high int) (*pica.Job, bool) {
	c := *job
	c.Code = slices.Clone(job.Code)
	for at := range c.Code {
		f.each(c.Code[at], func(field pica.Field, base uint32) {
			switch field.Get(c.Code[at]) {
			case base + uint32(low):
				c.Code[at] = field.Put(c.Code[at], base+uint32(high))
			case base + uint32(high):
				c.Code[at] = field.Put(c.Code[at], base+uint32(low))
			}
		})
	}
	return &c, f.values == nil || f.values(&c, low, high)
}

func exchangeInputs(c *pica.Job, low, high int) bool {
	c.Vertices = slices.Clone(c.Vertices)
	for k, v := range c.Vertices {
		v = slices.Clone(v)
		for len(v) <= high {
			v = append(v, pica.Vec4{})
		}
		v[low], v[high] = v[high], v[low]
		for len(v) > 0 && v[len(v)-1] == (pica.Vec4{}) {
			v = v[:len(v)-1]
		}
		c.Vertices[k] = v
	}
	return true
}

// exchangeFloats exchanges two uniforms and leaves one upload, if all uploads have one format.
func exchangeFloats(c *pica.Job, low, high int) bool {
	var values [pica.NumFloats]pica.Vec4
	var format pica.NumberFormat
	for k, u := range c.Floats {
		if k > 0 && u.Format != format {
			return false
		}
		format = u.Format
		for n, v := range u.Values {
			if r := u.Register + n; r < pica.NumFloats {
				values[r] = v
			}
		}
	}
	values[low], values[high] = values[high], values[low]
	c.Floats = nil
	zero := pica.Vec4{}
	for r := 0; r < len(values); r++ {
		if values[r] == zero {
			continue
		}
		first := r
		for r < len(values) && values[r] != zero {
			r++
		}
		c.Floats = append(c.Floats,
			pica.Upload{Register: first, Format: format, Values: slices.Clone(values[first:r])})
	}
	return true
}
