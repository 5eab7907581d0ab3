package formattest

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/picaproof/picaproof/internal/long"
)

// Bounds checks that Parse allocates at most 16 bytes for each byte of the
// input, Check 32, each a mebibyte besides.
func (x Format[F]) Bounds(t *testing.T, b []byte) {
	t.Helper()
	for _, c := range []struct {
		name string
		each uint64
		run  func()
	}{
		{"Parse", 16, func() { x.Parse(b) }},
		{"Check", 32, func() { x.Check(b) }},
	} {
		if got, limit := Allocated(c.run), c.each*uint64(len(b))+1<<20; got > limit {
			t.Errorf("%s allocates %d bytes for %d, want at most %d", c.name, got, len(b), limit)
		}
	}
}

// Hostile makes, by name, files of about n bytes that try to be expensive.
type Hostile map[string]func(n int) []byte

// Memory holds files of two sizes, each of them hostile, to Bounds: 20,000 bytes and a tenth of large, and some, in
// long runs all, of large.
func (x Format[F]) Memory(t *testing.T, files Hostile, large int) {
	t.Helper()
	bounds := func(name string, n int) {
		t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) { x.Bounds(t, files[name](n)) })
	}
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		bounds(name, 20_000)
		bounds(name, large/10)
	}
	for _, name := range long.Items(t, names, long.Few(2, 1)) {
		bounds(name, large)
	}
}

// Allocated returns the number of bytes that run allocates.
func Allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Linear checks that reading a byte of an input eight times as long takes at most four times the work: a quadratic
// walk takes eight times. build makes an input of a size, which short tests divide by four.
//
// Work is processor time of the thread, so that a busy machine does not count. What disturbs it only adds, so the
// least work of each input is compared, of two rounds or, if their ratio is bad, of up to fifty. A collection of
// garbage before each of these lets a run use the memory of the one before: the first write to a page that the system
// has just given can take longer than the walk over it.
func (x Format[F]) Linear(t *testing.T, build func(size int) []byte, size int) {
	t.Helper()
	const longer, limit, rounds, most = 8, 4, 2, 50
	if testing.Short() {
		size /= 4
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	short, long := build(size), build(longer*size)
	times := len(long) / len(short)
	for name, run := range map[string]func(b []byte){
		"Parse": func(b []byte) { x.Parse(b) },
		"Check": func(b []byte) { x.Check(b) },
	} {
		run(short) // the first run is slower
		one, many := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for round := 1; round <= rounds || many > limit*one && round <= most; round++ {
			one = min(one, work(round > rounds, func() {
				for range times {
					run(short)
				}
			}))
			many = min(many, work(round > rounds, func() { run(long) }))
		}
		if many > limit*one {
			t.Errorf("%s takes %v for %d times %d bytes and %v for %d, the least of %d rounds", name, one, times,
				len(short), many, len(long), most)
		}
	}
}

// work returns the processor time of run, after a collection of garbage if clean is set.
func work(clean bool, run func()) time.Duration {
	if clean {
		runtime.GC()
	}
	start := processorTime()
	run()
	return processorTime() - start
}

// BenchmarkParse, BenchmarkCheck and BenchmarkWrite measure the three on one
// file.

func (x Format[F]) BenchmarkParse(b *testing.B, data []byte) {
	x.bench(b, data, func() {
		if _, err := x.Parse(data); err != nil {
			b.Fatal(err)
		}
	})
}

func (x Format[F]) BenchmarkCheck(b *testing.B, data []byte) {
	x.bench(b, data, func() { x.Check(data) })
}

func (x Format[F]) BenchmarkWrite(b *testing.B, data []byte) {
	f, err := x.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	out := make([]byte, 0, len(data))
	x.bench(b, data, func() {
		if _, err := f.AppendBinary(out[:0]); err != nil {
			b.Fatal(err)
		}
	})
}

func (x Format[F]) bench(b *testing.B, data []byte, run func()) {
	b.Run(x.Name, func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			run()
		}
	})
}
