package diff_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
)

func binaryOf(t *testing.T, m convert.Model) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantPaths compares two models both ways, and checks the report of the losses from b on the
// way to a target.
func wantPaths(t *testing.T, name string, a, b convert.Model, target string, want ...string) {
	t.Helper()
	for _, pair := range [][2]convert.Model{{a, b}, {b, a}} {
		var got []string
		for _, d := range compare(t, pair[0], pair[1]).Differences {
			got = append(got, d.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: differences at %q, want %q", name, got, want)
		}
	}
	format, _ := convert.ByName(target)
	_, report, err := format.Convert(b, convert.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, path := range want {
		if !slices.ContainsFunc(report,
			func(l convert.Loss) bool { return l.Kind == convert.Dropped && strings.HasPrefix(path, l.Path) }) {
			t.Errorf("%s to %s: no report of %s: %v", name, target, path, report)
		}
	}
}

// TestCGFXRest: the content of a CGFX besides its shaders is compared, and its loss is
// reported.
func TestCGFXRest(t *testing.T) {
	program := program([]uint32{movO0V0, end}, xyzw)
	plain := binaryOf(t, &cgfx.File{Objects: []cgfx.Object{{Name: "Shader", DVLB: binaryOf(t, program)}}})
	parse := func(b []byte) *cgfx.File {
		f, err := cgfx.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	shader := bytes.Index(plain, []byte("SHDR")) - 4
	name := bytes.Index(plain, []byte("Shader\x00"))
	for _, c := range []struct {
		name string
		at   int
		word uint32
		want string
	}{
		{"revision", 0x08, 0x04000000, "header.revision"},
		{"models without a count", 0x20, 0x40, "data.kinds[0].dict"},
		{"models", 0x1C, 1, "data.kinds[0].count"},
		{"object revision", shader + 0x08, 0x05000000, "shaders[0].revision"},
		{"metadata", shader + 0x10, 1, "shaders[0].metadata.count"},
		{"metadata without a count", shader + 0x14, 8, "shaders[0].metadata.pointer"},
		{"commands without a count", shader + 0x24, 8, "shaders[0].commands_a.pointer"},
		{"padding", shader + 0x38, 1, "shaders[0].padding"},
		{"another name", shader + 0x0C, uint32(name + 2 - shader - 0x0C), "shaders[0].name"},
	} {
		b := bytes.Clone(plain)
		binary.LittleEndian.PutUint32(b[c.at:], c.word)
		want := []string{c.want}
		if c.name == "models" {
			binary.LittleEndian.PutUint32(b[0x20:], 0x40)
			want = append(want, "data.kinds[0].dict")
		}
		wantPaths(t, c.name, parse(plain), parse(b), "csdr", want...)
		wantPaths(t, c.name, parse(plain), parse(b), "shbin", want...)
	}
	behind := parse(append(bytes.Clone(plain), "HIDDEN"...))
	wantPaths(t, "bytes behind", parse(plain), behind, "csdr", "tail")
	commands := append(bytes.Clone(plain), 1, 2, 3, 4)
	binary.LittleEndian.PutUint32(commands[0x0C:], uint32(len(commands)))
	binary.LittleEndian.PutUint32(commands[shader+0x20:], 1)
	binary.LittleEndian.PutUint32(commands[shader+0x24:], uint32(len(plain)-shader-0x24))
	wantPaths(t, "commands", parse(plain), parse(commands), "shbin", "shaders[0].commands_a.count",
		"shaders[0].commands_a")
}

// TestCSDRRest does the same for a text.
func TestCSDRRest(t *testing.T) {
	program := program([]uint32{movO0V0, end}, xyzw)
	plain := string(binaryOf(t,
		&csdr.File{Version: "0.7.0",
			Objects: []csdr.Object{{Name: "A", DVLB: binaryOf(t, program), EditData: "<EditData/>"}}}))
	parse := func(text string) *csdr.File {
		f, err := csdr.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct{ name, old, with, want string }{
		{"namespace", `Namespace=""`, `Namespace="Foo"`, "namespace"},
		{"comment", "<Shaders>", "<Shaders><!-- licence -->", "outline.comment"},
		{"comment in the data", "</BinaryData>", "<!-- here --></BinaryData>", "outline.comment"},
		{"element", "<Shaders>", "<Shaders><X/>", "outline.element"},
		{"attribute", "<Shaders>", `<Shaders x="1">`, "outline.attribute"},
		{"instruction", "<Shaders>", "<Shaders><?a b?>", "outline.instruction"},
		{"EditData", "<EditData/>", "<EditData/><EditData>2</EditData>", "shaders[0].edit_data"},
		{"text", "</ShaderCtr>", "</ShaderCtr>text", "outline.text"},
	} {
		wantPaths(t, c.name, parse(plain), parse(strings.Replace(plain, c.old, c.with, 1)), "bcsdr", c.want)
	}
	// A report has no limit of findings for each rule.
	to, _ := convert.ByName("shbin")
	_, report, err := to.Convert(parse(strings.Replace(plain, "<Shaders>", "<Shaders>"+strings.Repeat("<X/>", 150),
		1)), convert.Options{})
	n := 0
	for _, l := range report {
		if l.Path == "outline.element" {
			n++
		}
	}
	if err != nil || n != 150 {
		t.Errorf("%d unknown elements reported, want 150; error %v", n, err)
	}
}

// TestGaps: bytes without an owner are compared.
func TestGaps(t *testing.T) {
	f := program([]uint32{movO0V0, end}, xyzw)
	behind, err := shbin.Parse(append(binaryOf(t, f), "SECRET"...))
	if err != nil {
		t.Fatal(err)
	}
	wantPaths(t, "SHBIN", f, behind, "zpsh", "layout.gaps")
	wantPaths(t, "SHBIN", f, behind, "dvoj", "layout.gaps")
	hidden, err := shbin.Parse(append(binaryOf(t, f), "HIDDEN"...))
	if err != nil {
		t.Fatal(err)
	}
	want := diff.Difference{Path: "layout.gaps", A: `"SECRET"`, B: `"HIDDEN"`}
	if got := compare(t, behind, hidden).Differences; !slices.Equal(got, []diff.Difference{want}) {
		t.Errorf("got %v, want %v", got, want)
	}
	named := func(names string) *shbin.File {
		f := program([]uint32{end}, xyzw)
		f.DVLP.Lines, f.DVLP.FileNames = []shbin.Line{{Line: 1}}, wire.Hex(names)
		return f
	}
	wantPaths(t, "file names", named("f\x00"), named("f\x00g\x00"), "zpsh", "dvlp.file_names")
	o := &dvoj.File{Unknown: 0xFFFFFFFF, Code: []uint32{end}}
	object, err := dvoj.Parse(append(binaryOf(t, o), 0xFF, 0xFF, 0xFF, 0xFF))
	if err != nil {
		t.Fatal(err)
	}
	wantPaths(t, "DVOJ", o, object, "shbin", "layout.gaps")
	z := func(l *zpsh.Layout, strings string) *zpsh.File {
		return &zpsh.File{Revision: zpsh.R4, Code: []uint32{end}, Strings: wire.Hex(strings), Layout: l,
			Entries: []zpsh.Entry{{R4Header: zpsh.R4Header{HeaderWords: 4}}}}
	}
	wantPaths(t, "ZPSH", z(nil, "main\x00\x00\x00\x00"),
		z(&zpsh.Layout{Tail: wire.Hex{1}}, "main\x00\x00\x00\x00"), "shbin", "tail")
	want = diff.Difference{Path: "header.hash", B: "01000000"}
	hashed := z(&zpsh.Layout{Hash: new(uint32(1))}, "")
	if got := compare(t, z(nil, ""), hashed).Differences; !slices.Equal(got, []diff.Difference{want}) {
		t.Errorf("got %v, want %v", got, want)
	}
	want = diff.Difference{Path: "entries[0].name", A: `"a"`, B: `"b"`}
	if got := compare(t, z(nil, "a\x00"), z(nil, "b\x00")).Differences; !slices.Equal(got, []diff.Difference{want}) {
		t.Errorf("got %v, want %v", got, want)
	}
	wantPaths(t, "strings", z(nil, "main\x00\x00\x00\x00"), z(nil, "main\x00xxx"), "shbin", "strings")
}

// TestChoice: a choice is made in both archives, and must exist.
func TestChoice(t *testing.T) {
	one, other := program([]uint32{movO0V0, end}, xyzw), program([]uint32{movO0V1, end}, xyzw)
	object := func(name wire.Text, f *shbin.File) cgfx.Object { return cgfx.Object{Name: name, DVLB: binaryOf(t, f)} }
	a := &cgfx.File{Objects: []cgfx.Object{object("A", one), object("B", one)}}
	b := &cgfx.File{Objects: []cgfx.Object{object("B", one), object("A", other)}}
	for _, c := range []struct {
		a, b   convert.Model
		choice convert.Options
		want   int // -1 for a choice that does not exist
	}{
		{a, b, convert.Options{Shader: "B"}, 0},
		{a, b, convert.Options{Shader: "A"}, 1},
		{a, b, convert.Options{Shader: "C"}, -1},
		{a, one, convert.Options{Shader: "A"}, 0},
		{other, b, convert.Options{Shader: "A"}, 0},
		{one, b, convert.Options{Shader: "A"}, 1},
		{one, other, convert.Options{Shader: "A"}, -1},
		{a, b, convert.Options{Entry: "nobody"}, -1},
		{one, other, convert.Options{Entry: "nobody"}, -1},
		{one, other, convert.Options{Entry: "0"}, 1},
	} {
		r, err := diff.Models(c.a, c.b, c.choice)
		switch {
		case c.want < 0 && !errors.Is(err, convert.ErrChoice), c.want >= 0 && err != nil:
			t.Errorf("%+v: error %v", c.choice, err)
		case c.want >= 0 && len(r.Differences) != c.want:
			t.Errorf("%+v: got %v, want %d", c.choice, r.Differences, c.want)
		}
	}
	if _, err := diff.Models(new(cgfx.File), one, convert.Options{}); !errors.Is(err, convert.ErrSource) {
		t.Errorf("an empty archive: %v", err)
	}
}
