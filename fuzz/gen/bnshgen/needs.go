package bnshgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// needs combines several needs of a fault.
func needs(all ...func(d *drawer, m *bnsh.File)) func(d *drawer, m *bnsh.File) {
	return func(d *drawer, m *bnsh.File) {
		for _, need := range all {
			need(d, m)
		}
	}
}

// smallest makes the file the smallest one.
func smallest(_ *drawer, m *bnsh.File) { *m = *usual(gen.From(gen.NewBytes(nil))) }

// named makes sure of a file name.
func named(_ *drawer, m *bnsh.File) {
	if m.Name == "" {
		m.Name = "name"
	}
}

// add appends a variation of one program to a file.
func add(d *drawer, m *bnsh.File, p *bnsh.Program) {
	m.Variations = append(m.Variations, p.Variation())
	d.pool(m)
}

// last returns the binary program of the last variation.
func last(m *bnsh.File) *bnsh.Program { return m.Variations[len(m.Variations)-1].Binary }

// only returns the first value that is not nil, for tables in which one stage has a value.
func only[T any](stages *bnsh.PerStage[T]) *T {
	return stages[slices.IndexFunc(stages[:], func(v *T) bool { return v != nil })]
}

// loneStages are the stages that a program may have alone.
var loneStages = []bnsh.Stage{bnsh.Vertex, bnsh.Pixel, bnsh.Geometry, bnsh.Compute}

// onlyValid marks a fault whose near miss cannot exist: every file that meets its needs breaks the rule.
func onlyValid(d *drawer, _ *bnsh.File) { d.OnlyValid() }

// sized appends a variation with a stage whose code, of one of some sizes, and
// control are its own.
func sized(sizes ...int) func(d *drawer, m *bnsh.File) {
	return sizedBy(func(d *drawer) int { return gen.Pick(d.Choices, sizes) })
}

// missized is sized for wrong sizes; in a near miss the size is right.
func missized(right int, wrong ...int) func(d *drawer, m *bnsh.File) {
	return sizedBy(func(d *drawer) int { return gen.Breach(d.Choices, gen.Pick(d.Choices, wrong), right) })
}

func sizedBy(size func(d *drawer) int) func(d *drawer, m *bnsh.File) {
	return func(d *drawer, m *bnsh.File) {
		s := gen.Pick(d.Choices, loneStages)
		code := d.binaryCode(s, size(d))
		mark := fmt.Sprint("own", len(m.Variations))
		copy(code.Code[min(4, len(code.Code)):], mark)
		copy(code.Control[0x20:], mark)
		p := new(bnsh.Program)
		p.Stages[s] = code
		add(d, m, p)
	}
}

// lone is sized with usual sizes.
var lone = sized(0x100, 0x200, 0x300, 0x500)

// twins appends two variations that differ in code and control.
func twins(d *drawer, m *bnsh.File) {
	both := sized(0x100 * (1 + d.Below(3)))
	both(d, m)
	both(d, m)
}

// object appends a variation that has object memory.
func object(d *drawer, m *bnsh.File) {
	lone(d, m)
	last(m).ObjectSize = uint32(1 + d.Below(0x40))
}

// These append a variation with code of another form.
var (
	inSource       = form(bnsh.Program{CodeType: bnsh.SourceCode})
	inIntermediate = form(bnsh.Program{CodeType: bnsh.IntermediateCode})
	inTexts        = form(bnsh.Program{CodeType: bnsh.SourceArrayCode})
	inZlib         = form(bnsh.Program{BinaryFormat: bnsh.Zlib})
)

func form(like bnsh.Program) func(d *drawer, m *bnsh.File) {
	return func(d *drawer, m *bnsh.File) {
		p := like
		for _, s := range [][]bnsh.Stage{{bnsh.Vertex}, {bnsh.Compute}, {bnsh.Vertex, bnsh.Pixel}}[d.Below(3)] {
			p.Stages[s] = d.code(&p, s)
		}
		add(d, m, &p)
	}
}

// empty removes all variations, so that a later need appends the only one.
func empty(_ *drawer, m *bnsh.File) { m.Variations = nil }

// reflected appends a variation with reflection that has no names.
func reflected(d *drawer, m *bnsh.File) {
	lone(d, m)
	p := last(m)
	p.Reflection = new(bnsh.PerStage[bnsh.StageReflection])
	for s, code := range p.Stages {
		if code != nil {
			p.Reflection[s] = &bnsh.StageReflection{}
			if bnsh.Stage(s) == bnsh.Compute {
				p.Reflection[s].WorkGroup = [3]uint32{1, 8, 64}
			}
		}
	}
}

// stage returns the reflection of the stage of the last variation.
func stage(m *bnsh.File) *bnsh.StageReflection { return only(last(m).Reflection) }

// keyed appends a variation with three names or more of each of two kinds. All of
// a kind are on the same side of the first branch.
func keyed(d *drawer, m *bnsh.File) {
	reflected(d, m)
	r := stage(m)
	first := d.Below(int(bnsh.Images))
	for _, k := range []int{first, first + 1 + d.Below(int(bnsh.Images)-first)} {
		for _, start := range []bnsh.Text{"a", "gl_", "é", "texture", "u"}[d.Below(3):] {
			r.Tables[k].Keys = append(r.Tables[k].Keys,
				start+gen.Pick(d.Choices, []bnsh.Text{"a", "c", "[1]", "0_1", "sss", "aaaaaaaaq"}))
		}
	}
	d.place(r)
}

// extended appends a variation with names whose reflection has an extension.
func extended(d *drawer, m *bnsh.File) {
	m.Version.Minor, m.Version.Micro = 2, 1
	keyed(d, m)
	stage(m).Extended = true
	stage(m).Tables[bnsh.SeparateTextures].Keys = []bnsh.Text{"albedo"}
	d.place(stage(m))
}
