package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
)

// TestWorkedExample writes the first sample from a model and reads it back.
func TestWorkedExample(t *testing.T) {
	want := readSample(t, "b01_vertex_reflection.bnsh")
	f := workedModel()
	mustWrite(t, f, want)
	got, err := bnsh.Parse(want)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Equal(f) {
		t.Errorf("got %+v, want %+v", got, f)
	}
}
