package wire

// Record is how the entries of a table are read and written: a fixed number of
// bytes each, one after the other.
type Record[T any] struct {
	Size int
	Get  func(b []byte) T
	Put  func(b []byte, v T)
}

// Decode reads the entries that fill b; nil when there are none.
func (r Record[T]) Decode(b []byte) []T {
	n := len(b) / r.Size
	if n == 0 {
		return nil
	}
	table := make([]T, n)
	for i := range table {
		table[i] = r.Get(b[i*r.Size : (i+1)*r.Size])
	}
	return table
}

// Encode writes the entries to b, which has room for them.
func (r Record[T]) Encode(b []byte, table []T) {
	for i, v := range table {
		r.Put(b[i*r.Size:(i+1)*r.Size], v)
	}
}
