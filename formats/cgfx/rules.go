package cgfx

import "github.com/picaproof/picaproof/formats/diag"

const (
	e, w, i = diag.Error, diag.Warning, diag.Info

	impl, doc, guess = diag.Implementation, diag.Document, diag.Guess
)

var (
	orWarning = []diag.Severity{w}
	orError   = []diag.Severity{e}
)

// Rules are the rules of a CGFX: header, DATA, the DICT of the shaders, and
// shader objects. Package shbin has the rules of a DVLB.
var Rules = []diag.Rule{
	{ID: "CGFX001", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "3dbrew",
		Title: "file is shorter than a header", Text: "The file is shorter than 0x14 bytes."},
	{ID: "CGFX002", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "3dbrew, EveryFileExplorer",
		Title: "wrong magic",
		Text:  `The file does not begin with "CGFX". A file that begins with "BCH" and a NUL has another format.`},
	{ID: "CGFX003", Severity: e, Class: impl, Source: "EveryFileExplorer",
		Title: "wrong byte order", Text: "The byte order mark is not FF FE; there is no other on this console."},
	{ID: "CGFX004", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "EveryFileExplorer",
		Title: "impossible header size",
		Text: "The header size is below 0x14 or not a multiple of 4, or the next 8 bytes are not inside the " +
			"file."},
	{ID: "CGFX005", Severity: w, Class: guess, Source: "no other size is known",
		Title: "unusual header size", Text: "The header size is possible and not 0x14."},
	{ID: "CGFX006", Severity: w, Class: impl, Source: "EveryFileExplorer, SPICA",
		Title: "unusual revision", Text: "The revision is not 0x05000000. The file is read as if it were."},
	{ID: "CGFX007", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "EveryFileExplorer",
		Title: "file is cut off", Text: "The size field is larger than the file."},
	{ID: "CGFX008", Severity: w, Class: impl, Source: "EveryFileExplorer",
		Title: "bytes after the file",
		Text:  "The size field is smaller than the file. What is behind it belongs to nothing."},
	{ID: "CGFX010", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "EveryFileExplorer",
		Title: "no DATA block", Text: `There is no "DATA" behind the header.`},
	{ID: "CGFX011", Severity: e, Class: impl, Reader: diag.MustRefuse,
		Source: "EveryFileExplorer; the lower limit is a guess",
		Title:  "impossible DATA size",
		Text:   "The size of DATA is below 0x30, or DATA ends after the size field of the file."},
	{ID: "CGFX012", Severity: w, Also: orError, Class: impl, Source: "SPICA, EveryFileExplorer",
		Title: "fewer than 16 kinds of content",
		Text: "DATA has room for fewer than 16 pairs in front of the first DICT; an error when the pair of the " +
			"shaders, the fifth, is missing."},
	{ID: "CGFX009", Severity: e, Also: orWarning, Class: impl, Source: "EveryFileExplorer",
		Title: "unusual number of blocks", Text: "The number of blocks is 0 (error) or above 2 (warning)."},
	{ID: "CGFX013", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "count without a DICT", Text: "A pair has a count and a null pointer."},
	{ID: "CGFX014", Severity: w, Class: guess, Source: "known writers leave it null",
		Title: "DICT without a count", Text: "A pair has a pointer and the count 0."},
	{ID: "CGFX015", Severity: i, Class: guess, Source: "a .bcsdr has shaders only",
		Title: "content of another kind",
		Text:  "A pair other than that of the shaders has a count. Its content is kept as it stands."},
	{ID: "CGFX016", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "readers throw",
		Title: "DICT outside the file",
		Text:  "A pair has a count and a pointer that leads out of the file or to no multiple of 4."},
	{ID: "CGFX017", Severity: i, Class: guess, Source: "there is nothing to look at",
		Title: "no shaders", Text: "The count of the shaders is 0."},
	{ID: "DICT001", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "DICT outside the file", Text: "The 0x1C bytes of a DICT without entries are not inside the file."},
	{ID: "DICT002", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "EveryFileExplorer",
		Title: "wrong DICT magic", Text: `The DICT of the shaders does not begin with "DICT".`},
	{ID: "DICT003", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "EveryFileExplorer",
		Title: "DICT has another count", Text: "The number of entries of the DICT is not the count in DATA."},
	{ID: "DICT004", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "DICT ends after the file", Text: "The nodes of the DICT are not inside the file."},
	{ID: "DICT005", Severity: e, Class: impl, Source: "SPICA",
		Title: "wrong DICT size", Text: "The size of the DICT is not 0x0C and 0x10 for each entry and the root."},
	{ID: "DICT006", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "no such node", Text: "A child of a node, the root too, is not a node."},
	{ID: "DICT007", Severity: e, Class: impl, Source: "SPICA",
		Title: "wrong reference bit of the root", Text: "The reference bit of the root is not 0xFFFFFFFF."},
	{ID: "DICT008", Severity: w, Class: guess, Source: "known writers leave them 0",
		Title: "root has a name or an object", Text: "The name or the object word of the root is not 0."},
	{ID: "DICT009", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "unreadable name",
		Text:  "The name pointer of a node is null or leads out of the file, or no NUL follows there."},
	{ID: "DICT010", Severity: e, Class: guess, Source: "a lookup finds one of them",
		Title: "name is used twice", Text: "The name of a node equals that of an earlier one."},
	{ID: "DICT011", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "object outside the file",
		Text: "The object pointer of a node is null, leads to no multiple of 4, or to less than 0x48 bytes in " +
			"front of the end of the file."},
	{ID: "DICT012", Severity: w, Class: impl, Source: "SPICA",
		Title: "name is not found",
		Text: "The search for the name of a node ends at another one. Not looked for in tries that would take " +
			"more than 64 steps a node and 16 a byte of the file."},
	{ID: "DICT013", Severity: i, Class: impl, Source: "SPICA, EveryFileExplorer",
		Title: "unusual trie",
		Text: "Every name is found, but a node differs from what inserting the names in their order gives. " +
			"Reported once."},
	{ID: "SHDR002", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "wrong SHDR magic", Text: `There is no "SHDR" behind the type of an object.`},
	{ID: "SHDR003", Severity: i, Class: impl, Source: "SPICA",
		Title: "reference to a shader elsewhere",
		Text:  "The type of an object is 0x80000001 or 0x00000101. It is listed and not looked into."},
	{ID: "SHDR001", Severity: e, Class: impl, Source: "SPICA",
		Title: "unknown object type",
		Text:  "The type of an object is neither that of a shader, 0x80000002, nor of a reference."},
	{ID: "SHDR004", Severity: w, Class: impl, Source: "SPICA",
		Title: "unusual object revision", Text: "The revision of a shader is not 0x06000000."},
	{ID: "SHDR005", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "unreadable shader name",
		Text:  "The name pointer of a shader is null or leads out of the file, or no NUL follows there."},
	{ID: "SHDR006", Severity: w, Class: guess, Source: "known files have one name",
		Title: "shader has another name", Text: "The name of a shader is not that of its DICT entry."},
	{ID: "SHDR007", Severity: w, Class: guess, Source: "known files have zeros",
		Title: "padding is not zero", Text: "One of the last 16 bytes of a shader object is not 0."},
	{ID: "SHDR008", Severity: i, Class: impl, Source: "SPICA",
		Title: "commands", Text: "A shader has GPU commands. They are kept as they stand."},
	{ID: "SHDR009", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "commands outside the file",
		Text: "A list of commands that is not empty has a pointer that is null, leads to no multiple of 4, or " +
			"to less than its words in front of the end of the file."},
	{ID: "SHDR010", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "no DVLB", Text: "The size of the DVLB is 0, its pointer is null, or it is not inside the file."},
	{ID: "SHDR011", Severity: w, Class: guess, Source: "everything else is aligned",
		Title: "DVLB is not aligned", Text: "The DVLB is not at a multiple of 4."},
	{ID: "SHDR012", Severity: e, Class: guess, Source: "rules of a DVLB",
		Title: "DVLB has errors",
		Text:  "The DVLB breaks a rule of severity error of its own. The findings of the DVLB come first."},
	{ID: "SHDR013", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "programs outside the file",
		Text: "The list of program pointers is not empty and its pointer is null, leads to no multiple of 4, " +
			"or to less than the list in front of the end of the file."},
	{ID: "SHDR014", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "SPICA",
		Title: "program outside the file",
		Text: "A program pointer is null, leads to no multiple of 4, or to less than 0x88 bytes in front of " +
			"the end of the file."},
	{ID: "SHDR015", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "CtrLibrary indexes without a test",
		Title: "no such DVLE",
		Text: "The index of a vertex or geometry DVLE is neither -1 nor that of a DVLE; only in a DVLB without " +
			"errors."},
	{ID: "SHDR016", Severity: w, Class: guess, Source: "the slots have a type",
		Title: "DVLE of the wrong type",
		Text: "The vertex slot of a program names a geometry DVLE, or the other way round; only in a DVLB " +
			"without errors."},
	{ID: "SHDR017", Severity: w, Class: guess, Source: "such a program is nothing",
		Title: "program without shaders", Text: "Both indices of a program are -1."},
	{ID: "CGFX018", Severity: e, Class: guess, Source: "an edit of one would change the other",
		Title: "parts overlap",
		Text: "Two of these overlap, or are the same: header, DATA with its pairs, DICT, shader objects, " +
			"references (8 bytes), DVLBs, lists of commands, lists of program pointers, programs. Only looked for " +
			"when there is no error, in DVLBs neither."},
	{ID: "CGFX019", Severity: diag.Error, Class: guess, Source: "bounds the memory and time of a reader",
		Kind:  diag.ErrLimit,
		Title: "names exceed 8 times the file size",
		Text: "The names, each counted with its NUL as often as it is referred to, are larger than 8 times the " +
			"file. Evaluated last, when no error came before."},
}
