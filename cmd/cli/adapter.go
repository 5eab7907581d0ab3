package cli

import (
	"fmt"
	"path/filepath"

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
request is answered with status bad-request.`,
		Example: `  echo '{"id":1,"code":"4c00000088000000","desc":"0d86c36f","in":["3f800000400000004040000040800000"]}' |
    picaproof adapter self --profile f24
  echo '{"op":"info"}' | picaproof adapter self --engine vm`,
		Args:        cobra.NoArgs,
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

func (a *app) kitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kit",
		Short: "Write the headers with which a core in C or C++ speaks the protocol",
		Long: `adapter kit writes picaproof_kit.h (C99) and picaproof_kit.hpp (C++17) to the
directory -o. Each is a single file without dependencies; docs/adapter.md shows
what to do with it.`,
		Example:     `  picaproof adapter kit -o mycore/tests`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(*cobra.Command, []string) error {
			if a.output == "" || a.output == "-" {
				return fmt.Errorf("name the directory with -o, e.g. -o mycore/tests")
			}
			err := atomicfile.WriteBytes(filepath.Join(a.output, "picaproof_kit.h"), kit.HeaderC)
			if err != nil {
				return err
			}
			return atomicfile.WriteBytes(filepath.Join(a.output, "picaproof_kit.hpp"), kit.HeaderCpp)
		},
	}
}
