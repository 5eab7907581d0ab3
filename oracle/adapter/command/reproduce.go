package command

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
)

// Quoted returns a string as one word of a shell.
func Quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Word returns the name of a file as one word of a shell, quoted only if necessary,
// because the place may stand within quotes.
func Word(name string) string {
	if strings.ContainsAny(name, " \t\n|&;<>()$`\\\"'*?[]#~=%{}!") {
		return Quoted(name)
	}
	return name
}

// maxShown is the largest size of an input shown in a command; larger inputs are
// compressed.
const maxShown = 3000

// Reproduce returns a shell command that repeats a run in the current directory. It
// contains the input unless that is too large.
func (l *Line) Reproduce(in *Input) string {
	n := names{out: outDirectory, extension: in.Extension}
	size, script := 0, ""
	for i, b := range in.Files {
		filter := ""
		if len(b) > maxShown {
			b, filter = compressed(b), " | gzip -d"
		}
		size += len(b)
		script += fmt.Sprintf("echo %s | base64 -d%s > %s; ", base64.StdEncoding.EncodeToString(b),
			filter, Word(n.file(i)))
	}
	if size > maxShown {
		script = ""
	}
	if l.Has(Out) || l.Has(Directory) {
		script += "mkdir -p " + outDirectory + "; "
	}
	return script + l.with(in, n)
}

// Named returns the command line of a run in the current directory whose inputs are files with the given
// names, and a shell command that makes the directory of the output and starts it.
func (l *Line) Named(in *Input, inputs ...string) (line, script string) {
	line = l.with(in, names{out: outDirectory, inputs: inputs})
	if l.Has(Out) || l.Has(Directory) {
		return line, "mkdir -p " + outDirectory + "; " + line
	}
	return line, line
}

// compressed returns bytes in the format of gzip.
func compressed(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a buffer takes all
	_ = w.Close()
	return out.Bytes()
}

// Lines returns a shell command that sends lines to a program.
func Lines(program string, lines ...string) string {
	words := make([]string, len(lines))
	for i, line := range lines {
		words[i] = Quoted(line)
	}
	return `printf '%s\n' ` + strings.Join(words, " ") + " | " + program
}
