package writer

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/conform/source"
)

// defectPrefix is the prefix of the names of causes that are known defects.
const defectPrefix = "known defect: "

// Baselines has the known defects of the dialects' own assemblers as baselines, by the name of
// the dialect.
var Baselines = func() map[string][]byte {
	m := map[string][]byte{}
	for _, d := range source.Dialects {
		var b strings.Builder
		for i := range d.Defects {
			x := &d.Defects[i]
			fmt.Fprintf(&b, "%s %s # %s\n", strings.ReplaceAll(defectPrefix+x.Name, " ", "_"),
				strings.ReplaceAll(x.Class(), " ", "-"), x.About)
		}
		m[d.Name] = []byte(b.String())
	}
	return m
}()
