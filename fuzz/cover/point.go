package cover

//go:generate go run ./blocks -o zpoints.go
//go:generate go test -run ^TestPoints$ -update .

// Point is the number of a coverpoint, from 1 to NumPoints-1. Numbers change with the
// tables of this package; names never change.
type Point uint16

// None is the point of everything without one: combinations that profile f24 cannot
// produce.
const None Point = 0

// Group is a group of points in a report.
type Group string

// The groups.
const (
	Opcodes      Group = "opcodes"    // instructions executed
	Operands     Group = "operands"   // register files, swizzles, negation, masks, address registers
	Unary        Group = "unary"      // value class of the operand of RCP, RSQ, EX2, LG2, FLR
	Binary       Group = "binary"     // value classes of both operands of ADD, MUL, MAX, MIN, SGE, SLT
	Values       Group = "values"     // value class of each operand of the other instructions
	Results      Group = "results"    // value class of the result
	Rounding     Group = "rounding"   // direction of rounding
	Conditions   Group = "conditions" // conditions, comparisons, uniforms that decide
	Flow         Group = "flow"       // the consequences of the console's stacks, spec 4.1 and 4.2
	Scopes       Group = "scopes"     // depths, overflows, ends that coincide, transfers, entries
	Pairs        Group = "pairs"      // instructions executed one after the other
	GeometryUnit Group = "geometry"   // emitter and output banks
	Traps        Group = "traps"      // hazards and causes of traps
)

// Info describes a point.
type Info struct {
	Point Point
	Group Group
	Name  string // "add/src=-inf,+subnormal"
}

// Points lists all points in the order of their numbers. The slice is shared
// and must not be changed.
func Points() []Info { return points()[1:] }

// Info returns the description of p; None is named "none".
func (p Point) Info() Info { return points()[p] }

// String returns the name of p.
func (p Point) String() string { return points()[p].Name }
