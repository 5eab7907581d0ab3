package writer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/internal/long"
)

// TestPrintedFrames: in each frame our assembler writes what the printed programs mean.
func TestPrintedFrames(t *testing.T) {
	for k := range source.Picasso.Frames {
		f := &source.Picasso.Frames[k]
		r, err := writer.Run(context.Background(), writer.Func((&planted{}).assemble),
			writer.Options{Dialect: source.Picasso.In(f), Seed: 1, Cases: uint64(long.Few(300, 40))})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Deviations {
			if !strings.HasPrefix(d.Bucket, "known defect") {
				t.Errorf("%s: %s: %s: expected %s, observed %s\n%s", f.Name, d.Bucket, d.Where, d.Expected, d.Observed,
					d.Assembly)
			}
		}
	}
}
