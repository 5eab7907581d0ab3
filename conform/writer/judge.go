package writer

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/pica"
)

// finding is a fault of an answer.
type finding struct {
	level    report.Level
	what     string // the wrong part, a rule id, or a message without names
	op       string // the instruction that shows it, if there is one
	where    string
	expected string
	observed string
	note     string
	stderr   string
	words    []string // for a crash without a name, the first words of the lines that it needs
	misdeed  bool     // the tool changed a file that it must not change, whatever the input
	answer   *Answer  // the answer with the fault
}

// key groups findings that may have one cause.
func (f *finding) key() string {
	return strings.TrimSpace(string(f.level) + ": " + f.what + " " + f.op)
}

// kind groups findings that have one title.
func (f *finding) kind() string { return string(f.level) + ": " + f.what }

// title names the finding within its level.
func (f *finding) title() string {
	what := cmp.Or(f.what, "no message")
	if f.level == report.RefusesValid {
		return "refused: " + what
	}
	return what
}

// judge compares the answers of a tool with the model.
type judge struct {
	*session
	once bool // the tool is asked once: a second answer was compared, and warnings were counted, before
	// accepted is called with each source for which the tool wrote a file. It may be nil.
	accepted func(t *source.Text)
}

// findings are the findings about one answer, the gravest first.
type findings []*finding

// with returns the finding with a key, nil if there is none.
func (l findings) with(key string) *finding {
	for _, f := range l {
		if f.key() == key {
			return f
		}
	}
	return nil
}

// about sets the answer of the findings.
func (l findings) about(a *Answer) {
	for _, f := range l {
		if f != nil {
			f.answer = a
		}
	}
}

// first returns the gravest finding, nil if there is none.
func (l findings) first() *finding {
	if len(l) == 0 {
		return nil
	}
	return l[0]
}

// of returns the first finding of a level, else the gravest; nil if there is none.
func (l findings) of(level report.Level) *finding {
	if i := slices.IndexFunc(l, func(f *finding) bool { return f.level == level }); i >= 0 {
		return l[i]
	}
	return l.first()
}

// valid judges the tool's answer to a program.
func (j *judge) valid(ctx context.Context, p *source.Program) (findings, error) {
	if !j.Dialect.Says(p) {
		return nil, nil
	}
	model, err := source.Lower(p, j.Dialect)
	if err != nil {
		return nil, nil // the program exceeds a shader unit
	}
	return j.text(ctx, j.Dialect.Print(p), model)
}

// text judges the tool's answer to a right source.
func (j *judge) text(ctx context.Context, text *source.Text, model *source.Meaning) (list findings, err error) {
	answer, err := j.tool.Assemble(ctx, text)
	if err != nil {
		return nil, err
	}
	defer func() { list.about(&answer) }()
	if f := fated(&answer, text); f != nil {
		return append(findings{f}, misdeed(&answer)...), nil
	}
	if j.accepted != nil {
		j.accepted(text)
	}
	list, harmless := compareFile(model, answer.Data, j.Dialect)
	if !j.once {
		j.warnings.add(harmless, size(text), func() string { return oneLine(text) })
		again, err := j.tool.Assemble(ctx, text)
		if err != nil {
			return nil, err
		}
		if !again.equals(&answer) {
			return findings{changing(&answer, &again)}, nil
		}
	}
	return append(list, misdeed(&answer)...), nil
}

// changing returns the finding about a tool with two different outputs for one input.
func changing(a, b *Answer) *finding {
	f := &finding{level: report.NotDeterministic, what: twoResults, where: firstByte(a.Data, b.Data),
		expected: "the same bytes twice", observed: "others"}
	if a.Fate != b.Fate {
		f.where, f.observed, f.stderr = "the tool", fmt.Sprintf("%s, then %s: %s", a.Fate, b.Fate, b.Message), b.Stderr
	}
	return f
}

// misdeed returns the finding about a tool that changed a file that it must not change.
func misdeed(a *Answer) findings {
	if a.Misdeed == "" {
		return nil
	}
	return findings{{level: report.InvalidFile, what: a.Misdeed, where: "the files of the tool",
		expected: "an output for an accepted input, and nothing else",
		observed: a.Misdeed, stderr: a.Stderr, misdeed: true}}
}

// fated returns the finding about a tool that wrote nothing for a source, or for a file if t is
// nil.
func fated(a *Answer, t *source.Text) *finding {
	switch a.Fate {
	case Refused, Warned:
		return &finding{level: report.RefusesValid, what: generic(a.Message, t), where: "the source",
			expected: "a file", observed: cmp.Or(a.Message, "a refusal"), stderr: a.Stderr}
	case Crashed:
		return &finding{level: report.Crash, what: cmp.Or(a.Fault, generic(a.Message, t)), where: "the tool",
			expected: "a file", observed: a.Message, stderr: a.Stderr}
	case Nothing:
		return &finding{level: report.InvalidFile, what: "no file", where: "the output", expected: "a file",
			observed: "exit status 0 and " + a.Message, stderr: a.Stderr}
	case Hung:
		return &finding{level: report.Hang, what: "no end", where: "the tool", expected: "a file", observed: "no end",
			stderr: a.Stderr}
	}
	return nil
}

// generic returns a message without the words and names of the source.
func generic(message string, t *source.Text) string {
	names := map[string]bool{}
	if t != nil {
		for _, f := range t.Files {
			for _, name := range sourceName.FindAllString(comment.ReplaceAllString(f, ""), -1) {
				names[name] = true
			}
		}
	}
	return command.Generic(message, func(word string) bool { return names[word] || mnemonics[strings.ToLower(word)] })
}

var (
	sourceName = regexp.MustCompile(`[.$\w]*\w`)
	comment    = regexp.MustCompile(`(?:;|//|#).*`)
)

// mnemonics are words that differ from message to message.
var mnemonics = func() map[string]bool {
	m := map[string]bool{}
	for i := range pica.Opcodes {
		m[pica.Opcodes[i].Name] = true
	}
	return m
}()

func firstByte(a, b []byte) string {
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] {
			return fmt.Sprintf("byte %#x", k)
		}
	}
	return fmt.Sprintf("%d and %d bytes", len(a), len(b))
}

// executed runs an entry point of model and output side by side and returns the first output
// that differs, "" if none does or the runs cannot be compared.
func executed(model *source.Meaning, entry int, s *pica.Shader, m *registers) string {
	if !m.identity() {
		return "" // an address register may reach a constant in another register
	}
	want := model.Shader(entry)
	for i, u := range want.Floats { // numbers that the output may round differently
		for _, v := range s.Floats {
			if v.Register == u.Register && len(v.Values) == len(u.Values) {
				want.Floats[i] = v
			}
		}
	}
	engine := oracle.New()
	var outcomes [2]pica.Outcome
	c := gen.From(gen.Seed(uint64(len(model.Code)), 1))
	inputs, floats := drawRegisters(c, pica.NumInputs), drawRegisters(c, pica.NumFloats)
	var ints [pica.NumInts][4]uint8
	for k := range ints {
		ints[k] = [4]uint8{uint8(c.Below(4)), uint8(c.Below(8)), uint8(c.Below(3))}
	}
	bools := uint16(c.Bits(16))
	for k, shader := range []*pica.Shader{&want, s} {
		job := shader.Job(pica.Profile{Name: "f24"})
		job.Floats = append([]pica.Upload{{Format: pica.Float24, Values: floats}}, job.Floats...)
		for n := range ints {
			if _, ok := shader.Ints[n]; !ok {
				job.Ints[n] = ints[n]
			}
		}
		for n := range pica.NumBools {
			if _, ok := shader.Bools[n]; !ok && bools>>n&1 == 1 {
				job.Bools |= 1 << n
			}
		}
		job.Budget, job.OutMask, job.InputFormat, job.Vertices = 20_000, 0xFFFF, pica.Float24, [][]pica.Vec4{inputs}
		if engine.Run(&job, &outcomes[k]) != nil || outcomes[0].Vertices[0].Trap.Cause != pica.TrapNone {
			return ""
		}
	}
	a, b := &outcomes[0].Vertices[0], &outcomes[1].Vertices[0]
	if a.Stacks.IfDepth > 0 {
		return "" // a break that was not the last word of an if left it open: NOPs decide that
	}
	if b.Trap.Cause != pica.TrapNone {
		return "traps: " + b.Trap.Cause.String()
	}
	for r := range a.O {
		for k := range a.O[r] {
			if x, y := a.O[r][k], b.O[r][k]; !sameNumber(x, y) {
				return fmt.Sprintf("o%d.%c is %s, not %s", r, "xyzw"[k], pica.Float24.Show(y), pica.Float24.Show(x))
			}
		}
	}
	if len(a.Primitives) != len(b.Primitives) {
		return fmt.Sprintf("%d primitives, not %d", len(b.Primitives), len(a.Primitives))
	}
	return ""
}

// sameNumber reports whether two numbers are equal. All NaNs are equal.
func sameNumber(a, b uint32) bool {
	return a == b || pica.Float24.Class(a) == pica.ClassNaN && pica.Float24.Class(b) == pica.ClassNaN
}

// drawRegisters draws numbers of moderate size, so that results stay finite.
func drawRegisters(c *gen.Choices, n int) []pica.Vec4 {
	list := make([]pica.Vec4, n)
	for i := range list {
		for k := range list[i] {
			list[i][k] = uint32(c.Bits(1))<<23 | uint32(60+c.Below(7))<<16 | uint32(c.Bits(16))
		}
	}
	return list
}
