package journal

import (
	"context"
	"time"

	"github.com/picaproof/picaproof/conform/reader"
)

// OfReader returns a reader that asks another one for answers that the journal has not.
func OfReader(j *Journal, r reader.Reader) reader.Reader {
	x := asReader{r, j}
	if s, ok := r.(sequences); ok {
		return asSequences{x, s}
	}
	return x
}

type asReader struct {
	reader.Reader
	*Journal
}

// Unwrap returns the reader itself.
func (x asReader) Unwrap() reader.Reader { return x.Reader }

// Read implements reader.Reader.
func (x asReader) Read(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	return x.stored(ctx, [][]byte{[]byte("read"), []byte(format), data}, func() (reader.Reply, error) {
		return x.Reader.Read(ctx, format, data, limit)
	})
}

// Measure implements reader.Reader.
func (x asReader) Measure(ctx context.Context, format string, data []byte,
	limit time.Duration) (reader.Reply, error) {
	return x.stored(ctx, [][]byte{[]byte("measure"), []byte(format), data}, func() (reader.Reply, error) {
		return x.Reader.Measure(ctx, format, data, limit)
	})
}

func (x asReader) stored(ctx context.Context, parts [][]byte, ask func() (reader.Reply, error)) (reader.Reply, error) {
	return answer(ctx, x.Journal, question[reader.Reply]{
		parts: parts,
		ask:   func(string) (reader.Reply, error) { return ask() },
		keep:  func(r *reader.Reply) (*behind, bool) { return nil, stays(ctx, r.Fault) },
	})
}

// sequences is a reader whose processes read one file after the other.
type sequences interface {
	Sequence(ctx context.Context, list []reader.Shown, limit time.Duration) (reader.Reply, error)
	ReproduceSequence(list []reader.Shown) string
}

type asSequences struct {
	asReader
	sequences
}

// Sequence lets a fresh process read files.
func (x asSequences) Sequence(ctx context.Context, list []reader.Shown, limit time.Duration) (reader.Reply, error) {
	parts := [][]byte{[]byte("sequence")}
	for _, s := range list {
		parts = append(parts, []byte(s.Format), s.Data)
	}
	return x.stored(ctx, parts, func() (reader.Reply, error) { return x.sequences.Sequence(ctx, list, limit) })
}

// Read implements reader.Reader. The files that the process had read before are stored with the
// answer: a verdict may need them.
func (x asSequences) Read(ctx context.Context, format string, data []byte,
	limit time.Duration) (reader.Reply, error) {
	return answer(ctx, x.Journal, question[reader.Reply]{
		parts: [][]byte{[]byte("read"), []byte(format), data},
		ask: func(id string) (reader.Reply, error) {
			if id != "" {
				data = x.note(id, data)
			}
			return x.Reader.Read(ctx, format, data, limit)
		},
		keep: func(r *reader.Reply) (*behind, bool) {
			b := &behind{x.last(r.Earlier), format, data}
			r.Earlier = nil
			return b, stays(ctx, r.Fault)
		},
		restore: func(r *reader.Reply, b *behind) (ok bool, _ error) {
			if b != nil {
				r.Earlier, ok = x.before(b)
			}
			return ok, nil
		},
	})
}
