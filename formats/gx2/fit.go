package gx2

// FitRegisters gives a shader the registers of one without outputs, exports and interpolated inputs that
// receives all its attributes, about which no rule has anything to say.
func (s *Shader) FitRegisters() {
	s.Registers = make([]uint32, len(structures[s.Type].words))
	for _, a := range structures[s.Type].arrays {
		for i := range a.len {
			s.Registers[a.count+1+i] = a.fills[0]
		}
	}
	if s.Type != Vertex {
		return
	}
	n := 0
	for i := range min(len(s.Attributes), vertexInputs.len) {
		s.Registers[vertexInputs.count+1+i] = s.Attributes[i].Location
		n++
	}
	s.Registers[vertexInputs.count] = uint32(n)
	s.Registers[vertexClear] = uint32(uint64(1<<32-1) << n)
	s.Registers[vertexGPRs.word] = uint32(n + 1)
}
