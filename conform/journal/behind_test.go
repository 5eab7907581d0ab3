package journal_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/writer"
)

// process is a reader with two processes, which take turns.
type process struct {
	strange
	turn int
	read [2][]reader.Shown
}

func (p *process) Read(_ context.Context, format string, data []byte, _ time.Duration) (reader.Reply, error) {
	p.asked.Add(1)
	own := &p.read[p.turn%2]
	p.turn++
	r := reader.Reply{Outcome: reader.Accepted, Earlier: *own}
	*own = append(*own, reader.Shown{Format: format, Data: data})
	return r, nil
}

func (*process) Sequence(context.Context, []reader.Shown, time.Duration) (reader.Reply, error) {
	return reader.Reply{Outcome: reader.Refused, Message: "sequence"}, nil
}

func (*process) ReproduceSequence([]reader.Shown) string { return "" }

// sequential is what a verdict about processes asks.
type sequential interface {
	reader.Reader
	Sequence(ctx context.Context, list []reader.Shown, limit time.Duration) (reader.Reply, error)
	ReproduceSequence(list []reader.Shown) string
}

// TestEarlier: the files that a process had read before an answer come back, too, also after a
// second interruption.
func TestEarlier(t *testing.T) {
	const files = 9
	run := func(name string, from, to int, p *process) (earlier []string) {
		j := open(t, name)
		defer j.Close()
		r := journal.OfReader(j, p).(sequential)
		for i := range to {
			got, err := r.Read(t.Context(), "gsh", make([]byte, i%4), 0) // some files are equal
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, s := range got.Earlier {
				text += string(rune('0' + len(s.Data)))
			}
			earlier = append(earlier, text)
		}
		if got, err := r.Sequence(t.Context(), nil, 0); err != nil || got.Message != "sequence" {
			t.Errorf("got %+v, %v", got, err)
		}
		if n := int(p.asked.Load()); n != to-from {
			t.Errorf("%d asked, want %d", n, to-from)
		}
		return earlier
	}
	want := []string{"", "", "0", "1", "02", "13", "020", "131", "0202"}
	name := filepath.Join(t.TempDir(), "state")
	if got := run(name, 0, files, &process{}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := run(name, files, files, &process{}); !reflect.DeepEqual(got, want) {
		t.Errorf("again: got %q, want %q", got, want)
	}
	name = filepath.Join(t.TempDir(), "state")
	run(name, 0, 3, &process{})
	run(name, 3, 6, &process{}) // new processes
	want = []string{"", "", "0", "", "", "3"}
	if got := run(name, 6, 6, &process{}); !reflect.DeepEqual(got, want) {
		t.Errorf("after two interruptions: got %q, want %q", got, want)
	}
}

// assembler is a tool with one answer.
type assembler struct {
	writer.Func
	answer writer.Answer
	asked  int
}

func (a *assembler) Assemble(context.Context, *writer.Text) (writer.Answer, error) {
	a.asked++
	return a.answer, nil
}

// TestWriters: a tool is asked once for each question.
func TestWriters(t *testing.T) {
	want := writer.Answer{Fate: writer.Refused, Data: []byte{0, 0xFF}, Message: "\xFF", Stderr: "more",
		Damage: &writer.Damage{Fault: "SIGSEGV", Text: &writer.Text{Files: []string{"a"}},
			Earlier: []*writer.Text{{Files: []string{"b", "c"}, Entry: "main", Geometry: true}}}}
	name := filepath.Join(t.TempDir(), "state")
	for asked := range 2 {
		j := open(t, name)
		tool := &assembler{answer: want}
		if asked == 1 {
			tool.answer = writer.Answer{}
		}
		for _, text := range []*writer.Text{{Files: []string{"ab"}}, {Files: []string{"a", "b"}},
			{Files: []string{"ab"}, Geometry: true}, {Files: []string{"ab"}, Entry: "main"}} {
			if got, err := journal.OfTool(j, tool).Assemble(t.Context(), text); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v: got %+v, %v, want %+v", text, got, err, want)
			}
		}
		if want := 4 * (1 - asked); tool.asked != want {
			t.Errorf("run %d: %d asked, want %d", asked, tool.asked, want)
		}
		j.Close()
	}
}
