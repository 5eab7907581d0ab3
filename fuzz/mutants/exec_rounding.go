package mutants

import "github.com/picaproof/picaproof/oracle"

// roundingFaults break the rounding of finite results.
var roundingFaults = []fault[oracle.Arithmetic]{
	{"ties-go-away-from-zero", "nearest means ties to even (7.1)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, flush bool) uint32 {
			if mode == oracle.Nearest && n.Sig&1 == 0 && n.Sig < 1<<60 {
				n.Sig, n.Exp = n.Sig<<2|1, n.Exp-2
			}
			return f.Round(n, mode, flush)
		})},
	{"nearest-truncates", "f24 and f32 round to nearest (7.2, 7.4)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, _ oracle.Direction, flush bool) uint32 {
			return f.Round(n, oracle.TowardZero, flush)
		})},
	{"truncation-rounds", "hw truncates (7.3)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, _ oracle.Direction, flush bool) uint32 {
			return f.Round(n, oracle.Nearest, flush)
		})},
	{"sticky-bit-is-forgotten", "a result is rounded from its exact value (7.1)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, flush bool) uint32 {
			n.Sig &^= 1
			if n.Sig == 0 {
				n.Sig = 1
			}
			return f.Round(n, mode, flush)
		})},
	{"rounds-twice-through-float32", "a result is rounded once (7.1)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, flush bool) uint32 {
			if x := oracle.Binary32.Unpack(oracle.Binary32.Round(n, oracle.Nearest, false)); x.Class == oracle.Finite {
				n = x
			}
			return f.Round(n, mode, flush)
		})},
	{"overflow-saturates", "what is too large is infinite (7.1)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, flush bool) uint32 {
			x := f.Round(n, mode, flush)
			if f.IsInf(x) {
				x--
			}
			return x
		})},
	{"underflow-is-gradual", "hw flushes results below the normal range (7.3)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, _ bool) uint32 {
			return f.Round(n, mode, false)
		})},
	{"underflow-is-abrupt", "f24 and f32 have subnormal results (7.2, 7.4)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, _ bool) uint32 {
			return f.Round(n, mode, true)
		})},
	{"underflow-loses-the-sign", "a result that underflows keeps its sign where it is not flushed (7.1)",
		rounding(func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction, flush bool) uint32 {
			if x := f.Round(n, mode, flush); !f.IsZero(x) {
				return x
			}
			return 0
		})},
}

// rounding replaces the rounding of finite results.
func rounding(f func(f *oracle.NumberFormat, n oracle.Number, mode oracle.Direction,
	flush bool) uint32) func(*oracle.Arithmetic) {
	return func(a *oracle.Arithmetic) { a.Round = f }
}

// truncated computes f with results cut instead of rounded.
func truncated(f unary) unary {
	return func(u *oracle.Unit, a uint32) uint32 {
		w := *u
		w.Ops.Round = func(f *oracle.NumberFormat, n oracle.Number, _ oracle.Direction, flush bool) uint32 {
			return f.Round(n, oracle.TowardZero, flush)
		}
		return f(&w, a)
	}
}
