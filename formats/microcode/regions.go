package microcode

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/latte"
)

// Regions returns the regions of a file in which the words of the programs of a model have owners of their own: an
// instruction has its text as value, its path ends in the number of its word. A program that cannot be taken apart
// stays one region.
func Regions(model any, regions []diag.Region) []diag.Region {
	list, _ := Of(model)
	programs := make(map[string]*latte.Program, len(list))
	for _, p := range list {
		if decoded, err := latte.Decode(p.Code); err == nil {
			programs[p.Path] = decoded
		}
	}
	var out []diag.Region
	for _, r := range regions {
		if p := programs[r.Path]; p != nil && p.Size == r.Len {
			out = append(out, words(p, r)...)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// Refused returns the words of the programs that a refused GSH or SHARCFB has, from the regions that could be told.
func Refused(data []byte, regions []diag.Region) (list []diag.Region) {
	for _, r := range regions {
		if !strings.HasSuffix(r.Path, ".code") && !strings.HasSuffix(r.Path, ".copy_code") {
			continue
		}
		if p, err := latte.Decode(data[r.Off : r.Off+r.Len]); err == nil {
			list = append(list, words(p, r)...)
		}
	}
	return list
}

// words divides the region of a program.
func words(p *latte.Program, code diag.Region) (list []diag.Region) {
	add := func(off, n int, kind diag.RegionKind, value string) {
		list = append(list, diag.Region{Off: code.Off + off, Len: n, Kind: kind,
			Path: fmt.Sprintf("%s[%d]", code.Path, off/latte.WordBytes), Value: value})
	}
	for _, l := range latte.Lines(p) {
		if l.Instruction {
			add(l.Off, l.Len, diag.FieldRegion, strings.TrimSpace(l.Text))
		}
	}
	for i := range p.Groups {
		if g := &p.Groups[i]; g.LiteralWords > 0 {
			add(g.LiteralAt*latte.WordBytes, g.LiteralWords*latte.WordBytes, diag.FieldRegion, "literals")
		}
	}
	for _, g := range p.Gaps {
		kind := diag.PaddingRegion
		if g.Data != nil {
			kind = diag.GapRegion
		}
		add(g.At*latte.WordBytes, g.Words*latte.WordBytes, kind, "")
	}
	slices.SortFunc(list, func(a, b diag.Region) int { return cmp.Compare(a.Off, b.Off) })
	return list
}
