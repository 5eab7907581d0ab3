package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/microcode"
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
