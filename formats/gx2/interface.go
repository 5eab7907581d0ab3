package gx2

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
		})
	}
	return inputs
}
