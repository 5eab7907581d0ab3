package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/picaproof/picaproof/cmd/cli"
)

// accessories returns the files that every archive has: README and licence of a clone, manual pages of
// every command with the date of the commit, and completions.
func accessories(clone string, at time.Time) (map[string]file, error) {
	files := map[string]file{}
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(clone, name))
		if err != nil {
			return nil, err
		}
		files[name] = file{data: data}
	}
	root := cli.Tool{}.Command()
	return files, errors.Join(addManual(files, root, at), addCompletions(files, root))
}

// addManual adds a manual page for a command and for each command below it.
func addManual(files map[string]file, cmd *cobra.Command, at time.Time) error {
	cmd.DisableAutoGenTag = true
	var page bytes.Buffer
	if err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &at, Source: "picaproof", Manual: "picaproof"},
		&page); err != nil {
		return err
	}
	name := ""
	for c := cmd; c != nil; c = c.Parent() {
		name = "-" + c.Name() + name
	}
	files["man/"+name[1:]+".1"] = file{data: page.Bytes()}
	for _, below := range cmd.Commands() {
		if err := addManual(files, below, at); err != nil {
			return err
		}
	}
	return nil
}

// addCompletions adds the completions of the shells.
func addCompletions(files map[string]file, root *cobra.Command) error {
	var bash, zsh, fish, power bytes.Buffer
	err := errors.Join(root.GenBashCompletionV2(&bash, true), root.GenZshCompletion(&zsh),
		root.GenFishCompletion(&fish, true), root.GenPowerShellCompletionWithDesc(&power))
	for name, b := range map[string]*bytes.Buffer{"picaproof.bash": &bash, "_picaproof": &zsh, "picaproof.fish": &fish,
		"picaproof.ps1": &power} {
		files["completions/"+name] = file{data: b.Bytes()}
	}
	return err
}
