package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// outputFlags maps each flag that names an output file to the flag of an input that it may replace.
var outputFlags = map[string]string{"output": "", "header": "", "write-baseline": "baseline", "write-model": "", "save": ""}

// keepInputs returns an error if an output of a command would replace one of its inputs. The two may
// have different names: links, or other spellings.
func (a *app) keepInputs(cmd *cobra.Command, args []string) error {
	type input struct{ flag, name string }
	var inputs []input
	for _, arg := range args {
		inputs = append(inputs, input{"", arg})
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, output := outputFlags[f.Name]; output || f.Name == "out" {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			inputs = append(inputs, input{f.Name, strings.TrimPrefix(value, "@")})
		}
	})
	for flag, replaces := range outputFlags {
		f := cmd.Flags().Lookup(flag)
		if f == nil {
			continue
		}
		output := regularFile(f.Value.String())
		if output == nil {
			continue
		}
		for _, in := range inputs {
			if (in.flag == "" || in.flag != replaces) && sameFile(output, regularFile(in.name)) {
				return overwrites(flag, f.Value.String(), shown(in.name))
			}
		}
		if in, ok := a.stdin.(*os.File); ok {
			if info, err := in.Stat(); err == nil && sameFile(output, info) {
				return overwrites(flag, f.Value.String(), "standard input")
			}
		}
	}
	return nil
}

// overwrites is the error about an output that is also an input.
func overwrites(flag, output, input string) error {
	return fmt.Errorf("--%s %s: would replace an input, %s", flag, shown(output), input)
}

// regularFile describes a regular file; it is nil if there is none of this name.
func regularFile(name string) os.FileInfo {
	if name == "" || name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

func sameFile(a, b os.FileInfo) bool { return a != nil && b != nil && os.SameFile(a, b) }
