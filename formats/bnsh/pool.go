package bnsh

import "github.com/picaproof/picaproof/formats/diag"

// usualProperty is the property of a pool for code: hidden from the CPU 0x01,
// cached by the GPU 0x20, shader code 0x40 (nnheaders).
const usualProperty = 0x61

// memoryPool reads the memory pool and the binary code in it.
func (r *reader) memoryPool() {
	container := uint64(r.layout.Container)
	x := r.link(poolPart, owner{part: containerPart}, container)
	switch {
	case x.off == 0 && r.binary:
		r.stray(someCode, "BNSH040", x.place(), diag.Text("a memory pool for the binary code"), diag.Text("null"))
		return
	case x.off == 0:
		return
	case !r.binary && r.complete(someForm):
		r.stray(0, "BNSH040", x.place(), diag.Text("null, for there is no binary code"), diag.Hex(x.off))
		return
	}
	if !r.enter(&x) {
		return
	}
	o, p := owner{part: poolPart}, x.off
	r.layout.Pool.Record = uint32(p)
	found := r.poolMemory(o, p)
	r.poolObject(o, p)
	property := r.U32(p + poolPropertyAt)
	r.file.PoolProperty = &property
	r.rules(o, p)
	if found && !r.stopped() {
		r.poolCode(p)
	}
}

// poolMemory finds the memory of the pool.
func (r *reader) poolMemory(o owner, p uint64) bool {
	x := r.link(poolMemoryPart, o, p)
	size, memory := uint64(r.U32(x.extent)), x.off
	found := true
	if size == 0 || size%poolAlignment != 0 {
		found = r.lose(someCode, "BNSH040", x.size(),
			diag.Value{Format: "multiple of 0x%x above 0", N: poolAlignment}, diag.Hex(size))
	}
	if memory%poolAlignment != 0 {
		found = r.stray(someCode, "BNSH040", x.place(),
			diag.Value{Format: "multiple of 0x%x", N: poolAlignment}, diag.Hex(memory))
	}
	if found = found && r.blob(&x) != nil && r.claim(size); found {
		r.layout.Pool.Memory, r.layout.Pool.Size = uint32(memory), uint32(size)
	}
	r.reserved(o, p)
	return found
}

// poolObject finds the object of the pool.
func (r *reader) poolObject(o owner, p uint64) {
	if x := r.link(poolObjectPart, o, p); r.enter(&x) {
		r.layout.Pool.Object = uint32(x.off)
		r.zeros(owner{part: poolObjectPart}, x.off, r.Bytes(x.off, poolObjectSize))
	}
}

// end returns where the memory of the pool ends.
func (l *PoolLayout) end() uint64 { return uint64(l.Memory) + uint64(l.Size) }

// poolCode reads the binary code, which lies in the memory of the pool.
func (r *reader) poolCode(p uint64) {
	memory, end := uint64(r.layout.Pool.Memory), r.layout.Pool.end()
	last := memory
	for x := range r.file.walk(r.layout, binaryCodes) {
		if last = max(last, r.codeInPool(x, memory, end)); r.done() {
			return
		}
	}
	if end-last < poolSlack && r.complete(someCode) {
		r.Report("BNSH035", owner{part: poolPart}.place(p, "size"),
			diag.Value{Format: "0x%x bytes behind the last code", N: poolSlack}, diag.Hex(end-last))
	}
}

// codeInPool reads the code of a record and returns the offset after it.
func (r *reader) codeInPool(record *item, memory, end uint64) uint64 {
	x, rule := r.link(codePart, record.owner, record.off), parts[codePart].rule
	off, size := x.off, uint64(r.U32(x.extent))
	switch {
	case size == 0:
		r.lose(someCode, rule, x.size(), diag.AtLeast(1), diag.Dec(size))
		return 0
	case off >= memory && off < end && size > end-off:
		r.lose(someCode, rule, x.size(), diag.AtMost(end-off), diag.Dec(size))
		return 0
	case off < memory || off >= end:
		r.stray(someCode, rule, x.place(), diag.Value{Format: "inside the memory pool, which ends at 0x%x", N: end},
			diag.Hex(off))
		return 0
	case (off-memory)%codeAlignment != 0:
		r.stray(someCode, "BNSH033", x.place(), diag.Value{Format: "multiple of 0x%x in the pool", N: codeAlignment},
			diag.Hex(off-memory))
		return 0
	}
	if size%codeAlignment != 0 {
		r.Report("BNSH037", x.size(), diag.Value{Format: "multiple of 0x%x", N: codeAlignment}, diag.Hex(size))
	}
	record.place.Code = uint32(off)
	record.code.Code = r.Bytes(off, size)
	return off + size
}
