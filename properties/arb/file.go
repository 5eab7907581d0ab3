package arb

import (
	"fmt"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// File is a generated file, valid or not.
type File struct {
	Name string // of its format
	Data []byte

	position reduce.Position // where the shrinker continues
}

// Format writes the format and the size of the file.
func (f File) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "%s file of %d bytes", f.Name, len(f.Data)) }

// Files draws files of a format: valid ones, ones with a single fault, and
// damaged ones. They shrink to other files, valid or not.
func Files(from gen.Format) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		f, c := File{Name: from.Name}, gen.From(p.Rng)
		switch c.Bits(2) {
		case 0:
			f.Data = files.Damaged(from, c)
		case 1:
			f.Data = files.Faulty(from, gen.Pick(c, from.Faults()), c).Data
		default:
			f.Data = files.Valid(from, c).Data
		}
		return gopter.NewGenResult(f, shrinkFile)
	}
}

func shrinkFile(v any) gopter.Shrink {
	f := v.(File)
	next := reduce.FileSteps(f.Data, f.position)
	return func() (any, bool) {
		b, position, ok := next()
		return File{f.Name, b, position}, ok
	}
}
