package testscript_test

import (
	"slices"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// tool is picaproof with engines and formats that are broken on purpose, so that
// what runs only when something is wrong runs in a scenario. --engine names every
// executor of the zoo and those of brokenEngines; --as those of brokenFormats.
func tool() cli.Tool {
	t := cli.Tool{Engines: brokenEngines, Programs: programs}
	for _, m := range mutants.Executors() {
		t.Engines[m.Name] = m.New
	}
	from, _ := files.ByName("shbin")
	for _, b := range brokenFormats {
		format, _ := registry.ByName("shbin")
		format.Name = b.name
		b.spoil(&format)
		t.Formats = append(t.Formats, cli.TestFormat{Format: format, Generator: from})
	}
	return t
}

// spoilt is the VM with something done about jobs that hold a MUL.
type spoilt struct {
	pica.Engine
	name  string
	onMUL func(out *pica.Outcome)
}

func (e *spoilt) Name() string { return e.name }

func (e *spoilt) Run(job *pica.Job, out *pica.Outcome) error {
	if err := e.Engine.Run(job, out); err != nil {
		return err
	}
	if slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w) == pica.MUL }) {
		e.onMUL(out)
	}
	return nil
}

func brokenEngine(name string, onMUL func(runs int, out *pica.Outcome)) func() pica.Engine {
	return func() pica.Engine {
		runs := 0
		return &spoilt{vm.New(), name, func(out *pica.Outcome) { runs++; onMUL(runs, out) }}
	}
}

var brokenEngines = map[string]func() pica.Engine{
	"panics-on-mul": brokenEngine("panics-on-mul", func(int, *pica.Outcome) { panicOnMUL() }),
	"wears-out": brokenEngine("wears-out", func(runs int, out *pica.Outcome) {
		if runs > 100 {
			out.Vertices[0].R[3][1] ^= 1
		}
	}),
}

// panicOnMUL and panicOn64 are functions, not closures, because reports name
// them.
func panicOnMUL() { panic("no MUL here") }

func panicOn64(b []byte) {
	if len(b)%64 == 0 {
		panic("a multiple of 64")
	}
}

// brokenFormats are SHBIN with one thing wrong.
var brokenFormats = []struct {
	name  string
	spoil func(f *registry.Format)
}{
	{"flips-a-bit", writes(func(b []byte) []byte { b[len(b)-1] ^= 1; return b })},
	{"loses-a-byte", writes(func(b []byte) []byte { return b[:len(b)-1] })},
	{"never-canonical", func(f *registry.Format) {
		parse, times := f.Parse, 0
		f.Parse = func(b []byte, opts ...registry.Option) (registry.Document, error) {
			doc, err := parse(b, opts...)
			if err != nil {
				return nil, err
			}
			return unstable{doc, &times}, nil
		}
	}},
	{"silent-on-dvlb002", func(f *registry.Format) {
		check := f.Check
		f.Check = func(b []byte, opts ...registry.Option) []diag.Finding {
			return slices.DeleteFunc(check(b, opts...), func(x diag.Finding) bool { return x.Rule == "DVLB002" })
		}
	}},
	{"panics-on-64", func(f *registry.Format) {
		check := f.Check
		f.Check = func(b []byte, opts ...registry.Option) []diag.Finding {
			panicOn64(b)
			return check(b, opts...)
		}
	}},
}

// written is a document whose bytes are changed on the way out.
type written struct {
	registry.Document
	change func(b []byte) []byte
}

func (d written) AppendBinary(b []byte) ([]byte, error) {
	b, err := d.Document.AppendBinary(b)
	if err != nil || len(b) == 0 {
		return b, err
	}
	return d.change(b), nil
}

func writes(change func(b []byte) []byte) func(f *registry.Format) {
	return func(f *registry.Format) {
		parse := f.Parse
		f.Parse = func(b []byte, opts ...registry.Option) (registry.Document, error) {
			doc, err := parse(b, opts...)
			if err != nil {
				return nil, err
			}
			return written{doc, change}, nil
		}
	}
}

// unstable is a document whose canonical form is longer each time it is asked
// for.
type unstable struct {
	registry.Document
	times *int
}

func (d unstable) Canonical() registry.Document {
	*d.times++
	return written{d.Document.Canonical(), func(b []byte) []byte { return append(b, make([]byte, 4**d.times)...) }}
}
