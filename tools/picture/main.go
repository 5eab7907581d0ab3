// Picture draws docs/picture.svg, a terminal with commands and what they print:
//
//	go -C tools run ./picture -out ../docs/picture.svg
//
// It builds the command line tool of the checkout and runs every command from the checkout's root.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// command is the first line of the picture.
const command = "go -C tools run ./picture -out ../docs/picture.svg"

// A panel is a command and the lines of its output to show, counted from 1.
type panel struct {
	comment     string
	args        []string
	first, last int
}

var panels = []panel{
	{"# a file that a public assembler wrote: every byte has an owner, and a finding its place",
		[]string{"dump", "corpus/samples/nihstro/n06_entry_not_first.shbin"}, 12, 20},
	{"# a core that cuts where it should round: the first difference and the smallest program with it",
		[]string{"compare", "--random", "2000", "--mode", "alu", "--exec", "picaproof adapter self --profile f24,round=rz"},
		1, 11},
}

// The sizes of the picture, in pixels.
const (
	columnWidth = 7.8
	lineHeight  = 18
	margin      = 16
	fontSize    = 13
)

// Colours by the kind of a line.
const (
	background = "#11151c"
	plain      = "#c9d1d9"
	comment    = "#7d8590"
	prompt     = "#7ee787"
	finding    = "#ffa657"
)

// build compiles the tool into a directory.
func build(root, directory string) error {
	cmd := exec.Command("go", "build", "-o", filepath.Join(directory, "picaproof"), "./cmd/picaproof")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	return cmd.Run()
}

// output returns the standard output of the tool. Exit status 1, a finding, is no error.
func output(root, directory string, args []string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(filepath.Join(directory, "picaproof"), args...)
	cmd.Dir, cmd.Stderr = root, &stderr
	cmd.Env = append(os.Environ(), "PATH="+directory+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", args[0], err, &stderr)
	}
	return string(out), nil
}

// quoted returns the arguments as a shell reads them.
func quoted(args []string) string {
	words := []string{"picaproof"}
	for _, a := range args {
		if strings.Contains(a, " ") {
			a = "'" + a + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// styled is a line of the picture.
type styled struct{ colour, text string }

// lines returns the lines of all panels.
func lines(root, directory string) (list []styled, err error) {
	for i, p := range panels {
		out, err := output(root, directory, p.args)
		if err != nil {
			return nil, err
		}
		all := strings.Split(strings.TrimRight(out, "\n"), "\n")
		if len(all) < p.last {
			return nil, fmt.Errorf("%s prints %d lines, want at least %d", p.args[0], len(all), p.last)
		}
		if i > 0 {
			list = append(list, styled{})
		}
		list = append(list, styled{comment, p.comment}, styled{prompt, "$ " + quoted(p.args)})
		if p.first > 1 {
			list = append(list, styled{comment, "..."})
		}
		for _, text := range all[p.first-1 : p.last] {
			colour := plain
			if strings.Contains(text, "^ 0x") || strings.Contains(text, "want ") {
				colour = finding
			}
			list = append(list, styled{colour, strings.ReplaceAll(text, "\t", "    ")})
		}
		if len(all) > p.last {
			list = append(list, styled{comment, "..."})
		}
	}
	return list, nil
}

// draw returns the picture.
func draw(list []styled) []byte {
	columns := 0
	for _, l := range list {
		columns = max(columns, utf8.RuneCountInString(l.text))
	}
	width, height := int(columnWidth*float64(columns))+2*margin, lineHeight*len(list)+2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!-- made by %s -->\n", command)
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" role="img" `)
	fmt.Fprintf(&b, `width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">`+"\n", width, height)
	b.WriteString("<title>Two commands of picaproof and what they print</title>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	b.WriteString(`<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" `)
	fmt.Fprintf(&b, `font-size="%d">`+"\n", fontSize)
	for i, l := range list {
		if l.text == "" {
			continue
		}
		y := margin + lineHeight*i + fontSize
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" xml:space="preserve">%s</text>`+"\n",
			margin, y, l.colour, html.EscapeString(l.text))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// picture returns the picture of the checkout at root.
func picture(root string) ([]byte, error) {
	directory, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	if err := build(root, directory); err != nil {
		return nil, err
	}
	list, err := lines(root, directory)
	if err != nil {
		return nil, err
	}
	return draw(list), nil
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "../docs/picture.svg", "the file to write")
	flag.Parse()
	b, err := picture("..")
	if err == nil {
		err = os.WriteFile(*out, b, 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}
