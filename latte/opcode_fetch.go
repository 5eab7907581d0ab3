package latte

// A FetchOp is one opcode of a texture or a vertex clause.
type FetchOp struct {
	Code   uint8
	Name   string
	layout *Layout
}

// TextureOps lists the instructions of texture clauses.
var TextureOps = []FetchOp{
	{0x00, "VTX_FETCH", &vertexLayout},
	{0x01, "VTX_SEMANTIC", &semanticLayout},
	{0x02, "MEM", &rawLayout},
	{0x03, "LD", &textureLayout},
	{0x04, "GET_TEXTURE_INFO", &textureLayout},
	{0x05, "GET_SAMPLE_INFO", &textureLayout},
	{0x06, "GET_COMP_TEX_LOD", &textureLayout},
	{0x07, "GET_GRADIENTS_H", &textureLayout},
	{0x08, "GET_GRADIENTS_V", &textureLayout},
	{0x09, "GET_LERP", &textureLayout},
	{0x0A, "KEEP_GRADIENTS", &textureLayout},
	{0x0B, "SET_GRADIENTS_H", &textureLayout},
	{0x0C, "SET_GRADIENTS_V", &textureLayout},
	{0x0D, "PASS", &textureLayout},
	{0x0E, "SET_CUBEMAP_INDEX", &textureLayout},
	{0x0F, "FETCH4", &textureLayout},
	{0x10, "SAMPLE", &textureLayout},
	{0x11, "SAMPLE_L", &textureLayout},
	{0x12, "SAMPLE_LB", &textureLayout},
	{0x13, "SAMPLE_LZ", &textureLayout},
	{0x14, "SAMPLE_G", &textureLayout},
	{0x15, "SAMPLE_G_L", &textureLayout},
	{0x16, "SAMPLE_G_LB", &textureLayout},
	{0x17, "SAMPLE_G_LZ", &textureLayout},
	{0x18, "SAMPLE_C", &textureLayout},
	{0x19, "SAMPLE_C_L", &textureLayout},
	{0x1A, "SAMPLE_C_LB", &textureLayout},
	{0x1B, "SAMPLE_C_LZ", &textureLayout},
	{0x1C, "SAMPLE_C_G", &textureLayout},
	{0x1D, "SAMPLE_C_G_L", &textureLayout},
	{0x1E, "SAMPLE_C_G_LB", &textureLayout},
	{0x1F, "SAMPLE_C_G_LZ", &textureLayout},
}

// VertexOps lists the instructions of vertex clauses.
var VertexOps = []FetchOp{
	{0, "FETCH", &vertexLayout},
	{1, "SEMANTIC", &semanticLayout},
	{2, "MEM", &rawLayout},
	{14, "BUFINFO", &vertexLayout},
}

// fetchOps are the known instructions by clause kind and number.
var fetchOps = func() (all [numKinds][32]*FetchOp) {
	for i := range TextureOps {
		all[TextureClause][TextureOps[i].Code] = &TextureOps[i]
	}
	for i := range VertexOps {
		all[VertexClause][VertexOps[i].Code] = &VertexOps[i]
	}
	return all
}()
