package mutants

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// addressingFaults break relative addressing.
var addressingFaults = []fault[oracle.Rules]{
	{"offsets-from-128-are-used", "an offset outside a byte counts as 0 (1.5 rule 2)", windowed(-128, 1<<30)},
	{"offsets-below-minus-128-are-used", "an offset outside a byte counts as 0 (1.5 rule 2)", windowed(-1<<30, 127)},
	{"offset-minus-127-is-outside", "offsets go down to -128, which is 0 (1.5 rule 2)", windowed(-126, 127)},
	{"offset-127-is-outside", "offsets go up to 127 (1.5 rule 2)", windowed(-128, 126)},
	{"negative-offsets-are-outside", "offsets go down to -128 (1.5 rule 2)", windowed(0, 127)},
	{"offset-129-is-inside", "offsets go up to 127; 128 is 0 (1.5 rule 2)", windowed(-128, 129)},
	{"offset-minus-129-is-inside", "offsets go down to -128 (1.5 rule 2)", windowed(-129, 127)},
	{"offset-outside-reads-c0", "an offset outside a byte reads the base register (1.5 rule 2)",
		displaced(func(n, offset int) int {
			if offset < -128 || offset > 127 {
				return pica.SourceUniform
			}
			return around(n, offset)
		})},
	{"offset-wraps-to-a-byte", "an offset outside a byte counts as 0 (1.5 rule 2)",
		displaced(func(n, offset int) int { return around(n, int(int8(offset))) })},
	{"offset-saturates-to-a-byte", "an offset outside a byte counts as 0 (1.5 rule 2)",
		displaced(func(n, offset int) int { return around(n, min(max(offset, -128), 127)) })},

	{"index-wraps-at-96", "an index wraps to 7 bits (1.5 rule 3)",
		inWindow(func(c int) int { return pica.SourceUniform + (c+2*pica.NumFloats)%pica.NumFloats })},
	{"index-does-not-wrap", "an index wraps to 7 bits (1.5 rule 3)", inWindow(func(c int) int {
		if c < 0 || c >= pica.NumFloats {
			return oracle.Ones
		}
		return pica.SourceUniform + c
	})},
	{"index-saturates", "an index wraps to 7 bits (1.5 rule 3)",
		inWindow(func(c int) int { return pica.SourceUniform + min(max(c, 0), pica.NumFloats-1) })},
	{"index-from-96-reads-c95", "c96-c127 read (1, 1, 1, 1) (1.5 rule 3)",
		inWindow(func(c int) int { return pica.SourceUniform + min(c&127, pica.NumFloats-1) })},
	{"index-from-96-reads-c0", "c96-c127 read (1, 1, 1, 1) (1.5 rule 3)", inWindow(func(c int) int {
		if c &= 127; c >= pica.NumFloats {
			return pica.SourceUniform
		}
		return pica.SourceUniform + c
	})},
	{"index-95-reads-ones", "c95 is the last constant (1.5 rule 3)", inWindow(func(c int) int {
		if c &= 127; c >= pica.NumFloats-1 {
			return oracle.Ones
		}
		return pica.SourceUniform + c
	})},
	{"inputs-and-temporaries-are-indexed", "only constants are indexed (1.5 rule 1)", func(r *oracle.Rules) {
		r.Operands.Displace = func(c *oracle.Control, n, index int) int {
			offset := int(c.Offset(index))
			if n < pica.SourceUniform {
				return min(max(n+offset, 0), pica.SourceUniform+pica.NumFloats-1)
			}
			return around(n, offset)
		}
	}},
	{"offset-is-subtracted", "the offset is added to the base (1.5 rule 3)",
		displaced(func(n, offset int) int { return around(n, -offset) })},
	{"offset-is-ignored", "the offset is added to the base (1.5 rule 3)", displaced(func(n, _ int) int { return n })},

	{"a0.x-exchanged-with-a0.y", "idx 1 is a0.x, 2 is a0.y (1.5)",
		addressed(func(x, y, al int32) [3]int32 { return [3]int32{y, x, al} })},
	{"a0.y-reads-a0.x", "idx 2 is a0.y (1.5)", addressed(func(x, _, al int32) [3]int32 { return [3]int32{x, x, al} })},
	{"al-reads-a0.x", "idx 3 is aL (1.5)", addressed(func(x, y, _ int32) [3]int32 { return [3]int32{x, y, x} })},
	{"al-reads-0", "idx 3 is aL (1.5)", addressed(func(x, y, _ int32) [3]int32 { return [3]int32{x, y, 0} })},
	{"al-wraps-to-a-byte", "aL is not masked to 8 bits (1.5)",
		addressed(func(x, y, al int32) [3]int32 { return [3]int32{x, y, int32(int8(al))} })},
	{"al-indexes-only-in-a-loop", "aL stays readable after a loop (4.2.11)", func(r *oracle.Rules) {
		offset := r.Operands.Offset
		r.Operands.Offset = func(s *pica.State, index int) int32 {
			if index == pica.IndexAL && s.Stacks.LoopDepth == 0 {
				return 0
			}
			return offset(s, index)
		}
	}},

	{"index-is-ignored-in-inverted-forms", "idx applies to source 2 of an inverted form (1.2)",
		wideAt(0, inverted...)},
	{"index-applies-to-src1-of-mad", "idx applies to source 2 of MAD (1.2)", wideAt(0, pica.MAD)},
	{"index-applies-to-src3-of-mad", "idx applies to source 2 of MAD (1.2)", wideAt(2, pica.MAD)},
	{"index-applies-to-src2-of-madi", "idx applies to source 3 of MADI (1.2)", wideAt(1, pica.MADI)},
	{"index-applies-to-src2", "idx applies to source 1 (1.2)", wideAt(1, binaryOps...)},
}

// around is the correct rule for a constant at an offset in the window.
func around(n, offset int) int {
	if c := (n - pica.SourceUniform + offset) & 127; c < pica.NumFloats {
		return pica.SourceUniform + c
	}
	return oracle.Ones
}

// displaced replaces the rule for constants; n and the result are source numbers.
func displaced(rule func(n, offset int) int) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		r.Operands.Displace = func(c *oracle.Control, n, index int) int {
			if n < pica.SourceUniform {
				return n
			}
			return rule(n, int(c.Offset(index)))
		}
	}
}

// windowed changes the range of offsets.
func windowed(first, last int) func(*oracle.Rules) {
	return displaced(func(n, offset int) int {
		if offset < first || offset > last {
			offset = 0
		}
		return around(n, offset)
	})
}

// inWindow replaces the rule for offsets in the window; c is -128 to 222.
func inWindow(rule func(c int) int) func(*oracle.Rules) {
	return displaced(func(n, offset int) int {
		if offset < -128 || offset > 127 {
			offset = 0
		}
		return rule(n - pica.SourceUniform + offset)
	})
}

// addressed replaces the registers of the index values 1 to 3.
func addressed(rule func(x, y, al int32) [3]int32) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		r.Operands.Offset = func(s *pica.State, index int) int32 {
			return rule(s.Address[0], s.Address[1], s.AL)[index-pica.IndexA0X]
		}
	}
}

// wideAt applies the address register to another source.
func wideAt(source int, ops ...pica.Opcode) func(*oracle.Rules) {
	return func(r *oracle.Rules) { relaid(func(l *oracle.Layout) { l.Wide = source }, ops...)(&r.Encoding) }
}
