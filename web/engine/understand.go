package engine

import "github.com/picaproof/picaproof/formats/diag"

// ProgramsParams select programs.
type ProgramsParams struct {
	File int `json:"file"`
	Window
}

// ProgramsResult lists programs.
type ProgramsResult struct {
	Programs []Program `json:"programs"`
	Next
}

// Program is an entry point of a PICA200 program, or a GX2 program.
type Program struct {
	Program int    `json:"program"`
	Name    string `json:"name"` // the label of the entry point, or the path of the code
	Stage   string `json:"stage"`
	Kind    string `json:"kind"`  // "pica200" or "gx2"
	Entry   int    `json:"entry"` // a word
	Words   int    `json:"words"`
	// CodeOf is the first program of the file with the same code.
	CodeOf int `json:"code_of"`
	// Error says why the program has no listing.
	Error string `json:"error,omitempty"`
}

// ListingParams select lines of a program.
type ListingParams struct {
	File    int `json:"file"`
	Program int `json:"program"`
	Window
}

// ListingResult lists lines.
type ListingResult struct {
	Lines []Line `json:"lines"`
	Next
}

// Line is an instruction, or a line about none.
type Line struct {
	Word    int    `json:"word"` // of the program; -1 for a line about no instruction
	Words   int    `json:"words"`
	Offset  int    `json:"offset"` // in the file, -1 if the instruction has no bytes of its own
	Bits    string `json:"bits,omitempty"`
	Label   string `json:"label,omitempty"`
	Text    string `json:"text"`
	Comment string `json:"comment,omitempty"` // the names of the registers
	Source  string `json:"source,omitempty"`  // the file and line of the source, if the file states it
	// Reached is false if no path from the entry point comes to the word.
	Reached bool     `json:"reached"`
	Lints   []string `json:"lints,omitempty"` // rules that lint reports here
}

// FlowResult lists ways of control flow.
type FlowResult struct {
	Edges []Edge `json:"edges"`
	Next
}

// Edge is a way of control flow other than to the next word.
type Edge struct {
	From int `json:"from"` // the word of the instruction
	To   int `json:"to"`
	// Kind is "jump", "call", "else" (to the else part of an IF), "end" (behind an IF or a LOOP) or "loop" (from the end
	// of a loop to its first word).
	Kind string `json:"kind"`
}

// LintsParams select findings of lint.
type LintsParams struct {
	File int `json:"file"`
	Window
}

// LintsResult lists findings of lint.
type LintsResult struct {
	Lints []Lint `json:"lints"`
	Next
}

// Lint is a finding about a program.
type Lint struct {
	Rule     string        `json:"rule"`
	Severity diag.Severity `json:"severity"`
	Program  int           `json:"program"`
	Word     int           `json:"word"`   // -1 if it is about the whole program
	Offset   int           `json:"offset"` // in the file, -1 if unknown
	Length   int           `json:"length"`
	Message  string        `json:"message"`
	Reason   string        `json:"reason"` // the title of the rule and its source
	More     int           `json:"more,omitempty"`
}

// ExplainParams name a word of a program.
type ExplainParams struct {
	File    int    `json:"file"`
	Program int    `json:"program"`
	Word    int    `json:"word"`
	Profile string `json:"profile,omitempty"` // f24 if empty
}

// Explanation explains an instruction.
type Explanation struct {
	Word     int    `json:"word"`
	Bits     string `json:"bits"`
	Text     string `json:"text"`
	Mnemonic string `json:"mnemonic"`
	// Sentence says what the instruction does, with its operands.
	Sentence string `json:"sentence"`
	Source   string `json:"source"` // who says so
	// Operands are the destination and the sources.
	Operands []Operand `json:"operands"`
	Fields   []Field   `json:"fields"` // of the word
	// Rules are the answers of the profile to questions about this instruction.
	Rules []Setting `json:"rules"`
	Lints []Lint    `json:"lints"`
}

// Operand is an operand as the instruction writes it.
type Operand struct {
	Role     string `json:"role"`           // "destination", "source 1"
	Text     string `json:"text"`           // "-c4[a0.x].xyzz"
	Register string `json:"register"`       // "c4"
	Name     string `json:"name,omitempty"` // "projection"
}

// Field is a bit field of an instruction word.
type Field struct {
	Name  string `json:"name"`
	Low   int    `json:"low"` // the lowest bit
	Width int    `json:"width"`
	Value int    `json:"value"`
}

// TextParams select a program and the form of its text.
type TextParams struct {
	File    int    `json:"file"`
	Program int    `json:"program"`
	Form    string `json:"form,omitempty"` // "flat", "structured" or "pretty"; flat if empty
	From    int    `json:"from,omitempty"` // the byte of the text with which the answer begins
}

// TextResult is a part of a text.
type TextResult struct {
	Text    Long   `json:"text"`
	Dialect string `json:"dialect"` // "default" or "latte"
	Next
}

// AssembleParams have a source.
type AssembleParams struct {
	Name    string `json:"name,omitempty"`
	Text    string `json:"text"`
	Dialect string `json:"dialect,omitempty"` // "default", "picasso" or "latte"
}

// AssembleResult has a file, or errors. A latte program has bytes but no format.
type AssembleResult struct {
	Info   *FileInfo     `json:"info,omitempty"`
	Errors []SourceError `json:"errors"` // at most a hundred
	// Lines has the line of the source, from 1, of each word.
	Lines []int `json:"lines"`
}

// SourceError is an error at a place in a source.
type SourceError struct {
	Rule    string `json:"rule,omitempty"`
	Line    int    `json:"line"`   // from 1; 0 for an error of the whole program
	Column  int    `json:"column"` // in bytes, from 1
	Length  int    `json:"length"` // in bytes
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}
