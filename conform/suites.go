package conform

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Suites lists the suites in the order in which their findings are explained: first programs
// that only move, then single instructions, then larger parts of programs, then complete
// enumerations.
var Suites = []string{"upload", "alu", "flow", "mixed", "geometry", "regressions", "fields"}

// ParseSuites checks the names of suites. "upload" is always included, because its faults appear
// in every other suite.
func ParseSuites(names []string) ([]string, error) {
	list := []string{"upload"}
	for _, name := range names {
		if !slices.Contains(Suites, name) {
			return nil, fmt.Errorf("unknown suite %q: want some of %s", name, strings.Join(Suites, ", "))
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list, nil
}

// budget is the step budget of the jobs.
const budget = sweep.Budget

// source returns a function, for one goroutine, that makes job number n of a suite as a portable
// job, valid until the next call. cases is the number of jobs, 0 for no limit.
func source(suite string, seed uint64) (job func(n uint64) *pica.Job, cases uint64) {
	switch suite {
	case "upload":
		list := uploads()
		return func(n uint64) *pica.Job { return list[n] }, uint64(len(list))
	case "regressions":
		list := regressions()
		return func(n uint64) *pica.Job { return list[n] }, uint64(len(list))
	case "fields":
		list := sweep.Jobs()
		return func(n uint64) *pica.Job { return list[n].Job }, uint64(len(list))
	}
	var g gen.Generator
	return func(n uint64) *pica.Job {
		job := g.Job(gen.Seed(seed, n), gen.Mode(suite))
		job.Budget = min(job.Budget, budget)
		return view.Portable(job)
	}, 0
}

// regressions are the programs of the corpus. They are shared and must not be changed.
var regressions = sync.OnceValue(func() []*pica.Job { return slices.Collect(iter.Seq[*pica.Job](fingerprint.Corpus)) })

// uploads are programs that only move: every class of number, in both formats, as uniform and as
// input. They are shared and must not be changed.
var uploads = sync.OnceValue(func() (list []*pica.Job) {
	mov := pica.MOV.Layout()
	code := []uint32{
		mov.Src[0].Put(uint32(pica.MOV)<<26, pica.SourceUniform),
		mov.Src[0].Put(mov.Dest.Put(uint32(pica.MOV)<<26, pica.DestOutput+1), pica.SourceInput),
		uint32(pica.END) << 26,
	}
	add := func(uniform, input pica.NumberFormat, c, v pica.Vec4) {
		job := newJob(pica.Program{Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}})
		job.Floats = []pica.Upload{{Format: uniform, Values: []pica.Vec4{c}}}
		job.InputFormat, job.Vertices[0] = input, []pica.Vec4{v}
		list = append(list, view.Portable(job))
	}
	for format, values := range [...][]uint32{
		pica.Float24: {0, 0x800000, 0x3F0000, 0xBF0000, 1, 0x800001, 0x008000, 0x00FFFF, 0x010000, 0x810000, 0x7EFFFF,
			0xFEFFFF,
			0x7F0000, 0xFF0000, 0x7F8000, 0xFF8000, 0x7F0001, 0x3F5555, 0x410000, 0xC48000},
		pica.Float32: {0, 0x80000000, 0x3F800000, 0xBF800000, 1, 0x80000001, 0x00400000, 0x00800000, 0x1F000000,
			0x20000000, 0x20400000,
			0x20800000, 0x20800001, 0xA0800000, 0x5F7FFF80, 0x5F7FFFFF, 0x5F800000, 0xDF800000, 0x7F7FFFFF, 0x7F800000,
			0xFF800000, 0x7FC00000,
			0x3F800040, 0x3F800041, 0x3F80003F, 0x3F8000C0, 0xBF800040, 0x3DCCCCCD, 0x40490FDB, 0x3F7FFFFF, 0x41200000},
	} {
		f := pica.NumberFormat(format)
		for _, x := range values {
			v := pica.Vec4{x, x, x, x}
			add(f, pica.Float32, v, pica.Vec4{})
			add(pica.Float32, f, pica.Vec4{}, v)
		}
	}
	return list
})
