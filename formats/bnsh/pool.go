package bnsh

import "github.com/picaproof/picaproof/formats/diag"

// usualProperty is what a pool for code has: hidden from the CPU 0x01, cached by
// the GPU 0x20, shader code 0x40 (nnheaders).
const usualProperty = 0x61

// memoryPool reads the memory pool and the binary code in it.
func (r *reader) memoryPool() bool {
	container := uint64(r.layout.Container)
	pointer := func() diag.Place { return owner{part: containerPart}.place(container, "pool.pointer") }
	p := r.pointer(container + 0x28)
	switch {
	case p == 0 && !r.binary:
		return true
	case p == 0:
		return r.refuse("BNSH040", pointer(), diag.Text("a memory pool for the binary code"), diag.Text("null"))
	case !r.binary:
		return r.refuse("BNSH040", pointer(), diag.Text("null, for there is no binary code"), diag.Hex(p))
	}
	o := owner{part: poolPart}
	if !r.record("BNSH040", pointer, p, poolSize, 8) || !r.claim(o, p, poolSize) || !r.poolMemory(o, p) || !r.poolObject(o, p) {
		return false
	}
	property := r.U32(p)
	r.file.PoolProperty = &property
	if property != usualProperty {
		r.Report("BNSH042", o.place(p, "property"), diag.Hex(usualProperty), diag.Hex(uint64(property)))
	}
	return r.poolCode(p)
}

func (r *reader) poolMemory(o owner, p uint64) bool {
	size, memory := uint64(r.U32(p+4)), r.pointer(p+8)
	switch {
	case size == 0 || size%poolAlignment != 0:
		return r.refuse("BNSH040", o.place(p, "size"), diag.Value{Format: "multiple of 0x%x above 0", N: poolAlignment}, diag.Hex(size))
	case memory%poolAlignment != 0:
		return r.refuse("BNSH040", o.place(p, "memory.pointer"), diag.Value{Format: "multiple of 0x%x", N: poolAlignment}, diag.Hex(memory))
	case !r.blob("BNSH040", func(field string) diag.Place { return o.place(p, field) }, "memory.pointer", "size", memory, size):
		return false
	}
	r.layout.Pool = PoolLayout{Record: uint32(p), Memory: uint32(memory), Size: uint32(size)}
	return r.reserved("BNSH040", o, p) && r.claim(owner{part: poolMemoryPart}, memory, size)
}

func (r *reader) poolObject(o owner, p uint64) bool {
	object := r.pointer(p + 0x20)
	memory := owner{part: poolObjectPart}
	if !r.record("BNSH041", func() diag.Place { return o.place(p, "object.pointer") }, object, poolObjectSize, 8) {
		return false
	}
	r.layout.Pool.Object = uint32(object)
	return r.claim(memory, object, poolObjectSize) && r.zeros("BNSH041", memory, object, poolObjectSize)
}

// end returns where the memory of the pool ends.
func (l *PoolLayout) end() uint64 { return uint64(l.Memory) + uint64(l.Size) }

// poolCode reads the binary code.
func (r *reader) poolCode(p uint64) bool {
	memory, end := uint64(r.layout.Pool.Memory), r.layout.Pool.end()
	last := memory
	for program := range r.file.programs(r.layout) {
		if program.form() != binaryForm {
			continue
		}
		o := program.owner.as(binaryCodePart)
		for s, code := range program.Stages {
			if code == nil {
				continue
			}
			o.stage = Stage(s)
			at := program.layout.Stages[s]
			x := uint64(at.Record)
			off, size := r.U64(x+0x10), uint64(r.U32(x+0x18))
			switch {
			case size == 0:
				return r.refuse("BNSH032", o.place(x, "code_size"), diag.AtLeast(1), diag.Dec(size))
			case off >= memory && off < end && size > end-off:
				return r.refuse("BNSH032", o.place(x, "code_size"), diag.AtMost(end-off), diag.Dec(size))
			case off < memory || off >= end:
				return r.refuse("BNSH032", o.place(x, "code.pointer"), diag.Value{Format: "inside the memory pool, which ends at 0x%x", N: end}, diag.Hex(off))
			case (off-memory)%codeAlignment != 0:
				return r.refuse("BNSH033", o.place(x, "code.pointer"), diag.Value{Format: "multiple of 0x%x in the pool", N: codeAlignment}, diag.Hex(off-memory))
			}
			if size%codeAlignment != 0 {
				r.Report("BNSH037", o.place(x, "code_size"), diag.Value{Format: "multiple of 0x%x", N: codeAlignment}, diag.Hex(size))
			}
			at.Code = uint32(off)
			code.Code = r.Bytes(off, size)
			last = max(last, off+size)
		}
	}
	if end-last < poolSlack {
		r.Report("BNSH035", owner{part: poolPart}.place(p, "size"), diag.Value{Format: "0x%x bytes behind the last code", N: poolSlack}, diag.Hex(end-last))
	}
	return true
}
