package gx2

// shape is a type as words: a scalar or vector is one column.
type shape struct {
	columns, rows uint32
	double        bool // a number takes two words
}

// shape returns the shape of a type; of void and of unknown types it has no columns.
func (t VarType) shape() shape {
	switch {
	case t == 0 || !t.Known():
		return shape{}
	case t <= 4: // bool, int, uint, float
		return shape{columns: 1, rows: 1}
	case t <= 8: // double to double4
		return shape{columns: 1, rows: uint32(t - 4), double: true}
	case t <= 20: // three vectors of each type
		return shape{columns: 1, rows: uint32(2 + (t-9)%3)}
	}
	const matrices = 9
	i := uint32(t - 21)
	k := i % matrices
	return shape{columns: 2 + k/3, rows: 2 + k%3, double: i >= matrices}
}

// words returns the size of one variable. The columns of a matrix start at multiples of 4 words, long
// ones of doubles at multiples of 8.
func (s shape) words() uint64 {
	rows, stride := uint64(s.rows), uint64(4)
	if s.double {
		if rows *= 2; rows > stride {
			stride *= 2
		}
	}
	return stride*uint64(max(s.columns, 1)-1) + rows
}

// sizes has the size of one variable of each type.
var sizes = func() (list [len(varTypeNames)]uint64) {
	for t := range list {
		list[t] = VarType(t).shape().words()
	}
	return list
}()

// Words returns the size of n variables in an array, each of which but the last takes whole columns; 0
// when the size of the type is not known.
func (t VarType) Words(n uint64) uint64 {
	if uint64(t) >= uint64(len(sizes)) || sizes[t] == 0 {
		return 0
	}
	one := sizes[t]
	return (max(n, 1)-1)*((one+3)&^3) + one
}

// locations returns how many locations an attribute takes: one for each column and element.
func (v *AttribVar) locations() uint64 {
	return uint64(max(v.Type.shape().columns, 1)) * uint64(max(v.Count, 1))
}
