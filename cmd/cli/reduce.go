package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/pica"
)

// reduceFlags are the flags of reduce.
type reduceFlags struct {
	source
	coreFlags
	while, state, engine string
	tries, jobs          int
}

// reduceReport is the JSON report of reduce on a job.
type reduceReport struct {
	Key string `json:"key"`
	*hunt.JobCase
}

// reducedFile is the JSON report of reduce on a file.
type reducedFile struct {
	File      string        `json:"file"`
	Before    int           `json:"bytes_before"`
	After     int           `json:"bytes_after"`
	Kept      string        `json:"kept"`
	Reproduce string        `json:"reproduce"`
	Reduction reduce.Report `json:"reduction"`
}

func (a *app) reduceCommand() *cobra.Command {
	var flags reduceFlags
	cmd := &cobra.Command{
		Use:   "reduce JOB|FILE",
		Short: "Reduce a job or a file while it still shows the same fault",
		Long: `reduce removes parts of a shader file or of a job (in the form that gen job prints:
a file, - for standard input, the JSON itself, or entry N of a report, @report.json#N)
as long as the rest shows the same fault.

Without --while a job must keep its difference between the oracle and the VM, or the
oracle and the core of --exec, with the same cause; a file must keep the set of rules
that it breaks. With --while a command decides: it runs with {} replaced by the path
of a candidate, and exit status 0 keeps the candidate.

A job is reported as assembly with its inputs and a command that repeats it. A file is
written to -o, or to standard output.

A reduction ends as minimal, budget exhausted (--tries) or interrupted (Ctrl-C), and
reports the smallest case so far. With --state a later run goes on from there and
tries no candidate twice.

Exit status: 0 reduced; 1 the case shows no fault; 2 bad arguments, or a file that
cannot be read or written.`,
		Example: `  picaproof reduce job.json
  picaproof reduce job.json --exec './mycore'
  picaproof reduce job.json --while './mycore --job {} | grep -q NaN'
  picaproof reduce bad.shbin -o small.shbin
  picaproof reduce bad.shbin --while '! ./mytool {}' -o small.shbin --state small.state`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.tries < 0 || flags.jobs < 0 {
				return fmt.Errorf("--tries %d, --jobs %d: want no negative number", flags.tries, flags.jobs)
			}
			data, _, err := a.readJobOrFile(args[0])
			if err != nil {
				return err
			}
			ctx, stop := a.interruptible()
			defer stop()
			if isJob(data) {
				return a.reduceJob(ctx, &flags, data)
			}
			return a.reduceFile(ctx, &flags, args[0], data)
		},
	}
	flags.source.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.while, "while", "",
		"shell command that succeeds for candidates to keep; {} is the candidate's path, e.g. --while '! ./mytool {}'")
	f.StringVar(&flags.state, "state", "",
		"file of the progress, from which a later run goes on, e.g. --state small.state")
	f.IntVar(&flags.tries, "tries", 0, "stop after this many candidates; 0 means never, e.g. --tries 10000")
	f.IntVar(&flags.jobs, "jobs", 0, "candidates judged at a time; 0 means one for each processor, e.g. --jobs 4")
	engineFlag(cmd, &flags.engine, "vm", "engine that is compared with the oracle, without --while")
	flags.execFlag(cmd)
	f.DurationVar(&flags.timeout, "timeout", 10*time.Second,
		"processor time of a command, a tenth of what it may sleep; a slower one has failed, e.g. --timeout 2s")
	return cmd
}

// reduction is a running reduction.
type reduction struct {
	*hunt.Saved
	opts   reduce.Options
	finish func() // removes the status line
}

// begin prepares a reduction of data, or continues a stored one.
func (a *app) begin(flags *reduceFlags, kept string, data []byte) (*reduction, error) {
	saved, err := hunt.LoadReduction(flags.state, kept, data)
	if err != nil {
		return nil, fmt.Errorf("--state %w", err)
	}
	line := a.statusLine()
	return &reduction{saved, reduce.Options{Workers: flags.jobs, MaxTries: flags.tries, Memory: &saved.Memory,
		Progress: func(r reduce.Report) {
			line.show("reducing: %s", plural(r.Tries, "candidate"))
		}}, line.clear}, nil
}

// command returns the command of --while, nil without it.
func (f *reduceFlags) command(name string) (*hunt.Command, error) {
	if f.while == "" {
		return nil, nil
	}
	c, err := hunt.NewCommand(f.while, name, f.timeout)
	if err != nil {
		return nil, fmt.Errorf("--while %w", err)
	}
	return c, nil
}

func (a *app) reduceJob(ctx context.Context, flags *reduceFlags, data []byte) error {
	engines, end, err := a.cores(&flags.coreFlags, flags.engine)
	defer end()
	if err != nil {
		return err
	}
	while, err := flags.command("job.json")
	if err != nil {
		return err
	}
	how := engines.Keys()
	if while != nil {
		defer while.Close()
		how = reduce.Jobs{NewKey: func() reduce.Key {
			keeps := while.Keeps(ctx)
			return func(job *pica.Job) string {
				text, err := json.Marshal(job)
				if err != nil || !keeps(text) {
					return ""
				}
				return flags.while
			}
		}}
	}
	work, err := a.begin(flags, flags.while, data)
	if err != nil {
		return err
	}
	job, err := hunt.ParseJob(work.Best)
	if err != nil {
		return err
	}
	r, err := reduce.Job(ctx, engines.Sent(job), how, work.opts)
	work.finish()
	switch {
	case errors.Is(err, reduce.ErrNothing) && while != nil:
		return failure{"the command fails on the job itself"}
	case errors.Is(err, reduce.ErrNothing):
		return failure{flags.names(flags.engine) + " agree on this job: nothing to keep"}
	case err != nil:
		return err
	}
	report := reduceReport{Key: r.Key}
	if while == nil {
		report.JobCase, err = engines.Case(ctx, r)
	} else if report.JobCase, err = hunt.NewJobCase(r); err == nil {
		report.Reproduce = "printf %s " + command.Quoted(string(report.Job)) + " > job.json && " +
			while.Reproduce("job.json")
	}
	if err != nil {
		return err
	}
	work.Best = report.Job
	if err := work.Store(flags.state); err != nil {
		return err
	}
	return a.result(report, false,
		func(w io.Writer, p palette) { fmt.Fprintf(w, "%s\n%s", p.bad(report.Key), report.JobCase) })
}

func (a *app) reduceFile(ctx context.Context, flags *reduceFlags, name string, data []byte) error {
	if err := a.validate(&flags.source); err != nil {
		return err
	}
	if err := a.notToTerminal(); err != nil {
		return err
	}
	while, err := flags.command("candidate" + filepath.Ext(name))
	if err != nil {
		return err
	}
	report := reducedFile{File: name, Before: len(data), Kept: flags.while}
	var keep func() reduce.Interesting
	if while != nil {
		defer while.Close()
		keep = func() reduce.Interesting { return while.Keeps(ctx) }
	} else {
		if report.Kept = a.brokenRules(flags, name, data); report.Kept == "" {
			return failure{name + ": breaks no rule: name the property to keep with --while"}
		}
		keep = func() reduce.Interesting {
			return func(b []byte) bool { return a.brokenRules(flags, name, b) == report.Kept }
		}
	}
	work, err := a.begin(flags, report.Kept, data)
	if err != nil {
		return err
	}
	r, err := reduce.File(ctx, work.Best, keep, work.opts)
	work.finish()
	if errors.Is(err, reduce.ErrNothing) {
		return failure{"the command fails on the file itself"}
	}
	if err != nil {
		return err
	}
	work.Best = r.Data
	if err := work.Store(flags.state); err != nil {
		return err
	}
	report.After, report.Reduction = len(r.Data), r.Report
	return a.reportReduced(&report, while, r.Data)
}

// reportReduced writes a reduced file, and prints the report.
func (a *app) reportReduced(report *reducedFile, while *hunt.Command, data []byte) error {
	written := a.output
	if written == "" || written == "-" {
		written = "FILE"
	}
	report.Reproduce = "picaproof check " + written
	if while != nil {
		report.Reproduce = while.Reproduce(written)
	}
	if err := a.report(bytesOf(data)); err != nil {
		return err
	}
	if a.json() {
		return encoder(a.stderr, "").Encode(report)
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "%s: %s to %s, %s, %s; keeps %s\n  %s\n", shown(report.File), plural(report.Before, "byte"),
			plural(report.After, "byte"), report.Reduction.End, plural(report.Reduction.Tries, "candidate"),
			report.Kept, report.Reproduce)
	}
	return nil
}

// brokenRules lists the rules that a file breaks, each once.
func (a *app) brokenRules(flags *reduceFlags, name string, data []byte) string {
	f := a.identify(&flags.source, name, data)
	if !f.known {
		return ""
	}
	var ids []string
	for _, x := range f.format.Check(data, flags.opts(f.format)...) {
		ids = append(ids, x.Rule)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " ")
}

// isJob reports whether data is a JSON object rather than a shader file.
func isJob(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) }
