package conform

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/writer"
)

// Writer tests an assembler of picasso's dialect, in the manner of testing/fstest. The assembler
// gets generated sources, sources with one mistake and known defects, and the SHBIN files that
// it writes are compared with the meaning of the sources. The error joins all causes that speak
// against the assembler, each with the smallest source that shows it; it is nil if there are
// none. What was not tested, because the assembler refuses a form, is in the report of [writer.Run] alone. A panic and a call that does not return are faults, too.
//
// files are the sources of one program: one, or two if the second has procedures or another
// entry point.
func Writer(assemble func(files []string) (shbin []byte, err error)) error {
	return WriterWith(writer.Options{}, func(t *writer.Text) ([]byte, error) { return assemble(t.Files) })
}

// WriterWith is Writer with options. It makes 500 programs if they give no number.
func WriterWith(o writer.Options, assemble writer.Func) error {
	o.Seed, o.Cases = cmp.Or(o.Seed, 1), cmp.Or(o.Cases, 500)
	r, err := writer.Run(context.Background(), assemble, o)
	return against(r, err)
}

// Converter tests a function that reads a file of a format and writes it again, in the
// same format or another.
func Converter(format string, convert func(b []byte) ([]byte, error)) error {
	r, err := writer.RunConverter(context.Background(), writer.ConvertFunc(convert), format,
		writer.Options{Seed: 1, Cases: 200})
	return against(r, err)
}

// against joins the causes of a report that speak against its subject.
func against(r *report.Report, err error) error {
	if err != nil {
		return err
	}
	var all []error
	for _, d := range r.Deviations {
		if d.Verdict.Bad() {
			all = append(all, fmt.Errorf("%s: %s: %s\n%s", d.Verdict, d.Bucket, d.Summary(), d.Assembly))
		}
	}
	return errors.Join(all...)
}
