package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// needs is what the value of a flag has to be.
type needs struct {
	is    func(value string) bool
	words string
}

var aTime = needs{func(value string) bool {
	d, err := time.ParseDuration(value)
	return err == nil && d > 0
}, "a time above 0, e.g. 10s"}

// limits are the flags of conform for the size of a run.
var limits = map[string]needs{
	"timeout": aTime, "max-time": aTime,
	"cases": {func(value string) bool { return value != "0" }, "a number above 0"},
	"jobs":  {func(value string) bool { return value[0] != '-' }, "a number of jobs, or 0"},
}

// checkLimits returns an error for a limit that was given and makes no sense.
func checkLimits(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if n, ok := limits[f.Name]; ok && err == nil && !n.is(f.Value.String()) {
			err = fmt.Errorf("--%s %s: want %s", f.Name, f.Value, n.words)
		}
	})
	return err
}
