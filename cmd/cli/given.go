package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/show"
)

// notGivenText prints the registers without a value.
func notGivenText(w io.Writer, r *show.Run) {
	for _, row := range []struct {
		words string
		list  []show.Registers
	}{{"read and never set", r.NeverSet}, {"read without a value", r.WithoutValue}} {
		var texts []string
		for _, x := range row.list {
			texts = append(texts, safetext.Line(x.String()))
		}
		if texts != nil {
			fmt.Fprintf(w, "%s: %s\n", row.words, strings.Join(texts, ", "))
		}
	}
}
