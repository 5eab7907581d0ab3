package journal_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/conform/reader"
)

var options = map[string]string{"--seed": "1", "--exec": "tool {in}"}

func open(t *testing.T, name string) *journal.Journal {
	t.Helper()
	j, err := journal.Open(name, options)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// strange is a reader whose answers depend on the file alone, and need care in JSON.
type strange struct{ asked atomic.Int64 }

func (*strange) Shared() bool                    { return true }
func (*strange) Reproduce(string, []byte) string { return "" }

func (s *strange) Read(_ context.Context, _ string, data []byte, _ time.Duration) (reader.Reply, error) {
	s.asked.Add(1)
	switch {
	case len(data) < 40:
		return reader.Reply{Outcome: reader.Refused, Message: "\xFFshort\x00\u2028"}, nil
	case data[len(data)/2]%16 == 3:
		return reader.Reply{Outcome: reader.Crashed, Fault: "SIGSEGV", Stderr: "\xC0\xAF"}, nil
	}
	return reader.Reply{Outcome: reader.Accepted, Rewritten: data, Model: json.RawMessage(`{"a": null}`)}, nil
}

func (s *strange) Measure(ctx context.Context, f string, data []byte, l time.Duration) (reader.Reply, error) {
	return s.Read(ctx, f, data, l)
}

// TestResume: wherever a run is cut off, the next one asks only the rest, and its report is that of
// an uninterrupted run.
func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	run := func(name string) (report string, asked int) {
		j := open(t, name)
		defer j.Close()
		s := &strange{}
		r, err := reader.Run(t.Context(), journal.OfReader(j, s),
			reader.Options{Formats: []string{"csdr"}, Seed: 1, Repeats: 1, Cases: 2, NoCost: true, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b), int(s.asked.Load())
	}
	want, all := run(name)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	sizes := []int{rng.IntN(len(whole)), 1, len(whole) - 1, len(whole)}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		cut := filepath.Join(t.TempDir(), "state")
		if err := os.WriteFile(cut, whole[:size], 0o666); err != nil {
			t.Fatal(err)
		}
		got, asked := run(cut)
		stored := max(strings.Count(string(whole[:size]), "\n")-1, 0)
		if got != want || asked != all-stored {
			t.Errorf("seed %d, cut at %d: %d of %d asked, %d stored, the same report: %v", seed, size, asked, all, stored,
				got == want)
		}
	}
}

// answers is a reader with given answers, which are used up in turn.
type answers struct {
	strange
	replies []reader.Reply
}

func (a *answers) Read(context.Context, string, []byte, time.Duration) (r reader.Reply, err error) {
	if len(a.replies) == 0 {
		return r, errAsked
	}
	r, a.replies = a.replies[0], a.replies[1:]
	return r, nil
}

var errAsked = errors.New("asked")

// TestSameAnswers: an answer comes back as it was, with every field, and equal questions have their
// answers in turn.
func TestSameAnswers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	var full reader.Reply
	filled(t, reflect.ValueOf(&full).Elem())
	full.Earlier, full.Outcome = nil, reader.Refused
	want := []reader.Reply{{Outcome: reader.Accepted}, full,
		{Outcome: reader.Accepted, Model: json.RawMessage("null"), Rewritten: []byte{}},
		{Outcome: reader.Hung, Message: "\xFF", Memory: 1 << 60}}
	j := open(t, name)
	r := journal.OfReader(j, &answers{replies: append([]reader.Reply{}, want...)})
	for range want {
		if _, err := r.Read(t.Context(), "gsh", []byte("file"), 0); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	j = open(t, name)
	defer j.Close()
	r = journal.OfReader(j, &answers{})
	for i, w := range want {
		if got, err := r.Read(t.Context(), "gsh", []byte("file"), 0); err != nil || !reflect.DeepEqual(got, w) {
			t.Errorf("answer %d: got %+v, %v, want %+v", i, got, err, w)
		}
	}
	for _, question := range [][2]string{{"gsh", "file"}, {"gs", "hfile"}} {
		if got, err := r.Read(t.Context(), question[0], []byte(question[1]), 0); err != errAsked {
			t.Errorf("%q: got %+v, %v, want to be asked", question, got, err)
		}
	}
}

// filled sets every field of a struct.
func filled(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.String:
			f.SetString("text of " + v.Type().Field(i).Name)
		case f.CanInt():
			f.SetInt(int64(i) + 1)
		case f.CanUint():
			f.SetUint(uint64(i) + 1)
		case f.Type() == reflect.TypeFor[json.RawMessage]():
			f.SetBytes([]byte(`{"field": 1}`))
		case f.Type() == reflect.TypeFor[[]byte]():
			f.SetBytes([]byte{byte(i), 0xFF})
		case v.Type().Field(i).Name == "Earlier": // see TestEarlier
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		default:
			t.Fatalf("the field %s of %s has a new type", v.Type().Field(i).Name, v.Type())
		}
	}
}

// TestNotStored: what a signal to all processes may have caused is asked again.
func TestNotStored(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	j := open(t, name)
	r := journal.OfReader(j, &answers{replies: []reader.Reply{{Outcome: reader.Crashed, Fault: "SIGTERM"}, {},
		{Outcome: reader.Accepted}}})
	ended, end := context.WithCancel(t.Context())
	end()
	for i, ctx := range []context.Context{t.Context(), ended, t.Context()} {
		if _, err := r.Read(ctx, "gsh", []byte{byte(i)}, 0); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	j = open(t, name)
	defer j.Close()
	r = journal.OfReader(j, &answers{})
	for i, want := range []error{errAsked, errAsked, nil} {
		if _, err := r.Read(t.Context(), "gsh", []byte{byte(i)}, 0); err != want {
			t.Errorf("question %d: got %v, want %v", i, err, want)
		}
	}
}

// TestRefused: a file that no run has written, and the journal of another run.
func TestRefused(t *testing.T) {
	const header = `{"picaproof_journal":1,"options":{"--exec":"tool {in}","--seed":"1"}}` + "\n"
	hash := strings.Repeat("ab", 32)
	for _, c := range []struct {
		text string
		want error
		says string
	}{
		{"\n", journal.ErrJournal, "line 1"},
		{"my notes", journal.ErrJournal, `line 1: not a journal of answers: it begins with "my notes"`},
		{strings.Repeat("[1,", 1<<20), journal.ErrJournal, "line 1"},
		{"[]\n", journal.ErrJournal, "line 1"},
		{`{"picaproof_journal":2,"options":{}}` + "\n", journal.ErrJournal, "picaproof_journal is 2, want 1"},
		{strings.Replace(header, `"1"`, `"7"`, 1), journal.ErrOther, `line 1: the journal of another run: --seed was "7", is "1"`},
		{strings.Replace(header, `,"--seed":"1"`, "", 1), journal.ErrOther, `--seed was "", is "1"`},
		{header + "null\n", journal.ErrJournal, "line 2"},
		{header + "{}\n", journal.ErrJournal, `q is ""`},
		{header + `{"q":"../../x","a":{}}` + "\n", journal.ErrJournal, `q is "../../x"`},
		{header + `{"q":"` + hash + `","a":null}` + "\n", journal.ErrJournal, "a is no object"},
		{header + `{"q":"` + hash + `","n":-1,"a":{}}` + "\n", journal.ErrJournal, "n is -1"},
		{header + `{"q":"` + hash + `","n":18446744073709551615,"a":{}}` + "\n", journal.ErrJournal, "line 2"},
		{header + `{"q":"` + hash + `","a":{},"more":1}` + "\n", journal.ErrJournal, "more"},
		{header + `{"q":"` + hash + `","a":{}}{}` + "\n", journal.ErrJournal, "more than one value"},
		{header + `{"q":"` + hash + `","a":` + strings.Repeat(`{"a":`, 20_000) + "\n", journal.ErrJournal, "line 2"},
		{header + `{"q":"` + hash + `","a":{},"behind":{"after":"` + hash + `.0"}}` + "\n", journal.ErrJournal, "after itself"},
	} {
		name := filepath.Join(t.TempDir(), "state")
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		j, err := journal.Open(name, options)
		if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.200s: got %v, want %v with %q", c.text, err, c.want, c.says)
		}
		if err == nil {
			j.Close()
		}
		if b, err := os.ReadFile(name); err != nil || string(b) != c.text {
			t.Errorf("%.200s: the file has changed: %v", c.text, err)
		}
	}
	if _, err := journal.Open(t.TempDir(), options); !errors.Is(err, journal.ErrJournal) {
		t.Errorf("a folder: got %v", err)
	}
}

// TestBadReply: a stored reply that no reader gives is an error, which names the field.
func TestBadReply(t *testing.T) {
	const good = `{"Outcome":"accepted","Message":"","Fault":"","Stderr":"","CPU":1,"Memory":1,"Rewritten":null,` +
		`"Model":null,"NotRewritten":"","Misdeed":"","Earlier":null}`
	for says, change := range map[string][2]string{
		"Outcome is": {"accepted", ".."}, "no Outcome": {`"Outcome":"accepted",`, ""}, "CPU is": {`"CPU":1`, `"CPU":-1`},
		"CPU is 9": {`"CPU":1`, `"CPU":9223372036854775807`}, "Memory is": {`"Memory":1`, `"Memory":-1`},
		"asked": {"", ""},
	} {
		name := filepath.Join(t.TempDir(), "state")
		j := open(t, name)
		r := journal.OfReader(j, &answers{replies: []reader.Reply{{Outcome: reader.Accepted, CPU: 1, Memory: 1}}})
		if _, err := r.Read(t.Context(), "gsh", nil, 0); err != nil {
			t.Fatal(err)
		}
		j.Close()
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), good) {
			t.Fatalf("stored: %s, %v", text, err)
		}
		bad := strings.Replace(string(text), good, strings.Replace(good, change[0], change[1], 1), 1)
		if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		j = open(t, name)
		r = journal.OfReader(j, &answers{})
		_, err = r.Read(t.Context(), "gsh", nil, 0)
		if says != "asked" && (!errors.Is(err, journal.ErrJournal) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: got %v", says, err)
		}
		if says == "asked" && err != nil {
			t.Errorf("the reply itself: %v", err)
		}
		j.Close()
	}
}

// TestLeftOver: nobody else opens a journal that is open, and a run that ends leaves the journal alone.
func TestLeftOver(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	j := open(t, name)
	if _, err := journal.Open(name, options); !errors.Is(err, journal.ErrRunning) {
		t.Errorf("got %v, want %v", err, journal.ErrRunning)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(name, nil); !errors.Is(err, journal.ErrOther) {
		t.Errorf("got %v, want %v", err, journal.ErrOther)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 || entries[0].Name() != "state" {
		t.Errorf("got %v, %v, want the journal alone", entries, err)
	}
}

// TestBadAnswer: an answer that is no answer of a reader is an error when it is used.
func TestBadAnswer(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	j := open(t, name)
	r := journal.OfReader(j, &answers{replies: []reader.Reply{{}}})
	if _, err := r.Read(t.Context(), "gsh", nil, 0); err != nil {
		t.Fatal(err)
	}
	j.Close()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(b), `"CPU":0`, `"CPU":"x"`, 1)
	if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
		t.Fatal(err)
	}
	j = open(t, name)
	defer j.Close()
	if _, err := journal.OfReader(j, &answers{}).Read(t.Context(), "gsh", nil, 0); !errors.Is(err, journal.ErrJournal) {
		t.Errorf("got %v, want %v", err, journal.ErrJournal)
	}
}
