package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// reduceFlags are the flags of reduce.
type reduceFlags struct {
	source
	while, state string
	tries, jobs  int
	timeout      time.Duration
}

// reduceReport is the JSON report of reduce on a job.
type reduceReport struct {
	Key string `json:"key"`
	reducedCase
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
		Short: "Make a job or a file smaller while it keeps showing what it shows",
		Long: `reduce drops whatever it can from a job (as gen job prints it: a file, - for
standard input, or the JSON itself) or from a shader file, as long as the rest
still shows the same.

With --while the same is whatever a command says: it runs with {} replaced by
the path of a candidate, and exit status 0 keeps the candidate. Without it a job
keeps its difference between oracle and VM, in the same bucket, and a file keeps
the set of rules it breaks.

A job is reported as assembly with its inputs and one command that repeats it. A
file is written to -o, or to standard output.

The end is minimal, budget exhausted (--tries) or interrupted (Ctrl-C); in each
case what was reached is reported. With --state a later run goes on from there
and tries nothing twice.

Exit status: 0 reduced; 1 there is nothing to keep; 2 bad arguments, or a file
that cannot be read or written.`,
		Example: `  picaproof reduce job.json
  picaproof reduce job.json --while './mycore --job {} | grep -q NaN'
  picaproof reduce bad.shbin -o small.shbin
  picaproof reduce bad.shbin --while '! ./mytool {}' -o small.shbin --state small.state`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.tries < 0 || flags.jobs < 0 {
				return fmt.Errorf("--tries %d, --jobs %d: want no negative number", flags.tries, flags.jobs)
			}
			data := []byte(args[0])
			if !isJob(data) {
				var err error
				if data, err = a.read(args[0]); err != nil {
					return err
				}
			}
			ctx, stop := interruptible()
			defer stop()
			if isJob(data) {
				return a.reduceJob(ctx, &flags, data)
			}
			return a.reduceFile(ctx, &flags, args[0], data)
		},
	}
	flags.source.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.while, "while", "", "what to keep: a shell command that succeeds, with {} for the candidate's path, e.g. --while '! ./mytool {}'")
	f.StringVar(&flags.state, "state", "", "keep what is found out in this file, and go on from it, e.g. --state small.state")
	f.IntVar(&flags.tries, "tries", 0, "stop after this many candidates; 0 means never, e.g. --tries 10000")
	f.IntVar(&flags.jobs, "jobs", 0, "candidates judged at a time; 0 means one for each processor, e.g. --jobs 4")
	f.DurationVar(&flags.timeout, "timeout", 10*time.Second, "a command that takes longer has failed, e.g. --timeout 2s")
	return cmd
}

// options returns the limits of a reduction and shows its progress.
func (a *app) reduceOptions(flags *reduceFlags, memory *reduce.Memory) (opts reduce.Options, finish func()) {
	bar := a.progress(-1, "reducing")
	return reduce.Options{Workers: flags.jobs, MaxTries: flags.tries, Memory: memory, Progress: func(r reduce.Report) {
		_ = bar.Set(r.Tries)
	}}, func() { _ = bar.Finish() }
}

func (a *app) reduceJob(ctx context.Context, flags *reduceFlags, data []byte) error {
	work, err := a.workshop(ctx, flags, "job.json")
	if err != nil {
		return err
	}
	defer work.close()
	how := difference()
	if flags.while != "" {
		how = reduce.Jobs{NewKey: func() reduce.Key {
			keep := work.newCheck()
			return func(job *pica.Job) string {
				text, err := json.Marshal(job)
				if err != nil || !keep(text) {
					return ""
				}
				return flags.while
			}
		}}
	}
	saved, err := loadState(flags.state, flags.while, data)
	if err != nil {
		return err
	}
	job, err := pica.ParseJob(saved.Best, jobProfile)
	if err != nil {
		return err
	}
	opts, finish := a.reduceOptions(flags, &saved.Memory)
	r, err := reduce.Job(ctx, job, how, opts)
	finish()
	if errors.Is(err, reduce.ErrNothing) {
		if flags.while != "" {
			return failure{"the command fails on the job itself"}
		}
		return failure{"oracle and vm agree on this job: nothing to keep"}
	}
	if err != nil {
		return err
	}
	var report reduceReport
	if flags.while == "" {
		report.reducedCase, err = differenceCase(r)
	} else if report.reducedCase, err = caseOf(r); err == nil {
		report.Reproduce = "printf %s " + quoted(string(report.Job)) + " > job.json && " + strings.ReplaceAll(flags.while, "{}", "job.json")
	}
	if err != nil {
		return err
	}
	report.Key = r.Key
	saved.Best = report.Job
	if err := saved.store(flags.state); err != nil {
		return err
	}
	if a.json() {
		return a.reportJSON(report)
	}
	return a.report(func(w io.Writer) error {
		fmt.Fprintf(w, "%s\n", a.palette(w).bad(report.Key))
		report.text(w)
		return nil
	})
}

func (a *app) reduceFile(ctx context.Context, flags *reduceFlags, name string, data []byte) error {
	if err := flags.validate(); err != nil {
		return err
	}
	if a.output == "" && terminal(a.stdout) {
		return errors.New("not writing a binary file to a terminal: name it with -o, e.g. -o small.shbin")
	}
	work, err := a.workshop(ctx, flags, "candidate"+filepath.Ext(name))
	if err != nil {
		return err
	}
	defer work.close()
	report := reducedFile{File: name, Before: len(data), Kept: flags.while}
	keep := func() reduce.Interesting { return work.newCheck() }
	if flags.while == "" {
		if report.Kept = brokenRules(flags, name, data); report.Kept == "" {
			return failure{name + ": breaks no rule: say what to keep with --while"}
		}
		keep = func() reduce.Interesting {
			return func(b []byte) bool { return brokenRules(flags, name, b) == report.Kept }
		}
	}
	saved, err := loadState(flags.state, report.Kept, data)
	if err != nil {
		return err
	}
	opts, finish := a.reduceOptions(flags, &saved.Memory)
	r, err := reduce.File(ctx, saved.Best, keep, opts)
	finish()
	if errors.Is(err, reduce.ErrNothing) {
		return failure{"the command fails on the file itself"}
	}
	if err != nil {
		return err
	}
	saved.Best = r.Data
	if err := saved.store(flags.state); err != nil {
		return err
	}
	report.After, report.Reduction = len(r.Data), r.Report
	written := a.output
	if written == "" || written == "-" {
		written = "FILE"
	}
	report.Reproduce = "picaproof check " + written
	if flags.while != "" {
		report.Reproduce = strings.ReplaceAll(flags.while, "{}", written)
	}
	if err := a.report(func(w io.Writer) error { _, err := w.Write(r.Data); return err }); err != nil {
		return err
	}
	if a.json() {
		e := json.NewEncoder(a.stderr)
		e.SetEscapeHTML(false)
		return e.Encode(report)
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "%s: %s to %s, %s, %s; keeps %s\n  %s\n", name, plural(report.Before, "byte"), plural(report.After, "byte"),
			r.End, plural(r.Tries, "candidate"), report.Kept, report.Reproduce)
	}
	return nil
}

// brokenRules lists the rules that a file breaks, each once.
func brokenRules(flags *reduceFlags, name string, data []byte) string {
	f := flags.identify(name, data)
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

// workshop is a temporary directory in which --while judges candidates.
type workshop struct {
	ctx       context.Context
	flags     *reduceFlags
	directory string
	name      string
}

func (a *app) workshop(ctx context.Context, flags *reduceFlags, name string) (*workshop, error) {
	w := &workshop{ctx: ctx, flags: flags, name: name}
	if flags.while == "" {
		return w, nil
	}
	if !strings.Contains(flags.while, "{}") {
		return nil, fmt.Errorf("--while %q: want {} where the path of the candidate belongs", flags.while)
	}
	var err error
	w.directory, err = os.MkdirTemp("", "picaproof-reduce-")
	return w, err
}

func (w *workshop) close() {
	if w.directory != "" {
		os.RemoveAll(w.directory)
	}
}

// newCheck returns a function that runs --while on data, in a directory of its
// own.
func (w *workshop) newCheck() func(data []byte) bool {
	directory, err := os.MkdirTemp(w.directory, "")
	path := filepath.Join(directory, w.name)
	command := strings.ReplaceAll(w.flags.while, "{}", quoted(path))
	return func(data []byte) bool {
		if err != nil || os.WriteFile(path, data, 0o666) != nil {
			return false
		}
		ctx, cancel := context.WithTimeout(w.ctx, w.flags.timeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.WaitDelay = time.Second
		return cmd.Run() == nil
	}
}

// reduceState is what --state stores.
type reduceState struct {
	Input  []byte        `json:"input"` // what the reduction began with
	Kept   string        `json:"kept"`
	Best   []byte        `json:"best"`
	Memory reduce.Memory `json:"memory"`
}

// loadState reads the state file, or begins with input. A state of another
// reduction is refused.
func loadState(name, kept string, input []byte) (*reduceState, error) {
	s := &reduceState{Input: input, Kept: kept, Best: input}
	if name == "" {
		return s, nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var stored reduceState
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, fmt.Errorf("--state %s: %w", name, err)
	}
	if stored.Kept != kept || !bytes.Equal(stored.Input, input) {
		return nil, fmt.Errorf("--state %s: of another reduction", name)
	}
	return &stored, nil
}

// store writes the state file, if there is to be one.
func (s *reduceState) store(name string) error {
	if name == "" {
		return nil
	}
	return writeFile(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}
