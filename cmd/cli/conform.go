package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

func (a *app) conformCommand() *cobra.Command {
	return group("conform", "Judge a shader core, a file reader or a file writer",
		"  picaproof conform core --exec 'mycore --adapter'",
		a.conformCoreCommand(), a.conformReaderCommand(), a.conformWriterCommand(), a.conformDiffCommand())
}

func (a *app) conformDiffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "List new, gone and changed causes between two reports",
		Long: `conform diff compares two reports of one kind that conform core, conform reader or
conform writer wrote with --format json. What is gone fails no comparison: conform
--baseline tells when a known cause has passed.

Exit status: 0 no new or changed cause counts against the subject; 1 one does; 2 bad
arguments or a file that is no report.`,
		Example: "  picaproof conform diff before.json after.json",
		Args:    arguments(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.readReports(args)
			if err != nil {
				return err
			}
			if kind, want := list[1].What(), list[0].What(); kind != want {
				return fmt.Errorf("%s: the report of a %s, want that of a %s", shown(args[1]), kind, want)
			}
			changes := report.Changes(list[0], list[1])
			bad := slices.ContainsFunc(changes, func(c report.Change) bool { return c.Bad() })
			return a.result(map[string]any{"changes": changes}, bad, func(w io.Writer, _ palette) {
				report.WriteChanges(w, changes)
				fmt.Fprintln(w, plural(len(changes), "change"))
			})
		},
	}
}

// verdictStatus explains the exit status of commands that repeat a verdict.
const verdictStatus = `Exit status: 0 no finding of the report counts against the subject; 1 one does; 2 bad
arguments, or a file that cannot be read or is no report.`

func (a *app) reportCommand() *cobra.Command {
	formats := map[string]string{formatsAnnotation: reportFormats}
	merge := &cobra.Command{
		Use: "merge FILE...", Short: "Merge the reports of all shards into one",
		Long: `merge reads the reports of all shards of a run and writes the report of the whole run.

` + verdictStatus,
		Example: "  picaproof report merge shard1.json shard2.json --format json -o report.json",
		Args:    arguments(1, anyNumber), Annotations: formats,
		RunE: func(_ *cobra.Command, args []string) error {
			shards, err := a.readReports(args)
			if err != nil {
				return err
			}
			r, err := report.Merge(shards)
			if err != nil {
				return err
			}
			return a.verdict(r)
		},
	}
	var known baselineFlags
	known.shipped = writer.Baseline
	show := &cobra.Command{
		Use: "show FILE", Short: "Write a report in another form",
		Long: `show reads a report that conform wrote as JSON, compares it with the baseline of
--baseline, if it names one, and writes it in the form of --format.

` + verdictStatus,
		Example: "  picaproof report show report.json --format html -o report.html",
		Args:    arguments(1, 1), Annotations: formats,
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.readReports(args)
			if err != nil {
				return err
			}
			return a.expected(&known, list[0])
		},
	}
	known.flags(show)
	return group("report", "Merge and show reports that conform wrote as JSON",
		"  picaproof report merge shard1.json shard2.json --format html -o report.html", merge, show)
}

// reportFormats are the formats of a verdict.
const reportFormats = "text,json,junit,html,github"

// byEnding are the formats of verdicts by the ending of the name of --output.
var byEnding = map[string]string{".json": "json", ".html": "html", ".xml": "junit"}

// conformFlags are the flags of conform core.
type conformFlags struct {
	conform.Options
	exec, against, profile, model, learnt, shard string
	timeout                                      time.Duration
	known                                        baselineFlags
}

func (a *app) conformCoreCommand() *cobra.Command {
	var flags conformFlags
	cmd := &cobra.Command{
		Use:   "core",
		Short: "Judge a shader core that speaks the adapter protocol",
		Long: `conform core runs a shader core in child processes. It reports where the core
differs from the console, where it differs from its own model, and the smallest
program that shows each difference.

It first infers the core's model: a value for each question that implementations
answer differently, with the job that decided it. Generated programs, long ones among
them, the programs of the corpus, and programs for each field of each instruction then
compare the core with that model, or with the profile that --profile names. Programs
that show a difference are reduced through the core and merged by cause; later programs
avoid known causes. What one request leaves behind for the next is a cause of its own.

--against names a second core, another build of the first, say. Then what the two answer
is compared instead, and each cause says with which of them the console's rules agree.

A model that is not the console's is a finding of its own: every core with registers of
float32 exits with 1. To see only further faults, accept these once, in a baseline:

  picaproof conform core --exec mycore --profile auto --write-baseline known.txt
  picaproof conform core --exec mycore --profile auto --baseline known.txt

The report begins with the verdict and the numbers. It lists crashes and hangs first,
then faults by the core's own standards, and then where its model differs from the
console.

Shards need not find the model again: with --model they take it and the causes from the
report of a run on the core set alone, --cases 512, and judge only the jobs behind it.

With --state an interrupted run goes on, even after a kill, and comes to the same
report. At most 80 groups of failures are reduced in each round; the report says how
many were left. In a baseline, the outcome flaky lets a cause come and go.

Exit status: 0 no finding counts against the core; 1 the core is wrong, crashes or
hangs; 2 bad arguments, a core that answers nothing, or a run that ended before it
judged a program.`,
		Example: `  picaproof conform core --exec 'mycore --adapter'
  picaproof conform core --exec 'picaproof adapter self --profile azahar-x64' --cases 2000
  picaproof conform core --exec mycore --profile azahar-interp --suite alu,flow --format json
  picaproof conform core --exec 'mycore --jit' --against 'mycore --interpreter'`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: reportFormats},
		PreRunE:     func(cmd *cobra.Command, _ []string) error { return checkLimits(cmd) },
		RunE:        func(*cobra.Command, []string) error { return a.conformCore(&flags) },
	}
	flags.flags(cmd)
	a.saveFlag(cmd)
	return cmd
}

// flags declares the flags.
func (flags *conformFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&flags.exec, "exec", "", "command that starts the core, e.g. --exec 'mycore --adapter'")
	f.StringVar(&flags.against, "against", "", "compare the core with this one, e.g. --against 'mycore --interpreter'")
	f.StringVar(&flags.profile, "profile", "auto",
		"expected rules: auto for the core's own model, a profile, or @FILE, e.g. --profile hw")
	f.StringVar(&flags.model, "write-model", "",
		"write the core's model to this file, for --profile @FILE, e.g. --write-model mycore.profile")
	f.StringVar(&flags.learnt, "model", "",
		"take model and causes from this report of a run with --cases 512 or less, e.g. --model core.json --shard 2/4")
	f.StringSliceVar(&flags.Suites, "suite", conform.Suites[1:], "suites, e.g. --suite alu,flow")
	f.Uint64Var(&flags.Cases, "cases", 4000, "generated jobs of each suite, e.g. --cases 20000")
	f.DurationVar(&flags.MaxTime, "max-time", 0,
		"end after this time and report the findings so far, e.g. --max-time 10m")
	f.DurationVar(&flags.timeout, "timeout", time.Second,
		"processor time of a job, a tenth of what a core may sleep; a second attempt has more, e.g. --timeout 10s")
	f.Uint64Var(&flags.Seed, "seed", 1, "seed of the generator, e.g. --seed 7")
	f.IntVar(&flags.Jobs, "jobs", 0, "jobs asked at a time; 0 chooses, e.g. --jobs 4")
	f.StringVar(&flags.shard, "shard", "", "run one of several parts, e.g. --shard 2/4")
	flags.known.flags(cmd)
	f.StringVar(&flags.State, "state", "", "directory from which an interrupted run goes on, e.g. --state run1")
	closedList(cmd, "suite", conform.Suites...)
}

// options returns the options that the flags name, the second core aside.
func (flags *conformFlags) options(a *app) (o conform.Options, err error) {
	o = flags.Options
	if o.Suites, err = conform.ParseSuites(o.Suites); err != nil {
		return o, fmt.Errorf("--suite: %w", err)
	}
	if flags.shard != "" {
		s, err := hunt.ParseShard(flags.shard)
		if err != nil {
			return o, fmt.Errorf("--shard %w", err)
		}
		o.Shard, o.Shards = uint64(s.Number-1), uint64(s.Of)
	}
	if flags.learnt != "" {
		list, err := a.readReports([]string{flags.learnt})
		if err != nil {
			return o, fmt.Errorf("--model: %w", err)
		}
		o.Learnt = list[0]
	}
	if flags.profile != "auto" {
		p, err := a.profile("profile", flags.profile)
		o.Model = &p
		return o, err
	}
	return o, nil
}

// conformCore judges a core.
func (a *app) conformCore(flags *conformFlags) (err error) {
	if flags.exec == "" {
		return errors.New("name the core, e.g. --exec 'mycore --adapter'")
	}
	o, err := flags.options(a)
	if err != nil {
		return err
	}
	var fail func(error) // set before the first job
	failed := func(err error) { fail(err) }
	core, err := a.startCore(flags.exec, flags.timeout, failed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, core.Close()) }()
	o.Arguments = "--exec " + command.Quoted(flags.exec)
	if flags.against != "" {
		if o.Against, err = a.startCore(flags.against, flags.timeout, failed); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		defer func() { err = errors.Join(err, o.Against.Close()) }()
		o.Arguments += " --against " + command.Quoted(flags.against)
	}
	return a.judged(&flags.known, func(ctx context.Context, end func(error),
		progress func(text string)) (*report.Report, error) {
		o.Progress, fail = progress, end
		r, err := conform.Run(ctx, core, o)
		if errors.Is(err, conform.ErrLearnt) {
			err = fmt.Errorf("--model %s: %w", shown(flags.learnt), err)
		}
		if r != nil && err != nil {
			end(err)
			return r, nil
		}
		if err == nil && flags.model != "" {
			err = atomicfile.WriteBytes(flags.model, []byte(r.Profile.Nearest+"\n"))
		}
		return r, err
	})
}

// judge makes a report. It ends with the context, which fail ends with an error, and reports its
// progress.
type judge func(ctx context.Context, fail func(error), progress func(text string)) (*report.Report, error)

// saveFlag names a file for the report as JSON, and the page to which its causes link.
func (a *app) saveFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.save, "save", "",
		"also write the report to this file as JSON, for report show and --job @FILE#N, e.g. --save report.json")
	cmd.Flags().StringVar(&a.page, "page", "",
		"the address of the page: each cause links to its smallest case there, e.g. --page https://example.org/picaproof/")
}

// verdict writes a report in the format of --format, and to the file of --save.
func (a *app) verdict(r *report.Report) error {
	if a.page != "" {
		if err := r.LinkTo(a.page); err != nil {
			return fmt.Errorf("--page %w", err)
		}
	}
	if a.save != "" {
		if err := atomicfile.Write(a.save, safely(safetext.JSON, r.WriteJSON)); err != nil {
			return err
		}
		r.File = command.Word(a.save)
	}
	return a.forms(r.Bad() > 0, map[string]func(w io.Writer) error{
		"json": r.WriteJSON, "junit": r.WriteJUnit, "html": r.WriteHTML, "github": r.WriteAnnotations,
		"text": func(w io.Writer) error {
			p := a.palette()
			return r.WriteText(w, report.Paint{Bad: p.bad, Good: p.good, Bold: p.bold})
		},
	})
}

// expected compares a report with the baseline, and writes it.
func (a *app) expected(known *baselineFlags, r *report.Report) error {
	known.partial, known.untested = r.Partial(), r.NotTested
	return against(a, known, r.Causes(), report.Levels, func(known report.Known) error {
		r.Known = known
		return a.verdict(r)
	})
}

// judged runs a judge until it is done, the program fails or Ctrl-C is pressed, compares its report
// with the baseline, and writes it.
func (a *app) judged(known *baselineFlags, judge judge) error {
	ctx, stop := a.interruptible()
	defer stop()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	line := a.statusLine()
	r, err := judge(ctx, fail, func(text string) { line.show("%s", text) })
	line.clear()
	failure := context.Cause(ctx)
	if errors.Is(failure, context.Canceled) {
		failure = nil // Ctrl-C
	}
	if err != nil {
		return cmp.Or(failure, err)
	}
	err = a.expected(known, r)
	if err == nil && r.Partial() && !r.Judged() {
		err = errors.New("the run ended before it judged a program")
	}
	return cmp.Or(failure, err)
}

// readReports reads reports that --format json wrote.
func (a *app) readReports(names []string) (list []*report.Report, err error) {
	for _, name := range names {
		data, err := a.read(name)
		if err != nil {
			return nil, err
		}
		r, err := report.Read(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(name), err)
		}
		r.Regroup()
		if name != "-" {
			r.File = command.Word(name)
		}
		list = append(list, r)
	}
	return list, nil
}
