package bnsh

import "github.com/picaproof/picaproof/formats/diag"

// usualProperty is the property of a pool for code: hidden from the CPU 0x01,
// cached by the GPU 0x20, shader code 0x40 (nnheaders).
const usualProperty = 0x61

// memoryPool reads the memory pool and the binary code in it.
func (r *reader) memoryPool() {
	container := uint64(r.layout.Container)
	from := reference{"BNSH040", someCode, owner{part: containerPart}, container, "pool"}
	p := r.U64(container + containerPoolAt)
	switch {
	case p == 0 && r.binary:
		r.stray(someCode, "BNSH040", from.pointer(), diag.Text("a memory pool for the binary code"), diag.Text("null"))
		return
	case p == 0:
		return
	case !r.binary && r.complete(someForm):
		r.stray(0, "BNSH040", from.pointer(), diag.Text("null, for there is no binary code"), diag.Hex(p))
		return
	}
	o := owner{part: poolPart}
	if !r.record(from, p, poolSize, 8) || !r.claim(poolSize) {
		return
	}
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
	field := func(name string) func() diag.Place { return func() diag.Place { return o.place(p, name) } }
	size, memory := uint64(r.U32(p+poolSizeAt)), r.U64(p+poolMemoryAt)
	found := true
	if size == 0 || size%poolAlignment != 0 {
		found = r.lose(someCode, "BNSH040", o.place(p, "size"),
			diag.Value{Format: "multiple of 0x%x above 0", N: poolAlignment}, diag.Hex(size))
	}
	if memory%poolAlignment != 0 {
		found = r.stray(someCode, "BNSH040", o.place(p, "memory.pointer"),
			diag.Value{Format: "multiple of 0x%x", N: poolAlignment}, diag.Hex(memory))
	}
	if found = found && r.blob("BNSH040", someCode, field("memory.pointer"), field("size"), memory, size) &&
		r.claim(size); found {
		r.layout.Pool.Memory, r.layout.Pool.Size = uint32(memory), uint32(size)
	}
	r.reserved("BNSH040", o, p)
	return found
}

// poolObject finds the object of the pool.
func (r *reader) poolObject(o owner, p uint64) {
	object := r.U64(p + poolObjectAt)
	if r.record(reference{"BNSH041", 0, o, p, "object"}, object, poolObjectSize, 8) && r.claim(poolObjectSize) {
		r.layout.Pool.Object = uint32(object)
		r.zeros("BNSH041", owner{part: poolObjectPart}, object, poolObjectSize)
	}
}

// end returns where the memory of the pool ends.
func (l *PoolLayout) end() uint64 { return uint64(l.Memory) + uint64(l.Size) }

// poolCode reads the binary code, which lies in the memory of the pool.
func (r *reader) poolCode(p uint64) {
	memory, end := uint64(r.layout.Pool.Memory), r.layout.Pool.end()
	last := memory
	for x := range r.file.binaryCodes(r.layout) {
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
func (r *reader) codeInPool(x *item, memory, end uint64) uint64 {
	base := x.off
	off, size := r.U64(base+binaryCodeAt), uint64(r.U32(base+binaryCodeSizeAt))
	switch {
	case size == 0:
		r.lose(someCode, "BNSH032", x.owner.place(base, "code_size"), diag.AtLeast(1), diag.Dec(size))
		return 0
	case off >= memory && off < end && size > end-off:
		r.lose(someCode, "BNSH032", x.owner.place(base, "code_size"), diag.AtMost(end-off), diag.Dec(size))
		return 0
	case off < memory || off >= end:
		r.stray(someCode, "BNSH032", x.owner.place(base, "code.pointer"),
			diag.Value{Format: "inside the memory pool, which ends at 0x%x", N: end}, diag.Hex(off))
		return 0
	case (off-memory)%codeAlignment != 0:
		r.stray(someCode, "BNSH033", x.owner.place(base, "code.pointer"),
			diag.Value{Format: "multiple of 0x%x in the pool", N: codeAlignment}, diag.Hex(off-memory))
		return 0
	}
	if size%codeAlignment != 0 {
		r.Report("BNSH037", x.owner.place(base, "code_size"), diag.Value{Format: "multiple of 0x%x", N: codeAlignment},
			diag.Hex(size))
	}
	x.place.Code = uint32(off)
	x.code.Code = r.Bytes(off, size)
	return off + size
}
