package find_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/find"
	"github.com/picaproof/picaproof/formats/registry"
)

func plain(registry.Format) []registry.Option { return nil }

// searched are samples of each format that is searched for.
func searched(t *testing.T) (names []string) {
	for _, pattern := range []string{"*/*.shbin", "*/*.bnsh", "*/*.gsh", "*/*.sharcfb", "*/*.zpsh"} {
		names = append(names, samples.Glob(t, pattern)...)
	}
	return names
}

// lines describes files, one a line.
func lines(r *find.Result) (list []string) {
	for _, f := range r.Files {
		s := fmt.Sprintf("%d %s %d %v", f.Offset, f.Format, f.Length, f.Accepted)
		if f.Array != nil {
			s += fmt.Sprintf(" %+v", *f.Array)
		}
		list = append(list, s)
	}
	return list
}

func same(t *testing.T, r *find.Result, want ...string) {
	t.Helper()
	if got := lines(r); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSamples: each sample is found at its place between other bytes, with its whole length, and
// accepted exactly if its parser accepts it.
func TestSamples(t *testing.T) {
	// shorter are samples with bytes behind what their headers name.
	shorter := map[string]int{"gsh/g05_not_canonical.gsh": 4}
	var all []byte
	for _, name := range searched(t) {
		b := samples.Read(t, name)
		all = append(all, b...)
		format, _ := registry.Detect(name, b)
		_, err := format.Parse(b)
		r := find.In(slices.Concat([]byte("DVLB\x01"), b, []byte{0xFF, 0}), plain)
		if r.Stopped != 0 || r.Magics != 1 {
			t.Errorf("%s: stopped at %d, %d magics without a file, want 1", name, r.Stopped, r.Magics)
		}
		same(t, r, fmt.Sprintf("5 %s %d %v", format.Name, len(b)-shorter[name], err == nil))
		if t.Failed() {
			t.Fatal(name)
		}
		if got := r.Files[0].Data; !bytes.Equal(got, b[:len(got)]) {
			t.Errorf("%s: other bytes", name)
		}
	}
	if r := find.In(all, plain); r.Work() > 2*uint64(len(all)) || r.Stopped != 0 {
		t.Errorf("%d bytes of work for %d bytes of samples, want less than two for each", r.Work(), len(all))
	}
}

// TestNested: inside an accepted file nothing is found, inside others all is.
func TestNested(t *testing.T) {
	inner := samples.Read(t, "picasso/p01_minimal.shbin")
	n := len(inner)
	cgfx := samples.Read(t, "csdr/b01_one_shader.bcsdr")
	same(t, find.In(cgfx, plain), "412 shbin 140 true")
	// An SHBIN in the code of a stage of a BNSH.
	outer := samples.Read(t, "wild/three.bnsh")
	copy(outer[0x3080:], inner)
	same(t, find.In(outer, plain), fmt.Sprintf("0 bnsh %d true", len(outer)))
	outer[0x16]++ // the offset of the first block
	same(t, find.In(outer, plain), fmt.Sprintf("0 bnsh %d false", len(outer)), fmt.Sprintf("12416 shbin %d true", n))
	if f := find.In(outer, plain).Files[0].Finding; f == nil || f.Rule != "BNSH009" {
		t.Errorf("got finding %v, want BNSH009", f)
	}
	// A DVLP and a DVLE alone are no files.
	same(t, find.In(inner[4:], plain))
	// A GFD with other blocks is no shader file.
	gsh := samples.Read(t, "wild/base.gsh")
	for _, at := range blocks(gsh) {
		if binary.BigEndian.Uint32(gsh[at+0x10:]) != 1 {
			gsh[at+0x13] = 11 // a texture header
		}
	}
	same(t, find.In(gsh, plain))
}

// blocks returns the offsets of the blocks of a GSH.
func blocks(b []byte) (list []int) {
	for at := 0x20; at < len(b); at += 0x20 + int(binary.BigEndian.Uint32(b[at+0x14:])) {
		list = append(list, at)
	}
	return list
}

// TestOptions: a leniency reaches the parser.
func TestOptions(t *testing.T) {
	b := samples.Read(t, revision4(t))
	binary.LittleEndian.PutUint32(b[0x0C:], ^binary.LittleEndian.Uint32(b[0x0C:])) // the hash
	for _, lenient := range []bool{false, true} {
		r := find.In(b, func(f registry.Format) []registry.Option {
			if !lenient {
				return nil
			}
			return []registry.Option{f.Leniencies[0].Option}
		})
		same(t, r, fmt.Sprintf("0 zpsh %d %v", len(b), lenient))
	}
}

// revision4 returns the name of the first ZPSH of revision 4.
func revision4(t *testing.T) string {
	for _, name := range samples.Glob(t, "zpsh/*.zpsh") {
		if samples.Read(t, name)[0x0B] == 4 {
			return name
		}
	}
	t.Fatal("no sample of revision 4")
	return ""
}

// TestCut: no prefix of a sample is a file, and none panics.
func TestCut(t *testing.T) {
	for _, name := range []string{"picasso/p12_merge.shbin", "wild/base.gsh", revision4(t),
		"sharcfb/s03_macros_six_variations_le.sharcfb"} {
		b := samples.Read(t, name)
		for n := range len(b) - 4 {
			if r := find.In(b[:n], plain); len(r.Files) > 0 {
				t.Fatalf("%s: %q in the first %d of %d bytes", name, lines(r), n, len(b))
			}
		}
	}
}

// TestWork: the work is bounded, whatever the bytes are.
func TestWork(t *testing.T) {
	const size = 1 << 20
	u32 := binary.BigEndian.AppendUint32
	gfd := append([]byte("Gfx2"), make([]byte, 0x1C)...)
	block := func(kind, n uint32) (b []byte) {
		b = u32(append([]byte("BLK{"), make([]byte, 12)...), kind)
		return append(u32(b, n), make([]byte, 8)...)
	}
	// Each header leads into one chain of blocks, the longest that fits.
	var chained []byte
	for len(chained) < size/2 {
		chained = append(append(chained, gfd...), block(3, uint32(size/2-len(chained)-0x40))...)
	}
	for len(chained) < size {
		chained = append(chained, block(2, 0)...)
	}
	ended := append(chained[:len(chained):len(chained)], block(1, 0)...) // each is a refused file
	whole := binary.LittleEndian.AppendUint32(append([]byte("BAHS"), 8, 0, 0, 0), size/2)
	for name, c := range map[string]struct {
		bytes []byte
		ends  bool
	}{
		"DVLB":    {bytes.Repeat([]byte("DVLB"), size/4), false},
		"BNSH":    {bytes.Repeat([]byte("BNSH\x00\x00\x00\x00"), size/8), false},
		"Gfx2":    {bytes.Repeat([]byte("Gfx2"), size/4), false},
		"ZPSH":    {bytes.Repeat([]byte("ZPSH\x01\x00\x00\x00\x00\x00\x00\x03"), size/12), false},
		"ZPSH R4": {bytes.Repeat([]byte("ZPSH\xFF\x0F\x00\x00\x01\x00\x00\x04"), size/12), false},
		"SHAB":    {bytes.Repeat([]byte("SHAB"), size/4), false},
		"chained": {chained, true},
		"ended":   {ended, true},
		"large":   {bytes.Repeat(append(whole, make([]byte, 12)...), size/24), true},
		"text":    {bytes.Repeat([]byte("'/*'\"\\ (a"), size/9), false},
		"parens":  {bytes.Repeat([]byte("(a"), size/2), false},
	} {
		r := find.In(c.bytes, plain)
		if r.Work() > find.MostWork(len(c.bytes)) {
			t.Errorf("%s: %d bytes of work, want at most %d", name, r.Work(), find.MostWork(len(c.bytes)))
		}
		if (r.Stopped != 0) != c.ends {
			t.Errorf("%s: stopped at %d with %d bytes of work, want the end: %v", name, r.Stopped, r.Work(), c.ends)
		}
	}
}

// TestNames: names sort as offsets do.
func TestNames(t *testing.T) {
	b := samples.Read(t, "picasso/p01_minimal.shbin")
	r := find.In(slices.Concat(b, []byte{1}, b, samples.Read(t, "wild/base.gsh")), plain)
	want := []string{"00000000.shbin", fmt.Sprintf("%08x.shbin", len(b)+1), fmt.Sprintf("%08x.gsh", 2*len(b)+1)}
	if got := r.Names(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
