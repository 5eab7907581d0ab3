//go:build linux || darwin

package kit_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// BenchmarkCrashing measures requests to the toy core, which crashes on every fourth, including
// repeats in fresh processes.
func BenchmarkCrashing(b *testing.B) { benchmark(b, 4, 64) }

// BenchmarkToy measures requests without crashes, many at a time.
func BenchmarkToy(b *testing.B) { benchmark(b, 0, 64) }

// BenchmarkToyOneByOne measures requests that wait for each other.
func BenchmarkToyOneByOne(b *testing.B) { benchmark(b, 0, 1) }

// benchmark asks for jobs; every nth crashes.
func benchmark(b *testing.B, every, askers int) {
	core, err := adapter.Start(kittest.Toy(b)+" --fault crash-mad", adapter.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer core.Close()
	good, bad := mov(1), mov(1)
	bad.Code[0] = 0xe0000000 // mad o0, v0, v0, v0
	numbers := make(chan int)
	var group sync.WaitGroup
	for range min(askers, 32*runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for n := range numbers {
				j, want := good, adapter.Answered
				if every > 0 && n%every == 0 {
					j, want = bad, adapter.Crashed
				}
				if a := core.Ask(context.Background(), j); a.Fate != want {
					b.Error(fmt.Sprint(n, a.String()))
				}
			}
		})
	}
	b.ResetTimer()
	for n := range b.N {
		numbers <- n
	}
	close(numbers)
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
