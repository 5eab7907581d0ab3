package dvoj_test

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
)

// TestSize: Size says without writing how many bytes a model takes.
func TestSize(t *testing.T) {
	b := mustAppend(t, cleanModel())
	for _, f := range []*dvoj.File{cleanModel(), mustParse(t, b)} {
		if got := f.Size(); got != uint64(len(b)) {
			t.Errorf("got %d, want %d", got, len(b))
		}
	}
}

// TestLayoutOutsideOfTheFile: a layout that contradicts itself is refused.
func TestLayoutOutsideOfTheFile(t *testing.T) {
	f := mustParse(t, mustAppend(t, cleanModel()))
	f.Layout.Size = 1
	for _, write := range []func(b []byte) ([]byte, error){f.AppendUnchecked, f.AppendBinary} {
		if b, err := write([]byte("before")); !errors.Is(err, diag.ErrLayout) || string(b) != "before" {
			t.Errorf("got %q, %v", b, err)
		}
	}
}
