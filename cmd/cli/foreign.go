package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// coreFlags are the flags for cores in other processes.
type coreFlags struct {
	exec, against string
	timeout       time.Duration
}

// execFlag adds the flag for the command of a core.
func (f *coreFlags) execFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.exec, "exec", "",
		"command of a core that speaks the adapter protocol, instead of --engine, e.g. --exec './mycore --jit'")
}

// timeoutFlag adds the flag for the time limit of answers.
func (f *coreFlags) timeoutFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.timeout, "timeout", 3*time.Second,
		"processor time of a job, a tenth of what a core may sleep; a second attempt has more, e.g. --timeout 1s")
}

// startCore returns the core of a command. failed, which may be nil, is called when it cannot be
// started again.
func (a *app) startCore(line string, timeout time.Duration, failed func(error)) (adapter.Core, error) {
	if a.Core != nil {
		if c := a.Core(line); c != nil {
			return c, nil
		}
	}
	return adapter.Start(line, adapter.Options{Timeout: timeout, Failed: failed})
}

// cores returns the engines of --exec, --against and --engine, and a function that ends them.
func (a *app) cores(f *coreFlags, engine string) (e hunt.Engines, end func(), err error) {
	end = func() {}
	if f.exec == "" {
		if f.against != "" {
			return e, end, fmt.Errorf("--against: name the other core with --exec")
		}
		e, err = a.engines(engine)
		return e, end, err
	}
	var running []adapter.Core
	end = func() {
		for _, c := range running {
			_ = c.Close()
		}
	}
	begin := func(flag, command string) (func() pica.Engine, error) {
		core, err := a.startCore(command, f.timeout, nil)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		running = append(running, core)
		engine := fingerprint.AsEngine(core)
		return func() pica.Engine { return engine }, nil
	}
	e = hunt.Engines{Want: impl.New, Foreign: true, Arguments: " --exec " + command.Quoted(f.exec)}
	if e.Got, err = begin("exec", f.exec); err != nil {
		return e, end, err
	}
	if f.against != "" {
		e.Guard = impl.New
		e.Arguments += " --against " + command.Quoted(f.against)
		if e.Want, err = begin("against", f.against); err == nil {
			e.Referee = conform.NewReferee([2]adapter.Core{running[1], running[0]}).Decides
		}
	}
	return e, end, err
}

// names returns the names of the compared engines, "oracle and vm".
func (f *coreFlags) names(engine string) string {
	switch {
	case f.exec == "":
		return "oracle and " + engine
	case f.against == "":
		return "oracle and " + f.exec
	}
	return f.against + " and " + f.exec
}
