package properties_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// sources parses the Go files of a folder, tests left out.
func sources(t *testing.T, folder string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// TestOracleTakesOnlyDataFromPica: types, constants and errors, but no function, no
// instruction table, and no host floats. Its arithmetic and its decoding are its own.
func TestOracleTakesOnlyDataFromPica(t *testing.T) {
	forbidden := map[string]bool{}
	for _, f := range sources(t, "../pica") {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					forbidden[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						for _, name := range v.Names {
							forbidden[name.Name] = !strings.HasPrefix(name.Name, "Err")
						}
					}
				}
			}
		}
	}
	if !forbidden["Opcodes"] || !forbidden["OpcodeOf"] || forbidden["ErrInvalidJob"] {
		t.Fatal("the functions and tables of pica were not found")
	}
	uses := 0
	for _, f := range sources(t, "../oracle") {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "pica" {
					if uses++; forbidden[n.Sel.Name] {
						t.Errorf("the oracle uses pica.%s", n.Sel.Name)
					}
				}
			case *ast.Ident:
				if n.Name == "float32" || n.Name == "float64" {
					t.Errorf("the oracle uses %s", n.Name)
				}
			case *ast.BasicLit:
				if n.Kind == token.FLOAT {
					t.Errorf("the oracle holds the float %s", n.Value)
				}
			}
			return true
		})
	}
	if uses < 100 {
		t.Errorf("only %d uses of pica were seen", uses)
	}
}
