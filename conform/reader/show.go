package reader

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// findings formats the first findings of a file, at most a few.
func (x *run) findings(from gen.Format, data []byte) (s string) {
	format, _ := registry.ByName(from.Name)
	const most = 3
	list := complaints(format, data)
	for _, f := range list[:min(len(list), most)] {
		s += f.String() + "\n"
	}
	if n := len(list) - most; n > 0 {
		s += fmt.Sprintf("and %d more findings\n", n)
	}
	return s
}

// complaints returns the findings of a file without remarks.
func complaints(format registry.Format, data []byte) []diag.Finding {
	return slices.DeleteFunc(format.Check(data), func(f diag.Finding) bool { return f.Severity == diag.Info })
}

// dump shows the beginning of a file in hexadecimal.
func dump(data []byte) string {
	const most = 256
	s := fmt.Sprintf("%d bytes\n", len(data))
	if len(data) > most {
		return s + hex.Dump(data[:most]) + "...\n"
	}
	return s + hex.Dump(data)
}
