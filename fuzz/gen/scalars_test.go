package gen_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

type kind uint8

// inner is a struct in a model.
type inner struct {
	Kind  kind `json:"kind"`
	Words [2]uint32
}

// freeModel has fields of every sort.
type freeModel struct {
	inner `json:"-"`
	Plain inner   `json:"plain"`
	Bit   bool    `json:"bit"`
	Small int8    `json:"small"`
	Long  uint64  `json:"long"`
	Bytes [5]byte `json:"bytes"`
	List  []uint32
	Text  string
	Ref   *inner
}

// freeRules are rules about the kind of an inner struct in a model, which only warns, and
// about its small number.
var freeRules = gen.NewFieldRules(
	[]diag.Rule{{ID: "W", Severity: diag.Warning}, {ID: "E", Severity: diag.Error}},
	wire.NewRecord("record",
		wire.Uint("plain.kind", func(m *freeModel) *kind { return &m.Plain.Kind }, "").Must("W",
			wire.OneOf(diag.Dec, 7, 9), diag.Dec),
		wire.Uint("small", func(m *freeModel) *int8 { return &m.Small }, "").Must("E", wire.AtMost(3), diag.Dec),
		wire.Unread[freeModel]("long", 4, "").Must("E", wire.Is(0), diag.Dec), // has another size
	))

// TestFree: every scalar takes many values, and those of fields with rules are allowed; lists,
// texts and pointers stay empty.
func TestFree(t *testing.T) {
	const seed, runs = 1, 200
	for _, odd := range []bool{false, true} {
		seen := map[string]map[string]bool{}
		for n := range uint64(runs) {
			m := gen.Free[freeModel](gen.From(gen.Seed(seed, n)), freeRules, odd)
			if m.List != nil || m.Text != "" || m.Ref != nil || m.inner != (inner{}) {
				t.Fatalf("seed %d, model %d: %+v", seed, n, m)
			}
			for name, v := range map[string]any{"kind": m.Plain.Kind, "word": m.Plain.Words[1], "bit": m.Bit,
				"small": m.Small, "long": m.Long >> 40, "byte": m.Bytes[4]} {
				if seen[name] == nil {
					seen[name] = map[string]bool{}
				}
				seen[name][fmt.Sprint(v)] = true
			}
		}
		for name, least := range map[string]int{"word": 50, "bit": 2, "small": 4, "long": 50, "byte": 50} {
			if len(seen[name]) < least {
				t.Errorf("odd %t: %s has %d values, want %d", odd, name, len(seen[name]), least)
			}
		}
		if kinds := len(seen["kind"]); odd == (kinds == 2) || len(seen["small"]) > 4 {
			t.Errorf("odd %t: %d kinds, %d small numbers", odd, kinds, len(seen["small"]))
		}
	}
	if m := gen.Free[freeModel](gen.From(gen.NewBytes(nil)), freeRules, false); m.Plain.Kind != 7 || m.Long != 0 ||
		m.Bit {
		t.Errorf("without choices: %+v", m)
	}
	if v := gen.Free[[3]byte](gen.From(gen.Seed(seed, 0)), freeRules, false); v == [3]byte{} {
		t.Error("an array is not drawn")
	}
}
