package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/internal/nearest"
)

// meant returns ", did you mean \"check\"?" with the candidate that is nearest to a name, or "".
func meant(name string, candidates []string) string {
	if best := nearest.Of(name, slices.Values(candidates)); best != "" {
		return fmt.Sprintf(", did you mean %q?", best)
	}
	return ""
}

// noArgs refuses arguments. To a command with commands of its own, an argument is a mistyped one.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasSubCommands():
		return fmt.Errorf("%s takes no arguments: found %q", cmd.CommandPath(), args[0])
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), meant(args[0], names))
}

// unknownRule returns the error about an id that no rule has.
func unknownRule(id string) error {
	var ids []string
	for _, c := range expect.Catalogues() {
		for _, r := range c.Rules {
			ids = append(ids, r.ID)
		}
	}
	return fmt.Errorf("%q is no rule, 'picaproof rules' lists them%s", id, meant(id, ids))
}

// unknownFlag adds the flag that was probably meant to the error about an unknown one.
func unknownFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fmt.Errorf("%w%s", err, meant("--"+unknown.GetSpecifiedName(), names))
	}
	return err
}
