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

// TestFilesStandInOrder: the package comment lists every file, and none uses what a
// later one declares, methods included.
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
	for _, use := range laterUses(t, fset, files, order) {
		t.Error(use)
	}
}

// laterUses lists the uses of what a later file declares.
func laterUses(t *testing.T, fset *token.FileSet, files []*ast.File, order []string) (uses []string) {
	t.Helper()
	info := types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("oracle", fset, files, &info)
	check(t, err)
	place := func(p token.Pos) int { return slices.Index(order, filepath.Base(fset.Position(p).Filename)) }
	for id, object := range info.Uses {
		if object.Pkg() == pkg && place(object.Pos()) > place(id.Pos()) {
			uses = append(uses, fset.Position(id.Pos()).String()+": "+id.Name+" is declared in "+
				filepath.Base(fset.Position(object.Pos()).Filename))
		}
	}
	slices.Sort(uses)
	return uses
}

// TestOrderOfFilesCanFail: a use of what a later file declares, a method too, is
// found.
func TestOrderOfFilesCanFail(t *testing.T) {
	fset := token.NewFileSet()
	dir := t.TempDir()
	var files []*ast.File
	for name, text := range map[string]string{
		"a.go": "package oracle\ntype T int\nfunc f(t T) { t.later(); g() }\n",
		"b.go": "package oracle\nfunc (T) later() {}\nfunc g() { f(0) }\n",
	} {
		path := filepath.Join(dir, name)
		check(t, os.WriteFile(path, []byte(text), 0o666))
		f, err := parser.ParseFile(fset, path, nil, 0)
		check(t, err)
		files = append(files, f)
	}
	if uses := laterUses(t, fset, files, []string{"a.go", "b.go"}); len(uses) != 2 {
		t.Errorf("got %v", uses)
	}
}
