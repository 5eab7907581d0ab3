package main

import (
	"bytes"
	"os"
	"testing"
)

// TestPictureIsCurrent draws the picture again and demands the file of the repository.
func TestPictureIsCurrent(t *testing.T) {
	want, err := picture("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/picture.svg")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/picture.svg is not what the tool prints (%v): run %s", err, command)
	}
}
