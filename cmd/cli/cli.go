// Package cli serves this module: it is the picaproof command line, which reads arguments and
// files, calls the libraries, and prints their results.
package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/internal/buildinfo"
	"github.com/picaproof/picaproof/internal/jsonstream"
	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// Exit statuses, documented in --help.
const (
	exitClean    = 0 // nothing wrong
	exitFindings = 1 // an error finding or a difference
	exitUsage    = 2 // bad arguments, or a file that cannot be read or written
)

// Tool is the command line program. The zero Tool is picaproof. Tests add broken engines, formats
// and programs, so that scenarios run the code that shows failures.
type Tool struct {
	Engines map[string]func() pica.Engine // besides oracle and vm
	Formats []TestFormat                  // besides the formats of the registry
	Programs
}

// Programs are values that stand for the programs of --exec. Each function may be nil; it
// returns nil for a command that is started as a process.
type Programs struct {
	Core   func(line string) adapter.Core
	Reader func(line string) reader.Reader
	Writer func(line string) writer.Tool
}

// TestFormat is a format that the registry does not know, with its generator.
type TestFormat struct {
	registry.Format
	Generator gen.Format
}

// Command returns the tree of all commands, from which manual pages and completions are made.
func (t Tool) Command() *cobra.Command { return (&app{Tool: t}).root() }

// app is one invocation: its streams and the global flags.
type app struct {
	Tool
	interrupts
	stdin          io.Reader
	stdout, stderr io.Writer

	format string
	save   string // of the conform commands
	page   string // likewise
	output string
	color  string
	quiet  bool

	settings string // the project file, if it set a flag
}

// failure ends a command with exit status 1. Its message, if it has one, goes to standard error.
type failure struct{ msg string }

func (f failure) Error() string { return f.msg }

// errFindings ends a command whose report already describes the failure.
var errFindings = failure{}

// Main runs one command line and returns the exit status.
func (t Tool) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	messages := safetext.NewWriter(stderr, safetext.Text)
	a := &app{Tool: t, stdin: stdin, stdout: stdout, stderr: messages}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(messages)
	defer messages.Close()
	defer a.watch()()
	return a.status(root.Execute())
}

func (a *app) status(err error) int {
	var fail failure
	var refused *diag.ParseError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &fail):
		if fail.msg != "" {
			a.say(err.Error())
		}
		return exitFindings
	case errors.As(err, &refused), errors.Is(err, diag.ErrInvalid), errors.Is(err, diag.ErrLayout):
		a.say(err.Error())
		return exitFindings
	}
	a.say(messageOf(err))
	return exitUsage
}

// messageOf returns the message of an error, with the name of a file for one line.
func messageOf(err error) string {
	var file *fs.PathError
	if !errors.As(err, &file) {
		return plainJSON(err)
	}
	return strings.ReplaceAll(err.Error(), file.Path, shown(file.Path))
}

// say writes a message to standard error. Further lines of it are indented, so that none looks like
// another message.
func (a *app) say(message string) {
	fmt.Fprintln(a.stderr, "picaproof:", strings.ReplaceAll(message, "\n", "\n  "))
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "picaproof",
		Short: "The independent judge of console shader binaries and shader cores",
		Long: `picaproof checks shader binaries of the 3DS and its successors, executes PICA200
programs on a reference implementation, and shows the first instruction after
which two implementations differ. Without a command it runs the demo.

Exit status: 0 no error and no difference; 1 an error finding or a difference; 2
bad arguments, or a file that cannot be read or written.`,
		Example: `  picaproof demo
  picaproof check shader.shbin
  picaproof dump shader.shbin
  picaproof run shader.shbin --in v0=1,2,3,4`,
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       buildinfo.Line(),
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.format, "format", "text", "form of the report, e.g. --format json")
	flags.StringVarP(&a.output, "output", "o", "",
		"write the report or file here instead of standard output, e.g. -o report.json")
	flags.StringVar(&a.color, "color", "auto", "auto, always or never, e.g. --color never")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no closing summary, e.g. check -q dir")
	must(root.RegisterFlagCompletionFunc("format",
		words("text", "json", "sarif", "junit", "html", "github", "markdown")))
	closedList(root, "color", "auto", "always", "never")
	root.SetFlagErrorFunc(unknownFlag)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := cmp.Or(a.settle(cmd), checkChoices(cmd)); err != nil {
			return err
		}
		if cmd.Annotations[formatsAnnotation] == reportFormats && !cmd.Flags().Changed("format") {
			a.format = cmp.Or(byEnding[strings.ToLower(filepath.Ext(a.output))], a.format)
		}
		if allowed := formatsOf(cmd); !slices.Contains(allowed, a.format) {
			return fmt.Errorf("--format %q: %s prints %s%s", a.format, cmd.Name(), alternatives(allowed),
				nearest.Hint(a.format, allowed))
		}
		if _, err := vm.HighestTier(); err != nil {
			return err
		}
		return a.keepInputs(cmd, args)
	}
	root.SetHelpCommand(helpCommand(root))
	demo := a.demoCommand()
	root.RunE = demo.RunE
	root.AddCommand(demo, a.checkCommand(), a.rulesCommand(), a.profilesCommand(), a.dumpCommand(),
		a.roundtripCommand(),
		a.canonCommand(), a.convertCommand(), a.diffCommand(), a.asmCommand(), a.disasmCommand(), a.lintCommand(),
		a.runCommand(), a.compareCommand(), a.reduceCommand(), a.genCommand(), a.fuzzCommand(),
		a.adapterCommand(), a.conformCommand(), a.reportCommand(),
		a.vectorsCommand(), a.variationsCommand(), a.variationCommand(), a.extractCommand(), a.replaceCommand(),
		a.findCommand(), a.interfaceCommand(), a.initCommand(), a.exportCommand(), a.serveCommand())
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

// words completes a flag from a fixed list.
func words(list ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

// group returns a command with subcommands only.
func group(use, short, example string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Example: example, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(commands...)
	return cmd
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
		return atomicfile.Complete(a.stdout, write)
	}
	return atomicfile.Write(a.output, write)
}

// result writes a command's result: v with --format json, else the output of text. It fails if
// the result is bad, because it has findings.
func (a *app) result(v any, bad bool, text func(w io.Writer, p palette)) error {
	return a.forms(bad, map[string]func(w io.Writer) error{"json": asJSON(v), "text": func(w io.Writer) error {
		text(w, a.palette())
		return nil // w stores a failed write
	}})
}

// forms writes a command's result in the format of --format. It fails if the result is bad.
func (a *app) forms(bad bool, write map[string]func(w io.Writer) error) error {
	return failedIf(bad, a.text(write[a.format]))
}

// text writes text for people, or for tools if --format asks for it, to --output or standard output.
func (a *app) text(write func(w io.Writer) error) error {
	form := safetext.Text
	switch a.format {
	case "github":
		return a.report(write) // commands of the runner, in which package annotation escapes texts
	case "text":
		if a.palette().on {
			form = safetext.Colour
		}
	case "json", "sarif":
		form = safetext.JSON
	default:
		form = safetext.Markup
	}
	return a.report(safely(form, write))
}

// safely returns a function that writes harmless text of a form.
func safely(form safetext.Form, write func(w io.Writer) error) func(w io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		safe := safetext.NewWriter(out, form)
		return errors.Join(write(safe), safe.Close(), out.Flush())
	}
}

// failedIf returns err or, if err is nil and the result is bad, errFindings.
func failedIf(bad bool, err error) error {
	if err == nil && bad {
		return errFindings
	}
	return err
}

// asJSON returns a function that writes v.
func asJSON(v any) func(w io.Writer) error {
	return func(w io.Writer) error { return jsonstream.Encode(w, v) }
}

// encoder returns a JSON encoder that does not escape characters of HTML.
func encoder(w io.Writer, indent string) *json.Encoder {
	e := json.NewEncoder(safetext.NewWriter(w, safetext.JSON)) // a value is written at once: nothing is held
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e
}

// binary writes the bytes of a file as a command's result.
func (a *app) binary(write func(w io.Writer) error) error {
	if err := a.notToTerminal(); err != nil {
		return err
	}
	return a.report(write)
}

// notToTerminal refuses to write the bytes of a file to a terminal.
func (a *app) notToTerminal() error {
	if a.output == "" && terminal(a.stdout) {
		return errors.New("not writing a binary file to a terminal: name it with -o, e.g. -o out.bin")
	}
	return nil
}

// bytesOf returns a function that writes b.
func bytesOf(b []byte) func(w io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}
