package properties_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
)

const module = "github.com/picaproof/picaproof/"

// importRule says which of our packages, and which others, the packages below a path may and
// must not import. The longest path that covers a package decides. A path that ends in /...
// covers everything below it, too.
type importRule struct {
	path   string
	may    []string
	mayNot []string // wins over may
}

// rulesPage is the page whose table holds the import rules.
const rulesPage = "../docs/architecture.md"

// drivers belong in tests only; this is their name in the table.
var drivers = []string{"testing", "github.com/google/gofuzz", "github.com/leanovate/gopter", "fuzz/target/..."}

// importRules reads the table of rulesPage: a row for each path, with the paths that its
// packages may and must not import in code spans.
func importRules(t *testing.T) (rules []importRule) {
	t.Helper()
	page, err := os.ReadFile(rulesPage)
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(page)) {
		cells := strings.Split(row, "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "`") {
			continue // not a row of the table, or its head
		}
		path, may, mayNot := paths(cells[1]), paths(cells[2]), paths(cells[3])
		if len(path) != 1 {
			t.Fatalf("%s: a row starts with %q, want one path", rulesPage, cells[1])
		}
		if slices.ContainsFunc(rules, func(r importRule) bool { return r.path == path[0] }) {
			t.Errorf("%s has a second row for %s, which does not count", rulesPage, path[0])
		}
		rules = append(rules, importRule{path[0], may, mayNot})
	}
	if len(rules) == 0 {
		t.Fatalf("%s has no table of import rules", rulesPage)
	}
	return rules
}

// paths returns the import paths of a cell.
func paths(cell string) (list []string) {
	for _, word := range strings.Fields(cell) {
		if word == "drivers" {
			list = append(list, drivers...)
			continue
		}
		list = append(list, strings.Trim(word, "`"))
	}
	return list
}

// imports returns what each of our packages imports outside its tests. It reads the
// files of all platforms, whatever their build constraints say.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	packages, files := map[string][]string{}, token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if path != ".." &&
				(nested == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(packages[pkg], imported) {
				packages[pkg] = append(packages[pkg], imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func below(pkg, path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }

// ruleFor returns the rule with the longest path that pkg lies below.
func ruleFor(rules []importRule, pkg string) (rule importRule, ok bool) {
	for _, r := range rules {
		if below(pkg, r.path) && len(r.path) > len(rule.path) {
			rule, ok = r, true
		}
	}
	return rule, ok
}

// covers reports whether one of the paths covers a package.
func covers(paths []string, pkg string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		if prefix, all := strings.CutSuffix(p, "/..."); all {
			return below(pkg, prefix)
		}
		return pkg == p
	})
}

// forbidden says why a package must not import another one, or returns "".
func forbidden(rule importRule, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, module)
	switch {
	case covers(rule.mayNot, ours):
		return "listed as forbidden"
	case isOurs && !below(ours, rule.path) && !covers(rule.may, ours):
		return "not listed as allowed"
	}
	return ""
}

// TestImportsFollowTheArchitecture checks every package against the table, on every
// platform.
func TestImportsFollowTheArchitecture(t *testing.T) {
	rules, seen, all := importRules(t), map[string]bool{}, imports(t)
	for _, pkg := range slices.Sorted(maps.Keys(all)) {
		rule, ok := ruleFor(rules, pkg)
		if !ok {
			t.Errorf("%s: %s has no row for it", pkg, rulesPage)
			continue
		}
		seen[rule.path] = true
		for _, imported := range all[pkg] {
			if why := forbidden(rule, imported); why != "" {
				t.Errorf("%s imports %s: %s", pkg, imported, why)
			}
		}
	}
	for _, r := range rules {
		if !seen[r.path] && len(r.may) > 0 {
			t.Errorf("%s has a row for %s, which no package needs", rulesPage, r.path)
		}
	}
}

// TestFormatTargetsLinkNoEngine lists the packages in the test binaries of the fuzz targets of
// all formats, on every system for which .ci/run builds.
func TestFormatTargetsLinkNoEngine(t *testing.T) {
	args := []string{"list", "-deps", "-test"}
	for f := range registry.All() {
		args = append(args, "./fuzz/target/"+f.Name)
	}
	formats := len(args) - 3
	for _, system := range []string{"linux", "windows", "darwin"} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOOS="+system)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: go list: %v\n%s", system, err, out)
		}
		linked := 0
		for line := range strings.Lines(string(out)) {
			pkg, ours := strings.CutPrefix(strings.TrimSpace(line), module)
			if ours {
				linked++
			}
			if covers([]string{"oracle/...", "pica/vm/..."}, pkg) {
				t.Errorf("%s: a target of a format links %s", system, pkg)
			}
		}
		if linked < 2*formats {
			t.Errorf("%s: only %d of our packages are linked", system, linked)
		}
	}
}

// TestImportRulesForbid shows that the rules can fail: each import here breaks the
// architecture.
func TestImportRulesForbid(t *testing.T) {
	rules := importRules(t)
	for _, edge := range [][2]string{
		{"oracle", module + "pica/decode"},
		{"oracle", module + "pica/float24"},
		{"oracle", module + "pica/vm"},
		{"oracle", "math"},
		{"pica/vm", module + "oracle"},
		{"pica", module + "formats/diag"},
		{"pica/float24", module + "pica/vm"},
		{"formats/shbin", module + "oracle"},
		{"formats/shbin", module + "formats/registry"},
		{"formats/shbin", module + "pica/decode"},
		{"formats/shbin", module + "formats/internal/formattest"},
		{"formats/diag", module + "formats/wire"},
		{"oracle/adapter", module + "pica/decode"},
		{"fuzz/gen", module + "pica/float24"},
		{"oracle/compare", module + "pica/vm"},
		{"oracle/profile", module + "pica/asm"},
		{"fuzz/gen", module + "oracle"},
		{"corpus", module + "formats/diag"},
		{"cmd/cli", "testing"},
		{"fuzz/reduce", module + "fuzz/target"},
		{"fuzz/hunt", module + "conform/report"},
		{"internal/pool", module + "pica"},
	} {
		rule, ok := ruleFor(rules, edge[0])
		if !ok || forbidden(rule, edge[1]) == "" {
			t.Errorf("%s may import %s", edge[0], edge[1])
		}
	}
}
