package vm_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// interpreter is testdata/interpreter/interpreter.c with a program: the yardstick of the VM's speed.
type interpreter struct {
	in  io.Writer
	out *bufio.Reader
}

// buildInterpreter compiles the interpreter with the system's compiler.
func buildInterpreter(tb testing.TB) (binary string) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		tb.Skipf("no C compiler: %v", err)
	}
	binary = filepath.Join(tb.TempDir(), "interpreter")
	cmd := exec.Command(compiler, "-std=c99", "-O2", "-ffp-contract=off", "-fno-math-errno", "-o", binary,
		filepath.FromSlash("testdata/interpreter/interpreter.c"), "-lm")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// startInterpreter starts the interpreter with the program, uniforms and inputs of a job.
func startInterpreter(tb testing.TB, binary string, job *pica.Job) *interpreter {
	cmd := exec.Command(binary)
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			tb.Error(err)
		}
	})
	var uniforms [pica.NumFloats]pica.Vec4
	for _, u := range job.Floats {
		for k, v := range u.Values {
			u.Format.WidenVector(&uniforms[u.Register+k], &v)
		}
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%x %x %x %x %x %x %x\n", len(job.Code), len(job.Descriptors), job.Entry,
		job.OutMask, job.Bools,
		len(job.Vertices[0]), len(job.Vertices))
	number := func(x uint32) { fmt.Fprintf(&text, "%x ", x) }
	for _, v := range uniforms {
		for _, x := range v {
			number(x)
		}
	}
	for _, v := range job.Ints {
		for _, x := range v {
			number(uint32(x))
		}
	}
	for _, list := range [][]uint32{job.Code, job.Descriptors} {
		for _, x := range list {
			number(x)
		}
	}
	for _, registers := range job.Vertices {
		for _, v := range registers {
			for _, x := range v {
				number(x)
			}
		}
	}
	if _, err := text.WriteTo(in); err != nil {
		tb.Fatal(err)
	}
	return &interpreter{in, bufio.NewReader(out)}
}

// run makes passes over the vertices and returns the fastest.
func (c *interpreter) run(tb testing.TB, passes int) (took time.Duration, steps int, checksum uint64) {
	_, err := fmt.Fprintln(c.in, passes)
	if err == nil {
		_, err = fmt.Fscanf(c.out, "%d %d %x\n", &took, &steps, &checksum)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return took, steps, checksum
}

// The interpreter gives the recorded results of the benchmark jobs; where profile f32 skips instructions,
// the results of an oracle that runs them.
func TestInterpreter(t *testing.T) {
	binary := buildInterpreter(t)
	for _, b := range samples.Benchmarks(t) {
		job := loadBench(t, b, profileF32)
		want, ok := b.Checksum["f32"]
		if !ok {
			job.Profile.Support = [pica.NumOpcodes]pica.Support{}
			var out pica.Outcome
			if err := impl.New().Run(job, &out); err != nil {
				t.Fatal(err)
			}
			for k := range out.Vertices {
				want = fold(want, &out, job.OutMask, &out.Vertices[k])
			}
		}
		if _, _, got := startInterpreter(t, binary, job).run(t, 1); got != want {
			t.Errorf("%s: got %016x, want %016x", b.Name, got, want)
		}
	}
}

// BenchmarkInterpreter alternates passes of the interpreter and of the VM's fastest
// tier in profile f32, and gives the fastest of each and the ratio.
func BenchmarkInterpreter(b *testing.B) {
	binary := buildInterpreter(b)
	for _, program := range samples.Benchmarks(b) {
		b.Run(program.Name, func(b *testing.B) {
			code, batch := benchBatch(b, program, &profileF32)
			batch.Steps = nil
			c := startInterpreter(b, binary, loadBench(b, program, profileF32))
			best, native, steps := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64), 0
			for b.Loop() {
				took, n, _ := c.run(b, 1)
				best, steps = min(best, took), n
				// Eight passes take as long as one of the interpreter: both have the same chance of a
				// quiet machine.
				for range 8 {
					start := time.Now()
					if _, err := code.Run(batch); err != nil {
						b.Fatal(err)
					}
					native = min(native, time.Since(start))
				}
			}
			vertices := float64(batch.Count)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(best)/vertices, "ns/vertex")
			b.ReportMetric(float64(best)/float64(steps), "ns/instr")
			b.ReportMetric(float64(native)/vertices, "vm-ns/vertex")
			b.ReportMetric(float64(best)/float64(native), "times")
		})
	}
}
