package writer_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/decode"
)

// planted is an assembler with a fault: our own, with changed input or output.
type planted struct {
	name      string
	source    func(text string) (string, error)
	file      func(f *shbin.File)
	bytes     func(b []byte) []byte
	noPadding bool
	class     string // the expected class
	cause     string // the expected name of the cause, if it is fixed
	// causes is the largest number of causes of the fault; 0 means 1.
	causes int
	// lines is the largest number of statements and runs of NOPs in a reduced source; 0 means
	// any.
	lines     int
	unrefused bool // a wrong source is taken for an empty program
}

func (x *planted) assemble(t *source.Text) ([]byte, error) {
	var files []asm.Source
	for _, text := range t.Files {
		if x.source != nil {
			var err error
			if text, err = x.source(text); err != nil {
				return nil, err
			}
		}
		files = append(files, asm.Source{Name: "in", Text: text})
	}
	a, err := asm.Assemble(files, asm.AssembleOptions{Dialect: asm.Picasso, NoPadding: x.noPadding})
	if err != nil && x.unrefused {
		return (&planted{}).assemble(&source.Text{Files: []string{".proc main\nend\n.end\n"}})
	}
	if err != nil {
		return nil, err
	}
	f, err := shbin.FromModule(&a.Module)
	if err != nil {
		return nil, err
	}
	if x.file != nil {
		x.file(f)
	}
	b, err := f.AppendUnchecked(nil)
	if err == nil && x.bytes != nil {
		b = x.bytes(b)
	}
	return b, err
}

// words changes the instructions with one of some opcodes.
func words(change func(f *shbin.File, i *decode.Inst), ops ...pica.Opcode) func(f *shbin.File) {
	return func(f *shbin.File) {
		for k, w := range f.DVLP.Code {
			i := decode.Decode(w)
			if len(ops) > 0 && !slices.Contains(ops, pica.Opcodes[i.Op].Plain) {
				continue
			}
			change(f, &i)
			if w, err := decode.Encode(i); err == nil {
				f.DVLP.Code[k] = w
			}
		}
	}
}

// floats changes the components of float constants.
func floats(change func(x uint32) uint32) func(f *shbin.File) {
	return func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Float {
					v := c.Payload.Words()
					for j := range v {
						v[j] = change(v[j])
					}
					*c = shbin.FloatConstant(c.Register, v[0], v[1], v[2], v[3])
				}
			}
		}
	}
}

var runs atomic.Int64

var (
	flr      = regexp.MustCompile(`(?mi)^\s*flr .*$`)
	indexed  = regexp.MustCompile(`\[(?i:a0\.x|a0\.y|a0|a1|a2|aL|lcnt) ?\+ ?\d+`)
	lastLine = regexp.MustCompile(`(?mi)^\s*(?:add|mul|dp4|max) .*\n(\s*\.end)`)
)

var twoRows = regexp.MustCompile(`(?m)^(\s*\.constfa \([^)]*\).*\n)(\s*\.constfa \([^)]*\).*\n)`)

// faults are the planted assemblers.
var faults = []planted{
	{name: "cmp fields swapped", class: "wrong meaning", file: swapCompare},
	{name: "mad descriptor above 31", class: "wrong meaning", file: words(func(f *shbin.File, i *decode.Inst) {
		if len(f.DVLP.Descriptors) > 32 { // as if the index had not been moved below 32
			i.Desc = uint8(len(f.DVLP.Descriptors)-1) & 31
		}
	}, pica.MAD)},
	{name: "wrong uniform end register", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Uniforms {
				if u := &f.DVLEs[e].Uniforms[k]; u.Last > u.First {
					u.Last--
				}
			}
		}
	}},
	{name: "misaligned constants", class: "invalid file", bytes: func(b []byte) []byte {
		const constants = 0x18
		for at := 0; ; {
			n := bytes.Index(b[at:], []byte("DVLE"))
			if n < 0 {
				return b
			}
			at += n + len("DVLE")
			if b[at] == 2 { // the version
				b[at-len("DVLE")+constants]++
			}
		}
	}},
	{name: "unpadded symbols", bytes: func(b []byte) []byte { // no rule but an information
		f, err := shbin.Parse(b)
		if err != nil || len(f.DVLEs) == 0 {
			return b
		}
		padding := (4 - len(f.DVLEs[len(f.DVLEs)-1].Symbols)%4) % 4
		return b[:len(b)-padding]
	}},
	{name: "entry as byte offset", class: "wrong tables", causes: 2, file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].Entry *= 4
		}
	}},
	{name: "call length off by one", class: "wrong meaning", causes: 2,
		file: words(func(_ *shbin.File, i *decode.Inst) {
			if i.Num > 0 {
				i.Num--
			}
		}, pica.CALL, pica.CALLC, pica.CALLU)},
	{name: "float rounding up", class: "wrong constants", source: func(text string) (string, error) {
		return numbers(text, func(x float64) float64 {
			bits := math.Float32bits(float32(x))
			if bits&0x7F != 0 {
				bits = bits&^0x7F + 0x80
			}
			return float64(math.Float32frombits(bits))
		}), nil
	}},
	{name: "zero encoded as one", class: "wrong constants", file: floats(func(x uint32) uint32 {
		if x == 0 {
			return 0x3F0000
		}
		return x
	})},
	{name: "sign of zero lost", class: "wrong constants", file: floats(func(x uint32) uint32 {
		if x == 0x800000 {
			return 0
		}
		return x
	})},
	{name: "source dropped when a descriptor is shared", class: "wrong meaning", file: func(f *shbin.File) {
		seen := map[uint8]bool{}
		words(func(_ *shbin.File, i *decode.Inst) {
			if pica.Opcodes[i.Op].Sources > 1 {
				if narrow := 0; seen[i.Desc] {
					if pica.Opcodes[i.Op].Layout.Src[0].Width == 7 {
						narrow = 1
					}
					i.Src[narrow] = pica.SourceTemporary
				}
				seen[i.Desc] = true
			}
		})(f)
	}},
	{name: "not deterministic", class: "not deterministic", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].Geometry.First = uint8(runs.Add(1))
		}
	}},
	{name: "negation of second source lost", class: "wrong meaning", file: func(f *shbin.File) {
		for k := range f.DVLP.Descriptors {
			f.DVLP.Descriptors[k].Word &^= 1 << 13
		}
	}},
	{name: "jmpu never inverted", class: "wrong meaning", file: words(func(_ *shbin.File, i *decode.Inst) {
		if i.Op == pica.JMPU {
			i.Num = 0
		}
	}, pica.JMPU)},
	{name: "aL numbered 2", class: "wrong meaning", file: words(func(_ *shbin.File, i *decode.Inst) {
		if i.Index == pica.IndexAL {
			i.Index = pica.IndexA0Y
		}
	})},
	{name: "loop one word short", class: "wrong meaning",
		file: words(func(_ *shbin.File, i *decode.Inst) { i.Dst -= 2 }, pica.LOOP)},
	{name: "output mask lost", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].OutputMask &^= 2
		}
	}},
	{name: "conditions on y ask x", class: "wrong meaning", file: words(func(_ *shbin.File, i *decode.Inst) {
		if i.CondOp == pica.CondY {
			i.CondOp = pica.CondX
		}
	}, pica.IFC, pica.JMPC, pica.CALLC, pica.BREAKC)},
	{name: "breakc refused", class: "refuses valid", source: func(text string) (string, error) {
		if strings.Contains(text, "breakc") {
			return "", fmt.Errorf("in:1: unknown instruction breakc")
		}
		return text, nil
	}},
	{name: "crash on an array of constants", class: "crash", source: func(text string) (string, error) {
		if strings.Contains(text, ".constfa") {
			panic("index out of range")
		}
		return text, nil
	}},
	{name: "integer constants shifted", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Int {
					c.Payload[0], c.Payload[1] = c.Payload[1], c.Payload[0]
				}
			}
		}
	}},
	{name: "steps of loops stop at 127", class: "wrong constants", cause: "integer", lines: 2,
		file: func(f *shbin.File) {
			for e := range f.DVLEs {
				for k := range f.DVLEs[e].Constants {
					if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Int {
						c.Payload[2] = min(c.Payload[2], 127)
					}
				}
			}
		}},
	{name: "second input lost", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			d := &f.DVLEs[e]
			n := 0
			d.Uniforms = slices.DeleteFunc(slices.Clone(d.Uniforms), func(u shbin.Uniform) bool {
				class, first, _ := u.First.Class()
				if class == 'v' {
					if n++; n == 2 {
						d.InputMask &^= 1 << first
						return true
					}
				}
				return false
			})
		}
	}},
	{name: "rows of an array swapped", class: "wrong constants", source: func(text string) (string, error) {
		return twoRows.ReplaceAllString(text, "$2$1"), nil
	}},
	{name: "mask of mad with its lowest bit", class: "wrong meaning", file: func(f *shbin.File) {
		words(func(f *shbin.File, i *decode.Inst) {
			d := f.DVLP.Descriptors[i.Desc]
			d.Word |= 1
			for k := range f.DVLP.Descriptors {
				if f.DVLP.Descriptors[k] == d {
					i.Desc = uint8(k)
					return
				}
			}
			if n := len(f.DVLP.Descriptors); n < 32 {
				f.DVLP.Descriptors = append(f.DVLP.Descriptors, d)
				i.Desc = uint8(n)
			}
		}, pica.MAD)(f)
	}},
	{name: "boolean constants are false", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Bool {
					c.Payload[0] = 0
				}
			}
		}
	}},
	{name: "constants beyond the third are dropped", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			if t := &f.DVLEs[e].Constants; len(*t) > 3 {
				*t = (*t)[:3]
			}
		}
	}},
	{name: "second entry point enters the first", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].Entry, f.DVLEs[e].End = f.DVLEs[0].Entry, f.DVLEs[0].End
		}
	}},
	{name: "integers big-endian", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Int {
					slices.Reverse(c.Payload[:4])
				}
			}
		}
	}},
	{name: "outputs numbered in the order of the source", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			d := &f.DVLEs[e]
			mask := uint16(0)
			for k := range d.Outputs {
				d.Outputs[k].Register = uint16(len(d.Outputs) - 1 - k)
				mask |= 1 << d.Outputs[k].Register
			}
			d.OutputMask = mask
		}
	}, causes: 2},
	{name: "last operands of mad exchanged", class: "wrong meaning", file: words(func(_ *shbin.File, i *decode.Inst) {
		if i.Src[1] < pica.SourceUniform && i.Src[2] < pica.SourceUniform {
			i.Src[1], i.Src[2] = i.Src[2], i.Src[1]
		}
	}, pica.MAD)},
	{name: "flags exchanged in conditions", class: "wrong meaning",
		file: words(func(_ *shbin.File, i *decode.Inst) { i.RefX, i.RefY = i.RefY, i.RefX },
			pica.IFC, pica.JMPC, pica.CALLC, pica.BREAKC)},
	{name: "integer uniforms have the numbers of booleans", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Uniforms {
				if u := &f.DVLEs[e].Uniforms[k]; u.First >= 0x70 && u.First < 0x78 {
					u.First, u.Last = u.First+8, u.Last+8
				}
			}
		}
	}},
	{name: "operands of sgei and slti exchanged", class: "wrong meaning",
		file: words(func(_ *shbin.File, i *decode.Inst) {
			if plain := pica.Opcodes[i.Op].Plain; plain != i.Op {
				i.Op, i.Src[0], i.Src[1] = plain, i.Src[1], i.Src[0]
			}
		}, pica.SGE, pica.SLT), causes: 2},
	{name: "mova with an empty mask", class: "wrong meaning", file: words(func(f *shbin.File, i *decode.Inst) {
		d := f.DVLP.Descriptors[i.Desc]
		d.Word &^= 0xF
		if n := len(f.DVLP.Descriptors); n < 128 {
			f.DVLP.Descriptors = append(f.DVLP.Descriptors, d)
			i.Desc = uint8(n)
		}
	}, pica.MOVA)},
	{name: "end and nop exchanged", class: "wrong meaning", file: words(func(_ *shbin.File, i *decode.Inst) {
		i.Op = map[pica.Opcode]pica.Opcode{pica.END: pica.NOP, pica.NOP: pica.END}[i.Op]
	}, pica.END, pica.NOP), causes: 3},
	{name: "no padding behind flow control", class: "wrong meaning", noPadding: true, causes: 2},
	{name: "names counted in words", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Uniforms {
				f.DVLEs[e].Uniforms[k].Name /= 4
			}
		}
	}},
	{name: "exponents off by one", class: "wrong constants",
		file: floats(func(x uint32) uint32 { return x&0x80FFFF | (x>>16&0x7F+1)&0x7F<<16 })},
	{name: "ten bits of a number", class: "wrong constants", file: floats(func(x uint32) uint32 { return x &^ 0x3F })},
	{name: "components in reverse", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Float {
					v := c.Payload.Words()
					*c = shbin.FloatConstant(c.Register, v[3], v[2], v[1], v[0])
				}
			}
		}
	}},
	{name: "boolean constants in the register behind", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Bool {
					c.Register = (c.Register + 1) % pica.NumBools
				}
			}
		}
	}},
	{name: "registers of uniforms out of range", class: "invalid file", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Uniforms {
				f.DVLEs[e].Uniforms[k].Last += 0x90
			}
		}
	}},
	{name: "code cut to 512 words", class: "wrong meaning", lines: 6, file: func(f *shbin.File) {
		f.DVLP.Code = f.DVLP.Code[:min(512, len(f.DVLP.Code))]
	}},
	{name: "targets of jumps have nine bits", class: "wrong meaning", lines: 8,
		file: words(func(_ *shbin.File, i *decode.Inst) { i.Dst &= 1<<9 - 1 }, pica.JMPC, pica.JMPU)},
	{name: "crash in deep scopes", class: "crash", source: func(text string) (string, error) {
		if strings.Contains(text, "\n\t\t\t") {
			panic("too deep")
		}
		return text, nil
	}},
	{name: "crash now and then", class: "not deterministic", source: func(text string) (string, error) {
		if runs.Add(1)%37 == 0 {
			panic("out of luck")
		}
		return text, nil
	}},
	{name: "refusal now and then", class: "not deterministic", source: func(text string) (string, error) {
		if runs.Add(1)%37 == 0 {
			return "", fmt.Errorf("in:1: out of memory")
		}
		return text, nil
	}},
	{name: "every second file differs", class: "not deterministic", file: func(f *shbin.File) {
		if runs.Add(1)%2 == 0 {
			swapCompare(f)
		}
	}},
	{name: "refuses nothing", class: "accepts invalid", unrefused: true},
	{name: "flr dropped", class: "wrong meaning", cause: "missing instruction: flr",
		source: func(text string) (string, error) {
			return flr.ReplaceAllString(text, ""), nil
		}},
	{name: "last line of a procedure dropped", class: "wrong meaning", cause: "missing instruction: one of 4",
		source: func(text string) (string, error) {
			return lastLine.ReplaceAllString(text, "$1"), nil
		}},
	{name: "flr written twice", class: "wrong meaning", cause: "additional instruction: flr",
		source: func(text string) (string, error) {
			return flr.ReplaceAllString(text, "$0\n$0"), nil
		}},
	{name: "uniforms from c64 on of add, mul and dp4", class: "wrong meaning",
		cause: "source register of 3 instructions", file: words(func(_ *shbin.File, i *decode.Inst) {
			for k := range i.Src {
				if i.Src[k] >= pica.SourceUniform+64 {
					i.Src[k] -= 64
				}
			}
		}, pica.ADD, pica.MUL, pica.DP4)},
	{name: "third source of madi has six bits", class: "wrong meaning", cause: "source register of madi",
		file: words(func(_ *shbin.File, i *decode.Inst) {
			if i.Op == pica.MADI {
				i.Src[2] ^= 1 << 6
			}
		}, pica.MAD)},
	{name: "inputs have three bits", class: "wrong meaning", file: words(func(_ *shbin.File, i *decode.Inst) {
		for k := range i.Src {
			if i.Src[k] < pica.SourceTemporary {
				i.Src[k] &= 7
			}
		}
	})},
	{name: "offsets with an index have four bits", class: "wrong meaning", source: func(text string) (string, error) {
		return indexed.ReplaceAllStringFunc(text, func(term string) string {
			at := strings.LastIndexAny(term, "+ ") + 1
			n, _ := strconv.Atoi(term[at:])
			return term[:at] + strconv.Itoa(n&15)
		}), nil
	}},
	{name: "i3 of a constant without a name is i2", class: "wrong constants",
		source: func(text string) (string, error) {
			return strings.ReplaceAll(text, ".seti i3", ".seti i2"), nil
		}},
	{name: "names cut to 16 letters", class: "wrong tables", cause: "uniforms", lines: 1, file: func(f *shbin.File) {
		for e := range f.DVLEs {
			d := &f.DVLEs[e]
			for k := range d.Uniforms {
				u := &d.Uniforms[k]
				end := strings.IndexByte(string(d.Symbols[u.Name:]), 0)
				if end > 16 {
					u.Name += uint32(end - 16)
				}
			}
		}
	}},
	{name: "rows from the fifth on are zero", class: "wrong constants", cause: "numbers", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			t := f.DVLEs[e].Constants
			run := 0
			for k := range t {
				if t[k].Type == shbin.Float && k > 0 && t[k-1].Type == shbin.Float &&
					t[k].Register == t[k-1].Register+1 {
					run++
				} else {
					run = 0
				}
				if run >= 4 {
					t[k].Payload = shbin.Payload{}
				}
			}
		}
	}},
	{name: "sgei written as slti", class: "wrong meaning", cause: "instruction of sgei",
		file: words(func(_ *shbin.File, i *decode.Inst) {
			if i.Op == pica.SGEI {
				i.Op = pica.SLTI
			}
		}, pica.SGE)},
	{name: "second constant lost", class: "wrong constants", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			if t := &f.DVLEs[e].Constants; len(*t) > 1 {
				*t = (*t)[:1]
			}
		}
	}},
}

// histories maps the faults of public assemblers, by their numbers in the history of the field,
// to their counterparts here: a planted assembler, a mistake or a known defect.
var histories = map[string][]string{
	"T01 mad and madi": {"last operands of mad exchanged"}, "T02 descriptors of mad": {"mad descriptor above 31"},
	"T03 merged descriptors": {"source dropped when a descriptor is shared", "mask of mad with its lowest bit",
		"negation of second source lost"},
	"T04 flags of conditions": {"flags exchanged in conditions", "conditions on y ask x"},
	"T05 uniform table":       {"integer uniforms have the numbers of booleans", "wrong uniform end register"},
	"T06 reversed forms":      {"operands of sgei and slti exchanged"},
	"T07 mova":                {"mova with an empty mask", "mova writes nothing"},
	"T08 aL":                  {"aL numbered 2"}, "T09 inverted jmpu": {"jmpu never inverted"},
	"T10 two input registers":          {"two input registers", "two input registers of cmp"},
	"T11 ends of blocks":               {"no padding behind flow control"},
	"T13 missing end, T14 end and nop": {"end and nop exchanged"}, "T15 end of a loop": {"loop one word short"},
	"T16 constants": {"float rounding up", "number beyond the range",
		"constant that is not a number", "subnormal constant", "infinite constant"},
	"T17 one slot for several constants": {"second constant lost", "constants beyond the third are dropped"},
	"T18 memory that is not set":         {"not deterministic"},
	"T19 alignment":                      {"misaligned constants", "unpadded symbols"}, "T20 size": {"513 words", "514 words"},
	"T21 crash": {"crash on an array of constants", "missing bracket", "temporary above r15", "no such component",
		"unknown index"}, "T24 registers": {"source dropped when a descriptor is shared"},
	"T25 units of tables": {"names counted in words", "output mask lost", "entry as byte offset"},
}

// TestHistories: the counterpart of each past fault exists.
func TestHistories(t *testing.T) {
	known := map[string]bool{}
	for _, x := range faults {
		known[x.name] = true
	}
	for _, d := range source.Dialects {
		for _, f := range d.Faults() {
			known[f.Name] = true
		}
		for _, f := range d.Defects() {
			known[f.Name] = true
		}
	}
	for history, list := range histories {
		for _, name := range list {
			if !known[name] {
				t.Errorf("%s: there is no %q", history, name)
			}
		}
	}
}

// both plants two faults. The second is in files that are refused or wrong already.
var both = []struct {
	planted
	second string
}{
	{planted{name: "no DVLE, and cmp fields swapped", class: "invalid file", file: swapCompare,
		bytes: func(b []byte) []byte {
			copy(b[4:], []byte{0, 0, 0, 0})
			return slices.Delete(b, 8, 12)
		}}, "wrong meaning"},
	{planted{name: "entry past the code, and a constant lost", class: "invalid file", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].Entry = 4096
			f.DVLEs[e].Constants = nil
		}
	}}, "wrong constants"},
	{planted{name: "input mask always wrong, and a constant lost", class: "wrong tables", file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].InputMask ^= 1
			f.DVLEs[e].Constants = nil
		}
	}}, "wrong constants"},
}

var swapCompare = words(func(_ *shbin.File, i *decode.Inst) { i.CmpX, i.CmpY = i.CmpY, i.CmpX }, pica.CMP)

// TestSecondFault: a fault in every file does not hide another one.
func TestSecondFault(t *testing.T) {
	for _, x := range both {
		r, err := writer.Run(context.Background(), writer.Func(x.assemble),
			writer.Options{Seed: 1, Cases: cases(100), Tries: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range []string{x.class, x.second} {
			names := []string{}
			for _, d := range r.Deviations {
				if string(d.Verdict) == class && !strings.HasPrefix(d.Bucket, "known defect") {
					names = append(names, fmt.Sprintf("%s [%d, %d statements]", d.Bucket, d.Count, d.Instructions))
				}
			}
			if len(names) != 1 {
				t.Errorf("%s: %d causes of class %s: %q", x.name, len(names), class, names)
			}
		}
	}
}

// numbers changes the numbers of float constants in a source.
func numbers(text string, change func(x float64) float64) string {
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		if !strings.Contains(line, ".constf") && !strings.Contains(line, ".setf") {
			continue
		}
		head, rest, ok := strings.Cut(line, "(")
		if !ok {
			continue
		}
		body, tail, closed := strings.Cut(rest, ")")
		if !closed {
			continue
		}
		parts := strings.Split(body, ",")
		for k, p := range parts {
			var x float64
			if _, err := fmt.Sscan(strings.TrimSpace(p), &x); err == nil {
				parts[k] = source.FloatText(math.Float32bits(float32(change(x))))
			}
		}
		lines[n] = head + "(" + strings.Join(parts, ",") + ")" + tail
	}
	return strings.Join(lines, "\n")
}

// cases returns n, and a quarter of it in short tests.
func cases(n int) uint64 { return uint64(long.Few(n, n/4)) }

// TestPlanted: every planted fault is found, as few causes, and shown by a small source.
func TestPlanted(t *testing.T) {
	list := append([]planted{{name: "none"}}, faults...)
	for _, x := range long.Items(t, list, long.Few(8, 3)) {
		t.Run(x.name, func(t *testing.T) {
			r, err := writer.Run(context.Background(), writer.Func(x.assemble),
				writer.Options{Seed: 1, Cases: cases(400)})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			names := []string{}
			for _, d := range r.Deviations {
				if strings.HasPrefix(d.Bucket, "known defect") {
					continue
				}
				names = append(names, fmt.Sprintf("%s [%d, %d statements]", d.Bucket, d.Count, d.Instructions))
				found = found || string(d.Verdict) == x.class
				if x.lines > 0 && d.Instructions > x.lines {
					t.Errorf("%s: %d statements, want %d:\n%s", d.Bucket, d.Instructions, x.lines, d.Assembly)
				}
				if testing.Verbose() {
					t.Logf("%s: %s: %s: expected %s, observed %s\n%s", x.name, d.Bucket, d.Where, d.Expected,
						d.Observed, d.Assembly)
				}
			}
			switch {
			case x.class == "" && len(names) > 0:
				t.Errorf("nothing planted: %q", names)
			case x.class != "" && !found:
				t.Errorf("%s: not found: %q", x.name, names)
			case x.cause != "" && (len(names) != 1 || !strings.HasPrefix(names[0], x.cause+" [")):
				t.Errorf("%s: want the cause %q: %q", x.name, x.cause, names)
			case len(names) > max(x.causes, 1):
				t.Errorf("%s: %d causes: %q", x.name, len(names), names)
			}
		})
	}
}
