package convert_test

import (
	"bytes"
	"errors"
	"strconv"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
)

func gx2To(t *testing.T, name string, model convert.Model, o convert.Options) (convert.Model, convert.Report, error) {
	t.Helper()
	target, ok := convert.GX2ByName(name)
	if !ok {
		t.Fatalf("no target %s", name)
	}
	return target.Convert(model, o)
}

// programs returns the groups of a .gsh that make programs, ok is false when not
// every one is whole.
func programs(f *gsh.File) (groups [][]gx2.Shader, ok bool) {
	var lists [3][]gx2.Shader
	for i := range f.Shaders {
		s := f.Shaders[i].Shader
		lists[s.Type] = append(lists[s.Type], s)
		if len(s.InitialValues) > 0 {
			return nil, false
		}
	}
	if len(lists[0]) != len(lists[1]) || len(lists[2]) > 0 && len(lists[2]) != len(lists[0]) {
		return nil, false
	}
	for k := range lists[0] {
		group := []gx2.Shader{lists[0][k], lists[1][k]}
		if len(lists[2]) > 0 {
			group = append(group, lists[2][k])
		}
		groups = append(groups, group)
	}
	return groups, true
}

// TestGSHThroughSHARCFB: the shaders of a .gsh are those of the archive, and each
// program of the archive is the canonical .gsh of its group.
func TestGSHThroughSHARCFB(t *testing.T) {
	files := map[string][]byte{}
	for _, name := range samples.Glob(t, "gsh/*.gsh") {
		files[name] = samples.Read(t, name)
	}
	const seed = 1
	for n := range uint64(200) {
		files["odd file "+strconv.FormatUint(n, 10)] = gen.Written(gshgen.Model)(gen.From(gen.Seed(seed, n)))
	}
	whole := 0
	for name, b := range files {
		f, err := gsh.Parse(b)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, name, err)
		}
		groups, ok := programs(f)
		archive, report, err := gx2To(t, "sharcfb", f, convert.Options{})
		if refused := new(convert.RefusedError); errors.As(err, &refused) != !ok || err == nil != ok {
			t.Errorf("seed %d, %s: got %v, want a refusal: %t", seed, name, err, !ok)
		}
		if !ok || len(groups) == 0 {
			continue
		}
		whole++
		if lost := f.Align != 0 || f.Style != gsh.StyleD || len(f.Opaque) > 0 || f.Layout.Reserved != 0 || len(f.Layout.Tail) > 0; lost && !report.Lost() {
			t.Errorf("seed %d, %s: nothing is reported as lost: %v", seed, name, report)
		}
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

// TestSHARCFBThroughGSH: the shaders of every variation come through.
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
			if !report.Lost() { // the name of the program at least
				t.Errorf("seed %d, archive %d: nothing is reported as lost", seed, n)
			}
			for i, binary := range v.Binaries {
				if got := g.(*gsh.File).Shaders[i].Shader; !got.Equal(&f.Binaries[binary].Shader) {
					t.Errorf("seed %d, archive %d: shader %d of %v differs", seed, n, i, v)
				}
			}
		}
		if len(seen) > 0 {
			if _, _, err := gx2To(t, "gsh", f, convert.Options{Shader: "no such program"}); !errors.Is(err, convert.ErrChoice) {
				t.Errorf("seed %d, archive %d: got %v, want a choice", seed, n, err)
			}
		}
	}
}

// TestGX2Refusals: what has no GX2 shaders, or no place in an archive.
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
	if _, _, err := gx2To(t, "sharcfb", vertex, convert.Options{}); !errors.As(err, &refused) || refused.Path != "shaders" {
		t.Errorf("a vertex shader alone: got %v", err)
	}
	pair, err := gsh.Parse(samples.Read(t, "gsh/g01_vertex_pixel.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	pair.Shaders[1].InitialValues = make([]gx2.InitialValue, 1)
	if _, _, err := gx2To(t, "sharcfb", pair, convert.Options{}); !errors.As(err, &refused) || refused.Path != "shaders[1].initial_values" {
		t.Errorf("initial values: got %v", err)
	}
}
