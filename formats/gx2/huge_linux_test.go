package gx2_test

import (
	"errors"
	"math"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// TestHugeShaders: a shader has at most 4 GiB less one byte.
func TestHugeShaders(t *testing.T) {
	s := full(gx2.Pixel)
	l, err := s.CanonicalLayout(0)
	if err != nil {
		t.Fatal(err)
	}
	largest := math.MaxUint32 - int(l.Program.Offset)
	s.Code = formattest.Huge(t, largest+1)
	if _, err := s.CanonicalLayout(0); !errors.Is(err, diag.ErrLimit) {
		t.Errorf("code of 0x%x bytes: %v", len(s.Code), err)
	}
	s.Code = s.Code[:largest]
	if l, err := s.CanonicalLayout(0); err != nil || l.Size != math.MaxUint32 {
		t.Errorf("code of 0x%x bytes: %v", largest, err)
	}
}
