package engine

import (
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/reflection"
)

// RegionsParams select owners of bytes.
type RegionsParams struct {
	File   int `json:"file"`
	Offset int `json:"offset,omitempty"`
	Length int `json:"length,omitempty"` // 0 stands for the rest of the file
	Limit  int `json:"limit,omitempty"`  // the largest number of regions; 0 stands for as many as fit
	// Code gives the words of GX2 programs owners of their own, as dump --code does.
	Code bool `json:"code,omitempty"`
}

// RegionsResult lists the regions that overlap a range.
type RegionsResult struct {
	Regions []Region `json:"regions"`
	Next    int      `json:"next"` // the offset at which the list goes on, -1 at the end of the range
}

// Region is a range of bytes with an owner.
type Region struct {
	Offset int             `json:"offset"`
	Length int             `json:"length"`
	Kind   diag.RegionKind `json:"kind"`   // "field", "opaque", "padding" or "gap"
	Path   string          `json:"path"`   // "dvle[0].constants[2].register"
	Record string          `json:"record"` // "dvle[0].constants[2]"
	Field  string          `json:"field"`  // "register"
	Value  string          `json:"value,omitempty"`
	Also   []string        `json:"also,omitempty"` // further owners, at most eight
	More   int             `json:"more,omitempty"` // further owners that Also leaves out
}

// TreeParams select the parts of a record.
type TreeParams struct {
	File int    `json:"file"`
	Path string `json:"path,omitempty"` // empty for the whole file
	Window
}

// TreeResult lists the parts of a record.
type TreeResult struct {
	Nodes []Node `json:"nodes"`
	Next
}

// Node is a record, a list or a field.
type Node struct {
	Path     string `json:"path"` // "dvle[0].constants"
	Name     string `json:"name"` // "constants"
	Value    string `json:"value,omitempty"`
	Offset   int    `json:"offset"`   // of its first byte
	Length   int    `json:"length"`   // from its first byte to its last
	Children int    `json:"children"` // the number of its parts
	Findings Counts `json:"findings"` // about it and its parts
}

// FindingsParams select findings.
type FindingsParams struct {
	File int `json:"file"`
	// Path leaves out findings about other parts of the file.
	Path string `json:"path,omitempty"`
	Window
}

// FindingsResult lists findings.
type FindingsResult struct {
	Findings []diag.Finding `json:"findings"`
	Next
}

// RuleParams name a rule.
type RuleParams struct {
	ID string `json:"id"`
}

// RuleResult has an entry for each format that has the rule.
type RuleResult struct {
	Rules []Rule `json:"rules"`
}

// Rule is a rule of a format, of programs or of sources.
type Rule struct {
	Format string `json:"format"`
	diag.Rule
	Readers    string          `json:"readers,omitempty"` // what any reader has to do with a file that breaks the rule
	Triggering *expect.Example `json:"triggering,omitempty"`
	NearMiss   *expect.Example `json:"near_miss,omitempty"`
}

// SampleParams name a file of the corpus: the vector of a rule's example, or the file of an example that teaches.
type SampleParams struct {
	Name string `json:"name"`
}

// SampleResult is an open file, or a source.
type SampleResult struct {
	Info *FileInfo `json:"info,omitempty"`
	// Source is assembly text, Dialect its dialect.
	Source  Long   `json:"source,omitempty"`
	Dialect string `json:"dialect,omitempty"`
}

// RowsParams select rows of the interface table.
type RowsParams struct {
	File int `json:"file"`
	Window
}

// RowsResult lists rows of the interface table.
type RowsResult struct {
	Rows []Row `json:"rows"`
	Next
}

// Row is a row of the interface table. Kind says which of the other fields it has.
type Row struct {
	// Kind is "shader", "input", "output", "uniform", "block", "sampler", "buffer", "image", "texture", "constant",
	// "unknown", "link" or "unread".
	Kind     string               `json:"kind"`
	Shader   *reflection.Shader   `json:"shader,omitempty"` // without its lists, which follow as rows
	Variable *reflection.Variable `json:"variable,omitempty"`
	Constant *reflection.Constant `json:"constant,omitempty"`
	Unknown  string               `json:"unknown,omitempty"` // what the format does not record
	Link     *reflection.Link     `json:"link,omitempty"`
	Unread   *reflection.Unread   `json:"unread,omitempty"`
}
