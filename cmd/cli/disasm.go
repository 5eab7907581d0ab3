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

func (a *app) disasmCommand() *cobra.Command {
	var src source
	var entry string
	var structured, pretty, graph bool
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
		RunE: func(_ *cobra.Command, args []string) error {
			f, doc, err := a.parse(&src, args[0])
			if outline, ok := outlineOf(&src, f, err); ok {
				outline.Regions = refusedCode(f, outline.Regions)
				return a.result(outline, true, func(w io.Writer, p palette) { refusedText(w, p, outline) })
			}
			if err != nil {
				return err
			}
			holder, ok := doc.(registry.Shaders)
			if !ok {
				if structured || pretty || graph {
					return failure{shown(args[0]) +
						": --structured, --pretty and --graph are for PICA200 programs, and this format holds none"}
				}
				programs, ok := microcode.Of(doc.Model())
				if !ok {
					return failure{shown(args[0]) + ": this format holds no program that disasm knows"}
				}
				if programs, err = chosen(programs, entry); err != nil {
					return fmt.Errorf("%s: %w", shown(args[0]), err)
				}
				return a.disasmMicrocode(f, programs)
			}
			shaders := holder.Shaders()
			list := listings(shaders)
			if entry != "" {
				s, err := entryPoint(doc, entry)
				if err != nil {
					return fmt.Errorf("%s: %w", shown(args[0]), err)
				}
				list = []listing{newListing(&s, entriesOf(shaders, &s))}
				list[0].entry = slices.IndexFunc(shaders,
					func(t pica.Shader) bool { return t.Entry == s.Entry && t.Name == s.Name })
				shaders = []pica.Shader{s}
			}
			if graph {
				return a.text(func(w io.Writer) error { return graphs(w, shaders) })
			}
			for i := range list {
				list[i].findLoss(doc)
			}
			return a.result(disassembled(f, list), false, func(w io.Writer, _ palette) {
				disassembledText(w, list, asm.Options{Words: !pretty, Structured: structured, Pretty: pretty})
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
		"only this entry point: a label, the number of a DVLE or @word; or a stage, e.g. --entry main")
	return cmd
}

// refusedCode returns the words of code among the regions of a refused file. The value of each is the word and its
// instruction, with operands where the descriptors of the program were found; that of a GX2 program the instruction.
func refusedCode(f file, regions []diag.Region) (code []diag.Region) {
	if f.format.Name == "gsh" || f.format.Name == "sharcfb" {
		return microcode.Refused(f.data, regions)
	}
	descriptors := map[string][]uint32{} // by the path of the program
	for _, r := range regions {
		if program, n, ok := elementOf(r.Path, "descriptors["); ok && n == len(descriptors[program]) {
			if word, ok := wordOf(r.Value); ok {
				descriptors[program] = append(descriptors[program], word)
			}
		}
	}
	for _, r := range regions {
		program, _, ok := elementOf(r.Path, "code[")
		if !ok {
			continue
		}
		if word, ok := wordOf(r.Value); ok {
			text := asm.Format(word, descriptors[program])
			guessed := descriptors[program] == nil && strings.Contains(text, ", desc ")
			if !guessed && !strings.HasPrefix(text, ".word") {
				r.Value = fmt.Sprintf("0x%08x %s", word, text)
			}
		}
		code = append(code, r)
	}
	return code
}

// elementOf takes the path of an element of a list apart: "dvlp.code[3]" is element 3 of the list "code[" of "dvlp.".
func elementOf(path, list string) (owner string, n int, ok bool) {
	owner, rest, ok := strings.Cut(path, list)
	number, _, closed := strings.Cut(rest, "]")
	n, err := strconv.Atoi(number)
	return owner, n, ok && closed && err == nil
}

// wordOf returns the word at the start of the value of a region: "0x88000000 end".
func wordOf(value string) (word uint32, ok bool) {
	digits, _, _ := strings.Cut(value, " ")
	n, err := strconv.ParseUint(digits, 0, 32)
	return uint32(n), err == nil && strings.HasPrefix(digits, "0x")
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
		if _, ok := wordOf(text); ok {
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

// maxParts is the largest number of entry points of a program that are printed apart.
const maxParts = 64

// listing is how one entry point is printed.
type listing struct {
	shader *pica.Shader
	part   *asm.Part // nil for a whole program
	codeOf int       // an earlier entry point of the whole program, or -1
	entry  int       // the number of the entry point in the file, or -1
	lost   []string  // what the text does not carry
}

// newListing returns the part of a program that a shader reaches, or the whole program if it has one entry point, or
// too many, or a path that is too long to follow.
func newListing(s *pica.Shader, entries int) listing {
	whole := listing{shader: s, codeOf: -1}
	if entries < 2 || entries > maxParts {
		return whole
	}
	free := *s // an application may replace the constants that decide branches
	free.Floats, free.Ints, free.Bools = nil, nil, nil
	reached := lint.NewGraph(&free).Reached()
	if reached == nil || s.Entry >= len(reached) {
		return whole
	}
	part := asm.NewPart(s, reached)
	return listing{shader: &part.Shader, part: &part, codeOf: -1}
}

// entriesOf returns the number of shaders that have the program of s.
func entriesOf(shaders []pica.Shader, s *pica.Shader) (n int) {
	for i := range shaders {
		if code := shaders[i].Code; len(code) == len(s.Code) && len(code) > 0 && &code[0] == &s.Code[0] {
			n++
		}
	}
	return n
}

// listings returns how the entry points of a file are printed.
func listings(shaders []pica.Shader) []listing {
	firsts := programsOf(shaders)
	entries := map[int]int{}
	for _, first := range firsts {
		entries[first]++
	}
	var list []listing
	for i, first := range firsts {
		l := listing{shader: &shaders[i], codeOf: first}
		if first == i || list[first].part != nil {
			l = newListing(&shaders[i], entries[first])
		}
		l.entry = i
		list = append(list, l)
	}
	return list
}

// disassembledText prints the words of each entry point with its own names. A program that is printed whole
// stands at its first entry point. w stores a failed write.
func disassembledText(w io.Writer, list []listing, o asm.Options) {
	for i, l := range list {
		if len(list) > 1 {
			fmt.Fprintf(w, "; entry point %d of %d, %v", i, len(list), l.shader.Stage)
			if l.codeOf >= 0 {
				fmt.Fprintf(w, ", in the code of entry point %d", l.codeOf)
			}
			fmt.Fprintln(w)
		}
		if l.part != nil && len(l.part.Places) < len(l.part.Whole) {
			fmt.Fprintf(w, "; reaches %d of the %d words of the program: %s\n", len(l.part.Places), len(l.part.Whole),
				wordRanges(l.part.Places))
		}
		o.NoCode, o.Of = l.codeOf >= 0, l.part
		_ = asm.Disassemble(w, l.shader, o)
		if len(l.lost) > 0 {
			fmt.Fprintf(w, "; the text does not carry: %s\n", strings.Join(l.lost, ", "))
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

func disassembled(f file, list []listing) disasmReport {
	r := disasmReport{File: f.name, Format: f.format.Name, Shaders: []disasmShader{}}
	for i := range list {
		l := &list[i]
		s := l.shader
		d := disasmShader{Name: s.Name, Stage: s.Stage.String(), Entry: s.Entry, Lines: []disasmLine{},
			NotInText: l.lost}
		if l.part != nil {
			d.Entry = l.part.Places[s.Entry]
		}
		if l.codeOf >= 0 {
			d.CodeOf = &l.codeOf
			r.Shaders = append(r.Shaders, d)
			continue
		}
		lines := asm.Lines(s)
		if l.part != nil {
			lines = l.part.Lines()
		}
		for line := range lines {
			d.Lines = append(d.Lines,
				disasmLine{line.PC, fmt.Sprintf("%08x", line.Word), line.Label, line.Text, line.Comment})
		}
		r.Shaders = append(r.Shaders, d)
	}
	return r
}
