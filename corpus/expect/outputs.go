package expect

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Outputs returns the named outputs of every vertex in the notation of vectors:
//
//	o0 to o15   the four components in hexadecimal, or "unwritten"
//	cc          "10": cc.x is set, cc.y is not
//	a0          "-1,2"
//	triangles   o0 of slots 0, 1, 2 as stored, after "reversed" if the winding
//	            is, one after the other
func Outputs(out *pica.Outcome, names []string) (map[string][]string, error) {
	outputs := make(map[string][]string, len(names))
	for _, name := range names {
		for k := range out.Vertices {
			text, err := spelled(out.Storage, &out.Vertices[k], name)
			if err != nil {
				return nil, err
			}
			outputs[name] = append(outputs[name], text)
		}
	}
	return outputs, nil
}

func spelled(storage pica.NumberFormat, v *pica.VertexOutcome, name string) (string, error) {
	switch name {
	case "cc":
		return bit(v.CC[0]) + bit(v.CC[1]), nil
	case "a0":
		return fmt.Sprintf("%d,%d", v.Address[0], v.Address[1]), nil
	case "triangles":
		var words []string
		for _, p := range v.Primitives {
			if p.Inverted {
				words = append(words, "reversed")
			}
			for k := range p.Vertices {
				words = append(words, spell(storage, p.Vertices[k][0]))
			}
		}
		return strings.Join(words, " "), nil
	}
	n, err := outputNumber(name)
	if err != nil {
		return "", err
	}
	return spell(storage, v.O[n]), nil
}

func spell(storage pica.NumberFormat, v pica.Vec4) string {
	if v == unwrittenVector {
		return "unwritten"
	}
	return storage.Hex(v[0]) + storage.Hex(v[1]) + storage.Hex(v[2]) + storage.Hex(v[3])
}

func bit(set bool) string {
	if set {
		return "1"
	}
	return "0"
}
