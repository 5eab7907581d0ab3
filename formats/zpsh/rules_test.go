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
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
)

const (
	r3, r4 = zpsh.R3, zpsh.R4

	// Where things are in the minimal files.
	entry3, map3   = 0x20, 0x3C
	entry4, offset = 0x28, 0x10
	code3          = 0x0C
)

// combinations are edits of a minimal file, by its model or its bytes, that break
// several rules at once, or one in spite of an option. findings are all that Check
// must report, in order.
var combinations = []struct {
	findings string
	at       int // offset of the first finding
	revision zpsh.Revision
	model    func(f *zpsh.File)
	bytes    func(b []byte) []byte
	options  []zpsh.Option
}{
	{findings: "ZPSH003/E", at: 11, revision: r3, bytes: same, options: []zpsh.Option{zpsh.Revision4}},
	{findings: "ZPSH004/E", at: 11, revision: r4, bytes: same, options: []zpsh.Option{zpsh.Revision3}},
	{findings: "ZPSH004/W", at: 11, revision: r4, model: longHeader, options: []zpsh.Option{zpsh.SkipUnknownHeader}},
	{findings: "ZPSH009/W", at: 12, revision: r4, bytes: set(12, 0x89), options: []zpsh.Option{zpsh.HashMismatch}},
	{findings: "ZPSH011/E ZPSH029/I", at: offset + 4, revision: r4, bytes: overlap},
	{findings: "ZPSH011/W ZPSH012/E", at: offset, revision: r4, bytes: set(offset+3, 0xFF)},
	{findings: "ZPSH021/W ZPSH022/W ZPSH023/W", at: map3, revision: r3, model: output(15, 0xF1)},
	{findings: "ZPSH025/W ZPSH029/I", at: entry3, revision: r3, model: name(4)},
	{findings: "ZPSH025/W ZPSH025/W ZPSH026/E", at: 0x28, revision: r4, model: twice("", "")},
	{findings: "ZPSH027/E ZPSH029/I", at: entry3 - 4, revision: r3, model: all(table("\xC3\xA9\x00\x00"), name(1))},
	{findings: "ZPSH030/W ZPSH030/W", at: entryAfter(513) + 4, revision: r3, model: longCode(513, 512)},
}

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format().Faults(t, zpshgen.Format) }

func TestTogether(t *testing.T) {
	for _, c := range combinations {
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
		})
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
		{"unknown, want R3", edited(t, minimalModel(r4), longHeader),
			[]zpsh.Option{zpsh.Revision3, zpsh.SkipUnknownHeader}, zpsh.ErrRevision},
		{"R3 patched to 4", set(11, 4)(slices.Clone(three)), nil, diag.ErrMalformed},
		{"R4 patched to 3", set(11, 3)(slices.Clone(four)), nil, diag.ErrMalformed},
	} {
		_, err := zpsh.Parse(c.b, c.options...)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if unsupported := c.want == zpsh.ErrAmbiguous ||
			c.want == zpsh.ErrRevision; errors.Is(err, diag.ErrUnsupported) != unsupported {
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
	for _, c := range combinations {
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

func same(b []byte) []byte { return b }

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
