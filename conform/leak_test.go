//go:build linux || darwin

package conform_test

import (
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// TestCaches: a code cache with an incomplete key is one cause, which names the gaps.
func TestCaches(t *testing.T) {
	for fault, name := range map[string]string{
		"":                "",
		"state-cc":        "",
		"state-cache":     "operand descriptors",
		"cache-entry":     "the entry point",
		"cache-prefix":    "words behind word 16",
		"cache-sum":       "the order of words",
		"cache-constants": "float uniforms",
		"cache-code":      "the entry point, operand descriptors, boolean uniforms, integer uniforms, float uniforms",
	} {
		if testing.Short() && fault != "" && fault != "cache-code" {
			continue
		}
		command := kittest.Toy(t)
		if fault != "" {
			command += " --fault " + fault
		}
		core, err := adapter.Start(command, adapter.Options{Timeout: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		found := []string{}
		for _, bucket := range conform.Leaks(t.Context(), core) {
			if kept, ok := strings.CutPrefix(bucket, "code cache ignores "); ok {
				found = append(found, kept)
			}
		}
		if got := strings.Join(found, "; "); got != name {
			t.Errorf("%q: the cache ignores %q, want %q", fault, got, name)
		}
		if err := core.Close(); err != nil {
			t.Error(err)
		}
	}
}
