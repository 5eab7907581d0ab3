package judge_test

import (
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// A layout that asks for 4 GiB of zeros is refused before memory is taken.
func TestHugeLayoutIsNotWritten(t *testing.T) {
	parse := func(b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	c := gen.From(gen.Seed(1, 1))
	for name, refusal := range map[string]func() error{
		"shbin": func() error {
			m, _ := shbin.Parse(parse(shbingen.Model(c).AppendBinary(nil)))
			m.Layout.Size = math.MaxUint32
			return judge.Of(shbin.Parse, shbin.Check).Model(m)
		},
		"dvoj": func() error {
			m, _ := dvoj.Parse(parse(dvojgen.Model(c).AppendBinary(nil)))
			m.Layout.Size = math.MaxUint32
			return judge.Of(dvoj.Parse, dvoj.Check).Model(m)
		},
		"sharcfb": func() error {
			m := sharcfbgen.Model(c)
			for len(m.Binaries) == 0 {
				m = sharcfbgen.Model(c)
			}
			m, _ = sharcfb.Parse(parse(m.AppendBinary(nil)))
			m.Binaries[0].Layout.Size = math.MaxUint32
			return judge.Of(sharcfb.Parse, sharcfb.Check).Model(m)
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := refusal()
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<24 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
		if !errors.Is(err, judge.ErrRefused) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}
