package properties_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestPrettyTextMeansTheSame executes generated programs, and the programs that their pretty
// text assembles to in the default dialect.
func TestPrettyTextMeansTheSame(t *testing.T) {
	const seed = 1
	var g gen.Generator
	for _, mode := range gen.Modes {
		for k := range long.Numbers(t, 300, long.Few(60, 20)) {
			job := g.Job(gen.Seed(seed, uint64(k)), mode)
			job.Budget = 5000
			s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
			var text strings.Builder
			if err := asm.Disassemble(&text, &s, asm.Options{Structured: true, Pretty: true}); err != nil {
				t.Fatal(err)
			}
			a, err := asm.Assemble([]asm.Source{{Name: "pretty", Text: text.String()}}, asm.AssembleOptions{})
			if err != nil {
				t.Fatalf("%s, case %d of seed %d: %v\n%s", mode, k, seed, err, text.String())
			}
			again := *job
			again.Program, again.Entry = a.Program, a.Entries[0].First
			var want, got pica.Outcome
			if err := impl.New().Run(job, &want); err != nil {
				t.Fatal(err)
			}
			if err := impl.New().Run(&again, &got); err != nil {
				t.Fatal(err)
			}
			if verdict, d := compare.Outcomes(&want, &got); verdict == compare.Differ {
				t.Fatalf("%s, case %d of seed %d: %v\n%s", mode, k, seed, d, text.String())
			}
		}
	}
}

// explicitTargets returns the lines of structured text with a target instead of a scope.
func explicitTargets(text string) (lines []string) {
	for line := range strings.Lines(text) {
		code, remark, _ := strings.Cut(strings.TrimSpace(line), " ; ")
		word, operands, _ := strings.Cut(strings.TrimSpace(code), " ")
		switch word {
		case "call", "callc", "callu", "ifc", "ifu", "loop":
			// A length is the last operand of a target.
			if last := operands[strings.LastIndexByte(operands, ',')+1:]; word == "loop" ||
				len(last) > 0 && digits(strings.TrimSpace(last)) {
				lines = append(lines, code)
			}
		case ".word":
			name, _, _ := strings.Cut(remark, " ")
			if slices.Contains(scopeNames, name) {
				lines = append(lines, code+" ; "+remark)
			}
		}
	}
	return lines
}

var scopeNames = []string{"call", "callc", "callu", "ifc", "ifu", "loop"}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// nests reports whether the scopes of a program lie one in the other or apart, and no
// instruction jumps. It compares every two scopes.
func nests(code []uint32) bool {
	type scope struct {
		from, end, split int // split is the first word of the else part; 0 if there is none
		procedure        bool
	}
	var all []scope
	for pc, word := range code {
		op := pica.OpcodeOf(word)
		layout := op.Layout()
		dst, num := int(layout.Dst.Get(word)), int(layout.Num.Get(word))
		switch pica.Opcodes[op].Flow {
		case pica.FlowJump:
			return false
		case pica.FlowIf:
			all = append(all, scope{from: pc, end: dst + num, split: dst})
			if dst <= pc {
				return false
			}
		case pica.FlowLoop:
			all = append(all, scope{from: pc, end: dst + 1})
			if dst < pc {
				return false
			}
		case pica.FlowCall:
			all = append(all, scope{from: dst, end: dst + num, procedure: true})
		}
	}
	holds := func(a, b scope) bool {
		from := a.from
		if !a.procedure {
			from++ // the word that opens it
		}
		return b.from >= from && b.end <= a.end && (a.split == 0 || b.end <= a.split || b.from >= a.split)
	}
	for k, a := range all {
		if a.end > len(code) {
			return false
		}
		for _, b := range all[:k] {
			if a != b && a.end > b.from && b.end > a.from && !holds(a, b) && !holds(b, a) {
				return false
			}
		}
	}
	return true
}

// structuredText returns the structured text of a program.
func structuredText(t *testing.T, s *pica.Shader) string {
	t.Helper()
	var text strings.Builder
	if err := asm.Disassemble(&text, s, asm.Options{Structured: true}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestStructuredTextDeclinesNoNestedProgram: the structured text of generated programs of
// every mode that nest and do not jump has no target. The log has the share of all programs.
func TestStructuredTextDeclinesNoNestedProgram(t *testing.T) {
	const seed = 1
	var g gen.Generator
	const most = 100 // words; one mixed job in 16 is a long program
	total, drawn := 0, 0
	// these all jump
	modes := slices.DeleteFunc(slices.Clone(gen.Modes), func(m gen.Mode) bool { return m == gen.Long })
	for _, mode := range modes {
		programs, structured, nested := 0, 0, 0
		for k := range long.Numbers(t, 5000, long.Few(1500, 200)) {
			programs++
			job := g.Job(gen.Seed(seed, uint64(k)), mode)
			s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
			text := structuredText(t, &s)
			explicit := explicitTargets(text)
			if len(job.Code) >= most {
				continue
			}
			drawn++
			if len(explicit) == 0 && !slices.ContainsFunc(job.Code, jumps) {
				structured++
			}
			if nests(job.Code) {
				nested++
				if len(explicit) > 0 {
					t.Errorf("%s, case %d of seed %d: %q\n%s", mode, k, seed, explicit, text)
				}
			}
		}
		total += structured
		t.Logf("%s: %d of %d programs nest without a jump, %d are structured", mode, nested, programs, structured)
	}
	t.Logf("all modes: %.1f %%", 100*float64(total)/float64(drawn))
	if total < drawn/2 {
		t.Errorf("seed %d: only %d of %d programs are structured", seed, total, drawn)
	}
}

func jumps(word uint32) bool { return pica.Opcodes[pica.OpcodeOf(word)].Flow == pica.FlowJump }

// TestStructuredTextDeclinesNoSample: the structured text of picasso's samples has no target,
// though some jump.
func TestStructuredTextDeclinesNoSample(t *testing.T) {
	for _, name := range samples.Glob(t, "picasso/*.shbin") {
		f, err := shbin.Parse(samples.Read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Shaders() {
			if lines := explicitTargets(structuredText(t, &s)); len(lines) > 0 {
				t.Errorf("%s, %s: %q", name, s.Name, lines)
			}
		}
	}
}
