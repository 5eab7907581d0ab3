package writer

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/conform/source"
)

// defectPrefix is the prefix of the names of causes that are known defects.
const defectPrefix = "known defect: "

// Baseline returns the known defects of a dialect's own assembler as a baseline. ok is false if no dialect has the name.
func Baseline(dialect string) (baseline []byte, ok bool) {
	for _, d := range source.Dialects {
		if d.Name != dialect {
			continue
		}
		for _, x := range d.Defects() {
			baseline = fmt.Appendf(baseline, "%s %s # %s\n", strings.ReplaceAll(defectPrefix+x.Name, " ", "_"),
				strings.ReplaceAll(x.Class(), " ", "-"), x.About)
		}
		return baseline, true
	}
	return nil, false
}
