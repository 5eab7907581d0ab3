package sequence_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/properties/sequence"
)

// TestCommands: drawn commands set the jobs that they always set, and are read as they are printed.
func TestCommands(t *testing.T) {
	const recorded = 150
	var text strings.Builder
	counts := map[string]int{}
	fresh := sequence.Fresh(impl.New)
	unit := sequence.New(func(job *pica.Job) (*pica.Outcome, error) {
		fmt.Fprintf(&text, "\truns %v of %d words, %d vertices, keep %v, ", job.Stage, len(job.Code), len(job.Vertices),
			job.Keep)
		fmt.Fprintf(&text, "initial %v, b %04x, i %v", job.Initial != nil, job.Bools, job.Ints)
		for _, u := range job.Floats {
			fmt.Fprintf(&text, ", c%d+%d %v", u.Register, len(u.Values), u.Format)
		}
		text.WriteByte('\n')
		return fresh(job)
	})
	c := gen.From(gen.Seed(1, 0))
	for n := range 600 {
		x := sequence.Draw(c)
		name, _, _ := strings.Cut(x.String(), " ")
		counts[name]++
		if n == recorded {
			golden.Text(t, "commands.txt", text.String())
		}
		fmt.Fprintln(&text, x)
		again, err := sequence.Parse(x.String())
		if err != nil || len(again) != 1 || again[0] != x {
			t.Fatalf("%v: got %v, %v", x, again, err)
		}
		if _, err := unit.Do(x); err != nil {
			t.Fatal(err)
		}
	}
	text.Reset()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&text, "%d %s\n", counts[name], name)
	}
	golden.Text(t, "counts.txt", text.String())
}

// TestParse: lists, and what is no command.
func TestParse(t *testing.T) {
	list, err := sequence.Parse(" [run keep; float 97 float32 4095; snapshot;]\n")
	if err != nil || fmt.Sprint(list) != "[run keep; float 97 float32 4095; snapshot;]" {
		t.Errorf("got %v, %v", list, err)
	}
	if list, err := sequence.Parse(" [] "); list != nil || err != nil {
		t.Errorf("nothing: got %v, %v", list, err)
	}
	for text, want := range map[string]string{
		"run keep; walk;":         `command 2: no command "walk"`,
		";":                       "command 1: nothing before a semicolon",
		"run;":                    "command 1: run takes 1 arguments",
		"snapshot 1;":             "command 1: snapshot takes 0 arguments",
		"run maybe;":              `command 1: run: "maybe" is out of range`,
		"float 98 raw24 0;":       `command 1: float: "98" is out of range`,
		"float -1 raw24 0;":       `command 1: float: "-1" is out of range`,
		"reset; word x 0; reset;": `command 2: word: strconv.Atoi: parsing "x": invalid syntax`,
	} {
		if list, err := sequence.Parse(text); list != nil || err == nil || err.Error() != want {
			t.Errorf("%s: got %v, %v, want %s", text, list, err, want)
		}
	}
}

// recorder is an engine that keeps the jobs that it runs.
type recorder struct {
	pica.Engine
	jobs *[]pica.Job
}

func (e recorder) Run(job *pica.Job, out *pica.Outcome) error {
	*e.jobs = append(*e.jobs, *job)
	return e.Engine.Run(job, out)
}

// commands reads commands.
func commands(t *testing.T, text string) []sequence.Command {
	t.Helper()
	list, err := sequence.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestFresh: new engines get one vertex each, the state that the vertex before left, and one upload for each
// row of registers in one number format.
func TestFresh(t *testing.T) {
	var jobs []pica.Job
	engines := 0
	unit := sequence.New(sequence.Fresh(func() pica.Engine {
		engines++
		return recorder{impl.New(), &jobs}
	}))
	for _, x := range commands(t, `program flow 3; vertex 0 7 16; float 4 raw24 1; float 3 raw24 2; float 5 float32 3;
		float 4 raw24 4; float 96 raw24 5; float 0 raw24 6; bools 5; run keep;
		run keep; reset; vertex 2 7 16; run alone; run keep; program geometry 1; run keep;
		run alone;`) {
		if _, err := unit.Do(x); err != nil {
			t.Fatal(err)
		}
	}
	var got strings.Builder
	var uploads []string
	for _, job := range jobs {
		fmt.Fprintln(&got, len(job.Vertices), "vertices", job.Keep, job.Initial != nil, fmt.Sprintf("%04x", job.Bools))
		uploads = uploads[:0]
		for _, u := range job.Floats {
			uploads = append(uploads, fmt.Sprintf("c%d+%d %v", u.Register, len(u.Values), u.Format))
		}
		if s := strings.Join(uploads, ", "); s != "c0+1 float24, c3+2 float24, c5+1 float32" {
			t.Errorf("got uploads %s", s)
		}
	}
	const want = `1 vertices false false 0005
1 vertices false true 0005
1 vertices false false 0005
1 vertices false false 0005
1 vertices false false 0005
1 vertices false false 0005
1 vertices false true 0005
1 vertices false true 0005
3 vertices true true 0005
1 vertices false true 8005
1 vertices false true 8005
1 vertices false true 8005
`
	if got.String() != want || engines != len(jobs) {
		t.Errorf("%d engines, got\n%s", engines, &got)
	}
}

// TestPlay: the first command at which a unit differs is named, and so is the unit.
func TestPlay(t *testing.T) {
	list := commands(t, "program mixed 1; vertex 0 1 16; run keep; bools 7; program long 2; run keep; run alone;")
	good := sequence.New(sequence.Held(impl.New()))
	if err := sequence.Play(list, good, sequence.New(sequence.Fresh(impl.New)), good); err != nil {
		t.Error(err)
	}
	runs := 0
	broken := sequence.New(func(job *pica.Job) (*pica.Outcome, error) {
		out := new(pica.Outcome)
		err := impl.New().Run(job, out)
		if runs++; runs > 1 {
			out.Vertices[0].AL++
		}
		return out, err
	})
	err := sequence.Play(list, good, sequence.New(sequence.Fresh(impl.New)), broken)
	const want = "command 6, run keep; unit 2: vertex 0: aL: address register: want 0, got 1"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	fails := sequence.New(func(*pica.Job) (*pica.Outcome, error) { return nil, pica.ErrInvalidJob })
	for _, units := range [][2]sequence.ShaderUnit{{fails, good}, {good, fails}} {
		if err := sequence.Play(list, units[0], units[1]); err == nil ||
			!strings.HasPrefix(err.Error(), "command 3, run keep;") {
			t.Errorf("got %v", err)
		}
	}
}
