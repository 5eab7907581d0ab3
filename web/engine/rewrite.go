package engine

import "github.com/picaproof/picaproof/formats/convert"

// DiffParams name two files.
type DiffParams struct {
	A int `json:"a"`
	B int `json:"b"`
	// Shader and Entry choose one of several contents.
	Shader string `json:"shader,omitempty"`
	Entry  string `json:"entry,omitempty"`
	Window
}

// DiffResult lists differences.
type DiffResult struct {
	Same bool `json:"same"`
	// Refused says why files were refused. Their fields are compared by path.
	Refused []string `json:"refused,omitempty"`
	// As is the format in which files of two formats were compared.
	As          string       `json:"as,omitempty"`
	Differences []Difference `json:"differences"`
	Next
	// Layout has differences in form, which do not count; at most fifty.
	Layout []Difference `json:"layout,omitempty"`
	// NotCompared lists fields that one of two formats lacks; at most fifty.
	NotCompared []convert.Loss `json:"not_compared,omitempty"`
}

// Difference is a field that differs. A or B is empty if one file lacks the field.
type Difference struct {
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // of the element in which the difference is
	A       string `json:"a,omitempty"`
	B       string `json:"b,omitempty"`
	OffsetA *int   `json:"offset_a,omitempty"` // of a field or an instruction, where it is known
	OffsetB *int   `json:"offset_b,omitempty"`
}

// ChoicesParams select choices.
type ChoicesParams struct {
	File int `json:"file"`
	Window
}

// ChoicesResult lists choices.
type ChoicesResult struct {
	Choices []Choice `json:"choices"`
	Next
}

// Choice names a shader and an entry point.
type Choice struct {
	Shader string `json:"shader"`
	Entry  string `json:"entry"`
}

// ConvertParams name a file and a target.
type ConvertParams struct {
	File   int    `json:"file"`
	To     string `json:"to"` // one of the targets in [Supports]
	Shader string `json:"shader,omitempty"`
	Entry  string `json:"entry,omitempty"`
}

// WrittenResult is a file that the engine wrote and opened.
type WrittenResult struct {
	Info   FileInfo       `json:"info"`
	Losses []convert.Loss `json:"losses"` // at most two hundred
	More   int            `json:"more"`   // further losses
}

// FindParams describe a search.
type FindParams struct {
	File  int    `json:"file"`
	Kind  string `json:"kind"` // "hex", "text" or "field"
	Query string `json:"query"`
	From  int    `json:"from,omitempty"` // the first offset, or the last one of a search backward
	Back  bool   `json:"back,omitempty"`
}

// FindResult is a place.
type FindResult struct {
	Offset int    `json:"offset"` // -1 if nothing was found
	Length int    `json:"length"`
	Path   string `json:"path,omitempty"` // of the field
}
