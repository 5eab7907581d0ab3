package mutants_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestOutcomes: every executor keeps its fault. A file of each group has, for each executor, the jobs that tell it
// from the oracle, and the difference that the first one shows. A change of the executors, of the generators or of
// the oracle changes the files on purpose: go generate . writes them.
func TestOutcomes(t *testing.T) {
	const seed, cases, budget = 1, 16, 200
	groups := map[string]*strings.Builder{}
	p := [2]pica.Profile{profile.F24(), profile.F32()}
	jobs := map[gen.Mode][]*pica.Job{}
	for _, mode := range gen.Modes {
		for n := range uint64(cases) {
			job := new(gen.Generator).Job(gen.Seed(seed, n), mode)
			job.Budget, job.Profile = min(job.Budget, budget), p[n&1]
			jobs[mode] = append(jobs[mode], job)
		}
	}
	const edges = gen.Mode("edges")
	jobs[edges] = []*pica.Job{offsets(), specials(), olderIF(), packed()}
	for _, m := range mutants.Executors() {
		text := groups[m.Group]
		if text == nil {
			text = new(strings.Builder)
			groups[m.Group] = text
		}
		fmt.Fprintf(text, "%s %v %s\n\t", m.Name, m.Profiles, m.Equivalent)
		pair := compare.Pair{Want: impl.New(), Got: m.New()}
		first := "no difference"
		for _, mode := range append([]gen.Mode{edges, gen.Words}, modes[m.Group]...) {
			fmt.Fprintf(text, "%s", mode)
			for n, job := range jobs[mode] {
				verdict, d, err := pair.Run(job)
				if err != nil {
					t.Fatal(err)
				}
				if verdict == compare.Equal {
					continue
				}
				fmt.Fprintf(text, " %d", n)
				if first == "no difference" {
					first = fmt.Sprint(d)
				}
			}
			text.WriteString("; ")
		}
		fmt.Fprintln(text, first)
	}
	for group, text := range groups {
		golden.Text(t, strings.ReplaceAll(group, " ", "-")+".txt", text.String())
	}
}

// offsets reads uniforms with offsets about the bounds of a byte.
func offsets() *pica.Job {
	code := []uint32{uint32(pica.MOVA) << 26, uint32(pica.MOV)<<26 | 1<<19 | 0x25<<12, uint32(pica.END) << 26}
	job := &pica.Job{InputFormat: pica.Float32,
		Program: pica.Program{Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
		Floats:  []pica.Upload{{Format: pica.Float24, Values: make([]pica.Vec4, pica.NumFloats)}}}
	for k := range job.Floats[0].Values {
		job.Floats[0].Values[k][0] = uint32(k)
	}
	for _, n := range []int64{-130, -129, -128, -127, -6, -5, 90, 91, 122, 123, 126, 127, 128} {
		x := pica.Float32.Integer(n)
		job.Vertices = append(job.Vertices, []pica.Vec4{{x, x}})
	}
	return job
}

// specials gives instructions with one operand all special numbers of both signs.
func specials() *pica.Job {
	job := &pica.Job{Program: pica.Program{Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}}
	for k, op := range []pica.Opcode{pica.EX2, pica.LG2, pica.RCP, pica.RSQ, pica.FLR, pica.MOV} {
		job.Code = append(job.Code, uint32(op)<<26|uint32(k)<<21)
	}
	job.Code = append(job.Code, uint32(pica.END)<<26)
	for _, x := range []uint32{0, 1, 0x3F0000, 0x408000, 0x7F0000, 0x7F8000} {
		job.Vertices = append(job.Vertices, []pica.Vec4{{x, x, x, x}}, []pica.Vec4{{x | 1<<23, x, x | 1<<23, 0}})
	}
	return job
}

// olderIF reaches the end of an IF while a newer one is open.
func olderIF() *pica.Job {
	ifu := func(end uint32) uint32 { return uint32(pica.IFU)<<26 | end<<10 | 1 }
	job := &pica.Job{Program: pica.Program{Code: []uint32{ifu(3), ifu(5)},
		Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}, Bools: 1, Vertices: [][]pica.Vec4{{{0x3F0000}}}}
	for k := range uint32(5) {
		job.Code = append(job.Code, uint32(pica.MOV)<<26|k<<21)
	}
	job.Code = append(job.Code, uint32(pica.END)<<26)
	return job
}

// packed emits a primitive of all outputs.
func packed() *pica.Job {
	job := &pica.Job{Stage: pica.Geometry, OutMask: 0xFFFF,
		Program:  pica.Program{Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
		Vertices: [][]pica.Vec4{make([]pica.Vec4, pica.NumOutputs)}}
	for k := range uint32(pica.NumOutputs) {
		job.Vertices[0][k] = pica.Vec4{0x3F0000 + k, k, 0x400000 + k, 0x7F0000}
		job.Code = append(job.Code, uint32(pica.MOV)<<26|k<<21|k<<12)
	}
	for id := range uint32(3) {
		job.Code = append(job.Code, uint32(pica.SETEMIT)<<26|id<<24|id>>1<<23, uint32(pica.EMIT)<<26)
	}
	job.Code = append(job.Code, uint32(pica.END)<<26)
	return job
}

// TestCounts: what a matrix counts is recorded.
func TestCounts(t *testing.T) {
	record := func(key string, value any) {
		text, err := json.MarshalIndent(value, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Text(t, key+".json", string(text)+"\n")
	}
	for _, once := range []bool{false, true} {
		m, err := mutants.Make(t.Context(), mutants.Options{Seed: 1, Cases: 2, Every: 45, Once: once})
		if err != nil {
			t.Fatal(err)
		}
		record(fmt.Sprintf("matrix-%t", once), m)
	}
	m := mutants.Matrix{Suites: []string{"a", "b"}, Rows: []mutants.Row{
		{Group: "g", Name: "x", Cases: map[string]int{"a": 9}},
		{Group: "g", Equivalent: "why"}, {Group: "g", Name: "y", Cases: map[string]int{"a": 5, "b": 3}}, {Group: "g"}}}
	if g := m.Groups()[0]; g.Killed != 2 || g.Equivalent != 1 || g.Median != 9 || g.Most != 9 || g.Hardest != "x" {
		t.Errorf("got %+v", g)
	}
}
