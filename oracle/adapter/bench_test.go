//go:build linux || darwin

package adapter_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// serveVM is the mode in which the test binary serves the VM.
func serveVM() {
	p, err := profile.Parse("f24")
	if err != nil {
		panic(err)
	}
	s := adapter.Server{Engine: vm.New(), Profile: p, Resolve: profile.Parse}
	if err := s.Serve(os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

// BenchmarkTransport measures the cost of asking a core in other processes: the program of
// BenchmarkServe on the VM, without temporaries, answers parsed.
func BenchmarkTransport(b *testing.B) {
	for _, vertices := range []int{1, 64} {
		for _, processes := range []int{1, 2} {
			b.Run(fmt.Sprintf("vertices=%d/processes=%d", vertices, processes), func(b *testing.B) {
				exe, err := os.Executable()
				if err != nil {
					b.Fatal(err)
				}
				core, err := adapter.Start(exe+" hostile vm",
					adapter.Options{Processes: processes, NoTemporaries: true})
				if err != nil {
					b.Fatal(err)
				}
				defer core.Close()
				j := job(0)
				j.Code = words(b, "4e0000000220080008200800240008000c00100088000000")
				for len(j.Vertices) < vertices {
					j.Vertices = append(j.Vertices, j.Vertices[0])
				}
				b.ReportAllocs()
				b.ResetTimer()
				var askers sync.WaitGroup
				work := make(chan *pica.Job)
				for range 32 * runtime.GOMAXPROCS(0) {
					askers.Go(func() {
						for j := range work {
							if a := core.Ask(context.Background(), j); a.Fate != adapter.Answered {
								b.Errorf("got %v", &a)
							}
						}
					})
				}
				for range b.N {
					work <- j
				}
				close(work)
				askers.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
				b.ReportMetric(float64(b.N*vertices)/b.Elapsed().Seconds(), "vertices/s")
			})
		}
	}
}

func words(b *testing.B, hex string) (w []uint32) {
	for r := strings.NewReader(hex); r.Len() > 0; {
		var x uint32
		if _, err := fmt.Fscanf(r, "%8x", &x); err != nil {
			b.Fatal(err)
		}
		w = append(w, x)
	}
	return w
}
