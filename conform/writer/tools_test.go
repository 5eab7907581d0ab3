package writer_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/long"
)

// text returns the sources of a program as one text.
func text(t *source.Text) string { return strings.Join(t.Files, "\n") }

// refusing is an assembler that refuses the sources for which refuse returns a message.
func refusing(refuse func(text string) string) writer.Func {
	return func(t *source.Text) ([]byte, error) {
		if message := refuse(text(t)); message != "" {
			return nil, errors.New(message)
		}
		return (&planted{}).assemble(t)
	}
}

// dying is an assembler that crashes on the sources for which fault returns a name.
type dying struct {
	writer.Func
	fault func(text string) string
}

// Assemble implements writer.Tool.
func (d dying) Assemble(ctx context.Context, t *source.Text) (writer.Answer, error) {
	if f := d.fault(text(t)); f != "" {
		return writer.Answer{Fate: writer.Crashed, Fault: f, Message: f}, nil
	}
	return d.Func.Assemble(ctx, t)
}

var (
	oddInput  = regexp.MustCompile(`(?m)^\.in \w+ r0`)
	emptyMain = regexp.MustCompile(`(?m)^\.proc main\n\.end`)
)

// crashes returns a function for dying with two faults.
func crashes(input, empty string) func(text string) string {
	return func(text string) string {
		switch {
		case oddInput.MatchString(text):
			return input
		case emptyMain.MatchString(text):
			return empty
		}
		return ""
	}
}

// verdict is what a run says about a tool besides the known defects of the dialect's own assembler.
type verdict struct {
	name     string
	tool     writer.Tool
	untested []string // in their order; "..." stands for some
	causes   []string // sorted
	notes    []string
	err      error    // in the place of a report
	warnings []string // the rules that files break without a change of their meaning
}

// verdicts are tools that are judged in a few programs.
var verdicts = []verdict{
	{name: "right", tool: writer.Func((&planted{}).assemble)},
	{name: "one form missing", tool: refusing(func(text string) string {
		if strings.Contains(text, ".gsh") {
			return "unknown directive"
		}
		return ""
	}), causes: []string{"refuses valid: refused: unknown directive"},
		untested: []string{"known defect: 4097 words", "known defect: setemit flag without a comma",
			"known defect: unknown setemit flag", "known defect: variable mode of no vertices",
			"known defect: fixed mode of no vertices", "geometry mode twice", "geometry after an output",
			"geometry uniforms in a temporary", "fixed mode that overlaps its uniforms",
			"variable mode of 256 vertices", "geometry after a constant", "unknown geometry mode"}},
	{name: "another conversion of NaN", tool: writer.Func(func(t *source.Text) ([]byte, error) {
		var x planted
		if strings.Contains(text(t), "(nan,") {
			x.file = floats(func(uint32) uint32 { return 0xBF8000 }) // -1.5
		}
		return x.assemble(t)
	}), causes: []string{"wrong constants: number (the source of a known defect)"}},
	{name: "masks are zero, flags of descriptors are set", tool: writer.Func((&planted{file: func(f *shbin.File) {
		for k := range f.DVLP.Descriptors {
			f.DVLP.Descriptors[k].Flags = 3 // an information alone
		}
		for e := range f.DVLEs {
			f.DVLEs[e].OutputMask, f.DVLEs[e].InputMask = 0, 0
		}
	}}).assemble), warnings: []string{"DVLE011", "DVLE012"}},
	{name: "a boolean of two", tool: writer.Func((&planted{file: func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				if c := &f.DVLEs[e].Constants[k]; c.Type == shbin.Bool {
					c.Payload[0] *= 2
				}
			}
		}
	}}).assemble), causes: []string{"wrong constants: boolean"}},
	{name: "two crashes with stacks", tool: dying{(&planted{}).assemble, crashes("overflow in a", "overflow in b")},
		causes: []string{"crash: mistake: overflow in a", "crash: overflow in b (the source of a known defect)"}},
	{name: "two crashes without stacks", tool: dying{(&planted{}).assemble, crashes("SIGSEGV", "SIGSEGV")},
		causes: []string{"crash: SIGSEGV (.end .proc)", "crash: SIGSEGV (.in)"}},
	{name: "one crash, in programs and mistakes", tool: dying{(&planted{}).assemble, func(text string) string {
		if strings.Contains(text, ".constfa") {
			return "SIGSEGV"
		}
		return ""
	}}, causes: []string{"crash: SIGSEGV (.constfa)"},
		untested: []string{"array of constants without a row", "array of constants with a row too many",
			"array of no constants", "row without its parenthesis"}},
	{name: "crashes on a right source that no program is like", tool: dying{(&planted{}).assemble,
		func(text string) string {
			if strings.Contains(text, ".seti i3(1, 2, 3, 4)") {
				return "overflow in c"
			}
			return ""
		}}, causes: []string{"crash: overflow in c (a control)"},
		untested: []string{"constant of an integer register above i3"}},
	{name: "crashes in the place of refusals", tool: aborts{}, causes: []string{"crash: mistake: SIGABRT"}},
	{name: "refuses all", tool: refusing(func(string) string { return "no" }), err: writer.ErrAcceptsNothing},
	{name: "accepts all", tool: writer.Func((&planted{unrefused: true}).assemble),
		causes: []string{"accepts invalid: mistake: no source is refused"}},
	{name: "needs an output", tool: refusing(func(text string) string {
		if !outputLine.MatchString(text) {
			return "no DVLEs can be generated"
		}
		return ""
	}), notes: []string{"sources are printed for picasso 2.7; each has .out: the tool refuses others"}},
	{name: "needs an entry", tool: refusing(func(text string) string {
		if !strings.Contains(text, ".entry") || !outputLine.MatchString(text) {
			return "no entry"
		}
		return ""
	}), notes: []string{"sources are printed for picasso 2.7; each has .out and .entry: the tool refuses others"}},
	{name: "refuses a call in a loop", tool: refusing(func(text string) string {
		if loopedCall.MatchString(text) {
			return "too deep"
		}
		return ""
	}), causes: []string{"refuses valid: refused: too deep"}},
	{name: "one register for all constants", tool: writer.Func(func(t *source.Text) ([]byte, error) {
		return (&planted{file: oneRegister(t.Files[0])}).assemble(t)
	}), causes: []string{"wrong constants: several in one register (DVLE036)"}},
	{name: "not deterministic", tool: writer.Func((&planted{file: func(f *shbin.File) {
		f.DVLEs[0].Version = uint16(runs.Add(1) % 2)
	}}).assemble), causes: []string{"not deterministic: two runs, two results"}},
	{name: "no place for geometry programs", tool: vertexOnly{(&planted{}).assemble},
		untested: []string{"known defect: 4097 words", "known defect: setemit flag without a comma",
			"known defect: unknown setemit flag"}},
	{name: "writes nothing", tool: noFile{}, causes: []string{"invalid file: no file"}, untested: []string{"..."}},
	{name: "warns only", tool: warner{(&planted{}).assemble},
		causes: []string{"accepts invalid: mistake: no source is refused",
			"refuses valid: refused: no message"}},
	{name: "writes the file of the source before", tool: new(late),
		causes: []string{"not deterministic: two runs, two results"}},
	{name: "hangs on everything", tool: stuck{}, causes: []string{"hang: no end"}, untested: []string{"..."}},
	{name: "crashes on everything", tool: dying{fault: func(string) string { return "SIGSEGV" }},
		causes: []string{"crash: SIGSEGV (an empty source)"}, untested: []string{"..."}},
}

// loopedCall is a call in a loop.
var loopedCall = regexp.MustCompile(`(?m)^\s*for .*\n(?:\s*nop.*\n)*\s*call`)

// late is an assembler that writes the file of the source before.
type late struct {
	writer.Func
	mu   sync.Mutex
	last []byte
}

// Assemble implements writer.Tool.
func (l *late) Assemble(_ context.Context, t *source.Text) (a writer.Answer, err error) {
	data, err := (&planted{}).assemble(t)
	if err != nil {
		return writer.Answer{Fate: writer.Refused, Message: err.Error()}, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		l.last = data
	}
	a.Data, l.last = l.last, data
	return a, nil
}

// vertexOnly is an assembler whose command line has no place for the option of geometry programs.
type vertexOnly struct{ writer.Func }

// Lacks implements writer.Tool.
func (vertexOnly) Lacks(t *source.Text) string {
	if t.Geometry {
		return "no place for the option"
	}
	return ""
}

// stuck is an assembler that never ends.
type stuck struct{ writer.Func }

// Assemble implements writer.Tool.
func (stuck) Assemble(context.Context, *source.Text) (writer.Answer, error) {
	return writer.Answer{Fate: writer.Hung}, nil
}

// aborts is an assembler that dies where it should refuse.
type aborts struct{ writer.Func }

// Assemble implements writer.Tool.
func (aborts) Assemble(_ context.Context, t *source.Text) (a writer.Answer, err error) {
	if a.Data, err = (&planted{}).assemble(t); err != nil {
		return writer.Answer{Fate: writer.Crashed, Fault: "SIGABRT", Message: "SIGABRT"}, nil
	}
	return a, nil
}

// TestVerdicts: the causes of a tool, and what was not tested, by name.
func TestVerdicts(t *testing.T) {
	for _, x := range long.Items(t, verdicts, long.Few((len(verdicts)+1)/2, 4)) {
		r, err := writer.Run(t.Context(), x.tool, writer.Options{Seed: 1, Cases: 60, Tries: 100})
		if !errors.Is(err, x.err) {
			t.Errorf("%s: got %v, want %v", x.name, err, x.err)
		}
		if r == nil {
			continue
		}
		if !slices.Equal(r.Notes, x.notes) {
			t.Errorf("%s: notes: got %q, want %q", x.name, r.Notes, x.notes)
		}
		var causes, untested, warned []string
		for _, d := range r.Deviations {
			if !strings.HasPrefix(d.Bucket, "known defect: ") {
				causes = append(causes, string(d.Verdict)+": "+d.Bucket)
			}
		}
		for _, u := range r.NotTested {
			untested = append(untested, u.Name)
		}
		for _, table := range r.Tables {
			for _, row := range table.Rows {
				if table.Title == "Warnings that change nothing" {
					warned = append(warned, row[0])
				}
			}
		}
		if !slices.Equal(warned, x.warnings) {
			t.Errorf("%s: warnings: got %q, want %q", x.name, warned, x.warnings)
		}
		slices.Sort(causes)
		if !slices.Equal(causes, x.causes) {
			t.Errorf("%s: causes: got %q, want %q", x.name, causes, x.causes)
		}
		if slices.Equal(x.untested, []string{"..."}) && len(untested) > 0 {
			continue
		}
		if !slices.Equal(untested, x.untested) {
			t.Errorf("%s: not tested: got %d %q, want %q", x.name, len(untested), untested, x.untested)
		}
	}
}
