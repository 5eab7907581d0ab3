package formattest

import "testing"

// MustParse returns the model of a file that must be accepted.
func (x Format[F]) MustParse(t testing.TB, b []byte) F {
	t.Helper()
	f, err := x.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// MustAppend returns the bytes of a model that must be valid.
func (x Format[F]) MustAppend(t testing.TB, f F) []byte {
	t.Helper()
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
