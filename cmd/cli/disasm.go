package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// The JSON report of disasm.
type (
	disasmReport struct {
		File    string         `json:"file"`
		Format  string         `json:"format"`
		Shaders []disasmShader `json:"shaders"`
	}
	disasmShader struct {
		Name  string `json:"name"`
		Stage string `json:"stage"`
		Entry int    `json:"entry"`
		// CodeOf is the index of an earlier entry point of the same program, whose Lines are not
		// repeated.
		CodeOf *int         `json:"code_of,omitempty"`
		Lines  []disasmLine `json:"lines"`
	}
	disasmLine struct {
		PC      int    `json:"pc"`
		Word    string `json:"word"`
		Label   string `json:"label,omitempty"`
		Text    string `json:"text"`
		Comment string `json:"comment,omitempty"`
	}
)

func (a *app) disasmCommand() *cobra.Command {
	var src source
	var entry string
	var structured, pretty, graph bool
	cmd := &cobra.Command{
		Use:   "disasm FILE",
		Short: "Print the programs of a file as assembly",
		Long: `disasm prints the program of every entry point, or only of the one named by --entry,
with address and word of each instruction and with the register names of the file's
symbol table. A program of several entry points is printed once. The text assembles
to the same words and operand descriptors. --structured writes procedures, loops and
conditions as scopes where they nest. --pretty also leaves out everything that an
assembler adds again; the text keeps its meaning, not its words. If the strict parser
refuses a file, disasm prints the words that it can find, with all findings in place,
and exits 1.`,
		Example: `  picaproof disasm shader.shbin
  picaproof disasm --entry main shader.shbin
  picaproof disasm --structured --pretty shader.shbin
  picaproof disasm --format json shader.shbin`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, doc, err := a.parse(&src, args[0])
			if outline, ok := outlineOf(&src, f, err); ok {
				outline.Regions = slices.DeleteFunc(outline.Regions,
					func(r diag.Region) bool { return !strings.Contains(r.Path, "code[") })
				if err := a.result(outline, false,
					func(w io.Writer, p palette) { refusedText(w, p, outline) }); err != nil {
					return err
				}
			}
			if err != nil {
				return err
			}
			holder, ok := doc.(registry.Shaders)
			if !ok {
				return failure{shown(args[0]) + ": this format holds no PICA200 program"}
			}
			shaders := holder.Shaders()
			if entry != "" {
				s, err := entryPoint(doc, entry)
				if err != nil {
					return fmt.Errorf("%s: %w", shown(args[0]), err)
				}
				shaders = []pica.Shader{s}
			}
			if graph {
				return a.text(func(w io.Writer) error { return graphs(w, shaders) })
			}
			return a.result(disassembled(f, shaders), false, func(w io.Writer, _ palette) {
				disassembledText(w, shaders, asm.Options{Words: !pretty, Structured: structured, Pretty: pretty})
			})
		},
	}
	src.flags(cmd)
	cmd.Flags().BoolVar(&structured, "structured", false,
		"write procedures, loops and conditions as scopes, e.g. --structured")
	cmd.Flags().BoolVar(&pretty, "pretty", false,
		"readable text without addresses and words, e.g. --structured --pretty")
	cmd.Flags().BoolVar(&graph, "graph", false,
		"the control-flow graph over the console's stacks as Graphviz text, e.g. --graph | dot -Tsvg")
	cmd.Flags().StringVar(&entry, "entry", "",
		"only this entry point: a label, the number of a DVLE or @word, e.g. --entry main")
	return cmd
}

// refusedText prints the code of a refused file: each word with its offset, and the findings in
// the order of their offsets.
func refusedText(w io.Writer, p palette, outline diag.Outline) {
	findings := outline.Findings
	report := func(before int) {
		for len(findings) > 0 && findings[0].Off < before {
			fmt.Fprintf(w, "; %s %s\n", findings[0], p.severity(findings[0].Severity))
			findings = findings[1:]
		}
	}
	for _, r := range outline.Regions {
		report(r.Off)
		fmt.Fprintf(w, "\t%-39s ; 0x%04x: %s\n", strings.TrimSpace(r.Value[strings.IndexByte(r.Value, ' ')+1:]), r.Off,
			r.Value)
	}
	report(math.MaxInt)
}

// graphs writes the control-flow graph of each shader.
func graphs(w io.Writer, shaders []pica.Shader) error {
	for i := range shaders {
		lines := slices.Collect(asm.Lines(&shaders[i]))
		text := func(pc int) string {
			if pc >= len(lines) {
				return ""
			}
			return lines[pc].Text
		}
		if err := lint.NewGraph(&shaders[i]).WriteDot(w, text); err != nil {
			return err
		}
	}
	return nil
}

// programsOf returns for each shader the first shader of its program: entry points of one program
// share their code.
func programsOf(shaders []pica.Shader) []int {
	firsts := make([]int, len(shaders))
	for i := range shaders {
		firsts[i] = i
		if i == 0 {
			continue
		}
		before, code := shaders[i-1].Code, shaders[i].Code
		if len(before) == len(code) && len(code) > 0 && &before[0] == &code[0] {
			firsts[i] = firsts[i-1]
		}
	}
	return firsts
}

// disassembledText prints each program once, with the names of its first entry point, and the
// interface of each further entry point. w stores a failed write.
func disassembledText(w io.Writer, shaders []pica.Shader, o asm.Options) {
	firsts := programsOf(shaders)
	for i := range shaders {
		s, first := &shaders[i], firsts[i]
		if len(shaders) > 1 {
			fmt.Fprintf(w, "; entry point %d of %d, %v", i, len(shaders), s.Stage)
			if first != i {
				fmt.Fprintf(w, ", in the code of entry point %d", first)
			}
			fmt.Fprintln(w)
		}
		o.NoCode = first != i
		_ = asm.Disassemble(w, s, o)
	}
}

func disassembled(f file, shaders []pica.Shader) disasmReport {
	r := disasmReport{File: f.name, Format: f.format.Name, Shaders: []disasmShader{}}
	firsts := programsOf(shaders)
	for i := range shaders {
		s := &shaders[i]
		d := disasmShader{Name: s.Name, Stage: s.Stage.String(), Entry: s.Entry, Lines: []disasmLine{}}
		if firsts[i] != i {
			d.CodeOf = &firsts[i]
			r.Shaders = append(r.Shaders, d)
			continue
		}
		for line := range asm.Lines(s) {
			d.Lines = append(d.Lines,
				disasmLine{line.PC, fmt.Sprintf("%08x", line.Word), line.Label, line.Text, line.Comment})
		}
		r.Shaders = append(r.Shaders, d)
	}
	return r
}
