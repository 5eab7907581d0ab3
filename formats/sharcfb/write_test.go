package sharcfb_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestFullModel writes models with everything in them, and reads them back.
func TestFullModel(t *testing.T) {
	for _, endian := range []sharcfb.Endian{sharcfb.Big, sharcfb.Little} {
		model := fullModel(endian)
		b := mustAppend(t, model)
		f := mustParse(t, b)
		if !f.Equal(model) {
			t.Errorf("%s endian: read back as another model", endian)
		}
		testForms(t, b, true)
		out, err := f.AppendBinary([]byte("before"))
		if err != nil || !bytes.Equal(out, append([]byte("before"), b...)) {
			t.Errorf("%s endian: appended behind other bytes it differs: %v", endian, err)
		}
	}
}

// TestRefusedModels spoils a model in one way each: the writer names the rule,
// or says that no bytes can hold it, and gives no bytes.
func TestRefusedModels(t *testing.T) {
	for _, c := range []struct {
		name  string
		rule  string // "" for a model without bytes
		spoil func(f *sharcfb.File)
	}{
		{"byte order", "SHARC004", func(f *sharcfb.File) { f.Endian = 2 }},
		{"NUL in the archive name", "SHARC008", func(f *sharcfb.File) { f.Name = "a\x00b" }},
		{"NUL in a program name", "SHARC008", func(f *sharcfb.File) { f.Programs[0].Name = "\x00" }},
		{"kind", "SHARC031", func(f *sharcfb.File) { f.Programs[0].Kind = 5 }},
		{"base index", "SHARC032", func(f *sharcfb.File) { f.Programs[1].BaseIndex = 13 }},
		{"stage", "SHARC035", func(f *sharcfb.File) { f.Programs[1].BaseIndex = 11 }},
		{"NUL in a value", "SHARC040", func(f *sharcfb.File) { f.Programs[0].Macros[0].Values[0] = "n\x00o" }},
		{"no values", "SHARC041", func(f *sharcfb.File) { f.Programs[0].Macros[0].Values = nil }},
		{"empty value", "SHARC042", func(f *sharcfb.File) { f.Programs[0].Macros[0].Values[1] = "" }},
		{"too many variations", "SHARC044", func(f *sharcfb.File) {
			for range 16 {
				f.Programs[0].Macros = append(f.Programs[0].Macros, f.Programs[0].Macros[0])
			}
		}},
		{"enable bytes", "SHARC051", func(f *sharcfb.File) { f.Programs[0].Samplers[0].Enable = []byte{1} }},
		{"enable value", "SHARC052", func(f *sharcfb.File) { f.Programs[0].Samplers[0].Enable = []byte{1, 1, 1, 2} }},
		{"default value", "SHARC054", func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Default = []byte{1} }},
		{"register count", "GX2002", func(f *sharcfb.File) { f.Binaries[0].Registers[3] = 11 }},
		{"no code", "GX2010", func(f *sharcfb.File) { f.Binaries[1].Code = nil }},
		{"no copy program", "GX2014", func(f *sharcfb.File) { f.Binaries[2].CopyCode = nil }},
		{"mode", "GX2020", func(f *sharcfb.File) { f.Binaries[1].Mode = 4 }},
		{"stream-out flag", "GX2022", func(f *sharcfb.File) { f.Binaries[0].Stream.Enabled = 2 }},
		{"unknown type", "", func(f *sharcfb.File) { f.Binaries[0].Type = 3 }},
		{"missing register", "", func(f *sharcfb.File) { f.Binaries[0].Registers = f.Binaries[0].Registers[1:] }},
		{"pixel shader with attributes", "",
			func(f *sharcfb.File) { f.Binaries[1].Attributes = f.Binaries[0].Attributes }},
		{"pixel shader with a stride", "", func(f *sharcfb.File) { f.Binaries[1].Stream.Strides[3] = 4 }},
		{"vertex shader with a copy program", "", func(f *sharcfb.File) { f.Binaries[0].CopyCode = []byte{1} }},
		{"NUL in a shader's name", "", func(f *sharcfb.File) { f.Binaries[1].Samplers[0].Name = "a\x00" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fullModel(sharcfb.Big)
			c.spoil(f)
			b, err := f.AppendBinary([]byte("x"))
			if string(b) != "x" || !errors.Is(err, diag.ErrInvalid) {
				t.Fatalf("got %d bytes, %v; want the slice unchanged and ErrInvalid", len(b), err)
			}
			invalid, ok := errors.AsType[*diag.InvalidError](err)
			if ok != (c.rule != "") || ok && diag.FirstError(invalid.Findings).Rule != c.rule {
				t.Errorf("got %v, want rule %q", err, c.rule)
			}
			if f.Regions() != nil {
				t.Error("a refused model has regions")
			}
		})
	}
}

// TestStoredLayout changes models that were parsed.
func TestStoredLayout(t *testing.T) {
	parsed := func() *sharcfb.File { return mustParse(t, mustAppend(t, fullModel(sharcfb.Big))) }
	for _, c := range []struct {
		name   string
		change func(f *sharcfb.File)
		want   error
	}{
		{"register", func(f *sharcfb.File) { f.Binaries[0].Registers[0] = 7 }, nil},
		{"longer code", func(f *sharcfb.File) { f.Binaries[0].Code = make([]byte, 999) }, nil},
		{"no samplers", func(f *sharcfb.File) { f.Binaries[0].Samplers = nil }, nil},
		{"another loop variable",
			func(f *sharcfb.File) { f.Binaries[0].Loops = append(f.Binaries[0].Loops, gx2.LoopVar{9}) }, nil},
		{"shorter name", func(f *sharcfb.File) { f.Binaries[1].Samplers[0].Name = "tex" }, nil},
		{"one of two names that share bytes", func(f *sharcfb.File) { f.Binaries[0].Uniforms[1].Name = "mat" }, nil},
		{"longer name", func(f *sharcfb.File) { f.Binaries[0].Blocks[0].Name = "Matrices" }, nil},
		{"longer archive name", func(f *sharcfb.File) { f.Name = "longer" }, nil},
		{"program list", func(f *sharcfb.File) { f.Programs = f.Programs[:1] }, nil},
		{"layout behind its end", func(f *sharcfb.File) { f.Binaries[0].Layout.Program.Offset += 0x1000 },
			diag.ErrLayout},
		{"name behind the end", func(f *sharcfb.File) { f.Binaries[0].Layout.Names[0].Offset = 0xFFFFFFFF },
			diag.ErrLayout},
		{"table behind the end", func(f *sharcfb.File) { f.Binaries[0].Layout.Tables[4].Offset = 0xFFFFFFF0 },
			diag.ErrLayout},
		{"gap behind the end", func(f *sharcfb.File) {
			f.Binaries[0].Layout.Gaps = []gx2.Gap{{Offset: f.Binaries[0].Layout.Size, Bytes: []byte{1}}}
		}, diag.ErrLayout},
		{"no room for the structure", func(f *sharcfb.File) { f.Binaries[0].Layout.Size = 4 }, diag.ErrLayout},
		{"overlapping tables",
			func(f *sharcfb.File) { f.Binaries[0].Layout.Tables[4].Offset = f.Binaries[0].Layout.Tables[0].Offset },
			diag.ErrInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parsed()
			layout := *f.Binaries[0].Layout
			layout.Names = slices.Clone(layout.Names)
			f.Binaries[0].Layout = &layout
			c.change(f)
			b, err := f.AppendBinary(nil)
			if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			canonical := mustAppend(t, f.Canonical())
			if got := mustParse(t, canonical); !got.Equal(f) {
				t.Error("the canonical form has another content")
			}
			if err == nil && !mustParse(t, b).Equal(f) {
				t.Error("read back as another model")
			}
		})
	}
}

// TestRenamed changes a name of a shader that is not canonical: of another
// length, or no longer the one it shared bytes with, it has the shader laid out
// anew; of the same length, it is put where it was.
func TestRenamed(t *testing.T) {
	parsed := func() *sharcfb.File {
		f := fullModel(sharcfb.Big)
		f.Binaries[0].Layout = mustParse(t, mustAppend(t, f)).Binaries[0].Layout
		f.Binaries[0].Layout.Gaps = []gx2.Gap{{Offset: f.Binaries[0].Layout.Program.Offset - 4, Bytes: []byte("gap")}}
		return mustParse(t, mustAppend(t, f))
	}
	for name, anew := range map[string]bool{"": true, "M": true, "Mty": false, "Matrix": true,
		strings.Repeat("long", 500): true} {
		f := parsed()
		f.Binaries[0].Blocks[0].Name = wire.Text(name)
		b := mustAppend(t, f)
		if !mustParse(t, b).Equal(f) {
			t.Errorf("%.9q: read back as another model", name)
		}
		if got := bytes.Equal(b, mustAppend(t, f.Canonical())); got != anew {
			t.Errorf("%.9q: laid out anew is %v, want %v", name, got, anew)
		}
	}
}

// TestRepeatedNames writes a name that two tables use twice and refers to the
// first.
func TestRepeatedNames(t *testing.T) {
	f := workedModel()
	p := &f.Binaries[1]
	p.Blocks = []gx2.UniformBlock{{Name: "a"}, {Name: "tex", Location: 1}}
	p.Uniforms = []gx2.UniformVar{{Name: "tex", Block: gx2.NoBlock}, {Name: "", Block: gx2.NoBlock},
		{Name: "a", Block: gx2.NoBlock}}
	p.Samplers = []gx2.SamplerVar{{Name: "tex"}, {Name: "", Location: 1}, {Name: "b"}}
	b := mustAppend(t, f)
	got := mustParse(t, b).Binaries[1].Layout
	at := uint32(0xE8 + 2*12 + 3*20 + 3*12)
	want := []uint32{at, at + 2, at + 2, at + 10, at, at + 2, at + 10, at + 18}
	for i := range want {
		if got.Names[i].Offset != want[i] {
			t.Errorf("name %d: got 0x%x, want 0x%x", i, got.Names[i].Offset, want[i])
		}
	}
	text := b[0x218+at:][:20]
	if string(text) != "a\x00tex\x00tex\x00\x00a\x00tex\x00\x00b\x00" {
		t.Errorf("got names %q", text)
	}
	rules := map[string]int{}
	for _, f := range plain(sharcfb.Check(b)) {
		rules[f.Rule]++
	}
	if rules["SHARC061"] != 0 || rules["GX2047"] != 2 {
		t.Errorf("got findings %v, want two of GX2047 and none of SHARC061", rules)
	}
}

// TestOtherVersions refuses what is no archive of version 8 and says what it is.
func TestOtherVersions(t *testing.T) {
	for _, c := range []struct {
		head string
		kind error
		text string
	}{
		{"SHAB\x00\x00\x00\x09", diag.ErrUnsupported, "found 9, the archive of the Switch"},
		{"BAHS\x09\x00\x00\x00", diag.ErrUnsupported, "found 9, the archive of the Switch"},
		{"BAHS\x07\x00\x00\x00", diag.ErrUnsupported, "expected 8, found 7"},
		{"SHAA\x00\x00\x00\x0B", diag.ErrUnsupported, "found a source archive of version 11"},
		{"AAHS\x0D\x00\x00\x00", diag.ErrUnsupported, "found a source archive of version 13"},
		{"FMAA\x08\x00\x00\x00", diag.ErrMalformed, `found "FMAA"`},
	} {
		b := append([]byte(c.head), make([]byte, 0x20)...)
		f, err := sharcfb.Parse(b)
		if f != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: got %v, want %q and kind %v", c.head, err, c.text, c.kind)
		}
	}
}

// TestTextOfNames keeps names that are not UTF-8.
func TestTextOfNames(t *testing.T) {
	f := workedModel()
	f.Name, f.Programs[0].Name = "\xff\\", wire.Text("日本")
	b := mustAppend(t, f)
	testForms(t, b, true)
}
