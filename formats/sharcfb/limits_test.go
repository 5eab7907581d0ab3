package sharcfb_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// hostile are files made to cost a reader more than their size, at a given
// scale.
var hostile = formattest.Hostile{
	"short values of one macro": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Defaults = []sharcfb.Macro{{Name: "M", Values: slices.Repeat([]wire.Text{"0"}, n/2)}}
		return gen.Unchecked(f)
	},
	"values with control characters": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Defaults = []sharcfb.Macro{{Name: "M", Values: slices.Repeat([]wire.Text{"\x01"}, n/2)}}
		return gen.Unchecked(f)
	},
	"empty values": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Defaults = []sharcfb.Macro{{Name: "M", Values: make([]wire.Text, n)}}
		return gen.Unchecked(f)
	},
	"macros of 1024 values": func(n int) []byte {
		f := workedModel()
		var values []wire.Text
		for i := range 1024 {
			values = append(values, wire.Text([]byte{byte(1 + i%255), byte(1 + i/255)}))
		}
		f.Programs = slices.Repeat(
			[]sharcfb.Program{{Name: "p", Kind: sharcfb.VertexPixel,
				Macros: []sharcfb.Macro{{Name: "M", Values: values}}}}, n/3200)
		return gen.Unchecked(f)
	},
	"macros of one repeated value": func(n int) []byte {
		f := workedModel()
		values := slices.Repeat([]wire.Text{"0"}, 1024)
		f.Programs = slices.Repeat(
			[]sharcfb.Program{{Name: "p", Kind: sharcfb.VertexPixel,
				Macros: []sharcfb.Macro{{Name: "M", Values: values}}}}, n/2200)
		return gen.Unchecked(f)
	},
	"macros by the thousand": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Defaults = slices.Repeat([]sharcfb.Macro{{Name: "", Values: []wire.Text{"0"}}}, n/20)
		return gen.Unchecked(f)
	},
	"exponential macros": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Macros = slices.Repeat([]sharcfb.Macro{{Name: "M", Values: []wire.Text{"0", "1"}}}, n/22)
		return gen.Unchecked(f)
	},
	"small symbols": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Macros = nil
		f.Programs[0].Uniforms = slices.Repeat([]sharcfb.Symbol{{Offset: -1, Enable: []byte{1}}}, n/27)
		return gen.Unchecked(f)
	},
	"symbols that break every rule": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Samplers = slices.Repeat(
			[]sharcfb.Symbol{{Name: "\x01\x00a", ID: "\xff\x00", Default: []byte{1}, Enable: []byte{2, 3, 4}}}, n/34)
		return gen.Unchecked(f)
	},
	"symbols of other names": func(n int) []byte {
		f := workedModel()
		f.Programs[0].Macros = nil
		for i := range n / 32 {
			f.Programs[0].Samplers = append(f.Programs[0].Samplers,
				sharcfb.Symbol{Offset: -1, Name: wire.Text(fmt.Sprint(i)), Enable: []byte{1}})
		}
		return gen.Unchecked(f)
	},
	"small programs": func(n int) []byte {
		f := &sharcfb.File{Name: "x", Programs: slices.Repeat([]sharcfb.Program{{Kind: sharcfb.VertexPixel}}, n/65)}
		f.Binaries = []sharcfb.Binary{shader(gx2.Vertex, 1), shader(gx2.Pixel, 1)}
		return gen.Unchecked(f)
	},
	"programs that share binaries of odd modes": func(n int) []byte {
		f := &sharcfb.File{Name: "x"}
		for range 256 {
			v, p := shader(gx2.Vertex, 1), shader(gx2.Pixel, 1)
			v.Mode = gx2.ModeCompute
			f.Binaries = append(f.Binaries, v, p)
		}
		macros := slices.Repeat([]sharcfb.Macro{{Name: "M", Values: []wire.Text{"0", "1"}}}, 8)
		f.Programs = slices.Repeat([]sharcfb.Program{{Kind: sharcfb.VertexPixel, Macros: macros}}, n/60)
		return gen.Unchecked(f)
	},
	"small binaries": func(n int) []byte {
		f := &sharcfb.File{Name: "x", Binaries: slices.Repeat([]sharcfb.Binary{shader(gx2.Pixel, 1)}, n/256)}
		return gen.Unchecked(f)
	},
	"binaries without data": func(n int) []byte {
		b := []byte("SHAB\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00")
		b = append(b, be32(uint32(n/16*16+8), uint32(n/16))...)
		for range n / 16 {
			b = append(b, be32(16, 1, 0, 0)...)
		}
		b = append(b, be32(8, 0)...)
		copy(b[8:], be32(uint32(len(b))))
		return b
	},
	"names on one run":                       func(n int) []byte { return tails(n/13, oneRun) },
	"names that are tails of one":            func(n int) []byte { return tails(n/13, oneTail) },
	"names that are tails of two equal ones": func(n int) []byte { return tails(n/13, equalTails) },
	"empty names with gaps between":          func(n int) []byte { return tails(n/14, gaps) },
	"loop variables": func(n int) []byte {
		f := fullModel(sharcfb.Big)
		f.Binaries[1].Loops = slices.Repeat([]gx2.LoopVar{{0xFF}}, n/8)
		return gen.Unchecked(f)
	},
	"shaders that break every rule": func(n int) []byte {
		f := fullModel(sharcfb.Big)
		g := f.Binaries[2]
		g.Registers = slices.Repeat([]uint32{0x12345678}, len(g.Registers))
		g.Mode = 9
		g.Stream = gx2.StreamOut{Enabled: 7, Strides: [4]uint32{1, 2, 3, 5}}
		g.Blocks = []gx2.UniformBlock{{Location: 99}, {Location: 99}}
		g.Uniforms = []gx2.UniformVar{{Type: 99, Block: 7}, {Type: 99, Block: -7}}
		g.Samplers = []gx2.SamplerVar{{Type: 99, Location: 99}, {}}
		f.Binaries = slices.Repeat([]sharcfb.Binary{g}, n/768)
		return gen.Unchecked(f)
	},
}

// tails has a pixel shader with count uniform blocks in about n bytes. Their
// names are, by kind: one long run; each a tail of it; tails of two equal runs;
// empty, with a byte that is not zero between.
func tails(count, kind int) []byte {
	run := append(bytes.Repeat([]byte{'a'}, count+1), 0)
	switch kind {
	case equalTails:
		run = slices.Repeat(append(bytes.Repeat([]byte{'a'}, (count+1)/2), 0), 2)
	case gaps:
		run = bytes.Repeat([]byte{0, 'b'}, count+1)
	}
	f := workedModel()
	s := &f.Binaries[1].Shader
	s.Blocks = make([]gx2.UniformBlock, count)
	const data = 0x218 // where the second shader of the worked example is
	at := uint32(s.Type.Size())
	l := &gx2.Layout{Names: make([]gx2.Extent, count)}
	l.Tables[0] = gx2.Extent{Offset: at, Count: uint32(count)}
	names := at + uint32(12*count)
	l.Gaps = []gx2.Gap{{Offset: names, Bytes: run}}
	end := names + uint32(len(run))
	l.Program = gx2.Extent{Offset: (end+data+0xFF)&^0xFF - data, Count: 8}
	l.Size = l.Program.Offset + 8
	for i := range l.Names {
		l.Names[i].Offset = end // a zero; the pointers are set below
	}
	s.Layout = l
	b := gen.Unchecked(f)
	for i := range count {
		off := [...]int{oneRun: 0, oneTail: i, equalTails: i, gaps: 2 * i}[kind]
		binary.LittleEndian.PutUint32(b[data+int(at)+12*i:], names+uint32(off))
	}
	return b
}

const (
	oneRun = iota
	oneTail
	equalTails
	gaps
)

// be32 returns words in big-endian order.
func be32(words ...uint32) (b []byte) {
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}

// TestMemory bounds what Parse and Check allocate.
func TestMemory(t *testing.T) { format.Memory(t, hostile, 1_000_000) }

// TestWriteMemory bounds what the writing of an accepted file allocates, in
// bytes for each byte of the file, and 1 MiB. The canonical form may be eight
// times the file; else it is refused as over the limit.
func TestWriteMemory(t *testing.T) {
	size := 500_000
	if testing.Short() {
		size = 50_000
	}
	for name, make := range hostile {
		b := make(size)
		f, err := sharcfb.Parse(b)
		if err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			twin := mustParse(t, b)
			for _, c := range []struct {
				name  string
				limit uint64
				run   func()
			}{
				{"AppendBinary", 32, func() {
					if got, err := f.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
						t.Errorf("exact form differs: %v", err)
					}
				}},
				{"Regions", 400, func() { formattest.Partition(t, f.Regions(), b) }},
				{"Equal", 8, func() {
					if !f.Equal(twin) || !f.Canonical().Equal(twin) {
						t.Error("differs from itself")
					}
				}},
				{"Canonical", 128, func() {
					if _, err := f.Canonical().AppendBinary(nil); err != nil && !errors.Is(err, diag.ErrLimit) {
						t.Error(err)
					}
				}},
				{"JSON", 256, func() {
					if _, err := json.Marshal(f); err != nil && !errors.Is(err, diag.ErrLimit) {
						t.Error(err)
					}
				}},
			} {
				got, limit := formattest.Allocated(c.run), c.limit*uint64(len(b))+1<<20
				t.Logf("%s: %.1f bytes each", c.name, float64(got)/float64(len(b)))
				if got > limit {
					t.Errorf("%s allocates %d bytes for %d, limit %d", c.name, got, len(b), limit)
				}
			}
		})
	}
}

// TestTimeIsLinear measures reading, and the writing of what is accepted.
func TestTimeIsLinear(t *testing.T) {
	// Files are written in place of being read.
	write := func(run func(f *sharcfb.File)) func(b []byte) (*sharcfb.File, error) {
		return func(b []byte) (*sharcfb.File, error) {
			f, err := sharcfb.Parse(b)
			if err == nil {
				run(f)
			}
			return f, err
		}
	}
	writing := formattest.Format[*sharcfb.File]{
		Parse: write(func(f *sharcfb.File) { f.AppendBinary(nil); f.Regions() }),
		Check: func(b []byte) []diag.Finding {
			write(func(f *sharcfb.File) { f.Canonical().AppendBinary(nil) })(b)
			return nil
		},
	}
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			format.Linear(t, make, 32_000)
			writing.Linear(t, make, 8_000)
		})
	}
}

// TestRepeatedNamesAreRefused refuses names that share bytes and together are over
// the limit.
func TestRepeatedNamesAreRefused(t *testing.T) {
	const data = 0x218
	for kind := range gaps {
		_, err := sharcfb.Parse(tails(2000, kind))
		parse, ok := errors.AsType[*diag.ParseError](err)
		if !ok || !errors.Is(err, diag.ErrLimit) || parse.Finding.Rule != "GX2049" || parse.Finding.Off != data {
			t.Errorf("got %v, want GX2049 at %#x", err, data)
		}
	}
}

// TestExponentialMacrosAreRefused refuses 2^1000 variations without counting
// them.
func TestExponentialMacrosAreRefused(t *testing.T) {
	f := workedModel()
	f.Programs[0].Attributes = nil
	for i := range 1000 {
		f.Programs[0].Macros = append(f.Programs[0].Macros,
			sharcfb.Macro{Name: wire.Text(fmt.Sprint(i)), Values: []wire.Text{"0", "1"}})
	}
	b := gen.Unchecked(f)
	_, err := sharcfb.Parse(b)
	parseError, ok := errors.AsType[*diag.ParseError](err)
	if !ok || parseError.Finding.Rule != "SHARC044" || parseError.Finding.Off != 0x622 {
		t.Errorf("got %v, want SHARC044 at 0x622", err)
	}
	if n := f.Programs[0].Variations(); n != 0 {
		t.Errorf("got %d variations, want 0", n)
	}
}

// TestMacroLimits meets the limits on macros and values, and passes them by one.
func TestMacroLimits(t *testing.T) {
	for _, c := range []struct {
		macros, values int
		path           string
	}{
		{1024, 1, ""},
		{1025, 1, "programs[0].macros.count"},
		{1, 1024, ""},
		{1, 1025, "programs[0].macros[0].value_count"},
		{2, 300, "programs[0].macros"},
	} {
		f := &sharcfb.File{Name: "x", Programs: []sharcfb.Program{{Kind: sharcfb.VertexPixel}}}
		for i := range c.macros {
			m := sharcfb.Macro{Name: wire.Text(fmt.Sprint("M", i))}
			for k := range c.values {
				m.Values = append(m.Values, wire.Text(fmt.Sprint(k)))
			}
			f.Programs[0].Macros = append(f.Programs[0].Macros, m)
		}
		for range max(f.Programs[0].Variations(), 1) {
			f.Binaries = append(f.Binaries, shader(gx2.Vertex, 1), shader(gx2.Pixel, 2))
		}
		_, err := sharcfb.Parse(gen.Unchecked(f))
		parseError, ok := errors.AsType[*diag.ParseError](err)
		switch {
		case c.path == "" && err != nil:
			t.Errorf("%d macros of %d values: %v", c.macros, c.values, err)
		case c.path != "" && (!ok || parseError.Finding.Rule != "SHARC044" || parseError.Finding.Path != c.path):
			t.Errorf("%d macros of %d values: got %v, want SHARC044 at %s", c.macros, c.values, err, c.path)
		}
	}
}

// TestVariationLimit meets the limit on combinations of macro values, and passes it
// by one. The file has too few binaries for either, which is another rule.
func TestVariationLimit(t *testing.T) {
	macro := func(name wire.Text, values int) sharcfb.Macro {
		m := sharcfb.Macro{Name: name}
		for i := range values {
			m.Values = append(m.Values, wire.Text(fmt.Sprint(i)))
		}
		return m
	}
	for _, c := range []struct {
		first, second int
		want          int
	}{
		{255, 257, sharcfb.MaxVariations},
		{256, 256, 0},
	} {
		f := workedModel()
		f.Programs[0].Macros = []sharcfb.Macro{macro("A", c.first), macro("B", c.second)}
		if n := f.Programs[0].Variations(); n != c.want {
			t.Errorf("%d by %d values: got %d variations, want %d", c.first, c.second, n, c.want)
		}
		findings := plain(sharcfb.Check(gen.Unchecked(f)))
		refused := slices.ContainsFunc(findings, func(x diag.Finding) bool { return x.Rule == "SHARC044" })
		if refused != (c.want == 0) {
			t.Errorf("%d by %d values: SHARC044 reported: %t", c.first, c.second, refused)
		}
	}
}
