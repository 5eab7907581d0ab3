package pica_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

// opcodeMap is the table of pica200.md 1.1: opcode, name, format, operands (W: seven bits, indexed; N:
// five bits) or fields, and written state. Names and lanes are ours where the page has none.
const opcodeMap = `
00    add     1  W N   dest
01    dp3     1  W N   dest broadcast
02    dp4     1  W N   dest broadcast
03    dph     1  W N   dest broadcast
04    dst     1  W N   dest
05    ex2     1u W     dest broadcast
06    lg2     1u W     dest broadcast
07    litp    1u W     dest cmp
08    mul     1  W N   dest
09    sge     1  W N   dest
0a    slt     1  W N   dest
0b    flr     1u W     dest
0c    max     1  W N   dest
0d    min     1  W N   dest
0e    rcp     1u W     dest broadcast
0f    rsq     1u W     dest broadcast
12    mova    1u W     a0
13    mov     1u W     dest
18    dphi    1i N W   dest broadcast
19    dsti    1i N W   dest
1a    sgei    1i N W   dest
1b    slti    1i N W   dest
20    break   0        loop
21    nop     0
22    end     0        end
23    breakc  2  cond  loop
24    call    2  DST NUM       call
25    callc   2  cond DST NUM  call
26    callu   3  bool DST NUM  call
27    ifu     3  bool DST NUM  if
28    ifc     2  cond DST NUM  if
29    loop    3  int DST       loop
2a    emit    0                emitter
2b    setemit 4  id prim inv   emitter
2c    jmpc    2  cond DST      pc
2d    jmpu    3  bool DST inverse  pc
2e-2f cmp     1c W N   cmp
30-37 madi    5i N N W dest
38-3f mad     5  N W N dest
`

// described formats a row of the instruction table as the page does.
func described(op pica.Opcode) string {
	i := &pica.Opcodes[op]
	var words []string
	add := func(when bool, word string) {
		if when {
			words = append(words, word)
		}
	}
	for k := range i.Sources {
		wide := int8(k) == i.Layout.Indexed
		add(wide && i.Layout.Src[k].Width == 7, "W")
		add(!wide && i.Layout.Src[k].Width == 5, "N")
	}
	read := func(f pica.Field) bool { return f.Width != 0 && i.Unread&f.Mask() == 0 }
	add(read(i.Layout.CondOp) && read(i.Layout.RefX) && read(i.Layout.RefY), "cond")
	add(read(i.Layout.Bool), "bool")
	add(read(i.Layout.Int), "int")
	add(read(i.Layout.Dst), "DST")
	add(read(i.Layout.Num), "NUM")
	add(!read(i.Layout.Num) && i.Layout.Num.Width != 0 && i.Unread&i.Layout.Num.Mask() == 0xFE, "inverse")
	add(read(i.Layout.Vertex), "id")
	add(read(i.Layout.Primitive), "prim")
	add(read(i.Layout.Winding), "inv")
	add(i.Writes&pica.WritesDest != 0 && read(i.Layout.Dest), "dest")
	add(i.Scalar, "broadcast")
	add(i.Writes&pica.WritesAddress != 0, "a0")
	add(i.Writes&pica.WritesCC != 0, "cmp")
	add(i.Writes&pica.WritesEmit != 0, "emitter")
	add(i.Flow == pica.FlowJump, "pc")
	add(i.Flow == pica.FlowIf, "if")
	add(i.Flow == pica.FlowCall, "call")
	add(i.Flow == pica.FlowLoop || i.Flow == pica.FlowBreak, "loop")
	add(i.Flow == pica.FlowEnd, "end")
	return strings.Join(append([]string{i.Name, i.Format.String()}, words...), " ")
}

// TestInstructionTable compares each row with the page; opcodes that the page lacks are reserved.
func TestInstructionTable(t *testing.T) {
	seen := make(map[pica.Opcode]bool)
	for line := range strings.Lines(strings.TrimPrefix(opcodeMap, "\n")) {
		fields := strings.Fields(line)
		var first, last pica.Opcode
		if n, _ := fmt.Sscanf(fields[0], "%x-%x", &first, &last); n == 1 {
			last = first
		}
		want := strings.Join(fields[1:], " ")
		for op := first; op <= last; op++ {
			seen[op] = true
			if got := described(op); got != want || pica.Opcodes[op].Base != first || op.Reserved() {
				t.Errorf("0x%02x: got %q with base 0x%02x, want %q with base 0x%02x", uint8(op), got,
					uint8(op.Base()), want, uint8(first))
			}
		}
	}
	for op := range pica.Opcode(pica.NumOpcodes) {
		i := &pica.Opcodes[op]
		if !seen[op] && (!op.Reserved() || i.Base != op || i.Writes != 0 || i.Flow != 0 || i.Unread != 1<<26-1 ||
			i.Format != pica.Format0) {
			t.Errorf("0x%02x is not reserved: %+v", uint8(op), i)
		}
	}
}

// TestPlainForms: the inverted forms of 1.1, and the facts that they share with the plain forms.
func TestPlainForms(t *testing.T) {
	plain := map[pica.Opcode]pica.Opcode{
		pica.DPHI: pica.DPH, pica.DSTI: pica.DST, pica.SGEI: pica.SGE, pica.SLTI: pica.SLT, pica.MADI: pica.MAD,
	}
	for op := range pica.Opcode(pica.NumOpcodes) {
		want, ok := plain[op.Base()]
		if !ok {
			want = op.Base()
		}
		a, b := pica.Opcodes[op], pica.Opcodes[want]
		if a.Plain != want || a.Reads != b.Reads || a.Scalar != b.Scalar || a.Writes != b.Writes ||
			a.Rounds != b.Rounds ||
			a.Never != b.Never || a.Truth != b.Truth || a.Sources != b.Sources {
			t.Errorf("%v: plain form %v, want %v; %+v\n%+v", op, a.Plain, want, a, b)
		}
	}
}

// TestFlowTable lists the condition and the effect of each flow instruction (4.1).
func TestFlowTable(t *testing.T) {
	type row struct {
		flow pica.Flow
		asks pica.Condition
	}
	rows := map[pica.Opcode]row{
		pica.BREAK: {pica.FlowBreak, pica.Always}, pica.BREAKC: {pica.FlowBreak, pica.OnFlags},
		pica.END:  {pica.FlowEnd, pica.Always},
		pica.CALL: {pica.FlowCall, pica.Always}, pica.CALLC: {pica.FlowCall, pica.OnFlags},
		pica.CALLU: {pica.FlowCall, pica.OnUniform},
		pica.IFU:   {pica.FlowIf, pica.OnUniform}, pica.IFC: {pica.FlowIf, pica.OnFlags},
		pica.LOOP: {pica.FlowLoop, pica.Always},
		pica.JMPC: {pica.FlowJump, pica.OnFlags}, pica.JMPU: {pica.FlowJump, pica.OnUniformInverse},
	}
	for op := range pica.Opcode(pica.NumOpcodes) {
		i := &pica.Opcodes[op]
		want := rows[op.Base()]
		if got := (row{i.Flow, i.Condition}); got != want ||
			(i.Writes&pica.WritesFlow != 0) != (want.flow != pica.FlowNone) {
			t.Errorf("%v: got %+v, want %+v", op, got, want)
		}
	}
}

// aliases is what the page says about other names: nihstro's and aemstro's instead of the mnemonic, and those that
// package asm reads besides it.
var aliases = map[pica.Language]map[pica.Opcode]string{
	pica.Default: {pica.EX2: "exp", pica.LG2: "log", pica.LITP: "lit"},
	pica.Picasso: {},
	pica.Nihstro: {pica.EX2: "exp", pica.LG2: "log", pica.LITP: "lit"},
	pica.Aemstro: {pica.DST: "op4", pica.LITP: "op7", pica.DSTI: "op19"},
}

// TestAliases compares the aliases, and checks that no name of a language means two instructions.
func TestAliases(t *testing.T) {
	for language := range pica.NumLanguages {
		means := map[string]pica.Opcode{}
		for op := range pica.Opcode(pica.NumOpcodes) {
			if op != op.Base() || op.Reserved() {
				continue
			}
			want := aliases[language][op]
			if got := pica.Opcodes[op].Aliases[language]; got != want {
				t.Errorf("language %d, %v: got the alias %q, want %q", language, op, got, want)
			}
			if want == "" {
				want = op.String()
			}
			if got := op.In(language); got != want {
				t.Errorf("language %d, %v: got %q, want %q", language, op, got, want)
			}
			for _, name := range []string{op.String(), want} {
				if other, known := means[name]; known && other != op {
					t.Errorf("language %d: %s means %v and %v", language, name, other, op)
				}
				means[name] = op
			}
		}
	}
	if got, want := pica.Opcode(0x10).In(pica.Nihstro), "reserved(0x10)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := pica.Opcode(0xFF).In(pica.Nihstro), "reserved(0xff)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
