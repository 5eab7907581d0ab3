package sharcfb

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// meaning checks the structures of shaders that broke no rule, each alone and against each other: GX2050 to GX2069,
// after all other rules.
func (r *reader) meaning() {
	m := meaning{reader: r, rules: gx2.Meaning{Reporter: r.Reporter},
		again: gx2.Reader{Reporter: diag.Collect(ruleSet)}}
	for i := range r.binaries {
		if b := &r.binaries[i]; b.clean {
			b.registers = m.rules.Check(m.placed(i, 0))
		}
	}
	met := make([]bool, len(r.binaries))
	for stages := 2; stages <= len(stageTypes); stages++ {
		for i, n := range r.owners(stages) {
			if n > 0 && !met[i] {
				met[i] = true
				m.pair(i, stages)
			}
		}
	}
}

// owners returns for each binary of how many programs a variation of some stages starts there.
func (r *reader) owners(stages int) []int32 {
	n := make([]int32, len(r.binaries)+stages)
	for i := range r.file.Programs {
		if p := &r.file.Programs[i]; r.programs[i].owns && p.Kind.Stages() == stages {
			n[p.BaseIndex]++
			n[p.BaseIndex+r.programs[i].variations*uint32(stages)]--
		}
	}
	for i := stages; i < len(n); i++ {
		n[i] += n[i-stages]
	}
	return n[:len(r.binaries)]
}

// meaning is the check of the shaders of an archive. An archive that is refused has no models: its shaders
// are read again.
type meaning struct {
	*reader
	rules   gx2.Meaning
	again   gx2.Reader
	shaders [len(stageTypes)]gx2.Shader
}

// placed is shader binary i with its place; slot is where it is read again, if need be.
func (m *meaning) placed(i, slot int) gx2.Placed {
	src := m.shaderSource(i)
	p := gx2.Placed{Off: src.Off, Path: src.Path}
	if len(m.file.Binaries) > 0 {
		p.Shader = &m.file.Binaries[i].Shader
	} else {
		p.Shader = &m.shaders[slot]
		m.again.Read(p.Shader, src)
	}
	return p
}

// pair checks the variation that starts at binary i.
func (m *meaning) pair(i, stages int) {
	registers := true
	for _, b := range m.binaries[i : i+stages] {
		if !b.clean {
			return
		}
		registers = registers && b.registers
	}
	vertex, pixel := m.placed(i, 0), m.placed(i+1, 1)
	outputs := vertex
	if stages == len(stageTypes) {
		outputs = m.placed(i+2, 2)
	}
	m.rules.CheckPair(vertex, pixel, outputs, registers)
}
