package gx2

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Sources that several rules name.
const (
	agl      = "AGL"
	decaf    = "decaf-emu"
	observed = "every known file"
	layout   = "the layout itself"
)

// Rules lists the rules of the shader structures.
var Rules = slices.Concat([]diag.Rule{
	{ID: "GX2001", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse,
		Source: "wut, decaf-emu, Cemu", Title: "data is smaller than the structure",
		Text: "the data of a shader is at least its structure: 0x134 bytes for vertex, 0xE8 for pixel, 0xC0 for " +
			"geometry shaders"},
	{ID: "GX2002", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse,
		Source: "decaf-emu, Cemu", Title: "count of a register array is too large",
		Text: "num_spi_vs_out_id is at most 10, num_sq_vtx_semantic and num_spi_ps_input_cntl at most 32"},
	{ID: "GX2003", Severity: diag.Info, Class: diag.Implementation, Source: observed,
		Title: "unused register holds an unusual value",
		Text: "register array elements behind the used ones hold 0 or, for SPI_VS_OUT_ID, 0xFFFFFFFF or, for " +
			"SQ_VTX_SEMANTIC, 0xFF"},
	{ID: "GX2010", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: "AGL, decaf-emu",
		Title: "code is outside the data",
		Text:  "the code is not empty, starts behind the structure and ends inside the data"},
	{ID: "GX2011", Severity: diag.Warning, Class: diag.Implementation, Source: decaf,
		Title: "code size is not a multiple of 8",
		Text:  "the size of the code is a multiple of 8, because registers hold it divided by 8"},
	{ID: "GX2012", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "code does not end the data",
		Text:  "the code, of a geometry shader the later of code and copy program, ends where the data ends"},
	{ID: "GX2013", Severity: diag.Error, Class: diag.Implementation, Source: "AGL, decaf-emu",
		Title: "code is not aligned in the file",
		Text: "the file offset of the code is a multiple of 0x100, because the GPU is given the address without " +
			"its low 8 bits"},
	{ID: "GX2014", Severity: diag.Error, Class: diag.Implementation, Source: decaf,
		Title: "copy program is missing, outside the data or not aligned",
		Text: "the copy program of a geometry shader is not empty, starts behind the structure, ends inside the " +
			"data, and its file offset is a multiple of 0x100"},
	{ID: "GX2020", Severity: diag.Error, Class: diag.Implementation, Source: "wut", Title: "unknown mode",
		Text: "the mode is 0 (uniform register), 1 (uniform block), 2 (geometry) or 3 (compute)"},
	{ID: "GX2021", Severity: diag.Warning, Class: diag.Implementation, Source: agl,
		Title: "modes of a variation do not go together",
		Text: "without geometry shader, vertex and pixel shader of a variation have the same mode, 0 or 1; with " +
			"one, vertex and geometry shader have mode 2 and the pixel shader 0 or 1"},
	{ID: "GX2022", Severity: diag.Error, Class: diag.Implementation, Source: "wut",
		Title: "stream-out flag is not 0 or 1",
		Text:  "hasStreamOut is 0 or 1"},
	{ID: "GX2023", Severity: diag.Warning, Class: diag.Implementation, Source: decaf,
		Title: "unusual stream-out stride",
		Text:  "stream-out strides are multiples of 4, and 0 without stream-out"},
	{ID: "GX2024", Severity: diag.Error, Class: diag.Implementation, Source: decaf,
		Title: "buffer structure is not zero",
		Text:  "all words of the GX2RBuffer structures are 0; they are used at run time only"},
	{ID: "GX2030", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: observed,
		Title: "count and pointer disagree",
		Text:  "a table has a pointer exactly when it has records"},
	{ID: "GX2031", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout,
		Title: "table is outside the data",
		Text:  "a table starts behind the structure and ends inside the data"},
	{ID: "GX2032", Severity: diag.Error, Class: diag.Implementation, Source: layout, Title: "parts overlap",
		Text: "structure, tables, names, code and copy program do not overlap; only names may share bytes"},
	{ID: "GX2033", Severity: diag.Error, Also: []diag.Severity{diag.Warning}, Class: diag.Implementation, Source: agl,
		Title: "tables do not follow the structure",
		Text: "uniform blocks, uniforms, samplers and attributes fill the bytes behind the structure, in any " +
			"order; the loader of the console swaps just these bytes of a little-endian archive. In a big-endian " +
			"archive the rule only warns"},
	{ID: "GX2034", Severity: diag.Error, Class: diag.Implementation, Source: agl, Title: "initial values",
		Text: "there are no initial values, because the loader does not relocate their pointer"},
	{ID: "GX2035", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "table is not aligned",
		Text: "tables other than loop variables start at a multiple of 4 from the structure"},
	{ID: "GX2040", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout,
		Title: "name is outside the data",
		Text:  "a name starts behind the structure and ends with a NUL inside the data"},
	{ID: "GX2041", Severity: diag.Warning, Class: diag.Implementation, Source: "AGL against SharcCompiler",
		Title: "byte order of loop variables is undecided",
		Text:  "a little-endian archive has no loop variables: one implementation swaps them, another does not"},
	{ID: "GX2042", Severity: diag.Warning, Class: diag.Guess, Source: "number of loop constants",
		Title: "loop variable has no register",
		Text:  "the offset of a loop variable is at most 31; checked in big-endian archives"},
	{ID: "GX2043", Severity: diag.Warning, Class: diag.Implementation, Source: "wut",
		Title: "unknown variable or sampler type",
		Text:  "the type of a uniform or attribute is at most 38, that of a sampler 0, 1, 3 or 4"},
	{ID: "GX2044", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "uniform names a block that is not there",
		Text:  "the block of a uniform is -1 or the index of a uniform block"},
	{ID: "GX2045", Severity: diag.Warning, Class: diag.Implementation, Source: decaf,
		Title: "location is out of range",
		Text:  "the location of a uniform block is below 16, of a sampler below 18, of an attribute below 32"},
	{ID: "GX2046", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "name is empty or used twice",
		Text:  "the names of a table are not empty and differ"},
	{ID: "GX2047", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "unused bytes are not zero",
		Text:  "bytes outside structure, tables, names, loop variables and code are zero"},
	{ID: "GX2048", Severity: diag.Warning, Class: diag.Implementation, Source: observed,
		Title: "name starts inside another",
		Text:  "no name is the tail of another in memory"},
	{ID: "GX2049", Severity: diag.Error, Class: diag.Guess, Source: "bounds the memory and time of a reader",
		Title: "names are over the limit", Kind: diag.ErrLimit,
		Text: "the names of a shader, each with its NUL and as often as it is referred to, take at most eight " +
			"times as many bytes as its data"},
}, MeaningRules)

// GFDRules lists the rules that [Reader.Read] evaluates in a GFD file only.
var GFDRules = []diag.Rule{
	{ID: "GSH060", Severity: diag.Error, Class: diag.Implementation, Source: observed,
		Title: "pointer has the wrong tag",
		Text:  "a pointer to a table that is not null has the tag 0xD06, a pointer to a name 0xCA7"},
	{ID: "GSH061", Severity: diag.Error, Class: diag.Implementation, Source: "every known file, decaf-emu",
		Title: "program pointer is not null",
		Text:  "the pointers to program and copy program are 0, because the code stands in blocks of its own"},
	{ID: "GSH062", Severity: diag.Error, Class: diag.Implementation, Source: "every known file, decaf-emu",
		Title: "code size is not that of its block",
		Text: "the size of the code is the size of its program block, that of the copy program the size of the " +
			"copy program block"},
	{ID: "GSH065", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "initial values",
		Text: "there are no initial values; loaders relocate them, and no known file has any"},
}
