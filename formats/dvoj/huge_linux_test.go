package dvoj_test

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// TestHugeModels: a file ends below 4 GiB.
func TestHugeModels(t *testing.T) {
	const largest = 1<<32 - 4
	f := cleanModel()
	f.Symbols = nil
	rest := int(f.Size())
	f.Symbols = formattest.Huge(t, 1<<32)
	if b, err := f.AppendUnchecked([]byte("before")); !errors.Is(err, diag.ErrLayout) || string(b) != "before" ||
		f.Size() != 0 {
		t.Errorf("more than 4 GiB: %v, size %d", err, f.Size())
	}
	if f.Symbols = f.Symbols[:largest-rest]; f.Size() != largest {
		t.Errorf("size %d, want %d", f.Size(), largest)
	}
	if f.Symbols = f.Symbols[:largest-rest+1]; f.Size() != 0 {
		t.Errorf("size %d of a file that ends at 4 GiB", f.Size())
	}
}
