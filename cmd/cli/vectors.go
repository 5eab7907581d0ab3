package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/report/findings"
	"github.com/picaproof/picaproof/conform/vectors"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/pica"
)

// exportForms are the forms of vectors export.
var exportForms = []string{"jsonl", "c-header", "dir"}

func (a *app) vectorsCommand() *cobra.Command {
	return group("vectors", "Export and run test vectors for shader cores",
		"  picaproof vectors export --to jsonl -o vectors.jsonl\n  picaproof vectors verify vectors.jsonl",
		a.vectorsExportCommand(), a.vectorsVerifyCommand())
}

func (a *app) vectorsExportCommand() *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the executable vectors with the results of each profile",
		Long: `export writes every executable vector with its provenance and with the expected
results in each named profile. Vectors are programs that shader cores have executed
wrongly, and every instruction on every class of operands. The forms are

  jsonl     one JSON object a line; conform/vectors/vectors.schema.json says
  c-header  one C header for C99 and C++17, with a loop and a self-check, that
            needs no JSON
  dir       a directory (-o) with a JSON file for each vector

The vectors are CC0.

Exit status: 0 the vectors were written; 2 bad arguments, or a file that cannot be
written.`,
		Example: `  picaproof vectors export --to jsonl -o vectors.jsonl
  picaproof vectors export --to c-header -o picaproof_vectors.h
  picaproof vectors export --to dir -o vectors`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(*cobra.Command, []string) error {
			list, err := vectors.All()
			if err != nil {
				return err
			}
			switch form {
			case "c-header":
				return a.report(func(w io.Writer) error { return vectors.WriteHeader(w, list) })
			case "dir":
				return a.exportDirectory(list)
			}
			return a.report(func(w io.Writer) error { return vectors.WriteLines(w, list) })
		},
	}
	cmd.Flags().StringVar(&form, "to", "jsonl", "form: jsonl, c-header or dir, e.g. --to c-header")
	closedList(cmd, "to", exportForms...)
	return cmd
}

// exportDirectory writes a file for each vector.
func (a *app) exportDirectory(list []vectors.Vector) error {
	if a.output == "" || a.output == "-" {
		return fmt.Errorf("--to dir: name the directory with -o, e.g. -o vectors")
	}
	if err := os.MkdirAll(a.output, 0o777); err != nil {
		return err
	}
	for _, v := range list {
		b, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return err
		}
		if err := atomicfile.WriteBytes(filepath.Join(a.output, v.Name+".json"), append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) vectorsVerifyCommand() *cobra.Command {
	var engine, profileName string
	var core coreFlags
	var known baselineFlags
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Run a file of vectors",
		Long: `verify runs vectors in the form of export, one JSON object a line. It runs each vector
on the oracle in every profile for which the vector has expected results, or on the
named engine or core in its own profile.

Exit status: 0 all results are as expected; 1 some are not; 2 bad arguments or an
unreadable file.`,
		Example: `  picaproof vectors verify vectors.jsonl
  picaproof vectors verify vectors.jsonl --exec './mycore' --profile azahar-x64`,
		Args:        arguments(1, 1),
		Annotations: map[string]string{formatsAnnotation: reportFormats},
		RunE: func(cmd *cobra.Command, args []string) error {
			if core.exec != "" && profileName == "" {
				return fmt.Errorf("--exec: name the profile that the core is held to, e.g. --profile hw")
			}
			if profileName != "" {
				p, err := a.profile("profile", profileName)
				if err != nil {
					return err
				}
				profileName = p.Name
			}
			engines, end, err := a.cores(&core, engine)
			defer end()
			if err != nil {
				return err
			}
			return a.verifyVectors(args[0], engines.Got(), profileName, &known)
		},
	}
	engineFlag(cmd, &engine, "oracle", "engine that runs the vectors")
	cmd.Flags().StringVar(&profileName, "profile", "", "run the vectors in this profile alone, e.g. --profile hw")
	core.execFlag(cmd)
	core.timeoutFlag(cmd)
	known.flags(cmd)
	return cmd
}

func (a *app) verifyVectors(name string, engine pica.Engine, profileName string, known *baselineFlags) error {
	data, err := a.read(name)
	if err != nil {
		return err
	}
	r, err := vectors.Verify(strings.NewReader(string(data)), engine, profileName)
	if err != nil {
		return fmt.Errorf("%s: %w", shown(name), err)
	}
	verdicts := a.findings("vectors verify", []string{name}, diag.Error, 0)
	verdicts.Files = vectorVerdicts(r)
	mark := func(i int, _ bool, found []bool) {
		of := 0
		for k := range r.Failed {
			if r.Failed[k].Name == verdicts.Files[i].Name {
				r.Failed[k].Known = found[of]
				of++
			}
		}
	}
	return a.showFindings(verdicts, known, mark, r, func(w io.Writer, p palette) {
		for _, f := range r.Failed {
			fmt.Fprintf(w, "%s: %s: %s%s\n", p.bad(f.Name), f.Profile, f.Why, knownMark(f.Known))
		}
		fmt.Fprintf(w, "%s, %s: %s failed, %d skipped%s\n", plural(r.Vectors, "vector"), plural(r.Runs, "run"),
			thousands(len(r.Failed)), r.Skipped, knownText(verdicts.NumKnown()))
	})
}

// vectorVerdicts returns the vectors in the form of reports for tools: a vector that misses its
// expectation in a profile is a finding.
func vectorVerdicts(r *vectors.Report) (list []findings.File) {
	at := map[string]int{}
	for _, name := range r.Names {
		at[name] = len(list)
		list = append(list, findings.File{Name: name, Kind: "vector"})
	}
	for _, f := range r.Failed {
		x := &list[at[f.Name]]
		x.Findings = append(x.Findings,
			findings.Finding{Rule: "expectation", Level: findings.Error, Path: f.Profile, Text: f.Why})
	}
	return list
}
