package properties_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/picaproof/picaproof/"

// importRule says what the packages below a path may import of ours, and what
// of others they must not. The most specific path of a package decides. A path
// that ends in /... stands for everything below it, too.
type importRule struct {
	path   string
	may    []string
	mayNot []string // wins over may
}

// importRules is the architecture: cmd stands on fuzz, fuzz on oracle and
// formats, both on pica, and no arrow runs back up. The oracle and the VM share
// nothing but plain data, because two implementations that share a decoder or
// an adder agree on its mistakes.
var importRules = []importRule{
	{path: "formats/diag"},
	{path: "formats/wire", may: []string{"formats/diag"}},
	{path: "formats/registry", may: []string{"formats/...", "pica"}},
	{path: "formats/convert", may: []string{"formats/...", "pica"}, mayNot: []string{"formats/registry"}},
	{path: "formats/diff", may: []string{"formats/...", "pica", "pica/decode", "pica/asm"}, mayNot: []string{"formats/registry"}},
	{path: "formats/internal", may: []string{"formats/diag", "formats/wire"}},
	{path: "formats", may: []string{"formats/...", "pica"}, mayNot: []string{"formats/registry", "formats/convert", "formats/diff", "formats/internal/..."}},
	{path: "pica/vm", may: []string{"pica", "pica/decode", "pica/float24"}},
	{path: "pica/decode", may: []string{"pica"}},
	{path: "pica/float24", may: []string{"pica"}},
	{path: "pica/asm", may: []string{"pica", "pica/decode", "pica/float24"}},
	{path: "pica"},
	{path: "oracle/compare", may: []string{"oracle", "pica"}},
	{path: "oracle/profile", may: []string{"oracle", "pica"}},
	{path: "oracle/adapter", may: []string{"oracle", "pica"}},
	{path: "oracle", may: []string{"pica"}, mayNot: []string{"math", "math/big"}},
	{path: "fuzz/gen", may: []string{"formats/...", "pica", "pica/decode", "pica/asm", "fuzz/gen/..."}, mayNot: drivers},
	{path: "fuzz/cover", may: []string{"formats/...", "pica", "pica/decode", "pica/asm"}, mayNot: drivers},
	{path: "fuzz/reduce", may: []string{"formats/...", "pica", "pica/decode", "pica/asm"}, mayNot: drivers},
	{path: "fuzz/mutants", may: []string{"formats/...", "pica/...", "oracle/...", "fuzz/...", "corpus"}, mayNot: drivers},
	{path: "fuzz", may: []string{"formats/...", "pica/...", "oracle/...", "fuzz/..."}, mayNot: drivers},
	{path: "corpus/build", may: []string{"formats/...", "pica", "oracle", "oracle/profile", "corpus", "corpus/expect"}},
	{path: "corpus/expect", may: []string{"corpus", "pica", "pica/float24"}},
	{path: "corpus"},
	{path: "properties/arb", may: []string{"pica", "fuzz/gen/...", "fuzz/reduce"}, mayNot: []string{"testing", gofuzzPath}},
	{path: "cmd", may: []string{"formats/...", "pica/...", "oracle/...", "fuzz/...", "corpus", "corpus/expect", "cmd/..."}, mayNot: append(drivers, goInternalPath)},
}

// drivers belong in tests only.
var drivers = []string{"testing", gofuzzPath, gopterPath}

const (
	gofuzzPath     = "github.com/google/gofuzz"
	gopterPath     = "github.com/leanovate/gopter"
	goInternalPath = "github.com/rogpeppe/go-internal"
)

type listedPackage struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

// packages returns our packages and what each imports outside its tests.
func packages(t *testing.T) []listedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := d.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func below(pkg, path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }

// ruleFor returns the rule with the longest path that pkg lies below.
func ruleFor(pkg string) (rule importRule, ok bool) {
	for _, r := range importRules {
		if below(pkg, r.path) && len(r.path) > len(rule.path) {
			rule, ok = r, true
		}
	}
	return rule, ok
}

// stands reports whether one of the paths stands for a package.
func stands(paths []string, pkg string) bool {
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
	case stands(rule.mayNot, ours):
		return "listed as forbidden"
	case isOurs && !below(ours, rule.path) && !stands(rule.may, ours):
		return "not listed as allowed"
	}
	return ""
}

// TestImportsFollowTheArchitecture holds every package against importRules.
func TestImportsFollowTheArchitecture(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t) {
		pkg := strings.TrimPrefix(p.ImportPath, module)
		if p.ImportPath+"/" == module || len(p.Imports) == 0 {
			continue
		}
		rule, ok := ruleFor(pkg)
		if !ok {
			t.Errorf("%s: no rule says what it may import", pkg)
			continue
		}
		seen[rule.path] = true
		for _, imported := range p.Imports {
			if why := forbidden(rule, imported); why != "" {
				t.Errorf("%s imports %s: %s", pkg, imported, why)
			}
		}
	}
	for _, path := range []string{"oracle", "pica/vm", "formats", "cmd"} {
		if !seen[path] {
			t.Errorf("no package was held against the rule of %s", path)
		}
	}
}

// TestImportRulesForbid shows that the rules can fail: each edge here breaks
// the architecture.
func TestImportRulesForbid(t *testing.T) {
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
	} {
		rule, ok := ruleFor(edge[0])
		if !ok || forbidden(rule, edge[1]) == "" {
			t.Errorf("%s may import %s", edge[0], edge[1])
		}
	}
}
