package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/wire"
)

// sources returns a file with a binary program and a source array whose text has the bytes of the control.
func sources(t *testing.T) *bnsh.File {
	f := binaryFile(1, bnsh.Vertex)
	control := f.Variations[0].Binary.Stages[bnsh.Vertex].Control
	f.Variations[0].Source = &bnsh.Program{CodeType: bnsh.SourceArrayCode, ObjectSize: 3,
		Stages: bnsh.PerStage[bnsh.Code]{bnsh.Vertex: {Texts: []wire.Hex{control}}}}
	return mustParse(t, build(t, f))
}

// TestObjectsTouch: the canonical layout puts object memory without padding behind the object before.
func TestObjectsTouch(t *testing.T) {
	f := binaryFile(3, bnsh.Vertex)
	for i, size := range []uint32{3, 5, 8} {
		f.Variations[i].Binary.ObjectSize = size
	}
	l := mustParse(t, build(t, f)).Layout
	first := l.Programs[0].Object
	check(t, "second object", l.Programs[1].Object, first+3)
	check(t, "third object", l.Programs[2].Object, first+3+5)
}

// TestSortsAreApart: a text and a control with the same bytes are two blobs.
func TestSortsAreApart(t *testing.T) {
	l := sources(t).Layout
	text, control := l.Programs[0].Stages[bnsh.Vertex].Texts[0], l.Programs[1].Stages[bnsh.Vertex].Control
	if text == control {
		t.Errorf("both are at 0x%x", text)
	}
}

// TestSteps: the sizes of texts are words, which need not be at a multiple of 8.
func TestSteps(t *testing.T) {
	f := sources(t)
	sizes := &f.Layout.Programs[0].Stages[bnsh.Vertex].Sizes
	*sizes += 4 // of one text: four zeros follow in the canonical layout
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "sizes", mustParse(t, b).Layout.Programs[0].Stages[bnsh.Vertex].Sizes, *sizes)
}
