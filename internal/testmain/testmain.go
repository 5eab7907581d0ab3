// Package testmain serves this module: it runs the tests of packages that allocate much and keep
// little.
package testmain

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Run runs tests, as TestMain has to. Garbage is collected less often than in programs:
// collections would take up to half of the time. Benchmarks, and those who set GOGC, are
// left alone.
func Run(m *testing.M) {
	flag.Parse()
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	m.Run()
}
