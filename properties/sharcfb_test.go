package properties_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
	"github.com/picaproof/picaproof/properties/arb"
)

// archives draws archives without a finding.
var archives = arb.Models(func(c *gen.Choices) *sharcfb.File {
	f, err := sharcfb.Parse(sharcfbgen.File(c))
	if err != nil {
		panic(err)
	}
	return f
})

// TestSharcfbConvertIsItsOwnInverse: there and back gives the same bytes, and both byte orders
// have the same values.
func TestSharcfbConvertIsItsOwnInverse(t *testing.T) {
	holds(t, 1000, archives, func(a arb.Model[*sharcfb.File]) error {
		b, err := a.Value.AppendBinary(nil)
		if err != nil {
			return err
		}
		f := a.Value
		other, err := f.Convert(1 - f.Endian)
		if err != nil {
			return err
		}
		turned, err := other.AppendBinary(nil)
		if err != nil {
			return err
		}
		read, err := sharcfb.Parse(turned)
		if err != nil {
			return err
		}
		back, err := read.Convert(f.Endian)
		if err != nil {
			return err
		}
		again, err := back.AppendBinary(nil)
		if err != nil {
			return err
		}
		if !bytes.Equal(again, b) || len(turned) != len(b) {
			return errors.New("there and back is another file")
		}
		return nil
	})
}

// TestSharcfbVariationBijection: the settings of every variation lead back to it, whichever
// variation fills the gaps, and each variation has its own binaries.
func TestSharcfbVariationBijection(t *testing.T) {
	holds(t, 1000, archives, func(a arb.Model[*sharcfb.File]) error {
		owners := make(map[int]int)
		for v := range a.Value.Variations() {
			p := &a.Value.Programs[v.Program]
			settings := make(map[string]string)
			for _, s := range v.Settings {
				settings[string(s.Macro)] = string(s.Value)
			}
			for _, base := range []int{0, p.Variations() - 1} {
				if index, err := p.Index(settings, base); err != nil || index != v.Index {
					return fmt.Errorf("%v leads to %d, want %d: %v", settings, index, v.Index, err)
				}
			}
			for stage, i := range v.Binaries {
				owners[i]++
				if a.Value.Binaries[i].Type != gx2.Type(stage) {
					return fmt.Errorf("binary %d is no %v shader", i, gx2.Type(stage))
				}
			}
		}
		for i, n := range maps.All(owners) {
			if n != 1 {
				return fmt.Errorf("binary %d belongs to %d variations", i, n)
			}
		}
		if len(owners) != len(a.Value.Binaries) {
			return fmt.Errorf("%d of %d binaries belong to variations", len(owners), len(a.Value.Binaries))
		}
		return nil
	})
}
