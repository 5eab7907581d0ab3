package show

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Registers is a range of registers that have one name, or none.
type Registers struct {
	Name  string `json:"name,omitempty"`
	First string `json:"first"`
	Last  string `json:"last"`
}

// String returns "proj c0-c3", "tint c5", or "c7".
func (r Registers) String() string {
	s := r.First
	if r.Last != r.First {
		s += "-" + r.Last
	}
	return strings.TrimLeft(r.Name+" "+s, " ")
}

// Semantics names the semantics of output registers: "o1" is "texcoord0.xy, texcoord1.zw". A semantic with four
// components stands alone.
func Semantics(outputs []pica.Output) map[string]string {
	m := map[string]string{}
	for _, o := range outputs {
		text := o.Semantic
		if o.Mask&15 != 15 {
			text += "."
			for k := range 4 {
				if o.Mask>>k&1 != 0 {
					text += "xyzw"[k : k+1]
				}
			}
		}
		name := fmt.Sprintf("o%d", o.Register)
		if before := m[name]; before != "" {
			text = before + ", " + text
		}
		m[name] = text
	}
	return m
}
