package gx2

import "strings"

// Exports returns the semantic of each parameter that a vertex or geometry shader exports: element k is the semantic of
// PARAM k, [NoSemantic] for a parameter without one. It is nil for a pixel shader.
func (s *Shader) Exports() (semantics []uint8) {
	if s.Type == Pixel {
		return nil
	}
	last := 0
	for _, word := range outputRegisters[s.Type].ids.used(s) {
		for range idsInWord {
			semantics = append(semantics, uint8(word))
			if uint8(word) != NoSemantic {
				last = len(semantics)
			}
			word >>= semanticBits
		}
	}
	return semantics[:last]
}

// NoSemantic is the semantic of a register element that has none.
const NoSemantic = noSemantic

// Fetched returns the attribute locations that the fetch shader loads for a vertex shader: element k goes to GPR k+1.
// It is nil for other shaders.
func (s *Shader) Fetched() (locations []uint8) {
	if s.Type != Vertex {
		return nil
	}
	for _, word := range vertexInputs.used(s) {
		locations = append(locations, uint8(word))
	}
	return locations
}

// PixelInput is an input of a pixel shader, by its SPI_PS_INPUT_CNTL register.
type PixelInput struct {
	Register string // "SPI_PS_INPUT_CNTL_0"
	Semantic uint8
	Default  string // the value that it has if no output has the semantic: "0,0,0,1"
	Position bool   // the screen position replaces it
	// Interpolation is "smooth", or what differs from that: "flat", "linear", "centroid", "sample".
	Interpolation string
}

// interpolations are the bits of an input that change how it is interpolated.
var interpolations = []struct {
	bit  bitsAt
	name string
}{
	{fieldOf(Pixel, "SPI_PS_INPUT_CNTL_0", "FLAT_SHADE"), "flat"},
	{fieldOf(Pixel, "SPI_PS_INPUT_CNTL_0", "SEL_LINEAR"), "linear"},
	{fieldOf(Pixel, "SPI_PS_INPUT_CNTL_0", "SEL_CENTROID"), "centroid"},
	{fieldOf(Pixel, "SPI_PS_INPUT_CNTL_0", "SEL_SAMPLE"), "sample"},
}

func interpolation(word uint32) string {
	var names []string
	for _, i := range interpolations {
		if i.bit.of(word) != 0 {
			names = append(names, i.name)
		}
	}
	if names == nil {
		return "smooth"
	}
	return strings.Join(names, " ")
}

// Resources returns the numbers of general-purpose registers and of stack entries that the program may use.
func (s *Shader) Resources() (registers, stack int) {
	r := resources[s.Type]
	return int(r[0].in(s)), int(r[1].in(s))
}

var resources = [...][2]bitsAt{
	Vertex:   resourcesOf(Vertex, "SQ_PGM_RESOURCES_VS"),
	Pixel:    resourcesOf(Pixel, "SQ_PGM_RESOURCES_PS"),
	Geometry: resourcesOf(Geometry, "SQ_PGM_RESOURCES_GS"),
}

func resourcesOf(t Type, register string) [2]bitsAt {
	return [2]bitsAt{fieldOf(t, register, "NUM_GPRS"), fieldOf(t, register, "STACK_SIZE")}
}

// PixelInputs returns the interpolated inputs of a pixel shader, nil for other shaders.
func (s *Shader) PixelInputs() (inputs []PixelInput) {
	if s.Type != Pixel {
		return nil
	}
	words := pixelInputs.used(s)
	words = words[:min(len(words), int(interpolated.in(s)))]
	for i, word := range words {
		inputs = append(inputs, PixelInput{
			Register: structures[Pixel].words[pixelInputs.count+1+i].Name,
			Semantic: uint8(word),
			Default:  defaults[inputDefault.of(word)],
			Position: positionUsed.in(s) != 0 && i == int(positionAt.in(s)),

			Interpolation: interpolation(word),
		})
	}
	return inputs
}
