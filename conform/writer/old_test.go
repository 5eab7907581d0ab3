package writer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// oneRegister gives all named constants of a class the register of the first one, in the table and in the
// code. Named constants have the registers from the last one down.
func oneRegister(text string) func(f *shbin.File) {
	floats, ints := len(floatLine.FindAllString(text, -1)), len(intLine.FindAllString(text, -1))
	float := func(n uint8) uint8 { return top(n, pica.NumFloats, floats) }
	integer := func(n uint8) uint8 { return top(n, pica.NumInts, ints) }
	return func(f *shbin.File) {
		for e := range f.DVLEs {
			for k := range f.DVLEs[e].Constants {
				switch c := &f.DVLEs[e].Constants[k]; c.Type {
				case shbin.Float:
					c.Register = float(c.Register)
				case shbin.Int:
					c.Register = integer(c.Register)
				}
			}
		}
		words(func(_ *shbin.File, i *decode.Inst) {
			if i.Op == pica.LOOP {
				i.Int = integer(i.Int)
			}
			for k := range pica.Opcodes[i.Op].Sources {
				if i.Src[k] >= pica.SourceUniform {
					i.Src[k] = float(i.Src[k]-pica.SourceUniform) + pica.SourceUniform
				}
			}
		})(f)
	}
}

// top returns the last register of a bank for the named ones at its end.
func top(n uint8, size, named int) uint8 {
	if int(n) >= size-named {
		return uint8(size - 1)
	}
	return n
}

var (
	floatLine  = regexp.MustCompile(`(?m)^\s*\.constf\b`)
	intLine    = regexp.MustCompile(`(?m)^\s*\.consti\b`)
	outputLine = regexp.MustCompile(`(?m)^\s*\.out\b`)
	twoInputs  = regexp.MustCompile(`(?m)^(\s*add \w+, v0), v1`)
)

// old20 is a model of picasso 2.0 on top of our own assembler.
func old20(t *source.Text) ([]byte, error) {
	d := &source.Picasso
	frame := slices.IndexFunc(d.Frames, func(f source.Frame) bool { return f.Name == "2.0" })
	in := d.In(&d.Frames[frame])
	for k := range d.Forms {
		f := &d.Forms[k]
		if !slices.ContainsFunc(in.Forms, func(x source.Form) bool { return x.Name == f.Name }) && f.In(t) {
			return nil, fmt.Errorf("in:1: unknown: %s", f.Name)
		}
	}
	if !outputLine.MatchString(t.Files[0]) {
		return nil, errors.New("no DVLEs can be generated")
	}
	x := planted{noPadding: true, source: func(text string) (string, error) {
		return twoInputs.ReplaceAllString(text, "$1, r1"), nil
	}, file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].OutputMask = 0
		}
		oneRegister(t.Files[0])(f)
	}}
	return x.assemble(t)
}

// oldUntested are the checks that say nothing about picasso 2.0, which lacks .in, .constfa, modes of .gsh,
// a0.x, mova and outputs in registers that the source names.
var oldUntested = []string{
	"known defect: outputs o8 to o15 collide with o0 to o7", "known defect: empty program",
	"known defect: variable mode of no vertices", "known defect: fixed mode of no vertices",
	"unknown index", "destination of mova", "too many inputs", "array of constants without a row",
	"array of constants with a row too many", "array of no constants", "row without its parenthesis",
	"letters behind the semantic and the register", "semantic of o7", "component with two outputs",
	"input above v15", "input in a temporary", "geometry mode twice", "geometry after an output",
	"geometry uniforms in a temporary", "fixed mode that overlaps its uniforms",
	"variable mode of 256 vertices", "geometry after a constant", "unknown geometry mode",
}

// TestOldPicasso: picasso 2.0 is found out by its defects, and nothing else, although it refuses every
// source without an output.
func TestOldPicasso(t *testing.T) {
	r, err := writer.Run(t.Context(), writer.Func(old20), writer.Options{Seed: 1, Cases: cases(400)})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	var causes, untested []string
	for _, d := range r.Deviations {
		if shown[d.Bucket] = true; !strings.HasPrefix(d.Bucket, "known defect: ") {
			causes = append(causes, string(d.Verdict)+": "+d.Bucket)
		}
	}
	for _, u := range r.NotTested {
		untested = append(untested, u.Name)
	}
	want := []string{"wrong constants: several in one register (DVLE036)",
		"accepts invalid: mistake: two input registers"}
	if !slices.Equal(causes, want) {
		t.Errorf("causes: got %q, want %q", causes, want)
	}
	if !slices.Equal(untested, oldUntested) {
		t.Errorf("not tested: got %q, want %q", untested, oldUntested)
	}
	for _, name := range []string{"input register as a destination", "text behind a register", "negated destination",
		"offset past the bank", "subnormal constant"} {
		if !shown["known defect: "+name] {
			t.Errorf("the known defect %q does not show", name)
		}
	}
	const note = "sources are printed for picasso 2.0; each has .out: the tool refuses others"
	if !slices.Equal(r.Notes, []string{note}) {
		t.Errorf("notes: got %q, want %q", r.Notes, note)
	}
	for _, s := range r.Suites {
		run := s.Equal + s.Differ + s.NotTested
		if s.Run == 0 || s.Run != run || s.Name == "programs" && s.Equal < s.Run/2 {
			t.Errorf("%s: %+v", s.Name, s.Counts)
		}
	}
	keepsToSchema(t, r)
	shown036(t, r)
	for _, table := range r.Tables {
		if table.Title != "Left out" {
			t.Errorf("table %s: %q", table.Title, table.Rows)
		}
	}
}

// shown036: the files of the real defect are its source, and the file that breaks DVLE036.
func shown036(t *testing.T, r *report.Report) {
	t.Helper()
	if err := r.WriteCases(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	const shared = "several in one register (DVLE036)"
	d := &r.Deviations[slices.IndexFunc(r.Deviations, func(d report.Deviation) bool { return d.Bucket == shared })]
	if len(d.Files) != 2 {
		t.Fatalf("files of the real defect: %q", d.Files)
	}
	text, err := os.ReadFile(d.Files[0])
	if err != nil || string(text) != d.Assembly {
		t.Errorf("the source: %v, got\n%s\nwant\n%s", err, text, d.Assembly)
	}
	data, err := os.ReadFile(d.Files[1])
	if err != nil || !slices.ContainsFunc(shbin.Check(data),
		func(f diag.Finding) bool { return f.Rule == "DVLE036" }) {
		t.Errorf("the file: no DVLE036, %v: %v", err, shbin.Check(data))
	}
}

// keepsToSchema checks a report in JSON against its schema.
func keepsToSchema(t *testing.T, r *report.Report) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema))
	if err := errors.Join(err, c.AddResource("report.schema.json", schema)); err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err := errors.Join(err, c.MustCompile("report.schema.json").Validate(v)); err != nil {
		t.Error(err)
	}
}
