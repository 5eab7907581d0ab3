package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// The JSON report of disasm.
type (
	disasmReport struct {
		File    string         `json:"file"`
		Format  string         `json:"format"`
		Shaders []disasmShader `json:"shaders"`
	}
	disasmShader struct {
		Name  string       `json:"name"`
		Stage string       `json:"stage"`
		Entry int          `json:"entry"`
		Lines []disasmLine `json:"lines"`
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
	cmd := &cobra.Command{
		Use:   "disasm FILE",
		Short: "Print the programs of a file as assembly",
		Long: `disasm prints the program of every entry point, or of the one that --entry names,
with the address and the word of each instruction, and with the names that the
file's symbol table gives to registers.`,
		Example: `  picaproof disasm shader.shbin
  picaproof disasm --entry main shader.shbin
  picaproof disasm --format json shader.shbin`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			holder, ok := doc.(registry.Shaders)
			if !ok {
				return failure{args[0] + ": this format holds no PICA200 program"}
			}
			shaders := holder.Shaders()
			if entry != "" {
				s, err := entryPoint(doc, entry)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				shaders = []pica.Shader{s}
			}
			if a.json() {
				return a.reportJSON(disassembled(f, shaders))
			}
			return a.report(func(w io.Writer) error {
				for i, s := range shaders {
					if len(shaders) > 1 {
						fmt.Fprintf(w, "; entry point %d of %d, %v\n", i, len(shaders), s.Stage)
					}
					if err := asm.Disassemble(w, &s, asm.Options{Words: true}); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	src.flags(cmd)
	cmd.Flags().StringVar(&entry, "entry", "", "only this entry point: a label, the number of a DVLE or @word, e.g. --entry main")
	return cmd
}

func disassembled(f file, shaders []pica.Shader) disasmReport {
	r := disasmReport{File: f.name, Format: f.format.Name, Shaders: []disasmShader{}}
	for _, s := range shaders {
		d := disasmShader{Name: s.Name, Stage: s.Stage.String(), Entry: s.Entry, Lines: []disasmLine{}}
		for line := range asm.Lines(&s) {
			d.Lines = append(d.Lines, disasmLine{line.PC, fmt.Sprintf("%08x", line.Word), line.Label, line.Text, line.Comment})
		}
		r.Shaders = append(r.Shaders, d)
	}
	return r
}

// listing returns a shader as plain assembly.
func listing(s *pica.Shader) string {
	var b strings.Builder
	_ = asm.Disassemble(&b, s, asm.Options{}) // a strings.Builder does not fail
	return b.String()
}
