package properties_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
	"github.com/picaproof/picaproof/fuzz/gen/cgfxgen"
	"github.com/picaproof/picaproof/fuzz/gen/csdrgen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/properties/arb"
)

// models has the properties of the models of each format, by name.
var models = map[string]func(t *testing.T){
	"bnsh": ofModels(judge.Of(bnsh.Parse, bnsh.Check), bnshgen.Model, (*bnsh.File).Equal, bnsh.Check, "BNSH081"),
	"cgfx": ofModels(judge.Of(cgfx.Parse, cgfx.Check), cgfxgen.Model, (*cgfx.File).Equal, cgfx.Check, ""),
	"csdr": ofModels(judge.Of(csdr.Parse, csdr.Check), csdrgen.Model, (*csdr.File).Equal, csdr.Check, ""),
	"dvoj": ofModels(judge.Of(dvoj.Parse, dvoj.Check, dvoj.TypeFlags), dvojgen.Model,
		(*dvoj.File).Equal, dvoj.Check, ""),
	"gsh": ofModels(judge.Of(gsh.Parse, gsh.Check), gshgen.Model, (*gsh.File).Equal, gsh.Check, "GSH070"),
	"sharcfb": ofModels(judge.Of(sharcfb.Parse, sharcfb.Check), sharcfbgen.Model, (*sharcfb.File).Equal,
		sharcfb.Check, "SHARC061"),
	"shbin": ofModels(judge.Of(shbin.Parse, shbin.Check), shbingen.Model, (*shbin.File).Equal, shbin.Check, ""),
	"zpsh":  ofModels(judge.Of(zpsh.Parse, zpsh.Check), zpshgen.Model, sameShaders, zpsh.Check, ""),
}

// sameShaders compares the fields of a ZPSH that its canonical form keeps.
func sameShaders(a, b *zpsh.File) bool { return reflect.DeepEqual(a.Shaders(), b.Shaders()) }

// TestModels checks that a model which the writer accepts is read back as an equal one, that
// its canonical form has the same content and is its own canonical form, and that the regions
// of its file cover every byte once, in order.
func TestModels(t *testing.T) {
	for f := range registry.All() {
		properties, ok := models[f.Name]
		if !ok {
			t.Errorf("no models of format %s", f.Name)
			continue
		}
		t.Run(f.Name, properties)
	}
}

// ofModels returns the properties of the models that a generator draws. same reports whether a
// canonical form has the content of a model; notCanonical is the rule about files that are not
// in canonical form, "" if a format has none.
func ofModels[F judge.File[F], O any](
	format *judge.Format[F], model func(c *gen.Choices) F, same func(a, b F) bool,
	check func(b []byte, opts ...O) []diag.Finding, notCanonical string,
) func(t *testing.T) {
	canonical := func(m F) error {
		form := m.Canonical()
		err := format.Canonical(form)
		if x, ok := any(m).(interface{ HasCanonical() bool }); ok && !x.HasCanonical() {
			if errors.Is(err, judge.ErrRefused) {
				return nil
			}
			return fmt.Errorf("a model without canonical form has one: %v", err)
		}
		if err != nil {
			return err
		}
		if !same(form, m) {
			return errors.New("the canonical form has other content")
		}
		b, err := form.AppendBinary(nil)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(check(b), func(f diag.Finding) bool { return f.Rule == notCanonical }) {
			return fmt.Errorf("Check reports %s of a canonical form", notCanonical)
		}
		return nil
	}
	return func(t *testing.T) {
		t.Run("any scalars", func(t *testing.T) { anyScalars(t, format, model) })
		t.Run("equal", func(t *testing.T) { noticesChanges(t, model) })
		for _, p := range []struct {
			name string
			runs int
			hold func(m F) error
		}{
			{"read back", 2000, format.Model},
			{"canonical", 1000, canonical},
			{"regions", 500, format.Owners},
		} {
			t.Run(p.name, func(t *testing.T) {
				judged, refused := 0, 0
				holds(t, p.runs, arb.Models(model), func(m arb.Model[F]) error {
					judged++
					err := judge.Drawn(p.hold(m.Value))
					if errors.Is(err, judge.ErrRefused) {
						refused++
						return nil
					}
					return err
				})
				if refused > judged/10 {
					t.Errorf("the writer refuses %d of %d models", refused, judged)
				}
			})
		}
	}
}

// anyScalars redraws scalars of models without regard to their meaning. The writer refuses
// models that it cannot write; an accepted model is read back as an equal one.
func anyScalars[F judge.File[F]](t *testing.T, format *judge.Format[F], model func(c *gen.Choices) F) {
	const seed = 1
	accepted, runs := 0, 0
	for n := range long.Numbers(t, 1000, long.Few(200, 100)) {
		runs++
		c := gen.From(gen.Seed(seed, uint64(n)))
		m := model(c)
		c.Scalars(m)
		switch err := format.Model(m); {
		case err == nil:
			accepted++
		case !errors.Is(err, judge.ErrRefused):
			t.Fatalf("model %d of seed %d: %v", n, seed, err)
		}
	}
	if accepted == 0 || accepted == runs {
		t.Errorf("%d of %d models are accepted", accepted, runs)
	}
}
