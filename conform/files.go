package conform

import (
	"cmp"
	"context"

	"github.com/picaproof/picaproof/conform/reader"
)

// Reader tests a parser of a format, in the manner of testing/fstest. The parser gets files that
// break each rule, their near misses, valid, odd and damaged files, and files that grow. The
// error joins all causes that speak against the parser, each with the smallest file that shows
// it; it is nil if there are none. read returns an error for a file that it refuses. A panic, a
// call that does not return and a call that costs more than the file justifies are faults, too.
func Reader(format string, read func(b []byte) error) error {
	return ReaderWith(reader.Options{Formats: []string{format}},
		func(b []byte) (reader.Result, error) { return reader.Result{}, read(b) })
}

// ReaderWith is Reader with options, for a parser that can write a file back.
func ReaderWith(o reader.Options, read reader.Func) error {
	o.Seed = cmp.Or(o.Seed, 1)
	r, err := reader.Run(context.Background(), read, o)
	return against(r, err)
}
