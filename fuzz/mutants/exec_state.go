package mutants

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// stateFaults break the state that passes from vertex to vertex.
var stateFaults = []fault[oracle.Carry]{
	{"registers-never-carry-over", "registers persist where they are kept (5.2)",
		begun(func(c *oracle.Carry, r *oracle.RegisterFile, initial *pica.State, _ int, _ bool) {
			c.Begin(r, initial, 0, false)
		})},
	{"temporaries-are-cleared", "temporaries persist where they are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { clear(r.R[:]) })},
	{"outputs-are-cleared", "outputs persist where they are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { clear(r.O[:]) })},
	{"other-bank-is-cleared", "both output banks persist where they are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { clear(r.OtherBank[:]) })},
	{"address-registers-are-cleared", "a0 persists where registers are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { r.Address = [2]int32{} })},
	{"al-is-cleared", "aL persists where registers are kept (4.2.13)",
		cleared(func(r *oracle.RegisterFile) { r.AL = 0 })},
	{"conditions-are-cleared", "cmp persists where registers are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { r.CC = [2]bool{} })},
	{"cc.y-is-cleared", "cmp persists where registers are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { r.CC[1] = false })},

	{"registers-always-carry-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { *r = *before })},
	{"temporaries-carry-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { r.R = before.R })},
	{"outputs-carry-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { r.O = before.O })},
	{"other-bank-carries-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { r.OtherBank = before.OtherBank })},
	{"address-registers-carry-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { r.Address = before.Address })},
	{"al-carries-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { r.AL = before.AL })},
	{"conditions-carry-over", "each vertex starts from the initial state where registers are not kept (5.2)",
		survived(func(before, r *oracle.RegisterFile) { r.CC = before.CC })},

	{"stacks-carry-over", "stacks are empty at the next run (4.2.13)",
		survived(func(before, r *oracle.RegisterFile) { r.Stacks = before.Stacks })},
	{"if-stack-carries-over", "stacks are empty at the next run (4.2.13)",
		survived(func(before, r *oracle.RegisterFile) {
			r.Stacks.If, r.Stacks.IfDepth = before.Stacks.If, before.Stacks.IfDepth
		})},
	{"call-stack-carries-over", "stacks are empty at the next run (4.2.13)",
		survived(func(before, r *oracle.RegisterFile) {
			r.Stacks.Call, r.Stacks.CallDepth = before.Stacks.Call, before.Stacks.CallDepth
		})},
	{"loop-stack-carries-over", "stacks are empty at the next run (4.2.13)",
		survived(func(before, r *oracle.RegisterFile) {
			r.Stacks.Loop, r.Stacks.LoopDepth = before.Stacks.Loop, before.Stacks.LoopDepth
		})},
	{"emitter-is-cleared", "the emitter persists where registers are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { r.Emitter = oracle.Emitter{} })},
	{"emitter-slots-are-cleared", "the emitter persists where registers are kept (5.2)",
		cleared(func(r *oracle.RegisterFile) { clear(r.Emitter.Slots[:]) })},
	{"emitter-carries-over", "the emitter starts afresh for every vertex where registers are not kept (5.4)",
		survived(func(before, r *oracle.RegisterFile) { r.Emitter = before.Emitter })},
	{"emitter-slots-carry-over", "the emitter starts afresh for every vertex where registers are not kept (5.4)",
		survived(func(before, r *oracle.RegisterFile) { r.Emitter.Slots = before.Emitter.Slots })},

	{"temporaries-start-with-w-1", "registers start at zero (5.2)",
		begun(func(c *oracle.Carry, r *oracle.RegisterFile, initial *pica.State, vertex int, keep bool) {
			if c.Begin(r, initial, vertex, keep); vertex == 0 || !keep {
				for i := range r.R {
					r.R[i][3] = 0x3F0000
				}
			}
		})},
	{"inputs-keep-their-last-value", "inputs that are not given are +0 (5.1)", func(c *oracle.Carry) {
		inputs := c.Inputs
		c.Inputs = func(v *[pica.NumInputs]pica.Vec4, vertex int) {
			if vertex == 0 {
				inputs(v, vertex)
			}
		}
	}},
	{"inputs-default-to-w-1", "inputs that are not given are +0 (5.1)", func(c *oracle.Carry) {
		inputs := c.Inputs
		c.Inputs = func(v *[pica.NumInputs]pica.Vec4, vertex int) {
			inputs(v, vertex)
			for i := range v {
				v[i][3] = 0x3F0000
			}
		}
	}},
}

// begun replaces the beginning of a vertex; c has the correct rules.
func begun(rule func(c *oracle.Carry, r *oracle.RegisterFile, initial *pica.State, vertex int,
	keep bool)) func(*oracle.Carry) {
	return func(c *oracle.Carry) {
		intact := *c
		c.Begin = func(r *oracle.RegisterFile, initial *pica.State, vertex int, keep bool) {
			rule(&intact, r, initial, vertex, keep)
		}
	}
}

// cleared clears state that should carry over.
func cleared(spoil func(r *oracle.RegisterFile)) func(*oracle.Carry) {
	return begun(func(c *oracle.Carry, r *oracle.RegisterFile, initial *pica.State, vertex int, keep bool) {
		if c.Begin(r, initial, vertex, keep); vertex > 0 && keep {
			spoil(r)
		}
	})
}

// survived carries state over that should start afresh with every vertex.
func survived(spoil func(before, r *oracle.RegisterFile)) func(*oracle.Carry) {
	return begun(func(c *oracle.Carry, r *oracle.RegisterFile, initial *pica.State, vertex int, keep bool) {
		before := *r
		if c.Begin(r, initial, vertex, keep); vertex > 0 {
			spoil(&before, r)
		}
	})
}
