package samples_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
)

// TestInputs compares the input vertices of each benchmark with their recorded hash.
func TestInputs(t *testing.T) {
	list := samples.Benchmarks(t)
	if len(list) != 8 {
		t.Errorf("%d benchmarks, want 8", len(list))
	}
	for _, b := range list {
		var recorded struct {
			Hash string `json:"pool_fnv1a64"`
		}
		if err := json.Unmarshal(b.JSON, &recorded); err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		for _, registers := range samples.Inputs[[4]uint32](t, b) {
			if err := binary.Write(h, binary.LittleEndian, registers); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != recorded.Hash {
			t.Errorf("%s: got %s, want %s", b.Name, got, recorded.Hash)
		}
	}
}
