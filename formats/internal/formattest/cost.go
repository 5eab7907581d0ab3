package formattest

import (
	"runtime"
	"testing"
	"time"
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
		if got, limit := allocated(c.run), c.each*uint64(len(b))+1<<20; got > limit {
			t.Errorf("%s allocates %d bytes for %d, want at most %d", c.name, got, len(b), limit)
		}
	}
}

func allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Linear checks that an input eight times as long takes at most about eight
// times as long, with much room for noise: a quadratic walk takes 64 times as
// long. A busy machine spoils some measurements, so only one that fails every
// time counts. build makes an input of a size.
func (x Format[F]) Linear(t *testing.T, build func(size int) []byte, size int) {
	t.Helper()
	const longer, room, attempts = 8, 4, 12
	short, long := build(size), build(longer*size)
	ratio := float64(len(long)) / float64(len(short))
	for name, run := range map[string]func(b []byte){
		"Parse": func(b []byte) { x.Parse(b) },
		"Check": func(b []byte) { x.Check(b) },
	} {
		linear := false
		one, many := time.Hour, time.Hour
		for n := 0; n < attempts && !linear; n++ {
			one, many = fastest(func() { run(short) }), fastest(func() { run(long) })
			linear = many <= time.Duration(ratio*room*float64(one))+2*time.Millisecond
		}
		if !linear {
			t.Errorf("%s takes %v for %d bytes and %v for %d", name, one, len(short), many, len(long))
		}
	}
}

// fastest returns the shortest of some runs.
func fastest(run func()) time.Duration {
	best := time.Hour
	for range 5 {
		start := time.Now()
		run()
		best = min(best, time.Since(start))
	}
	return best
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
