package vm

// Fault is a mistake planted in a table of the fast tiers.
type Fault struct {
	Name   string
	Masked bool // shows only if vertices take different paths
	Plant  func() (mend func())
}

// swap is a fault that exchanges two entries of a table.
func swap[T any](name string, a, b *T) Fault {
	exchange := func() { *a, *b = *b, *a }
	return Fault{Name: name, Plant: func() func() { exchange(); return exchange }}
}

// change is a fault that gives an entry another value.
func change[T any](name string, entry *T, value T) Fault {
	return Fault{Name: name, Plant: func() func() {
		old := *entry
		*entry = value
		return func() { *entry = old }
	}}
}

// Faults lists the planted faults: operations lowered to others, wrong constants, exchanged functions,
// and native handlers that compute another function or ignore the mask.
func Faults() (list []Fault) {
	for _, pair := range [][2]laneOp{{laneAdd, laneMul}, {laneMax, laneMin}, {laneSge, laneSlt}, {laneRcp, laneRsq},
		{laneEx2, laneLg2}, {laneFlr, laneMov}} {
		var at [2]*laneOp
		for k := range laneOps {
			for n, op := range pair {
				if laneOps[k] == op && (op != laneMov || k == 0x13) {
					at[n] = &laneOps[k]
				}
			}
		}
		list = append(list, swap("lowering of two operations", at[0], at[1]))
	}
	for k := range 6 {
		list = append(list, change("relation of CMP", &relations[k], relations[k]^1<<(k%3)))
	}
	list = append(list, change("one", &literals[0][1], 0x3F800080), change("bound", &literals[1][0], 0xC2FFFE80),
		change("bound", &literals[1][1], 0x42FFFF00))
	for m := range unary {
		for k := range unary[m] {
			list = append(list, swap("function of the batch tier", &unary[m][k], &unary[m][(k+1)%len(unary[m])]))
		}
	}
	if !haveNative {
		return list
	}
	t := handlerTable()
	entry := func(m model, op laneOp, form, masked int) *uintptr {
		return &t[2*((int(m)*int(numLaneOps)+int(op))*nativeForms+form)+masked]
	}
	for m := range numModels {
		for _, op := range []laneOp{laneMov, laneAdd, laneMul, laneMax, laneMin, laneSge, laneSlt, laneRcp, laneRsq,
			laneEx2, laneLg2, laneFlr, laneDot3, laneDot4} {
			for form := range 2 {
				other := laneMov
				switch op {
				case laneMov:
					other = laneFlr
				case laneDot3, laneDot4:
					other = laneDot3 + laneDot4 - op
				}
				if *entry(m, op, form, 0) != 0 {
					list = append(list,
						change("native handler of another operation", entry(m, op, form, 0),
							*entry(m, other, form, 0)))
				}
			}
		}
		for _, op := range []laneOp{laneMov, laneAdd, laneMul, laneMad} {
			f := change("native handler without mask", entry(m, op, 0, 1), *entry(m, op, 0, 0))
			f.Masked = true
			list = append(list, f)
		}
	}
	return list
}
