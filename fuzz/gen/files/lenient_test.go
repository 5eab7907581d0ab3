package files_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// lenience is a leniency, the rule that it turns into a warning, and the faults of that
// rule of which it speaks.
type lenience struct {
	format, rule string
	option       registry.Option
	allows       func(b []byte) bool // nil: all
	kept         bool                // by the canonical form, which needs it, too
	first        int                 // of the faults of the rule: those before say what is not so
}

var leniences = []lenience{
	{"shbin", "DVLP011", registry.Option(shbin.EmulatorDump), func(b []byte) bool {
		const most = 4096
		return word(b, word(b, 4)*4+8+0x14) <= most
	}, true, 0},
	{"gsh", "GSH030", registry.Option(gsh.Fragment), nil, true, 1},
	{"gsh", "GSH031", registry.Option(gsh.Fragment), nil, true, 0},
	{"dvoj", "DVOJ003", registry.Option(dvoj.AllowDVOB), nil, false, 0},
	{"dvoj", "DVOJ005", registry.Option(dvoj.TypeFlags), nil, true, 0},
	{"zpsh", "ZPSH009", registry.Option(zpsh.HashMismatch), nil, false, 0},
	{"zpsh", "ZPSH004", registry.Option(zpsh.SkipUnknownHeader), nil, false, 1},
}

// file draws a file with the deviation.
func (l *lenience) file(n uint64) files.Case {
	from, _ := files.ByName(l.format)
	faults := slices.DeleteFunc(slices.Clone(from.Faults()), func(x gen.Fault) bool { return x.Rule != l.rule })[l.first:]
	return files.Faulty(from, faults[n%uint64(len(faults))], gen.From(gen.Seed(seed, n)))
}

// word returns a little-endian word of a file.
func word(b []byte, at int) int {
	return int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16 | int(b[at+3])<<24
}

// TestLeniences: with a leniency, the deviation that it allows is a warning at the same
// place, and the file is read and written back; without it, the file is refused.
func TestLeniences(t *testing.T) {
	runs := uint64(200)
	if testing.Short() {
		runs = 50
	}
	for f := range registry.All() {
		for _, l := range f.Leniencies {
			if !slices.ContainsFunc(leniences,
				func(x lenience) bool { return x.format == f.Name && x.option == l.Option }) {
				t.Errorf("%s: %s is not exercised", f.Name, l.Option)
			}
		}
	}
	for _, l := range leniences {
		known, _ := registry.ByName(l.format)
		allowed := 0
		for n := range runs {
			x := l.file(n)
			r := files.Read(known, x.Data, l.option)
			if l.allows == nil || l.allows(x.Data) {
				allowed++
				x.Severity = diag.Warning
			}
			if d := x.Judge(&r); d != nil {
				t.Fatalf("%s, seed %d, file %d: %v", l.option, seed, n, d)
			}
			if !r.Accepted || !registry.HasCanonical(r.Document) {
				continue
			}
			canonical, err := r.Document.Canonical().AppendBinary(nil)
			if err != nil {
				t.Fatalf("%s, seed %d, file %d: %v", l.option, seed, n, err)
			}
			with, without := files.Read(known, canonical, l.option), files.Read(known, canonical)
			if !with.Accepted || without.Accepted == l.kept || !bytes.Equal(with.Written, canonical) {
				t.Fatalf("%s, seed %d, file %d: the canonical form is accepted: %v, without the leniency %v", l.option,
					seed, n, with.Accepted, without.Accepted)
			}
		}
		if allowed < int(runs/10) {
			t.Errorf("%s: %d of %d files are allowed", l.option, allowed, runs)
		}
	}
}
