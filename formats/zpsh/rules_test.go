package zpsh_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
)

const (
	r3, r4 = zpsh.R3, zpsh.R4

	// Where things are in the minimal files.
	entry3, map3   = 0x20, 0x3C
	entry4, offset = 0x28, 0x10
	code3          = 0x0C
)

// ruleCases break a minimal file in one place each, by its model or its bytes.
// findings are all that Check must report, in order; near is an edit close by
// after which the first of them is not reported.
var ruleCases = []struct {
	findings string
	at       int // offset of the first finding
	revision zpsh.Revision
	model    func(f *zpsh.File)
	bytes    func(b []byte) []byte
	near     func(f *zpsh.File)
	options  []zpsh.Option
}{
	{findings: "ZPSH001/E", at: 11, revision: r3, bytes: cut(11)},
	{findings: "ZPSH008/E", at: 4, revision: r4, bytes: cut(15)},
	{findings: "ZPSH002/E", at: 0, revision: r3, bytes: set(3, 'I')},
	{findings: "ZPSH003/E", at: 11, revision: r3, bytes: set(11, 0)},
	{findings: "ZPSH003/E", at: 11, revision: r3, bytes: set(11, 2)},
	{findings: "ZPSH003/E", at: 11, revision: r3, bytes: same, options: []zpsh.Option{zpsh.Revision4}},
	{findings: "ZPSH004/E", at: 11, revision: r4, bytes: set(11, 5)},
	{findings: "ZPSH004/E", at: 11, revision: r4, bytes: same, options: []zpsh.Option{zpsh.Revision3}},
	{findings: "ZPSH004/W", at: 11, revision: r4, model: longHeader, options: []zpsh.Option{zpsh.SkipUnknownHeader}},
	{findings: "ZPSH005/W", at: 10, revision: r4, model: func(f *zpsh.File) { f.Flags = 1 }},
	{findings: "ZPSH006/E", at: 4, revision: r3, bytes: set(4, 0)},
	{findings: "ZPSH007/E", at: 4, revision: r3, model: func(f *zpsh.File) { f.Descriptors = make([]uint32, 129) },
		near: func(f *zpsh.File) { f.Descriptors = make([]uint32, 128) }},
	{findings: "ZPSH008/E", at: 4, revision: r3, bytes: set(6, 0xFF)},
	{findings: "ZPSH009/E", at: 12, revision: r4, bytes: set(12, 0x89)},
	{findings: "ZPSH009/W", at: 12, revision: r4, bytes: set(12, 0x89), options: []zpsh.Option{zpsh.HashMismatch}},
	{findings: "ZPSH010/E", at: offset, revision: r4, bytes: set(offset, 2)},
	{findings: "ZPSH011/W", at: offset, revision: r4, model: gap(4)},
	{findings: "ZPSH011/E ZPSH029/I", at: offset + 4, revision: r4, bytes: overlap, near: twoEntries},
	{findings: "ZPSH012/E", at: entry3, revision: r3, bytes: cut(entry3 + 27)},
	{findings: "ZPSH012/E", at: offset, revision: r4, bytes: cut(entry4 + 31)},
	{findings: "ZPSH011/W ZPSH012/E", at: offset, revision: r4, bytes: set(offset+3, 0xFF)},
	{findings: "ZPSH013/W", at: entry4 + 8, revision: r4, model: entry(func(e *zpsh.Entry) { e.Flags = 1 })},
	{findings: "ZPSH014/W", at: entry4 + 10, revision: r4, model: entry(func(e *zpsh.Entry) { e.HeaderWords = 7 }),
		near: entry(func(e *zpsh.Entry) { e.HeaderWords = 8 })},
	{findings: "ZPSH015/E", at: entry3 + 4, revision: r3, model: entry(func(e *zpsh.Entry) { e.Instruction = 2 }),
		near: entry(func(e *zpsh.Entry) { e.Instruction = 1 })},
	{findings: "ZPSH016/W", at: entry3 + 6, revision: r3, model: entry(func(e *zpsh.Entry) { e.Info = 4 })},
	{findings: "ZPSH016/W", at: entry3 + 6, revision: r3, model: entry(func(e *zpsh.Entry) { e.Info = zpsh.PointInfo(17) }),
		near: entry(func(e *zpsh.Entry) { e.Info = zpsh.PointInfo(16) })},
	{findings: "ZPSH016/W", at: entry3 + 6, revision: r3, model: entry(func(e *zpsh.Entry) { e.Info = zpsh.VariableInfo(32) }),
		near: entry(func(e *zpsh.Entry) { e.Info = zpsh.VariableInfo(31) })},
	{findings: "ZPSH016/W", at: entry3 + 6, revision: r3, model: entry(func(e *zpsh.Entry) { e.Info = 0x2003 })},
	{findings: "ZPSH017/E", at: entry3 + 6, revision: r3, model: entry(func(e *zpsh.Entry) { e.Info = zpsh.FixedInfo(1, 96) }),
		near: entry(func(e *zpsh.Entry) { e.Info = zpsh.FixedInfo(1, 95) })},
	{findings: "ZPSH018/E", at: entry3 + 10, revision: r3, bytes: set(entry3+10, 0x10)},
	{findings: "ZPSH019/W", at: entry3 + 24, revision: r3, model: entry(func(e *zpsh.Entry) { e.OutputReserved = 0xAAAA })},
	{findings: "ZPSH020/E", at: entry3, revision: r3, bytes: cut(map3 + 3)},
	{findings: "ZPSH020/E", at: entry4, revision: r4, bytes: set(entry4+16, 1)},
	{findings: "ZPSH021/W", at: map3, revision: r3, model: output(0, position|0x80)},
	{findings: "ZPSH022/W", at: map3, revision: r3, model: output(6, position&0xFFFFFF|0x15<<24), near: output(6, position&0xFFFFFF|0x14<<24)},
	{findings: "ZPSH023/W", at: map3, revision: r3, model: output(7, position), near: output(7, 0x1F1F1F1F)},
	{findings: "ZPSH021/W ZPSH022/W ZPSH023/W", at: map3, revision: r3, model: output(15, 0xF1)},
	{findings: "ZPSH024/E", at: entry3, revision: r3, model: name(8), near: name(4)},
	{findings: "ZPSH024/E", at: entry3, revision: r3, model: table("mainmain")},
	{findings: "ZPSH024/E", at: entry3 - 8, revision: r3, model: func(f *zpsh.File) { f.Strings = nil }},
	{findings: "ZPSH025/W ZPSH029/I", at: entry3, revision: r3, model: name(4), near: name(3)},
	{findings: "ZPSH026/E", at: 0x28 + 36, revision: r4, model: twice("a", "a"), near: twice("a", "b")},
	{findings: "ZPSH025/W ZPSH025/W ZPSH026/E", at: 0x28, revision: r4, model: twice("", ""), near: twice("a", "b")},
	{findings: "ZPSH027/E", at: entry3, revision: r3, model: table("m\xFFin\x00\x00\x00\x00")},
	{findings: "ZPSH027/E ZPSH029/I", at: entry3 - 4, revision: r3, model: all(table("\xC3\xA9\x00\x00"), name(1)), near: table("\xC3\xA9\x00\x00")},
	{findings: "ZPSH028/W", at: 0x40, revision: r3, bytes: func(b []byte) []byte { return append(b, 0) }},
	{findings: "ZPSH029/I", at: 0x18, revision: r3, model: name(1)},
	{findings: "ZPSH029/I", at: 0x18, revision: r3, model: table("main\x00\x00\x00\x00\x00\x00\x00\x00")},
	{findings: "ZPSH029/I", at: 0x18, revision: r3, model: table("main\x00\x00\x01\x00")},
	{findings: "ZPSH030/W ZPSH030/W", at: entryAfter(513) + 4, revision: r3, model: longCode(513, 512), near: longCode(512, 511)},
	{findings: "ZPSH030/W", at: 4, revision: r3, model: longCode(513, 511)},
	{findings: "CODE001/W", at: code3, revision: r3, model: word(0x40000000)},
	{findings: "CODE002/E", at: code3, revision: r3, model: word(mov | 1), near: word(mov)},
	{findings: "CODE003/E", at: code3, revision: r3, model: word(0x24<<26 | 2<<10), near: word(0x24<<26 | 1<<10)},
	{findings: "CODE004/W", at: code3, revision: r3, model: word(0x2C<<26 | 1<<8)},
}

func TestRules(t *testing.T) {
	formattest.RuleTable(t, zpsh.Rules)
	hit := make(map[string]bool)
	for _, c := range ruleCases {
		t.Run(strings.ReplaceAll(c.findings, "/", "."), func(t *testing.T) {
			var b []byte
			if c.model != nil {
				b = edited(t, minimalModel(c.revision), c.model)
			} else {
				b = c.bytes(mustAppend(t, minimalModel(c.revision)))
			}
			findings := zpsh.Check(b, c.options...)
			if diff := cmp.Diff(strings.Fields(c.findings), formattest.IDs(findings)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s%v", diff, findings)
			}
			if findings[0].Off != c.at {
				t.Errorf("got offset 0x%x, want 0x%x: %v", findings[0].Off, c.at, findings[0])
			}
			format(c.options...).Agree(t, b)
			for _, id := range formattest.IDs(findings) {
				hit[id] = true
			}
			if c.near == nil {
				return
			}
			near := formattest.IDs(zpsh.Check(edited(t, minimalModel(c.revision), c.near)))
			if slices.Contains(near, strings.Fields(c.findings)[0]) {
				t.Errorf("the near miss reports %v", near)
			}
		})
	}
	for _, r := range zpsh.Rules {
		for _, severity := range append([]diag.Severity{r.Severity}, r.Also...) {
			if id := r.ID + "/" + severity.Letter(); !hit[id] {
				t.Errorf("no case for %s", id)
			}
		}
	}
}

// TestRevisions checks what is read as which revision, and how the others are
// refused.
func TestRevisions(t *testing.T) {
	three, four := mustAppend(t, minimalModel(r3)), mustAppend(t, minimalModel(r4))
	for _, c := range []struct {
		name    string
		b       []byte
		options []zpsh.Option
		want    error
	}{
		{"R3", three, nil, nil},
		{"R4", four, nil, nil},
		{"only R3", three, []zpsh.Option{zpsh.Revision3}, nil},
		{"only R4", four, []zpsh.Option{zpsh.Revision4}, nil},
		{"either", four, []zpsh.Option{zpsh.Revision3, zpsh.Revision4}, nil},
		{"R3, want R4", three, []zpsh.Option{zpsh.Revision4}, zpsh.ErrRevision},
		{"R4, want R3", four, []zpsh.Option{zpsh.Revision3}, zpsh.ErrRevision},
		{"header of 0 words", set(11, 0)(slices.Clone(three)), nil, zpsh.ErrAmbiguous},
		{"header of 1 word", set(11, 1)(slices.Clone(three)), nil, zpsh.ErrRevision},
		{"header of 255 words", set(11, 255)(slices.Clone(four)), nil, zpsh.ErrRevision},
		{"unknown, want R3", edited(t, minimalModel(r4), longHeader), []zpsh.Option{zpsh.Revision3, zpsh.SkipUnknownHeader}, zpsh.ErrRevision},
		{"R3 patched to 4", set(11, 4)(slices.Clone(three)), nil, diag.ErrMalformed},
		{"R4 patched to 3", set(11, 3)(slices.Clone(four)), nil, diag.ErrMalformed},
	} {
		_, err := zpsh.Parse(c.b, c.options...)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if unsupported := c.want == zpsh.ErrAmbiguous || c.want == zpsh.ErrRevision; errors.Is(err, diag.ErrUnsupported) != unsupported {
			t.Errorf("%s: %v: unsupported is not %v", c.name, err, unsupported)
		}
	}
}

// TestLeniencies checks that a file which needed one says so, is written as it
// was, and becomes a plain file in its canonical form.
func TestLeniencies(t *testing.T) {
	for option, b := range map[zpsh.Option][]byte{
		zpsh.HashMismatch:      set(12, 0)(mustAppend(t, fullModel(r4))),
		zpsh.SkipUnknownHeader: edited(t, fullModel(r4), longHeader),
	} {
		if _, err := zpsh.Parse(b); err == nil {
			t.Errorf("%s: accepted without", option)
		}
		f := mustParse(t, b, option)
		if !slices.Equal(f.Leniencies, []zpsh.Option{option}) {
			t.Errorf("%s: leniencies are %v", option, f.Leniencies)
		}
		if got := mustAppend(t, f); !slices.Equal(got, b) {
			t.Errorf("%s: written\ngot  %x\nwant %x", option, got, b)
		}
		if got, want := mustAppend(t, f.Canonical()), mustAppend(t, fullModel(r4)); !slices.Equal(got, want) {
			t.Errorf("%s: canonical\ngot  %x\nwant %x", option, got, want)
		}
		if f := mustParse(t, mustAppend(t, fullModel(r4)), option); f.Leniencies != nil {
			t.Errorf("leniencies of a good file are %v", f.Leniencies)
		}
	}
}

// TestNotCanonical: what the canonical form changes is what the rules name.
func TestNotCanonical(t *testing.T) {
	for _, c := range ruleCases {
		if c.model == nil || strings.Contains(c.findings, "/E") || c.options != nil {
			continue
		}
		b := edited(t, minimalModel(c.revision), c.model)
		changes := false
		for _, rule := range []string{"ZPSH005", "ZPSH011", "ZPSH013", "ZPSH014", "ZPSH019", "ZPSH028", "ZPSH029"} {
			changes = changes || strings.Contains(c.findings, rule)
		}
		if got := mustAppend(t, mustParse(t, b).Canonical()); slices.Equal(got, b) == changes {
			t.Errorf("%s: changed is not %v\ngot  %x\nfrom %x", c.findings, changes, got, b)
		}
	}
}

func cut(n int) func(b []byte) []byte { return func(b []byte) []byte { return b[:n] } }
func same(b []byte) []byte            { return b }

func set(at int, v byte) func(b []byte) []byte {
	return func(b []byte) []byte { b[at] = v; return b }
}

func all(edits ...func(f *zpsh.File)) func(f *zpsh.File) {
	return func(f *zpsh.File) {
		for _, edit := range edits {
			edit(f)
		}
	}
}

func longHeader(f *zpsh.File) {
	f.Revision = 5
	f.Layout = &zpsh.Layout{ExtraHeader: wire.Hex{1, 2, 3, 4}}
}

func entry(edit func(e *zpsh.Entry)) func(f *zpsh.File) {
	return func(f *zpsh.File) { edit(&f.Entries[0]) }
}

func output(register uint8, m zpsh.Map) func(f *zpsh.File) {
	return entry(func(e *zpsh.Entry) { e.Outputs[0] = zpsh.Output{Register: register, Map: m} })
}

func name(off uint32) func(f *zpsh.File) { return entry(func(e *zpsh.Entry) { e.Name = off }) }

func table(s string) func(f *zpsh.File) { return func(f *zpsh.File) { f.Strings = wire.Hex(s) } }

func gap(n int) func(f *zpsh.File) {
	return func(f *zpsh.File) { f.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: 0, Bytes: make([]byte, n)}}} }
}

func twoEntries(f *zpsh.File) { twice("a", "b")(f) }

func twice(a, b string) func(f *zpsh.File) {
	return func(f *zpsh.File) {
		f.Entries = append(f.Entries, f.Entries[0])
		f.SetNames(a, b)
		if a == "" {
			f.Strings = make([]byte, 4)
		}
	}
}

// overlap makes the second of two entries start in the last word of the first,
// the output mask, which is empty. It is the second's name, too.
func overlap([]byte) []byte {
	f := minimalModel(r4)
	twoEntries(f)
	f.Entries[0].Outputs, f.Entries[1].Outputs = nil, nil
	f.Entries[0].Name, f.Entries[1].Name = 2, 0
	b, err := f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	b[offset+4] -= 4
	return slices.Delete(b, len(b)-32, len(b)-28)
}

func longCode(n int, instruction uint16) func(f *zpsh.File) {
	return func(f *zpsh.File) {
		f.Code = slices.Repeat([]uint32{nop}, n)
		f.Entries[0].Instruction = instruction
	}
}

// entryAfter is where the entry of a minimal R3 file with so many instructions
// is.
func entryAfter(instructions int) int { return entry3 + 4*(instructions-2) }

func word(w uint32) func(f *zpsh.File) { return func(f *zpsh.File) { f.Code[0] = w } }
