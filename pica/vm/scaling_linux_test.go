package vm_test

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// clock reads a clock of processor time, which stops while other programs have the processor.
func clock(tb testing.TB, id int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// longBatch is a benchmark job with its vertices repeated.
func longBatch(tb testing.TB, program samples.Benchmark, count int) (*vm.Code, *vm.Batch) {
	code, batch := benchBatch(tb, program, &profileF32)
	rows := make([]pica.Vec4, 0, count*batch.Registers)
	for len(rows) < cap(rows) {
		rows = append(rows, batch.Rows[:min(len(batch.Rows), cap(rows)-len(rows))]...)
	}
	batch.Count, batch.Steps = count, nil
	batch.Rows, batch.OutRows = rows, make([]pica.Vec4, count*bits.OnesCount16(batch.OutMask))
	return code, batch
}

// move only reads the inputs of a batch and writes its outputs, in pieces that fit the caches.
func move(batch *vm.Batch) {
	const vertices = 64
	var piece [vertices * pica.NumInputs]pica.Vec4
	outputs := bits.OnesCount16(batch.OutMask)
	for k := 0; k < batch.Count; k += vertices {
		copy(piece[:], batch.Rows[k*batch.Registers:][:vertices*batch.Registers])
		copy(batch.OutRows[k*outputs:][:vertices*outputs], piece[:])
	}
}

// BenchmarkBatchSizes gives the cost of a vertex, in processor time, in batches of 2^10 to 2^20 vertices, the
// spread of the costs, and the cost of only moving inputs and outputs.
func BenchmarkBatchSizes(b *testing.B) {
	const smallest, largest = 10, 20
	for _, program := range samples.Benchmarks(b) {
		b.Run(program.Name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			code, all := longBatch(b, program, 1<<largest)
			var best, moved [largest + 1]float64
			for n := range best {
				best[n], moved[n] = math.Inf(1), math.Inf(1)
			}
			for b.Loop() {
				for n := smallest; n <= largest; n++ {
					batch := *all
					batch.Count = 1 << n
					runs := 1 << max(0, 14-n) // short runs are within the error of the clock
					start := clock(b, unix.CLOCK_THREAD_CPUTIME_ID)
					for range runs {
						if _, err := code.Run(&batch); err != nil {
							b.Fatal(err)
						}
					}
					took := clock(b, unix.CLOCK_THREAD_CPUTIME_ID) - start
					best[n] = min(best[n], float64(took)/float64(runs*batch.Count))
					start = clock(b, unix.CLOCK_THREAD_CPUTIME_ID)
					for range runs {
						move(&batch)
					}
					took = clock(b, unix.CLOCK_THREAD_CPUTIME_ID) - start
					moved[n] = min(moved[n], float64(took)/float64(runs*batch.Count))
				}
			}
			low, high := math.Inf(1), 0.0
			for n := smallest; n <= largest; n++ {
				low, high = min(low, best[n]), max(high, best[n])
			}
			b.ReportMetric(0, "ns/op")
			for n := smallest; n <= largest; n += 2 {
				b.ReportMetric(best[n], fmt.Sprintf("ns/vertex-2^%d", n))
			}
			b.ReportMetric(100*(high/low-1), "%apart")
			b.ReportMetric(moved[smallest], fmt.Sprintf("ns/vertex-moved-2^%d", smallest))
			b.ReportMetric(moved[largest], fmt.Sprintf("ns/vertex-moved-2^%d", largest))
		})
	}
}

// The environment of a process in BenchmarkThreads.
const (
	threadsVariable = "PICAPROOF_VM_THREADS" // how many threads
	threadVertices  = 1 << 16
	threadBatches   = 40
	threadJob       = "c_skin_lit"
)

// TestThreads is a process of BenchmarkThreads: when a line arrives, it runs batches on the given number of
// threads and prints the wall time and the processor time. On its own it demands one result of all threads.
func TestThreads(t *testing.T) {
	threads, batches := 2, 1
	said := os.Getenv(threadsVariable)
	if said != "" {
		var err error
		if threads, err = strconv.Atoi(said); err != nil {
			t.Fatal(err)
		}
		batches = threadBatches
	}
	var code *vm.Code
	var own []*vm.Batch
	for _, b := range samples.Benchmarks(t) {
		for len(own) < threads && b.Name == threadJob {
			var batch *vm.Batch
			code, batch = longBatch(t, b, threadVertices)
			own = append(own, batch)
			if _, err := code.Run(batch); err != nil {
				t.Fatal(err)
			}
		}
	}
	if said != "" {
		fmt.Println("ready")
		if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	wall, processor := time.Now(), clock(t, unix.CLOCK_PROCESS_CPUTIME_ID)
	var group sync.WaitGroup
	for _, batch := range own {
		group.Go(func() {
			for range batches {
				if _, err := code.Run(batch); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if said != "" {
		fmt.Printf("took %d %d\n", time.Since(wall), clock(t, unix.CLOCK_PROCESS_CPUTIME_ID)-processor)
		return
	}
	for _, batch := range own[1:] {
		if got, want := foldRows(batch.OutRows), foldRows(own[0].OutRows); got != want {
			t.Errorf("threads give %016x and %016x", want, got)
		}
	}
}

// BenchmarkThreads compares two threads of one process with two processes of one thread, over the same
// batches. The fastest run of each counts. The wall time needs a machine without other work.
func BenchmarkThreads(b *testing.B) {
	type process struct {
		cmd *exec.Cmd
		in  io.WriteCloser
		out *bufio.Reader
	}
	begin := func(threads int) *process {
		cmd := exec.Command(os.Args[0], "-test.run=^TestThreads$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", threadsVariable, threads))
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		p := &process{cmd, in, bufio.NewReader(out)}
		if line, err := p.out.ReadString('\n'); err != nil || strings.TrimSpace(line) != "ready" {
			b.Fatalf("%q, %v", line, err)
		}
		return p
	}
	// measure returns the wall time of the slowest process, and the processor time of all.
	measure := func(processes, threads int) (wall, processor time.Duration) {
		var list []*process
		for range processes {
			list = append(list, begin(threads))
		}
		for _, p := range list {
			if _, err := fmt.Fprintln(p.in); err != nil {
				b.Fatal(err)
			}
		}
		for _, p := range list {
			var w, c time.Duration
			if _, err := fmt.Fscanf(p.out, "took %d %d\n", &w, &c); err != nil {
				b.Fatal(err)
			}
			wall, processor = max(wall, w), processor+c
			_, _ = io.Copy(io.Discard, p.out)
			if err := p.cmd.Wait(); err != nil {
				b.Fatal(err)
			}
		}
		return wall, processor
	}
	var best [2][2]time.Duration // processes or threads; wall or processor time
	for b.Loop() {
		for k := range best {
			wall, processor := measure(2-k, 1+k)
			for n, d := range [2]time.Duration{wall, processor} {
				if best[k][n] == 0 || d < best[k][n] {
					best[k][n] = d
				}
			}
		}
	}
	const vertices = 2 * threadBatches * threadVertices
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(best[0][1])/vertices, "processes-ns/vertex")
	b.ReportMetric(float64(best[1][1])/vertices, "threads-ns/vertex")
	b.ReportMetric(float64(best[0][1])/float64(best[1][1]), "of-processes")
	b.ReportMetric(float64(best[0][0])/float64(best[1][0]), "of-processes-on-the-wall")
}
