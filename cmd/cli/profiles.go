package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// profileEntry is one named set in the JSON report of profiles.
type profileEntry struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// profileReport is the JSON report of one profile.
type profileReport struct {
	Name     string            `json:"name"`
	Settings []profile.Setting `json:"settings"`
}

func (a *app) profilesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "profiles [NAME]",
		Short: "List the profiles, or explain the rules of one with their sources",
		Long: `profiles lists the named profiles. With a profile (a name, or a name with knobs such
as hw,round=rne) it prints the value of every knob with a sentence and its kind of
source: console (observed on one), documented (a page states it), implementation (the
named programs do it) or guess (our choice).

Exit status: 0 the profile was printed; 2 there is no such profile.`,
		Example: `  picaproof profiles
  picaproof profiles hw
  picaproof profiles hw,round=rne --format json`,
		Args: arguments(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return profile.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listProfiles()
			}
			p, err := profile.Parse(args[0])
			if err != nil {
				return err
			}
			return a.explainProfile(p)
		},
	}
}

func (a *app) listProfiles() error {
	entries := make([]profileEntry, len(profile.Sets))
	rows := []string{"PROFILE\tWHAT IT DESCRIBES"}
	for i, s := range profile.Sets {
		entries[i] = profileEntry{s.Name, s.About}
		rows = append(rows, s.Name+"\t"+s.About)
	}
	return a.result(entries, false, func(w io.Writer, _ palette) { table(w, 0, rows...) })
}

func (a *app) explainProfile(p pica.Profile) error {
	settings := profile.Describe(p)
	rows := []string{"KNOB\tVALUE\tSOURCE\tRULE"}
	for _, s := range settings {
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s", s.Knob, s.Value, s.Class, s.About))
	}
	return a.result(profileReport{p.Name, settings}, false, func(w io.Writer, _ palette) { table(w, 0, rows...) })
}
