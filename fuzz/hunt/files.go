package hunt

import (
	"context"
	"fmt"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// Files returns the target that judges the parser, the checker and the writer of
// a format: on valid files, on odd ones, on files with one fault, and on damaged ones.
func Files(format registry.Format, from gen.Format) Target {
	return Target{
		Name: format.Name, Extension: format.Extensions[0],
		New:    func(seed uint64) (Worker, error) { return &fileWorker{format, from, seed}, nil },
		Reduce: func(ctx context.Context, f Found) (Reduced, error) { return reduceFile(ctx, format, f) },
	}
}

type fileWorker struct {
	format registry.Format
	from   gen.Format
	seed   uint64
}

// drawFile makes file number n; known is false if the generator promises nothing about it. The
// kinds of files take turns, and so do the faults.
func drawFile(from gen.Format, n uint64, c *gen.Choices) (x files.Case, known bool) {
	switch n % 4 {
	case 0:
		return files.Valid(from, c), true
	case 1:
		return files.Odd(from, c), true
	case 2:
		return files.Faulty(from, from.Faults()[n/4%uint64(len(from.Faults()))], c), true
	}
	return files.Case{Data: files.Damaged(from, c)}, false
}

func (w *fileWorker) draw(n uint64) (x files.Case, known bool) {
	return drawFile(w.from, n, gen.From(gen.Seed(w.seed, n)))
}

func (w *fileWorker) Case(n uint64, r *Result) error {
	x, known := w.draw(n)
	reading := files.Read(w.format, x.Data)
	d := reading.Judge(x.Data)
	if known {
		d = x.Judge(&reading)
	}
	if d != nil {
		r.Key, r.Text = d.Key, d.Text
	}
	return nil
}

func (w *fileWorker) Data(n uint64) ([]byte, error) {
	x, _ := w.draw(n)
	return x.Data, nil
}

// reduceFile keeps a fault of the bytes alone. A broken promise of the generator is no property
// of the bytes, and the file stays as it is.
func reduceFile(ctx context.Context, format registry.Format, f Found) (Reduced, error) {
	reduced := asFound(f)
	if fileKey(format, f.Data) == f.Key {
		r, err := reduce.File(ctx, f.Data, func() reduce.Interesting {
			return func(b []byte) bool { return fileKey(format, b) == f.Key }
		}, reduce.Options{Workers: 1, MaxTries: maxTries})
		if err != nil {
			return reduced, err
		}
		reduced.Data, reduced.Report = r.Data, r.Report
	}
	reduced.Text = fmt.Sprintf("%s, %d bytes\n%s\n", format.Name, len(reduced.Data), f.Text)
	return reduced, nil
}

// fileKey names the fault in the way a format reads and writes a file.
func fileKey(format registry.Format, b []byte) (key string) {
	panicked, _ := guard(func() {
		r := files.Read(format, b)
		if d := r.Judge(b); d != nil {
			key = d.Key
		}
	})
	if panicked != "" {
		return panicked
	}
	return key
}
