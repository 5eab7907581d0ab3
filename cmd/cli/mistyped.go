package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/internal/nearest"
)

// noArgs refuses arguments. To a command with commands of its own, an argument is a mistyped one.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasSubCommands():
		return fmt.Errorf("%s takes no arguments: found %q", cmd.CommandPath(), args[0])
	}
	return unknownCommand(cmd, args[0])
}

// unknownCommand returns the error about a name that no command of cmd has.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q%s", name, cmd.CommandPath(), nearest.Hint(name, names))
}

// helpCommand prints the help of a command. Cobra's own prints the help of the root for a mistyped one.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]...",
		Short:   "Help about any command",
		Example: "  picaproof help conform core",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(found, rest[0])
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// anyNumber is the largest number of arguments of a command that takes any.
const anyNumber = math.MaxInt

// arguments refuses fewer or more arguments than a command takes, and says how it is called.
func arguments(least, most int) cobra.PositionalArgs {
	wanted := plural(least, "argument")
	switch {
	case most == anyNumber:
		wanted += " or more"
	case least < most:
		wanted = "at most " + plural(most, "argument")
	}
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		return fmt.Errorf("%s takes %s, found %d: %s", cmd.CommandPath(), wanted, len(args), cmd.UseLine())
	}
}

// unknownRule returns the error about an id that no rule has.
func unknownRule(id string) error {
	var ids []string
	for _, c := range expect.Catalogues() {
		for _, r := range c.Rules {
			ids = append(ids, r.ID)
		}
	}
	return fmt.Errorf("%q is no rule, 'picaproof rules' lists them%s", id, nearest.Hint(id, ids))
}

// unknownFlag adds the flag that was probably meant to the error about an unknown one, and says which
// values a flag has.
func unknownFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fmt.Errorf("%w%s", err, nearest.Hint("--"+unknown.GetSpecifiedName(), names))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		return fmt.Errorf("--%s %q: want %s", f.Name, invalid.GetValue(), valuesOf(f))
	}
	return err
}

// valuesOf describes the values of a flag by its type.
func valuesOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case kind == "bool":
		return "true or false"
	case kind == "duration":
		return "a duration, such as 90s or 10m"
	case strings.HasPrefix(kind, "uint"):
		return "a whole number that is not negative"
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	}
	return "another value: picaproof --help"
}
