package engine

// OpenParams name a file. Its bytes go with the call.
type OpenParams struct {
	Name string `json:"name"`
	// As is the name of a format, or of a revision of one ("zpsh@3"); the magic decides without it. "source" is
	// assembly text, "job" a program with its inputs.
	As string `json:"as,omitempty"`
	// Accept lists known deviations to accept.
	Accept []string `json:"accept,omitempty"`
	Data   `json:"-"`
}

// FileParams name an open file.
type FileParams struct {
	File int `json:"file"`
}

// FileInfo describes an open file.
type FileInfo struct {
	File   int    `json:"file"`
	Name   string `json:"name"`
	Format string `json:"format"` // "shbin"; "job", or empty for an unknown one
	Title  string `json:"title"`
	Length int    `json:"length"`
	// Accepted says that a strict parser accepts the file.
	Accepted bool   `json:"accepted"`
	Outcome  string `json:"outcome"`          // "ok", "malformed", "unsupported" or "over limit"
	Error    string `json:"error,omitempty"`  // why the file is refused
	Writer   string `json:"writer,omitempty"` // the program that wrote the file, if its bytes tell
	Findings Counts `json:"findings"`
	// Programs is the number of programs that have a listing.
	Programs int      `json:"programs"`
	Supports Supports `json:"supports"`
}

// Counts are numbers of findings.
type Counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Supports says what can be asked about a file.
type Supports struct {
	Listing bool     `json:"listing"` // its programs have a listing
	Run     bool     `json:"run"`     // its programs run
	Canon   bool     `json:"canon"`   // it has a canonical form
	Convert []string `json:"convert"` // formats into which it may be converted
	Choices bool     `json:"choices"` // it has several shaders or entry points
}

// BytesParams select bytes of a file.
type BytesParams struct {
	File   int `json:"file"`
	Offset int `json:"offset,omitempty"`
	Length int `json:"length,omitempty"` // 0 stands for as many as fit
}

// BytesResult goes with bytes.
type BytesResult struct {
	Offset int `json:"offset"`
	Next   int `json:"next"` // the offset behind the bytes, -1 at the end of the file
	Data   `json:"-"`
}

// Empty has no fields.
type Empty struct{}
