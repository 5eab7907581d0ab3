package cgfxgen

import (
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

const shaderType, referenceType, oldReferenceType = 0x80000002, 0x80000001, 0x00000101

var reference = fault{rule: "SHDR003", spoil: set(inObject(0),
	oneOf(constant(referenceType), constant(oldReferenceType)))}

var objectFaults = []fault{
	{rule: "SHDR001", instead: []string{reference.rule}, spoil: setOr(inObject(0),
		other(shaderType, referenceType, oldReferenceType), func(*image) int { return referenceType })},
	{rule: "SHDR002", spoil: set(inObject(objectMagic), oneOf(changed, constant(four("RDHS"))))},
	reference,
	{rule: "SHDR004", spoil: set(inObject(objectRevision), oneOf(changed, constant(0x05000000)))},
	{rule: "SHDR005", spoil: atEnd(aName, set(inObject(objectName), unnamed))},
	{rule: "SHDR006", spoil: func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		names := []int{s.key + 1, m.grow([]byte("Shader\x00")), m.grow([]byte(s.Name + "x\x00"))}
		m.mislead(c, s.object+objectName, gen.Pick(c, names))
		if len(s.Name) == len("Shader") {
			m.mislead(c, s.object+objectName, s.key+1)
		}
		return m.field(s.object + objectName)
	}},
	{rule: "SHDR007", spoil: func(c *gen.Choices, m *image) gen.Place {
		at := inObject(padding)(c, m)
		m.b[at+c.Below(16)] = byte(gen.Only(c, 1+c.Below(255), 0))
		return m.field(at)
	}},
	{rule: "SHDR008", whole: true, spoil: addCommands},
	{rule: "SHDR009", also: withCommands, spoil: func(c *gen.Choices, m *image) gen.Place {
		if c.Near() {
			return addCommands(c, m)
		}
		return badTable(inObject(commands[:]...))(c, m)
	}},
	{rule: "SHDR010", spoil: set(inObject(dvlbSize), constant(0))},
	{rule: "SHDR010", spoil: atEnd(aDVLB, func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		at := s.object + dvlbPointer
		m.store(at, oneOf(null, outside(len(s.DVLB)))(c, m, at))
		return m.field(at)
	})},
	{rule: "SHDR010", spoil: atEnd(aDVLB, func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		m.store(s.object+dvlbSize, uint32(c.Within(uint64(len(m.b)-s.dvlb+1), math.MaxUint32)))
		return m.field(s.object + dvlbPointer)
	})},
	{rule: "SHDR011", spoil: func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		room := make([]byte, len(s.DVLB)+3)
		copy(room, c.Data(len(room)))
		m.move(s.dvlb, m.grow(room)+gen.Breach(c, 1+c.Below(3), 0), len(s.DVLB), s.object+dvlbPointer)
		return m.field(s.object + dvlbPointer)
	}},
}

// addCommands puts commands at the end of the file.
func addCommands(c *gen.Choices, m *image) gen.Place {
	at := inObject(commands[:]...)(c, m)
	words := make([]byte, 4*c.Within(1, 64))
	copy(words, c.Data(len(words)))
	m.store(at, uint32(len(words)/4))
	m.point(at+4, m.grow(words))
	return m.field(at)
}

// withCommands is the rule that breaks in every file with commands.
var withCommands = []string{"SHDR008"}

// badTable gives a table, whose count is at a place and whose pointer follows,
// an impossible range.
func badTable(where place) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		at := where(c, m)
		n := uint32(c.Within(1, 64))
		pointer := oneOf(null, outside(4*int(n)), crooked)(c, m, at+4)
		if c.Chance(4) {
			target := 4 * int(c.Within(1, uint64(len(m.b)-1)/4))
			n, pointer = uint32(c.Within(uint64(len(m.b)-target)/4+1, math.MaxUint32)), uint32(target-at-4)
		}
		m.store(at, n, pointer)
		return m.field(at + 4)
	}
}

// move copies n bytes to another place and makes the pointer to them lead
// there. Pointers among the bytes go on leading where they did.
func (m *image) move(from, to, n, field int, pointers ...int) {
	copy(m.b[to:], slices.Clone(m.b[from:from+n]))
	for _, p := range pointers {
		m.store(to+p, m.word(to+p)+uint32(from-to))
	}
	m.point(field, to)
}

// dvlbFaults has an entry for every fault of a DVLB with severity error. The finding of the DVLB comes with a finding
// of the object.
func dvlbFaults() (list []fault) {
	rules := diag.NewRuleSet(shbin.Rules)
	for _, f := range shbingen.Faults() {
		if rules[f.Rule].Severity != diag.Error {
			continue
		}
		list = append(list, fault{rule: "SHDR012", also: append(slices.Clone(f.Also), f.Rule),
			instead: f.Instead,
			spoil: func(c *gen.Choices, m *image) gen.Place {
				b := c.Inner(f)
				if len(b) == 0 {
					b = []byte{0} // none at all is SHDR010
				}
				s := gen.Pick(c, m.shaders)
				m.store(s.object+dvlbSize, uint32(len(b)))
				m.point(s.object+dvlbPointer, m.grow(b))
				at := s.object + programCount
				m.store(at, gen.Breach(c, m.word(at), 0)) // they may not fit a DVLB that can be read
				return m.field(s.object + dvlbPointer)
			}})
	}
	return list
}

// withPrograms are images in which every shader has a program.
var withPrograms = shape{programs: 1}

// anyProgram picks a shader and one of its programs.
func anyProgram(c *gen.Choices, m *image) (s shader, i int) {
	s = gen.Pick(c, m.shaders)
	return s, c.Below(len(s.programs))
}

func inProgram(fields ...int) place {
	return func(c *gen.Choices, m *image) int {
		s, i := anyProgram(c, m)
		return s.programs[i] + gen.Pick(c, fields)
	}
}

var programFaults = []fault{
	{rule: "SHDR013", spoil: atEnd(anArray, badTable(inObject(programCount)))},
	{rule: "SHDR014", want: withPrograms, spoil: atEnd(aProgram, set(func(c *gen.Choices, m *image) int {
		s, i := anyProgram(c, m)
		return s.array + 4*i
	}, oneOf(null, outside(programSize), crooked)))},
	// The last one may have the other type.
	{rule: "SHDR015", instead: []string{"SHDR016"}, want: withPrograms,
		spoil: func(c *gen.Choices, m *image) gen.Place {
			s, i := anyProgram(c, m)
			at := s.programs[i] + gen.Pick(c, []int{vertexIndex, geometryIndex})
			m.store(at, uint32(c.Wrong(uint64(len(s.types)), 1<<32-2, uint64(len(s.types))-1)))
			return m.field(at)
		}},
	{rule: "SHDR016", want: withPrograms, spoil: func(c *gen.Choices, m *image) gen.Place {
		s, i := anyProgram(c, m)
		entry := c.Below(len(s.types))
		wrong, right := vertexIndex, geometryIndex
		if s.types[entry] == shbin.VertexShader {
			wrong, right = right, wrong
		}
		at := s.programs[i] + gen.Breach(c, wrong, right)
		m.store(at, uint32(entry))
		return m.field(at)
	}},
	{rule: "SHDR017", want: withPrograms, spoil: func(c *gen.Choices, m *image) gen.Place {
		at := inProgram(0)(c, m)
		m.replace(c, at+vertexIndex, math.MaxUint32, math.MaxUint32)
		return m.record(at, programSize)
	}},
}
