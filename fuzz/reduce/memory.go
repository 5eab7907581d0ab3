package reduce

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
)

// Memory remembers the verdict on every judged candidate, by hash, so that none is judged
// twice, not even after an interruption. It belongs to one predicate. The zero Memory is empty
// and ready to use.
type Memory struct{ verdicts map[hash]bool }

// Len returns the number of judged candidates.
func (m *Memory) Len() int { return len(m.verdicts) }

func (m *Memory) get(h hash) (good, known bool) {
	good, known = m.verdicts[h]
	return good, known
}

func (m *Memory) store(h hash, good bool) {
	if m.verdicts == nil {
		m.verdicts = make(map[hash]bool)
	}
	m.verdicts[h] = good
}

// record is the length of a hash and its verdict.
const record = len(hash{}) + 1

// MarshalText returns the memory as base64.
func (m *Memory) MarshalText() ([]byte, error) {
	records := make([][]byte, 0, len(m.verdicts))
	for h, good := range m.verdicts {
		verdict := byte(0)
		if good {
			verdict = 1
		}
		records = append(records, append(h[:], verdict))
	}
	slices.SortFunc(records, bytes.Compare)
	return base64.StdEncoding.AppendEncode(nil, bytes.Join(records, nil)), nil
}

// UnmarshalText reads what MarshalText writes.
func (m *Memory) UnmarshalText(text []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || len(b)%record != 0 {
		return fmt.Errorf("memory of a reduction: %d characters are not whole records", len(text))
	}
	m.verdicts = make(map[hash]bool, len(b)/record)
	for ; len(b) > 0; b = b[record:] {
		m.store(hash(b[:len(hash{})]), b[record-1] != 0)
	}
	return nil
}
