package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// stateFlag adds the flag for the journal of a run that goes on.
func stateFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "state", "",
		"file of the answers so far, from which the same command goes on, e.g. --state run1.answers")
}

// asLike are flags that may change from one part of a run to the next.
var asLike = map[string]bool{"state": true, "jobs": true, "max-time": true, "baseline": true, "write-baseline": true,
	"help": true}

// journalOf opens the journal of a command, which stores nothing without a name. The journal belongs
// to the flags of the command.
func journalOf(cmd *cobra.Command, name string) (*journal.Journal, error) {
	options := map[string]string{"command": cmd.CommandPath()}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !asLike[f.Name] {
			options["--"+f.Name] = f.Value.String()
		}
	})
	options[journal.Programs] = command.Content(cmd.Flag("exec").Value.String())
	return journal.Open(name, options)
}
