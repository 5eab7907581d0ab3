package oracle_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileLine matches a file in the list of the package comment.
var fileLine = regexp.MustCompile(`(?m)^\s+(\w+\.go)\s{2,}\S`)

// TestFilesStandInOrder: the package comment lists every file, none uses a declaration of
// a later file, methods included, and none can call a later file through a hook, since
// nothing sets a variable of the package after its declaration.
func TestFilesStandInOrder(t *testing.T) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	check(t, err)
	var files []*ast.File
	var order, present []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		check(t, err)
		files = append(files, f)
		if name != "doc.go" {
			present = append(present, name)
			continue
		}
		for _, m := range fileLine.FindAllStringSubmatch(f.Doc.Text(), -1) {
			order = append(order, m[1])
		}
	}
	if got := slices.Sorted(slices.Values(order)); !slices.Equal(got, present) {
		t.Fatalf("the package comment lists %v, the files are %v", got, present)
	}
	for _, fault := range faultsOfOrder(t, fset, files, order) {
		t.Error(fault)
	}
}

// faultsOfOrder lists the uses of declarations of later files, the functions init, the
// statements that set a variable of the package, and the addresses of variables of other
// files.
func faultsOfOrder(t *testing.T, fset *token.FileSet, files []*ast.File, order []string) (faults []string) {
	t.Helper()
	info := types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("oracle", fset, files, &info)
	check(t, err)
	place := func(p token.Pos) int { return slices.Index(order, filepath.Base(fset.Position(p).Filename)) }
	for id, object := range info.Uses {
		if object.Pkg() == pkg && place(object.Pos()) > place(id.Pos()) {
			faults = append(faults, fset.Position(id.Pos()).String()+": "+id.Name+" is declared in "+
				filepath.Base(fset.Position(object.Pos()).Filename))
		}
	}
	variable := func(x ast.Expr) types.Object { // of the package, of which x is a part, or nil
		if id := root(x); id != nil && info.Uses[id] != nil && info.Uses[id].Parent() == pkg.Scope() {
			return info.Uses[id]
		}
		return nil
	}
	sets := func(x ast.Expr) {
		if v := variable(x); v != nil {
			faults = append(faults, fset.Position(x.Pos()).String()+": "+v.Name()+" is set")
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					faults = append(faults, fset.Position(n.Pos()).String()+": init")
				}
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					sets(x)
				}
			case *ast.IncDecStmt:
				sets(n.X)
			case *ast.RangeStmt:
				sets(n.Key)
				sets(n.Value)
			case *ast.UnaryExpr:
				if v := variable(n.X); n.Op == token.AND && v != nil && place(v.Pos()) != place(n.Pos()) {
					faults = append(faults, fset.Position(n.Pos()).String()+": the address of "+v.Name()+" is taken")
				}
			}
			return true
		})
	}
	slices.Sort(faults)
	return faults
}

// root returns the variable of which x is an element or a field, or nil.
func root(x ast.Expr) *ast.Ident {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		default:
			return nil
		}
	}
}

// TestOrderOfFilesCanFail: uses of declarations of a later file, a method too, and hooks
// are found.
func TestOrderOfFilesCanFail(t *testing.T) {
	fset := token.NewFileSet()
	dir := t.TempDir()
	var files []*ast.File
	for name, text := range map[string]string{
		"a.go": "package oracle\ntype T int\nvar hook func()\nvar table [2]struct{ f func() }\nvar n int\n" +
			"func f(t T) { t.later(); g(); hook() }\n",
		"b.go": "package oracle\nfunc (T) later() {}\nfunc g() { f(0) }\n" +
			"func init() { hook = g; (table[0]).f = g; n++; p := &n; *p = 1\nfor n = range 2 {} }\n",
	} {
		path := filepath.Join(dir, name)
		check(t, os.WriteFile(path, []byte(text), 0o666))
		f, err := parser.ParseFile(fset, path, nil, 0)
		check(t, err)
		files = append(files, f)
	}
	faults := faultsOfOrder(t, fset, files, []string{"a.go", "b.go"})
	for i := range faults {
		faults[i] = filepath.Base(faults[i])
	}
	want := []string{"a.go:6:17: later is declared in b.go", "a.go:6:26: g is declared in b.go",
		"b.go:4:15: hook is set",
		"b.go:4:1: init", "b.go:4:25: table is set", "b.go:4:43: n is set", "b.go:4:53: the address of n is taken",
		"b.go:5:5: n is set"}
	if !slices.Equal(faults, want) {
		t.Errorf("got %q, want %q", faults, want)
	}
}
