package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/pica"
)

// fileVertices is the default number of generated vertices for each entry point of a file;
// --random overrides it.
const fileVertices = 1000

// compareFlags are the flags of compare.
type compareFlags struct {
	source
	coreFlags
	random                     int
	seed                       uint64
	mode, profile, job, engine string
	changed                    func(flag string) bool
}

func (a *app) compareCommand() *cobra.Command {
	var flags compareFlags
	cmd := &cobra.Command{
		Use:   "compare [FILE]",
		Short: "Compare the oracle with the VM, or with your core",
		Long: `compare executes the same jobs on the oracle and on the VM and groups the
differences by cause. For each cause it reports the number of differences and the
smallest program that still shows one, with its inputs and the command that repeats
it. Without a file it generates programs; with a file it runs every entry point on
generated vertices. Job number n of a seed is the same job everywhere. --job runs
one job in the form that gen job prints, or the job of entry N of a report that conform
core wrote as JSON: @report.json#N, or the entry's name instead of N. A job that names
a profile is judged by it, unless --profile names another.

--exec replaces the VM by a core in processes of its own. The values in its answers
are compared with the oracle's in the profile that --profile names. A generated job
without a defined outcome is not sent to the core; the job of --job is, and a crash is
a difference then, and so is a hang where the console ends. --against
compares two cores and says which rule of the profile decides between them. None does if
nobody has measured the console there, or if no single rule tells one core from the other:
then the profile's answer is that of a core by chance.

Exit status: 0 no difference; 1 differences; 2 bad arguments or an unreadable file.
An interrupted run reports the differences found so far.`,
		Example: `  picaproof compare --random 100000 --seed 1
  picaproof compare --random 5000 --mode words --format json
  picaproof compare shader.shbin
  picaproof compare --job job.json
  picaproof compare --random 10000 --exec './mycore' --profile azahar-x64
  picaproof compare --random 10000 --exec './mycore --jit' --against './mycore' --profile hw`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.job == "" && len(args) == 0 && !cmd.Flags().Changed("random") {
				return fmt.Errorf("name a file, or say how many programs to generate, e.g. --random 100000")
			}
			if len(args) == 1 && cmd.Flags().Changed("mode") {
				return fmt.Errorf("--mode is for generated programs; the file has its own")
			}
			flags.changed = cmd.Flags().Changed
			return a.compare(&flags, args)
		},
	}
	flags.source.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&flags.random, "random", fileVertices,
		"number of generated programs, or with a file of generated vertices for each entry point, e.g. --random 100000")
	f.Uint64Var(&flags.seed, "seed", 1, "seed of the generator, e.g. --seed 7")
	f.StringVar(&flags.job, "job", "",
		"run this job: a file, - for standard input, the JSON itself, or an entry of a report, e.g. --job @report.json#3")
	modeFlag(cmd, &flags.mode)
	profileFlag(cmd, &flags.profile, "numeric profile, e.g. --profile f24")
	engineFlag(cmd, &flags.engine, "vm", "engine that is compared with the oracle")
	flags.execFlag(cmd)
	flags.timeoutFlag(cmd)
	f.StringVar(&flags.against, "against", "",
		"compare the core of --exec with this one, e.g. --against './mycore --interpreter'")
	return cmd
}

// maxRandom is the largest number of generated jobs or vertices.
const maxRandom = 1 << 30

// compare runs and reports the comparison that the arguments describe.
func (a *app) compare(flags *compareFlags, args []string) error {
	c, end, err := a.comparison(flags, args)
	defer end()
	if err != nil {
		return err
	}
	ctx, stop := a.interruptible()
	defer stop()
	line := a.statusLine()
	r, err := c.Run(ctx, flags.seed, func(jobs int) {
		line.show("comparing: %s of %s jobs", thousands(jobs), thousands(int(c.Cases)))
	})
	line.clear()
	if err != nil {
		return engineError(flags.profile, flags.engine, err)
	}
	return a.result(r, r.Differences > 0,
		func(w io.Writer, p palette) { compareText(w, p, r, flags.names(flags.engine)) })
}

// comparison returns the comparison that the arguments describe. The caller ends the cores that
// it starts.
func (a *app) comparison(flags *compareFlags, args []string) (c hunt.Comparison, end func(), err error) {
	end = func() {}
	p, err := a.profile("profile", flags.profile)
	if err != nil {
		return c, end, err
	}
	mode, err := gen.ParseMode(flags.mode)
	if err != nil {
		return c, end, fmt.Errorf("--mode: %w", err)
	}
	if flags.random < 1 || flags.random > maxRandom {
		return c, end, fmt.Errorf("--random %d: want from 1 to %d", flags.random, maxRandom)
	}
	if c.Engines, end, err = a.cores(&flags.coreFlags, flags.engine); err != nil {
		return c, end, err
	}
	switch {
	case flags.job != "" && len(args) == 1:
		return c, end, fmt.Errorf("name a file or a job, not both")
	case flags.job != "":
		var job *pica.Job
		if job, err = a.readJob(flags.job); err != nil {
			return c, end, err
		}
		if flags.changed("profile") {
			job.Profile = p
		}
		c.Cases, c.Thorough = 1, true
		c.Source = func(uint64) func(uint64) *pica.Job { return func(uint64) *pica.Job { return job } }
	case len(args) == 1:
		var doc registry.Document
		if _, doc, err = a.parse(&flags.source, args[0]); err != nil {
			return c, end, err
		}
		holder, ok := doc.(registry.Shaders)
		if !ok {
			return c, end, failure{shown(args[0]) + ": this format holds no PICA200 program"}
		}
		c.Cases, c.Source = hunt.ShaderJobs(holder.Shaders(), p, flags.random)
	default:
		c.Cases, c.Source = uint64(flags.random), hunt.Generated(mode, p)
	}
	return c, end, err
}

// readJob reads a job from a file, from standard input, or from the argument
// itself.
func (a *app) readJob(arg string) (*pica.Job, error) {
	data, name, err := a.readJobOrFile(arg)
	if err != nil {
		return nil, err
	}
	job, err := hunt.ParseJob(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(name), err)
	}
	return job, nil
}

// readJobOrFile returns the argument itself if it is a job in JSON, the job of an entry of a report if it
// is @REPORT#ENTRY, else the content of the file with that name. It turns words into a job.
func (a *app) readJobOrFile(arg string) (data []byte, name string, err error) {
	if isJob([]byte(arg)) {
		return []byte(arg), "job", nil
	}
	if file, entry, ok := reportEntry(arg); ok {
		data, err = a.jobOfReport(file, entry)
		return data, arg, err
	}
	data, err = a.read(arg)
	if job, ok := jobOfWords(data); ok {
		data = job
	}
	return data, arg, err
}

// reportEntry splits @REPORT#ENTRY.
func reportEntry(arg string) (file, entry string, ok bool) {
	rest, ok := strings.CutPrefix(arg, "@")
	at := strings.LastIndexByte(rest, '#')
	if !ok || at < 0 {
		return "", "", false
	}
	return rest[:at], rest[at+1:], true
}

// jobOfReport returns the job of an entry of a report.
func (a *app) jobOfReport(file, entry string) ([]byte, error) {
	list, err := a.readReports([]string{file})
	if err != nil {
		return nil, err
	}
	d, err := list[0].Find(entry)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(file), err)
	}
	if !isJob(d.Job) {
		return nil, fmt.Errorf("%s: entry %q has no job", shown(file), entry)
	}
	return d.Job, nil
}

func compareText(w io.Writer, p palette, r *hunt.Report, engines string) {
	for _, b := range r.Buckets {
		fmt.Fprintf(w, "%s: %s, first in job %d\n%s", p.bad(b.Key), plural(b.Count, "difference"), b.Number, b.JobCase)
	}
	if r.Interrupted {
		fmt.Fprint(w, "interrupted: ")
	}
	verdict := p.good("no difference")
	switch {
	case r.Differences > 0:
		verdict = p.bad(plural(r.Differences, "difference"))
	case r.Undefined == r.Jobs:
		verdict = "nothing to compare"
	}
	fmt.Fprintf(w, "%s on %s: %s, %s jobs/s\n", plural(r.Jobs, "job"), engines, verdict,
		thousands(int(r.JobsPerSecond)))
	if r.Undefined > 0 {
		fmt.Fprintf(w, "%s had no defined outcome\n", plural(r.Undefined, "job"))
	}
	for _, outcome := range slices.Sorted(maps.Keys(r.Outcomes)) {
		fmt.Fprintf(w, "%s: %s\n", plural(int(r.Outcomes[outcome]), "job"), outcome)
	}
}

// modeFlag adds the flag for the kind of generated programs.
func modeFlag(cmd *cobra.Command, mode *string) {
	cmd.Flags().StringVar(mode, "mode", string(gen.Mixed), "kind of programs, e.g. --mode alu")
	closedList(cmd, "mode", modeNames()...)
}

func modeNames() []string {
	names := make([]string, len(gen.Modes))
	for i, m := range gen.Modes {
		names[i] = string(m)
	}
	return names
}
