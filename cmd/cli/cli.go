// Package cli is the picaproof command line: it reads arguments and files,
// calls the packages that know, and prints what they say.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/diag"
)

// Exit statuses, documented in --help.
const (
	exitClean    = 0 // nothing wrong
	exitFindings = 1 // an error finding or a difference
	exitUsage    = 2 // bad arguments, or a file that cannot be read or written
)

// app is one invocation: its streams and the global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	format string
	output string
	color  string
	quiet  bool
}

// failure ends a command with exit status 1. Its message, if it has one, is
// printed on standard error.
type failure struct{ msg string }

func (f failure) Error() string { return f.msg }

// errFindings ends a command whose report already says what is wrong.
var errFindings = failure{}

// Main runs one command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.status(root.Execute())
}

// interruptible returns a context that ends at the first Ctrl-C, for work that
// reports what it has by then. Other commands end at once.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt)
}

func (a *app) status(err error) int {
	var fail failure
	var refused *diag.ParseError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &fail):
		if fail.msg != "" {
			fmt.Fprintln(a.stderr, "picaproof:", fail.msg)
		}
		return exitFindings
	case errors.As(err, &refused), errors.Is(err, diag.ErrInvalid), errors.Is(err, diag.ErrLayout):
		fmt.Fprintln(a.stderr, "picaproof:", err)
		return exitFindings
	}
	fmt.Fprintln(a.stderr, "picaproof:", err)
	return exitUsage
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "picaproof",
		Short: "The independent judge of console shader binaries and shader cores",
		Long: `picaproof checks shader binaries of the 3DS and its successors, executes PICA200
programs on a reference that is right by construction, and shows where two
executors part. Without a command it runs the demo.

Exit status: 0 nothing wrong; 1 an error finding or a difference; 2 bad
arguments, or a file that cannot be read or written.`,
		Example: `  picaproof demo
  picaproof check shader.shbin
  picaproof dump shader.shbin
  picaproof run shader.shbin --in v0=1,2,3,4`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.format, "format", "text", "form of the report, e.g. --format json")
	flags.StringVarP(&a.output, "output", "o", "", "write the report or file here instead of standard output, e.g. -o report.json")
	flags.StringVar(&a.color, "color", "auto", "auto, always or never, e.g. --color never")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no closing summary, e.g. check -q dir")
	must(root.RegisterFlagCompletionFunc("format", words("text", "json", "markdown", "html")))
	must(root.RegisterFlagCompletionFunc("color", words("auto", "always", "never")))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
			return fmt.Errorf("--color %q: want auto, always or never", a.color)
		}
		if allowed := formatsOf(cmd); !slices.Contains(allowed, a.format) {
			return fmt.Errorf("--format %q: %s prints %s", a.format, cmd.Name(), strings.Join(allowed, ", "))
		}
		return nil
	}
	demo := a.demoCommand()
	root.RunE = demo.RunE
	root.AddCommand(demo, a.checkCommand(), a.rulesCommand(), a.profilesCommand(), a.dumpCommand(), a.roundtripCommand(),
		a.canonCommand(), a.convertCommand(), a.diffCommand(), a.disasmCommand(), a.runCommand(), a.compareCommand(), a.reduceCommand(), a.genCommand(), a.fuzzCommand(), a.adapterCommand(),
		a.variationsCommand(), a.variationCommand(), a.extractCommand())
	return root
}

// formatsAnnotation lists a command's report formats; text and json if absent.
const formatsAnnotation = "formats"

func formatsOf(cmd *cobra.Command) []string {
	if s, ok := cmd.Annotations[formatsAnnotation]; ok {
		return strings.Split(s, ",")
	}
	return []string{"text", "json"}
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(development)"
	}
	return info.Main.Version
}

// words completes a flag from a fixed list.
func words(list ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (a *app) json() bool { return a.format == "json" }

// report writes a command's result to --output or standard output.
func (a *app) report(write func(w io.Writer) error) error {
	if a.output == "" || a.output == "-" {
		return complete(a.stdout, write)
	}
	return writeFile(a.output, write)
}

// complete calls write with a writer that remembers the first error, so that a
// report that was cut short is never taken for a whole one.
func complete(w io.Writer, write func(w io.Writer) error) error {
	c := &checkedWriter{w: w}
	if err := write(c); err != nil {
		return err
	}
	return c.err
}

type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	c.err = err
	return n, err
}

// reportJSON writes v as the command's result.
func (a *app) reportJSON(v any) error {
	return a.report(func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// writeFile replaces a regular file by writing to a temporary name and renaming,
// so that an interrupted run leaves the old file or the new one. Links are
// followed, and anything that is no regular file, a pipe say, is written to.
func writeFile(name string, write func(w io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(complete(f, write), f.Close())
	}
	// A new file has the mode that the user's mask allows; an old one keeps its own.
	temporary := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d", filepath.Base(name), os.Getpid()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temporary)
		}
	}()
	if err := complete(f, write); err != nil {
		return err
	}
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}
