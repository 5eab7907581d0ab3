package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A source is one package under mutation: its files with types, cut into units.
type source struct {
	dir   string // absolute
	path  string // import path
	fset  *token.FileSet
	info  *types.Info
	types *types.Package
	deps  map[string]*types.Package // the packages it imports
	files []*sourceFile
}

// A sourceFile is one file of a package, without its tests.
type sourceFile struct {
	name   string // base name
	text   []byte
	syntax *ast.File
	start  token.Pos // of the first byte
	units  []*unit
}

// A unit is the piece of source that contains a mutant and to which its record is tied: a
// function, or one value of a declaration at package level.
type unit struct {
	file *sourceFile
	name string        // "parse", "(*File).Write", "var Rules", "const maxNames"
	hash string        // of the unit's tokens; comments and layout do not count
	fn   *ast.FuncDecl // a function with a body, or nil
	expr ast.Expr      // the value of a variable or of a constant
	kind token.Token   // token.FUNC, token.VAR or token.CONST
	typ  string        // the type of a variable, spelled for this file
}

func (f *sourceFile) offset(p token.Pos) int { return int(p - f.start) }

// slice returns the text between two positions.
func (f *sourceFile) slice(from, to token.Pos) string {
	return string(f.text[f.offset(from):f.offset(to)])
}

// load reads the package in a directory of the module. Generated files have no units: their
// generator is tested instead.
func load(module, pkg string) (*source, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: module}, "./"+filepath.ToSlash(pkg))
	if err != nil {
		return nil, err
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 || len(loaded[0].Syntax) == 0 {
		return nil, fmt.Errorf("%s: not one package that compiles: %v", pkg, loaded)
	}
	p := loaded[0]
	s := &source{dir: filepath.Dir(p.GoFiles[0]), path: p.PkgPath, fset: p.Fset, info: p.TypesInfo, types: p.Types,
		deps: map[string]*types.Package{}}
	for path, dep := range p.Imports {
		s.deps[path] = dep.Types
	}
	for i, syntax := range p.Syntax {
		text, err := os.ReadFile(p.CompiledGoFiles[i])
		if err != nil {
			return nil, err
		}
		f := &sourceFile{name: filepath.Base(p.CompiledGoFiles[i]), text: text, syntax: syntax,
			start: syntax.FileStart}
		if !ast.IsGenerated(syntax) {
			s.cut(f)
		}
		s.files = append(s.files, f)
	}
	return s, nil
}

// Import makes source the importer of its own rewritten files.
func (s *source) Import(path string) (*types.Package, error) {
	if p := s.deps[path]; p != nil {
		return p, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("%s is not imported by %s", path, s.path)
}

// cut finds the units of a file. Units of one name ("init", "var _") are distinguished by
// number.
func (s *source) cut(f *sourceFile) {
	seen := map[string]int{}
	add := func(u *unit, of ast.Node) {
		if seen[u.name]++; seen[u.name] > 1 {
			u.name = fmt.Sprintf("%s#%d", u.name, seen[u.name])
		}
		u.file, u.hash = f, s.hash(of)
		f.units = append(f.units, u)
	}
	for _, decl := range f.syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				add(&unit{name: functionName(d), fn: d, kind: token.FUNC}, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || len(v.Values) != len(v.Names) {
					continue
				}
				for i, name := range v.Names {
					u := &unit{name: d.Tok.String() + " " + name.Name, expr: v.Values[i], kind: d.Tok}
					if d.Tok == token.VAR {
						u.typ = s.typeName(f, s.info.TypeOf(name), s.info.Defs[name])
					}
					add(u, v)
				}
			}
		}
	}
}

func (s *source) hash(n ast.Node) string {
	var text strings.Builder
	bare := n
	if d, ok := n.(*ast.FuncDecl); ok {
		copied := *d
		copied.Doc, bare = nil, &copied
	}
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&text, s.fset, bare); err != nil {
		panic(err) // the syntax has just been parsed
	}
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text.String()), " ")))
	return hex.EncodeToString(sum[:4])
}

// functionName spells a function as a stack trace does, without the package.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	star, pointer := t.(*ast.StarExpr)
	if pointer {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	base := t.(*ast.Ident).Name
	if pointer {
		return "(*" + base + ")." + d.Name.Name
	}
	return base + "." + d.Name.Name
}

// typeName spells the type of a variable as its file would; "" if it cannot, because the file
// does not import a package of the type. A blank variable has no object in the scope, so its
// own type is taken.
func (s *source) typeName(f *sourceFile, t types.Type, object types.Object) string {
	if t == nil && object != nil {
		t = object.Type()
	}
	if t == nil {
		return ""
	}
	names := map[*types.Package]string{s.types: ""}
	for _, spec := range f.syntax.Imports {
		if p := s.info.PkgNameOf(spec); p != nil {
			names[p.Imported()] = p.Name()
		}
	}
	possible := true
	name := types.TypeString(t, func(p *types.Package) string {
		q, ok := names[p]
		possible = possible && ok
		return q
	})
	if !possible {
		return ""
	}
	return name
}
