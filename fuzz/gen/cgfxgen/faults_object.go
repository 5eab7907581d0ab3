package cgfxgen

import (
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

const shaderType, referenceType, oldReferenceType = 0x80000002, 0x80000001, 0x00000101

var reference = fault{rule: "SHDR003", spoil: set(at("shaders[*].type"),
	gen.OneOf(referenceType, oldReferenceType))}

var objectFaults = []fault{
	{rule: "SHDR001", missBreaks: []string{reference.rule}, spoil: setOr(at("shaders[*].type"),
		gen.OtherThan(referenceType, oldReferenceType), gen.OneOf(referenceType))},
	{rule: "SHDR002", spoil: set(at("shaders[*].magic"), gen.Either(gen.Other, gen.OneOf(four("RDHS"))))},
	reference,
	{rule: "SHDR004", spoil: set(at("shaders[*].revision"), gen.Either(gen.Other, gen.OneOf(0x05000000)))},
	{rule: "SHDR005", spoil: atEnd(aName, set(at("shaders[*].name"), unnamed))},
	{rule: "SHDR006", spoil: func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		names := []int{s.key + 1, m.grow([]byte("Shader\x00")), m.grow([]byte(s.Name + "x\x00"))}
		if len(s.Name) == len("Shader") {
			names = names[:1]
		}
		return m.mislead(c, m.FieldAt(s.object+objectName), gen.Pick(c, names))
	}},
	{rule: "SHDR007", spoil: func(c *gen.Choices, m *image) gen.Place {
		at := at("shaders[*].padding")(c, m)
		m.Bytes[at.Off+c.Below(at.Len)] = byte(gen.Only(c, 1+c.Below(255), 0))
		return at
	}},
	{rule: "SHDR008", onlyValid: true, spoil: addCommands},
	{rule: "SHDR009", also: withCommands, spoil: func(c *gen.Choices, m *image) gen.Place {
		if c.Near() {
			return addCommands(c, m)
		}
		return badTable(commandCount)(c, m)
	}},
	{rule: "SHDR010", spoil: set(at("shaders[*].dvlb.size"), gen.OneOf(0))},
	{rule: "SHDR010", spoil: atEnd(aDVLB, func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		at := m.FieldAt(s.object + dvlbPointer)
		m.Store(at, gen.Either(null, outside(len(s.DVLB)))(c, m.Draft, at))
		return at
	})},
	{rule: "SHDR010", spoil: atEnd(aDVLB, func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		m.store(s.object+dvlbSize, uint32(c.Within(uint64(len(m.Bytes)-s.dvlb+1), math.MaxUint32)))
		return m.FieldAt(s.object + dvlbPointer)
	})},
	{rule: "SHDR011", spoil: func(c *gen.Choices, m *image) gen.Place {
		s := gen.Pick(c, m.shaders)
		room := make([]byte, len(s.DVLB)+3)
		copy(room, c.Data(len(room)))
		m.move(s.dvlb, m.grow(room)+gen.Breach(c, 1+c.Below(3), 0), len(s.DVLB), s.object+dvlbPointer)
		return m.FieldAt(s.object + dvlbPointer)
	}},
}

// addCommands puts commands at the end of the file.
func addCommands(c *gen.Choices, m *image) gen.Place {
	count := commandCount(c, m)
	words := make([]byte, 4*c.Within(1, 64))
	copy(words, c.Data(len(words)))
	m.Store(count, uint64(len(words)/4))
	m.point(count.Off+4, m.grow(words))
	return count
}

// commandCount is the number of words of one of the two lists of commands.
var commandCount = at("shaders[*].commands_a.count", "shaders[*].commands_b.count")

// withCommands is the rule that breaks in every file with commands.
var withCommands = []string{"SHDR008"}

// badTable gives a table, whose count is at a place and whose pointer follows,
// an impossible range.
func badTable(where place) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		count := where(c, m)
		at := m.FieldAt(count.Off + count.Len)
		n := c.Within(1, 64)
		to := gen.Either(null, outside(4*int(n)), misaligned)(c, m.Draft, at)
		if c.Chance(4) {
			target := 4 * c.Within(1, uint64(len(m.Bytes)-1)/4)
			n, to = c.Within((uint64(len(m.Bytes))-target)/4+1, math.MaxUint32), pointer(at, target)
		}
		m.Store(count, n)
		m.Store(at, to)
		return at
	}
}

// move copies n bytes to another place and makes the pointer to them lead
// there. Pointers among the bytes go on leading where they did.
func (m *image) move(from, to, n, field int, pointers ...int) {
	copy(m.Bytes[to:], slices.Clone(m.Bytes[from:from+n]))
	for _, p := range pointers {
		m.store(to+p, m.word(to+p)+uint32(from-to))
	}
	m.point(field, to)
}

// dvlbFaults has an entry for every fault of a DVLB with severity error. The finding of the DVLB comes with a finding
// of the object.
func dvlbFaults() (list []fault) {
	for _, f := range shbingen.EmbeddedFaults() {
		list = append(list, fault{rule: "SHDR012", also: f.Also, missBreaks: f.MissBreaks,
			spoil: func(c *gen.Choices, m *image) gen.Place {
				b := f.Bytes(c)
				s := gen.Pick(c, m.shaders)
				m.store(s.object+dvlbSize, uint32(len(b)))
				m.point(s.object+dvlbPointer, m.grow(b))
				at := s.object + programCount
				m.store(at, gen.Breach(c, m.word(at), 0)) // they may not fit a DVLB that can be read
				return m.FieldAt(s.object + dvlbPointer)
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

var programFaults = []fault{
	{rule: "SHDR013", spoil: atEnd(anArray, badTable(at("shaders[*].programs.count")))},
	{rule: "SHDR014", shape: withPrograms, spoil: atEnd(aProgram, set(at("shaders[*].programs.pointers[*]"),
		gen.Either(null, outside(programSize), misaligned)))},
	// The last one may have the other type.
	{rule: "SHDR015", missBreaks: []string{"SHDR016"}, shape: withPrograms,
		spoil: func(c *gen.Choices, m *image) gen.Place {
			s, i := anyProgram(c, m)
			at := s.programs[i] + gen.Pick(c, []int{vertexIndex, geometryIndex})
			m.store(at, uint32(c.Wrong(uint64(len(s.types)), 1<<32-2, uint64(len(s.types))-1)))
			return m.FieldAt(at)
		}},
	{rule: "SHDR016", shape: withPrograms, spoil: func(c *gen.Choices, m *image) gen.Place {
		s, i := anyProgram(c, m)
		entry := c.Below(len(s.types))
		wrong, right := vertexIndex, geometryIndex
		if s.types[entry] == shbin.VertexShader {
			wrong, right = right, wrong
		}
		at := s.programs[i] + gen.Breach(c, wrong, right)
		m.store(at, uint32(entry))
		return m.FieldAt(at)
	}},
	{rule: "SHDR017", shape: withPrograms, spoil: func(c *gen.Choices, m *image) gen.Place {
		vertex := at("shaders[*].programs[*].vertex")(c, m)
		m.Break(c, vertex, gen.OneOf(math.MaxUint32), nil)
		m.Break(c, m.Sibling(vertex, "geometry"), gen.OneOf(math.MaxUint32), nil)
		return m.Place(strings.TrimSuffix(vertex.Path, ".vertex"))
	}},
}
