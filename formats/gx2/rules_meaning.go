package gx2

import "github.com/picaproof/picaproof/formats/diag"

// MeaningRules lists the rules that [Meaning] evaluates, about structures against each other. None refuses a file. They
// are among [Rules].
var MeaningRules = []diag.Rule{
	{ID: "GX2050", Severity: diag.Warning, Class: diag.Implementation,
		Source: "lovepotion ed5d48a1, helengine-wiiu bcc0537; both were undone", Title: "uniform never arrives",
		Text: "in mode uniform block every uniform is in a block: one outside of all blocks can be set neither " +
			"through a block nor as a register"},
	{ID: "GX2051", Severity: diag.Warning, Class: diag.Implementation, Source: "decaf-emu cc4d1460",
		Title: "uniform blocks in register mode",
		Text:  "in mode uniform register there are no uniform blocks: their contents never arrive"},
	{ID: "GX2052", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "uniform ends behind its block",
		Text:  "a uniform in a block ends inside of it; its offset counts words"},
	{ID: "GX2053", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "uniforms overlap",
		Text: "two uniforms of a block, or of the registers in mode uniform register, share no words; the elements " +
			"of an array may have rows of their own"},
	{ID: "GX2054", Severity: diag.Warning, Class: diag.Implementation, Source: decaf,
		Title: "uniform is behind the registers",
		Text:  "in mode uniform register a uniform outside of blocks ends inside the 256 registers of 4 words"},
	{ID: "GX2055", Severity: diag.Warning, Class: diag.Guess, Source: "two names reach one place",
		Title: "location is used twice",
		Text:  "the locations of a table differ: of uniform blocks, samplers and attributes"},
	{ID: "GX2056", Severity: diag.Info, Class: diag.Implementation, Source: "Cemu",
		Title: "no register receives the attribute",
		Text: "the location of an attribute is a semantic of the used SQ_VTX_SEMANTIC registers, unless it is out " +
			"of range; it does no harm when the code does not use the attribute"},
	{ID: "GX2057", Severity: diag.Info, Class: diag.Guess, Source: "the two lists belong together",
		Title: "no attribute for a semantic",
		Text: "every semantic of the used SQ_VTX_SEMANTIC registers but 0xFF is a location of an attribute, if " +
			"there are any; a matrix takes a location for each column, an array for each element"},
	{ID: "GX2058", Severity: diag.Warning, Class: diag.Implementation, Source: "Cemu, decaf-emu#463",
		Title: "semantic is used twice",
		Text: "the semantics of the used SQ_VTX_SEMANTIC registers differ, and those of the SPI_VS_OUT_ID and " +
			"SPI_PS_INPUT_CNTL registers; 0xFF is none"},
	{ID: "GX2059", Severity: diag.Warning, Class: diag.Implementation, Source: "decaf-emu, Cemu",
		Title: "too few registers for the inputs",
		Text: "NUM_GPRS of a vertex shader is more than num_sq_vtx_semantic, of a pixel shader at least NUM_INTERP: " +
			"so many registers are loaded before the program starts"},
	{ID: "GX2060", Severity: diag.Warning, Also: []diag.Severity{diag.Info}, Class: diag.Implementation,
		Source: observed, Title: "number of outputs is not that of the semantics",
		Text: "VS_EXPORT_COUNT + 1 is the number of semantics in the used SPI_VS_OUT_ID registers, unless there are " +
			"none; more parameters than semantics are only noted, as a retail shader has them"},
	{ID: "GX2061", Severity: diag.Warning, Also: []diag.Severity{diag.Info}, Class: diag.Implementation,
		Source: "decaf-emu, decaf-emu#463", Title: "list of outputs ends in another place for some readers",
		Text: "no 0xFF stands before a semantic in the used SPI_VS_OUT_ID registers; an unused one that is 0 is " +
			"noted, as readers that search all ten take it for semantic 0"},
	{ID: "GX2062", Severity: diag.Warning, Class: diag.Implementation, Source: "decaf-emu, Cemu",
		Title: "numbers of inputs disagree",
		Text:  "NUM_INTERP is num_spi_ps_input_cntl"},
	{ID: "GX2063", Severity: diag.Warning, Class: diag.Implementation, Source: "decaf-emu, Cemu",
		Title: "position has no input",
		Text:  "with POSITION_ENA, POSITION_ADDR is below NUM_INTERP"},
	{ID: "GX2064", Severity: diag.Warning, Class: diag.Implementation, Source: "decaf-emu, decaf-emu#234",
		Title: "no output feeds the input",
		Text: "the semantic of every input of a pixel shader is an output of the vertex shader with which it is used " +
			"or, with a geometry shader, of that one; the position needs none. An input without output reads its " +
			"DEFAULT_VAL"},
	{ID: "GX2065", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "colour outputs disagree",
		Text:  "CB_SHADER_CONTROL enables the targets of which CB_SHADER_MASK has components, and no others"},
	{ID: "GX2066", Severity: diag.Warning, Class: diag.Implementation, Source: "Mesa r600, every known file",
		Title: "number of exports is not that of the outputs",
		Text: "EXPORT_MODE has the number of targets in CB_SHADER_CONTROL, or 1 for none, in bits 1 to 4, and bit 0 " +
			"exactly when DB_SHADER_CONTROL exports depth, stencil or mask"},
	{ID: "GX2067", Severity: diag.Warning, Class: diag.Implementation, Source: "decaf-emu, decaf-emu#467",
		Title: "register has bits outside of its fields",
		Text: "the used registers have no bits outside of their fields; words that are moved or in the other byte " +
			"order are seen here, and no other rule about them is evaluated then"},
	{ID: "GX2068", Severity: diag.Info, Class: diag.Implementation, Source: observed,
		Title: "unusual SQ_VTX_SEMANTIC_CLEAR",
		Text:  "SQ_VTX_SEMANTIC_CLEAR has the bits from num_sq_vtx_semantic on, or all"},
	{ID: "GX2069", Severity: diag.Warning, Class: diag.Guess, Source: "one GLSL program",
		Title: "name means two things",
		Text: "a uniform block that vertex and pixel shader have has the same size in both, a uniform the same type " +
			"and count"},
}
