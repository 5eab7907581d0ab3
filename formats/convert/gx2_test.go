package convert_test

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
)

func gx2To(t *testing.T, name string, model convert.Model, o convert.Options) (convert.Model, convert.Report, error) {
	t.Helper()
	target, ok := convert.To(name)
	if !ok {
		t.Fatalf("no target %s", name)
	}
	return target(model, o)
}

// programs returns the shaders of the programs that a .gsh makes: for each group a vertex, a
// pixel and maybe a geometry shader. ok is false if some group lacks one, or has initial
// values.
func programs(f *gsh.File) (list [][]gx2.Shader, ok bool) {
	for _, s := range f.Shaders {
		if len(s.InitialValues) > 0 {
			return nil, false
		}
	}
	for _, group := range f.Groups() {
		var shaders []gx2.Shader
		for t, i := range group {
			if i != gsh.NoShader {
				shaders = append(shaders, f.Shaders[i].Shader)
			} else if gx2.Type(t) != gx2.Geometry {
				return nil, false
			}
		}
		list = append(list, shaders)
	}
	return list, true
}

// TestGSHThroughSHARCFB: the archive has the shaders of the .gsh, and each program of the
// archive is the canonical .gsh of its group.
func TestGSHThroughSHARCFB(t *testing.T) {
	files := map[string][]byte{}
	for _, name := range samples.Glob(t, "gsh/*.gsh") {
		files[name] = samples.Read(t, name)
	}
	const seed = 1
	for n := range uint64(200) {
		files["odd file "+strconv.FormatUint(n, 10)] = gshgen.Format.Odd(gen.From(gen.Seed(seed, n)))
	}
	whole := 0
	for name, b := range files {
		f, err := gsh.Parse(b)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, name, err)
		}
		groups, ok := programs(f)
		archive, _, err := gx2To(t, "sharcfb", f, convert.Options{})
		if refused := new(convert.RefusedError); errors.As(err, &refused) != !ok || err == nil != ok {
			t.Errorf("seed %d, %s: got %v, want a refusal: %t", seed, name, err, !ok)
		}
		if !ok || len(groups) == 0 {
			continue
		}
		whole++
		for k, group := range groups {
			back, _, err := gx2To(t, "gsh", archive, convert.Options{Shader: "program" + strconv.Itoa(k)})
			if err != nil {
				t.Errorf("seed %d, %s: back: %v", seed, name, err)
				continue
			}
			want := &gsh.File{Style: gsh.StyleN}
			for i := range group {
				want.Shaders = append(want.Shaders, gsh.Shader{Shader: group[i].Canonical()})
			}
			wanted, _ := want.AppendBinary(nil)
			if got, err := back.AppendBinary(nil); err != nil || !bytes.Equal(got, wanted) {
				t.Errorf("seed %d, %s: program %d came back as another file: %v", seed, name, k, err)
			}
		}
	}
	if whole < 20 {
		t.Errorf("seed %d: %d files with whole groups, want 20", seed, whole)
	}
}

// dropped returns the paths of lost fields, without the names of programs.
func dropped(r convert.Report) (paths []string) {
	for _, l := range r {
		if l.Kind != convert.Invented && l.Path != "programs[0].name" {
			paths = append(paths, l.Path)
		}
	}
	return paths
}

// plain returns the bytes of an archive without the content that a .gsh never has; nil if
// there is no program.
func plain(f *sharcfb.File) []byte {
	if len(f.Programs) == 0 {
		return nil
	}
	p := &f.Programs[0]
	first, n := p.Binary(0, 0), p.Kind.Stages()
	if first < 0 || first+n > len(f.Binaries) {
		return nil
	}
	b, err := (&sharcfb.File{
		Endian: sharcfb.Big, Binaries: f.Binaries[first:][:n],
		Programs: []sharcfb.Program{{Name: p.Name, Kind: p.Kind}},
	}).AppendBinary(nil)
	if err != nil {
		return nil
	}
	return b
}

// TestLossesAreComplete: a file without reported losses, there and back, comes back byte for
// byte. The name of the program has no place in a .gsh.
func TestLossesAreComplete(t *testing.T) {
	const seed = 1
	whole := map[string]int{}
	try := func(name, format string, f convert.Model, b []byte, there, back string) {
		g, lost, err := gx2To(t, there, f, convert.Options{})
		if err != nil {
			return // refused, or a choice
		}
		h, lostToo, err := gx2To(t, back, g, convert.Options{})
		if err != nil || len(dropped(lost)) > 0 || len(dropped(lostToo)) > 0 {
			return
		}
		if a, ok := f.(*sharcfb.File); ok {
			h.(*sharcfb.File).Programs[0].Name = a.Programs[0].Name
		}
		whole[format]++
		if got, err := h.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
			t.Errorf("seed %d, %s: nothing is reported as lost (%v, %v), and another file came back: %v", seed,
				name, lost, lostToo, err)
		}
	}
	gshs := func(name string, b []byte) {
		if f, err := gsh.Parse(b); err == nil {
			try(name, "gsh", f, b, "sharcfb", "gsh")
		}
	}
	archives := func(name string, b []byte) {
		if f, err := sharcfb.Parse(b); err == nil {
			try(name, "sharcfb", f, b, "gsh", "sharcfb")
		}
	}
	runs := uint64(1000)
	if testing.Short() {
		runs = 300
	}
	for n := range runs {
		name, source := "file "+strconv.FormatUint(n, 10), func() *gen.Choices { return gen.From(gen.Seed(seed, n)) }
		gshs(name, gshgen.File(source()))
		gshs("odd "+name, gshgen.Format.Odd(source()))
		archives(name, sharcfbgen.File(source()))
		archives("odd "+name, sharcfbgen.Format.Odd(source()))
		archives("plain "+name, plain(sharcfbgen.Model(source())))
	}
	for _, format := range []string{"gsh", "sharcfb"} {
		if n := whole[format]; n < 5 {
			t.Errorf("seed %d: %d files of format %s come back, want 5", seed, n, format)
		}
	}
}

// TestLossesOfGSH: each field that only a .gsh has is reported.
func TestLossesOfGSH(t *testing.T) {
	for path, edit := range map[string]func(f *gsh.File){
		"":                               func(*gsh.File) {},
		"align layout.blocks":            func(f *gsh.File) { f.Align = 2 },
		"layout.reserved":                func(f *gsh.File) { f.Layout.Reserved = 1 },
		"layout.tail":                    func(f *gsh.File) { f.Layout.Tail = []byte{0} },
		"layout.blocks[1].minor_version": func(f *gsh.File) { f.Layout.Blocks[1].Minor = 1 },
		"layout.blocks[3].id":            func(f *gsh.File) { f.Layout.Blocks[3].ID = 9 },
		"layout.blocks[2].index":         func(f *gsh.File) { f.Layout.Blocks[2].Index = 1 },
		"layout.blocks": func(f *gsh.File) {
			b := f.Layout.Blocks
			b[1], b[2] = b[2], b[1] // both headers first
		},
		"layout.blocks[1].padding layout.blocks": func(f *gsh.File) {
			f.Layout.Blocks = slices.Insert(f.Layout.Blocks, 1, gsh.Block{Type: gsh.Padding, Padding: []byte{1}})
		},
		"opaque layout.blocks": func(f *gsh.File) {
			f.Opaque = []wire.Hex{{1}}
			f.Layout.Blocks = slices.Insert(f.Layout.Blocks, 4, gsh.Block{Type: 11})
		},
		"shaders": func(f *gsh.File) {
			f.Shaders[0], f.Shaders[1] = f.Shaders[1], f.Shaders[0]
			b := f.Layout.Blocks
			b[0], b[1], b[2], b[3] = b[2], b[3], b[0], b[1]
		},
		"shaders[0].slack.unknown":     func(f *gsh.File) { f.Shaders[0].Slack.Unknown = 1 },
		"shaders[0].slack.text_offset": func(f *gsh.File) { f.Shaders[0].Slack.TextOffset -= 4 },
		"shaders[1].slack.gap":         func(f *gsh.File) { f.Shaders[1].Slack.Gap = make([]byte, 8, 9)[:7] },
		"shaders[0].slack.patches":     func(f *gsh.File) { slices.Reverse(f.Shaders[0].Slack.Patches) },
		"shaders[1].layout.gaps shaders[1].layout": func(f *gsh.File) {
			l := f.Shaders[1].Layout
			l.Gaps = []gx2.Gap{{Offset: l.Size, Bytes: []byte{1, 2, 3, 4}}}
			l.Size += 4
		},
	} {
		pair, err := gsh.Parse(samples.Read(t, "gsh/g01_vertex_pixel.gsh"))
		if err != nil {
			t.Fatal(err)
		}
		pair = pair.Canonical()
		pair.Style = gsh.StyleN
		b, err := pair.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if pair, err = gsh.Parse(b); err != nil {
			t.Fatal(err)
		}
		edit(pair)
		_, report, err := gx2To(t, "sharcfb", pair, convert.Options{})
		if got := strings.Join(dropped(report), " "); err != nil || got != path {
			t.Errorf("got %q, %v, want %q", got, err, path)
		}
	}
	f, err := gsh.Parse(samples.Read(t, "gsh/g01_vertex_pixel.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	if _, report, err := gx2To(t, "sharcfb", f, convert.Options{}); err != nil ||
		!slices.Equal(dropped(report), []string{"style"}) {
		t.Errorf("style D: got %v, %v", report, err)
	}
}

// TestGroupsOfTwoKinds: a program for each group, with a geometry shader or without.
func TestGroupsOfTwoKinds(t *testing.T) {
	parse := func(name string) *gsh.File {
		f, err := gsh.Parse(samples.Read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		return f.Canonical()
	}
	f := parse("gsh/g03_geometry_copy.gsh")
	f.Shaders = append(f.Shaders, parse("gsh/g01_vertex_pixel.gsh").Shaders...)
	m, _, err := gx2To(t, "sharcfb", f, convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := m.(*sharcfb.File)
	if len(a.Programs) != 2 || a.Programs[0].Kind != sharcfb.VertexPixelGeometry ||
		a.Programs[1].Kind != sharcfb.VertexPixel || a.Programs[1].BaseIndex != 3 {
		t.Errorf("got %+v", a.Programs)
	}
}

// TestSHARCFBThroughGSH: the shaders of every variation are kept.
func TestSHARCFBThroughGSH(t *testing.T) {
	const seed = 1
	for n := range uint64(100) {
		f := sharcfbgen.Model(gen.From(gen.Seed(seed, n)))
		b, err := f.AppendBinary(nil)
		if err != nil {
			continue
		}
		if f, err = sharcfb.Parse(b); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for v := range f.Variations() {
			name := string(f.Programs[v.Program].Name)
			if first, _ := f.Program(name); name == "" || first != v.Program {
				continue
			}
			seen[name] = true
			g, report, err := gx2To(t, "gsh", f, convert.Options{Shader: name, Entry: strconv.Itoa(v.Index)})
			if err != nil {
				t.Fatalf("seed %d, archive %d: %v", seed, n, err)
			}
			if !report.Lost() { // at least the name of the program
				t.Errorf("seed %d, archive %d: nothing is reported as lost", seed, n)
			}
			for i, binary := range v.Binaries {
				if got := g.(*gsh.File).Shaders[i].Shader; !got.Equal(&f.Binaries[binary].Shader) {
					t.Errorf("seed %d, archive %d: shader %d of %v differs", seed, n, i, v)
				}
			}
		}
		if len(seen) > 0 {
			if _, _, err := gx2To(t, "gsh", f,
				convert.Options{Shader: "no such program"}); !errors.Is(err, convert.ErrChoice) {
				t.Errorf("seed %d, archive %d: got %v, want a choice", seed, n, err)
			}
		}
	}
}

// TestGX2Refusals: files without GX2 shaders, or without a place in an archive.
func TestGX2Refusals(t *testing.T) {
	for name, f := range shbins(t) {
		for _, target := range convert.GX2Targets {
			if _, _, err := target.Convert(f, convert.Options{}); !errors.Is(err, convert.ErrNoGX2) {
				t.Errorf("%s to %s: got %v", name, target.Name, err)
			}
		}
	}
	vertex, err := gsh.Parse(samples.Read(t, "gsh/g02_vertex_only.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	refused := new(convert.RefusedError)
	if _, _, err := gx2To(t, "sharcfb", vertex, convert.Options{}); !errors.As(err, &refused) ||
		refused.Path != "shaders" {
		t.Errorf("a vertex shader alone: got %v", err)
	}
	pair, err := gsh.Parse(samples.Read(t, "gsh/g01_vertex_pixel.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	pair.Shaders[1].InitialValues = make([]gx2.InitialValue, 1)
	if _, _, err := gx2To(t, "sharcfb", pair, convert.Options{}); !errors.As(err, &refused) ||
		refused.Path != "shaders[1].initial_values" {
		t.Errorf("initial values: got %v", err)
	}
}

// TestChoiceOfPrograms: one program and one variation of an archive is chosen by name and number;
// the other programs are counted as lost.
func TestChoiceOfPrograms(t *testing.T) {
	f, err := gsh.Parse(samples.Read(t, "gsh/g01_vertex_pixel.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := gx2To(t, "sharcfb", f, convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := m.(*sharcfb.File)
	for _, name := range []string{"b", "c"} {
		p := a.Programs[0]
		p.Name = wire.Text(name)
		a.Programs = append(a.Programs, p)
	}
	name := string(a.Programs[0].Name)
	if got, want := convert.Choices(a), []convert.Options{{Shader: name, Entry: "0"}, {Shader: "b", Entry: "0"},
		{Shader: "c", Entry: "0"}}; !slices.Equal(got, want) {
		t.Errorf("choices: got %v, want %v", got, want)
	}
	for _, entry := range []string{"x", "1", "-1", "99999999999999999999"} {
		_, _, err := gx2To(t, "gsh", a, convert.Options{Shader: "b", Entry: entry})
		if !errors.Is(err, convert.ErrChoice) {
			t.Errorf("variation %s: got %v", entry, err)
		}
	}
	_, report, err := gx2To(t, "gsh", a, convert.Options{Shader: "b", Entry: "0"})
	if i := slices.IndexFunc(report, func(l convert.Loss) bool { return l.Path == "programs" }); err != nil || i < 0 ||
		report[i].Was != "2 programs" {
		t.Errorf("got %v, %v, want 2 programs lost", report, err)
	}
	a.Programs[1].BaseIndex = 99
	if _, _, err := gx2To(t, "gsh", a, convert.Options{Shader: "c"}); !errors.Is(err, diag.ErrInvalid) {
		t.Errorf("an archive that cannot be written: %v", err)
	}
}
