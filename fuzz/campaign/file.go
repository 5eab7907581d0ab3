package campaign

import (
	"context"
	"fmt"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// Files returns the target that judges the parser, the checker and the writer of
// a format: on valid files, on odd ones, on files with one fault, and on damaged ones.
func Files(format registry.Format, from gen.Format) Target {
	return Target{
		Name: format.Name, Extension: format.Extensions[0],
		New:    func() (Worker, error) { return &fileWorker{format, from}, nil },
		Reduce: func(ctx context.Context, f Found) (Reduced, error) { return reduceFile(ctx, format, f) },
	}
}

type fileWorker struct {
	format registry.Format
	from   gen.Format
}

// draw makes a case; known is false when nothing is promised about it.
func (w *fileWorker) draw(seed, n uint64) (x files.Case, known bool) {
	c := gen.From(gen.Seed(seed, n))
	switch n % 4 {
	case 0:
		return files.Valid(w.from, c), true
	case 1:
		return files.Odd(w.from, c), true
	case 2:
		return files.Faulty(w.from, w.from.Faults[n/4%uint64(len(w.from.Faults))], c), true
	}
	return files.Case{Data: files.Damaged(w.from, c)}, false
}

func (w *fileWorker) Case(seed, n uint64, _ *cover.Set) (key, text string, err error) {
	return guarded(func() (string, string, error) {
		x, known := w.draw(seed, n)
		r := files.Read(w.format, x.Data)
		d := r.Judge(x.Data)
		if known {
			d = x.Judge(&r)
		}
		if d == nil {
			return "", "", nil
		}
		return d.Key, d.Text, nil
	})
}

func (w *fileWorker) Data(seed, n uint64) ([]byte, error) {
	x, _ := w.draw(seed, n)
	return x.Data, nil
}

// reduceFile keeps what is wrong with the file whatever was promised about it;
// a promise that was broken is no property of the bytes and leaves the file as
// it is.
func reduceFile(ctx context.Context, format registry.Format, f Found) (Reduced, error) {
	keyOf := func(b []byte) string {
		key, _, _ := guarded(func() (string, string, error) {
			r := files.Read(format, b)
			if d := r.Judge(b); d != nil {
				return d.Key, d.Text, nil
			}
			return "", "", nil
		})
		return key
	}
	reduced := Reduced{Data: f.Data, End: reduce.Minimal}
	if keyOf(f.Data) == f.Key {
		r, err := reduce.File(ctx, f.Data, func() reduce.Interesting {
			return func(b []byte) bool { return keyOf(b) == f.Key }
		}, reduce.Options{Workers: 1, MaxTries: maxTries})
		if err != nil {
			return reduced, err
		}
		reduced.Data, reduced.End = r.Data, r.End
	}
	reduced.Text = fmt.Sprintf("%s, %d bytes\n%s\n", format.Name, len(reduced.Data), f.Text)
	return reduced, nil
}

// maxTries limits the reduction of one finding.
const maxTries = 20_000
