// Package annotation serves this module: it writes findings as commands of GitHub's runner, which shows
// each as an annotation: "::error file=a.shbin,line=1,title=DVLB002::wrong magic".
package annotation

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/picaproof/picaproof/internal/safetext"
)

// Level is the kind of an annotation.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Annotation is a text with its place.
type Annotation struct {
	Level Level
	File  string // may be empty
	Line  int    // in the file; a file without lines has the line 1
	Title string
	Text  string
}

// Escapes of the runner. A comma and a colon end a property, but not the text.
var (
	inText     = strings.NewReplacer("%", "%25")
	inProperty = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

// Write writes annotations, a line each. Their texts cannot be other commands.
func Write(w io.Writer, list []Annotation) error {
	b := bufio.NewWriter(w)
	for _, a := range list {
		fmt.Fprintf(b, "::%s ", a.Level)
		if a.File != "" {
			fmt.Fprintf(b, "file=%s,line=%d,", inProperty.Replace(harmless(a.File)), max(a.Line, 1))
		}
		fmt.Fprintf(b, "title=%s::%s\n", inProperty.Replace(harmless(a.Title)), inText.Replace(harmless(a.Text)))
	}
	return b.Flush()
}

// harmless returns a text as one line in which nothing begins a command.
func harmless(text string) string { return safetext.Lines(safetext.Line(text)) }
