package latte

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A flag is a word at the end of a line that says the value of a field.
type flag struct {
	name   string
	field  *Field
	unsaid int64 // the value that a line without the flag says, or always
	said   int64 // the value that the flag says, or more
	// more is what follows the name.
	more func(*lineText, *Field)
}

const (
	always = -1 // a flag is printed whatever the value is
	more   = -1 // what follows the name says the value
)

// The flags of lines, in the order in which they are printed.
var (
	everyFlags = []flag{
		{"VALID_PIX", cfValidPixel, 0, 1, nil}, {"WHOLE_QUAD", cfWholeQuad, 0, 1, nil},
		{"NO_BARRIER", cfBarrier, 1, 0, nil},
	}
	formFlags = [...][]flag{
		normalForm: append([]flag{
			{"POP_CNT", cfPopCount, 0, more, number}, {"CND", cfCond, 0, more, wordOf(conditions[:])},
			{"CF_CONST", cfConst, 0, more, number}, {"CALL_COUNT", cfCallCount, 0, more, number},
		}, everyFlags...),
		exportForm: append([]flag{
			{"BURSTCNT", exportBurst, 0, more, number}, {"ELEM_SIZE", exportElemSize, 0, more, number},
		}, everyFlags...),
		memoryForm: append([]flag{
			{"ARRAY_SIZE", bufferSize, always, more, number}, {"ELEM_SIZE", exportElemSize, 0, more, number},
			{"BURSTCNT", exportBurst, 0, more, number},
		}, everyFlags...),
		aluForm: append([]flag{
			{"ADDR", cfALUAddr, always, more, number}, {"CNT", cfALUCount, always, more, inside(countOf)},
			{"KCACHE0", kcacheMode0, 0, more, kcaches[0].lock}, {"KCACHE1", kcacheMode1, 0, more, kcaches[1].lock},
			{"ALT_CONST", cfAltConst, 0, 1, nil},
		}, everyFlags[1:]...),
	}

	// cfFlags are the flags of control-flow words by number.
	cfFlags = func() (all [len(cfOps)][]flag) {
		for i := range CFOps {
			op := &CFOps[i]
			var address []flag
			switch {
			case op.form != normalForm:
			case op.Clause != NoClause:
				address = []flag{{"ADDR", cfAddr, always, more, number},
					{"CNT", cfCount, always, more, inside(fetchCountOf)}}
			default:
				address = []flag{{addressNames[op.address], cfAddr, 0, more, number}}
			}
			all[op.number()] = slices.Concat(address, formFlags[op.form])
		}
		return all
	}()

	// aluFlags are those of instructions with up to two and with three sources, in vector units and in t.
	aluFlags = func() (all [2][2][]flag) {
		for k, names := range swizzleNames {
			list := []flag{{"CLAMP", aluClamp, 0, 1, nil}}
			for swizzle, name := range names {
				if name != "" {
					list = append(list, flag{name, aluSwizzle, 0, int64(swizzle), nil})
				}
			}
			list = append(list, flag{"PRED_SEL_ZERO", aluPred, 0, 2, nil}, flag{"PRED_SEL_ONE", aluPred, 0, 3, nil})
			all[1][k] = list
			all[0][k] = append(slices.Clip(list), flag{"UPDATE_EXEC_MASK", aluExecMask, 0, 1, maskOperation},
				flag{"UPDATE_PRED", aluUpdatePred, 0, 1, nil})
		}
		return all
	}()

	textureFlags = []flag{
		{"LOD", texLOD, 0, more, fractionOf(8)}, {"WHOLE_QUAD", fetchQuad, 0, 1, nil},
		{"BC_FRAC_MODE", texFrac, 0, 1, nil}, {"ALT_CONST", texAltConst, 0, 1, nil},
		{"DENORM", texCoords, allCoords, more, inside(denormal)},
		{"XOFFSET", texOffsetX, 0, more, fractionOf(2)}, {"YOFFSET", texOffsetY, 0, more, fractionOf(2)},
		{"ZOFFSET", texOffsetZ, 0, more, fractionOf(2)},
	}
	vertexFlags = []flag{
		{"FETCH_TYPE", vtxType, always, more, wordOf(fetchTypes[:])}, {"FORMAT", vtxConst, 1, 0, inside(format)},
		{"MINI", vtxMegaFetch, 1, 0, inside(megaCount)}, {"MEGA", vtxMegaFetch, 0, 1, inside(megaCount)},
		{"OFFSET", vtxOffset, always, more, number},
		{"WHOLE_QUAD", fetchQuad, 0, 1, nil}, {"ENDIAN_SWAP", vtxEndian, 0, more, wordOf(endianSwaps[:])},
		{"CONST_BUF_NO_STRIDE", vtxNoStride, 0, 1, nil}, {"ALT_CONST", vtxAltConst, 0, 1, nil},
	}
)

// print prints the flag, if the line needs it.
func (f *flag) print(t *lineText) {
	v := int64(t.get(f.field))
	if v == f.unsaid || f.said != more && f.said != v {
		return
	}
	t.out = append(append(t.out, ' '), f.name...)
	if f.more != nil {
		f.more(t, f.field)
	}
}

// read reads what follows the name. unsaid is an instruction without flags.
func (f *flag) read(t *lineText, unsaid *[2]pair) {
	if t.get(f.field) != f.field.in(unsaid) {
		t.fail("%s is said twice", f.name)
	}
	if f.said != more {
		t.put(f.field, uint32(f.said))
	}
	if f.more != nil {
		f.more(t, f.field)
	}
}

// inside puts parentheses around a text.
func inside(text func(*lineText, *Field)) func(*lineText, *Field) {
	return func(t *lineText, f *Field) {
		t.text("(")
		text(t, f)
		t.text(")")
	}
}

// number is a field as a number.
var number = inside((*lineText).field)

// wordOf is a field as the index of a word.
func wordOf(list []string) func(*lineText, *Field) {
	return inside(func(t *lineText, f *Field) { t.fieldWord(f, list) })
}

// fractionOf is a field as a number with a sign that counts parts of 1.
func fractionOf(parts float64) func(*lineText, *Field) {
	return inside(func(t *lineText, f *Field) {
		limit := 1 << (f.Width - 1)
		if t.printing {
			v := int(t.get(f))
			t.out = fmt.Appendf(t.out, "%g", float64(v-v/limit*2*limit)/parts)
			return
		}
		text := t.while(isInside)
		v, err := strconv.ParseFloat(text, 64)
		if v *= parts; err != nil || v != math.Trunc(v) || v < float64(-limit) || v >= float64(limit) {
			t.fail("%s(%s) has no such field", f.Name, text)
		}
		t.put(f, uint32(int32(v)))
	})
}

// countOf is a field as a number that counts from 1.
func countOf(t *lineText, f *Field) { t.put(f, t.count(t.get(f), f.mask+1)) }

// fetchCountOf is the number of fetches in a clause.
func fetchCountOf(t *lineText, _ *Field) {
	n := t.count(uint32(fetchCount(t.words[0]))-1, 16)
	t.put(cfCount, n)
	t.put(cfCount3, n>>cfCount.Width)
}

func megaCount(t *lineText, _ *Field) { countOf(t, vtxMega) }

// lock is the bank and the rows of a lock set.
func (set *kcacheFields) lock(t *lineText, _ *Field) {
	t.text("(CB")
	t.field(set.bank)
	t.text(":")
	mode := t.get(set.mode)
	atLoop := t.optional(mode == lockAtLoop, "AL+")
	first := t.integer(t.get(set.addr)*lineRows, 12)
	t.text("-")
	if t.optional(atLoop, "AL+") != atLoop {
		t.fail("AL+ is missing")
	}
	last := t.integer(first+lockedRows(mode)-1, 13)
	t.text(")")
	mode = (last + 1 - first) / lineRows
	if atLoop {
		mode = lockAtLoop
	}
	if first%lineRows != 0 || mode == 0 || mode > lockAtLoop || last != first+lockedRows(mode)-1 {
		t.fail("rows %d to %d are no one or two lines", first, last)
	}
	t.put(set.mode, mode)
	t.put(set.addr, first/lineRows)
}

// maskOperation is what UPDATE_EXEC_MASK does, in the field of the output modifier.
func maskOperation(t *lineText, _ *Field) {
	if t.space(); !t.printing && t.get(aluOMod) != 0 {
		t.fail("UPDATE_EXEC_MASK leaves no room for a modifier")
	}
	t.fieldWord(aluOMod, maskOperations[:])
}

// denormal is the list of coordinates that are not normalised.
func denormal(t *lineText, f *Field) {
	v := t.get(f)
	for k := range coordinates {
		if t.printing && v>>k&1 == 0 {
			t.out = append(t.out, coordinates[k])
		}
	}
	for !t.printing && t.err == nil && !strings.HasPrefix(t.s, ")") {
		v &^= 1 << t.letter(0, coordinates)
	}
	t.put(f, v)
}

// format is the format of a vertex fetch that does not take that of its buffer.
func format(t *lineText, _ *Field) {
	t.field(vtxFormat)
	t.text(" ")
	t.fieldWord(vtxNumFormat, numberFormats[:])
	t.text(" ")
	t.fieldWord(vtxSigned, signs[:])
	t.text(" ")
	t.fieldWord(vtxSRFMode, clampModes[:])
}
