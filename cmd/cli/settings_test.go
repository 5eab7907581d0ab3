package cli

import (
	"regexp"
	"testing"

	"github.com/picaproof/picaproof/cmd/project"
)

// TestProjectKeys: what init writes is read without an error when each setting is uncommented, and
// every key has a flag.
func TestProjectKeys(t *testing.T) {
	keys := projectKeys()
	text := regexp.MustCompile(`(?m)^# ([a-z-]+ = )`).ReplaceAll(project.Template(keysOf(keys)), []byte("$1"))
	settings, err := project.Parse(project.Name, text, keysOf(keys))
	if err != nil || len(settings) != len(keys) {
		t.Fatalf("%d of %d keys: %v", len(settings), len(keys), err)
	}
	root := (&app{}).root()
	for _, k := range keys {
		for command, to := range k.flags {
			cmd, _, err := root.Find([]string{command})
			if err != nil || cmd.Flags().Lookup(to.flag) == nil {
				t.Errorf("%s: %s has no --%s: %v", k.Name, command, to.flag, err)
			}
		}
	}
}
