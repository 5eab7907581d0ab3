package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

type jobEdit = edit[*pica.Job]

// change returns an edit that changes a copy of the job. do replaces slices and does not
// write to their elements.
func change(job *pica.Job, do func(c *pica.Job)) jobEdit {
	return func() (*pica.Job, bool) {
		c := *job
		do(&c)
		return &c, true
	}
}

// replaced returns a copy of a slice with one element changed.
func replaced[T any](s []T, at int, v T) []T {
	s = slices.Clone(s)
	s[at] = v
	return s
}

// word returns an edit that replaces one word.
func word(job *pica.Job, at int, w uint32) jobEdit {
	return change(job, func(c *pica.Job) { c.Code = replaced(c.Code, at, w) })
}

// budgetSteps are the step budgets to try: an endless loop among the candidates must cost
// little, and a program that ends must still end.
var budgetSteps = []int{64, 256, 1024, 4096, 16384, 65536}

func budgets(job *pica.Job) (list []jobEdit) {
	for _, n := range budgetSteps {
		list = append(list, change(job, func(c *pica.Job) { c.Budget = n }))
	}
	return list
}

// vertices keeps one vertex, or drops one.
func vertices(job *pica.Job) (list []jobEdit) {
	for k := range job.Vertices {
		list = append(list, change(job, func(c *pica.Job) { c.Vertices = c.Vertices[k : k+1] }))
	}
	for k := range job.Vertices {
		list = append(list,
			change(job, func(c *pica.Job) { c.Vertices = slices.Delete(slices.Clone(c.Vertices), k, k+1) }))
	}
	return list
}

// blocks drops scopes: a whole scope, its body, a part of an IF, or only the instruction that
// opens it; and the words of all procedures at once.
func blocks(job *pica.Job) (list []jobEdit) {
	for at, w := range job.Code {
		i := decode.Decode(w)
		target, end, opener := int(i.Dst), int(i.Dst)+int(i.Num), span{at, at + 1}
		switch pica.Opcodes[i.Op].Flow {
		case pica.FlowIf:
			list = append(list, without(job, span{at, end}), without(job, opener, span{target, end}),
				without(job, span{at, target}), without(job, span{at + 1, end}),
				without(job, span{target, end}), without(job, span{at + 1, target}))
		case pica.FlowLoop:
			list = append(list, without(job, span{at, target + 1}), without(job, span{at + 1, target + 1}))
		case pica.FlowCall:
			list = append(list, without(job, opener, span{target, end}), without(job, span{target, end}))
		case pica.FlowJump:
			list = append(list, without(job, span{at, target}), without(job, span{at + 1, target}))
		}
	}
	return list
}

// instructions drops runs of words, from half the program down to one word. A run is not dropped if the last edit
// dropped the one before it, without which the program is the same.
func instructions(job *pica.Job) (list []jobEdit) {
	alike, before, last := alikeSince(job), span{}, -1
	chunks(droppable(job), func(from, to int) {
		k, drop := len(list), without(job, span{from, to})
		same := before.to == from && from-before.from == to-from && alike[to-1] <= before.from
		before = span{from, to}
		list = append(list, func() (*pica.Job, bool) {
			again := same && last == k-1
			if last = k; again {
				return nil, false
			}
			return drop()
		})
	})
	return list
}

// alikeSince returns for each word the first of the equal words that end with it, if nothing leads to one behind the
// first.
func alikeSince(job *pica.Job) []int {
	led := map[int]bool{job.Entry: true}
	for _, w := range job.Code {
		Link(w, func(at int) int {
			led[at] = true
			return at
		})
	}
	first := make([]int, len(job.Code))
	for at, w := range job.Code {
		if first[at] = at; at > 0 && w == job.Code[at-1] && !led[at] {
			first[at] = first[at-1]
		}
	}
	return first
}

// maxPairs is the length of the longest program in which pairs of words are dropped.
const maxPairs = 40

// pairs drops two words that are not neighbours: a push and its pop, a
// definition and its only use.
func pairs(job *pica.Job) (list []jobEdit) {
	n := droppable(job)
	if n > maxPairs {
		return nil
	}
	for a := range n {
		for b := a + 1; b < n; b++ {
			list = append(list, without(job, span{a, a + 1}, span{b, b + 1}))
		}
	}
	return list
}

// maxLoose is the length of the longest program in which scopes are stretched.
const maxLoose = 16

// loose drops one word and leaves targets as they are, or stretches one scope to the end: the
// fault may need a scope open that the word closed.
func loose(job *pica.Job) (list []jobEdit) {
	n := droppable(job)
	if n > maxLoose {
		return nil
	}
	drop := func(c *pica.Job, at int) { c.Code = slices.Delete(slices.Clone(c.Code), at, at+1) }
	for at := range n {
		list = append(list, change(job, func(c *pica.Job) { drop(c, at) }))
		for opener, w := range job.Code {
			if opener == at || !targets(w) {
				continue
			}
			list = append(list, func() (*pica.Job, bool) {
				c, ok := without(job, span{at, at + 1})()
				if ok {
					k := opener
					if at < opener {
						k--
					}
					c.Code[k] = pica.OpcodeOf(w).Layout().Dst.Put(c.Code[k], uint32(len(c.Code)))
				}
				return c, ok
			})
		}
	}
	return list
}

// entries moves the entry point, and drops the words before it.
func entries(job *pica.Job) (list []jobEdit) {
	if job.Entry != 0 {
		list = append(list, change(job, func(c *pica.Job) { c.Entry = 0 }))
		list = append(list, without(job, span{0, job.Entry}))
	}
	for at := 1; at < len(job.Code); at++ {
		list = append(list, func() (*pica.Job, bool) {
			c, ok := without(job, span{0, at})()
			if ok {
				c.Entry = 0
			}
			return c, ok
		})
	}
	for at := range droppable(job) { // END here and no words behind
		list = append(list, change(job, func(c *pica.Job) {
			c.Code = append(slices.Clone(c.Code[:at]), uint32(pica.END)<<26)
			c.Entry = min(c.Entry, at)
		}))
	}
	return list
}

// nops replaces words by NOP.
func nops(job *pica.Job) (list []jobEdit) {
	for at := range job.Code {
		list = append(list, word(job, at, nop))
	}
	return list
}

// operands simplifies the fields of every instruction.
func operands(job *pica.Job) (list []jobEdit) {
	for at, w := range job.Code {
		try := func(v uint32) {
			if v != w {
				list = append(list, word(job, at, v))
			}
		}
		try(w &^ decode.Ignored(w))
		op := pica.OpcodeOf(w)
		layout := op.Layout()
		try(layout.Index.Put(w, pica.IndexNone))
		for k := range pica.Opcodes[op].Sources {
			for _, r := range readable(job, layout.Src[k].Width) {
				try(layout.Src[k].Put(w, r))
			}
		}
		try(layout.Dest.Put(w, pica.DestOutput))
		try(layout.Dest.Put(w, pica.DestTemporary))
		for c := range uint32(1 << layout.CondOp.Width * 4) {
			try(layout.RefY.Put(layout.RefX.Put(layout.CondOp.Put(w, c>>2), c>>1), c))
		}
		for _, f := range []pica.Field{layout.CmpX, layout.CmpY, layout.Bool, layout.Int, layout.Winding,
			layout.Primitive, layout.Vertex} {
			for v := range f.Get(w) {
				try(f.Put(w, v))
			}
		}
		for _, f := range []pica.Field{layout.Num, layout.Dst} {
			v := f.Get(w)
			for _, less := range []uint32{0, v / 2, max(v, 1) - 1} {
				try(f.Put(w, less))
			}
		}
		for _, near := range []int{at + 1, at + 2, len(job.Code) - 1, len(job.Code)} {
			try(layout.Dst.Put(w, uint32(near)))
		}
	}
	return list
}

// readable lists r0 and the registers within reach of a source field of the given width that
// have a value from the start.
func readable(job *pica.Job, width uint8) (list []uint32) {
	inputs := 1
	for _, v := range job.Vertices {
		inputs = max(inputs, len(v))
	}
	for k := range min(inputs, pica.NumInputs) {
		list = append(list, uint32(pica.SourceInput+k))
	}
	if width == 7 {
		list = append(list, pica.SourceUniform)
		for _, u := range job.Floats {
			for k := range u.Values {
				if r := u.Register + k; r > 0 && r < pica.NumFloats {
					list = append(list, uint32(pica.SourceUniform+r))
				}
			}
		}
	}
	return append(list, pica.SourceTemporary)
}

// descriptors drops unused descriptors, simplifies each one, and lets instructions share
// them.
func descriptors(job *pica.Job) (list []jobEdit) {
	list = append(list, func() (*pica.Job, bool) { return compactDescriptors(job) })
	for k := len(job.Descriptors) - 1; k >= 0; k-- {
		list = append(list, change(job, func(c *pica.Job) { c.Descriptors = c.Descriptors[:k] }))
	}
	for k, bits := range job.Descriptors {
		d := pica.Descriptor(bits)
		try := func(mask uint8, negate [3]bool, selectors [3]uint8) {
			v := uint32(pica.MakeDescriptor(mask, negate, selectors))
			list = append(list, change(job, func(c *pica.Job) { c.Descriptors = replaced(c.Descriptors, k, v) }))
		}
		mask := d.Mask()
		negate := [3]bool{d.Negate(0), d.Negate(1), d.Negate(2)}
		selectors := [3]uint8{d.Selectors(0), d.Selectors(1), d.Selectors(2)}
		identity := [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle}
		try(15, [3]bool{}, identity)
		try(mask, negate, selectors) // without bit 31
		try(15, negate, selectors)
		try(mask, [3]bool{}, selectors)
		try(mask, negate, identity)
		for s := range 3 {
			n, sel := negate, selectors
			n[s], sel[s] = false, pica.IdentitySwizzle
			try(mask, n, selectors)
			try(mask, negate, sel)
			for slot := range 4 { // one selector at a time
				sel = selectors
				shift := 6 - 2*slot
				sel[s] = sel[s]&^(3<<shift) | uint8(slot)<<shift
				try(mask, negate, sel)
			}
		}
		for bit := range 4 {
			try(mask|1<<bit, negate, selectors)
			try(mask&^(1<<bit), negate, selectors)
		}
	}
	for at, w := range job.Code {
		f := pica.OpcodeOf(w).Layout().Desc
		for n := range f.Get(w) {
			list = append(list, word(job, at, f.Put(w, n)))
		}
	}
	return list
}

// compactDescriptors keeps the used descriptors, one of each value, in the order of their
// first use.
func compactDescriptors(job *pica.Job) (*pica.Job, bool) {
	c := *job
	c.Code, c.Descriptors = slices.Clone(job.Code), nil
	for at, w := range c.Code {
		f := pica.OpcodeOf(w).Layout().Desc
		if f.Width == 0 {
			continue
		}
		var d uint32
		if n := int(f.Get(w)); n < len(job.Descriptors) {
			d = job.Descriptors[n]
		}
		k := slices.Index(c.Descriptors, d)
		if k < 0 {
			k = len(c.Descriptors)
			c.Descriptors = append(c.Descriptors, d)
		}
		if k >= 1<<f.Width {
			return nil, false
		}
		c.Code[at] = f.Put(w, uint32(k))
	}
	return &c, true
}
