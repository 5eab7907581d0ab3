package expect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Unwritten is the value of the components of output registers before the run of a vector that
// expects a register to keep it: a NaN that no program makes.
const Unwritten = 0x7F1234

var (
	unwrittenVector = pica.Vec4{Unwritten, Unwritten, Unwritten, Unwritten}
	marked          = func() *pica.State {
		s := new(pica.State)
		for i := range s.O {
			s.O[i] = unwrittenVector
		}
		return s
	}()
)

// want is the object "want" of a vector.
type want struct {
	outputs   map[int]output
	cc        *[2]int
	triangles *[]triangle
}

// output is the expected value of an output register.
type output struct {
	unwritten bool
	vector    vector
}

type vector [4]component

// component is a number, one of several numbers, or any number if it is empty.
type component []float64

type triangle struct {
	Reversed bool      `json:"reversed"`
	O0       [3]vector `json:"o0"`
}

// UnmarshalJSON reads an object whose keys are o0 to o15, cc and triangles.
func (w *want) UnmarshalJSON(b []byte) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	w.outputs = make(map[int]output)
	for key, part := range parts {
		var err error
		switch key {
		case "cc":
			err = json.Unmarshal(part, &w.cc)
		case "triangles":
			err = json.Unmarshal(part, &w.triangles)
		default:
			var n int
			if n, err = outputNumber(key); err == nil {
				var o output
				err = json.Unmarshal(part, &o)
				w.outputs[n] = o
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// outputNumber reads "o0" to "o15".
func outputNumber(name string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(name, "o"), 10, 8)
	if err != nil || n >= pica.NumOutputs || name != fmt.Sprintf("o%d", n) {
		return 0, fmt.Errorf("%q is not an output register", name)
	}
	return int(n), nil
}

// UnmarshalJSON reads "unwritten" or four components.
func (o *output) UnmarshalJSON(b []byte) error {
	if o.unwritten = string(b) == `"unwritten"`; o.unwritten {
		return nil
	}
	return json.Unmarshal(b, &o.vector)
}

// UnmarshalJSON reads a number, "inf", "-inf", "nan", null for any, or an
// object with alternatives.
func (c *component) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		*c = nil
		return nil
	case bytes.HasPrefix(b, []byte("{")):
		var choice struct{ Any []component }
		err := json.Unmarshal(b, &choice)
		*c = slices.Concat(choice.Any...)
		return err
	}
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*c = component{x}
	return err
}

// missed returns the first difference between the first vertex of an outcome and want; "" if
// there is none.
func (w *want) missed(t tolerance, out *pica.Outcome) string {
	if len(out.Vertices) == 0 {
		return "no vertex"
	}
	v := &out.Vertices[0]
	for _, n := range slices.Sorted(maps.Keys(w.outputs)) {
		o := w.outputs[n]
		if o.unwritten && v.O[n] != unwrittenVector {
			return fmt.Sprintf("o%d is %06x, want it unwritten", n, v.O[n])
		}
		if why := o.vector.missed(t, out.Storage, v.O[n]); why != "" {
			return fmt.Sprintf("o%d%s", n, why)
		}
	}
	for k, set := range v.CC {
		if w.cc != nil && set != (w.cc[k] != 0) {
			return fmt.Sprintf("cc.%c is %t", "xy"[k], set)
		}
	}
	if w.triangles == nil {
		return ""
	}
	if got, want := len(v.Primitives), len(*w.triangles); got != want {
		return fmt.Sprintf("%d triangles, want %d", got, want)
	}
	for n, tri := range *w.triangles {
		p := &v.Primitives[n]
		if p.Inverted != tri.Reversed {
			return fmt.Sprintf("triangle %d: inverted %t", n, p.Inverted)
		}
		for k := range tri.O0 {
			if why := tri.O0[k].missed(t, out.Storage, p.Vertices[k][0]); why != "" {
				return fmt.Sprintf("triangle %d, slot %d: o0%s", n, k, why)
			}
		}
	}
	return ""
}

func (v *vector) missed(t tolerance, storage pica.NumberFormat, bits pica.Vec4) string {
	for i, c := range v {
		got := Number(storage, bits[i])
		if len(c) > 0 && !slices.ContainsFunc(c, func(want float64) bool { return t.near(got, want) }) {
			return fmt.Sprintf(".%c is %v, want %v", "xyzw"[i], got, []float64(c))
		}
	}
	return ""
}

// Number returns the number in a register component.
func Number(storage pica.NumberFormat, bits uint32) float64 {
	return float64(math.Float32frombits(storage.Widen(bits)))
}

// tolerance is the largest error of a number, relative or absolute: 2^log2.
type tolerance struct {
	kind string
	log2 int
}

// parseTolerance reads "rel 2^-11", "abs 2^-12" or "".
func parseTolerance(s string) (t tolerance, err error) {
	if s == "" {
		return t, nil
	}
	if _, err := fmt.Sscanf(s, "%s 2^%d", &t.kind, &t.log2); err != nil || t.kind != "rel" && t.kind != "abs" {
		return t, fmt.Errorf("tolerance %q is neither rel 2^n nor abs 2^n", s)
	}
	return t, nil
}

func (t tolerance) near(got, want float64) bool {
	limit := math.Ldexp(1, t.log2)
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case got == want:
		return true
	case t.kind == "" || math.IsInf(want, 0):
		return false
	case t.kind == "rel":
		limit *= math.Abs(want)
	}
	return math.Abs(got-want) <= limit
}
