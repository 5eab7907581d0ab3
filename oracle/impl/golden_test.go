package impl_test

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

var update = flag.Bool("update", false, "write testdata/differences.txt anew")

// A probe is a job that shows values of knobs.
type probe struct {
	name   string
	source string
	change func(job *pica.Job) // nil for a vertex program without inputs
}

// pairs makes a vertex of each pair of numbers.
func pairs(format pica.NumberFormat, numbers []uint32) func(job *pica.Job) {
	return func(job *pica.Job) {
		job.InputFormat = format
		for _, a := range numbers {
			for _, b := range numbers {
				one, two := uint32(0x3F0000), uint32(0x400000)
				if format == pica.Float32 {
					one, two = 0x3F800000, 0x40000000
				}
				job.Vertices = append(job.Vertices,
					[]pica.Vec4{{a, b, one, two}, {b, a, a, b}, {two, one, b, a}, {a, a, a, a}, {b, a, two, a}})
			}
		}
	}
}

var (
	numbers24 = []uint32{0, 0x800000, 1, 0x8000, 0x808001, 0x3F0000, 0xBF0000, 0x3F8001, 0xC08003, 0x4F0001,
		0x7EFFFF, 0x7F0000, 0xFF0000, 0x7F8000}
	numbers32 = []uint32{0x3F800001, 0xBF80007F, 0x3F800080, 0x00000001, 0x20800000, 0x207FFFFF, 0x5F800000, 0x5F800080,
		0x7F800000, 0x7FC00001, 0x80000000, 0xCF000000, 0x4EFFFFFF}
)

func geometry(job *pica.Job) { job.Stage = pica.Geometry }

func kept(job *pica.Job) { job.Keep, job.Vertices = true, [][]pica.Vec4{{}, {}} }

// words fills the program up to n words.
func words(n int) func(job *pica.Job) {
	return func(job *pica.Job) {
		job.Code = append(job.Code, slices.Repeat([]uint32{uint32(pica.NOP) << 26}, n-len(job.Code))...)
	}
}

const (
	data = "add o0, v0, v1\nmul o1, v0, v1\nmad o2, v0, v1, v2\nmad o3, v3, v1, -v2\ndp3 o4, v0, v1\ndp4 o5, v0, v1\n" +
		"dp4 o6, v0, v2\nmax o7, v0, v1\nmin o8, v0, v1\nmov o9, -v0\nend"
	rare    = "dph o0, v0, v1\nsge o1, v0, v1\nslt o2, v0, v1\nlitp o3, v4\ndst o4, v0, v1\nend"
	scalars = "rcp o0, v0\nrsq o1, v0\nflr o4, v0\nmova a0.xy, v0\nex2 o2, v0\nlg2 o3, v0\nend"
)

var probes = []probe{
	{"data", data, pairs(pica.Float24, numbers24)},
	{"rare data", rare, pairs(pica.Float24, numbers24)},
	{"scalars", scalars, pairs(pica.Float24, numbers24)},
	{"data of float32", data, pairs(pica.Float32, numbers32)},
	{"scalars of float32", scalars, pairs(pica.Float32, numbers32)},
	{"undefined comparison of x", "cmp v0, 6, ge, v1\nend", pairs(pica.Float24, numbers24[10:])},
	{"undefined comparison of y", "cmp v1, lt, lt, v0\ncmp v0, eq, 7, v1\nend", pairs(pica.Float24, numbers24[10:])},
	{"equal undefined comparisons", "cmp v0, 6, 6, v1\nend", pairs(pica.Float24, numbers24[10:])},
	{"two undefined comparisons", "cmp v0, 6, 7, v1\nend", pairs(pica.Float24, numbers24[10:])},
	{"every opcode", "end", everyOpcode},
	{"loops", "loop i0, 6\nadd r0, v0, r0\nloop i1, 5\nadd r1, v0, r1\nnop\nnop\nend", nil},
	{"loops that end together", "loop i0, 5\nadd r0, v0, r0\nloop i1, 5\nadd r1, v0, r1\nnop\nend", nil},
	{"five loops", "loop i1, 8\nloop i1, 7\nloop i1, 6\nloop i1, 5\nloop i1, 6\nnop\nnop\nnop\nend", nil},
	{"loop backwards", "nop\nloop i1, 1\nnop\nend", nil},
	{"loop without an integer", "loop i2, 2\nnop\nloop i3, 4\nnop\n.word 0xA5801400\nnop\nend", nil},
	{"break", "loop i0, 7\nadd r0, v0, r0\nloop i1, 6\nadd r1, v0, r1\nbreakc !cmp.x\nnop\nnop\nend", nil},
	{"break in an if", "loop i0, 6\nnop\nifu b0, 5, 0\nbreak\nnop\nnop\nend", nil},
	{"break in a procedure", "loop i0, 3\ncall 4, 2\nnop\nend\nbreak\nnop\nend", nil},
	{"break outside", "break\nnop\nbreakc !cmp.x\nend", nil},
	{"ifs", "ifu b0, 3, 2\nadd r0, v0, r0\nnop\nadd r1, v0, r1\nnop\nifu b1, 8, 2\nadd r2, v0, r2\n" +
		"nop\nadd r3, v0, r3\nnop\nifc cmp.x, 12, 0\nnop\nend", nil},
	{"nine ifs", strings.Repeat("ifu b0, 12, 1\n", 9) + "nop\nnop\nnop\nnop\nend", nil},
	{"seventeen ifs", strings.Repeat("ifu b0, 20, 1\n", 17) + "nop\nnop\nnop\nnop\nend", nil},
	{"ifs that end together", "ifu b0, 5, 2\nifu b0, 5, 1\nifu b0, 5, 0\nnop\nnop\nnop\nnop\nnop\nend", nil},
	{"if over an if", "ifu b0, 3, 3\nifu b0, 5, 2\nnop\nnop\nnop\nnop\nnop\nnop\nend", nil},
	{"if over a loop", "ifu b0, 3, 3\nloop i0, 5\nnop\nnop\nnop\nnop\nnop\nnop\nend", nil},
	{"loop over an if", "loop i0, 4\nifu b0, 6, 2\nnop\nnop\nnop\nnop\nnop\nnop\nend", nil},
	{"calls", "call 3, 3\nnop\nend\nnop\ncall 7, 2\nnop\nend\nnop\nnop\nend", nil},
	{"five calls", "call 2, 9\nend\ncall 4, 7\nnop\ncall 6, 5\nnop\ncall 8, 3\nnop\ncall 10, 1\nnop\nnop\nend", nil},
	{"seventeen calls", strings.Repeat("call 17, 1\n", 17) + "call 0, 18\nend\nend", nil},
	{"call of itself", "call 0, 3\nnop\nend", nil},
	{"calls that end together", "call 3, 4\nnop\nend\ncall 5, 2\nnop\nnop\nnop\nend", nil},
	{"four calls that end together", "call 2, 1\nend\ncall 3, 1\ncall 4, 1\ncall 5, 1\nnop\nnop\nend", nil},
	{"call as the last word", "call 3, 2\nnop\nend\nnop\ncall 6, 1\nend\nnop\nend", nil},
	{"call in a loop", "loop i0, 3\nadd r0, v0, r0\ncall 5, 2\nend\nend\nnop\nnop\nend", nil},
	{"loop in a procedure", "loop i1, 3\ncall 4, 4\nnop\nend\nloop i0, 7\nadd r0, v0, r0\nnop\nnop\nend", nil},
	{"end in a loop", "loop i0, 3\nnop\nend\nnop\nend", nil},
	{"end in a procedure", "call 3, 2\nnop\nend\nend\nnop\nend", nil},
	{"end in a procedure in a loop", "loop i0, 3\ncall 5, 2\nnop\nend\nend\nend\nnop\nend", nil},
	{"end in a loop in a procedure", "call 3, 5\nnop\nend\nloop i0, 6\nend\nnop\nnop\nend", nil},
	{"jump to the end of a procedure", "call 3, 3\nnop\nend\njmpu b0, 6\nnop\nnop\nadd r0, v0, r0\nend", nil},
	{"jump out of a loop", "loop i0, 4\nadd r0, v0, r0\njmpu b0, 5\nnop\nnop\nnop\nend", nil},
	{"jump into a loop", "jmpu b0, 3\nloop i0, 5\nnop\nnop\nnop\nnop\nend", nil},
	{"jump into an if", "jmpu b0, 3\nifu b1, 4, 2\nnop\nnop\nnop\nnop\nend", nil},
	{"jump to a break", "jmpu b0, 2\nloop i0, 4\nbreak\nnop\nnop\nend", nil},
	{"jump into a nested loop", "loop i0, 3\nbreakc !cmp.x\nnop\njmpu b0, 7\nloop i0, 10\nnop\nloop i1, 9\n" +
		"nop\nnop\nnop\nnop\nend", nil},
	{"jump back to a loop's end", "loop i0, 3\nnop\nnop\nnop\njmpc !cmp.x, 2\nend", nil},
	{"top of memory", "jmpu b0, 4094", words(4096)},
	{"words from 4095", "jmpu b0, 4094", words(4095)},
	{"words from 1024", "jmpu b0, 1022", words(1024)},
	{"1025 words", "end", words(1025)},
	{"else beyond", "end\nifu b0, 4000, 255", nil},
	{"else of flags beyond", "end\nifc cmp.x, 4000, 255", nil},
	{"offsets", "mova a0.xy, v0\nmov o0, c5[a0.x]\nmov o1, c90[a0.y]\nmov o2, v2[a0.x]\nend", offsets},
	{"offset of an opcode", "mova a0.xy, v0\nmax o0, c5[a0.x], v0\nmin o1, c5, v0\nend", offsets},
	{"offset of min", "mova a0.xy, v0\nmin o0, c5[a0.x], v0\nend", offsets},
	{"offset of rcp", "mova a0.xy, v0\nrcp o0, c5[a0.x]\nend", offsets},
	{"offset of rsq", "mova a0.xy, v0\nrsq o0, c5[a0.x]\nend", offsets},
	{"offset of cmp", "mova a0.xy, v0\ncmp c5[a0.x], ge, ge, v0\nend", offsets},
	{"offset of add", "mova a0.xy, v0\nadd o0, c5[a0.x], v0\nend", offsets},
	{"hazards", "mova a0.xy, v0\nmova a0.xy, v0\nadd o0, v0, v1\nend", nil},
	{"kept", "cmp v0, eq, eq, v0\nmova a0.xy, v1\nadd r0, v1, r0\nloop i0, 5\nnop\nend", func(job *pica.Job) {
		kept(job)
		job.Vertices[0] = []pica.Vec4{1: {0x400000, 0x400000}}
		job.Code = append([]uint32{uint32(pica.JMPC)<<26 | 1<<25 | 2<<22 | 5<<10}, job.Code...)
	}},
	{"emit of a vertex program", "setemit 0, prim\nemit\nend", nil},
	{"emit", "mov o0, c1\nsetemit 0\nemit\nmov o0, c2\nsetemit 1\nemit\nsetemit 2, prim inv\nemit\nend", geometry},
	{"emit of vertex 3", "setemit 3, prim\nemit\nend", geometry},
	{"end in the middle", "loop i0, 3\nifu b0, 4, 0\nend\nnop\nend", nil},
}

// offsets addresses registers with offsets inside and outside.
func offsets(job *pica.Job) {
	job.InputFormat = pica.Float32
	for _, x := range []float32{0, 1, 3, 5, -2, -5, -6, -33, 90, 91, 100, 122, 127, 128, -128, -129, 1000} {
		bits := math.Float32bits(x)
		job.Vertices = append(job.Vertices, []pica.Vec4{{bits, bits}, 5: {1: 0x3F800000}})
	}
}

// everyOpcode executes each value of the opcode field that does not change the next pc.
func everyOpcode(job *pica.Job) {
	job.Code, job.Descriptors = nil, []uint32{uint32(pica.IdentityDescriptor)}
	for n := range uint32(64) {
		if op := pica.OpcodeOf(n << 26); pica.Opcodes[op].Writes&pica.WritesFlow == 0 && op != pica.END {
			job.Code = append(job.Code, n<<26)
		}
	}
	job.Code = append(job.Code, end)
}

// job assembles a probe.
func (p *probe) job(t *testing.T) *pica.Job {
	job := &pica.Job{OutMask: 1, Bools: 1, Budget: 300,
		Ints:   [pica.NumInts][4]uint8{{2, 3, 5}, {1, 7, 250}, {0, 9, 1}, {255, 0, 2}},
		Floats: []pica.Upload{{Format: pica.Float24, Values: make([]pica.Vec4, pica.NumFloats)}}}
	for k := range job.Floats[0].Values {
		job.Floats[0].Values[k] = pica.Vec4{0x3F0000 + uint32(k)<<8, 0x400000, 0x800000, uint32(k)}
	}
	a, err := asm.Assemble([]asm.Source{{Name: p.name, Text: p.source}}, asm.AssembleOptions{NoPadding: true})
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	job.Program = a.Program
	if p.change != nil {
		p.change(job)
	}
	if len(job.Vertices) == 0 {
		job.Vertices = [][]pica.Vec4{{{0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000}}}
	}
	return job
}

// A result is the outcome of a vertex.
type result struct {
	storage pica.NumberFormat
	pica.VertexOutcome
	path string // of jobs with one or two vertices
}

// results runs a job.
func results(t *testing.T, engine pica.Engine, job *pica.Job) []result {
	t.Helper()
	var out pica.Outcome
	if err := engine.Run(job, &out); err != nil {
		t.Fatal(err)
	}
	list := make([]result, len(out.Vertices))
	for i := range list {
		list[i] = result{storage: out.Storage, VertexOutcome: out.Vertices[i]}
		if len(list) > 2 {
			continue
		}
		steps, err := impl.Trace(job, i)
		if err != nil {
			t.Fatal(err)
		}
		hash := fnv.New32a()
		n := 0
		for s := range steps {
			if n++; n <= 24 {
				list[i].path += fmt.Sprint(s.PC, " ")
			}
			fmt.Fprintln(hash, s.PC, s.State.AL, s.Scopes(), s.Skipped)
		}
		list[i].path += fmt.Sprintf("(%d steps, %08x)", n, hash.Sum32())
	}
	return list
}

// differences tells the vertices and places where results differ.
func differences(a, b []result) (list []string) {
	for i := range a {
		v, w := &a[i], &b[i]
		if v.Trap == w.Trap && v.State == w.State && v.storage == w.storage && v.path == w.path &&
			slices.Equal(v.Skipped, w.Skipped) && slices.Equal(v.Estimated, w.Estimated) &&
			slices.Equal(v.Hazards, w.Hazards) && slices.Equal(v.Primitives, w.Primitives) {
			continue
		}
		add := func(place string, x, y any) {
			if x, y := fmt.Sprint(x), fmt.Sprint(y); x != y {
				list = append(list, fmt.Sprintf("%d %s: %s => %s", i, place, x, y))
			}
		}
		add("path", v.path, w.path)
		add("trap", v.Trap, w.Trap)
		add("a0, aL, cc", fmt.Sprint(v.Address, v.AL, v.CC), fmt.Sprint(w.Address, w.AL, w.CC))
		add("skipped, estimated, hazards", fmt.Sprint(v.Skipped, v.Estimated, v.Hazards),
			fmt.Sprint(w.Skipped, w.Estimated, w.Hazards))
		for k := range v.O {
			if v.O[k] != w.O[k] || v.storage != w.storage {
				add(fmt.Sprintf("o%d", k), hex(v.storage, v.O[k]), hex(w.storage, w.O[k]))
			}
		}
		for k := range v.R {
			if v.R[k] != w.R[k] {
				add(fmt.Sprintf("r%d", k), hex(v.storage, v.R[k]), hex(w.storage, w.R[k]))
			}
		}
		add("primitives", primitives(v), primitives(w))
	}
	return list
}

// primitives shows the windings and o0.x of each vertex.
func primitives(v *result) string {
	var text strings.Builder
	for _, p := range v.Primitives {
		fmt.Fprintf(&text, "%t", p.Inverted)
		for k := range p.Vertices {
			fmt.Fprintf(&text, " %08x", v.storage.Widen(p.Vertices[k][0][0]))
		}
	}
	return text.String()
}

// hex shows a register as float32.
func hex(f pica.NumberFormat, v pica.Vec4) string {
	return fmt.Sprintf("%08x %08x %08x %08x", f.Widen(v[0]), f.Widen(v[1]), f.Widen(v[2]), f.Widen(v[3]))
}

// shown is the number of probes of which testdata shows a difference; a hash stands for all.
const shown = 4

// TestDifferences compares outcomes under each value of each knob with those under its first value, and those of
// each named profile with f32. Every value must show, unless it says no more than how exact a result is.
func TestDifferences(t *testing.T) {
	engine := impl.New()
	jobs := make([]*pica.Job, len(probes))
	for i := range probes {
		jobs[i] = probes[i].job(t)
	}
	run := func(p pica.Profile) [][]result {
		list := make([][]result, len(jobs))
		for i, job := range jobs {
			job.Profile = p
			list[i] = results(t, engine, job)
		}
		return list
	}
	wide := pica.Profile{Knobs: pica.Knobs{Storage: pica.Float32}}
	narrow, inFloat32, f32 := run(pica.Profile{}), run(wide), run(profile.F32())
	var text strings.Builder
	difference := func(name string, base [][]result, p pica.Profile) {
		hash, n, list := fnv.New64a(), 0, run(p)
		fmt.Fprintln(&text, name)
		for i := range probes {
			d := differences(base[i], list[i])
			if len(d) == 0 {
				continue
			}
			if n++; n <= shown {
				fmt.Fprintf(&text, "\t%s: %s\n", probes[i].name, d[0])
			}
			fmt.Fprintln(hash, probes[i].name, d)
		}
		fmt.Fprintf(&text, "\t%d probes, %016x\n", n, hash.Sum64())
		if exact := name != "ex2=libm (implementation)" && name != "azahar-interp"; (n > 0) != exact {
			t.Errorf("%s: %d probes show it", name, n)
		}
	}
	for i := range impl.Catalogue {
		knob := &impl.Catalogue[i]
		fmt.Fprintf(&text, "%s=%s (%s)\n", knob.Name, knob.Values[0].Name, knob.Values[0].Class)
		for n, value := range knob.Values[1:] {
			p, base := pica.Profile{}, narrow
			knob.Set(&p, n+1)
			if _, err := impl.Rules(&p); errors.Is(err, pica.ErrUnsupportedProfile) {
				p.Storage, base = pica.Float32, inFloat32
			}
			difference(fmt.Sprintf("%s=%s (%s)", knob.Name, value.Name, value.Class), base, p)
		}
	}
	both, err := profile.Parse("f24,zeroinf=positive,mad=fused")
	if err != nil {
		t.Fatal(err)
	}
	difference("zeroinf=positive,mad=fused", narrow, both)
	for _, name := range profile.Names() {
		if p, _ := profile.ByName(name); name != "f32" {
			difference(name, f32, p)
		}
	}
	const file = "testdata/differences.txt"
	if *update {
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("the differences are not those of %s: see which, and if they are meant, run go test -update", file)
	}
}
