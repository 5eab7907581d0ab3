package report

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// fillMatrix fills the matrix of operand classes from the names of the coverpoints, such as
// "add/src=-inf,nan", and from the causes.
func (r *Report) fillMatrix() {
	r.Classes, r.Matrix = nil, []Row{}
	for c := range pica.NumNumberClasses {
		r.Classes = append(r.Classes, c.String())
	}
	for _, list := range []struct {
		names  []string
		judged bool
	}{{r.Coverpoints.Judged, true}, {r.Coverpoints.Masked, false}, {r.Coverpoints.NotJudged, false}} {
		for _, name := range list.names {
			opcode, rest, _ := strings.Cut(name, "/")
			if source, values, _ := strings.Cut(rest, "="); strings.HasPrefix(source, "src") {
				r.count(opcode, values, list.judged)
			}
		}
	}
	slices.SortFunc(r.Matrix, func(a, b Row) int { return strings.Compare(a.Opcode, b.Opcode) })
	for i := range r.Matrix {
		row := &r.Matrix[i]
		for k := range r.Deviations {
			if d := &r.Deviations[k]; len(d.Members) > 0 && slices.Contains(d.Opcodes, row.Opcode) {
				for c := range row.Cells {
					row.Cells[c].Wrong = row.Cells[c].Known > 0
				}
			}
		}
	}
}

// count counts a point in the columns of its classes.
func (r *Report) count(opcode, values string, judged bool) {
	i := slices.IndexFunc(r.Matrix, func(row Row) bool { return row.Opcode == opcode })
	if i < 0 {
		i = len(r.Matrix)
		r.Matrix = append(r.Matrix, Row{Opcode: opcode, Cells: make([]Cell, len(r.Classes))})
	}
	for _, v := range slices.Compact(strings.Split(values, ",")) {
		if k := slices.Index(r.Classes, v); k >= 0 {
			c := &r.Matrix[i].Cells[k]
			c.Known++
			if judged {
				c.Judged++
			}
		}
	}
}
