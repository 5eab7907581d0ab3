package diff

import (
	"bytes"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// Regions compares the fields and opaque bytes of two files that a parser may have refused. It pairs regions by path
// and compares their bytes; a and b own the bytes of the data beside them. The second result counts
// further differences that were not kept.
func Regions(a []diag.Region, dataA []byte, b []diag.Region, dataB []byte) (list []Difference, more int) {
	list = []Difference{}
	add := func(d Difference) {
		if len(list) < maxDifferences {
			list = append(list, d)
		} else {
			more++
		}
	}
	other := map[string][]diag.Region{}
	for _, r := range b {
		other[r.Path] = append(other[r.Path], r)
	}
	for _, r := range a {
		if r.Kind != diag.FieldRegion && r.Kind != diag.OpaqueRegion {
			continue
		}
		pairs := other[r.Path]
		if len(pairs) == 0 {
			add(Difference{Path: r.Path, A: regionText(&r, dataA)})
			continue
		}
		pair := pairs[0]
		other[r.Path] = pairs[1:]
		if !bytes.Equal(dataA[r.Off:r.Off+r.Len], dataB[pair.Off:pair.Off+pair.Len]) {
			add(Difference{r.Path, regionText(&r, dataA), regionText(&pair, dataB)})
		}
	}
	for _, r := range b {
		if left := other[r.Path]; len(left) > 0 && left[0].Off == r.Off &&
			(r.Kind == diag.FieldRegion || r.Kind == diag.OpaqueRegion) {
			other[r.Path] = left[1:]
			add(Difference{Path: r.Path, B: regionText(&r, dataB)})
		}
	}
	return list, more
}

// regionText returns the value of a region or else its first bytes.
func regionText(r *diag.Region, data []byte) string {
	const few = 16
	if r.Value != "" {
		return r.Value
	}
	text := fmt.Sprintf("% x", data[r.Off:r.Off+min(r.Len, few)])
	if r.Len > few {
		text += fmt.Sprintf(" and %d more", r.Len-few)
	}
	return text
}
