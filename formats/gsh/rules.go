package gsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// Sources that several rules name.
const (
	readers  = "every known reader"
	observed = "every known file"
	layout   = "the layout itself"
	decaf    = "decaf-emu"
	ours     = "our own convention"
)

// Rules lists the rules of the container, and behind them those of the shaders in
// it.
var Rules = slices.Concat([]diag.Rule{
	{ID: "GSH001", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout, Title: "file is smaller than the header",
		Text: "the file has at least the 0x20 bytes of the header"},
	{ID: "GSH002", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: readers, Title: "not a GFD file",
		Text: `the first four bytes are "Gfx2"`},
	{ID: "GSH003", Severity: diag.Error, Class: diag.Implementation, Source: decaf, Title: "header size is wrong",
		Text: "the size of the file header is 0x20"},
	{ID: "GSH004", Severity: diag.Error, Class: diag.Implementation, Source: observed, Title: "version is not supported", Kind: diag.ErrUnsupported,
		Text: "the major version is 7; files of version 6 exist, but none was available"},
	{ID: "GSH005", Severity: diag.Error, Class: diag.Implementation, Source: "wut", Title: "minor version is wrong",
		Text: "the minor version is 1"},
	{ID: "GSH006", Severity: diag.Error, Class: diag.Implementation, Source: "RetroArch, SharcCompiler", Title: "GPU version is wrong",
		Text: "the GPU version is 2"},
	{ID: "GSH007", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "unknown align mode",
		Text: "the align mode is 0 or 1; any other counts as 1"},
	{ID: "GSH008", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "reserved words are not zero",
		Text: "both reserved words of the file header are 0"},
	{ID: "GSH010", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout, Title: "block header is cut",
		Text: "a block header has 0x20 bytes"},
	{ID: "GSH011", Severity: diag.Error, Class: diag.Implementation, Source: observed, Title: "no end block",
		Text: "the last block is an end block; decaf-emu reads files without"},
	{ID: "GSH012", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: readers, Title: "not a block",
		Text: `a block begins with "BLK{"`},
	{ID: "GSH013", Severity: diag.Error, Class: diag.Implementation, Source: "decaf-emu, RetroArch", Title: "size of the block header is wrong",
		Text: "the size of a block header is 0x20"},
	{ID: "GSH014", Severity: diag.Error, Class: diag.Implementation, Source: "wut, RetroArch", Title: "block version is not supported", Kind: diag.ErrUnsupported,
		Text: "the major version of a block is 1; blocks of version 0 exist, whose types have other numbers"},
	{ID: "GSH015", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "minor version of a block is not 0",
		Text: "the minor version of a block is 0"},
	{ID: "GSH016", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout, Title: "block is longer than the file",
		Text: "the data of a block ends inside the file"},
	{ID: "GSH017", Severity: diag.Warning, Class: diag.Implementation, Source: "ninTexUtils", Title: "unknown block type",
		Text: "the type of a block is 1 to 3 or 5 to 16"},
	{ID: "GSH018", Severity: diag.Error, Class: diag.Implementation, Source: "ninTexUtils", Title: "end block has data",
		Text: "the size of the end block is 0"},
	{ID: "GSH019", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "bytes behind the end block",
		Text: "the file ends with the end block"},
	{ID: "GSH020", Severity: diag.Info, Class: diag.Implementation, Source: observed, Title: "ids do not count the blocks",
		Text: "the ids of the blocks are all 0, or 0, 1, 2 and so on; the first that differs from its position is reported"},
	{ID: "GSH021", Severity: diag.Info, Class: diag.Implementation, Source: observed, Title: "unusual block index",
		Text: "the index of a header or program block is 0 or its ordinal among the blocks of its type, that of a padding or end block 0"},
	{ID: "GSH022", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "padding is not zero",
		Text: "the data of a padding block is zero"},
	{ID: "GSH023", Severity: diag.Warning, Class: diag.Implementation, Source: "RetroArch", Title: "program is not aligned",
		Text: "with an align mode other than 0 the data of a program block starts at a file offset that is a multiple of 0x100"},
	{ID: "GSH024", Severity: diag.Info, Class: diag.Implementation, Source: observed, Title: "padding in a tight file",
		Text: "with align mode 0 there are no padding blocks"},
	{ID: "GSH025", Severity: diag.Info, Class: diag.Document, Source: "decaf-emu, Nintendo-File-Formats", Title: "opaque blocks",
		Text: "all blocks are shaders, padding or the end; others are kept as bytes, and the first is reported"},
	{ID: "GSH030", Severity: diag.Error, Class: diag.Implementation, Source: "wut, decaf-emu", Title: "program belongs to no header",
		Text: "a program block follows a header of its type that has none yet"},
	{ID: "GSH031", Severity: diag.Error, Class: diag.Implementation, Source: "wut, decaf-emu", Title: "header has no program",
		Text: "a header has its program, of a geometry shader also its copy program, before the next header of its type and before the end"},
	{ID: "GSH032", Severity: diag.Warning, Class: diag.Implementation, Source: decaf, Title: "copy program before the program",
		Text: "the copy program of a geometry shader comes behind its program"},
	{ID: "GSH033", Severity: diag.Warning, Class: diag.Document, Source: "Nintendo-File-Formats, every known file", Title: "other blocks between header and program",
		Text: "between a header and its programs stand only padding blocks and its own other program"},
	{ID: "GSH034", Severity: diag.Warning, Class: diag.Guess, Source: "our own strictness", Title: "no shaders",
		Text: "the file has a shader"},
	{ID: "GSH040", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout, Title: "header block is too small",
		Text: "a header block has at least the structure of its type and a trailer"},
	{ID: "GSH041", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: "decaf-emu, wut, RetroArch", Title: "header block has no trailer",
		Text: `the last 0x28 bytes of a header block begin with "}BLK"`},
	{ID: "GSH042", Severity: diag.Error, Class: diag.Implementation, Source: decaf, Title: "trailer size is wrong",
		Text: "the size of the trailer is 0x28"},
	{ID: "GSH043", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "unknown word of the trailer is not 0",
		Text: "word 2 of the trailer is 0"},
	{ID: "GSH044", Severity: diag.Error, Class: diag.Implementation, Source: "every known file, wut, RetroArch", Title: "trailer offset has the wrong tag",
		Text: "the offsets of data, text and patch list have the tag 0xD06"},
	{ID: "GSH045", Severity: diag.Error, Class: diag.Implementation, Source: observed, Title: "data does not start the block",
		Text: "the offset of the data is 0"},
	{ID: "GSH046", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout, Title: "patch list is outside the block",
		Text: "the patch list starts behind the structure and ends before the trailer"},
	{ID: "GSH047", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "patch list is not aligned",
		Text: "the offset of the patch list is a multiple of 4"},
	{ID: "GSH048", Severity: diag.Error, Class: diag.Implementation, Source: "every known file, decaf-emu", Title: "data size is wrong",
		Text: "the data ends where the patch list starts"},
	{ID: "GSH049", Severity: diag.Error, Class: diag.Implementation, Source: observed, Title: "text does not end the data",
		Text: "the text starts behind the structure and ends with the data"},
	{ID: "GSH050", Severity: diag.Error, Class: diag.Implementation, Source: "every known file, Nintendo-File-Formats", Title: "patch base is not 0",
		Text: "the patch base is 0; the loader writes it"},
	{ID: "GSH051", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "bytes behind the patch list are not zero",
		Text: "the bytes between patch list and trailer are zero"},
	{ID: "GSH052", Severity: diag.Info, Class: diag.Implementation, Source: observed, Title: "unusual room behind the patch list",
		Text: "there are 0 or 8 bytes between patch list and trailer"},
	{ID: "GSH053", Severity: diag.Error, Class: diag.Implementation, Source: "wut", Title: "patch has the wrong tag",
		Text: "a word of the patch list that is not null has the tag 0xD06 or 0xCA7"},
	{ID: "GSH054", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: layout, Title: "patch names no word of the data",
		Text: "the offset in a patch is a multiple of 4, and the word there inside the data"},
	{ID: "GSH055", Severity: diag.Error, Class: diag.Implementation, Source: "wut", Title: "patch names no pointer",
		Text: "a patch names a pointer to a table with records, or the pointer to a name"},
	{ID: "GSH056", Severity: diag.Error, Class: diag.Implementation, Source: "wut, decaf-emu", Title: "pointer is not patched once",
		Text: "the patch list names every pointer to a table with records and every pointer to a name exactly once"},
	{ID: "GSH057", Severity: diag.Info, Class: diag.Implementation, Source: observed, Title: "patch list has an unusual form",
		Text: "the patch list is that of decaf-emu's tools (style D) or of gshCompile (style N), word for word"},
	{ID: "GSH063", Severity: diag.Warning, Class: diag.Implementation, Source: observed, Title: "table and text are mixed",
		Text: "tables end at or before the start of the text, names start at or behind it"},
	{ID: "GSH064", Severity: diag.Info, Class: diag.Implementation, Source: observed, Title: "name is not aligned",
		Text: "names start at multiples of 4; the first that does not is reported"},
	{ID: "GSH070", Severity: diag.Info, Class: diag.Guess, Source: ours, Title: "layout is not canonical",
		Text: "the file is what we would write for its content; not reported of a file with opaque blocks"},
}, gx2.GFDRules, slices.DeleteFunc(slices.Clone(gx2.Rules), func(r diag.Rule) bool { return slices.Contains(elsewhere, r.ID) }))

// elsewhere are the rules of shaders that a GFD file has no use for: other rules
// bound the data, code stands in blocks of its own, the byte order is known, and
// initial values are relocated.
var elsewhere = []string{"GX2001", "GX2012", "GX2013", "GX2033", "GX2034", "GX2041"}
