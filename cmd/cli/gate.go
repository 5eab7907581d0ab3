package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
)

// gate decides what a command lets pass that it did not judge. The zero gate lets everything pass.
type gate struct {
	closed                   bool
	allowEmpty, allowUnknown bool
}

// flags closes the gate, and adds the flags that open it.
func (g *gate) flags(cmd *cobra.Command) {
	g.closed = true
	cmd.Flags().BoolVar(&g.allowEmpty, "allow-empty", false,
		"accept a directory without files of known formats, e.g. --allow-empty build")
	cmd.Flags().BoolVar(&g.allowUnknown, "allow-unknown", false,
		"pass over files of unknown formats or with an unknown magic, e.g. --allow-unknown build")
}

// passes reports whether the gate lets the command pass over a file.
func (g *gate) passes(s *source, f file) bool {
	if !g.allowUnknown || s.as != "" || s.also != nil && s.also(f) {
		return false
	}
	_, magic := registry.Detect("", f.data)
	return !magic
}

// empty returns an error about named directories without a judged file.
func (g *gate) empty(names []string, judged map[string]bool) error {
	if !g.closed || g.allowEmpty {
		return nil
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return judged[name] })
	if len(names) == 0 {
		return nil
	}
	for i := range names {
		names[i] = shown(names[i])
	}
	return fmt.Errorf("%s: no file of a known format; --allow-empty accepts that", strings.Join(names, ", "))
}
