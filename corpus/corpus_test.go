package corpus_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
)

// recorder replaces *testing.F.
type recorder struct {
	added [][]byte
	fatal string
}

func (*recorder) Helper()                     {}
func (r *recorder) Add(args ...any)           { r.added = append(r.added, args[0].([]byte)) }
func (r *recorder) Fatalf(f string, a ...any) { r.fatal = fmt.Sprintf(f, a...) }

func TestSeedsAddsEveryVector(t *testing.T) {
	vectors, err := corpus.Vectors("shbin")
	if err != nil {
		t.Fatal(err)
	}
	var r recorder
	corpus.Seeds(&r, "shbin")
	if r.fatal != "" || len(r.added) != len(vectors) || len(r.added) == 0 {
		t.Fatalf("got %d seeds, %q; want %d", len(r.added), r.fatal, len(vectors))
	}
	for i, v := range vectors {
		if !bytes.Equal(r.added[i], v.Data) {
			t.Errorf("seed %d is not %s", i, v.Name)
		}
	}
}

func TestSeedsFailsWhenThereAreNone(t *testing.T) {
	var r recorder
	corpus.Seeds(&r, "no-such-format")
	if !strings.Contains(r.fatal, "no-such-format") || len(r.added) != 0 {
		t.Errorf("got %q and %d seeds", r.fatal, len(r.added))
	}
}

func TestVectorText(t *testing.T) {
	for _, want := range []corpus.Vector{
		{Format: "shbin", Expect: corpus.OK, Comment: "any", Data: []byte("\n\x00payload: x\n")},
		{Format: "shbin", Expect: corpus.Malformed, Rule: "DVLE007", Offset: 0x48, Source: "a, b: c", Comment: "x",
			Data: []byte{}},
		{Format: "shbin", Expect: corpus.OK, Rule: "DVLE007", NearMiss: true, Offset: 1, Comment: "x", Data: []byte{0}},
	} {
		b, err := want.AppendText(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, known, err := corpus.ParseVector(b)
		if err != nil || !known || !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v %t %v\nwant %+v", got, known, err, want)
		}
	}
	if _, known, err := corpus.ParseVector([]byte("format: shbin\nfuture: x\n\n")); known || err != nil {
		t.Errorf("an unknown key: got known %t, %v", known, err)
	}
	for _, bad := range []string{"", "format: x", "format: x\n", "format\n\n", "offset: x\n\n",
		"offset: 0x100000000\n\n"} {
		if _, _, err := corpus.ParseVector([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestProgramText(t *testing.T) {
	list, err := corpus.Programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range list {
		b, err := want.AppendText(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, known, err := corpus.ParseProgram(b)
		got.Name = want.Name
		if err != nil || !known || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v %t %v, want %+v", want.Name, got, known, err, want)
		}
	}
	if _, known, err := corpus.ParseProgram([]byte("format: pica\nfuture: x\n\n{}")); known || err != nil {
		t.Errorf("an unknown key: got known %t, %v", known, err)
	}
	for _, bad := range []string{
		"", "format: pica\n", "format: shbin\n\n{}", "expect: pass\n\n{}", "expect: pass: \n\n{}", "format: pica\n\n{", `format: pica

{"outputs": {"f24": {}}}`,
	} {
		if _, _, err := corpus.ParseProgram([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
