package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/listing"
	"github.com/picaproof/picaproof/formats/microcode"
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
		// NotInText names what the file has and the text does not carry.
		NotInText []string `json:"not_in_text,omitempty"`
	}
	disasmLine struct {
		PC      int    `json:"pc"`
		Word    string `json:"word"`
		Label   string `json:"label,omitempty"`
		Text    string `json:"text"`
		Comment string `json:"comment,omitempty"`
	}
)

// disasmFlags are the flags of disasm.
type disasmFlags struct {
	source
	entry                     string
	structured, pretty, graph bool
}

func (a *app) disasmCommand() *cobra.Command {
	var flags disasmFlags
	cmd := &cobra.Command{
		Use:   "disasm FILE",
		Short: "Print the programs of a file as assembly",
		Long: `disasm prints the program of every entry point, or only of the one named by --entry,
with address and word of each instruction and with the register names of the file's
symbol table. Of a program with several entry points each one has the words that it
reaches, with its own names. The text of a whole program assembles to the same words and
operand descriptors, the text of a part to the same words but for the addresses.
What a SHBIN, DVOJ or ZPSH has and the text does not carry, such as the end word or the
order of constants, is named in the last line. --structured writes procedures, loops and
conditions as scopes where they nest. --pretty also leaves out everything that an
assembler adds again; the text keeps its meaning, not its words. If the strict parser
refuses a file, disasm prints the words that it can find, with all findings in place.

Of a GSH or SHARCFB disasm prints the program of each stage in the text form of package
latte. --entry is a stage (vertex, pixel, geometry or copy), a number or a path. The text
of one program assembles to the same bytes with asm --dialect latte.

Exit status: 0 the programs were printed; 1 the file was refused, has no program, or one
that cannot be taken apart; 2 bad arguments or an unreadable file.`,
		Example: `  picaproof disasm shader.shbin
  picaproof disasm --entry main shader.shbin
  picaproof disasm --structured --pretty shader.shbin
  picaproof disasm --format json shader.shbin
  picaproof disasm --entry pixel shader.gsh`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return a.disasm(&flags, args[0]) },
	}
	flags.source.flags(cmd)
	cmd.Flags().BoolVar(&flags.structured, "structured", false,
		"write procedures, loops and conditions as scopes, e.g. --structured")
	cmd.Flags().BoolVar(&flags.pretty, "pretty", false,
		"readable text without addresses and words, e.g. --structured --pretty")
	cmd.Flags().BoolVar(&flags.graph, "graph", false,
		"the control-flow graph over the console's stacks as Graphviz text, e.g. --graph | dot -Tsvg")
	cmd.Flags().StringVar(&flags.entry, "entry", "",
		"only this entry point: a label, the number of a DVLE or @word; or a stage, e.g. --entry main")
	return cmd
}

// disasm prints the programs of a file.
func (a *app) disasm(flags *disasmFlags, name string) error {
	f, doc, err := a.parse(&flags.source, name)
	if outline, ok := outlineOf(&flags.source, f, err); ok {
		outline.Regions = listing.Refused(f.format.Name, f.data, outline.Regions)
		return a.result(outline, true, func(w io.Writer, p palette) { refusedText(w, p, outline) })
	}
	if err != nil {
		return err
	}
	holder, ok := doc.(registry.Shaders)
	if !ok {
		if flags.structured || flags.pretty || flags.graph {
			return failure{shown(name) +
				": --structured, --pretty and --graph are for PICA200 programs, and this format holds none"}
		}
		programs, ok := microcode.Of(doc.Model())
		if !ok {
			return failure{shown(name) + ": this format holds no program that disasm knows"}
		}
		if programs, err = chosen(programs, flags.entry); err != nil {
			return fmt.Errorf("%s: %w", shown(name), err)
		}
		return a.disasmMicrocode(f, programs)
	}
	shaders := holder.Shaders()
	list := listing.Of(shaders)
	if flags.entry != "" {
		s, err := entryPoint(doc, flags.entry)
		if err != nil {
			return fmt.Errorf("%s: %w", shown(name), err)
		}
		list = []listing.Listing{listing.New(&s, listing.Entries(shaders, &s))}
		list[0].Entry = slices.IndexFunc(shaders,
			func(t pica.Shader) bool { return t.Entry == s.Entry && t.Name == s.Name })
		shaders = []pica.Shader{s}
	}
	if flags.graph {
		return a.text(func(w io.Writer) error { return graphs(w, shaders) })
	}
	for i := range list {
		list[i].FindLoss(doc)
	}
	return a.result(disassembled(f, list), false, func(w io.Writer, _ palette) {
		disassembledText(w, list, asm.Options{Words: !flags.pretty, Structured: flags.structured, Pretty: flags.pretty})
	})
}

// refusedText prints the code of a refused file: each word with its offset, and the findings in
// the order of their offsets. The path of a program stands in front of its first word.
func refusedText(w io.Writer, p palette, outline diag.Outline) {
	findings := outline.Findings
	report := func(before int) {
		for len(findings) > 0 && findings[0].Off < before {
			fmt.Fprintf(w, "; %s %s\n", findings[0], p.severity(findings[0].Severity))
			findings = findings[1:]
		}
	}
	program := ""
	for _, r := range outline.Regions {
		report(r.Off)
		if of := r.Path[:strings.LastIndexByte(r.Path, '[')]; of != program {
			program = of
			fmt.Fprintf(w, "; %s\n", program)
		}
		text, word := r.Value, ""
		if _, ok := listing.WordOf(text); ok {
			word, text, _ = strings.Cut(text, " ")
			word = ": " + word
		}
		fmt.Fprintf(w, "\t%-39s ; 0x%04x%s\n", text, r.Off, word)
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

// disassembledText prints the words of each entry point with its own names. A program that is printed whole
// stands at its first entry point. w stores a failed write.
func disassembledText(w io.Writer, list []listing.Listing, o asm.Options) {
	for i, l := range list {
		if len(list) > 1 {
			fmt.Fprintf(w, "; entry point %d of %d, %v", i, len(list), l.Shader.Stage)
			if l.CodeOf >= 0 {
				fmt.Fprintf(w, ", in the code of entry point %d", l.CodeOf)
			}
			fmt.Fprintln(w)
		}
		if l.Part != nil && len(l.Part.Places) < len(l.Part.Whole) {
			fmt.Fprintf(w, "; reaches %d of the %d words of the program: %s\n", len(l.Part.Places), len(l.Part.Whole),
				wordRanges(l.Part.Places))
		}
		o.NoCode, o.Of = l.CodeOf >= 0, l.Part
		_ = asm.Disassemble(w, l.Shader, o)
		if len(l.Lost) > 0 {
			fmt.Fprintf(w, "; the text does not carry: %s\n", strings.Join(l.Lost, ", "))
		}
	}
}

// wordRanges returns ascending numbers as "0-2, 7".
func wordRanges(places []int) string {
	var ranges []string
	for i := 0; i < len(places); {
		end := i + 1
		for end < len(places) && places[end] == places[end-1]+1 {
			end++
		}
		text := strconv.Itoa(places[i])
		if end > i+1 {
			text += "-" + strconv.Itoa(places[end-1])
		}
		ranges, i = append(ranges, text), end
	}
	return strings.Join(ranges, ", ")
}

func disassembled(f file, list []listing.Listing) disasmReport {
	r := disasmReport{File: f.name, Format: f.format.Name, Shaders: []disasmShader{}}
	for i := range list {
		l := &list[i]
		s := l.Shader
		d := disasmShader{Name: s.Name, Stage: s.Stage.String(), Entry: s.Entry, Lines: []disasmLine{},
			NotInText: l.Lost}
		if l.Part != nil {
			d.Entry = l.Part.Places[s.Entry]
		}
		if l.CodeOf >= 0 {
			d.CodeOf = &l.CodeOf
			r.Shaders = append(r.Shaders, d)
			continue
		}
		lines := asm.Lines(s)
		if l.Part != nil {
			lines = l.Part.Lines()
		}
		for line := range lines {
			d.Lines = append(d.Lines,
				disasmLine{line.PC, fmt.Sprintf("%08x", line.Word), line.Label, line.Text, line.Comment})
		}
		r.Shaders = append(r.Shaders, d)
	}
	return r
}
