package bnsh_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/wire"
)

var _ interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
} = (*bnsh.File)(nil)

// TestShapes writes files of every shape and reads them back.
func TestShapes(t *testing.T) {
	packed := func(slot bnsh.CodeType, format bnsh.BinaryFormat) *bnsh.File {
		f := &bnsh.File{Header: header("packed")}
		p := &bnsh.Program{CodeType: slot, BinaryFormat: format}
		for s := range bnsh.Compute {
			p.Stages[s] = &bnsh.Code{Code: wire.Hex{byte(s), 1}, UnpackedSize: 9}
		}
		f.Variations = []bnsh.Variation{{}}
		switch slot {
		case bnsh.BinaryCode:
			f.Variations[0].Binary = p
		case bnsh.IntermediateCode:
			f.Variations[0].Intermediate = p
		default:
			f.Variations[0].Source = p
		}
		return f
	}
	texts := packed(bnsh.SourceCode, bnsh.Plain)
	texts.Variations[0].Source.CodeType = bnsh.SourceArrayCode
	for s := range bnsh.Compute {
		texts.Variations[0].Source.Stages[s] = &bnsh.Code{
			Texts: []wire.Hex{wire.Hex("a"), wire.Hex("bc"), wire.Hex("a")}}
	}
	three := packed(bnsh.SourceCode, bnsh.Plain)
	three.Variations[0].Intermediate = packed(bnsh.IntermediateCode, bnsh.Zlib).Variations[0].Intermediate
	three.Variations[0].Binary = binaryFile(1, bnsh.Vertex).Variations[0].Binary
	three.PoolProperty = poolProperty()
	keys := func(n int) *bnsh.File {
		return reflected(sourceFile(1), oneTable(keyList("key", n)...))
	}
	shared := reflected(sourceFile(2), func(int) bnsh.Tables {
		return bnsh.Tables{bnsh.Inputs: {Keys: []bnsh.Text{"s", "both"}}, bnsh.Outputs: {Keys: []bnsh.Text{"both"}},
			bnsh.SeparateSamplers: {Keys: []bnsh.Text{"both"}}}
	})
	noName := keys(2)
	noName.Name = ""
	emptyTable := sourceFile(1)
	emptyTable.Variations[0].Source.Reflection = new(bnsh.PerStage[bnsh.StageReflection])

	for name, f := range map[string]*bnsh.File{
		"one variation":   binaryFile(1, bnsh.Vertex, bnsh.Pixel),
		"two variations":  binaryFile(2, bnsh.Vertex, bnsh.Pixel),
		"2000 variations": binaryFile(2000, bnsh.Vertex, bnsh.Pixel),
		"all graphics stages": binaryFile(2, bnsh.Vertex, bnsh.Hull, bnsh.Domain, bnsh.Geometry,
			bnsh.Pixel),
		"compute":                             binaryFile(3, bnsh.Compute),
		"source":                              packed(bnsh.SourceCode, bnsh.Plain),
		"intermediate":                        packed(bnsh.IntermediateCode, bnsh.Plain),
		"packed source":                       packed(bnsh.SourceCode, bnsh.Zlib),
		"packed binary":                       packed(bnsh.BinaryCode, bnsh.Zlib),
		"source array":                        texts,
		"three programs":                      three,
		"no key":                              keys(0),
		"1 key":                               keys(1),
		"2 keys":                              keys(2),
		"100 keys":                            keys(100),
		"strings shared between dictionaries": shared,
		"no name":                             noName,
		"name that is a key":                  reflected(sourceFile(1), oneTable("s")),
		"reflection of nothing":               emptyTable,
		"odd sizes": {Header: header("odd"), PoolProperty: poolProperty(),
			Variations: []bnsh.Variation{
				{Binary: &bnsh.Program{ObjectSize: 3,
					Stages: bnsh.PerStage[bnsh.Code]{bnsh.Compute: {Control: wire.Hex{1}, Code: wire.Hex{2}}}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := build(t, f)
			got := mustParse(t, b)
			if !got.Equal(f) {
				t.Errorf("got %+v, want %+v", got, f)
			}
			mustWrite(t, got.Canonical(), b)
			if !format.Agree(t, b) || reported(bnsh.Check(b), "BNSH081") {
				t.Errorf("not canonical: %v", bnsh.Check(b))
			}
		})
	}
}

// TestSharing: equal blobs and strings are written once.
func TestSharing(t *testing.T) {
	f := binaryFile(2, bnsh.Vertex)
	f.Variations[1].Binary.Stages[bnsh.Vertex] = binaryCode(0, 0x20, 0x100)
	l := mustParse(t, build(t, f)).Layout
	a, b := l.Programs[0].Stages[bnsh.Vertex], l.Programs[1].Stages[bnsh.Vertex]
	if a.Control != b.Control || a.Code != b.Code || a.Record == b.Record {
		t.Errorf("got %+v and %+v", a, b)
	}
	g := reflected(sourceFile(1), func(int) bnsh.Tables {
		return bnsh.Tables{bnsh.Inputs: {Keys: []bnsh.Text{"b", "a"}}, bnsh.Outputs: {Keys: []bnsh.Text{"a", "s"}}}
	})
	if got, want := mustParse(t, build(t, g)).Layout.StringPool,
		[]bnsh.Text{"", "s", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("strings: got %q, want %q", got, want)
	}
}

// TestPoolSize: the memory pool has at least 0x500 bytes behind the last code.
func TestPoolSize(t *testing.T) {
	for _, x := range []struct {
		code int
		want uint32
	}{{1, 0x1000}, {0xB00, 0x1000}, {0xB01, 0x2000}, {0x1B00, 0x2000}, {0x1B01, 0x3000}} {
		f := binaryFile(1, bnsh.Vertex)
		f.Variations[0].Binary.Stages[bnsh.Vertex] = binaryCode(1, 1, x.code)
		if got := mustParse(t, build(t, f)).Layout.Pool.Size; got != x.want {
			t.Errorf("code of %#x bytes: got a pool of %#x, want %#x", x.code, got, x.want)
		}
	}
}

func TestParseKeepsNothingOfItsInput(t *testing.T) {
	b := build(t, workedModel())
	want := bytes.Clone(b)
	f := mustParse(t, b)
	clear(b)
	mustWrite(t, f, want)
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	f := workedModel()
	want := build(t, f)
	got, err := f.AppendBinary([]byte("before"))
	if err != nil || string(got[:6]) != "before" || !bytes.Equal(got[6:], want) {
		t.Errorf("got %v, %d bytes", err, len(got))
	}
	f.Variations = nil
	if got, err := f.AppendBinary([]byte("before")); err == nil || string(got) != "before" {
		t.Errorf("got %v, %q, want an error and what was there", err, got)
	}
}

func TestWriteAndUnmarshal(t *testing.T) {
	var buffer bytes.Buffer
	if err := bnsh.Write(&buffer, new(bnsh.File)); !errors.Is(err, diag.ErrInvalid) || buffer.Len() > 0 {
		t.Errorf("got %v, want ErrInvalid", err)
	}
	if err := bnsh.Write(&buffer, workedModel()); err != nil {
		t.Fatal(err)
	}
	if b, err := workedModel().MarshalBinary(); err != nil || !bytes.Equal(b, buffer.Bytes()) {
		t.Errorf("got %v, %d bytes", err, len(b))
	}
	var f bnsh.File
	if err := f.UnmarshalBinary(buffer.Bytes()); err != nil || !f.Equal(workedModel()) {
		t.Errorf("got %v, %+v", err, f)
	}
	if err := f.UnmarshalBinary(nil); !errors.Is(err, diag.ErrMalformed) {
		t.Errorf("got %v, want ErrMalformed", err)
	}
}

// TestBadJSON: what is not the text form of a file is refused.
func TestBadJSON(t *testing.T) {
	for _, text := range []string{
		`{"version": "2.1"}`, `{"version": "2.1.300"}`, `{"version": "2.1.12x"}`,
		`{"variations": [{"source": {"stages": 3}}]}`,
		`{"variations": [{"source": {"stages": {"fragment": {}}}}]}`,
		`{"variations": [{"source": {"reflection": {"vertex": {"tables": {"textures": {}}}}}}]}`,
		`{"variations": [{"source": {"reflection": {"vertex": {"tables": 1}}}}]}`,
	} {
		if err := json.Unmarshal([]byte(text), new(bnsh.File)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func TestNames(t *testing.T) {
	for s := range bnsh.Slot(bnsh.NumSlots) {
		text, _ := s.MarshalText()
		var back bnsh.Slot
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%s comes back as %v (%v)", text, back, err)
		}
	}
	for got, want := range map[fmt.Stringer]string{
		bnsh.Hull: "hull", bnsh.Stage(6): "Stage(6)", bnsh.SourceArrayCode: "source array", bnsh.HLSL: "HLSL",
		bnsh.Zlib: "zlib", bnsh.BinaryFormat(9): "BinaryFormat(9)",
		bnsh.UnorderedAccessBuffers: "unordered_access_buffers", bnsh.Version{Major: 2, Minor: 1, Micro: 12}: "2.1.12",
	} {
		if got.String() != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestUnsupported(t *testing.T) {
	for name, change := range map[string]func(b []byte){
		"big-endian":          func(b []byte) { b[0x0C], b[0x0D] = 0xFE, 0xFF },
		"version 3":           func(b []byte) { b[0x0A] = 3 },
		"binary format 2":     func(b []byte) { b[0x104] = 2 },
		"compiler reflection": func(b []byte) { b[0x181] = 2 },
	} {
		b := build(t, workedModel())
		change(b)
		if _, err := bnsh.Parse(b); !errors.Is(err, diag.ErrUnsupported) {
			t.Errorf("%s: got %v, want ErrUnsupported", name, err)
		}
	}
}

// TestRefusals: a writer refuses what Parse would refuse, or would make another
// model of.
func TestRefusals(t *testing.T) {
	stage := func(f *bnsh.File) *bnsh.Code { return f.Variations[0].Binary.Stages[bnsh.Vertex] }
	inputs := func(f *bnsh.File, keys ...bnsh.Text) {
		f.Variations[0].Binary.Reflection[bnsh.Vertex] = reflection(bnsh.Tables{bnsh.Inputs: {Keys: keys}})
	}
	vertex := func(f *bnsh.File) *bnsh.StageReflection { return f.Variations[0].Binary.Reflection[bnsh.Vertex] }
	for _, x := range []struct {
		name   string
		rule   string // or none, if there is no rule to name
		change func(f *bnsh.File)
	}{
		{"no variation", "BNSH020", func(f *bnsh.File) { f.Variations = nil }},
		{"no program", "BNSH021", func(f *bnsh.File) { f.Variations[0].Binary, f.PoolProperty = nil, nil }},
		{"no stage", "BNSH026", func(f *bnsh.File) {
			f.Variations[0].Binary.Stages, f.PoolProperty = bnsh.PerStage[bnsh.Code]{}, nil
		}},
		{"wrong slot", "BNSH024",
			func(f *bnsh.File) { f.Variations[0].Source, f.Variations[0].Binary = f.Variations[0].Binary, nil }},
		{"major version", "BNSH003", func(f *bnsh.File) { f.Version.Major = 3 }},
		{"no control", "BNSH031", func(f *bnsh.File) { stage(f).Control = nil }},
		{"no code", "BNSH032", func(f *bnsh.File) { stage(f).Code = nil }},
		{"empty key", "BNSH055", func(f *bnsh.File) { inputs(f, "") }},
		{"key of NULs", "BNSH055", func(f *bnsh.File) { inputs(f, "a", "\x00\x00") }},
		{"same key twice", "BNSH055", func(f *bnsh.File) { inputs(f, "a", "a") }},
		{"keys with the same bits", "BNSH055", func(f *bnsh.File) { inputs(f, "a", "\x00a") }},
		{"65536 keys", "BNSH053", func(f *bnsh.File) { inputs(f, keyList("k", 65536)...) }},
		{"long name", "BNSH060", func(f *bnsh.File) { f.Name = bnsh.Text(strings.Repeat("x", 65536)) }},
		{"too few slots", "", func(f *bnsh.File) { vertex(f).Slots = vertex(f).Slots[:1] }},
		{"no slots", "BNSH051", func(f *bnsh.File) { vertex(f).Slots = nil }},
		{"too many slots", "", func(f *bnsh.File) { vertex(f).Slots = []int32{0, 1, 2} }},
		{"negative first slot", "BNSH051", func(f *bnsh.File) {
			inputs(f)
			vertex(f).Tables[bnsh.Outputs] = bnsh.Table{First: -1, Keys: []bnsh.Text{"a"}}
		}},
		{"first slot of inputs", "", func(f *bnsh.File) { vertex(f).Tables[bnsh.Inputs].First = 1 }},
		{"keys of an extension that is not there", "",
			func(f *bnsh.File) { vertex(f).Tables[bnsh.SeparateTextures].Keys = []bnsh.Text{"a"} }},
		{"texts of binary code", "", func(f *bnsh.File) { stage(f).Texts = []wire.Hex{wire.Hex("a")} }},
		{"no property of the pool", "", func(f *bnsh.File) { f.PoolProperty = nil }},
		{"4 GiB", "", func(f *bnsh.File) {
			f.Variations = slices.Repeat(f.Variations, 2)
			f.Variations[0].Binary.ObjectSize = 0xFFFFFFFF
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := workedModel()
			x.change(f)
			b, err := f.AppendBinary(nil)
			if !errors.Is(err, diag.ErrInvalid) || b != nil {
				t.Fatalf("got %v, %d bytes; want ErrInvalid", err, len(b))
			}
			var invalid *diag.InvalidError
			if errors.As(err, &invalid) != (x.rule != "") {
				t.Fatalf("got %v", err)
			}
			if x.rule == "" {
				return
			}
			if first := diag.FirstError(invalid.Findings); first == nil || first.Rule != x.rule {
				t.Errorf("got %v, want %s", err, x.rule)
			}
		})
	}
}

// TestLargestDictionary: 65535 keys, which is all that an index can name, are written and read.
func TestLargestDictionary(t *testing.T) {
	f := workedModel()
	r := reflection(bnsh.Tables{bnsh.Inputs: {Keys: keyList("k", 65535)}})
	f.Variations[0].Binary.Reflection[bnsh.Vertex] = r
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := bnsh.Parse(b); err != nil || !g.Equal(f) {
		t.Errorf("the file that is read differs: %v", err)
	}
}

// TestStoredLayout: a parsed file keeps its places as long as they fit and is
// written in the canonical layout when they do not.
func TestStoredLayout(t *testing.T) {
	odd := func() *bnsh.File { // nothing in it is where we would put it
		f := arranged(binaryFile(2, bnsh.Vertex))
		f.Variations[1].Binary.Stages[bnsh.Vertex] = binaryCode(0, 0x20, 0x100)
		f = arranged(f.Canonical())
		l := f.Layout
		l.Gaps = []bnsh.Gap{{Offset: l.Pool.Memory + l.Pool.Size - 4, Bytes: wire.Hex{1}}}
		return f
	}
	t.Run("scalars", func(t *testing.T) {
		f := odd()
		f.APIVersion = 7
		got := mustParse(t, build(t, f))
		if got.Layout.Gaps == nil || got.APIVersion != 7 {
			t.Errorf("got %+v", got)
		}
	})
	code := func(f *bnsh.File) *bnsh.PerStage[bnsh.Code] { return &f.Variations[0].Binary.Stages }
	vertex := func(f *bnsh.File) *bnsh.StageReflection { return f.Variations[0].Binary.Reflection[bnsh.Vertex] }
	for name, change := range map[string]func(f *bnsh.File){
		"fewer variations": func(f *bnsh.File) { f.Variations = f.Variations[:1] },
		"more variations":  func(f *bnsh.File) { f.Variations = append(f.Variations, f.Variations[0]) },
		"another stage":    func(f *bnsh.File) { code(f)[bnsh.Pixel] = code(f)[bnsh.Vertex] },
		"another name":     func(f *bnsh.File) { f.Name = "other" },
		"no reflection":    func(f *bnsh.File) { f.Variations[0].Binary.Reflection = nil },
		"reflected stage":  func(f *bnsh.File) { f.Variations[0].Binary.Reflection[bnsh.Pixel] = vertex(f) },
		"another key": func(f *bnsh.File) {
			vertex(f).Tables[bnsh.Inputs].Keys = []bnsh.Text{"a", "b", "c"}
			vertex(f).Slots = make([]int32, 3)
		},
		"renamed key":  func(f *bnsh.File) { vertex(f).Tables[bnsh.Inputs].Keys[0] = "aCol" },
		"no key":       func(f *bnsh.File) { vertex(f).Tables[bnsh.Inputs].Keys, vertex(f).Slots = nil, nil },
		"an extension": func(f *bnsh.File) { vertex(f).Extended = true },
	} {
		t.Run(name, func(t *testing.T) {
			f := binaryFile(2, bnsh.Vertex)
			f.Variations[0].Binary.Reflection = workedModel().Variations[0].Binary.Reflection
			f = arranged(f)
			change(f)
			mustWrite(t, f, build(t, f.Canonical()))
			mustOwn(t, f)
		})
	}
	for name, change := range map[string]func(f *bnsh.File){
		"shared code that differs": func(f *bnsh.File) {
			f.Variations[1].Binary.Stages[bnsh.Vertex].Code = make(wire.Hex, 0x100)
		},
		"longer control": func(f *bnsh.File) {
			f.Variations[0].Binary.Stages[bnsh.Vertex].Control = make(wire.Hex, 0x1000)
		},
		"larger object":         func(f *bnsh.File) { f.Variations[0].Binary.ObjectSize *= 2 },
		"smaller object":        func(f *bnsh.File) { f.Variations[1].Binary.ObjectSize -= 8 },
		"record behind the end": func(f *bnsh.File) { f.Layout.Programs[0].Record = 0xFFFFFFF0 },
		"variations behind it":  func(f *bnsh.File) { f.Layout.Variations = 0xFFFFFFC0 },
		"gap behind the end":    func(f *bnsh.File) { f.Layout.Gaps[0].Offset = 0xFFFFFFFF },
		"strings too close":     func(f *bnsh.File) { f.Layout.Relocations = f.Layout.Strings + 8 },
		"misplaced entry":       func(f *bnsh.File) { f.Layout.Sections[0].Entries[0].Position += 8 },
	} {
		t.Run(name, func(t *testing.T) {
			f := odd()
			change(f)
			mustWrite(t, f, build(t, f.Canonical()))
			mustOwn(t, f)
		})
	}
}

// TestBrokenLayouts: a layout that was made up, as from edited JSON, is not used.
func TestBrokenLayouts(t *testing.T) {
	const seed = 11
	number := regexp.MustCompile(`:-?[0-9]+`)
	for run := range formattest.Runs(t, 500) {
		r := rand.New(rand.NewPCG(seed, uint64(run)))
		text, err := json.Marshal(arranged(random(r)))
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(text, []byte(`"layout"`))
		places := number.FindAllIndex(text[at:], -1)
		for range 1 + r.IntN(3) {
			place := places[r.IntN(len(places))]
			for i := at + place[0] + 1; i < at+place[1]; i++ {
				text[i] = byte('1' + r.IntN(9))
			}
		}
		var f bnsh.File
		if json.Unmarshal(text, &f) != nil {
			continue
		}
		b, err := f.AppendBinary(nil)
		if err != nil {
			t.Fatalf("seed %d, run %d: %v", seed, run, err)
		}
		if !format.Agree(t, b) || !mustParse(t, b).Equal(&f) {
			t.Fatalf("seed %d, run %d: another file was written", seed, run)
		}
		mustOwn(t, &f)
	}
}

// TestOutside: the error for a layout that leads outside the file says what is there, and where.
func TestOutside(t *testing.T) {
	f := arranged(random(rand.New(rand.NewPCG(3, 1))))
	f.Layout.Variations = f.Layout.Strings
	_, err := f.AppendUnchecked(nil)
	want := fmt.Sprintf(", %d bytes at 0x%x, ends after 0x%x", 64*len(f.Variations), f.Layout.Strings, f.Layout.Strings)
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %q at its end", err, want)
	}
}

// mustOwn demands regions for a file whose stored layout may be of no use.
func mustOwn(t *testing.T, f *bnsh.File) {
	t.Helper()
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		b = build(t, f.Canonical())
	}
	formattest.Partition(t, f.Regions(), b)
}

func TestEqual(t *testing.T) {
	vertex := func(f *bnsh.File) *bnsh.StageReflection { return f.Variations[0].Binary.Reflection[bnsh.Vertex] }
	code := func(f *bnsh.File) *bnsh.Code { return f.Variations[0].Binary.Stages[bnsh.Vertex] }
	if f := workedModel(); !f.Equal(mustParse(t, build(t, f))) {
		t.Error("a file is not equal to itself")
	}
	for i, change := range []func(f *bnsh.File){
		func(f *bnsh.File) { f.Name = "other" },
		func(f *bnsh.File) { f.LowLevelCompilerVersion++ },
		func(f *bnsh.File) { f.PoolProperty = nil },
		func(f *bnsh.File) { *f.PoolProperty = 1 },
		func(f *bnsh.File) { f.Variations = slices.Repeat(f.Variations, 2) },
		func(f *bnsh.File) { f.Variations[0].Source = f.Variations[0].Binary },
		func(f *bnsh.File) { f.Variations[0].Binary.Flags = 0 },
		func(f *bnsh.File) { f.Variations[0].Binary.Stages[bnsh.Pixel] = code(f) },
		func(f *bnsh.File) { f.Variations[0].Binary.Reflection = nil },
		func(f *bnsh.File) { code(f).ScratchPerWarp = 1 },
		func(f *bnsh.File) { code(f).Control[3] = 0 },
		func(f *bnsh.File) { code(f).Code[3] = 0 },
		func(f *bnsh.File) { vertex(f).Slots[1] = 7 },
		func(f *bnsh.File) { vertex(f).WorkGroup[1] = 7 },
		func(f *bnsh.File) { vertex(f).Extended = true },
		func(f *bnsh.File) { vertex(f).Tables[bnsh.Images].First = 7 },
		func(f *bnsh.File) { vertex(f).Tables[bnsh.Inputs].Keys[0] = "other" },
	} {
		f := workedModel()
		change(f)
		if f.Equal(workedModel()) || workedModel().Equal(f) {
			t.Errorf("change %d makes no difference", i)
		}
	}
}

func TestCodes(t *testing.T) {
	f := binaryFile(2, bnsh.Vertex, bnsh.Pixel)
	f.Variations[1].Source = &bnsh.Program{CodeType: bnsh.SourceArrayCode}
	f.Variations[1].Source.Stages[bnsh.Pixel] = &bnsh.Code{Texts: []wire.Hex{wire.Hex("ab"), wire.Hex("c")}}
	f.Variations[1].Source.Stages[bnsh.Compute] = &bnsh.Code{Texts: []wire.Hex{wire.Hex("ab"), wire.Hex("c")}}
	var got []string
	for c := range f.Codes() {
		got = append(got, fmt.Sprint(c.Variation, " ", c.Slot, " ", c.Stage, " ", c.Code.Size()))
	}
	want := []string{"0 binary vertex 256", "0 binary pixel 256", "1 source pixel 3", "1 source compute 3",
		"1 binary vertex 256", "1 binary pixel 256"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if c, err := f.Stage(1, bnsh.Pixel); err != nil || c.Slot != bnsh.BinarySlot ||
		c.Program != f.Variations[1].Binary {
		t.Errorf("got %+v, %v; want the binary program", c, err)
	}
	if c, err := f.Stage(0, bnsh.Pixel); err != nil || c.Variation != 0 ||
		c.Code != f.Variations[0].Binary.Stages[bnsh.Pixel] {
		t.Errorf("got %+v, %v; want the first variation", c, err)
	}
	if c, err := f.Stage(1, bnsh.Compute); err != nil {
		t.Error(err)
	} else if text := extracted(t, c.Code); text != "abc" {
		t.Errorf("got %q; want the texts", text)
	}
	if got := extracted(t, f.Variations[0].Binary.Stages[bnsh.Vertex]); got != string(
		f.Variations[0].Binary.Stages[bnsh.Vertex].Code) {
		t.Errorf("got %x, want the code", got)
	}
	for _, x := range []struct {
		variation int
		stage     bnsh.Stage
	}{{-1, bnsh.Vertex}, {2, bnsh.Vertex}, {0, bnsh.Compute}, {0, 6}} {
		if c, err := f.Stage(x.variation, x.stage); err == nil {
			t.Errorf("%v: got %+v, want an error", x, c)
		}
	}
}

// extracted returns what a code writes, and checks how much it says that is.
func extracted(t *testing.T, c *bnsh.Code) string {
	t.Helper()
	var b strings.Builder
	n, err := c.WriteTo(&b)
	if err != nil || n != c.Size() || n != int64(b.Len()) {
		t.Errorf("got %d bytes, %v; wrote %d and said %d", b.Len(), err, n, c.Size())
	}
	return b.String()
}

// TestSharedTexts: texts that are one take no memory of their own when they are
// counted or written.
func TestSharedTexts(t *testing.T) {
	const n = 60_000
	c := &bnsh.Code{Texts: slices.Repeat([]wire.Hex{make(wire.Hex, 1<<20)}, n)}
	if got := c.Size(); got != n<<20 {
		t.Errorf("got %#x bytes, want %#x", got, n<<20)
	}
	w := &fullAfter{room: 5 << 20}
	if written, err := c.WriteTo(w); !errors.Is(err, io.ErrShortWrite) || written != 5<<20 {
		t.Errorf("got %d bytes, %v; want 5 MiB and the writer's error", written, err)
	}
}

// fullAfter takes some bytes and no more.
type fullAfter struct{ room int }

func (w *fullAfter) Write(b []byte) (int, error) {
	if w.room < len(b) {
		return 0, io.ErrShortWrite
	}
	w.room -= len(b)
	return len(b), nil
}

func TestLookup(t *testing.T) {
	r := reflection(bnsh.Tables{bnsh.Inputs: {Keys: []bnsh.Text{"a", "b"}}, bnsh.Images: {Keys: []bnsh.Text{"a", "c"}}})
	r.Slots = []int32{5, 6, 7, -1}
	for _, x := range []struct {
		kind bnsh.Kind
		key  bnsh.Text
		want int32
	}{{bnsh.Inputs, "a", 5}, {bnsh.Inputs, "b", 6}, {bnsh.Images, "a", 7}, {bnsh.Images, "c", -1},
		{bnsh.Outputs, "a", -1}, {bnsh.Inputs, "c", -1}} {
		if got := r.Lookup(x.kind, x.key); got != x.want {
			t.Errorf("%v %q: got %d, want %d", x.kind, x.key, got, x.want)
		}
	}
}
