package gsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
)

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format.Faults(t, gshgen.Format) }
