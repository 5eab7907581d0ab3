package zpsh

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// Errors for files that may be valid in another revision. Both wrap
// diag.ErrUnsupported.
var (
	// ErrAmbiguous: a pre-release file. Three revisions are indistinguishable.
	ErrAmbiguous = fmt.Errorf("one of three indistinguishable pre-release revisions: %w", diag.ErrUnsupported)
	// ErrRevision: an unknown revision, or one that the options do not accept.
	ErrRevision = fmt.Errorf("revision: %w", diag.ErrUnsupported)
)

// Sources of the rules.
const (
	page   = "zitrus, psh.md"
	source = "zitrus, zpsh.zig"
	writer = "zitrus, Assemble.zig"
	ours   = "own strictness"
)

var warning = []diag.Severity{diag.Warning}

// Rules lists the rules of a ZPSH file. Package shbin has the rules about code.
var Rules = slices.Concat([]diag.Rule{
	{ID: "ZPSH001", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: source,
		Title: "file is shorter than a header", Text: "The file is shorter than 12 bytes."},
	{ID: "ZPSH002", Severity: diag.Error, Class: diag.Document, Reader: diag.MustRefuse, Source: page,
		Title: "wrong magic", Text: `The file does not begin with "ZPSH".`},
	{ID: "ZPSH003", Severity: diag.Error, Class: diag.Implementation, Source: "zitrus, history", Kind: ErrRevision,
		Title: "pre-release revision",
		Text: "The header size is 0 words, which three undocumented revisions share, or 1 or 2, which none " +
			"has; or the revision is older than the ones asked for."},
	{ID: "ZPSH004", Severity: diag.Error, Also: warning, Class: diag.Document, Source: page, Kind: ErrRevision,
		Title: "revision newer than known",
		Text: "The header size is more than 4 words (a warning with the leniency " + string(SkipUnknownHeader) +
			"), or the revision is newer than the ones asked for."},
	{ID: "ZPSH005", Severity: diag.Warning, Class: diag.Document, Source: page,
		Title: "header flags set", Text: "The reserved header flags are not 0."},
	{ID: "ZPSH006", Severity: diag.Error, Class: diag.Guess, Source: ours,
		Title: "no entries", Text: "The number of entries is 0."},
	{ID: "ZPSH007", Severity: diag.Error, Class: diag.Document, Reader: diag.MustRefuse, Source: page,
		Title: "too many descriptors", Text: fmt.Sprintf("There are more than %d descriptors.", pica.MaxDescriptors)},
	{ID: "ZPSH008", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: source,
		Title: "sections end after the file", Text: "The entry area starts after the end of the file."},
	{ID: "ZPSH009", Severity: diag.Error, Also: warning, Class: diag.Implementation, Source: source,
		Title: "wrong code hash",
		Text: "The stored hash of an R4 file is not that of its instructions and descriptors (a warning with " +
			"the leniency " + string(HashMismatch) + ")."},
	{ID: "ZPSH010", Severity: diag.Error, Class: diag.Implementation, Source: source,
		Title: "entry offset is not aligned", Text: "An entry offset of an R4 file is not a multiple of 4."},
	{ID: "ZPSH011", Severity: diag.Error, Also: warning, Class: diag.Document, Source: page,
		Title: "entry does not follow the one before it",
		Text: "An entry offset of an R4 file is below (error) or above (warning) the end of the entry before " +
			"it in table order, 0 for the first."},
	{ID: "ZPSH012", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: source,
		Title: "entry header ends after the file", Text: "An entry header is not inside the file."},
	{ID: "ZPSH013", Severity: diag.Warning, Class: diag.Implementation, Source: source,
		Title: "entry flags set", Text: "The reserved flags of an R4 entry are not 0."},
	{ID: "ZPSH014", Severity: diag.Warning, Class: diag.Implementation, Source: source,
		Title: "unusual entry header size",
		Text:  "The header size of an R4 entry is neither 4, which zitrus writes, nor 8, which is right."},
	{ID: "ZPSH015", Severity: diag.Error, Class: diag.Document, Reader: diag.MustRefuse, Source: page,
		Title: "entry instruction is past the code", Text: "An entry instruction is not the index of an instruction."},
	{ID: "ZPSH016", Severity: diag.Warning, Class: diag.Implementation, Source: source,
		Title: "reserved info bits set",
		Text: "An info has bits that no field of its type has: 0xFFFC vertex, 0xFFC0 point, 0xFF80 variable, " +
			"0xE000 fixed."},
	{ID: "ZPSH017", Severity: diag.Error, Class: diag.Guess, Reader: diag.MustRefuse,
		Source: "size of the register file",
		Title:  "no such float register", Text: "The first register of a fixed geometry entry is above 95."},
	{ID: "ZPSH018", Severity: diag.Error, Class: diag.Document, Source: page,
		Title: "reserved int mask bits set", Text: "Bits 4 to 15 of an int mask are not 0; they have no payload."},
	{ID: "ZPSH019", Severity: diag.Warning, Class: diag.Implementation, Source: source,
		Title: "reserved output mask bits set", Text: "The upper half of an output mask is not 0; it has no payload."},
	{ID: "ZPSH020", Severity: diag.Error, Class: diag.Implementation, Reader: diag.MustRefuse, Source: source,
		Title: "payload ends after the file",
		Text:  "The constants and output maps of an entry are not inside the file."},
	{ID: "ZPSH021", Severity: diag.Warning, Class: diag.Implementation, Source: source,
		Title: "reserved output map bits set", Text: "Bits 5 to 7 of a byte of an output map are not 0."},
	{ID: "ZPSH022", Severity: diag.Warning, Class: diag.Document, Source: "3dbrew, Azahar",
		Title: "undefined semantic", Text: "Bits 0 to 4 of a byte of an output map are 0x11, 0x15 or 0x18 to 0x1E."},
	{ID: "ZPSH023", Severity: diag.Warning, Class: diag.Document, Source: "3dbrew",
		Title: "output without a map register",
		Text: "An output map of o7 to o15 has a semantic other than unused (0x1F); the GPU has seven map " +
			"registers."},
	{ID: "ZPSH024", Severity: diag.Error, Class: diag.Document, Reader: diag.MustRefuse, Source: page,
		Title: "name is not inside the strings",
		Text:  "A name offset is not inside the strings, or no NUL follows it there."},
	{ID: "ZPSH025", Severity: diag.Warning, Class: diag.Guess, Source: ours,
		Title: "empty name", Text: "The name of an entry is empty."},
	{ID: "ZPSH026", Severity: diag.Error, Class: diag.Document, Source: page,
		Title: "name is used twice",
		Text: "The name of an entry, empty ones included, equals that of an earlier entry; readers take the " +
			"first."},
	{ID: "ZPSH027", Severity: diag.Error, Class: diag.Document, Source: page,
		Title: "name is not UTF-8", Text: "The name of an entry is not valid UTF-8."},
	{ID: "ZPSH028", Severity: diag.Warning, Class: diag.Guess, Source: ours,
		Title: "bytes after the last entry", Text: "There are bytes after the end of the last entry."},
	{ID: "ZPSH029", Severity: diag.Info, Class: diag.Implementation, Source: writer,
		Title: "strings are not as zitrus writes them",
		Text: "All names are inside the strings (ZPSH024), but the strings are not exactly the name of each " +
			"entry with its NUL, in order, and 0 to 3 NULs up to a multiple of 4."},
	{ID: "ZPSH030", Severity: diag.Warning, Class: diag.Document, Source: "size of the vertex unit's memory",
		Title: "vertex code is too long",
		Text: fmt.Sprintf("The instruction of a vertex entry is %d or above; or, once, there are more "+
			"instructions than that and a vertex entry.", pica.MaxVertexCode)},
	{ID: "ZPSH031", Severity: diag.Error, Class: diag.Guess, Source: "bounds the memory and time of a reader",
		Kind:  diag.ErrLimit,
		Title: "names exceed 8 times the file size",
		Text: "The names, each counted with its NUL as often as it is referred to, are larger than 8 times the " +
			"file; or they do not fit into the strings each alone, and are larger than 8 times the canonical form, " +
			"which has no gaps. Evaluated last, when no error came before."},
}, diag.Select(shbin.Rules, "CODE"))
