package cgfxgen

import "github.com/picaproof/picaproof/fuzz/gen"

var overlapFaults = []fault{
	// Two programs in one place.
	{rule: "CGFX018", want: shape{programs: 2}, spoil: func(c *gen.Choices, m *image) int {
		s := gen.Pick(c, m.shaders)
		i, j := two(c, len(s.programs))
		m.point(s.array+4*i, s.programs[j])
		return s.programs[j]
	}},
	// A program that starts in the opaque bytes of another.
	{rule: "CGFX018", want: shape{programs: 2}, spoil: func(c *gen.Choices, m *image) int {
		s := gen.Pick(c, m.shaders)
		i, j := two(c, len(s.programs))
		second := programOpaque + 4*c.Below((programSize-programOpaque)/4)
		room := m.grow(make([]byte, second+programSize))
		m.move(s.programs[i], room, programSize, s.array+4*i)
		m.move(s.programs[j], room+second, programSize, s.array+4*j)
		return room + second
	}},
	// Something else in the opaque bytes of a program.
	{rule: "CGFX018", want: withPrograms, spoil: func(c *gen.Choices, m *image) int {
		host, i := anyProgram(c, m)
		s := gen.Pick(c, m.shaders)
		guest := gen.Pick(c, m.guests(s))
		to := host.programs[i] + programOpaque + 4*c.Below((programSize-programOpaque-guest.size)/4+1)
		m.move(guest.at, to, guest.size, guest.field, guest.pointers...)
		return to
	}},
	// One DVLB of two shaders, the programs of one of which might not fit it.
	{rule: "CGFX018", want: shape{shaders: 2}, spoil: func(c *gen.Choices, m *image) int {
		i, j := two(c, len(m.shaders))
		s, t := m.shaders[i], m.shaders[j]
		m.put(s.object+dvlbSize, uint32(len(t.DVLB)))
		m.point(s.object+dvlbPointer, t.dvlb)
		m.put(s.object+programCount, 0)
		return t.dvlb
	}},
	// Commands in the middle of something.
	{rule: "CGFX018", also: withCommands, spoil: func(c *gen.Choices, m *image) int {
		at := inObject(commands[:]...)(c, m)
		part := gen.Pick(c, m.parts())
		first := c.Below(part.size / 4)
		if part.at+4*first == at+4 {
			first = 0 // a pointer to itself is null
		}
		n := 1 + c.Below(part.size/4-first)
		m.put(at, uint32(n))
		m.point(at+4, part.at+4*first)
		return part.at + 4*first
	}},
	// Both lists of commands, partly in one place.
	{rule: "CGFX018", also: withCommands, spoil: func(c *gen.Choices, m *image) int {
		s := gen.Pick(c, m.shaders)
		n := 1 + c.Below(16)
		second := 4 * c.Below(n)
		room := m.grow(make([]byte, second+4*n))
		i := c.Below(2)
		m.put(s.object+commands[i], uint32(n))
		m.point(s.object+commands[i]+4, room)
		m.put(s.object+commands[1-i], uint32(n))
		m.point(s.object+commands[1-i]+4, room+second)
		return room + second
	}},
}

// two draws two different numbers below n.
func two(c *gen.Choices, n int) (i, j int) {
	i = c.Below(n)
	return i, (i + 1 + c.Below(n-1)) % n
}

// part is a part of an image; a guest is one with the field that leads to it
// and the pointers in it.
type part struct{ at, size int }

type guest struct {
	part
	field    int
	pointers []int
}

// guests are the parts that fit into the opaque bytes of a program.
func (m *image) guests(s shader) []guest {
	array := guest{part: part{s.array, 4 * len(s.programs)}, field: s.object + programArray}
	for i := range s.programs {
		array.pointers = append(array.pointers, 4*i)
	}
	var node int
	for k, t := range m.shaders {
		if t.object == s.object {
			node = m.nodeAt(k + 1)
		}
	}
	list := []guest{array, {part{s.object, objectSize}, node + nodeObject, []int{objectName, dvlbPointer, programArray}}}
	dict := guest{part: part{m.dict, dictSize + nodeSize*len(m.trie)}, field: m.pairAt(shaderKind) + 4}
	for k := range m.shaders {
		at := m.nodeAt(k+1) - m.dict
		dict.pointers = append(dict.pointers, at+nodeName, at+nodeObject)
	}
	if dict.size <= programSize-programOpaque {
		list = append(list, dict)
	}
	return list
}

// parts are the parts that commands may be said to be in: not the start of the
// file, to which no pointer leads.
func (m *image) parts() []part {
	list := []part{
		{4, m.data - 4}, {m.data, m.pairAt(m.pairs) - m.data}, {m.dict, dictSize + nodeSize*len(m.trie)},
	}
	for _, s := range m.shaders {
		list = append(list, part{s.object, objectSize}, part{s.dvlb, len(s.DVLB)})
		for i, at := range s.programs {
			list = append(list, part{s.array + 4*i, 4}, part{at, programSize})
		}
	}
	return list
}
