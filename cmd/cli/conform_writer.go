package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/conform/report"
	asmsource "github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
)

// writerFlags are the flags of conform writer.
type writerFlags struct {
	writer.Options
	exec, dialect, from, cases, state string
	known                             baselineFlags
	timeout                           time.Duration
	journal                           *journal.Journal // of --state
}

func (a *app) conformWriterCommand() *cobra.Command {
	var flags writerFlags
	cmd := &cobra.Command{
		Use:   "writer",
		Short: "Judge an assembler or a converter",
		Long: `conform writer gives an assembler generated sources and judges its files: their
bytes by the strict rules; their instructions, tables and constants by the program
that the source was printed from; their outputs by the oracle. The assembler must
refuse sources with one mistake, and accept the same sources with the right thing in the
place of the mistake: else the mistake is not tested. A source that shows a fault is
reduced through the assembler and merged with others by cause.

A few small programs find out how sources must be printed, for which version of the
assembler, unless --dialect names one.

--exec is the command line. It has placeholders: {in} and {out} for the files' names,
{in2} for a second source, {outdir} for a directory, {entry} for the entry point's
label, and {gs:-g}, which becomes -g if the source is a geometry program. A command
without placeholders is a process that answers "write" requests of the adapter
protocol, one after the other.

With --from the tool is a converter or rewriter: its input are generated files of a
format, and its output is compared with its input.

Known defects of the dialect's own assembler are cases of their own; the baselines
"picasso", "nihstro" and "aemstro" expect them.

Exit status: 0 no finding counts against the assembler; 1 one does; 2 bad arguments,
a command that does not start, or a tool that accepts nothing.`,
		Example: `  picaproof conform writer --exec 'picasso -o {out} {in} {in2}' --baseline picasso
  picaproof conform writer --dialect nihstro --exec 'nihstro-assemble {in} -o {out} -e {entry} {gs:-g}' --baseline nihstro
  picaproof conform writer --exec 'picaproof asm --dialect picasso {in} {in2} -o {out}' --cases 500
  picaproof conform writer --from shbin --exec 'picaproof canon {in} -o {out}' --cases 100`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: reportFormats},
		PreRunE:     func(cmd *cobra.Command, _ []string) error { return checkLimits(cmd) },
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.conformWriter(cmd, &flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.exec, "exec", "", "command line of the tool, e.g. --exec 'picasso -o {out} {in}'")
	f.StringVar(&flags.dialect, "dialect", "picasso",
		"dialect of the sources: picasso, nihstro or aemstro; a version may follow, e.g. --dialect picasso-2.0")
	f.StringVar(&flags.from, "from", "", "judge a converter or rewriter of files of this format, e.g. --from shbin")
	f.Uint64Var(&flags.Cases, "cases", 2000, "generated programs, e.g. --cases 20000")
	f.DurationVar(&flags.MaxTime, "max-time", 0,
		"end after this time and report the findings so far, e.g. --max-time 10m")
	f.DurationVar(&flags.timeout, "timeout", 5*time.Second,
		"processor time of a source, a tenth of what a writer may sleep; a second attempt has more, e.g. --timeout 30s")
	f.Uint64Var(&flags.Seed, "seed", 1, "seed of the generator, e.g. --seed 7")
	f.IntVar(&flags.Jobs, "jobs", 0, "sources given to the tool at a time; 0 means one a processor, e.g. --jobs 4")
	casesFlag(cmd, &flags.cases)
	flags.known.shipped = writer.Baseline
	flags.known.flags(cmd)
	a.saveFlag(cmd)
	stateFlag(cmd, &flags.state)
	closedList(cmd, "dialect", asmsource.Names()...)
	closedList(cmd, "from", generated()...)
	return cmd
}

// casesFlag names the directory of the files of causes.
func casesFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "cases-dir", "",
		"write the smallest input of each cause, and what the tool wrote, below this directory, e.g. --cases-dir found")
}

// conformWriter judges a writer.
func (a *app) conformWriter(cmd *cobra.Command, flags *writerFlags) (err error) {
	if flags.exec == "" {
		return errors.New("name the tool, e.g. --exec 'picasso -o {out} {in}'")
	}
	o := flags.Options
	if o.Dialect, err = asmsource.ByName(flags.dialect); err != nil {
		return fmt.Errorf("--dialect: %w", err)
	}
	if flags.journal, err = journalOf(cmd, flags.state); err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	defer func() { err = cmp.Or(err, flags.journal.Close()) }()
	return a.judged(&flags.known, func(ctx context.Context, fail func(error),
		progress func(text string)) (*report.Report, error) {
		flags.journal.OnFailure(fail)
		o.Progress = progress
		r, err := a.judgeWriter(ctx, flags, o)
		if err != nil {
			return nil, err
		}
		if flags.cases != "" {
			err = r.WriteCases(flags.cases)
		}
		return r, err
	})
}

// judgeWriter judges the tool as an assembler or a converter, as its command line says.
func (a *app) judgeWriter(ctx context.Context, flags *writerFlags, o writer.Options) (*report.Report, error) {
	judge := func(tool writer.Tool) (*report.Report, error) {
		tool = journal.OfTool(flags.journal, tool)
		if flags.from != "" {
			return writer.RunConverter(ctx, tool, flags.from, o)
		}
		return writer.Run(ctx, tool, o)
	}
	if a.Writer != nil {
		if tool := a.Writer(flags.exec); tool != nil {
			return judge(tool)
		}
	}
	if flags.from == "" && !strings.Contains(flags.exec, "{") {
		tool := writer.NewProtocol(flags.exec, flags.timeout)
		defer tool.Close()
		return judge(tool)
	}
	newCommand := func() (*writer.Command, error) { return writer.NewCommand(flags.exec, o.Dialect, flags.timeout) }
	if flags.from != "" {
		newCommand = func() (*writer.Command, error) {
			return writer.NewConverterCommand(flags.exec, flags.from, flags.timeout)
		}
	}
	tool, err := newCommand()
	if err != nil {
		return nil, fmt.Errorf("--exec: %w", err)
	}
	defer tool.Close()
	return judge(tool)
}
