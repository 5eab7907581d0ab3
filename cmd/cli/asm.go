package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/asm"
)

// dialects by the value of --dialect.
var dialects = map[string]asm.Dialect{"default": asm.Default, "picasso": asm.Picasso}

// emissions are the forms in which asm writes a program.
var emissions = []string{"shbin", "words", "job"}

// asmFlags are the flags of asm.
type asmFlags struct {
	dialect, emit, header string
	noNop                 bool
}

// asmReport is the JSON report of a refused source.
type asmReport struct {
	Errors []asmError `json:"errors"`
}

type asmError struct {
	Rule    string `json:"rule"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Length  int    `json:"length"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (a *app) asmCommand() *cobra.Command {
	var flags asmFlags
	cmd := &cobra.Command{
		Use:   "asm SOURCE... -o OUT",
		Short: "Assemble sources into a shader binary",
		Long: `asm assembles one or more sources into one SHBIN file, with an entry point for
each source that declares one. Procedures are shared by all sources; vertex
programs share one space of uniforms. "-" is standard input.

The default dialect is picasso's, with exact rounding of constants, checks of
every range, and directives that can say any words. --dialect picasso gives
exactly the bytes of picasso 2.7.1, its mistakes included, and takes its options,
so that it can stand in for it in a Makefile. --dialect latte reads the text that disasm
prints of one program of a GX2 shader, and writes its code.

--emit words prints the words and the operand descriptors, --emit job a job; run,
compare and reduce take both.

Exit status: 0 the file was written; 1 the sources have errors, and nothing was
written; 2 bad arguments, or a file that cannot be read or written (1 in the
picasso dialect, as picasso does).`,
		Example: `  picaproof asm shader.v.pica -o shader.shbin
  picaproof asm --dialect picasso vertex.v.pica geometry.g.pica -o shader.shbin -h shader.h
  picaproof asm shader.v.pica -o - | picaproof run - --in v0=1,2,3,4
  picaproof asm --emit words shader.v.pica | picaproof run - --in v0=1,2,3,4
  picaproof asm --emit job shader.v.pica | picaproof compare --job -
  picaproof disasm --entry pixel shader.gsh | picaproof asm --dialect latte - -o pixel.bin`,
		Args: arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.dialect == latteDialect {
				return a.assembleMicrocode(&flags, args)
			}
			return a.assemble(&flags, args)
		},
	}
	f := cmd.Flags()
	f.Bool("help", false, "help for asm") // -h is picasso's option for a header
	f.StringVar(&flags.dialect, "dialect", "default", "default, picasso or latte, e.g. --dialect picasso")
	f.StringVar(&flags.emit, "emit", "shbin", "form of the output: shbin, words or job, e.g. --emit job")
	f.StringVarP(&flags.header, "header", "h", "",
		"write a C header with the registers of the uniforms here, e.g. -h shader.h")
	f.StringVar(&a.output, "out", "", "the same as --output, as picasso names it, e.g. --out=shader.shbin")
	f.BoolVarP(&flags.noNop, "no-nop", "n", false,
		"do not pad scopes with NOP where the console needs it, e.g. asm -n shader.v.pica -o shader.shbin")
	closedList(cmd, "dialect", "default", "picasso", latteDialect)
	closedList(cmd, "emit", emissions...)
	return cmd
}

func (a *app) assemble(flags *asmFlags, names []string) error {
	dialect := dialects[flags.dialect]
	if flags.emit == "shbin" {
		if err := a.notToTerminal(); err != nil {
			return err
		}
	}
	sources := make([]asm.Source, len(names))
	for i, name := range names {
		text, err := a.read(name)
		if err != nil {
			return fileError(dialect, err)
		}
		sources[i] = asm.Source{Name: name, Text: string(text)}
	}
	assembly, err := asm.Assemble(sources, asm.AssembleOptions{Dialect: dialect, NoPadding: flags.noNop})
	if err != nil {
		return a.sourceErrors(err)
	}
	var out bytes.Buffer
	if err := emit(&out, assembly, flags.emit, dialect); err != nil {
		return err
	}
	if flags.header != "" {
		if err := atomicfile.Write(flags.header, assembly.WriteHeader); err != nil {
			return fileError(dialect, err)
		}
	}
	return fileError(dialect, a.report(bytesOf(out.Bytes())))
}

// fileError gives an error of a file the exit status of the dialect's assembler: picasso exits
// with 1 for every refusal.
func fileError(dialect asm.Dialect, err error) error {
	if err != nil && dialect == asm.Picasso {
		return failure{err.Error()}
	}
	return err
}

// emit writes an assembly in one of the emissions.
func emit(out *bytes.Buffer, assembly *asm.Assembly, form string, dialect asm.Dialect) error {
	switch form {
	case "words":
		emitWords(out, &assembly.Program)
		return nil
	case "job":
		shader := assembly.Shader(0)
		text, err := jobOf(&shader)
		out.Write(append(text, '\n'))
		return err
	}
	f, err := shbin.FromModule(&assembly.Module)
	if err != nil {
		return err
	}
	write := f.AppendBinary
	if dialect == asm.Picasso {
		write = f.AppendUnchecked // picasso writes files that readers refuse
	}
	b, err := write(nil)
	out.Write(b)
	return err
}

// sourceErrors prints the errors of sources: each with its line and a caret
// below the place, or as JSON on standard output.
func (a *app) sourceErrors(err error) error {
	var list asm.Errors
	if !errors.As(err, &list) {
		return err
	}
	if a.json() {
		report := asmReport{}
		for _, e := range list {
			report.Errors = append(report.Errors,
				asmError{e.Rule, e.File, e.Line, e.Column, e.Length, e.Message, e.Hint})
		}
		if err := encoder(a.stdout, "  ").Encode(report); err != nil {
			return err
		}
		return errFindings
	}
	printErrors(a.stderr, list)
	if !a.quiet {
		fmt.Fprintln(a.stderr, plural(len(list), "error"))
	}
	return errFindings
}

// printErrors prints each error with its line and a caret below the place.
func printErrors(w io.Writer, list asm.Errors) {
	for _, e := range list {
		fmt.Fprintln(w, safetext.Line(e.Error()))
		if excerpt := e.Excerpt(); excerpt != "" {
			fmt.Fprintln(w, safetext.Lines(excerpt))
		}
	}
}
