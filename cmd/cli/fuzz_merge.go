package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/impl"
)

func (a *app) fuzzMergeCommand() *cobra.Command {
	var into string
	cmd := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Merge the shards of a campaign",
		Long: `merge reads the state directories of a campaign that ran with --shard and writes what they
found together into a new one: findings by cause, each with its first case and its files,
a corpus that is minimised for the coverpoints of all, and the counts. A merged campaign
equals one that ran without shards; it cannot go on.

A shard that is missing or damaged is reported. The files with findings of a damaged one are
copied into damaged-1, damaged-2 and so on, below --state.

Exit status: 0 no finding; 1 a finding; 2 bad arguments, a shard that is missing or damaged,
or directories that do not belong together.`,
		Example: "  picaproof fuzz merge shard-1 shard-2 shard-3 shard-4 --state night",
		Args:    arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			state, err := hunt.Open(into, 0)
			if err != nil {
				return err
			}
			defer func() { err = cmp.Or(err, state.Close()) }()
			m, err := hunt.Merge(state, args, a.mergedTargets)
			if err != nil {
				return err
			}
			r := newFuzzReport(into, state, m.Matrix)
			r.Damaged, r.Missing = m.Damaged, m.Missing
			for _, d := range m.Damaged {
				a.say(damageText(d))
			}
			for _, s := range m.Missing {
				a.say("shard " + s.String() + " is missing")
			}
			err = a.result(r, len(r.Buckets) > 0, func(w io.Writer, p palette) { fuzzText(w, p, r) })
			if (err == nil || errors.As(err, new(failure))) && len(m.Damaged)+len(m.Missing) > 0 {
				return errors.New("the campaign is not whole")
			}
			return err
		},
	}
	cmd.Flags().StringVar(&into, "state", "picaproof-campaign", "new directory for the whole, e.g. --state night")
	return cmd
}

// damageText describes a damaged shard.
func damageText(d hunt.Damage) string {
	text := shown(d.Dir) + " is damaged: " + d.Why
	if len(d.Files) > 0 {
		text += fmt.Sprintf("; %s with findings copied", plural(len(d.Files), "file"))
	}
	return text
}

// mergedTargets returns the targets of a campaign by their names. Their cases only show which coverpoints they reach.
func (a *app) mergedTargets(names []string) (list []hunt.Target, err error) {
	for _, name := range names {
		if from, ok := a.generator(name); ok {
			format, _ := a.formatNamed(name)
			list = append(list, hunt.Files(format, from))
			continue
		}
		modeName, profileName, _ := strings.Cut(name, " ")
		mode, err := gen.ParseMode(modeName)
		if err != nil {
			return nil, fmt.Errorf("target %q: %w", name, err)
		}
		p, err := a.profile("profile", profileName)
		if err != nil {
			return nil, fmt.Errorf("target %q: %w", name, err)
		}
		c := hunt.Comparison{Engines: hunt.Engines{Want: impl.New, Got: impl.New}, Name: name,
			Source: hunt.Generated(mode, p), Watch: true}
		list = append(list, c.Target())
	}
	return list, nil
}
