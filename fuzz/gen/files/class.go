package files

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// ClassOf returns what a reader has to do with a file: to refuse it when it breaks a rule
// that no reader may pass over, to accept it when nothing is an error or a warning.
func ClassOf(format registry.Format, data []byte) (class diag.ReaderClass, because string) {
	return ClassIn(format, format.Check(data))
}

// ClassIn is ClassOf for a file with the given findings.
func ClassIn(format registry.Format, findings []diag.Finding) (class diag.ReaderClass, because string) {
	class = diag.MustAccept
	for _, f := range findings {
		if f.Severity == diag.Info {
			continue
		}
		if class == diag.MustAccept {
			class = diag.Either
		}
		i := slices.IndexFunc(format.Rules, func(r diag.Rule) bool { return r.ID == f.Rule })
		if i >= 0 && format.Rules[i].Readers(f.Severity) == diag.MustRefuse {
			return diag.MustRefuse, f.Rule
		}
	}
	return class, ""
}
