package testscript_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestHelp walks all commands: the help of each that does something has an example that begins with its name, and
// says what its exit status means.
func TestHelp(t *testing.T) {
	command := regexp.MustCompile(`(?m)^  ([a-z]+) `)
	flag := regexp.MustCompile(`(?m)^  (?:-., |    )--(\S+) (.*)$`)
	count := 0
	var walk func(path []string)
	walk = func(path []string) {
		name := strings.Join(append([]string{"picaproof"}, path...), " ")
		var stdout, stderr bytes.Buffer
		if status := tool().Main(append(path, "--help"), strings.NewReader(""), &stdout, &stderr); status != 0 {
			t.Fatalf("%s: status %d: %s", name, status, &stderr)
		}
		help := stdout.String()
		count++
		_, examples, _ := strings.Cut(help, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		if !strings.Contains(examples, "  "+name) {
			t.Errorf("%s --help: no example of it in %q", name, examples)
		}
		_, list, group := strings.Cut(help, "\nAvailable Commands:\n")
		if !group || len(path) == 0 {
			if !regexp.MustCompile(`(?i)exit\s+status`).MatchString(help) {
				t.Errorf("%s --help: it does not say what its exit status means", name)
			}
		}
		for _, f := range flag.FindAllStringSubmatch(help, -1) {
			if f[1] != "help" && f[1] != "version" && !strings.Contains(f[2], "e.g. ") {
				t.Errorf("%s --help: no example of --%s in %q", name, f[1], f[2])
			}
		}
		list, _, _ = strings.Cut(list, "\n\n")
		for _, c := range command.FindAllStringSubmatch(list, -1) {
			if c[1] != "help" && c[1] != "completion" {
				walk(append(path[:len(path):len(path)], c[1]))
			}
		}
	}
	walk(nil)
	if count < 30 {
		t.Errorf("%d commands, want 30 or more", count)
	}
}
