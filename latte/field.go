package latte

// A Field is a run of bits in one of the 32-bit words of an instruction.
type Field struct {
	Name  string
	Word  uint8 // of the instruction
	Low   uint8 // lowest bit
	Width uint8
	shift uint8
	mask  uint32
}

// pair is two words of an instruction, word 0 or 2 in the low half.
type pair = uint64

// of returns the value of a field of word 0 or 1.
func (f *Field) of(p pair) uint32 { return uint32(p>>f.shift) & f.mask }

// flag reports whether a field of one bit is set.
func (f *Field) flag(p pair) bool { return p>>f.shift&1 != 0 }

// put sets a field of word 0 or 1.
func (f *Field) put(p *pair, v uint32) {
	*p = *p&^(pair(f.mask)<<f.shift) | pair(v&f.mask)<<f.shift
}

// in returns the value of a field of a fetch.
func (f *Field) in(w *[2]pair) uint32 { return f.of(w[f.Word/2]) }

// A Layout is a form of instruction words. Its fields cover every bit.
type Layout struct {
	Name   string
	Fields []Field
}

// Layouts lists the forms of instruction words.
var Layouts = []*Layout{
	&normalLayout, &exportLayout, &bufferLayout, &cfALULayout, &op2Layout, &op3Layout,
	&textureLayout, &vertexLayout, &semanticLayout, &rawLayout,
}

var (
	normalLayout   = Layout{Name: "CF"}
	exportLayout   = Layout{Name: "CF_ALLOC_EXPORT_SWIZ"}
	bufferLayout   = Layout{Name: "CF_ALLOC_EXPORT_BUF"}
	cfALULayout    = Layout{Name: "CF_ALU"}
	op2Layout      = Layout{Name: "ALU_OP2"}
	op3Layout      = Layout{Name: "ALU_OP3"}
	textureLayout  = Layout{Name: "TEX"}
	vertexLayout   = Layout{Name: "VTX"}
	semanticLayout = Layout{Name: "VTX_SEMANTIC"}
	rawLayout      = Layout{Name: "MEM"}
)

type layouts []*Layout

var (
	cfs       = layouts{&normalLayout, &exportLayout, &bufferLayout}
	exports   = layouts{&exportLayout, &bufferLayout}
	buffers   = layouts{&bufferLayout}
	swizzles  = layouts{&exportLayout}
	normals   = layouts{&normalLayout}
	cfALUs    = layouts{&cfALULayout}
	every     = layouts{&normalLayout, &exportLayout, &bufferLayout, &cfALULayout}
	alus      = layouts{&op2Layout, &op3Layout}
	op2s      = layouts{&op2Layout}
	op3s      = layouts{&op3Layout}
	textures  = layouts{&textureLayout}
	vertices  = layouts{&vertexLayout, &semanticLayout}
	registers = layouts{&textureLayout, &vertexLayout}
	fetches   = layouts{&textureLayout, &vertexLayout, &semanticLayout}
	tails     = layouts{&textureLayout, &vertexLayout, &semanticLayout, &rawLayout}
	raws      = layouts{&rawLayout}
)

// row declares a field, bits high to low of a word, in some layouts.
func (l layouts) row(name string, word, high, low uint8) *Field {
	f := Field{name, word, low, high - low + 1, low + word%2*32, uint32(1<<(high-low+1) - 1)}
	for _, layout := range l {
		layout.Fields = append(layout.Fields, f)
	}
	return &f
}

// coordinates end the names of fields.
const coordinates = "XYZW"

// run declares a field for each of x, y, z and w: they follow each other, from a low bit on.
func (l layouts) run(name string, word, low, width uint8) (all [4]*Field) {
	for k := range uint8(4) {
		at := low + k*width
		all[k] = l.row(name+coordinates[k:k+1], word, at+width-1, at)
	}
	return all
}

// Control-flow words.
var (
	cfAddr      = normals.row("ADDR", 0, 31, 0)
	cfPopCount  = normals.row("POP_COUNT", 1, 2, 0)
	cfConst     = normals.row("CF_CONST", 1, 7, 3)
	cfCond      = normals.row("COND", 1, 9, 8)
	cfCount     = normals.row("COUNT", 1, 12, 10)
	cfCallCount = normals.row("CALL_COUNT", 1, 18, 13)
	cfCount3    = normals.row("COUNT_3", 1, 19, 19)
	cfReserved  = normals.row("RESERVED_1_20", 1, 20, 20)

	exportBase     = exports.row("ARRAY_BASE", 0, 12, 0)
	exportType     = exports.row("TYPE", 0, 14, 13)
	exportGPR      = exports.row("RW_GPR", 0, 21, 15)
	exportRel      = exports.row("RW_REL", 0, 22, 22)
	exportIndex    = exports.row("INDEX_GPR", 0, 29, 23)
	exportElemSize = exports.row("ELEM_SIZE", 0, 31, 30)
	exportSelects  = swizzles.run("SEL_", 1, 0, 3)
	swizReserved   = swizzles.row("RESERVED_1_12", 1, 16, 12)
	bufferSize     = buffers.row("ARRAY_SIZE", 1, 11, 0)
	bufferMask     = buffers.row("COMP_MASK", 1, 15, 12)
	bufferReserved = buffers.row("RESERVED_1_16", 1, 16, 16)
	exportBurst    = exports.row("BURST_COUNT", 1, 20, 17)

	cfEnd        = cfs.row("END_OF_PROGRAM", 1, 21, 21)
	cfValidPixel = cfs.row("VALID_PIXEL_MODE", 1, 22, 22)
	cfInst       = cfs.row("CF_INST", 1, 29, 23)

	cfALUAddr   = cfALUs.row("ADDR", 0, 21, 0)
	kcacheBank0 = cfALUs.row("KCACHE_BANK0", 0, 25, 22)
	kcacheBank1 = cfALUs.row("KCACHE_BANK1", 0, 29, 26)
	kcacheMode0 = cfALUs.row("KCACHE_MODE0", 0, 31, 30)
	kcacheMode1 = cfALUs.row("KCACHE_MODE1", 1, 1, 0)
	kcacheAddr0 = cfALUs.row("KCACHE_ADDR0", 1, 9, 2)
	kcacheAddr1 = cfALUs.row("KCACHE_ADDR1", 1, 17, 10)
	cfALUCount  = cfALUs.row("COUNT", 1, 24, 18)
	cfAltConst  = cfALUs.row("ALT_CONST", 1, 25, 25)
	cfALUInst   = cfALUs.row("CF_INST", 1, 29, 26)

	cfWholeQuad = every.row("WHOLE_QUAD_MODE", 1, 30, 30)
	cfBarrier   = every.row("BARRIER", 1, 31, 31)
)

// ALU instructions.
var (
	src0Sel  = alus.row("SRC0_SEL", 0, 8, 0)
	src0Rel  = alus.row("SRC0_REL", 0, 9, 9)
	src0Chan = alus.row("SRC0_CHAN", 0, 11, 10)
	src0Neg  = alus.row("SRC0_NEG", 0, 12, 12)
	src1Sel  = alus.row("SRC1_SEL", 0, 21, 13)
	src1Rel  = alus.row("SRC1_REL", 0, 22, 22)
	src1Chan = alus.row("SRC1_CHAN", 0, 24, 23)
	src1Neg  = alus.row("SRC1_NEG", 0, 25, 25)
	aluIndex = alus.row("INDEX_MODE", 0, 28, 26)
	aluPred  = alus.row("PRED_SEL", 0, 30, 29)
	aluLast  = alus.row("LAST", 0, 31, 31)

	src0Abs       = op2s.row("SRC0_ABS", 1, 0, 0)
	src1Abs       = op2s.row("SRC1_ABS", 1, 1, 1)
	aluExecMask   = op2s.row("UPDATE_EXEC_MASK", 1, 2, 2)
	aluUpdatePred = op2s.row("UPDATE_PRED", 1, 3, 3)
	aluWrite      = op2s.row("WRITE_MASK", 1, 4, 4)
	aluOMod       = op2s.row("OMOD", 1, 6, 5)
	op2Inst       = op2s.row("ALU_INST", 1, 17, 7)

	src2Sel  = op3s.row("SRC2_SEL", 1, 8, 0)
	src2Rel  = op3s.row("SRC2_REL", 1, 9, 9)
	src2Chan = op3s.row("SRC2_CHAN", 1, 11, 10)
	src2Neg  = op3s.row("SRC2_NEG", 1, 12, 12)
	op3Inst  = op3s.row("ALU_INST", 1, 17, 13)

	aluSwizzle = alus.row("BANK_SWIZZLE", 1, 20, 18)
	dstGPR     = alus.row("DST_GPR", 1, 27, 21)
	dstRel     = alus.row("DST_REL", 1, 28, 28)
	dstChan    = alus.row("DST_CHAN", 1, 30, 29)
	aluClamp   = alus.row("CLAMP", 1, 31, 31)
)

// Fetches.
var (
	texInst      = textures.row("TEX_INST", 0, 4, 0)
	texFrac      = textures.row("BC_FRAC_MODE", 0, 5, 5)
	texReserved0 = textures.row("RESERVED_0_6", 0, 6, 6)
	vtxInst      = vertices.row("VTX_INST", 0, 4, 0)
	vtxType      = vertices.row("FETCH_TYPE", 0, 6, 5)
	fetchQuad    = fetches.row("FETCH_WHOLE_QUAD", 0, 7, 7)
	texResource  = textures.row("RESOURCE_ID", 0, 15, 8)
	vtxBuffer    = vertices.row("BUFFER_ID", 0, 15, 8)
	fetchSrc     = fetches.row("SRC_GPR", 0, 22, 16)
	fetchSrcRel  = fetches.row("SRC_REL", 0, 23, 23)
	texAltConst  = textures.row("ALT_CONST", 0, 24, 24)
	texReserved1 = textures.row("RESERVED_0_25", 0, 31, 25)
	vtxSelX      = vertices.row("SRC_SEL_X", 0, 25, 24)
	vtxMega      = vertices.row("MEGA_FETCH_COUNT", 0, 31, 26)

	fetchDst      = registers.row("DST_GPR", 1, 6, 0)
	fetchDstRel   = registers.row("DST_REL", 1, 7, 7)
	vtxSemantic   = layouts{&semanticLayout}.row("SEMANTIC_ID", 1, 7, 0)
	fetchReserved = fetches.row("RESERVED_1_8", 1, 8, 8)
	dstSelects    = fetches.run("DST_SEL_", 1, 9, 3)
	texLOD        = textures.row("LOD_BIAS", 1, 27, 21)
	_             = textures.run("COORD_TYPE_", 1, 28, 1)
	texCoords     = layouts(nil).row("COORD_TYPE", 1, 31, 28) // the four together
	vtxConst      = vertices.row("USE_CONST_FIELDS", 1, 21, 21)
	vtxFormat     = vertices.row("DATA_FORMAT", 1, 27, 22)
	vtxNumFormat  = vertices.row("NUM_FORMAT_ALL", 1, 29, 28)
	vtxSigned     = vertices.row("FORMAT_COMP_ALL", 1, 30, 30)
	vtxSRFMode    = vertices.row("SRF_MODE_ALL", 1, 31, 31)

	texOffsetX   = textures.row("OFFSET_X", 2, 4, 0)
	texOffsetY   = textures.row("OFFSET_Y", 2, 9, 5)
	texOffsetZ   = textures.row("OFFSET_Z", 2, 14, 10)
	texSampler   = textures.row("SAMPLER_ID", 2, 19, 15)
	texSelects   = textures.run("SRC_SEL_", 2, 20, 3)
	vtxOffset    = vertices.row("OFFSET", 2, 15, 0)
	vtxEndian    = vertices.row("ENDIAN_SWAP", 2, 17, 16)
	vtxNoStride  = vertices.row("CONST_BUF_NO_STRIDE", 2, 18, 18)
	vtxMegaFetch = vertices.row("MEGA_FETCH", 2, 19, 19)
	vtxAltConst  = vertices.row("ALT_CONST", 2, 20, 20)
	vtxReserved  = vertices.row("RESERVED_2_21", 2, 31, 21)

	rawWords   = [3]*Field{raws.row("WORD0", 0, 31, 0), raws.row("WORD1", 1, 31, 0), raws.row("WORD2", 2, 31, 0)}
	fetchWord3 = tails.row("WORD3", 3, 31, 0)
)

// sourceFields are the fields of one source of an ALU instruction. The third source has no abs.
type sourceFields struct{ sel, rel, channel, neg, abs *Field }

var sources = [3]sourceFields{
	{src0Sel, src0Rel, src0Chan, src0Neg, src0Abs},
	{src1Sel, src1Rel, src1Chan, src1Neg, src1Abs},
	{src2Sel, src2Rel, src2Chan, src2Neg, nil},
}

// kcache are the fields of a lock set.
type kcacheFields struct{ mode, bank, addr *Field }

var kcaches = [2]kcacheFields{
	{kcacheMode0, kcacheBank0, kcacheAddr0},
	{kcacheMode1, kcacheBank1, kcacheAddr1},
}
