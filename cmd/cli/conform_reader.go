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
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// readerFlags are the flags of conform reader.
type readerFlags struct {
	reader.Options
	exec    string
	state   string
	cases   string
	maxTime time.Duration
	known   baselineFlags
}

func (a *app) conformReaderCommand() *cobra.Command {
	var flags readerFlags
	cmd := &cobra.Command{
		Use:   "reader",
		Short: "Judge a program that reads shader files",
		Long: `conform reader gives a program files of a format: files that break one rule, near
misses, valid files, odd files and damaged files. The program must refuse a file that
breaks a rule which every reader must check ('picaproof rules ID' says so), and accept
a file without errors and warnings. It must not crash or hang, and its time and memory
must not grow faster than the size of the files.

A rule is tested if the reader accepts a near miss: the nearest right file beside the
wrong one. The report names the rules that are not tested, and the tables that the reader
does not read; rules about these are not judged unless --must-read names them.

A command with {in} runs once for each file; {in} stands for the file's name. Exit
status 0 accepts the file, 1 to 125 refuses it. If the command has {out}, the file of
that name is compared with the input. A command without {in} answers requests, one
JSON object a line; docs/reader.md describes them. A sanitizer's report counts as a
crash.

Exit status: 0 no finding counts against the reader; 1 one does; 2 bad arguments, a
reader that does not start or accepts no valid file, or one that answers too late.`,
		Example: `  picaproof conform reader --exec 'mytool {in}'
  picaproof conform reader --exec 'mytool -o {out} {in}' --as shbin,dvoj --format html -o reader.html
  picaproof conform reader --exec 'picaproof check -q {in}' --as csdr --cases 20`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: reportFormats},
		PreRunE:     func(cmd *cobra.Command, _ []string) error { return checkLimits(cmd) },
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.conformReader(cmd, &flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.exec, "exec", "", "command that reads a file, e.g. --exec 'mytool {in}'")
	f.StringSliceVar(&flags.Formats, "as", []string{"shbin"}, "formats that the reader reads, e.g. --as shbin,zpsh")
	f.Uint64Var(&flags.Cases, "cases", 100,
		"valid files, odd files, and three times as many damaged ones, e.g. --cases 1000")
	f.Uint64Var(&flags.Repeats, "repeats", 3, "files that break a rule, for each way to break it, e.g. --repeats 10")
	f.Uint64Var(&flags.Seed, "seed", 1, "seed of the generators, e.g. --seed 7")
	f.DurationVar(&flags.Limit, "timeout", 2*time.Second,
		"processor time of a file, a tenth of what a reader may sleep; a second attempt has more, e.g. --timeout 10s")
	f.DurationVar(&flags.maxTime, "max-time", 0,
		"end after this time and report the findings so far, e.g. --max-time 10m")
	f.IntVar(&flags.Jobs, "jobs", 0, "files read at a time; 0 chooses, e.g. --jobs 4")
	f.BoolVar(&flags.NoCost, "no-cost", false,
		"do not measure time and memory on files of growing size, e.g. conform reader --no-cost")
	f.StringSliceVar(&flags.MustRead, "must-read", nil,
		"tables that the reader must read, e.g. --must-read labels,lines")
	casesFlag(cmd, &flags.cases)
	flags.known.flags(cmd)
	a.saveFlag(cmd)
	stateFlag(cmd, &flags.state)
	closedList(cmd, "as", generated()...)
	must(cmd.RegisterFlagCompletionFunc("must-read",
		func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return reader.Tables(flags.Formats...), cobra.ShellCompDirectiveNoFileComp
		}))
	return cmd
}

// conformReader judges a reader.
func (a *app) conformReader(cmd *cobra.Command, flags *readerFlags) (err error) {
	if flags.exec == "" {
		return errors.New("name the reader, e.g. --exec 'mytool {in}'")
	}
	j, err := journalOf(cmd, flags.state)
	if err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	defer func() { err = cmp.Or(err, j.Close()) }()
	subject, end := a.startReader(flags.exec)
	defer end()
	return a.judged(&flags.known, func(ctx context.Context, fail func(error),
		progress func(text string)) (*report.Report, error) {
		j.OnFailure(fail)
		ctx, cancel := pool.Within(ctx, flags.maxTime)
		defer cancel()
		o := flags.Options
		o.Name, o.Progress = flags.exec, progress
		r, err := reader.Run(ctx, journal.OfReader(j, subject), o)
		if errors.Is(err, reader.ErrTable) {
			err = fmt.Errorf("--must-read %w", err)
		}
		if err == nil && flags.cases != "" {
			err = r.WriteCases(flags.cases)
		}
		return r, err
	})
}

// startReader returns the reader of a command line, and a function that ends it.
func (a *app) startReader(line string) (r reader.Reader, end func()) {
	if a.Reader != nil {
		if r := a.Reader(line); r != nil {
			return r, func() {}
		}
	}
	if strings.Contains(line, command.In) {
		c := reader.NewCommand(line)
		return c, c.Close
	}
	p := reader.NewProtocol(line)
	return p, p.Close
}
