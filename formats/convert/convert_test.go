package convert_test

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// shbins returns the samples that are accepted.
func shbins(t *testing.T) map[string]*shbin.File {
	t.Helper()
	accepted := make(map[string]*shbin.File)
	for _, name := range samples.Glob(t, "*/*.shbin") {
		if f, err := shbin.Parse(samples.Read(t, name)); err == nil {
			accepted[path.Base(name)] = f
		}
	}
	return accepted
}

func to(t *testing.T, target string, model convert.Model) (convert.Model, convert.Report) {
	t.Helper()
	format, ok := convert.ByName(target)
	if !ok {
		t.Fatalf("no target %s", target)
	}
	result, report, err := format.Convert(model, convert.Options{})
	if err != nil {
		t.Fatalf("to %s: %v", target, err)
	}
	return result, report
}

// jobOf returns a job that runs a shader with its constants. None of its lists is nil, so
// that equal jobs are deeply equal.
func jobOf(s pica.Shader, p pica.Profile) pica.Job {
	job := pica.Job{Entry: s.Entry, Stage: s.Stage, OutMask: s.OutMask, Floats: append([]pica.Upload{}, s.Floats...),
		InputFormat: pica.Float24, Profile: p}
	job.Code, job.Descriptors = append([]uint32{}, s.Program.Code...), append([]uint32{}, s.Program.Descriptors...)
	for k, v := range s.Ints {
		job.Ints[k] = v
	}
	for k, v := range s.Bools {
		if v {
			job.Bools |= 1 << k
		}
	}
	return job
}

// alike demands that two programs compute the same on generated vertices; the same job has the
// same outcome and is not run. If the second program outputs registers that the first has only
// in its output table, the report must say so; these are compared as well.
func alike(t *testing.T, want, got []pica.Shader, vertices int, report convert.Report) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("got %d entry points, want %d", len(got), len(want))
	}
	p, err := profile.Parse("f24")
	if err != nil {
		t.Fatal(err)
	}
	const seed = 1
	engine := impl.New()
	var g gen.Generator
	var wantOut, gotOut pica.Outcome
	for i := range want {
		wantJob, gotJob := jobOf(want[i], p), jobOf(got[i], p)
		if wantJob.OutMask != gotJob.OutMask {
			if !slices.ContainsFunc(report,
				func(l convert.Loss) bool { return isLost(l.Kind) && strings.HasSuffix(l.Path, "output_mask") }) {
				t.Fatalf("entry point %d: output mask %04x became %04x and no report names it", i,
					wantJob.OutMask, gotJob.OutMask)
			}
			wantJob.OutMask = gotJob.OutMask
		}
		if reflect.DeepEqual(wantJob, gotJob) {
			continue
		}
		for n := range vertices {
			vertex := g.Vertex(gen.Seed(seed, uint64(n)))
			wantJob.Vertices, gotJob.Vertices = vertex, vertex
			if err := engine.Run(&wantJob, &wantOut); err != nil {
				break // more descriptors than can be run
			}
			if err := engine.Run(&gotJob, &gotOut); err != nil {
				t.Fatalf("entry point %d ran before and does not run now: %v", i, err)
			}
			if verdict, d := compare.Outcomes(&wantOut, &gotOut); verdict != compare.Equal {
				t.Fatalf("entry point %d, vertex %d of seed %d: %v: %v", i, n, seed, verdict, d)
			}
		}
	}
}

// TestSHBINThereAndBack converts every accepted sample to ZPSH and back. A report must name
// every difference, and programs compute the same on 1000 vertices for each entry point.
func TestSHBINThereAndBack(t *testing.T) {
	for name, f := range shbins(t) {
		t.Run(name, func(t *testing.T) {
			for _, revision := range []string{"zpsh@3", "zpsh@4"} {
				z, there := to(t, revision, f)
				b, err := z.AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				parsed, err := zpsh.Parse(b)
				if err != nil {
					t.Fatal(err)
				}
				back, backReport := to(t, "shbin", parsed)
				result, err := diff.Models(f, back, convert.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range result.Differences {
					if !named(d.Path, there, isLost) && !named(d.Path, backReport, isInvented) {
						t.Errorf("%s: %s: %q became %q and no report names it", revision, d.Path, d.A, d.B)
					}
				}
				vertices := 1000
				if testing.Short() || revision == "zpsh@3" {
					vertices = 20
				}
				alike(t, f.Shaders(), parsed.Shaders(), vertices, there)
				alike(t, f.Shaders(), back.(*shbin.File).Shaders(), vertices, there)
				// Converting again loses nothing more.
				again, _ := to(t, revision, back)
				if result, err = diff.Models(z, again, convert.Options{}); err != nil {
					t.Fatal(err)
				}
				for _, d := range result.Differences {
					if !named(d.Path, backReport, isLost) {
						t.Errorf("%s: %s: %q became %q the second time", revision, d.Path, d.A, d.B)
					}
				}
			}
		})
	}
}
