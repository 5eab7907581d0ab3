package zpsh_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// sample is what the manifest says about a sample.
type sample struct {
	Size         int      `json:"size"`
	Revision     int      `json:"revision"`
	Instructions int      `json:"instructions"`
	Descriptors  int      `json:"descriptors"`
	Findings     []string `json:"findings"`
	Entries      []struct {
		Type   int                  `json:"type"`
		Entry  int                  `json:"entry"`
		Bool   uint16               `json:"bool"`
		Int    map[string][4]uint8  `json:"int"`
		Flt    map[string][4]uint32 `json:"flt"`
		Out    map[string]string    `json:"out"`
		Inputs int                  `json:"inputs"`
		Full   int                  `json:"full"`
		Verts  int                  `json:"verts"`
		Start  int                  `json:"start"`
		Name   string               `json:"name"`
	} `json:"entries"`
}

// model returns the sample as the manifest tells it.
func (s sample) decoded(t *testing.T, f *zpsh.File) sample {
	got := sample{Size: len(mustAppend(t, f)), Revision: int(f.Revision), Instructions: len(f.Code),
		Descriptors: len(f.Descriptors), Findings: []string{}}
	got.Entries = append(got.Entries, s.Entries[:0:0]...)
	for i, e := range f.Entries {
		d := s.Entries[0]
		d.Type, d.Entry, d.Bool = int(e.Info.Type()), int(e.Instruction), e.Bools
		d.Inputs, d.Full, d.Verts, d.Start = 0, 0, 0, 0
		switch e.Info.Type() {
		case zpsh.GeometryPoint:
			d.Inputs = e.Info.Inputs()
		case zpsh.GeometryVariable:
			d.Full = e.Info.FullVertices()
		case zpsh.GeometryFixed:
			d.Verts, d.Start = e.Info.Vertices(), e.Info.First()
		}
		d.Int, d.Flt, d.Out = map[string][4]uint8{}, map[string][4]uint32{}, map[string]string{}
		for _, v := range e.Ints {
			d.Int[strconv.Itoa(int(v.Register))] = v.Value
		}
		for _, v := range e.Floats {
			d.Flt[strconv.Itoa(int(v.Register))] = v.Value
		}
		for _, v := range e.Outputs {
			d.Out[strconv.Itoa(int(v.Register))] = fmt.Sprintf("0x%08x", uint32(v.Map))
		}
		d.Name, _ = f.Name(i)
		got.Entries = append(got.Entries, d)
	}
	return got
}

// TestSamples compares findings, model and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	var manifest map[string]sample
	formattest.JSON(t, "zpsh/manifest.json", &manifest)
	for name, want := range manifest {
		t.Run(name, func(t *testing.T) {
			b := samples.Read(t, "zpsh/"+name)
			if got := formattest.IDs(zpsh.Check(b)); len(got) != len(want.Findings) {
				t.Errorf("findings: got %v, want %v", got, want.Findings)
			}
			format().Agree(t, b)
			f := mustParse(t, b)
			if diff := cmp.Diff(want, want.decoded(t, f)); diff != "" {
				t.Errorf("model (-want +got):\n%s", diff)
			}
			if got := mustAppend(t, f.Canonical()); !bytes.Equal(got, b) {
				t.Errorf("canonical form differs\ngot  %x\nwant %x", got, b)
			}
			format().JSON(t, b)
		})
	}
}

// TestMutations runs the one-fault samples.
func TestMutations(t *testing.T) {
	format().Mutations(t, "zpsh", func(formattest.Mutation) bool { return true }, map[string]int{
		"z013": 0x40, // where the second entry should start
		"z016": 0x0C, // hash
		"z034": 0x20, // entry whose payload no longer fits
		"z042": 0x20, // name that has lost its NUL
		"z039": 0x3C, // map of the register that is no longer o0
		"z045": 0x20, // name that is no longer UTF-8
		"z048": 0x20, // entry whose payload no longer fits
		"z049": 0x10, // offset of the entry that was cut
		"z019": 0x18,
		"x002": 0x18, // strings
	})
}

// TestWorkedExample writes the smallest files from a model and reads them back.
func TestWorkedExample(t *testing.T) {
	for revision, text := range minimalBytes {
		t.Run(revision.String(), func(t *testing.T) {
			want, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
			if err != nil {
				t.Fatal(err)
			}
			model := minimalModel(revision)
			if got := mustAppend(t, model); !bytes.Equal(got, want) {
				t.Errorf("written\ngot  %x\nwant %x", got, want)
			}
			if diff := cmp.Diff(model, mustParse(t, want)); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
			if findings := zpsh.Check(want); findings != nil {
				t.Errorf("findings %v", findings)
			}
		})
	}
}

// TestFullExample writes the samples with four entries from a model.
func TestFullExample(t *testing.T) {
	for r, name := range map[zpsh.Revision]string{zpsh.R3: "z02_four_entries_r3.zpsh",
		zpsh.R4: "z02_four_entries_r4.zpsh"} {
		if want, got := samples.Read(t, "zpsh/"+name), mustAppend(t, fullModel(r)); !bytes.Equal(got, want) {
			t.Errorf("%v\ngot  %x\nwant %x", r, got, want)
		}
	}
}
