package decode_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// presentFields lists the fields of an instruction, including the part of the opcode that identifies
// it.
func presentFields(op pica.Opcode) map[string]pica.Field {
	l := op.Layout()
	fields := map[string]pica.Field{"opcode": {Lo: 26 + l.DestInOpcode, Width: 6 - l.DestInOpcode}}
	v := reflect.ValueOf(*l)
	for k := range v.NumField() {
		name := v.Type().Field(k).Name
		switch f := v.Field(k).Interface().(type) {
		case pica.Field:
			fields[name] = f
		case [3]pica.Field:
			for n, f := range f {
				fields[name+string(rune('1'+n))] = f
			}
		}
	}
	for name, f := range fields {
		if f.Width == 0 {
			delete(fields, name)
		}
	}
	return fields
}

// unusedBits holds the bits of a word that no field covers, by mnemonic.
var unusedBits = map[string]uint32{
	"": 0x03FFFFFF, "nop": 0x03FFFFFF, "end": 0x03FFFFFF, "break": 0x03FFFFFF, "emit": 0x03FFFFFF,
	"ex2": 0xF80, "lg2": 0xF80, "litp": 0xF80, "flr": 0xF80, "rcp": 0xF80, "rsq": 0xF80, "mova": 0xF80, "mov": 0xF80,
	"breakc": 0x300, "call": 0x300, "callc": 0x300, "ifc": 0x300, "jmpc": 0x300,
	"callu": 0x300, "ifu": 0x300, "jmpu": 0x300, "loop": 0x03000300, "setemit": 0x003FFFFF,
}

func TestFieldsTileTheWord(t *testing.T) {
	for op := pica.Opcode(0); op < pica.NumOpcodes; op++ {
		var all uint32
		for name, f := range presentFields(op) {
			if int(f.Lo)+int(f.Width) > 32 {
				t.Errorf("%v: %s ends at bit %d", op, name, f.Lo+f.Width)
			}
			if all&f.Mask() != 0 {
				t.Errorf("%v: %s overlaps another field in 0x%08x", op, name, all&f.Mask())
			}
			all |= f.Mask()
		}
		if want := ^unusedBits[pica.Opcodes[op].Name]; all != want {
			t.Errorf("%v: fields cover 0x%08x, want 0x%08x", op, all, want)
		}
	}
}

func TestTableData(t *testing.T) {
	seen := make(map[string]pica.Opcode)
	for op := pica.Opcode(0); op < pica.NumOpcodes; op++ {
		info := pica.Opcodes[op]
		l := op.Layout()
		sources := 0
		for _, f := range l.Src {
			if f.Width != 0 {
				sources++
			}
		}
		if info.Sources != sources {
			t.Errorf("%v: reads %d sources, format %v has %d", op, info.Sources, info.Format, sources)
		}
		if (info.Sources > 0) != (l.Desc.Width != 0) {
			t.Errorf("%v: %d sources, descriptor field of %d bits", op, info.Sources, l.Desc.Width)
		}
		if l.Index.Width != 0 && (l.Indexed < 0 || l.Src[l.Indexed].Width != 7) {
			t.Errorf("%v: index applies to source %d, which is not wide", op, l.Indexed)
		}
		if info.Base > op || op.Base() != info.Base || info.Base.Base() != info.Base {
			t.Errorf("%v: base 0x%02x", op, uint8(info.Base))
		}
		if first, ok := seen[info.Name]; ok && info.Name != "" && first != info.Base {
			t.Errorf("%s: at 0x%02x and 0x%02x", info.Name, uint8(first), uint8(info.Base))
		}
		if _, ok := seen[info.Name]; !ok {
			seen[info.Name] = info.Base
		}
	}
	if len(seen) != 39+1 {
		t.Errorf("%d mnemonics, want 39", len(seen)-1)
	}
}

// fill returns an instruction word with one field at a value and all other fields from rest.
func fill(op pica.Opcode, f pica.Field, v, rest uint32) uint32 {
	own := pica.Field{Lo: 26 + op.Layout().DestInOpcode, Width: 6}
	rest = own.Put(rest, uint32(op)<<26>>own.Lo)
	return f.Put(rest, v)
}

func TestRoundTrip(t *testing.T) {
	const seed = 1
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	check := func(word uint32) {
		inst := decode.Decode(word)
		got, err := decode.Encode(inst)
		if err != nil || got != word {
			t.Fatalf("word 0x%08x: encoded 0x%08x, %v; %+v", word, got, err, inst)
		}
		if inst.Op != pica.OpcodeOf(word).Base() {
			t.Fatalf("word 0x%08x: op %v", word, inst.Op)
		}
		if l := inst.Format.Layout(); inst.IndexedSource != l.Indexed {
			t.Fatalf("word 0x%08x: indexed source %d, want %d", word, inst.IndexedSource, l.Indexed)
		}
	}
	for op := range uint32(pica.NumOpcodes) {
		for range 20000 {
			check(op<<26 | random.Uint32()>>6)
		}
		for _, rest := range []uint32{0, 0xFFFFFFFF} {
			for name, f := range presentFields(pica.Opcode(op)) {
				if name == "opcode" {
					continue
				}
				for _, v := range []uint32{0, 1, 1<<f.Width - 1} {
					check(fill(pica.Opcode(op), f, v, rest))
				}
			}
			check(op<<26 | rest>>6)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name string
		word uint32
		want decode.Inst
	}{
		{"add r1, c5[aL], r2, descriptor 9",
			0x00<<26 | 0x11<<21 | 3<<19 | 0x25<<12 | 0x12<<7 | 9,
			decode.Inst{Op: pica.ADD, Format: pica.Format1, Dest: 0x11, Index: 3, Src: [3]uint8{0x25, 0x12}, Desc: 9}},
		{"dphi o15, v3, c95[a0.x]",
			0x18<<26 | 0x0F<<21 | 1<<19 | 0x03<<14 | 0x7F<<7 | 127,
			decode.Inst{Op: pica.DPHI, Format: pica.Format1i, IndexedSource: 1, Dest: 0x0F, Index: 1,
				Src: [3]uint8{3, 0x7F}, Desc: 127}},
		{"cmp with the first comparison at its top value",
			0x2F<<26 | 3<<24 | 4<<21 | 0x20<<12 | 0x1F<<7,
			decode.Inst{Op: pica.CMP, Format: pica.Format1c, CmpX: 7, CmpY: 4, Src: [3]uint8{0x20, 0x1F}}},
		{"mad r15: the destination reaches into the opcode",
			0x3F<<26 | 3<<24 | 2<<22 | 0x11<<17 | 0x60<<10 | 0x1F<<5 | 31,
			decode.Inst{Op: pica.MAD, Format: pica.Format5, IndexedSource: 1, Dest: 0x1F, Index: 2,
				Src: [3]uint8{0x11, 0x60, 0x1F}, Desc: 31}},
		{"madi o1",
			0x30<<26 | 1<<24 | 3<<22 | 0x1F<<17 | 0x01<<12 | 0x7E<<5 | 1,
			decode.Inst{Op: pica.MADI, Format: pica.Format5i, IndexedSource: 2, Dest: 1, Index: 3,
				Src: [3]uint8{0x1F, 1, 0x7E}, Desc: 1}},
		{"callc",
			0x25<<26 | 1<<25 | 1<<22 | 0xFFF<<10 | 0xFF,
			decode.Inst{Op: pica.CALLC, Format: pica.Format2, IndexedSource: -1, RefX: true, CondOp: pica.CondAnd,
				Dst: 4095, Num: 255}},
		{"loop keeps the bits above its integer uniform",
			0x29<<26 | 0xF<<22 | 7<<10,
			decode.Inst{Op: pica.LOOP, Format: pica.Format3, IndexedSource: -1, Int: 3, Dst: 7, Unused: 3 << 24}},
		{"jmpu b15",
			0x2D<<26 | 0xF<<22 | 7<<10 | 1,
			decode.Inst{Op: pica.JMPU, Format: pica.Format3, IndexedSource: -1, Bool: 15, Dst: 7, Num: 1}},
		{"setemit",
			0x2B<<26 | 3<<24 | 1<<22 | 5,
			decode.Inst{Op: pica.SETEMIT, Format: pica.Format4, IndexedSource: -1, Vertex: 3,
				Winding: true, Unused: 5}},
		{"reserved", 0x1C<<26 | 0x123, decode.Inst{Op: 0x1C, IndexedSource: -1, Unused: 0x123}},
	} {
		if got := decode.Decode(c.word); got != c.want {
			t.Errorf("%s (0x%08x):\n got %+v\nwant %+v", c.name, c.word, got, c.want)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, i := range map[string]decode.Inst{
		"alias of cmp":           {Op: 0x2F},
		"alias of mad":           {Op: 0x39},
		"opcode out of range":    {Op: 64},
		"descriptor 32 of mad":   {Op: pica.MAD, Desc: 32},
		"descriptor 128":         {Op: pica.ADD, Desc: 128},
		"c0 in a narrow field":   {Op: pica.ADD, Src: [3]uint8{0, 0x20}},
		"register 128":           {Op: pica.ADD, Src: [3]uint8{0x80}},
		"second source of mov":   {Op: pica.MOV, Src: [3]uint8{0, 1}},
		"destination 32":         {Op: pica.ADD, Dest: 32},
		"target 4096":            {Op: pica.CALL, Dst: 4096},
		"i4":                     {Op: pica.LOOP, Int: 4},
		"boolean of loop":        {Op: pica.LOOP, Bool: 1},
		"b16":                    {Op: pica.IFU, Bool: 16},
		"comparison 8":           {Op: pica.CMP, CmpX: 8},
		"vertex 4":               {Op: pica.SETEMIT, Vertex: 4},
		"operand of nop":         {Op: pica.NOP, RefX: true},
		"unused bit in a field":  {Op: pica.ADD, Unused: 1},
		"unused bit in opcode":   {Op: 0x10, Unused: 1 << 26},
		"condition of setemit":   {Op: pica.SETEMIT, CondOp: 1},
		"index 4":                {Op: pica.ADD, Index: 4},
		"comparison of add":      {Op: pica.ADD, CmpY: 1},
		"length of setemit":      {Op: pica.SETEMIT, Num: 1},
		"primitive flag of emit": {Op: pica.EMIT, Primitive: true},
	} {
		if word, err := decode.Encode(i); err == nil || word != 0 {
			t.Errorf("%s: encoded as 0x%08x, error %v", name, word, err)
		}
	}
}

func TestIgnored(t *testing.T) {
	for _, c := range []struct {
		name       string
		word, want uint32
	}{
		{"add", 0, 0},
		{"mov", 0x13 << 26, 0xF80},
		{"mova", 0x12 << 26, 0x03E00F80},
		{"end", 0x22 << 26, 0x03FFFFFF},
		{"reserved", 0x14 << 26, 0x03FFFFFF},
		{"breakc on both", 0x23<<26 | 1<<22, 0x003FFFFF},
		{"breakc on x", 0x23<<26 | 2<<22, 0x013FFFFF},
		{"call", 0x24 << 26, 0x03C00300},
		{"callc on y", 0x25<<26 | 3<<22, 0x02000300},
		{"jmpc", 0x2C << 26, 0x000003FF},
		{"jmpu", 0x2D << 26, 0x000003FE},
		{"loop", 0x29 << 26, 0x030003FF},
		{"ifu", 0x27 << 26, 0x00000300},
		{"cmp", 0x2F << 26, 0},
		{"madi", 0x37 << 26, 0},
		{"setemit", 0x2B << 26, 0x003FFFFF},
	} {
		if got := decode.Ignored(c.word); got != c.want {
			t.Errorf("%s: got 0x%08x, want 0x%08x", c.name, got, c.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	word := uint32(0xE0BADBAD)
	if n := testing.AllocsPerRun(100, func() {
		i := decode.Decode(word)
		w, err := decode.Encode(i)
		if err != nil || w != word {
			t.Fatal(w, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(4)
	word := uint32(0)
	for b.Loop() {
		i := decode.Decode(word)
		word += 0x9E3779B9 + uint32(i.Desc)
	}
}
