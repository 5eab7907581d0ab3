// Package sharcfb_test holds the fuzz targets of the SHARCFB parser and writer.
package sharcfb_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

func format() *judge.Format[*sharcfb.File] {
	return judge.Of(sharcfb.Parse, sharcfb.Check)
}

func FuzzParseSharcfb(f *testing.F) { target.Parse(f, "sharcfb", format(), 1<<11) }
func FuzzModelSharcfb(f *testing.F) { target.Model(f, format(), sharcfbgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, sharcfbgen.Model) }

// FuzzConvertSharcfb: an accepted file converts to the other byte order and back to the same
// bytes, unless the loader does not find its tables.
func FuzzConvertSharcfb(f *testing.F) {
	target.Files(f, "sharcfb", 1<<11, func(b []byte) error {
		file, err := sharcfb.Parse(b)
		if err != nil {
			return nil
		}
		other, err := file.Convert(1 - file.Endian)
		if err != nil {
			return nil
		}
		turned, err := other.AppendBinary(nil)
		if err != nil {
			return fmt.Errorf("converted: %w", err)
		}
		read, err := sharcfb.Parse(turned)
		if err != nil {
			return fmt.Errorf("converted: %w", err)
		}
		back, err := read.Convert(file.Endian)
		if err != nil {
			return fmt.Errorf("converted back: %w", err)
		}
		if again, err := back.AppendBinary(nil); err != nil || !bytes.Equal(again, b) {
			return fmt.Errorf("there and back: %v\ngot  % x\nwant % x", err, again, b)
		}
		return nil
	})
}
