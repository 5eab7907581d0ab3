package reduce

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// frozen is the number of candidates that a kind makes of the inputs of a test, and the
// hash of the candidates in their order.
type frozen struct {
	candidates int
	hash       uint64
}

func (f frozen) String() string { return fmt.Sprintf("%d, %#x", f.candidates, f.hash) }

// freeze applies a kind to inputs. describe writes a candidate so that different candidates
// differ.
func freeze[T any](k kind[T], inputs []T, describe func(w io.Writer, v T)) string {
	h, n := fnv.New64a(), 0
	for _, input := range inputs {
		for _, edit := range k.edits(input) {
			if v, ok := edit(); ok {
				n++
				describe(h, v)
			} else {
				h.Write([]byte{0})
			}
		}
		h.Write([]byte{1})
	}
	return frozen{n, h.Sum64()}.String()
}

// oddJob returns a small job in which any field may be odd.
func oddJob(r *rand.Rand, words int) *pica.Job {
	flow := []pica.Opcode{pica.IFC, pica.IFU, pica.LOOP, pica.CALL, pica.CALLC, pica.CALLU, pica.JMPC, pica.JMPU}
	data := []pica.Opcode{pica.ADD, pica.MUL, pica.DP4, pica.MOVA, pica.MOV, pica.RCP, pica.MAD, pica.CMP, pica.DPHI,
		pica.SETEMIT, pica.NOP, pica.BREAKC, pica.SGEI}
	job := &pica.Job{Entry: r.IntN(words + 1), Bools: uint16(r.Uint32()), OutMask: uint16(r.Uint32()),
		Keep: r.IntN(2) == 0, Stage: pica.Stage(r.IntN(2)), InputFormat: pica.NumberFormat(r.IntN(2)),
		Budget: r.IntN(2) * r.IntN(100_000)}
	for range words {
		op, word := data[r.IntN(len(data))], r.Uint32()
		if r.IntN(3) == 0 {
			op = flow[r.IntN(len(flow))]
		}
		word = word&^(0x3F<<26) | uint32(op)<<26
		if l := op.Layout(); pica.Opcodes[op].Flow.HasTarget() {
			word = l.Num.Put(l.Dst.Put(word, uint32(r.IntN(words+2))), uint32(r.IntN(4)))
		}
		job.Code = append(job.Code, word)
	}
	if r.IntN(2) == 0 {
		job.Code[words-1] = uint32(pica.END) << 26
	}
	for range r.IntN(6) {
		job.Descriptors = append(job.Descriptors, r.Uint32())
	}
	vectors := func(n int, format pica.NumberFormat) (list []pica.Vec4) {
		bits := map[pica.NumberFormat]int{pica.Float24: 24, pica.Float32: 32}[format]
		for range n {
			var v pica.Vec4
			for c := range v {
				if r.IntN(3) > 0 {
					v[c] = r.Uint32() << r.IntN(24) >> (32 - bits)
				}
			}
			list = append(list, v)
		}
		return list
	}
	for range r.IntN(3) {
		job.Vertices = append(job.Vertices, vectors(r.IntN(4), job.InputFormat))
	}
	for range r.IntN(3) {
		format := pica.NumberFormat(r.IntN(2))
		job.Floats = append(job.Floats, pica.Upload{Register: r.IntN(pica.NumFloats), Format: format,
			Values: vectors(r.IntN(4), format)})
	}
	for k := range job.Ints {
		for b := range job.Ints[k] {
			job.Ints[k][b] = uint8(r.Uint32()) >> r.IntN(9)
		}
	}
	if r.IntN(2) == 0 {
		job.Initial = new(pica.State)
		for k := range job.Initial.R {
			job.Initial.R[k][k%4], job.Initial.O[k][k%3] = r.Uint32(), r.Uint32()
		}
		job.Initial.Address, job.Initial.AL = [2]int32{int32(r.Uint32()), int32(r.Uint32())}, r.Int32()
		job.Initial.CC = [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}
	}
	return job
}

// oddWitness returns a witness with any pc and any operands.
func oddWitness(job *pica.Job) (w Witness, ok bool) {
	r := rand.New(rand.NewPCG(uint64(len(job.Code)), uint64(job.Bools)))
	w.PC, w.Storage = r.IntN(len(job.Code)+1), pica.NumberFormat(r.IntN(2))
	for k := range w.Before.R {
		w.Before.R[k] = pica.Vec4{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
	}
	w.Before.Address = [2]int32{int32(r.IntN(200) - 100), int32(r.IntN(200) - 100)}
	for k := range w.Sources {
		w.Sources[k] = pica.Vec4{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
	}
	w.Vertex = len(job.Vertices) - 1
	return w, w.Vertex >= 0
}

// TestCandidatesOfJobs freezes the candidates that every kind makes of odd jobs, in their
// order. Other tests say which of them help; this one shows every change. An intended
// change changes the numbers.
func TestCandidatesOfJobs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var jobs []*pica.Job
	for words := 1; words <= maxLoose+2; words++ {
		jobs = append(jobs, oddJob(r, words), oddJob(r, 1+r.IntN(6)), oddJob(r, 1+r.IntN(6)))
	}
	jobs = append(jobs, oddJob(r, maxPairs), oddJob(r, maxPairs+1), oddJob(r, maxPairs+2))
	got := map[string]string{}
	for _, k := range jobKinds(oddWitness) {
		got[k.name] = freeze(k, jobs, func(w io.Writer, job *pica.Job) {
			var b []byte
			for _, x := range jobSize(job) {
				b = binary.LittleEndian.AppendUint64(b, x)
			}
			w.Write(b)
		})
	}
	want := map[string]string{
		"blocks":         "233, 0xb2905dd7c8e0764",
		"budget":         "342, 0x6644ec882457ad6",
		"descriptors":    "16463, 0x7b259c5a24d60a42",
		"entry":          "799, 0x8ce77bcaa02c4c8",
		"inputs":         "225, 0x400fb2f33ea2c62b",
		"instructions":   "641, 0x5d4d3e10878a5519",
		"isolate":        "9, 0xe1369555ee9f2658",
		"loose scopes":   "742, 0x21f6284ed479e261",
		"nops":           "412, 0x24fe606ff64e7711",
		"operands":       "5102, 0x7100d653dbc2921b",
		"pairs":          "2594, 0xb7dd40a3ec7728",
		"registers":      "2893, 0x13adcb9b9451b25f",
		"special values": "552, 0x41c22ea951b33d18",
		"switches":       "4021, 0xe90fc5d2696b65e7",
		"uniforms":       "341, 0x30b76e79502870e8",
		"values":         "14472, 0x5363599f9691e6b4",
		"vertices":       "104, 0x24a1eaf957765bac",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// renumbered returns a file in which some links have other numbers.
func renumbered(b []byte, fits func(x wire.Link) bool, number func(k int) int) []byte {
	c := cutting{linked: link(b), out: bytes.Clone(b)}
	k := 0
	for _, x := range c.links {
		if fits(x) {
			c.set(x, number(k))
			k++
		}
	}
	return c.out
}

// shared returns a file in which every entry of a table of offsets is the same.
func shared(b []byte) []byte {
	return renumbered(b, func(x wire.Link) bool { return x.Kind == wire.Offset && x.Base == 0 },
		func(int) int { return len(b) / 2 })
}

// outside returns files in which one table, or the end of one table, lies behind the end: for some
// of the tables.
func outside(b []byte) (list [][]byte) {
	for _, x := range link(b).links {
		only := func(y wire.Link) bool { return x == y }
		if (x.Kind == wire.Offset || x.Kind == wire.Count) && x.At%16 == 0 {
			list = append(list, renumbered(b, only, func(int) int { return len(b) - 4 }))
		}
	}
	return list
}

// TestDescriptorsThatDoNotFit: MAD reaches the first 32 descriptors only.
func TestDescriptorsThatDoNotFit(t *testing.T) {
	for _, others := range []int{30, 31, 32, 40} {
		job := &pica.Job{}
		for k := range others {
			job.Code = append(job.Code, pica.ADD.Layout().Desc.Put(uint32(pica.ADD)<<26, uint32(k+1)))
		}
		job.Code = append(job.Code, uint32(pica.MAD)<<26)
		for k := range others + 1 {
			job.Descriptors = append(job.Descriptors, uint32(k+1))
		}
		c, ok := compactDescriptors(job)
		if ok != (others < 32) {
			t.Fatalf("a MAD behind %d descriptors: %t", others, ok)
		}
		if n := pica.MAD.Layout().Desc; ok && int(n.Get(c.Code[others])) != others {
			t.Errorf("MAD has descriptor %d, want %d", n.Get(c.Code[others]), others)
		}
	}
}

// TestCandidatesOfFiles freezes the candidates of samples, whole and damaged.
func TestCandidatesOfFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var files, broken [][]byte
	for _, name := range []string{"dvlb-synthetic/x01_all_tables.shbin", "dvlb-synthetic/x02_line_table.shbin",
		"aemstro/a01_two_dvle.shbin", "picasso/p13_multi_dvle.shbin", "gsh/g01_vertex_pixel.gsh",
		"gsh/g05_not_canonical.gsh"} {
		b := samples.Read(t, name)
		files = append(files, b)
		for range 12 {
			damaged := bytes.Clone(b)
			for range 1 + r.IntN(3) {
				at := 4 * r.IntN(len(b)/4)
				v := []uint32{0, 1, uint32(len(b)), uint32(r.IntN(len(b))), r.Uint32()}[r.IntN(5)]
				binary.LittleEndian.PutUint32(damaged[at:], v)
				if strings.HasSuffix(name, ".gsh") {
					binary.BigEndian.PutUint32(damaged[at:], v)
				}
			}
			files = append(files, damaged[:len(b)-r.IntN(2)*r.IntN(len(b)/2)])
		}
		files = append(files, shared(b))
		broken = append(broken, outside(b)...)
	}
	got := map[string]string{}
	for _, k := range fileKinds {
		got[k.name] = freeze(k, files, func(w io.Writer, b []byte) { w.Write(b) })
	}
	entries := kind[[]byte]{edits: dropEntries}
	got["entries of broken tables"] = freeze(entries, broken, func(w io.Writer, b []byte) { w.Write(b) })
	want := map[string]string{
		"bytes":                    "94654, 0xc4a713005ec5c470",
		"entries":                  "46014, 0x57ee6c6c694ff70",
		"entries of broken tables": "30968, 0xcadf19edf07523ac",
		"fields":                   "199195, 0x7e235ad9a46eed3b",
		"linked bytes":             "23546, 0x8b9142fdc7386de4",
		"strings":                  "967, 0x9ce440668e9a6a5b",
		"zeros":                    "94654, 0x4fde4f1243f4d89a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEntriesOfValidFiles drops entries of samples: files stay valid if what belongs to the entries
// goes with them, and the integers that depend on them are corrected.
func TestEntriesOfValidFiles(t *testing.T) {
	for _, c := range []struct {
		sample            string
		accepted, dropped int
	}{
		{"dvlb-synthetic/x01_all_tables.shbin", 28, 34},
		{"aemstro/a01_two_dvle.shbin", 98, 106},
		{"dvoj/d01_all_tables.vobj", 32, 34},
		{"gsh/g04_two_shaders_padding.gsh", 2034, 4884},
		{"zpsh/z02_four_entries_r3.zpsh", 67, 106},
		{"sharcfb/s01_example_le.sharcfb", 124, 6470},
	} {
		b := samples.Read(t, c.sample)
		format, _ := registry.Detect("", b)
		accepted, dropped := 0, 0
		for _, edit := range dropEntries(b) {
			short, _ := edit()
			dropped++
			if _, err := format.Parse(short); err == nil {
				accepted++
			}
		}
		if accepted != c.accepted || dropped != c.dropped {
			t.Errorf("%s: %d of %d accepted, want %d of %d", c.sample, accepted, dropped, c.accepted, c.dropped)
		}
	}
}

// TestEntriesOfSharedCode: if hundreds of labels count the same code, the number of candidates is proportional to
// the size of the file.
func TestEntriesOfSharedCode(t *testing.T) {
	const labels, words = 400, 500
	f := shbin.File{DVLP: shbin.DVLP{Code: make([]uint32, words)}, DVLEs: []shbin.DVLE{{}}}
	for k := range uint32(labels) {
		f.DVLEs[0].Labels = append(f.DVLEs[0].Labels, shbin.Label{Word: k / 20, Length: words - k/20 - k%20})
	}
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := 0
	for _, list := range link(b).lists() {
		entries += len(list)
	}
	if entries > maxEntries*len(b) || entries < maxEntries*len(b)/2 {
		t.Errorf("%d entries in %d bytes, want up to %d", entries, len(b), maxEntries*len(b))
	}
}

// TestDamagedFiles damages files of every format: an integer may lead anywhere, and no edit fails.
func TestDamagedFiles(t *testing.T) {
	const seed, damages, long = 1, 6, 4096
	for f := range registry.All() {
		vectors, err := corpus.Vectors(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			if f.Links == nil || len(v.Data) < 16 || len(v.Data) > long {
				continue
			}
			r := rand.New(rand.NewPCG(seed, uint64(len(v.Data))))
			for range damages {
				b := bytes.Clone(v.Data[:len(v.Data)-r.IntN(2)*r.IntN(len(v.Data)/2)])
				for range 1 + r.IntN(4) {
					b[8+r.IntN(len(b)-8)] = []byte{0, 1, 4, 0x40, 0x7F, 0x80, 0xFF, byte(r.Uint32())}[r.IntN(8)]
				}
				for _, edits := range [][]fileEdit{dropEntries(b), dropStrings(b), dropLinked(b)} {
					for range min(len(edits), 50) {
						if c, _ := edits[r.IntN(len(edits))](); len(c) > len(b)+16 {
							t.Errorf("%s: %d bytes became %d", v.Name, len(b), len(c))
						}
					}
				}
			}
		}
	}
}
