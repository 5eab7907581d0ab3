package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/pica"
)

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	profiles      []string
	seed          uint64
	state, engine string
	shard         string
	coreFlags
	hunt.Options
}

// fuzzReport is the JSON report of fuzz.
type fuzzReport struct {
	Seed      uint64           `json:"seed"`
	Shard     hunt.Shard       `json:"shard,omitzero"`
	State     string           `json:"state"`
	Cases     uint64           `json:"cases"`
	PerSecond float64          `json:"cases_per_second"`
	Seconds   float64          `json:"seconds"`
	Reached   int              `json:"coverpoints"`
	Known     int              `json:"coverpoints_known"`
	Coverage  []groupCoverage  `json:"coverage"`
	Targets   []*hunt.Progress `json:"targets"`
	Corpus    []hunt.Entry     `json:"corpus"`
	Buckets   []*hunt.Bucket   `json:"buckets"`
	Damaged   []hunt.Damage    `json:"damaged,omitempty"` // of fuzz merge
	Missing   []hunt.Shard     `json:"missing,omitempty"` // of fuzz merge
}

// groupCoverage lists the reached and missed coverpoints of a group.
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
		Short: "Generate programs and files and judge them until stopped",
		Long: `fuzz generates cases and judges them on all processors, until --for is over or
Ctrl-C is pressed. Programs run on the oracle and on the VM, or with --exec on the
oracle and on your core. Shader files, valid, with one fault or damaged, go through
their parser, checker and writer. A target
is a kind of programs (` + strings.Join(modeNames(), ", ") + `), a file format
(` + strings.Join(generated(), ", ") + `), programs or files; without one
everything takes turns.

Each finding is written to the directory --state at once, in a bucket for its cause;
the first case of each bucket is reduced. NAME.found.json (or with the extension of
the format) is the case as found, NAME.json the reduced case, NAME.txt describes the
finding and has the command that repeats it. The same command later goes on where
this one stopped; Ctrl-C loses nothing. --shard 2/4 runs one of four parts, each with a
--state of its own; fuzz merge joins them.

Exit status: 0 no finding; 1 a finding in this run or an earlier one; 2 bad
arguments, or a directory that cannot be written.`,
		Example: `  picaproof fuzz --for 10m
  picaproof fuzz alu flow --profile hw --jobs 4 --for 8h
  picaproof fuzz --exec './mycore' --profile azahar-x64 --for 1h
  picaproof fuzz shbin zpsh --state files.campaign --for 1m --format json`,
		ValidArgs: append(append([]string{allPrograms, allFiles}, modeNames()...), generated()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.exec != "" && !cmd.Flags().Changed("profile") {
				flags.profiles = []string{defaultProfile}
			}
			targets, end, err := a.fuzzTargets(args, &flags)
			defer end()
			if err != nil {
				return err
			}
			if flags.Workers < 0 || flags.For < 0 {
				return fmt.Errorf("--jobs %d, --for %v: want nothing negative", flags.Workers, flags.For)
			}
			state, err := hunt.Open(flags.state, flags.seed)
			if err != nil {
				return err
			}
			defer state.Close()
			if cmd.Flags().Changed("seed") && state.Seed != flags.seed {
				return fmt.Errorf("--seed %d: the campaign in %s has seed %d", flags.seed, flags.state, state.Seed)
			}
			if flags.shard != "" {
				if err := takeShard(state, &flags); err != nil {
					return err
				}
			}
			return a.fuzz(&flags, state, targets)
		},
	}
	flags.flags(cmd)
	cmd.AddCommand(a.fuzzMergeCommand(), a.fuzzExportCommand())
	return cmd
}

// flags declares the flags.
func (flags *fuzzFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&flags.For, "for", 0, "stop after this time; 0 means at Ctrl-C, e.g. --for 10m")
	f.Uint64Var(&flags.Limit, "cases", 0, "stop after about this many cases; 0 means never, e.g. --cases 100000")
	f.IntVar(&flags.Workers, "jobs", 0, "cases judged at a time; 0 means one for each processor, e.g. --jobs 4")
	f.Uint64Var(&flags.seed, "seed", 1, "seed of a new campaign, e.g. --seed 7")
	f.StringVar(&flags.shard, "shard", "",
		"run one of several parts; --cases is then the number of all parts and runs, e.g. --shard 2/4")
	f.StringVar(&flags.state, "state", "picaproof-campaign", "directory that keeps the campaign, e.g. --state nightly")
	f.StringSliceVar(&flags.profiles, "profile", []string{"f24", "hw", "f32"},
		"numeric profiles of the programs, e.g. --profile hw")
	must(cmd.RegisterFlagCompletionFunc("profile", words("f24", "hw", "f32")))
	engineFlag(cmd, &flags.engine, "vm", "engine that is compared with the oracle")
	flags.execFlag(cmd)
	flags.timeoutFlag(cmd)
}

// takeShard makes a new campaign the shard of --shard. A campaign that is there already must be this shard.
func takeShard(state *hunt.State, flags *fuzzFlags) error {
	s, err := hunt.ParseShard(flags.shard)
	switch {
	case err != nil:
		return fmt.Errorf("--shard %w", err)
	case state.Targets == nil:
		state.Shard = s
	case state.Shard == hunt.Shard{}:
		return fmt.Errorf("--shard %s: the campaign in %s runs without shards", s, flags.state)
	case state.Shard != s:
		return fmt.Errorf("--shard %s: the campaign in %s is shard %s", s, flags.state, state.Shard)
	}
	return nil
}

// Names of groups of targets.
const (
	allPrograms = "programs"
	allFiles    = "files"
)

// fuzzTargets returns the targets that the arguments name, or all targets if there are no
// arguments. The caller ends the core that it starts.
func (a *app) fuzzTargets(args []string, flags *fuzzFlags) (targets []hunt.Target, end func(), err error) {
	if len(args) == 0 && flags.exec == "" {
		args = []string{allPrograms, allFiles}
	} else if len(args) == 0 {
		args = []string{allPrograms}
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
	engines, end, err := a.cores(&flags.coreFlags, flags.engine)
	if err != nil {
		return nil, end, err
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if from, ok := a.generator(name); ok {
			format, _ := a.formatNamed(name)
			targets = append(targets, hunt.Files(format, from))
			continue
		}
		mode, err := gen.ParseMode(name)
		if err != nil {
			known := slices.Concat([]string{allPrograms, allFiles}, modeNames(), generated())
			return nil, end, fmt.Errorf("unknown target %q: want %s%s", name, alternatives(known),
				nearest.Hint(name, known))
		}
		for _, profileName := range flags.profiles {
			p, err := a.profile("profile", profileName)
			if err != nil {
				return nil, end, err
			}
			if engines.Foreign {
				// The core is not asked: the run compares it with any profile.
			} else if err := engines.Got().Run(&pica.Job{Profile: p}, new(pica.Outcome)); err != nil {
				return nil, end, fmt.Errorf("--profile %s: %w", profileName, err)
			}
			c := hunt.Comparison{Engines: engines, Name: name + " " + p.Name, Source: hunt.Generated(mode, p),
				Watch: true}
			targets = append(targets, c.Target())
		}
	}
	return targets, end, nil
}

// fuzz runs a campaign and reports it.
func (a *app) fuzz(flags *fuzzFlags, state *hunt.State, targets []hunt.Target) error {
	ctx, stop := a.interruptible()
	defer stop()
	var last hunt.Status
	line := a.statusLine()
	opts := flags.Options
	opts.Progress = func(s hunt.Status) {
		last = s
		line.show("%v  %s cases  %s/s  %s of %s coverpoints  %s  corpus %s", s.Elapsed.Round(time.Second),
			thousands(int(s.Cases)), thousands(int(s.PerSecond)), thousands(s.Points), thousands(len(cover.Points())),
			plural(s.Buckets, "bucket"), thousands(s.Corpus))
	}
	opts.Found = func(b *hunt.Bucket) {
		line.clear()
		if !a.quiet {
			fmt.Fprintf(a.stderr, "%s: %s: %s\n", b.Target, b.Key, filepath.Join(flags.state, b.File+".txt"))
		}
	}
	matrix, err := hunt.Run(ctx, state, targets, opts)
	line.clear()
	if err != nil {
		return err
	}
	r := newFuzzReport(flags.state, state, matrix)
	r.Cases, r.PerSecond, r.Seconds = last.Cases, last.PerSecond, last.Elapsed.Seconds()
	return a.result(r, len(r.Buckets) > 0, func(w io.Writer, p palette) { fuzzText(w, p, r) })
}

// newFuzzReport returns the report of a campaign.
func newFuzzReport(dir string, state *hunt.State, matrix *cover.Matrix) *fuzzReport {
	r := &fuzzReport{Seed: state.Seed, Shard: state.Shard, State: dir, Cases: state.Cases(), Targets: state.Targets,
		Corpus: append([]hunt.Entry{}, state.Corpus...), Buckets: append([]*hunt.Bucket{}, state.Buckets...)}
	coverage := matrix.Report()
	r.Reached, r.Known = coverage.Reached, coverage.Total
	for _, g := range coverage.Groups {
		r.Coverage = append(r.Coverage,
			groupCoverage{g.Group, g.Reached, len(g.Points), slices.AppendSeq([]string{}, g.Missing)})
	}
	return r
}

func fuzzText(w io.Writer, p palette, r *fuzzReport) {
	rows := []string{"target\tcases\tcorpus\tbuckets"}
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
		judged := thousands(int(r.Shard.Judged(target.Next)))
		rows = append(rows, fmt.Sprintf("%s\t%s\t%d\t%d", target.Name, judged, corpus, buckets))
	}
	table(w, tabwriter.AlignRight, rows...)
	for _, b := range r.Buckets {
		fmt.Fprintf(w, "%s: %s in %s, %s\n  %s\n  %s\n", p.bad(b.Key), plural(b.Count, "case"), b.Target, b.End, b.Text,
			filepath.Join(r.State, b.File+".txt"))
	}
	if r.Reached > 0 {
		rows = []string{"coverpoints\treached\tknown"}
		for _, g := range r.Coverage {
			rows = append(rows, fmt.Sprintf("%s\t%d\t%d", g.Group, g.Reached, g.Known))
		}
		fmt.Fprintln(w)
		table(w, tabwriter.AlignRight, rows...)
	}
	verdict := p.good("nothing found")
	if len(r.Buckets) > 0 {
		verdict = p.bad(plural(len(r.Buckets), "bucket"))
	}
	speed := ""
	if r.Seconds > 0 {
		speed = fmt.Sprintf(", %s/s", thousands(int(r.PerSecond)))
	}
	name := "the campaign"
	if r.Shard.Of > 0 {
		name = "shard " + r.Shard.String() + " of the campaign"
	}
	fmt.Fprintf(w, "%s cases in all%s: %s; %s of %s coverpoints; %s is in %s\n",
		thousands(int(r.Cases)), speed, verdict, thousands(r.Reached), thousands(r.Known), name, r.State)
}
