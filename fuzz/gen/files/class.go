package files

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// ClassOf returns the duty of a reader with a file: it must refuse a file that breaks a rule which no reader may pass
// over, and accept a file without errors and warnings.
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
