package properties_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// processWide are functions that change a setting of the whole process, by the paths of their
// packages.
var processWide = map[string][]string{
	"os/signal":                       {"Notify", "NotifyContext", "Ignore", "Reset"},
	"golang.org/x/sys/unix":           {"Prctl", "PrctlRetInt", "Setrlimit", "Setpriority", "Umask", "Setsid"},
	"syscall":                         {"Setrlimit", "Setpriority", "Umask", "Setsid", "SYS_PRCTL"},
	"os":                              {"Setenv", "Unsetenv", "Chdir", "Clearenv"},
	module + "oracle/adapter/orphans": {"Adopt", "EndAll"},
}

// Only the command line changes settings of its process. A program that calls our libraries keeps
// its signal handlers, its limits, its environment, and its children.
func TestProcessWideSettings(t *testing.T) {
	used := map[string]int{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path == "../tools":
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		imported := map[string]string{}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imported[filepath.Base(name)] = name
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := selector.X.(*ast.Ident); ok {
				for _, name := range processWide[imported[x.Name]] {
					if name == selector.Sel.Name {
						used[name]++
						if !strings.HasPrefix(path, "../cmd/") {
							t.Errorf("%s: %s.%s", path, x.Name, name)
						}
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Notify", "Prctl", "Adopt", "EndAll"} { // the test sees what there is
		if used[name] == 0 {
			t.Errorf("nothing uses %s", name)
		}
	}
}
