package wire_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

func TestRecord(t *testing.T) {
	r := wire.Record[uint16]{Size: 2, Get: binary.BigEndian.Uint16, Put: binary.BigEndian.PutUint16}
	b := []byte{1, 2, 3, 4}
	table := r.Decode(b)
	if !slices.Equal(table, []uint16{0x0102, 0x0304}) {
		t.Errorf("got %x", table)
	}
	out := make([]byte, 4)
	if r.Encode(out, table); !bytes.Equal(out, b) {
		t.Errorf("got %x, want %x", out, b)
	}
	if r.Decode(nil) != nil {
		t.Error("an empty table is not nil")
	}
}
