// Package dvoj_test holds the fuzz targets of the DVOJ parser and writer.
package dvoj_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

// format has its leniencies on.
func format() *judge.Format[*dvoj.File] {
	return judge.Of(dvoj.Parse, dvoj.Check, dvoj.AllowDVOB, dvoj.TypeFlags)
}

func FuzzParseDvoj(f *testing.F) { target.Parse(f, "dvoj", format(), 1<<11) }
func FuzzModelDvoj(f *testing.F) { target.Model(f, format(), dvojgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, dvojgen.Model) }
