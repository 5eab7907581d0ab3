package writer_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// models are assemblers that follow the rules of a dialect.
var models = map[string]writer.Func{
	"picasso": (&planted{}).assemble,
	"nihstro": nihstroTool(nil),
	"aemstro": aemstroFile,
}

// TestControls: an assembler that follows the rules of a dialect refuses each mistake, and accepts each control:
// that of a mistake in a program of END and in drawn programs, and that of a known defect.
func TestControls(t *testing.T) {
	const drawn = 20
	for _, d := range source.Dialects {
		tool, contexts, refused := models[d.Name], 0, 0
		for k := range d.Faults() {
			f := &d.Faults()[k]
			if _, err := tool(d.Spoil(d.Print(source.Minimal()), f)); err == nil {
				t.Errorf("%s: %s: accepted", d.Name, f.Name)
			}
			control := d.Control(d.Print(source.Minimal()), f)
			if _, err := tool(control); err != nil {
				t.Errorf("%s: control of %s: %v\n%s", d.Name, f.Name, err, control.Files[0])
			}
			for n := range uint64(drawn) {
				p, _ := d.Fit(source.Draw(gen.From(gen.Seed(1, n))))
				p.Style = 0
				plain := d.Print(p)
				if p.Library || p.Stage != 0 {
					continue
				}
				contexts++
				if _, err := tool(d.Control(plain, f)); err != nil {
					refused++
					t.Logf("%s: control of %s in program %d: %v", d.Name, f.Name, n, err)
				}
			}
		}
		for k := range d.Defects() {
			x := &d.Defects()[k]
			_, control := d.Sources(x)
			if control == nil {
				continue
			}
			if _, err := tool(control); err != nil {
				t.Errorf("%s: control of the defect %s: %v\n%s", d.Name, x.Name, err, control.Files[0])
			}
		}
		if contexts < 10*len(d.Faults()) || refused > contexts/100 {
			t.Errorf("%s: %d controls in drawn programs, %d refused", d.Name, contexts, refused)
		}
	}
}
