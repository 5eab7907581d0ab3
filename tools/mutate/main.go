// Mutate proves that the tests can fail: it makes small mistakes in the source of a package,
// one at a time, and finds out which test notices. See docs/mutation.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// A target is a package to mutate: wholly, or a sample of its mutants.
type target struct {
	pkg    string
	sample int // 0 for all
}

// plan lists the packages that the record in the repository covers.
var plan = []target{
	{"pica/float24", 0},
	{"pica/decode", 0},
	{"oracle", 300},
	{"formats/shbin", 100},
	{"formats/dvoj", 100},
	{"formats/csdr", 100},
	{"formats/cgfx", 100},
	{"formats/zpsh", 100},
	{"formats/gx2", 100},
	{"formats/sharcfb", 100},
	{"formats/bnsh", 100},
	{"formats/gsh", 100},
	{"pica/asm", 140},
	{"pica/lint", 60},
	{"pica/vm", 300},
	{"fuzz/gen", 100},
	{"fuzz/gen/files", 100},
	{"fuzz/judge", 100},
	{"fuzz/cover", 100},
	{"fuzz/reduce", 100},
	{"fuzz/hunt", 100},
	{"formats/wire", 100},
	{"formats/diff", 60},
	{"formats/find", 60},
	{"formats/convert", 60},
	{"formats/diag", 60},
	{"formats/registry", 60},
	{"formats/reflection", 20},
	{"fuzz/gen/shbingen", 60},
	{"fuzz/gen/bnshgen", 60},
	{"fuzz/gen/sharcfbgen", 60},
	{"fuzz/gen/dvojgen", 60},
	{"fuzz/gen/zpshgen", 60},
	{"fuzz/gen/gshgen", 60},
	{"fuzz/gen/cgfxgen", 60},
	{"fuzz/gen/csdrgen", 60},
	{"fuzz/gen/gx2gen", 60},
	{"fuzz/gen/wordgen", 60},
	{"internal/pool", 0},
	{"internal/atomicfile", 0},
	{"internal/nearest", 20},
	{"oracle/ancestry", 20},
	{"oracle/profile", 60},
	{"oracle/compare", 100},
	{"oracle/impl", 100},
	{"oracle/adapter", 100},
	{"properties/sequence", 60},
	{"fuzz/mutants", 100},
	{"conform/report", 100},
	{"conform/report/findings", 60},
	{"conform/view", 60},
	{"conform/vectors", 60},
	{"conform/source", 60},
	{"conform/sweep", 60},
}

// defaultSeed draws the samples of the plan.
const defaultSeed = 1

// options are the flags of all commands.
type options struct {
	module, records, results string
	seed                     uint64
	sample                   int
	unit                     string
	duration                 time.Duration
	jobs                     int
	longest                  time.Duration
	short                    bool
	suite                    string
	in, tests                string
	alive                    bool
	outcome                  string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var o options
	root := &cobra.Command{Use: "mutate", Short: "Make mistakes in the source and see which test notices"}
	root.SilenceUsage, root.SilenceErrors = true, true
	flags := root.PersistentFlags()
	flags.StringVar(&o.module, "module", "..", "root of the module under mutation")
	flags.StringVar(&o.records, "records", "mutate/.record", "directory of the working records, outside the repository")
	flags.StringVar(&o.results, "results", "mutate/results.txt", "scores and equivalents, in the repository")
	flags.Uint64Var(&o.seed, "seed", defaultSeed, "seed of the samples")
	flags.IntVar(&o.sample, "sample", 0, "size of the sample, instead of the plan's")
	type action = func(cmd *cobra.Command, args []string) error
	add := func(use, short string, args cobra.PositionalArgs, run action) *pflag.FlagSet {
		cmd := &cobra.Command{Use: use, Short: short, Args: args, RunE: run}
		root.AddCommand(cmd)
		return cmd.Flags()
	}

	f := add("run [PACKAGE...]", "Judge what the record does not know, by default the whole plan", cobra.ArbitraryArgs,
		func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) })
	f.DurationVar(&o.duration, "for", 0, "stop after this time (20m)")
	f.StringVar(&o.unit, "unit", "", "only functions and values whose name matches this regular expression")
	f.IntVar(&o.jobs, "jobs", 1, "number of mutants judged at once")
	f.DurationVar(&o.longest, "longest", time.Minute, "leave out tests that take more processor time (5s)")
	f.BoolVar(&o.short, "short", false, "run tests in short mode")
	f.StringVar(&o.suite, "suite", "", "only this suite: generated or whole")
	f.StringVar(&o.in, "in", "", "only tests of packages that match; what they let through stays as it was")
	f.StringVar(&o.tests, "tests", "", "only tests whose names match; what they let through stays as it was")
	f.BoolVar(&o.alive, "alive", false, "only mutants that no test has noticed so far, survivors once more")

	f = add("list PACKAGE", "Show the mutants of the plan and what became of them", cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error { return o.list(cmd.OutOrStdout(), args[0]) })
	f.StringVar(&o.outcome, "outcome", "", "only these: survived, equivalent, killed, timeout, unknown")

	add("equivalent PACKAGE UNIT OPERATOR ORDINAL REASON", "Record why no test can tell a mutant", cobra.ExactArgs(5),
		func(_ *cobra.Command, args []string) error { return o.equivalent(args) })
	add("report", "Print the state of the working records", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error { return o.report(cmd.OutOrStdout()) })
	add("operators", "Show every kind of change with an example", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error { return listOperators(cmd.OutOrStdout()) })
	return root
}

func listOperators(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, op := range operators {
		fmt.Fprintf(columns, "%s\t%s\t=> %s\n", op.name, op.before, op.after)
	}
	return columns.Flush()
}

// targets returns the packages that a command is asked for.
func (o *options) targets(packages []string) []target {
	if len(packages) == 0 {
		return plan
	}
	var all []target
	for _, pkg := range packages {
		pkg = filepath.ToSlash(filepath.Clean(pkg))
		t := target{pkg: pkg}
		if i := slices.IndexFunc(plan, func(t target) bool { return t.pkg == pkg }); i >= 0 {
			t = plan[i]
		}
		if o.sample > 0 {
			t.sample = o.sample
		}
		all = append(all, t)
	}
	return all
}

// population is the mutants of a target that compile, and those of its sample.
type population struct {
	*source
	target
	record     *record
	all, drawn []*mutant
	judged     int // verdicts of this run
}

func (o *options) population(t target) (*population, error) {
	s, err := load(o.module, t.pkg)
	if err != nil {
		return nil, err
	}
	all, err := s.compiling(s.mutants())
	if err != nil {
		return nil, err
	}
	p := &population{source: s, target: t, all: all, drawn: all}
	if t.sample > 0 {
		p.drawn = sample(all, t.pkg, o.seed, t.sample)
	}
	known, err := readResults(o.results)
	if err != nil {
		return nil, err
	}
	p.record, err = readRecord(recordPath(o.records, t.pkg), known.of(t.pkg).equivalents)
	return p, err
}

// run judges the mutants without an outcome.
func (o *options) run(ctx context.Context, packages []string) error {
	if o.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.duration)
		defer cancel()
	}
	unit, err := regexp.Compile(o.unit)
	if err != nil {
		return err
	}
	if o.suite != "" && !slices.ContainsFunc(suites, func(s suite) bool { return s.name == o.suite }) {
		return fmt.Errorf("no suite %q", o.suite)
	}
	var only chosen
	if only.packages, err = regexp.Compile(o.in); err != nil {
		return err
	}
	if only.tests, err = regexp.Compile(o.tests); err != nil {
		return err
	}
	for _, t := range o.targets(packages) {
		p, err := o.population(t)
		if err != nil {
			return err
		}
		matching := slices.DeleteFunc(slices.Clone(p.drawn), func(m *mutant) bool { return !unit.MatchString(m.Unit) })
		err = o.judge(ctx, p, matching, only)
		if ctx.Err() != nil {
			return nil // interrupted, or out of time
		}
		if err == nil {
			err = o.conclude(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judge judges the mutants of one package on which a suite has no verdict.
func (o *options) judge(ctx context.Context, p *population, mutants []*mutant, only chosen) error {
	work, err := workDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	module, err := filepath.Abs(o.module)
	if err != nil {
		return err
	}
	bar := progressbar.DefaultSilent(-1)
	if term.IsTerminal(int(os.Stderr.Fd())) {
		bar = progressbar.Default(-1, p.pkg)
	}
	log := func(format string, args ...any) {
		bar.Clear()
		fmt.Fprintf(os.Stderr, p.pkg+": "+format+"\n", args...)
	}
	h := harness{module: module, work: work, source: p.source, log: log, longest: o.longest, short: o.short,
		chosen: only}
	r := run{harness: &h, record: p.record, jobs: o.jobs, only: o.suite, alive: o.alive}
	r.judged = func(e entry, suite string) {
		if !e.dead(suite) {
			log("survived %s: %v: %s", suite, e.identity, e.Change)
		}
		bar.Add(1)
		p.judged++
	}
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool {
		return !slices.ContainsFunc(suites, func(s suite) bool { return r.pending(m, s.name) })
	})
	if len(mutants) == 0 {
		return nil
	}
	return r.all(ctx, mutants)
}

func (o *options) list(w io.Writer, pkg string) error {
	p, err := o.population(o.targets([]string{pkg})[0])
	if err != nil {
		return err
	}
	for _, m := range p.drawn {
		e, known := p.record.of(m)
		if !known {
			e = entry{Outcome: "unknown"}
		}
		if o.outcome == "" || o.outcome == string(e.Outcome) {
			at := p.fset.Position(m.edit.pos)
			said := strings.Join([]string{string(e.Outcome), e.Generated, e.Whole, e.Reason}, " ")
			fmt.Fprintf(w, "%s:%d: %v: %s: %s\n", m.File, at.Line, m.identity, m.Change, said)
		}
	}
	return nil
}

// equivalent keeps why a mutant is equivalent.
func (o *options) equivalent(args []string) error {
	pkg, unit, operator, reason := args[0], args[1], args[2], args[4]
	ordinal, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	p, err := o.population(o.targets([]string{pkg})[0])
	if err != nil {
		return err
	}
	i := slices.IndexFunc(p.all, func(m *mutant) bool {
		return m.Unit == unit && m.Operator == operator && m.Ordinal == ordinal
	})
	if i < 0 {
		return fmt.Errorf("%s has no mutant %s %s %d", pkg, unit, operator, ordinal)
	}
	m := p.all[i]
	if e, _ := p.record.of(m); e.dead(generatedSuite) || e.dead(wholeSuite) {
		return fmt.Errorf("%v is killed by %s %s", m.identity, e.Generated, e.Whole)
	}
	if reason == "" || strings.ContainsAny(reason, "\t\n") {
		return fmt.Errorf("the reason is not one line of text: %q", reason)
	}
	return keep(o.results, p.pkg, func(r *result) {
		r.equivalents = append(slices.DeleteFunc(r.equivalents, func(e entry) bool { return e.place() == m.place() }),
			entry{identity: m.identity, Change: m.Change, Outcome: equivalent, Reason: reason})
	})
}
