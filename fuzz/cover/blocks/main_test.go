package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
)

// TestBlocksAreCurrent generates the blocks again and demands the file of the
// repository.
func TestBlocksAreCurrent(t *testing.T) {
	got, err := os.ReadFile("../zpoints.go")
	if err != nil || !bytes.Equal(got, source(cover.Points())) {
		t.Errorf("zpoints.go is not what the tables say (%v): run go generate ./fuzz/cover", err)
	}
}
