package vm

import "fmt"

// Reason says why vertices were handed to a slower tier.
type Reason uint8

// The reasons. ReasonArithmetic hands vertices from the native to the batch tier,
// every other reason to the scalar tier.
const (
	ReasonNone        Reason = iota
	ReasonGeometry           // a geometry program changes the state of the next vertex
	ReasonBeyond             // the program ran past its last word
	ReasonBudget             // the step budget may run out
	ReasonRemark             // a hazard that ends the run, or a remark that an outcome lists
	ReasonTrap               // an instruction that ends a run, or EMIT
	ReasonInstruction        // an instruction without a lane operation
	ReasonArithmetic         // an infinity, a NaN or a subnormal number as operand or result
	ReasonPause              // lanes lost every vertex of the chunk before
	NumReasons
)

var reasonNames = [NumReasons]string{"none", "geometry", "beyond program", "budget", "remark", "trap",
	"instruction", "arithmetic", "pause"}

// String returns "budget", say.
func (r Reason) String() string {
	if r < NumReasons {
		return reasonNames[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Stats counts the vertices that each tier ran to their ends, and by reason the
// vertices that were handed to a slower tier.
type Stats struct {
	Vertices   [NumTiers]int
	HandedDown [NumReasons]int
}

// Add adds the counts of another run.
func (s *Stats) Add(t Stats) {
	for k, n := range t.Vertices {
		s.Vertices[k] += n
	}
	for k, n := range t.HandedDown {
		s.HandedDown[k] += n
	}
}
