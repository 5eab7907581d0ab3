package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/kit"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
)

func (a *app) adapterCommand() *cobra.Command {
	var profileName, engine string
	self := &cobra.Command{
		Use:   "self",
		Short: "Serve the adapter protocol with the oracle or the VM",
		Long: `adapter self reads one JSON request a line from standard input and answers each
with one line on standard output, in order, until the input ends. A malformed
request is answered with status bad-request.

Exit status: 0 at the end of the input; 2 bad arguments, or input that cannot be read.`,
		Example: `  echo '{"id":1,"code":"4c00000088000000","desc":"0d86c36f","in":["3f800000400000004040000040800000"]}' |
    picaproof adapter self --profile f24
  echo '{"op":"info"}' | picaproof adapter self --engine vm`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text,json"},
		RunE: func(*cobra.Command, []string) error {
			newEngine, err := a.engine(engine)
			if err != nil {
				return err
			}
			p, err := a.profile("profile", profileName)
			if err != nil {
				return err
			}
			s := adapter.Server{Engine: newEngine(), Profile: p, Resolve: profile.Parse}
			return s.Serve(a.stdin, a.stdout)
		},
	}
	profileFlag(self, &profileName, "profile of requests that name none, e.g. --profile hw")
	engineFlag(self, &engine, "oracle", "engine that answers the requests")
	return group("adapter", "Drive shader cores, or be driven, through the line protocol",
		"  picaproof adapter self", self, a.kitCommand())
}

// kits are the files of adapter kit.
var kits = []struct {
	language, name string
	text           []byte
}{
	{"c", "picaproof_kit.h", kit.HeaderC},
	{"c++", "picaproof_kit.hpp", kit.HeaderCpp},
	{"python", "picaproof_kit.py", kit.Python},
	{"rust", "picaproof_kit.rs", kit.Rust},
}

func (a *app) kitCommand() *cobra.Command {
	const all = "all"
	var language string
	languages := []string{all}
	for _, k := range kits {
		languages = append(languages, k.language)
	}
	cmd := &cobra.Command{
		Use:   "kit",
		Short: "Write the files with which a core in C, C++, Python or Rust speaks the protocol",
		Long: `adapter kit writes picaproof_kit.h (C99), picaproof_kit.hpp (C++17),
picaproof_kit.py (Python 3.8) and picaproof_kit.rs (Rust 2021) to the directory
-o. Each is a single file without dependencies; docs/adapter.md shows what to do
with it.

Exit status: 0 the files were written; 2 bad arguments, or a file that cannot be written.`,
		Example: `  picaproof adapter kit -o mycore/tests
  picaproof adapter kit --lang rust -o src`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(*cobra.Command, []string) error {
			if a.output == "" || a.output == "-" {
				return fmt.Errorf("name the directory with -o, e.g. -o mycore/tests")
			}
			for _, k := range kits {
				if language != all && language != k.language {
					continue
				}
				if err := atomicfile.WriteBytes(filepath.Join(a.output, k.name), k.text); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&language, "lang", all, "language: "+strings.Join(languages, ", ")+", e.g. --lang rust")
	closedList(cmd, "lang", languages...)
	return cmd
}
