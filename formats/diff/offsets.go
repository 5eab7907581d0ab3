package diff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// CodeOffset has the offset of a difference in code in each file; nil where a file lacks the code.
type CodeOffset struct {
	A *int `json:"a,omitempty"`
	B *int `json:"b,omitempty"`
}

// String returns "0x34", or "0x34, 0x38" if the code is elsewhere in the second file.
func (o CodeOffset) String() string {
	switch {
	case o.A == nil:
		return fmt.Sprintf("0x%x", *o.B)
	case o.B == nil || *o.A == *o.B:
		return fmt.Sprintf("0x%x", *o.A)
	}
	return fmt.Sprintf("0x%x, 0x%x", *o.A, *o.B)
}

// CodeOffsets returns the offsets of the differences in code, by path. regions owns the bytes of each file.
func CodeOffsets(list []Difference, regions [2][]diag.Region) map[string]CodeOffset {
	var places [2]map[string]int
	for i, owners := range regions {
		places[i] = map[string]int{}
		for _, r := range owners {
			places[i][r.Path] = r.Off
		}
	}
	offsets := map[string]CodeOffset{}
	for _, d := range list {
		table, index, ok := strings.Cut(d.Path, "code[")
		if !ok {
			continue
		}
		var o CodeOffset
		if d.A != "" {
			o.A = offsetOfCode(places[0], d.Path, table+"code", index)
		}
		if d.B != "" {
			o.B = offsetOfCode(places[1], d.Path, table+"code", index)
		}
		if o != (CodeOffset{}) {
			offsets[d.Path] = o
		}
	}
	return offsets
}

// offsetOfCode returns the offset of a region with a path: an element of a table, or "0x8]" in a region of code.
func offsetOfCode(places map[string]int, path, code, index string) *int {
	if off, ok := places[path]; ok {
		return &off
	}
	off, whole := places[code]
	n, err := strconv.ParseInt(strings.TrimSuffix(index, "]"), 0, 32)
	if !whole || err != nil || !strings.HasPrefix(index, "0x") {
		return nil
	}
	off += int(n)
	return &off
}
