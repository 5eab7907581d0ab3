package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/picaproof/picaproof/internal/nearest"
)

// choiceAnnotation lists the values of a flag that has a closed list of them.
const choiceAnnotation = "values"

// closedList makes the values of a flag, or of each element of a list, one of a closed list. A shell completes them,
// and [checkChoices] refuses others.
func closedList(cmd *cobra.Command, flag string, values ...string) {
	f := cmd.Flag(flag)
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[choiceAnnotation] = values
	must(cmd.RegisterFlagCompletionFunc(flag, words(values...)))
}

// checkChoices refuses a value that the closed list of its flag has not, and says which is the nearest.
func checkChoices(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		known, closed := f.Annotations[choiceAnnotation]
		given := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			given = list.GetSlice()
		}
		for _, value := range given {
			if closed && err == nil && !slices.Contains(known, value) {
				err = fmt.Errorf("--%s %q: want %s%s", f.Name, value, alternatives(known), nearest.Hint(value, known))
			}
		}
	})
	return err
}

// alternatives returns "a, b or c".
func alternatives(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
