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
		if got, limit := Allocated(c.run), c.each*uint64(len(b))+1<<20; got > limit {
			t.Errorf("%s allocates %d bytes for %d, want at most %d", c.name, got, len(b), limit)
		}
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

// patience is how long Linear goes on before it believes that a ratio is bad.
const patience = 10 * time.Second

// Linear checks that reading a byte of an input eight times as long takes at
// most four times as long: a quadratic walk takes eight times as long. build
// makes an input of a size, which short tests divide by four; they read each once.
//
// Both inputs are read in turn and their times are summed until the ratio is
// good, so that a busy machine delays both alike: it makes the test slow, not
// wrong.
func (x Format[F]) Linear(t *testing.T, build func(size int) []byte, size int) {
	t.Helper()
	const longer, limit = 8, 4
	rounds := 3
	if testing.Short() {
		size, rounds = size/4, 1
	}
	short, long := build(size), build(longer*size)
	times := len(long) / len(short)
	for name, run := range map[string]func(b []byte){
		"Parse": func(b []byte) { x.Parse(b) },
		"Check": func(b []byte) { x.Check(b) },
	} {
		var one, many time.Duration
		for round := 1; ; round++ {
			start := time.Now()
			for range times {
				run(short)
			}
			middle := time.Now()
			run(long)
			one, many = one+middle.Sub(start), many+time.Since(middle)
			if round >= rounds && many <= limit*one {
				break
			}
			if one+many > patience {
				t.Errorf("%s takes %v for %d times %d bytes and %v for %d, summed over %d rounds",
					name, one, times, len(short), many, len(long), round)
				break
			}
		}
	}
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
