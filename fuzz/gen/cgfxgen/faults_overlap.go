package cgfxgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
)

var overlapFaults = []fault{
	// Two programs in one place.
	{rule: "CGFX018", onlyValid: true, shape: shape{programs: 2}, spoil: func(c *gen.Choices, m *image) gen.Place {
		n := c.Below(len(m.shaders))
		s := m.shaders[n]
		i, j := two(c, len(s.programs))
		m.point(s.array+4*i, s.programs[j])
		return programAt(s.programs[j], n, max(i, j))
	}},
	// A program that starts in the opaque bytes of another.
	{rule: "CGFX018", onlyValid: true, shape: shape{programs: 2}, spoil: func(c *gen.Choices, m *image) gen.Place {
		n := c.Below(len(m.shaders))
		s := m.shaders[n]
		i, j := two(c, len(s.programs))
		second := programOpaque + 4*c.Below((programSize-programOpaque)/4)
		room := m.grow(make([]byte, second+programSize))
		m.move(s.programs[i], room, programSize, s.array+4*i)
		m.move(s.programs[j], room+second, programSize, s.array+4*j)
		return programAt(room+second, n, j)
	}},
	// Something else in the opaque bytes of a program.
	{rule: "CGFX018", onlyValid: true, shape: withPrograms, spoil: func(c *gen.Choices, m *image) gen.Place {
		host, i := anyProgram(c, m)
		movable := gen.Pick(c, slices.DeleteFunc(m.movables(c.Below(len(m.shaders)))[:aKey],
			func(g movable) bool { return g.size > programSize-programOpaque }))
		to := host.programs[i] + programOpaque + 4*c.Below((programSize-programOpaque-movable.size)/4+1)
		m.move(movable.at, to, movable.size, movable.field, movable.pointers...)
		return gen.Place{Off: to, Len: movable.size, Path: movable.path}
	}},
	// A DVLB that begins with the last opaque byte of a program.
	{rule: "CGFX018", onlyValid: true, also: []string{"SHDR011"}, shape: withPrograms,
		spoil: func(c *gen.Choices, m *image) gen.Place {
			s, i := anyProgram(c, m)
			n := c.Below(len(m.shaders))
			t := m.shaders[n]
			room := m.grow(make([]byte, programSize-1+len(t.DVLB)))
			m.move(s.programs[i], room, programSize, s.array+4*i)
			m.move(t.dvlb, room+programSize-1, len(t.DVLB), t.object+dvlbPointer)
			return gen.Place{Off: room + programSize - 1, Len: len(t.DVLB), Path: fmt.Sprintf("shaders[%d].dvlb", n)}
		}},
	// One DVLB of two shaders, the programs of one of which might not fit it.
	{rule: "CGFX018", onlyValid: true, shape: shape{shaders: 2}, spoil: func(c *gen.Choices, m *image) gen.Place {
		i, j := two(c, len(m.shaders))
		s, t := m.shaders[i], m.shaders[j]
		m.store(s.object+dvlbSize, uint32(len(t.DVLB)))
		m.point(s.object+dvlbPointer, t.dvlb)
		m.store(s.object+programCount, 0)
		return gen.Place{Off: t.dvlb, Len: len(t.DVLB), Path: fmt.Sprintf("shaders[%d].dvlb", max(i, j))}
	}},
	// Commands in the middle of something.
	{rule: "CGFX018", onlyValid: true, also: withCommands, spoil: func(c *gen.Choices, m *image) gen.Place {
		k, list := c.Below(len(m.shaders)), c.Below(len(commands))
		at := m.shaders[k].object + commands[list]
		part := gen.Pick(c, m.parts())
		first := c.Below(part.size / 4)
		if part.at+4*first == at+4 {
			first = 0 // a pointer to itself is null
		}
		n := 1 + c.Below(part.size/4-first)
		m.store(at, uint32(n))
		m.point(at+4, part.at+4*first)
		if whole := part.whole; first == 0 && whole > 0 && (whole > 4*n || whole == 4*n && part.last) {
			return gen.Place{Off: part.at, Len: whole, Path: part.path} // the longer one of two, or the last kind
		}
		return gen.Place{Off: part.at + 4*first, Len: 4 * n, Path: commandPath(k, list)}
	}},
	// Both lists of commands, partly in one place.
	{rule: "CGFX018", onlyValid: true, also: withCommands, spoil: func(c *gen.Choices, m *image) gen.Place {
		k := c.Below(len(m.shaders))
		s := m.shaders[k]
		n := 1 + c.Below(16)
		second := 4 * c.Below(n)
		room := m.grow(make([]byte, second+4*n))
		i := c.Below(2)
		m.store(s.object+commands[i], uint32(n))
		m.point(s.object+commands[i]+4, room)
		m.store(s.object+commands[1-i], uint32(n))
		m.point(s.object+commands[1-i]+4, room+second)
		list := 1 - i
		if second == 0 {
			list = 1
		}
		return gen.Place{Off: room + second, Len: 4 * n, Path: commandPath(k, list)}
	}},
}

// two draws two different numbers below n.
func two(c *gen.Choices, n int) (i, j int) {
	i = c.Below(n)
	return i, (i + 1 + c.Below(n-1)) % n
}

// programAt is the place of a program of a shader.
func programAt(off, shader, program int) gen.Place {
	return gen.Place{Off: off, Len: programSize, Path: fmt.Sprintf("shaders[%d].programs[%d]", shader, program)}
}

// commandPath is the path of one of the two lists of commands.
func commandPath(shader, list int) string {
	return fmt.Sprintf("shaders[%d].commands_%c", shader, 'a'+list)
}

// part is a part of an image; a movable is one with the field that leads to it
// and the pointers in it.
type part struct {
	at, size int
	path     string
	whole    int  // the size of the region that starts with the part, if one does
	last     bool // of regions at one place and of one size it comes after commands
}

type movable struct {
	part
	field    int
	pointers []int
}

// The movables of a shader.
const (
	anArray = iota
	anObject
	theDict
	aKey
	aName
	aDVLB
	aProgram // only in an object with programs
)

// movables are the parts of a shader, with the DICT.
func (m *image) movables(of int) []movable {
	s := m.shaders[of]
	path := fmt.Sprintf("shaders[%d]", of)
	array := movable{part: part{at: s.array, size: 4 * len(s.programs), path: path + ".programs.pointers"},
		field: s.object + programArray}
	for i := range s.programs {
		array.pointers = append(array.pointers, 4*i)
	}
	object := part{at: s.object, size: objectSize, path: path}
	dict := movable{part: part{at: m.dict, size: dictSize + nodeSize*len(m.trie), path: "dict"},
		field: m.pairAt(shaderKind) + 4}
	for k := range m.shaders {
		at := m.nodeAt(k+1) - m.dict
		dict.pointers = append(dict.pointers, at+nodeName, at+nodeObject)
	}
	one := func(at, size, field int) movable { return movable{part: part{at: at, size: size}, field: field} }
	list := []movable{array, {object, m.nodeAt(of+1) + nodeObject, []int{objectName, dvlbPointer, programArray}}, dict,
		one(s.key, len(s.Name)+1, m.nodeAt(of+1)+nodeName), one(s.name, len(s.Name)+1, s.object+objectName),
		one(s.dvlb, len(s.DVLB), s.object+dvlbPointer)}
	for i, at := range s.programs {
		list = append(list, one(at, programSize, s.array+4*i))
	}
	return list
}

// parts returns the parts over which commands may be laid. The file header is none of them, because no pointer leads to
// offset 0.
func (m *image) parts() []part {
	region := func(at, size int, path string) part { return part{at: at, size: size, path: path, whole: size} }
	list := []part{
		{at: 4, size: m.data - 4},
		region(m.data, m.pairAt(m.pairs)-m.data, "data"),
		region(m.dict, dictSize+nodeSize*len(m.trie), "dict"),
	}
	for k, s := range m.shaders {
		path := fmt.Sprintf("shaders[%d]", k)
		list = append(list, region(s.object, objectSize, path), region(s.dvlb, len(s.DVLB), path+".dvlb"))
		for i, at := range s.programs {
			pointer := part{at: s.array + 4*i, size: 4}
			if i == 0 {
				pointer.path, pointer.whole, pointer.last = path+".programs.pointers", 4*len(s.programs), true
			}
			program := region(at, programSize, fmt.Sprintf("%s.programs[%d]", path, i))
			program.last = true
			list = append(list, pointer, program)
		}
	}
	return list
}
