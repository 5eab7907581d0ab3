package conform_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestSlowStart: the progress says that a core starts slowly.
func TestSlowStart(t *testing.T) {
	p, _ := profile.ByName("hw")
	var starts atomic.Int64
	core := adapter.InProcess("slow", p, func() pica.Engine {
		const first = 8 // three of them are measured
		if starts.Add(1) <= first {
			time.Sleep(time.Second / 2)
		}
		return impl.New()
	})
	told := false
	judged(t, core, conform.Options{Suites: []string{"upload"}, Cases: 8, Progress: func(text string) {
		told = told || strings.Contains(text, "each start of the core takes ")
	}})
	if !told {
		t.Error("the progress does not say so")
	}
}
