package sharcfb_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// TestConvertSamples converts the pairs of samples into each other.
func TestConvertSamples(t *testing.T) {
	for _, pair := range [][2]string{
		{"s01_example_le.sharcfb", "s02_example_be.sharcfb"},
		{"s05_all_symbols_le.sharcfb", "s06_all_symbols_be.sharcfb"},
		{"s08_two_programs_loops_le.sharcfb", "s07_two_programs_loops_be.sharcfb"},
	} {
		little, big := sample(t, pair[0]), sample(t, pair[1])
		testConverts(t, little, big, sharcfb.Big)
		testConverts(t, big, little, sharcfb.Little)
	}
}

func testConverts(t *testing.T, from, to []byte, endian sharcfb.Endian) {
	t.Helper()
	f, err := mustParse(t, from).Convert(endian)
	if err != nil {
		t.Fatal(err)
	}
	if got := mustAppend(t, f); !bytes.Equal(got, to) {
		t.Errorf("to %s endian\ngot  %x\nwant %x", endian, got, to)
	}
}

// TestConvertIsItsOwnInverse converts there and back, layout included.
func TestConvertIsItsOwnInverse(t *testing.T) {
	files := map[string][]byte{"full": mustAppend(t, fullModel(sharcfb.Big))}
	for _, name := range samples.Glob(t, "sharcfb/*.sharcfb") {
		files[name] = samples.Read(t, name)
	}
	for name, b := range files {
		f := mustParse(t, b)
		if same, err := f.Convert(f.Endian); err != nil {
			t.Errorf("%s: to its own order: %v", name, err)
		} else if got := mustAppend(t, same); !bytes.Equal(got, b) {
			t.Errorf("%s: to its own order\ngot  %x\nwant %x", name, got, b)
		}
		other, err := f.Convert(1 - f.Endian)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		turned := mustAppend(t, other)
		if bytes.Equal(turned, b) || len(turned) != len(b) {
			t.Errorf("%s: %d bytes turned into %d, equal or of another length", name, len(b), len(turned))
		}
		back, err := mustParse(t, turned).Convert(f.Endian)
		if err != nil {
			t.Errorf("%s: back: %v", name, err)
		} else if got := mustAppend(t, back); !bytes.Equal(got, b) {
			t.Errorf("%s: there and back\ngot  %x\nwant %x", name, got, b)
		}
	}
}

// TestConvertRefuses refuses what the loader of the console would garble.
func TestConvertRefuses(t *testing.T) {
	f := mustParse(t, mustAppend(t, fullModel(sharcfb.Big)))
	layout := *f.Binaries[0].Layout
	f.Binaries[0].Layout = &layout
	if _, err := f.Convert(sharcfb.Little); err != nil {
		t.Errorf("tables behind the structure: %v", err)
	}
	layout.Tables[5].Offset += 4 // the attributes end behind the bytes that are swapped
	if _, err := f.Convert(sharcfb.Little); !errors.Is(err, diag.ErrInvalid) {
		t.Errorf("attributes four bytes late: got %v, want ErrInvalid", err)
	}
	layout.Tables[5].Offset -= 4

	f = fullModel(sharcfb.Big)
	f.Programs[0].Uniforms[0].Default = []byte{1, 2, 3}
	if _, err := f.Convert(sharcfb.Little); !errors.Is(err, diag.ErrInvalid) {
		t.Errorf("default value of 3 bytes: got %v, want ErrInvalid", err)
	}
	f.Programs[0].Uniforms[0].Default = nil
	f.Binaries[0].Loops = []gx2.LoopVar{{1, 2, 3, 4, 5, 6, 7, 8}}
	g, err := f.Convert(sharcfb.Little)
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Binaries[0].Loops[0]; got != (gx2.LoopVar{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("loop variable turned: %x", got)
	}
}
