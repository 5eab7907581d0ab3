package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/latte"
)

// The JSON report of disasm about the programs of GX2 shaders.
type (
	microcodeReport struct {
		File     string             `json:"file"`
		Format   string             `json:"format"`
		Programs []microcodeProgram `json:"programs"`
	}
	microcodeProgram struct {
		Path  string          `json:"path"`
		Stage latte.Stage     `json:"stage"`
		Size  int             `json:"size"` // bytes
		Lines []microcodeLine `json:"lines"`
		Error string          `json:"error,omitempty"` // why the program cannot be taken apart
	}
	microcodeLine struct {
		Offset int    `json:"offset"` // of the instruction in the program
		Length int    `json:"length"` // 0 for a line about no instruction
		Text   string `json:"text"`
	}
)

// chosen returns the programs that --entry names: all, those of a stage, or one by its number or path.
func chosen(programs []microcode.Program, entry string) ([]microcode.Program, error) {
	if entry == "" {
		return programs, nil
	}
	if n, err := strconv.Atoi(entry); err == nil && n >= 0 && n < len(programs) {
		return programs[n : n+1], nil
	}
	named := slices.DeleteFunc(slices.Clone(programs),
		func(p microcode.Program) bool { return p.Stage.String() != entry && p.Path != entry })
	if len(named) == 0 {
		return nil, fmt.Errorf("--entry %q: neither a stage, nor a path, nor a program below %d", entry, len(programs))
	}
	return named, nil
}

// disasmMicrocode prints programs of GX2 shaders.
func (a *app) disasmMicrocode(f file, programs []microcode.Program) error {
	if len(programs) == 0 {
		return failure{shown(f.name) + ": the file holds no program"}
	}
	r := microcodeReport{File: f.name, Format: f.format.Name}
	bad := false
	for _, p := range programs {
		out := microcodeProgram{Path: p.Path, Stage: p.Stage, Size: len(p.Code), Lines: []microcodeLine{}}
		decoded, err := latte.Decode(p.Code)
		if err != nil {
			out.Error, bad = err.Error(), true
		} else {
			for _, l := range latte.Lines(decoded) {
				out.Lines = append(out.Lines, microcodeLine{l.Off, l.Len, l.Text})
			}
		}
		r.Programs = append(r.Programs, out)
	}
	return a.result(r, bad, func(w io.Writer, p palette) {
		for i, program := range r.Programs {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "; %s: %v program, %s\n", program.Path, program.Stage, plural(program.Size, "byte"))
			for _, l := range program.Lines {
				fmt.Fprintln(w, l.Text)
			}
			if program.Error != "" {
				fmt.Fprintf(w, "; not taken apart: %s\n", p.bad(program.Error))
			}
		}
	})
}

// lintMicrocode lints the programs of GX2 shaders.
func lintMicrocode(doc registry.Document) (list []lintFinding) {
	regions := doc.Regions()
	texts := map[string]string{} // of instructions, by path
	for _, r := range microcode.Regions(doc.Model(), regions) {
		texts[r.Path] = r.Value
	}
	for _, found := range microcode.Check(doc.Model(), regions) {
		x := lintFinding{Rule: found.Rule, Severity: found.Severity, Entry: found.Path, Offset: &found.Off,
			Length: found.Len, Message: found.Text(), More: found.More, Reason: microcode.Reason(found.Rule)}
		if program, word, ok := microcode.Word(found.Path); ok {
			x.Entry, x.Word = program, &word
			x.Instruction = strings.Join(strings.Fields(texts[found.Path]), " ")
		}
		list = append(list, x)
	}
	return list
}

// latteDialect is the text form of the programs of GX2 shaders.
const latteDialect = "latte"

// assembleMicrocode writes the code of the program that a text describes.
func (a *app) assembleMicrocode(flags *asmFlags, names []string) error {
	switch {
	case len(names) > 1:
		return errors.New("--dialect latte: a source is one program, and its output the code; give one source")
	case flags.emit != "shbin" || flags.header != "" || flags.noNop:
		return errors.New("--dialect latte: --emit, --header and --no-nop are for PICA200 programs")
	}
	if err := a.notToTerminal(); err != nil {
		return err
	}
	text, err := a.read(names[0])
	if err != nil {
		return err
	}
	program, err := latte.Parse(string(text))
	if err != nil {
		return a.microcodeError(names[0], err)
	}
	return a.report(bytesOf(program.Encode()))
}

// microcodeError prints the error of a text: on one line, or as JSON on standard output.
func (a *app) microcodeError(name string, err error) error {
	place, e := shown(name), asmError{File: name, Message: err.Error()}
	var wrong *latte.SyntaxError
	if errors.As(err, &wrong) {
		e.Line, e.Column, e.Message = wrong.Line, 1, wrong.Err.Error()
		place += fmt.Sprintf(":%d", wrong.Line)
	}
	var refused *latte.DecodeError
	if errors.As(err, &refused) {
		e.Rule = refused.Rule
	}
	if !a.json() {
		return failure{place + ": " + e.Message}
	}
	if err := encoder(a.stdout, "  ").Encode(asmReport{[]asmError{e}}); err != nil {
		return err
	}
	return errFindings
}
