package mutants

import (
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// fieldFaults move, shorten or exchange fields.
var fieldFaults = []fault[oracle.Encoding]{
	{"descriptor-of-5-bits", "a descriptor id has 7 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Desc.Width = 5 }, wide...)},
	{"descriptor-of-6-bits", "a descriptor id has 7 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Desc.Width = 6 }, wide...)},
	{"mad-descriptor-of-7-bits", "the descriptor id of MAD has 5 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Desc.Width = 7 }, pica.MAD, pica.MADI)},
	{"mad-descriptor-of-4-bits", "the descriptor id of MAD has 5 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Desc.Width = 4 }, pica.MAD, pica.MADI)},

	{"src1-of-6-bits", "a wide source has 7 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Sources[0].Width = 6 }, wideFirst...)},
	{"src2-of-4-bits", "a narrow source has 5 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Sources[1].Width = 4 }, binaryOps...)},
	{"src2-one-bit-high", "source 2 begins at bit 7 (1.2)",
		relaid(func(l *oracle.Layout) { l.Sources[1].Low++ }, binaryOps...)},
	{"dest-of-4-bits", "a destination has 5 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Dest.Width = 4 }, wide...)},
	{"index-of-1-bit", "the address register has 2 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Index.Width = 1 }, wideFirst...)},
	{"inverted-index-of-1-bit", "the address register has 2 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Index.Width = 1 }, inverted...)},
	{"inverted-src2-of-5-bits", "source 2 of an inverted form has 7 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Sources[1].Width = 5 }, inverted...)},
	{"inverted-src1-of-4-bits", "source 1 of an inverted form has 5 bits (1.2)",
		relaid(func(l *oracle.Layout) { l.Sources[0].Width = 4 }, inverted...)},

	{"mad-src1-exchanged-with-src2", "MAD has source 1 at bit 17, source 2 at bit 10 (1.2)",
		relaid(exchanged(0, 1), pica.MAD)},
	{"mad-src2-exchanged-with-src3", "MAD has source 2 at bit 10, source 3 at bit 5 (1.2)",
		relaid(exchanged(1, 2), pica.MAD)},
	{"madi-src2-exchanged-with-src3", "MADI has source 2 at bit 12, source 3 at bit 5 (1.2)",
		relaid(exchanged(1, 2), pica.MADI)},
	{"mad-dest-of-4-bits", "the destination of MAD has 5 bits, three of them in the opcode field (1.1)",
		relaid(func(l *oracle.Layout) { l.Dest.Width = 4 }, pica.MAD, pica.MADI)},
	{"mad-dest-of-2-bits", "the destination of MAD has 5 bits, three of them in the opcode field (1.1)",
		relaid(func(l *oracle.Layout) { l.Dest.Width = 2 }, pica.MAD)},
	{"mad-dest-at-bit-21", "the destination of MAD begins at bit 24 (1.2)",
		relaid(func(l *oracle.Layout) { l.Dest.Low = 21 }, pica.MAD)},
	{"mad-index-at-bit-19", "the address register of MAD is at bit 22 (1.2)",
		relaid(func(l *oracle.Layout) { l.Index.Low = 19 }, pica.MAD, pica.MADI)},
	{"mad-is-read-as-madi", "MAD and MADI have layouts of their own (1.2)",
		func(e *oracle.Encoding) { e.Shapes[pica.MAD].Layout = e.Shapes[pica.MADI].Layout }},
	{"madi-is-read-as-mad", "MAD and MADI have layouts of their own (1.2)",
		func(e *oracle.Encoding) { e.Shapes[pica.MADI].Layout = e.Shapes[pica.MAD].Layout }},
	{"mad-and-madi-exchanged", "opcodes 30-37 are MADI, 38-3F are MAD (1.1)", func(e *oracle.Encoding) {
		e.Opcode = opcodes(e.Opcode, func(op pica.Opcode) pica.Opcode {
			switch op {
			case pica.MAD:
				return pica.MADI
			case pica.MADI:
				return pica.MAD
			}
			return op
		})
	}},

	{"compare-operators-exchanged", "CMPX is the high field (1.2)",
		func(e *oracle.Encoding) { e.CompareX, e.CompareY = e.CompareY, e.CompareX }},
	{"compare-x-of-2-bits", "CMPX has 3 bits, the highest in the opcode field (1.1)",
		func(e *oracle.Encoding) { e.CompareX.Width = 2 }},
	{"compare-y-of-2-bits", "CMPY has 3 bits (1.2)", func(e *oracle.Encoding) { e.CompareY.Width = 2 }},

	{"target-of-11-bits", "DST has 12 bits (1.2)", func(e *oracle.Encoding) { e.Target.Width = 11 }},
	{"target-of-8-bits", "DST has 12 bits (1.2)", func(e *oracle.Encoding) { e.Target.Width = 8 }},
	{"num-of-7-bits", "NUM has 8 bits (1.2)", func(e *oracle.Encoding) { e.Num.Width = 7 }},
	{"num-of-3-bits", "NUM has 8 bits (1.2)", func(e *oracle.Encoding) { e.Num.Width = 3 }},
	{"num-of-10-bits", "bits 8 and 9 are unused (1.2)", func(e *oracle.Encoding) { e.Num.Width = 10 }},
	{"condition-of-1-bit", "CONDOP has 2 bits (1.2)", func(e *oracle.Encoding) { e.Condition.Width = 1 }},
	{"references-exchanged", "refy is bit 24, refx bit 25 (1.2)",
		func(e *oracle.Encoding) { e.RefX, e.RefY = e.RefY, e.RefX }},
	{"boolean-id-of-3-bits", "a boolean id has 4 bits (1.2)", func(e *oracle.Encoding) { e.Bool.Width = 3 }},
	{"integer-id-of-1-bit", "an integer id has 2 bits (1.2)", func(e *oracle.Encoding) { e.Int.Width = 1 }},
	{"integer-id-one-bit-high", "an integer id begins at bit 22 (1.2)", func(e *oracle.Encoding) { e.Int.Low++ }},

	{"mask-one-bit-high", "the mask begins at bit 0 (1.4)", func(e *oracle.Encoding) { e.Mask.Low++ }},
	{"negate-1-exchanged-with-2", "negate of source 1 is bit 4, of source 2 bit 13 (1.4)",
		func(e *oracle.Encoding) { e.Negate[0], e.Negate[1] = e.Negate[1], e.Negate[0] }},
	{"selectors-1-exchanged-with-2", "selectors of source 1 begin at bit 5, of source 2 at bit 14 (1.4)",
		func(e *oracle.Encoding) {
			e.Selectors[0], e.Selectors[1] = e.Selectors[1], e.Selectors[0]
		}},
}

// decodingFaults break the fields of words and descriptors.
func decodingFaults() []fault[oracle.Encoding] {
	list := slices.Clone(fieldFaults)
	for k, source := range [3]string{"1", "2", "3"} {
		list = append(list,
			fault[oracle.Encoding]{"negate-" + source + "-is-ignored", "each source has a negate bit (1.4)",
				func(e *oracle.Encoding) { e.Negate[k].Width = 0 }},
			fault[oracle.Encoding]{"selectors-" + source + "-one-bit-high",
				"each source has 8 selector bits behind its negate bit (1.4)",
				func(e *oracle.Encoding) { e.Selectors[k].Low++ }})
	}
	for _, op := range inverted {
		list = append(list,
			fault[oracle.Encoding]{name(op) + "-has-its-sources-exchanged",
				"an inverted form has the wide field on source 2 (1.1)",
				relaid(func(l *oracle.Layout) { exchanged(0, 1)(l); l.Wide = 0 }, op)})
	}
	for _, op := range []pica.Opcode{pica.DPH, pica.DST, pica.LITP, pica.EX2, pica.LG2, pica.FLR, pica.DPHI, pica.DSTI,
		pica.SGEI, pica.SLTI, pica.BREAK} {
		list = append(list, fault[oracle.Encoding]{name(op) + "-is-missing", "every opcode of 1.1 is executed",
			func(e *oracle.Encoding) {
				e.Opcode = opcodes(e.Opcode, func(o pica.Opcode) pica.Opcode {
					if o == op {
						return pica.NOP
					}
					return o
				})
			}})
	}
	return list
}

// The opcodes that share a layout, or part of one.
var (
	binaryOps = []pica.Opcode{pica.ADD, pica.DP3, pica.DP4, pica.DPH, pica.DST, pica.MUL, pica.SGE, pica.SLT,
		pica.MAX, pica.MIN, pica.CMP}
	unaryOps  = []pica.Opcode{pica.EX2, pica.LG2, pica.LITP, pica.FLR, pica.RCP, pica.RSQ, pica.MOVA, pica.MOV}
	inverted  = []pica.Opcode{pica.DPHI, pica.DSTI, pica.SGEI, pica.SLTI}
	wideFirst = slices.Concat(binaryOps, unaryOps)
	wide      = slices.Concat(wideFirst, inverted)
)

// name returns the mnemonic in lower case.
func name(op pica.Opcode) string { return pica.Opcodes[op].Name }

// opcodes changes the opcode that is read from a word.
func opcodes(of func(uint32) pica.Opcode, change func(pica.Opcode) pica.Opcode) func(uint32) pica.Opcode {
	return func(word uint32) pica.Opcode { return change(of(word)) }
}

// relaid changes the layout of some opcodes.
func relaid(change func(l *oracle.Layout), ops ...pica.Opcode) func(*oracle.Encoding) {
	return func(e *oracle.Encoding) {
		for _, op := range ops {
			l := *e.Shapes[op].Layout
			change(&l)
			e.Shapes[op].Layout = &l
		}
	}
}

// exchanged exchanges the fields of two sources.
func exchanged(a, b int) func(l *oracle.Layout) {
	return func(l *oracle.Layout) { l.Sources[a], l.Sources[b] = l.Sources[b], l.Sources[a] }
}
