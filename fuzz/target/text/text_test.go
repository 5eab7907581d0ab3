// Package text_test asks of the text forms: does a printed value read back as the same value?
package text_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/properties/sequence"
)

// maxInput keeps inputs small: go test minimises a failing input in time quadratic in its
// length.
const maxInput = 256

// forms read a text and print the value; ok is false if the text is not of the form.
var forms = []func(text []byte) (printed []byte, ok bool){
	func(text []byte) ([]byte, bool) {
		v, known, err := corpus.ParseVector(text)
		if err != nil || !known {
			return nil, false
		}
		printed, err := v.AppendText(nil)
		return printed, err == nil
	},
	func(text []byte) ([]byte, bool) {
		p, known, err := corpus.ParseProgram(text)
		if err != nil || !known {
			return nil, false
		}
		printed, err := p.AppendText(nil)
		return printed, err == nil
	},
	func(text []byte) ([]byte, bool) {
		p, err := profile.Parse(string(text))
		return []byte(profile.String(p)), err == nil
	},
	func(text []byte) ([]byte, bool) {
		job, err := pica.ParseJob(text,
			func(name string) (pica.Profile, error) { return profile.Parse(cmp.Or(name, "f24")) })
		if err != nil {
			return nil, false
		}
		printed, err := json.Marshal(job)
		return printed, err == nil
	},
	func(text []byte) (printed []byte, ok bool) {
		list, err := sequence.Parse(string(text))
		for _, x := range list {
			printed = append(printed, x.String()...)
		}
		return printed, err == nil
	},
}

// seeds returns texts of each form.
func seeds(f *testing.F) (texts [][][]byte) {
	vectors, err := corpus.Vectors("shbin")
	if err != nil {
		f.Fatal(err)
	}
	texts = make([][][]byte, len(forms))
	add := func(form int, text []byte, err error) {
		if err != nil {
			f.Fatal(err)
		}
		if len(text) <= maxInput {
			texts[form] = append(texts[form], text)
		}
	}
	for _, v := range vectors {
		text, err := v.AppendText(nil)
		add(0, text, err)
	}
	program, err := corpus.Program{
		Entries: []string{"R01"}, Symptom: "a", Provenance: corpus.Derived, Source: "b", Tolerance: "rel 2^-11",
		Hazards: []string{"no-end"},
		Expect: []corpus.Expectation{{Verdict: corpus.Pass, Profiles: []string{"f24", "hw"},
			Outputs: map[string][]string{"o0": {"3f0000"}}}},
		Job: []byte(`{"code":"88000000"}`), Want: []byte(`{"o0":[1,null,"nan",0]}`),
	}.AppendText(nil)
	add(1, program, err)
	for _, job := range []string{
		`{"code":"4c00000088000000","desc":"0d86c36f","entry":1,"stage":"gs","outmask":3,` +
			`"i":["01020304"],"b":5,"keep":true,"budget":9}`,
		`{"code":"88000000","f32":{"0":"3f800000000000000000000000000000"},` +
			`"in":["3f800000000000000000000000000000",""],"profile":"hw"}`,
		`{"code":"","f24":{"95":"3f0000000000000000000000"},"in_f24":["3f0000000000000000000000"],` +
			`"profile":"f32,round=rne"}`,
	} {
		add(3, []byte(job), nil)
	}
	for _, name := range append(profile.Names(), "hw,round=rne,op.dst=skip", "f24, op.reserved=skip") {
		add(2, []byte(name), nil)
	}
	for n := range uint64(8) {
		c := gen.From(gen.Seed(1, n))
		var text []byte
		for range 8 {
			text = append(text, sequence.Draw(c).String()...)
		}
		add(4, text, nil)
	}
	return texts
}

// FuzzText reads a text in the form that the first byte names, prints it, and does the same with the printed
// text.
func FuzzText(f *testing.F) {
	for form, texts := range seeds(f) {
		if len(texts) == 0 {
			f.Fatalf("no seeds for form %d", form)
		}
		for _, text := range texts {
			if _, ok := forms[form](text); !ok {
				f.Fatalf("form %d: %q is refused", form, text)
			}
			f.Add(append([]byte{byte(form)}, text...))
		}
	}
	f.Add([]byte("\x01format: pica\n\n{}")) // has no job, and was read
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 || len(input) > 1+maxInput {
			return
		}
		through, text := forms[int(input[0])%len(forms)], input[1:]
		once, ok := through(text)
		if !ok {
			return
		}
		if twice, ok := through(once); !ok || !bytes.Equal(once, twice) {
			t.Fatalf("printed\n%q\nand read %t, printed\n%q", once, ok, twice)
		}
	})
}
