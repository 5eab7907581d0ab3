package sharcfb_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestFindings changes a model without findings and compares all that is
// reported then, with paths.
func TestFindings(t *testing.T) {
	clean := func() *sharcfb.File {
		f := fullModel(sharcfb.Big)
		for i := range f.Binaries {
			if u := f.Binaries[i].Uniforms; len(u) > 0 {
				u[1].Name = "uOther"
				f.Binaries[i].Attributes[1].Name = "aTex"
			}
		}
		return f
	}
	for _, c := range []struct {
		name   string
		change func(f *sharcfb.File)
		want   []string
	}{
		{"nothing", func(f *sharcfb.File) {}, nil},
		{"default value of 6 bytes", func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Default = make(wire.Hex, 6) },
			[]string{"SHARC054/E programs[0].uniforms[0].default_size"}},
		{"block of 7 bytes", func(f *sharcfb.File) {
			f.Programs[0].Blocks = append(f.Programs[0].Blocks,
				sharcfb.Symbol{Offset: 7, Name: "b", ID: "b", Default: make(wire.Hex, 7), Enable: make(wire.Hex, 4)})
		}, nil},
		{"uniform at the end of the block", func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Offset = 40 }, nil},
		{"uniform over the end of the block", func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Offset = 41 },
			[]string{"SHARC053/W programs[0].uniforms[0].offset"}},
		{"uniform without blocks", func(f *sharcfb.File) {
			f.Programs[0].Uniforms[0].Offset, f.Programs[0].Blocks = 4000, nil
		}, nil},
		{"uniform before its block", func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Offset = -4 },
			[]string{"SHARC053/W programs[0].uniforms[0].offset"}},
		{"uniform in a block of a negative size", func(f *sharcfb.File) {
			f.Programs[0].Uniforms = f.Programs[0].Uniforms[:1]
			f.Programs[0].Uniforms[0].Offset, f.Programs[0].Uniforms[0].Default = 0, nil
			f.Programs[0].Blocks = f.Programs[0].Blocks[:1]
			f.Programs[0].Blocks[0].Offset = -1
		}, []string{"SHARC053/W programs[0].uniforms[0].offset", "SHARC053/W programs[0].blocks[0].offset"}},
		{"sampler with a default value",
			func(f *sharcfb.File) { f.Programs[0].Samplers[0].Default = make(wire.Hex, 4) },
			[]string{"SHARC053/W programs[0].samplers[0].default_size"}},
		{"modes of the first and the last variation", func(f *sharcfb.File) {
			f.Binaries[1].Mode = gx2.ModeCompute
			f.Binaries[11].Mode = gx2.ModeBlock
		}, []string{"GX2021/W binaries[1].mode", "GX2021/W binaries[11].mode"}},
		{"mode of one variation between others", func(f *sharcfb.File) { f.Binaries[6].Mode = gx2.ModeRegister },
			[]string{"GX2021/W binaries[6].mode"}},
		{"both in register mode", func(f *sharcfb.File) { f.Binaries[12].Mode, f.Binaries[13].Mode = 0, 0 }, nil},
		{"program that skips binaries", func(f *sharcfb.File) { f.Programs = f.Programs[1:] },
			[]string{"SHARC033/W programs[0].base_index", "SHARC034/W binaries.count"}},
		{"two defaults for one macro", func(f *sharcfb.File) {
			f.Programs[0].Macros = f.Programs[0].Macros[:1]
			f.Programs[0].Symbols = sharcfb.Symbols{}
		},
			[]string{"SHARC046/W programs[0].defaults.count", "SHARC033/W programs[1].base_index",
				"SHARC034/W binaries.count"}},
		{"defaults in another order", func(f *sharcfb.File) {
			d := f.Programs[0].Defaults
			d[0], d[1] = d[1], d[0]
		}, []string{"SHARC046/W programs[0].defaults[0]", "SHARC046/W programs[0].defaults[1]"}},
		{"two default values", func(f *sharcfb.File) { f.Programs[0].Defaults[1].Values = []wire.Text{"0", "1"} },
			[]string{"SHARC046/W programs[0].defaults[1]"}},
		{"two macros of one name", func(f *sharcfb.File) {
			f.Programs[0].Macros[1].Name, f.Programs[0].Defaults = "WIDE", nil
		}, []string{"SHARC043/W programs[0].macros[1]"}},
		{"broken name of a macro that has a default value",
			func(f *sharcfb.File) { f.Programs[0].Macros[0].Name = "WI\x00DE" },
			[]string{"SHARC008/E programs[0].macros[0].name"}},
		{"broken value of a macro that has a default value",
			func(f *sharcfb.File) { f.Programs[0].Macros[0].Values = []wire.Text{"", "1"} },
			[]string{"SHARC042/E programs[0].macros[0].values[0]"}},
		{"broken name of a default value", func(f *sharcfb.File) { f.Programs[0].Defaults[0].Name = "WI\x00DE" },
			[]string{"SHARC008/E programs[0].defaults[0].name"}},
		{"broken name beside an empty one", func(f *sharcfb.File) {
			u := f.Programs[0].Uniforms[0]
			f.Programs[0].Uniforms = []sharcfb.Symbol{u, u}
			f.Programs[0].Uniforms[0].Name, f.Programs[0].Uniforms[1].Name = "u\x00", ""
		}, []string{"SHARC008/E programs[0].uniforms[0].name"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := clean()
			c.change(f)
			b, err := f.AppendUnchecked(nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range plain(sharcfb.Check(b)) {
				got = append(got, ruleOf(x)+" "+x.Path)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestModesOfSharedBinaries counts a variation of odd modes for each program
// that uses it, whatever the number of findings that are kept.
func TestModesOfSharedBinaries(t *testing.T) {
	for _, c := range []struct{ pairs, odd, programs int }{{1, 1, 5}, {1, 0, 5}, {4, 3, 33}, {4, 3, 34},
		{256, 255, 1000}} {
		f := &sharcfb.File{Name: "x"}
		for i := range c.pairs {
			v := shader(gx2.Vertex, 1)
			if i < c.odd {
				v.Mode = gx2.ModeCompute
			}
			f.Binaries = append(f.Binaries, v, shader(gx2.Pixel, 1))
		}
		p := sharcfb.Program{Kind: sharcfb.VertexPixel}
		for n := 1; n < c.pairs; n *= 2 {
			p.Macros = append(p.Macros, sharcfb.Macro{Name: "M", Values: []wire.Text{"0", "1"}})
		}
		f.Programs = slices.Repeat([]sharcfb.Program{p}, c.programs)
		got, kept := 0, 0
		for _, x := range plain(sharcfb.Check(gen.Unchecked(f))) {
			if x.Rule == "GX2021" {
				got += 1 + x.More
				kept++
			}
		}
		if want := c.odd * c.programs; got != want || kept != min(want, diag.MaxPerRule) {
			t.Errorf("%d programs on %d odd variations: got %d findings, %d kept, want %d", c.programs, c.odd, got,
				kept, want)
		}
	}
}

// TestSlack keeps bytes before and behind the data of a shader, each alone too.
func TestSlack(t *testing.T) {
	for _, slack := range []sharcfb.Slack{
		{Gap: []byte("gap")},
		{Tail: []byte("tail")},
		{Gap: []byte{0}, Tail: []byte{0, 0}},
	} {
		f := fullModel(sharcfb.Little)
		f.Binaries[2].Slack = &slack
		b := mustAppend(t, f)
		got := mustParse(t, b)
		testForms(t, b, false)
		if s := got.Binaries[2].Slack; s == nil || string(s.Gap) != string(slack.Gap) ||
			string(s.Tail) != string(slack.Tail) {
			t.Errorf("got slack %+v, want %+v", s, slack)
		}
	}
}

// TestShortRecord: the bytes that are left of a list, too few for a record, are counted.
func TestShortRecord(t *testing.T) {
	const macros, used = 0x622, 0x1F // where the list is in workedModel, and its bytes
	b := mustAppend(t, workedModel())
	b[macros], b[macros+4] = used+17, 2
	want := "a record of 20 bytes or more, 17 bytes"
	if first := diag.FirstError(sharcfb.Check(b)); first == nil || first.Rule != "SHARC012" ||
		first.Path != "programs[0].macros[1]" || first.Expected+", "+first.Found != want {
		t.Errorf("got %+v, want SHARC012: %s", first, want)
	}
}

// TestOutlineOfAShortShader: data too short for the structure of a shader is a region of
// its own, and what is left of the record another.
func TestOutlineOfAShortShader(t *testing.T) {
	const size, data = 0x2F, 0x33 // of the first binary of workedModel
	b := mustAppend(t, workedModel())
	rest := int(b[size]) | int(b[size+1])<<8
	b[size], b[size+1] = 0x20, 0
	var got []diag.Region
	for _, r := range sharcfb.Outline(b).Regions {
		if r.Off >= data && r.Off < data+rest {
			got = append(got, r)
		}
	}
	if len(got) != 2 || got[0].Len != 0x20 || got[1].Off != data+0x20 || got[1].Len != rest-0x20 ||
		got[1].Path != "binaries[0].slack.tail" {
		t.Errorf("got %+v, want regions of %d and %d bytes", got, 0x20, rest-0x20)
	}
}
