package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/cmd/project"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/atomicfile"
)

// projectKey is a key of the project file with the flags whose defaults it is, by their commands.
type projectKey struct {
	project.Key
	flags  map[string]target
	isFile bool // its value is the name of a file, relative to the directory of the project file
}

// target is a flag of a command that a key sets.
type target struct {
	flag string
	// takes reports whether the value is one for this command. Nil takes all.
	takes func(value string) bool
}

// projectKeys lists the keys of the project file.
func projectKeys() []projectKey {
	var rules []string
	for _, c := range expect.Catalogues() {
		for _, r := range c.Rules {
			if registry.KnownRule(r.ID) || isLint(r.ID) {
				rules = append(rules, r.ID)
			}
		}
	}
	return []projectKey{
		{Key: project.Key{Name: "expect", Values: writerNames(), Example: `"picasso-2.0"`,
			Text: "The program that writes the files: check leaves out the findings that it is known for.\nOne of " +
				strings.Join(writerNames(), ", ") + "."},
			flags: map[string]target{"check": {flag: "expect"}}},
		{Key: project.Key{Name: "ignore", List: true, Values: rules, Example: `["DVLE003", "PICA004"]`,
			Text: "Rules that check and lint leave out; `picaproof rules` lists them."},
			flags: map[string]target{"check": {"ignore", registry.KnownRule}, "lint": {"ignore", isLint}}},
		{Key: project.Key{Name: "fail-on", Values: severities, Example: `"warning"`,
			Text: "The lowest severity with which check and lint fail: error, warning or info."},
			flags: map[string]target{"check": {flag: "fail-on"}, "lint": {flag: "fail-on"}}},
		{Key: project.Key{Name: "baseline", Example: `"known-findings.txt"`,
			Text: "The file of the findings that check expects, relative to this file. Write it with\n" +
				"picaproof check --write-baseline known-findings.txt build/"},
			flags: map[string]target{"check": {flag: "baseline"}}, isFile: true},
		{Key: project.Key{Name: "lint-baseline", Example: `"known-hazards.txt"`,
			Text: "The same for lint."},
			flags: map[string]target{"lint": {flag: "baseline"}}, isFile: true},
	}
}

// keysOf returns the keys without their flags.
func keysOf(list []projectKey) (keys []project.Key) {
	for _, k := range list {
		keys = append(keys, k.Key)
	}
	return keys
}

// settle gives the flags of a command that the command line does not set the values of the project
// file, and stores its name.
func (a *app) settle(cmd *cobra.Command) error {
	keys := projectKeys()
	if cmd.Parent() != cmd.Root() ||
		!slices.ContainsFunc(keys, func(k projectKey) bool { return k.flags[cmd.Name()].flag != "" }) {
		return nil
	}
	f, err := project.Find(".", keysOf(keys))
	if f == nil || err != nil {
		return err
	}
	for _, k := range keys {
		to := k.flags[cmd.Name()]
		flag := cmd.Flags().Lookup(to.flag)
		values, ok := f.Setting(k.Name)
		if to.takes != nil {
			values = slices.DeleteFunc(values, func(v string) bool { return !to.takes(v) })
		}
		if flag == nil || flag.Changed || !ok || len(values) == 0 {
			continue
		}
		if k.isFile {
			if values[0] = besides(f.Path, values[0]); !reads(cmd, values[0]) {
				continue
			}
		}
		if err := cmd.Flags().Set(flag.Name, strings.Join(values, ",")); err != nil {
			return fmt.Errorf("%s: %s: %w", f.Path, k.Name, err)
		}
		a.settings = f.Path
	}
	return nil
}

// besides returns the name of a file relative to the directory of another.
func besides(other, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(other), filepath.FromSlash(name))
}

// reads reports whether a command reads the baseline of the project file: one that writes the first
// baseline has none to read.
func reads(cmd *cobra.Command, baseline string) bool {
	_, err := os.Stat(baseline)
	return err == nil || !cmd.Flags().Changed("write-baseline")
}

// settingsText ends a summary with the name of the project file, if it has set a flag.
func (a *app) settingsText() string {
	if a.settings == "" {
		return ""
	}
	return "; settings of " + shown(a.settings)
}

// settingsHelp ends the help of commands that the project file has settings for.
const settingsHelp = "Defaults of flags stand in " + project.Name + "; picaproof init writes one."

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a project file with every setting, commented out",
		Long: `init writes ` + project.Name + ` into the working directory: the defaults of check and lint for
this directory and all below it. A flag of the command line beats the file. Of several
files the nearest counts, upward from the working directory, and it counts alone.

Exit status: 0 the file was written; 2 there is one already, or it cannot be written.`,
		Example: `  picaproof init
  picaproof init -o -`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(*cobra.Command, []string) error {
			text := bytesOf(project.Template(keysOf(projectKeys())))
			if a.output != "" {
				return a.report(text)
			}
			if err := folder(".").prepare([]string{project.Name}); err != nil {
				return err
			}
			if err := atomicfile.Write(project.Name, text); err != nil {
				return err
			}
			if !a.quiet {
				_, err := fmt.Fprintf(a.stdout, "wrote %s\n", project.Name)
				return err
			}
			return nil
		},
	}
}
