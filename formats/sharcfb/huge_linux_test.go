package sharcfb_test

import (
	"math"
	"syscall"
	"testing"

	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// TestHugeArchive: nothing is read of an archive that is longer than its header can
// say.
func TestHugeArchive(t *testing.T) {
	start := mustAppend(t, workedModel())
	b := formattest.Huge(t, math.MaxUint32+1)
	page := b[:1<<16]
	if err := syscall.Mprotect(page, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	copy(page, start)
	findings := sharcfb.Check(b)
	if len(findings) != 1 || findings[0].Rule != "SHARC005" || findings[0].Expected != "4294967296" {
		t.Errorf("got %v, want SHARC005", findings)
	}
}
