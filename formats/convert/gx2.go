package convert

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// ErrNoGX2 is the error of [GX2Target.Convert] for other files.
var ErrNoGX2 = errors.New("holds no GX2 shaders")

// GX2Target is a container of GX2 shaders that can be converted to. The shaders
// are the same before and after: registers, tables, code.
type GX2Target struct {
	Name  string
	write func(model Model, o Options, r *Report) (Model, error)
}

// GX2Targets are the containers of GX2 shaders, by name.
var GX2Targets = []GX2Target{{"gsh", toGSH}, {"sharcfb", toSHARCFB}}

// GX2ByName returns the target called name.
func GX2ByName(name string) (GX2Target, bool) {
	i := slices.IndexFunc(GX2Targets, func(t GX2Target) bool { return t.Name == name })
	if i < 0 {
		return GX2Target{}, false
	}
	return GX2Targets[i], true
}

// Convert returns a .gsh or SHARCFB as the target has it. A .gsh holds one variation
// of a program: the choice names the program (Shader) and the variation (Entry). A
// model of the target's format comes back itself.
//
// The error is a [RefusedError] when the target cannot hold the source, or wraps
// [ErrNoGX2] or [ErrChoice].
func (t GX2Target) Convert(model Model, o Options) (Model, Report, error) {
	var r Report
	result, err := t.write(model, o, &r)
	if err != nil {
		return nil, nil, err
	}
	if _, err := result.AppendBinary(nil); err != nil {
		return nil, nil, unheld(err, func(path string) string { return path })
	}
	return result, r, nil
}

// toGSH returns the shaders of a variation, in style N.
func toGSH(model Model, o Options, r *Report) (Model, error) {
	var f *sharcfb.File
	switch m := model.(type) {
	case *gsh.File:
		return m, nil
	case *sharcfb.File:
		f = m
	default:
		return nil, fmt.Errorf("%T %w", model, ErrNoGX2)
	}
	program, variation, err := chooseVariation(f, o)
	if err != nil {
		return nil, err
	}
	lostArchive(f, program, variation, r)
	p := &f.Programs[program]
	g := &gsh.File{Style: gsh.StyleN}
	for stage := range p.Kind.Stages() {
		i := p.Binary(variation, stage)
		b := &f.Binaries[i]
		path := item("binaries", i, "")
		if f.Endian == sharcfb.Little {
			lostOrder(path+".", b.Loops, r)
		}
		lostSlack(path+".", b, r)
		g.Shaders = append(g.Shaders, gsh.Shader{Shader: b.Shader.Canonical()})
	}
	r.invented("style", g.Style.String(), "an archive has no patch lists; this is the form of gshCompile")
	return g, nil
}

// chooseVariation returns the program and the variation that are chosen, the only
// ones if none are.
func chooseVariation(f *sharcfb.File, o Options) (program, variation int, err error) {
	names := make([]string, len(f.Programs))
	program = -1
	for i := range f.Programs {
		name := string(f.Programs[i].Name)
		names[i] = strconv.Quote(name)
		if program < 0 && (name == o.Shader && o.Shader != "" || o.Shader == "" && len(f.Programs) == 1) {
			program = i
		}
	}
	if len(f.Programs) == 0 {
		return 0, 0, refuse("programs", "the archive has none")
	}
	if program < 0 {
		return 0, 0, choiceError("program", o.Shader, names)
	}
	n := f.Programs[program].Variations()
	if o.Entry == "" && n == 1 {
		return program, 0, nil
	}
	if variation, err = strconv.Atoi(o.Entry); err != nil || variation < 0 || variation >= n {
		return 0, 0, choiceError("variation", o.Entry, []string{"0 to " + strconv.Itoa(n-1)})
	}
	return program, variation, nil
}

// lostArchive says what a .gsh does not have of an archive and of the program that is
// chosen.
func lostArchive(f *sharcfb.File, program, variation int, r *Report) {
	const why = "only an archive has it"
	if f.Name != "" {
		r.dropped("name", quote(string(f.Name)), why)
	}
	if f.Endian == sharcfb.Little {
		r.dropped("endian", f.Endian.String(), "a .gsh is big endian")
	}
	p := &f.Programs[program]
	path := func(field string) string { return item("programs", program, field) }
	r.dropped(path("name"), quote(string(p.Name)), why)
	for _, list := range []struct {
		name string
		n    int
		what string
	}{
		{"macros", len(p.Macros), "macro"}, {"defaults", len(p.Defaults), "default value"},
		{"uniforms", len(p.Uniforms), "symbol"}, {"blocks", len(p.Blocks), "symbol"},
		{"samplers", len(p.Samplers), "symbol"}, {"attributes", len(p.Attributes), "symbol"},
	} {
		if list.n > 0 {
			r.dropped(path(list.name), count(list.n, list.what), why)
		}
	}
	if n := p.Variations(); n > 1 {
		r.dropped(path("variations"), count(n-1, "variation"), "variation "+strconv.Itoa(variation)+" was chosen")
	}
	if n := len(f.Programs); n > 1 {
		r.dropped("programs", count(n-1, "program"), "another program was chosen")
	}
}

// lostOrder says which loop variables read differently in the other byte order.
func lostOrder(prefix string, loops []gx2.LoopVar, r *Report) {
	for i, v := range loops {
		turned := gx2.LoopVar{v[3], v[2], v[1], v[0], v[7], v[6], v[5], v[4]}
		if turned != v {
			text, _ := v.MarshalText()
			r.changed(item(prefix+"loops", i, ""), string(text), "the same bytes in big-endian order", "the byte order of a little-endian archive is not known")
		}
	}
}

// lostSlack says what a shader binary holds besides the shader.
func lostSlack(prefix string, b *sharcfb.Binary, r *Report) {
	const why = "it belongs to nothing"
	if s := b.Slack; s != nil {
		r.dropped(prefix+"slack", count(len(s.Gap)+len(s.Tail), "byte"), why)
	}
	lostGaps(prefix, b.Layout, r)
}

func lostGaps(prefix string, l *gx2.Layout, r *Report) {
	if l == nil {
		return
	}
	for _, g := range l.Gaps {
		r.dropped(prefix+"layout.gaps", fmt.Sprintf("%s at 0x%x", count(len(g.Bytes), "byte"), g.Offset), "they belong to nothing")
	}
}

// toSHARCFB returns a big-endian archive that has a program without macros and
// symbols for each group of shaders that are used together: the first of each type,
// the second, and so on.
func toSHARCFB(model Model, _ Options, r *Report) (Model, error) {
	var f *gsh.File
	switch m := model.(type) {
	case *sharcfb.File:
		return m, nil
	case *gsh.File:
		f = m
	default:
		return nil, fmt.Errorf("%T %w", model, ErrNoGX2)
	}
	var lists [3][]int
	for i := range f.Shaders {
		s := &f.Shaders[i]
		if len(s.InitialValues) > 0 {
			return nil, refuse(item("shaders", i, "initial_values"), "a SHARCFB has none (GX2034)")
		}
		lists[s.Type] = append(lists[s.Type], i)
	}
	vertices, pixels, geometries := lists[gx2.Vertex], lists[gx2.Pixel], lists[gx2.Geometry]
	for _, list := range [][]int{vertices, pixels, geometries} {
		least := max(len(vertices), len(pixels), len(geometries))
		if len(list) > 0 && len(list) < least || len(list) == 0 && least > 0 && (len(vertices) == 0 || len(pixels) == 0) {
			return nil, refuse("shaders", "%s, %s and %s make no programs, which have one of each type (SHARC031)",
				count(len(vertices), "vertex shader"), count(len(pixels), "pixel shader"), count(len(geometries), "geometry shader"))
		}
	}
	lostContainer(f, r)
	a := &sharcfb.File{Endian: sharcfb.Big}
	r.invented("name", `""`, "a .gsh has no name")
	kind := sharcfb.VertexPixel
	if len(geometries) > 0 {
		kind = sharcfb.VertexPixelGeometry
	}
	for k := range vertices {
		p := sharcfb.Program{Name: wire.Text("program" + strconv.Itoa(k)), Kind: kind, BaseIndex: uint32(len(a.Binaries))}
		r.invented(item("programs", k, "name"), quote(string(p.Name)), "a .gsh does not name what its shaders are used for")
		r.invented(item("programs", k, "symbols"), "none", "a .gsh has no ids, default values and enable bytes of symbols")
		for stage := range kind.Stages() {
			i := lists[stage][k]
			lostGaps(item("shaders", i, "")+".", f.Shaders[i].Layout, r)
			a.Binaries = append(a.Binaries, sharcfb.Binary{Shader: f.Shaders[i].Shader.Canonical()})
		}
		a.Programs = append(a.Programs, p)
	}
	return a, nil
}

// lostContainer says what an archive does not have of a .gsh.
func lostContainer(f *gsh.File, r *Report) {
	const why = "only a .gsh has it"
	if f.Align != 0 {
		r.dropped("align", strconv.FormatUint(uint64(f.Align), 10), why)
	}
	if f.Style != gsh.StyleD {
		r.dropped("style", f.Style.String(), "an archive has no patch lists")
	}
	if n := len(f.Opaque); n > 0 {
		r.dropped("opaque", count(n, "block"), why)
	}
	l := f.Layout
	if l == nil {
		return
	}
	if l.Reserved != 0 {
		r.dropped("layout.reserved", fmt.Sprintf("0x%x", l.Reserved), why)
	}
	if n := len(l.Tail); n > 0 {
		r.dropped("layout.tail", count(n, "byte"), "they belong to nothing")
	}
}
