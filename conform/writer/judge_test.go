package writer

import (
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/pica"
)

// TestOrder: of several undeclared constants the first register is shown each time, and the
// search for an unused constant begins with the first register.
func TestOrder(t *testing.T) {
	one, two := pica.Vec4{0x3F0000}, pica.Vec4{0x400000}
	model := &source.Meaning{
		Values: []source.Value{{Class: 'c', Register: 95, First: 95, Size: 1, Value: pica.Vec4{0x3F800000}}}}
	for range 50 {
		table := map[register]pica.Vec4{{'c', 9}: one, {'c', 3}: two, {'c', 5}: one, {'i', 1}: {}, {'b', 2}: {}}
		f := compareConstants(model, 0, table, newRegisters(model))
		if f == nil || f.where != "b2" || len(table) != 5 {
			t.Fatalf("got %+v", f)
		}
		delete(table, register{'b', 2})
		delete(table, register{'i', 1})
		if f := compareConstants(model, 0, table, newRegisters(model)); f == nil || f.where != "c3" {
			t.Fatalf("got %+v, want c3", f)
		}
		delete(table, register{'c', 3})
		if f := compareConstants(model, 0, table, newRegisters(model)); f == nil || f.where != "c9" {
			t.Fatalf("got %+v, want c9: the constant is in c5", f)
		}
	}
}
