package bnsh

import "github.com/picaproof/picaproof/formats/diag"

// Short names for the columns of the table.
const (
	e = diag.Error
	w = diag.Warning
	i = diag.Info

	doc   = diag.Document
	impl  = diag.Implementation
	guess = diag.Guess

	headers = "nnheaders" // the decompiled headers of open-ead/nnheaders
	shipped = "88 files of a shipped game"
	derived = "follows from the layout"
)

// Rules is every rule of a BNSH, by number. They are evaluated in groups:
// header (001 to 009, 015 to 017), blocks (010, 012, 018), start of the
// relocation table (070), strings (060 to 063, 065), sections (071), container
// (011, 019, 020), variations with programs and codes (021 to 031, 036, 038,
// 039), memory pool (032, 033, 035, 037, 040 to 042), reflection (048 to 059,
// 068), ownership (013, 034), spans of sections (072, 075), relocation
// entries (073, 074, 076), then the rest. An error ends the evaluation of the
// records that it leaves without a place or a meaning, and of no others.
//
// The block body lies between the container and the string block. It holds
// every record, each at a multiple of 8; words stand at multiples of 4.
var Rules = []diag.Rule{
	{ID: "BNSH001", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: headers,
		Title: "no BNSH",
		Text: `The file is shorter than file header and container, 0xC0 bytes, or does not start with "BNSH" and ` +
			`four zeros.`},
	{ID: "BNSH002", Severity: e, Class: impl, Source: headers, Kind: diag.ErrUnsupported,
		Title: "not little-endian",
		Text:  "The byte order mark is not FF FE. Big-endian files, with FE FF, are not supported; none is known."},
	{ID: "BNSH003", Severity: e, Class: doc, Source: "Wexos wiki", Kind: diag.ErrUnsupported,
		Title: "unknown major version", Text: "The major version is not 2."},
	{ID: "BNSH004", Severity: w, Class: impl, Source: shipped,
		Title: "unusual alignment", Text: "The alignment shift is not 12."},
	{ID: "BNSH005", Severity: w, Class: impl, Source: "Wexos wiki has 64, " + shipped + " have 0",
		Title: "unknown address size", Text: "The target address size is neither 0 nor 64."},
	{ID: "BNSH006", Severity: e, Class: impl, Source: shipped,
		Title: "wrong file size", Text: "The file size in the header is not the length of the file."},
	{ID: "BNSH007", Severity: e, Class: impl, Source: headers,
		Title: "flags set",
		Text:  "The flags of the header are not 0. Bit 0 says that the file was relocated: a memory dump."},
	{ID: "BNSH008", Severity: e, Class: impl, Source: shipped,
		Title: "reserved bytes used", Text: "Bytes 0x20 to 0x5F of the file are not all zero."},
	{ID: "BNSH009", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: headers,
		Title: "container misplaced",
		Text: "The offset of the first block is not a multiple of 8, is below 0x60, or leaves no room for a " +
			"container."},
	{ID: "BNSH010", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: headers,
		Title: "broken chain of blocks",
		Text: `The first block is not "grsc"; or its next offset is below 0x60, no multiple of 8, or does not ` +
			`lead to the head of a block "_STR"; or that is not the last block.`},
	{ID: "BNSH011", Severity: e, Class: impl, Source: shipped,
		Title: "reserved bytes used",
		Text:  "Bytes 0x0C to 0x0F, 0x15 to 0x17 or 0x38 to 0x5F of the container are not all zero."},
	{ID: "BNSH012", Severity: e, Class: impl, Source: shipped,
		Title: "wrong container size",
		Text:  "The block size of the container is below 0x60 or above its next offset."},
	{ID: "BNSH013", Severity: e, Class: guess, Source: derived + "; " + shipped,
		Title: "records overlap",
		Text: "Two records share a byte, as they do when two pointers lead to one, or there is something else " +
			"than code in the memory pool. Only equal ranges of blobs of one sort (BNSH034) and strings may be " +
			"shared."},
	{ID: "BNSH015", Severity: w, Class: doc, Source: "Wexos wiki",
		Title: "unlisted version",
		Text:  "The version is none of 2.1.2, 2.1.4, 2.1.5, 2.1.10, 2.1.11, 2.1.12, 2.2.1 and 2.3.1."},
	{ID: "BNSH016", Severity: e, Class: guess, Reader: diag.MustRefuse, Source: derived,
		Title: "impossible alignment", Text: "The alignment shift is above 31."},
	{ID: "BNSH017", Severity: w, Class: impl, Source: shipped +
		"; ShaderLibrary and Switch-Toolbox know no other place",
		Title: "unusual place of the container", Text: "The offset of the first block is not 0x60."},
	{ID: "BNSH018", Severity: w, Class: impl, Source: shipped,
		Title: "short container size", Text: "The block size of the container is not its next offset."},
	{ID: "BNSH019", Severity: w, Class: impl, Source: shipped + "; " + headers,
		Title: "unusual target",
		Text:  "The target API type is not 4, NVN, or the target code type, which the runtime writes, is not 0."},
	{ID: "BNSH020", Severity: e, Class: guess, Reader: diag.MustRefuse, Source: derived,
		Title: "bad variation array",
		Text:  "There is no variation, or the array of variations is not at a multiple of 8 in the block body."},
	{ID: "BNSH021", Severity: e, Class: impl, Source: shipped,
		Title: "bad variation",
		Text: "The parent of a variation is not the container, its reserved bytes are not all zero, or it has " +
			"no program."},
	{ID: "BNSH022", Severity: e, Class: impl, Source: shipped,
		Title: "bad program",
		Text: "A program is not at a multiple of 8 in the block body, or its parent is not the variation that " +
			"refers to it."},
	{ID: "BNSH023", Severity: e, Class: impl, Source: headers,
		Title: "unknown value in a program",
		Text: "Flags or code type of a program are above 3, its source format is above 1, or its reserved " +
			"bytes are not all zero."},
	{ID: "BNSH024", Severity: e, Class: impl, Source: headers,
		Title: "program in the wrong slot",
		Text:  "The code type is not one of the slot: 0 binary, 1 intermediate, 2 or 3 source."},
	{ID: "BNSH025", Severity: e, Class: impl, Source: "BfshaLibrary, nintoolbox", Kind: diag.ErrUnsupported,
		Title: "unknown binary format",
		Text:  "The binary format is neither 0 nor, of code other than a source array, 1."},
	{ID: "BNSH026", Severity: e, Class: impl, Source: shipped,
		Title: "impossible stages", Text: "A program has no stage, or compute and another."},
	{ID: "BNSH027", Severity: e, Class: impl, Source: shipped,
		Title: "bad object memory",
		Text: "The object memory of a program is not in the block body, is not all zero, or only one of size " +
			"and pointer is 0."},
	{ID: "BNSH028", Severity: i, Class: guess, Source: "no such file was available",
		Title: "program form never seen", Text: "There is a source or an intermediate program."},
	{ID: "BNSH029", Severity: e, Class: impl, Source: shipped, Kind: diag.ErrUnsupported,
		Title: "compiler reflection",
		Text:  "The pointer to the compiler's own reflection, whose layout is unknown, is not null."},
	{ID: "BNSH030", Severity: e, Class: impl, Source: shipped,
		Title: "bad record of binary code",
		Text: "A record of binary code is not at a multiple of 8 in the block body, its data address or its " +
			"pointer to a decomposed control is not 0, or its reserved bytes are not all zero."},
	{ID: "BNSH031", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: shipped,
		Title: "bad control", Text: "A control blob is empty or not in the block body."},
	{ID: "BNSH032", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: headers,
		Title: "code outside the pool", Text: "Binary code is empty or not in the memory pool."},
	{ID: "BNSH033", Severity: e, Class: impl, Source: headers,
		Title: "misaligned code",
		Text:  "Binary code is not at a multiple of 0x100 from the start of the memory pool."},
	{ID: "BNSH034", Severity: e, Class: impl, Source: shipped,
		Title: "blobs overlap",
		Text: "Two blobs of one sort (controls; binary code; other code and texts) overlap without being the " +
			"same range."},
	{ID: "BNSH035", Severity: w, Class: impl, Source: shipped,
		Title: "little room behind the code",
		Text:  "The memory pool ends less than 0x500 bytes behind the last code."},
	{ID: "BNSH036", Severity: e, Class: impl, Source: "Wexos wiki, " + headers,
		Title: "bad record of other code",
		Text: "A record of packed code or of a source array is misplaced or not zero where it is reserved; or " +
			"what it refers to is empty or not in the block body."},
	{ID: "BNSH037", Severity: w, Class: impl, Source: shipped,
		Title: "odd code size", Text: "The size of binary code is not a multiple of 0x100."},
	{ID: "BNSH038", Severity: w, Class: impl, Source: shipped,
		Title: "packed code", Text: "The binary format is not 0."},
	{ID: "BNSH039", Severity: w, Class: guess, Source: "tessellation needs both",
		Title: "half a tessellation", Text: "A program has a hull stage and no domain stage, or the other way round."},
	{ID: "BNSH040", Severity: e, Class: impl, Source: shipped,
		Title: "bad memory pool",
		Text: "There is a memory pool without binary code or the other way round; or its record or its memory " +
			"is not in the block body, the record at a multiple of 8; or address and size are not multiples of " +
			"0x1000, the size above 0; or reserved and runtime fields are not all zero."},
	{ID: "BNSH041", Severity: e, Class: impl, Source: shipped,
		Title: "bad object of the memory pool",
		Text:  "The object of the memory pool is not 0x140 zeros at a multiple of 8 in the block body."},
	{ID: "BNSH042", Severity: w, Class: impl, Source: shipped,
		Title: "unusual property of the memory pool", Text: "The property of the memory pool is not 0x61."},
	{ID: "BNSH048", Severity: w, Class: impl, Source: "ShaderLibrary",
		Title: "first slot is not the running sum",
		Text:  "The first slot of a kind is not the number of names of the kinds before it."},
	{ID: "BNSH049", Severity: w, Class: impl, Source: headers,
		Title: "empty dictionary", Text: "There is a dictionary without names, where a null pointer says the same."},
	{ID: "BNSH050", Severity: e, Class: impl, Source: headers,
		Title: "bad record of reflection",
		Text: "A reflection table, the reflection of a stage or its extension is not at a multiple of 8 in the " +
			"block body, or its reserved bytes are not all zero."},
	{ID: "BNSH051", Severity: e, Class: impl, Source: headers,
		Title: "bad slots",
		Text: "The first slot of a kind with names is negative; or the slot array is null though there are " +
			"names, not null though there are none, or not at a multiple of 4 in the block body with a slot for " +
			"every name."},
	{ID: "BNSH052", Severity: w, Class: impl, Source: headers,
		Title: "unusual work group",
		Text:  "The work group sizes are not all above 0 for compute, or not all 0 for another stage."},
	{ID: "BNSH053", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: headers,
		Title: "bad dictionary",
		Text: `A dictionary is not at a multiple of 8 in the block body, does not start with "_DIC", or has ` +
			`fewer than 0 or more than 65535 items.`},
	{ID: "BNSH054", Severity: e, Class: impl, Source: "189 dictionaries of other files",
		Title: "bad root of a dictionary",
		Text: `The root of a dictionary has a bit other than -1, a key that is not the empty string of the pool, ` +
			`or a left child that is not there.`},
	{ID: "BNSH055", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: headers,
		Title: "bad item of a dictionary",
		Text: "An item of a dictionary has a negative bit, a child that is not there, or a key that is not a " +
			"string of the pool, or that has the same bits as another or none. NULs at the start of a key carry no " +
			"bits."},
	{ID: "BNSH056", Severity: e, Class: impl, Source: headers,
		Title: "key not found",
		Text: "The search for a key does not end at its item, or takes more steps than 8 for each byte of the " +
			"key and 4 times the square root of the size of the string block and 8."},
	{ID: "BNSH057", Severity: w, Class: impl, Source: "189 dictionaries of other files",
		Title: "another tree",
		Text: "The bits and children are not those that come of putting the keys in one after the other. " +
			"Reported once for each dictionary."},
	{ID: "BNSH058", Severity: w, Class: impl, Source: "ShaderLibrary",
		Title: "reflection does not match the stages",
		Text:  "A reflection table has a stage that the program does not have, or lacks one."},
	{ID: "BNSH059", Severity: w, Class: guess, Source: "known files before 2.2 have none",
		Title: "extension in an early version",
		Text:  "The reflection of a stage has an extension though the version is below 2.2."},
	{ID: "BNSH060", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "Wexos wiki; " + shipped,
		Title: "bad string block",
		Text: "The size of the string block does not lead to the relocation table, its reserved bytes are not " +
			"all zero, or a string does not end inside it with a NUL and zero padding."},
	{ID: "BNSH061", Severity: e, Class: impl, Source: shipped,
		Title: "wrong string count",
		Text: "The string block does not have one string more than it counts, or eight bytes or more follow " +
			"the last, or what follows is not zero."},
	{ID: "BNSH062", Severity: e, Class: impl, Source: shipped,
		Title: "first string is not empty", Text: "The first string of the pool is not the empty string."},
	{ID: "BNSH063", Severity: e, Class: impl, Source: shipped,
		Title: "bad file name", Text: "The file name offset does not lead to the characters of a string of the pool."},
	{ID: "BNSH064", Severity: w, Class: impl, Source: shipped,
		Title: "duplicate string", Text: "A string is in the pool before."},
	{ID: "BNSH065", Severity: w, Class: impl, Source: shipped,
		Title: "unusual place of the file name",
		Text:  "The file name is not the second string or, when empty, not the first."},
	{ID: "BNSH066", Severity: w, Class: impl, Source: shipped,
		Title: "unused string", Text: "A string other than the first is neither the file name nor a key."},
	{ID: "BNSH067", Severity: w, Class: guess, Source: "names are text",
		Title: "string is not text", Text: "A string has a NUL or is not UTF-8."},
	{ID: "BNSH068", Severity: w, Class: impl, Source: "189 dictionaries of other files",
		Title: "root with a right child",
		Text:  "The right child of the root of a dictionary is not 0. Nothing reads it."},
	{ID: "BNSH070", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: shipped,
		Title: "bad relocation table",
		Text: `The relocation table is not at a multiple of 8 behind the head of the string block, has no room ` +
			`in the file, does not start with "_RLT" and its own offset, or its reserved bytes are not all ` +
			`zero.`},
	{ID: "BNSH071", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: shipped,
		Title: "bad sections",
		Text: "The relocation table does not have six sections; or the number of entries of one is negative, " +
			"or its first entry is not the running sum; or the table does not end with the file."},
	{ID: "BNSH072", Severity: e, Class: impl, Source: shipped,
		Title: "section spans something else",
		Text: "The pointer of a section is not 0; or section 0 does not go from the start of the file to " +
			"section 1, section 1 from the lowest to the highest object memory, section 4 over the memory pool, " +
			"section 5 from the string block to the end of the last string; where there is none of it, the size is " +
			"not 0."},
	{ID: "BNSH073", Severity: e, Class: impl, Source: shipped + "; material_parser",
		Title: "pointers not covered once each",
		Text: "A relocation entry has a count of 0, covers something that is no pointer or a pointer that " +
			"another covers, or is not in the section that holds the target; or a pointer that is not null is not " +
			"covered."},
	{ID: "BNSH074", Severity: w, Class: impl, Source: shipped,
		Title: "other relocation entries",
		Text:  "The entries of a section are not those that the official converter makes."},
	{ID: "BNSH075", Severity: w, Class: impl, Source: shipped,
		Title: "unusual empty section",
		Text: "Section 2 or 3 or, without a memory pool, section 4 is not at the end of section 1, or is not " +
			"empty."},
	{ID: "BNSH076", Severity: w, Class: impl, Source: shipped,
		Title: "null pointer relocated", Text: "A relocation entry covers a null pointer."},
	{ID: "BNSH080", Severity: w, Class: impl, Source: shipped,
		Title: "bytes without an owner", Text: "Bytes that belong to nothing are not zero."},
	{ID: "BNSH081", Severity: i, Class: impl, Source: "62 of " + shipped,
		Title: "not the canonical layout", Text: "The canonical writer would make other bytes of the same content."},
	{ID: "BNSH090", Severity: i, Class: impl, Source: shipped,
		Title: "unknown control",
		Text: "A control blob is not one of GPU code version 1.16 with 0x880 bytes (words 0x00, 0x04, 0x08). " +
			"The following rules are not applied to it and its code."},
	{ID: "BNSH091", Severity: w, Class: impl, Source: shipped,
		Title: "unusual control",
		Text: "Words 0x0C, 0x10, 0x14, 0x18, 0x6F0, 0x6F4 of a control blob are not 0x120, 0x0B, 0x878, 0, " +
			"0x880, 0."},
	{ID: "BNSH092", Severity: w, Class: impl, Source: shipped,
		Title: "control has another code size", Text: "Word 0x704 of a control blob is not the size of the code."},
	{ID: "BNSH093", Severity: w, Class: impl, Source: shipped,
		Title: "constants end after the code",
		Text: "Words 0x700 and 0x6FC of a control blob, offset and size of the constants, add up to more than " +
			"the size of the code."},
	{ID: "BNSH094", Severity: w, Class: impl, Source: shipped,
		Title: "unusual program start",
		Text:  "Word 0x708 of a control blob is not 0x100 for compute or 0x30 for another stage."},
	{ID: "BNSH095", Severity: w, Class: impl, Source: shipped,
		Title: "control has another scratch size",
		Text:  "Word 0x710 of a control blob is not the scratch memory per warp of the code."},
	{ID: "BNSH096", Severity: w, Class: impl, Source: shipped + "; hull, domain and geometry from the numbers of NVN",
		Title: "control for another stage",
		Text: "Word 0x714 of a control blob is not the NVN number of the stage: vertex 0, pixel 1, geometry 2, " +
			"hull 3, domain 4, compute 5."},
	{ID: "BNSH097", Severity: w, Class: impl, Source: shipped,
		Title: "unusual start of the code",
		Text:  "Code does not start with the word 0x12345679 for compute or 0x12345678 for another stage."},
	{ID: "BNSH098", Severity: e, Class: guess, Source: "bounds the memory and time of a reader", Kind: diag.ErrLimit,
		Title: "names are over the limit",
		Text: "The file name and the keys of all dictionaries, each with its NUL and as often as it is " +
			"referred to, take more than eight times as many bytes as the file."},
}
