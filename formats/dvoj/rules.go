package dvoj

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// Rules lists the rules of a DVOJ file. The rules DVOJ1xx are the rules DVLE0xx of a
// DVLE, applied to an object.
var Rules = slices.Concat(objectRules, entryRules(), coverageRules, codeRules())

const (
	e, w, i = diag.Error, diag.Warning, diag.Info

	impl, doc, guess = diag.Implementation, diag.Document, diag.Guess
)

var objectRules = []diag.Rule{
	{ID: "DVOJ001", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "3dbrew",
		Title: "file is shorter than a header", Text: "The file is shorter than 0x58 bytes."},
	{ID: "DVOJ002", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "3dbrew",
		Title: "wrong magic", Text: `The file begins with neither "DVOJ" nor "DVOB".`},
	{ID: "DVOJ003", Severity: e, Also: []diag.Severity{w}, Class: doc,
		Source: "GBATEK: its prose has DVOB, its table DVOJ",
		Title:  "magic is DVOB", Text: `The file begins with "DVOB". A warning with the leniency ` +
			string(AllowDVOB) + "."},
	{ID: "DVOJ004", Severity: w, Class: doc, Source: "3dbrew",
		Title: "unusual version", Text: "The version is none of 0, 0x0C02, 0x1002."},
	{ID: "DVOJ005", Severity: e, Also: []diag.Severity{w}, Class: doc, Source: "3dbrew",
		Title: "unknown shader type",
		Text: "The type is neither 0 (vertex) nor 1 (geometry). A warning with the leniency " +
			string(TypeFlags) + "."},
	{ID: "DVOJ006", Severity: w, Class: doc, Source: "3dbrew",
		Title: "merge flag above 1", Text: "The merge byte is greater than 1."},
	{ID: "DVOJ007", Severity: w, Class: guess, Source: "as in a DVLE: GLASS asserts",
		Title: "merge flag on a vertex shader", Text: "The merge byte of a vertex shader is not 0."},
	{ID: "DVOJ008", Severity: w, Also: []diag.Severity{i}, Class: doc, Source: "GBATEK, 3dbrew",
		Title: "unknown word is not FFFFFFFF",
		Text:  "The word at 0x0C is not 0xFFFFFFFF; information unless the object is a vertex shader."},
	{ID: "DVOJ010", Severity: e, Class: guess, Source: "as in a DVLE: libctru divides the offset by 4",
		Title: "misaligned table",
		Text:  "The offset of a table that is not empty is not a multiple of 4; symbols may start anywhere."},
	{ID: "DVOJ011", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "as in a DVLE: libctru, GLASS",
		Title: "table outside the file",
		Text:  "A table that is not empty starts inside the header or ends after the file."},
	{ID: "DVOJ012", Severity: i, Class: guess, Source: "as in a DVLE: picasso",
		Title: "odd offset of an empty table",
		Text: "The offset of an empty table is not where the nearest table before it, in header order and not " +
			"empty, ends; 0x58 when there is none."},
	{ID: "DVOJ013", Severity: e, Class: doc, Source: "GBATEK",
		Title: "no code", Text: "The number of code words is 0. The other rules still apply."},
	{ID: "DVOJ014", Severity: e, Class: impl, Reader: diag.MustRefuse, Source: "size of the program memory",
		Title: "too much code", Text: fmt.Sprintf("There are more than %d code words.", pica.MaxCode)},
	{ID: "DVOJ015", Severity: w, Class: impl, Source: "libctru uploads 512 words to the vertex units",
		Title: "too much code for a vertex shader",
		Text: fmt.Sprintf("A vertex shader has more than %d code words, and no more than %d.", pica.MaxVertexCode,
			pica.MaxCode)},
	{ID: "DVOJ016", Severity: w, Class: guess, Source: "an instruction has seven bits for the index",
		Title: "too many descriptors", Text: fmt.Sprintf("There are more than %d descriptors.", pica.MaxDescriptors)},
	{ID: "DVOJ020", Severity: w, Class: doc, Source: "GBATEK, 3dbrew",
		Title: "line count is not the code length", Text: "There are line entries, but not one for each code word."},
	{ID: "DVOJ021", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "GBATEK",
		Title: "line entry without a file name",
		Text:  "The name offset of a line entry is not that of a NUL-terminated string in the symbols."},
	{ID: "DVOJ030", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "GBATEK",
		Title: "relocation is past the code", Text: "The index of a relocation is not that of a code word."},
	{ID: "DVOJ031", Severity: w, Class: doc, Source: "3dbrew",
		Title: "word has two relocations",
		Text:  "An earlier relocation has the same index; both are inside the code."},
	{ID: "DVOJ032", Severity: w, Class: doc, Source: "GBATEK, 3dbrew",
		Title: "relocation of a word without operands",
		Text:  "The word of a relocation is a BREAK, NOP, END or EMIT."},
	{ID: "DVOJ033", Severity: w, Class: doc, Source: "3dbrew",
		Title: "word without a relocation",
		Text: "A code word other than BREAK, NOP, END and EMIT has no relocation, if only because there are " +
			"none. Reported once."},
	{ID: "DVOJ034", Severity: i, Class: guess, Source: "the natural order",
		Title: "relocations do not ascend",
		Text:  "The index of a relocation is smaller than that of the one before it. Reported once."},
}

var coverageRules = []diag.Rule{
	{ID: "DVOJ200", Severity: e, Class: guess, Source: "an edit of one would change the other",
		Title: "tables overlap",
		Text:  "Two of the header and the tables that are not empty overlap, or occupy the same range."},
	{ID: "DVOJ201", Severity: w, Class: guess, Source: "nothing needs padding but symbols in front of a table",
		Title: "gap of zero bytes", Text: "There are zero bytes between two tables."},
	{ID: "DVOJ202", Severity: w, Class: guess, Source: "nothing needs padding but symbols in front of a table",
		Title: "gap with content", Text: "There are bytes between two tables, and not all are zero."},
	{ID: "DVOJ203", Severity: w, Class: guess, Source: "padding is all that is expected",
		Title: "bytes after the last table",
		Text: "The bytes after the last table are more than a padding of 1 to 3 zero bytes up to a multiple of " +
			"4."},
	{ID: "DVOJ204", Severity: i, Class: guess, Source: "padding is expected",
		Title: "odd file size", Text: "The size of the file is not a multiple of 4."},
	{ID: "DVOJ205", Severity: diag.Error, Class: guess, Source: "bounds the memory and time of a reader",
		Kind:  diag.ErrLimit,
		Title: "names exceed 8 times the file size",
		Text: "The names, each counted with its NUL as often as it is referred to (all lines that refer to one " +
			"offset count once), are larger than 8 times the file, or than 8 times its canonical form, which has no " +
			"gaps. Evaluated last, when no error came before."},
}

// entryRules returns the rules of a DVLE's masks and tables as rules of an object.
func entryRules() []diag.Rule {
	rename := strings.NewReplacer("DVLE0", "DVOJ1", "the DVLE", "the object", "a DVLE", "an object")
	var list []diag.Rule
	for _, id := range []string{"DVLE011", "DVLE012", "DVLE03", "DVLE04", "DVLE05", "DVLE06", "DVLE07"} {
		list = append(list, diag.Select(shbin.Rules, id)...)
	}
	for k := range list {
		r := &list[k]
		r.ID, r.Text = rename.Replace(r.ID), rename.Replace(r.Text)
		r.Source, r.Class = "as in a DVLE: "+r.Source, guess
	}
	return list
}

// codeRules returns a DVLB's rules about code. Errors become warnings: the linker may
// still resolve them.
func codeRules() []diag.Rule {
	list := diag.Select(shbin.Rules, "CODE")
	for k := range list {
		if r := &list[k]; r.Severity == e {
			r.Severity, r.Class, r.Source = w, guess, "as in a DVLB: "+r.Source+"; the linker may resolve it"
		}
	}
	return list
}
