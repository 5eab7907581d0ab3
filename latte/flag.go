package latte

// A flag is a word at the end of a line that says a field: its value, a number in parentheses, or the index of the word
// in parentheses among some words. A flag that is not there says 0 or, of a value 0, 1.
type flag struct {
	name  string
	field *Field
	value uint32
	words []string
}

// argument is the value of a flag with a number.
const argument = 1 << 31

// The flags of lines, in the order in which they are printed. Those in front of an index are printed anyhow.
var (
	everyFlags = []flag{
		{"VALID_PIX", cfValidPixel, 1, nil}, {"WHOLE_QUAD", cfWholeQuad, 1, nil}, {"NO_BARRIER", cfBarrier, 0, nil},
	}
	cfFlags = [...][]flag{
		normalForm: append([]flag{
			{"POP_CNT", cfPopCount, argument, nil}, {"CND", cfCond, 0, conditions[:]},
			{"CF_CONST", cfConst, argument, nil}, {"CALL_COUNT", cfCallCount, argument, nil},
		}, everyFlags...),
		exportForm: append([]flag{
			{"BURSTCNT", exportBurst, argument, nil}, {"ELEM_SIZE", exportElemSize, argument, nil},
		}, everyFlags...),
		memoryForm: append([]flag{
			{"ARRAY_SIZE", bufferSize, argument, nil}, {"ELEM_SIZE", exportElemSize, argument, nil},
			{"BURSTCNT", exportBurst, argument, nil},
		}, everyFlags...),
		aluForm: append([]flag{
			{"ADDR", cfALUAddr, argument, nil}, {"ALT_CONST", cfAltConst, 1, nil},
		}, everyFlags[1:]...),
	}
	cfPrinted = [...]int{memoryForm: 1, aluForm: 1}

	aluFlags = []flag{
		{"CLAMP", aluClamp, 1, nil}, {"PRED_SEL_ZERO", aluPred, 2, nil}, {"PRED_SEL_ONE", aluPred, 3, nil},
	}
	textureFlags = []flag{
		{"WHOLE_QUAD", fetchQuad, 1, nil}, {"BC_FRAC_MODE", texFrac, 1, nil}, {"ALT_CONST", texAltConst, 1, nil},
	}
	vertexFlags = []flag{
		{"FETCH_TYPE", vtxType, 0, fetchTypes[:]}, {"OFFSET", vtxOffset, argument, nil},
		{"WHOLE_QUAD", fetchQuad, 1, nil}, {"ENDIAN_SWAP", vtxEndian, 0, endianSwaps[:]},
		{"CONST_BUF_NO_STRIDE", vtxNoStride, 1, nil}, {"ALT_CONST", vtxAltConst, 1, nil},
	}
	vertexPrinted = 2
)

// flags prints the flags of an instruction.
func (w *printer) flags(words []pair, flags []flag) {
	for i := range flags {
		f := &flags[i]
		switch v := f.field.of(words[f.field.Word/2]); {
		case f.words != nil && v != 0:
			w.add(" %s(%s)", f.name, f.words[v])
		case f.value == argument && v != 0:
			w.add(" %s(%d)", f.name, v)
		case f.words == nil && v == f.value:
			w.add(" %s", f.name)
		}
	}
}

// flag reads the flag with a name, if it is one of some.
func (r *lineReader) flag(words []pair, flags []flag, name string) bool {
	for i := range flags {
		f := &flags[i]
		if f.name != name {
			continue
		}
		v := f.value
		if v == argument || f.words != nil {
			r.expect("(")
			if f.words != nil {
				v = r.choice(f.words)
			} else {
				v = r.field(f.field)
			}
			r.expect(")")
		}
		w, unsaid := &words[f.field.Word/2], uint32(0)
		if f.words == nil && f.value == 0 {
			unsaid = 1
		}
		if f.field.of(*w) != unsaid {
			r.fail("%s is said twice", name)
		}
		f.field.put(w, v)
		return true
	}
	return false
}
