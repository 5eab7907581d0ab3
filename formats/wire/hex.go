package wire

import (
	"encoding/hex"
	"fmt"
)

// Hex is bytes that a model keeps unchanged. Its text form, which JSON uses, is
// lower-case hex.
type Hex []byte

// MarshalText implements encoding.TextMarshaler.
func (h Hex) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hex) UnmarshalText(b []byte) (err error) {
	*h, err = hex.AppendDecode(nil, b)
	return err
}

// DecodeHex reads a field of fixed size from its text form: two digits for each
// byte of to.
func DecodeHex(to, text []byte) error {
	if len(text) != 2*len(to) {
		return fmt.Errorf("%d hex digits, want %d", len(text), 2*len(to))
	}
	_, err := hex.Decode(to, text)
	return err
}
