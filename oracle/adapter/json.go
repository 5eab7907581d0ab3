package adapter

import (
	"encoding/json"
	"fmt"
)

// unmarshalArray reads a JSON array of exactly the elements that fields point
// to.
func unmarshalArray(b []byte, fields []any) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	if len(raw) != len(fields) {
		return fmt.Errorf("%d elements, want %d", len(raw), len(fields))
	}
	for i, r := range raw {
		if err := json.Unmarshal(r, fields[i]); err != nil {
			return err
		}
	}
	return nil
}
