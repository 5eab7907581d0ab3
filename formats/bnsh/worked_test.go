package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
)

// TestWorkedExample writes the first sample from a model and reads it back.
func TestWorkedExample(t *testing.T) {
	want := samples.Read(t, "bnsh/b01_vertex_reflection.bnsh")
	f := workedModel()
	mustWrite(t, f, want)
	if got := mustParse(t, want); !got.Equal(f) {
		t.Errorf("got %+v, want %+v", got, f)
	}
}
