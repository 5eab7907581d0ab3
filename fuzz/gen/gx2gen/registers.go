package gx2gen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// registerArray is a counted array of registers: the words of the count and of its elements.
type registerArray struct {
	count, len int
	fills      []uint32 // of unused elements
}

// used returns the used elements.
func (a registerArray) used(words []uint32) []uint32 {
	return words[a.count+1 : a.count+1+int(words[a.count])]
}

// set makes a list the used elements.
func (a registerArray) set(words, list []uint32, fill uint32) {
	words[a.count] = uint32(len(list))
	elements := words[a.count+1 : a.count+1+a.len]
	for i := copy(elements, list); i < len(elements); i++ {
		elements[i] = fill
	}
}

// Words of the registers, as they stand in the structures.
const (
	resources = 0 // of all types: NUM_GPRS is the low byte

	vertexClear  = 15
	pixelExports = 1
	pixelControl = 2
	pixelMask    = 37
	pixelTargets = 38
	pixelDepth   = 39

	noSemantic = 0xFF
	noOutputs  = 0xFFFFFFFF

	positionUsed  = 1 << 8 // bits of SPI_PS_IN_CONTROL_0
	positionShift = 10
	positionMask  = 0x1F << positionShift
	interpolated  = 0x3F

	countShift = 1 // of VS_EXPORT_COUNT in SPI_VS_OUT_CONFIG
	countMask  = 0x1F << countShift

	depthExports = 0x103 // bits of DB_SHADER_CONTROL
	maxOutputs   = 32    // that VS_EXPORT_COUNT can tell
)

var (
	semantics = registerArray{16, 32, []uint32{0, noSemantic}}
	inputs    = registerArray{4, 32, []uint32{0}}
	outputs   = [...]registerArray{
		gx2.Vertex: {3, 10, []uint32{noOutputs}}, gx2.Geometry: {7, 10, []uint32{noOutputs}},
	}
	outputConfig = [...]int{gx2.Vertex: 2, gx2.Geometry: 6}

	registerArrays = [...][]registerArray{
		gx2.Vertex: {outputs[gx2.Vertex], semantics}, gx2.Pixel: {inputs}, gx2.Geometry: {outputs[gx2.Geometry]},
	}
	registerMasks = [...][]uint32{
		gx2.Vertex: masks(gx2.Vertex), gx2.Pixel: masks(gx2.Pixel), gx2.Geometry: masks(gx2.Geometry),
	}
)

// masks lists the bits of each register that are in fields.
func masks(t gx2.Type) (list []uint32) {
	for i := range t.RegisterNames() {
		list = append(list, t.Register(i).Mask())
	}
	return list
}

// Registers draws registers that agree with each other, most often few that are not 0.
func (d Drawer) Registers(t gx2.Type) []uint32 {
	words := make([]uint32, len(registerMasks[t]))
	busy := d.C.Chance(5)
	if busy {
		for i := 0; i < len(words); i++ {
			if k := slices.IndexFunc(registerArrays[t], func(a registerArray) bool { return a.count == i }); k >= 0 {
				i += registerArrays[t][k].len
				continue
			}
			words[i] = d.Number() & registerMasks[t][i]
		}
	}
	switch t {
	case gx2.Vertex:
		d.outputs(words, t, busy)
		d.semantics(words, busy)
	case gx2.Geometry:
		d.outputs(words, t, busy)
	case gx2.Pixel:
		d.targets(words)
		setInputs(words, nil, -1)
	}
	return words
}

// distinct draws n bytes that differ, none of them 0xFF.
func (d Drawer) distinct(n int) []uint32 {
	const values = noSemantic
	first, step := uint32(d.C.Below(values)), gen.Pick(d.C, []uint32{1, 2, 7, 128, 254})
	list := make([]uint32, n)
	for i := range list {
		list[i] = (first + uint32(i)*step) % values
	}
	return list
}

// outputs draws the outputs of a vertex or geometry shader.
func (d Drawer) outputs(words []uint32, t gx2.Type, busy bool) {
	n := 0
	if busy {
		n = d.C.Below(maxOutputs + 1)
	} else {
		n = d.Count(3, maxOutputs)
	}
	SetOutputs(words, t, d.distinct(n))
	if busy {
		words[outputs[t].count] = max(words[outputs[t].count], uint32(d.C.Below(outputs[t].len+1)))
	}
}

// SetOutputs makes a list of semantics the outputs of a vertex or geometry shader.
func SetOutputs(words []uint32, t gx2.Type, ids []uint32) {
	list := make([]uint32, (len(ids)+3)/4)
	for i := range list {
		list[i] = noOutputs
	}
	for i, id := range ids {
		shift := i % 4 * 8
		list[i/4] = list[i/4]&^(0xFF<<shift) | id<<shift
	}
	outputs[t].set(words, list, noOutputs)
	if len(ids) > 0 {
		config := &words[outputConfig[t]]
		*config = *config&^countMask | uint32(len(ids)-1)<<countShift
	}
}

// outputsOf lists the semantics that a vertex or geometry shader has as outputs.
func outputsOf(s *gx2.Shader) (ids []uint32) {
	for _, word := range outputs[s.Type].used(s.Registers) {
		for shift := 0; shift < 32; shift += 8 {
			if id := word >> shift & 0xFF; id != noSemantic {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// semantics draws the semantics that the fetch shader loads, for a shader without attributes.
func (d Drawer) semantics(words []uint32, busy bool) {
	n := 0
	if busy {
		n = d.C.Below(semantics.len + 1)
	}
	list := d.distinct(n)
	if n > 0 && d.C.Chance(4) {
		list[d.C.Below(n)] = noSemantic
	}
	words[vertexClear] = uint32(d.C.Bits(1)) // the usual value with all bits set, or 0
	setSemantics(words, list, gen.Pick(d.C, semantics.fills))
}

// setSemantics makes the fetch shader load a list of semantics.
func setSemantics(words, list []uint32, fill uint32) {
	all := words[vertexClear]&1 != 0
	semantics.set(words, list, fill)
	if words[vertexClear] = uint32(uint64(1<<32-1) << len(list)); all {
		words[vertexClear] = 1<<32 - 1
	}
	atLeast(words, uint32(len(list)+1))
}

// atLeast raises NUM_GPRS.
func atLeast(words []uint32, n uint32) {
	words[resources] = words[resources]&^0xFF | max(words[resources]&0xFF, n)
}

// fitSemantics loads the locations of all attributes of a vertex shader, and none that it does not have.
func fitSemantics(s *gx2.Shader) {
	if s.Type != gx2.Vertex || len(s.Attributes) == 0 {
		return
	}
	words := s.Registers
	fill := uint32(noSemantic)
	if n := int(words[semantics.count]); n < semantics.len {
		fill = words[semantics.count+semantics.len]
	}
	isLocation := func(v uint32) bool {
		return slices.ContainsFunc(s.Attributes, func(a gx2.AttribVar) bool { return a.Location == v })
	}
	var loaded []uint32
	for _, v := range semantics.used(words) {
		if v == noSemantic || covered(s, v) {
			loaded = append(loaded, v)
		}
	}
	for _, a := range s.Attributes {
		if a.Location < uint32(semantics.len) && !slices.Contains(loaded, a.Location) {
			loaded = append(loaded, a.Location)
		}
	}
	if len(loaded) > semantics.len {
		loaded = slices.DeleteFunc(loaded, func(v uint32) bool { return !isLocation(v) })
	}
	if !slices.Equal(loaded, semantics.used(words)) {
		setSemantics(words, loaded[:min(len(loaded), semantics.len)], fill)
	}
}

// covered reports whether an attribute takes a location.
func covered(s *gx2.Shader, location uint32) bool {
	return slices.ContainsFunc(s.Attributes, func(a gx2.AttribVar) bool {
		n := uint64(max(columns(a.Type), 1)) * uint64(max(a.Count, 1))
		return a.Location <= location && uint64(location) < uint64(a.Location)+n
	})
}

// targets draws the exports of a pixel shader, whose other registers are drawn.
func (d Drawer) targets(words []uint32) {
	colours := uint32(0)
	for i := range 8 {
		nibble := words[pixelMask] >> (4 * i) & 15
		words[pixelTargets] &^= 1 << i
		if nibble != 0 {
			words[pixelTargets] |= 1 << i
			colours++
		}
	}
	if colours == 0 {
		colours = uint32(d.C.Bits(1))
	}
	words[pixelExports] = colours << 1
	if words[pixelDepth]&depthExports != 0 {
		words[pixelExports] |= 1
	}
}

// setInputs makes a list of semantics the inputs of a pixel shader. Input position gets the screen position; -1 for
// none.
func setInputs(words, list []uint32, position int) {
	inputs.set(words, list, 0)
	control := words[pixelControl]&^(interpolated|positionUsed) | uint32(len(list))
	if position >= 0 {
		control = control&^positionMask | positionUsed | uint32(position)<<positionShift
	}
	words[pixelControl] = control
	atLeast(words, uint32(len(list)))
}

// DrawInputs draws the inputs of a pixel shader: some outputs of another shader or, if that is nil, any. One may
// be the position, which needs no output.
func (d Drawer) DrawInputs(pixel, from *gx2.Shader) {
	n := d.Count(3, inputs.len)
	var list []uint32
	if from == nil {
		list = d.distinct(n)
	} else if ids := outputsOf(from); len(ids) > 0 {
		first := d.C.Below(len(ids))
		for i := range min(n, len(ids)) {
			list = append(list, ids[(first+i)%len(ids)])
		}
	}
	for i := range list {
		if d.C.Chance(2) {
			list[i] |= uint32(d.C.Bits(32)) & registerMasks[gx2.Pixel][inputs.count+1] &^ 0xFF
		}
	}
	position := -1
	if len(list) < inputs.len && d.C.Chance(4) {
		v := uint32(d.C.Below(noSemantic))
		for slices.ContainsFunc(list, func(w uint32) bool { return w&0xFF == v }) {
			v = (v + 1) % noSemantic
		}
		position = d.C.Below(len(list) + 1)
		list = slices.Insert(list, position, v)
	}
	setInputs(pixel.Registers, list, position)
}

// fed reports whether the outputs of a shader feed all inputs of a pixel shader.
func fed(pixel, from *gx2.Shader) bool {
	control, ids := pixel.Registers[pixelControl], outputsOf(from)
	for i, word := range inputs.used(pixel.Registers) {
		position := control&positionUsed != 0 && control&positionMask>>positionShift == uint32(i)
		if !position && !slices.Contains(ids, word&0xFF) {
			return false
		}
	}
	return true
}

// DropInputs takes the inputs of a pixel shader that is used with other outputs than its own.
func DropInputs(pixel, from *gx2.Shader) {
	if !fed(pixel, from) {
		setInputs(pixel.Registers, nil, -1)
	}
}

// Connect draws the links of shaders that are used together. outputs is the geometry shader, or the vertex shader if
// the group has no geometry shader.
func (d Drawer) Connect(vertex, pixel, outputs *gx2.Shader) {
	d.DrawInputs(pixel, outputs)
	if d.C.Chance(4) {
		d.Share(vertex, pixel)
	}
	Agree(vertex, pixel)
}

// Agree renames in the pixel shader each uniform and block that the vertex shader has with another type or size.
func Agree(vertex, pixel *gx2.Shader) {
	for i := range pixel.Uniforms {
		u := &pixel.Uniforms[i]
		if slices.ContainsFunc(vertex.Uniforms, func(v gx2.UniformVar) bool {
			return v.Name == u.Name && (v.Type != u.Type || v.Count != u.Count)
		}) {
			rename(pixel, &u.Name, vertex)
		}
	}
	for i := range pixel.Blocks {
		b := &pixel.Blocks[i]
		if slices.ContainsFunc(vertex.Blocks, func(v gx2.UniformBlock) bool {
			return v.Name == b.Name && v.Size != b.Size
		}) {
			rename(pixel, &b.Name, vertex)
		}
	}
}
