package oracle_test

import (
	"encoding/binary"
	hexpkg "encoding/hex"
	"encoding/json"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// benchHashes are the checksums of the benchmark programs under hw, f24 and
// f32. That of f_transc under f32 is the correctly rounded one.
var benchHashes = map[string][3]uint64{
	"a_minimal":   {0xef8766067d3b5aca, 0xef8766067d3b5aca, 0},
	"b_mvp":       {0x03d007740543097f, 0x1f0af8ff256a1cfc, 0},
	"c_skin_lit":  {0xec862fc24a3e4dbf, 0xcad35be79718da6f, 0},
	"d_loop":      {0x61094d7dfed93320, 0xfee20089404e7621, 0},
	"e_branch":    {0xfc737addf2775b11, 0x8ee19621ab7a795c, 0},
	"f_transc":    {0xd3108128ba7af566, 0x3c1291d5d8cab7ac, 0xfbd0ef3dd7bbdac9},
	"g_mix":       {0xa7292264eefc41da, 0x2ee6de8ca3f1c0fc, 0},
	"g2_litp_dst": {0x04610342381d325a, 0xecbd57a8a71e3794, 0},
}

// A benchJob is a benchmark program with its input vertices.
type benchJob struct {
	name    string
	outMask uint16
	job     pica.Job
	float32 uint64 // recorded checksum
}

func benchJobs(tb testing.TB) (list []benchJob) {
	tb.Helper()
	files, _ := filepath.Glob("../../shared/data/bench/*.json")
	if len(files) == 0 {
		tb.Skip("the benchmark programs are not here: ../shared/data/bench")
	}
	for _, file := range files {
		list = append(list, readBenchJob(tb, file))
	}
	return list
}

func readBenchJob(tb testing.TB, file string) benchJob {
	tb.Helper()
	text, err := os.ReadFile(file)
	check(tb, err)
	var d struct {
		Name, Code, Desc string
		Entry            int
		F32              map[string]string
		I                []string
		B, OutMask       uint16
		Gen              struct {
			Seed  uint32
			Count int
			Regs  [][][3]any
		}
		Pool     string `json:"pool_fnv1a64"`
		Checksum string `json:"checksum_float32"`
	}
	check(tb, json.Unmarshal(text, &d))
	b := benchJob{name: d.Name, outMask: d.OutMask}
	if d.Checksum != "" { // no engine that was measured runs g2_litp_dst
		b.float32, err = strconv.ParseUint(d.Checksum, 16, 64)
		check(tb, err)
	}
	j := &b.job
	j.Code, j.Descriptors, j.Entry, j.Bools, j.OutMask = hexWords(tb, d.Code), hexWords(tb, d.Desc), d.Entry, d.B, d.OutMask
	for k, v := range d.F32 {
		n, err := strconv.Atoi(k)
		check(tb, err)
		up := pica.Upload{Register: n}
		for w := hexWords(tb, v); len(w) > 0; w = w[4:] {
			up.Values = append(up.Values, pica.Vec4(w))
		}
		j.Floats = append(j.Floats, up)
	}
	for k, v := range d.I {
		raw, err := hexpkg.DecodeString(v)
		check(tb, err)
		copy(j.Ints[k][:], raw)
	}
	x, h := d.Gen.Seed, newFNV()
	for range d.Gen.Count {
		var vertex []pica.Vec4
		for _, reg := range d.Gen.Regs {
			var v pica.Vec4
			for i, c := range reg {
				lo, hi := c[1].(float64), c[2].(float64)
				value := lo
				if c[0] != "c" {
					x ^= x << 13
					x ^= x >> 17
					x ^= x << 5
					value = lo + (hi-lo)*(float64(x>>8)/(1<<24))
				}
				if c[0] == "i" {
					value = math.Floor(value)
				}
				v[i] = math.Float32bits(float32(value)) &^ 0x7F
				h.add(v[i])
			}
			vertex = append(vertex, v)
		}
		j.Vertices = append(j.Vertices, vertex)
	}
	if got := strconv.FormatUint(uint64(h), 16); got != d.Pool {
		tb.Fatalf("%s: the input pool hashes to %s, want %s", d.Name, got, d.Pool)
	}
	return b
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func hexWords(tb testing.TB, s string) (w []uint32) {
	tb.Helper()
	raw, err := hexpkg.DecodeString(s)
	check(tb, err)
	for ; len(raw) > 0; raw = raw[4:] {
		w = append(w, binary.BigEndian.Uint32(raw))
	}
	return w
}

// checksum folds the outputs of all vertices, as float32 patterns.
func (b *benchJob) checksum(tb testing.TB, engine pica.Engine, p pica.Profile) uint64 {
	tb.Helper()
	if p.Knobs[pica.KnobHazards] == pica.HazardsTrap {
		p.Knobs[pica.KnobHazards] = pica.HazardsWarn // g2_litp_dst reads two inputs at once
	}
	b.job.Profile = p
	var out pica.Outcome
	check(tb, engine.Run(&b.job, &out))
	var c uint64
	for i := range out.Vertices {
		v := &out.Vertices[i]
		if v.Trap.Cause != pica.TrapNone {
			tb.Fatalf("%s: vertex %d: trap %v", b.name, i, v.Trap)
		}
		for n, o := range v.O {
			if b.outMask>>n&1 == 0 {
				continue
			}
			if out.Storage == pica.StorageF24 {
				for k := range o {
					o[k] = math.Float32bits(float32(value24(o[k])))
				}
			}
			c = bits.RotateLeft64(c, 1) ^ (uint64(o[0]) | uint64(o[1])<<32) ^ (uint64(o[2]) | uint64(o[3])<<32)
		}
	}
	return c
}

func TestBenchChecksums(t *testing.T) {
	for _, b := range benchJobs(t) {
		t.Run(b.name, func(t *testing.T) {
			want, ok := benchHashes[b.name]
			if !ok {
				t.Fatal("no checksum for this program")
			}
			if want[2] == 0 {
				want[2] = b.float32
			}
			for i, p := range []pica.Profile{profile.HW(), profile.F24(), profile.F32()} {
				if want[i] == 0 {
					continue
				}
				if got := b.checksum(t, oracle.New(), p); got != want[i] {
					t.Errorf("%s: got %016x, want %016x", p.Name, got, want[i])
				}
			}
		})
	}
}

// BenchmarkOracle measures instructions a second over the benchmark programs.
func BenchmarkOracle(b *testing.B) {
	for _, j := range benchJobs(b) {
		for _, p := range []pica.Profile{profile.F24(), profile.HW(), profile.F32()} {
			b.Run(j.name+"/"+p.Name, func(b *testing.B) {
				if p.Knobs[pica.KnobHazards] == pica.HazardsTrap {
					p.Knobs[pica.KnobHazards] = pica.HazardsWarn
				}
				job, engine := j.job, oracle.New()
				job.Profile, job.Vertices = p, job.Vertices[:256]
				var out pica.Outcome
				check(b, engine.Run(&job, &out))
				steps := 0
				for i := range out.Vertices {
					steps += out.Vertices[i].Steps
				}
				b.ReportAllocs()
				for b.Loop() {
					check(b, engine.Run(&job, &out))
				}
				b.ReportMetric(float64(steps)*float64(b.N)/b.Elapsed().Seconds(), "instr/s")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(job.Vertices)), "ns/vertex")
			})
		}
	}
}
