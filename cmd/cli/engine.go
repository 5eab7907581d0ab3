package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// engineFlag adds the flag for an engine.
func engineFlag(cmd *cobra.Command, name *string, fallback, usage string) {
	cmd.Flags().StringVar(name, "engine", fallback, usage+": oracle or vm, e.g. --engine "+fallback)
	must(cmd.RegisterFlagCompletionFunc("engine", words("oracle", "vm")))
}

// defaultProfile is the profile of commands without --profile.
const defaultProfile = "f24"

// profileFlag adds the flag for a profile.
func profileFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().StringVar(name, "profile", defaultProfile, usage+"; @FILE reads it from a file")
	must(cmd.RegisterFlagCompletionFunc("profile", words(profile.Names()...)))
}

// profile returns the profile of a flag: a name, or @ and the name of a file with a profile.
func (a *app) profile(flag, name string) (pica.Profile, error) {
	if file, ok := strings.CutPrefix(name, "@"); ok {
		data, err := a.read(file)
		if err != nil {
			return pica.Profile{}, err
		}
		name = string(data)
	}
	p, err := profile.Parse(name)
	if err != nil {
		return p, fmt.Errorf("--%s: %w", flag, err)
	}
	return p, nil
}

// engine returns a function that makes the engine of --engine.
func (a *app) engine(name string) (func() pica.Engine, error) {
	switch name {
	case "oracle":
		return impl.New, nil
	case "vm":
		return vm.New, nil
	}
	if e := a.Engines[name]; e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("--engine %q: want oracle or vm%s", name, nearest.Hint(name, []string{"oracle", "vm"}))
}

// engines returns the oracle and the engine of --engine.
func (a *app) engines(name string) (hunt.Engines, error) {
	got, err := a.engine(name)
	e := hunt.Engines{Want: impl.New, Got: got}
	if name != "vm" {
		e.Arguments = " --engine " + name
	}
	return e, err
}

// engineError describes the refusal of an engine in the words of the command line.
func engineError(profileName, engine string, err error) error {
	if errors.Is(err, pica.ErrUnsupportedProfile) {
		return fmt.Errorf("--profile %s: the %s does not implement it", profileName, engine)
	}
	return err
}
