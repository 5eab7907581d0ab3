package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/campaign"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	profiles []string
	seed     uint64
	state    string
	limit    uint64
	jobs     int
	duration time.Duration
}

// fuzzReport is the JSON report of fuzz.
type fuzzReport struct {
	Seed      uint64             `json:"seed"`
	State     string             `json:"state"`
	Cases     uint64             `json:"cases"`
	PerSecond float64            `json:"cases_per_second"`
	Seconds   float64            `json:"seconds"`
	Reached   int                `json:"coverpoints"`
	Known     int                `json:"coverpoints_known"`
	Coverage  []groupCoverage    `json:"coverage"`
	Targets   []*campaign.Place  `json:"targets"`
	Corpus    []campaign.Entry   `json:"corpus"`
	Buckets   []*campaign.Bucket `json:"buckets"`
}

// groupCoverage says which coverpoints of a group were reached.
type groupCoverage struct {
	Group   cover.Group `json:"group"`
	Reached int         `json:"reached"`
	Known   int         `json:"known"`
	Missing []string    `json:"missing"`
}

func (a *app) fuzzCommand() *cobra.Command {
	var flags fuzzFlags
	cmd := &cobra.Command{
		Use:   "fuzz [TARGET...]",
		Short: "Hunt for as long as you like",
		Long: `fuzz generates cases and judges them, on all processors, until --for is over or
Ctrl-C is pressed: programs on the oracle and on the VM, and shader files,
valid, with one fault and damaged, in their parser, checker and writer. A target
is a kind of programs (` + strings.Join(modeNames(), ", ") + `), a file format
(` + strings.Join(generated(), ", ") + `), programs or files; without one
everything takes turns.

Whatever is wrong is written to the directory --state at once, sorted into
buckets by cause; the first of each bucket is reduced. NAME.found.json (or with
the extension of the format) is what was found, NAME.json what it was reduced
to, NAME.txt tells what it shows and how to repeat it. The same command later
goes on where this one stopped: Ctrl-C loses nothing.

Exit status: 0 nothing found; 1 something was, in this run or an earlier one;
2 bad arguments, or a directory that cannot be written.`,
		Example: `  picaproof fuzz --for 10m
  picaproof fuzz alu flow --profile hw --jobs 4 --for 8h
  picaproof fuzz shbin zpsh --state files.campaign --for 1m --format json`,
		ValidArgs: append(append([]string{allPrograms, allFiles}, modeNames()...), generated()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			targets, err := fuzzTargets(args, flags.profiles)
			if err != nil {
				return err
			}
			if flags.jobs < 0 || flags.duration < 0 {
				return fmt.Errorf("--jobs %d, --for %v: want nothing negative", flags.jobs, flags.duration)
			}
			state, err := campaign.Open(flags.state, flags.seed)
			if err != nil {
				return err
			}
			defer state.Close()
			if cmd.Flags().Changed("seed") && state.Seed != flags.seed {
				return fmt.Errorf("--seed %d: the campaign in %s has seed %d", flags.seed, flags.state, state.Seed)
			}
			return a.fuzz(&flags, state, targets)
		},
	}
	f := cmd.Flags()
	f.DurationVar(&flags.duration, "for", 0, "stop after this time; 0 means at Ctrl-C, e.g. --for 10m")
	f.Uint64Var(&flags.limit, "cases", 0, "stop after about this many cases; 0 means never, e.g. --cases 100000")
	f.IntVar(&flags.jobs, "jobs", 0, "cases judged at a time; 0 means one for each processor, e.g. --jobs 4")
	f.Uint64Var(&flags.seed, "seed", 1, "seed of a new campaign, e.g. --seed 7")
	f.StringVar(&flags.state, "state", "picaproof-campaign", "directory that keeps the campaign, e.g. --state nightly")
	f.StringSliceVar(&flags.profiles, "profile", []string{"f24", "hw", "f32"}, "numeric profiles of the programs, e.g. --profile hw")
	must(cmd.RegisterFlagCompletionFunc("profile", words("f24", "hw", "f32")))
	return cmd
}

// Names that stand for several targets.
const (
	allPrograms = "programs"
	allFiles    = "files"
)

// fuzzTargets returns the targets that the arguments name, all without any.
func fuzzTargets(args, profiles []string) ([]campaign.Target, error) {
	if len(args) == 0 {
		args = []string{allPrograms, allFiles}
	}
	var names []string
	for _, arg := range args {
		switch arg {
		case allPrograms:
			names = append(names, modeNames()...)
		case allFiles:
			names = append(names, generated()...)
		default:
			names = append(names, arg)
		}
	}
	var targets []campaign.Target
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if from, ok := files.ByName(name); ok {
			format, _ := registry.ByName(name)
			targets = append(targets, campaign.Files(format, from))
			continue
		}
		mode, err := gen.ParseMode(name)
		if err != nil {
			return nil, fmt.Errorf("unknown target %q: want %s, %s, %s or %s", name,
				allPrograms, allFiles, strings.Join(modeNames(), ", "), strings.Join(generated(), ", "))
		}
		for _, p := range profiles {
			knobs, err := profile.Parse(p)
			if err != nil {
				return nil, fmt.Errorf("--profile: %w", err)
			}
			if err := vm.New().Run(&pica.Job{Profile: knobs}, new(pica.Outcome)); err != nil {
				return nil, fmt.Errorf("--profile %s: %w", p, err)
			}
			targets = append(targets, campaign.Jobs(mode, knobs, vm.New, reduceFound))
		}
	}
	return targets, nil
}

// reduceFound reduces a job on which oracle and VM differ.
func reduceFound(ctx context.Context, f campaign.Found) (campaign.Reduced, error) {
	job, err := pica.ParseJob(f.Data, jobProfile)
	if err != nil {
		return campaign.Reduced{}, err
	}
	c, err := reduceBucket(ctx, job, 1)
	if err != nil {
		return campaign.Reduced{}, err
	}
	var text bytes.Buffer
	c.text(&text)
	return campaign.Reduced{Data: c.Job, Text: text.String(), End: c.Reduction.End}, nil
}

// fuzz runs a campaign and reports it.
func (a *app) fuzz(flags *fuzzFlags, state *campaign.State, targets []campaign.Target) error {
	ctx, stop := interruptible()
	defer stop()
	var last campaign.Status
	line := a.statusLine()
	matrix, err := campaign.Run(ctx, state, targets, campaign.Options{
		Workers: flags.jobs, For: flags.duration, Limit: flags.limit,
		Progress: func(s campaign.Status) {
			last = s
			line.show(fmt.Sprintf("%v  %s cases  %s/s  %s of %s coverpoints  %s  corpus %s", s.Elapsed.Round(time.Second),
				thousands(int(s.Cases)), thousands(int(s.PerSecond)), thousands(s.Points), thousands(len(cover.Points())),
				plural(s.Buckets, "bucket"), thousands(s.Corpus)))
		},
		Found: func(b *campaign.Bucket) {
			line.clear()
			if !a.quiet {
				fmt.Fprintf(a.stderr, "%s: %s: %s\n", b.Target, b.Key, filepath.Join(flags.state, b.File+".txt"))
			}
		},
	})
	line.clear()
	if err != nil {
		return err
	}
	r := fuzzReport{Seed: state.Seed, State: flags.state, Cases: last.Cases, PerSecond: last.PerSecond, Seconds: last.Elapsed.Seconds(),
		Targets: state.Targets,
		Corpus:  append([]campaign.Entry{}, state.Corpus...), Buckets: append([]*campaign.Bucket{}, state.Buckets...)}
	coverage := matrix.Report()
	r.Reached, r.Known = coverage.Reached, coverage.Total
	for _, g := range coverage.Groups {
		r.Coverage = append(r.Coverage, groupCoverage{g.Group, g.Reached, len(g.Points), slices.AppendSeq([]string{}, g.Missing)})
	}
	if a.json() {
		err = a.reportJSON(r)
	} else {
		err = a.report(func(w io.Writer) error { return a.fuzzText(w, &r) })
	}
	if err == nil && len(r.Buckets) > 0 {
		return errFindings
	}
	return err
}

func (a *app) fuzzText(w io.Writer, r *fuzzReport) error {
	p := a.palette(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "target\tcases\tcorpus\tbuckets\t")
	for _, target := range r.Targets {
		corpus, buckets := 0, 0
		for _, e := range r.Corpus {
			if e.Target == target.Name {
				corpus++
			}
		}
		for _, b := range r.Buckets {
			if b.Target == target.Name {
				buckets++
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t\n", target.Name, thousands(int(target.Next)), corpus, buckets)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, b := range r.Buckets {
		fmt.Fprintf(w, "%s: %s in %s, %s\n  %s\n  %s\n", p.bad(b.Key), plural(b.Count, "case"), b.Target, b.End, b.Text, filepath.Join(r.State, b.File+".txt"))
	}
	verdict := p.good("nothing found")
	if len(r.Buckets) > 0 {
		verdict = p.bad(plural(len(r.Buckets), "bucket"))
	}
	if r.Reached > 0 {
		fmt.Fprintln(t, "\ncoverpoints\treached\tknown\t")
		for _, g := range r.Coverage {
			fmt.Fprintf(t, "%s\t%d\t%d\t\n", g.Group, g.Reached, g.Known)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s cases in all, %s/s: %s; %s of %s coverpoints; the campaign is in %s\n",
		thousands(int(r.Cases)), thousands(int(r.PerSecond)), verdict, thousands(r.Reached), thousands(r.Known), r.State)
	return err
}
