package properties_test

import (
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/picaproof/picaproof/formats/registry"
)

// publicPackages returns the packages that are public by promise. A format is public without
// being named here.
func publicPackages() []string {
	list := []string{
		"pica", "pica/asm", "pica/lint", "pica/vm", "oracle", "oracle/profile", "conform", "conform/reader",
		"conform/writer", "conform/kit", "corpus", "formats/diag", "formats/registry", "formats/convert",
		"formats/diff", "formats/find", "formats/gx2", "latte",
	}
	for f := range registry.All() {
		list = append(list, "formats/"+f.Name)
	}
	return list
}

// stabilities are the sentences by which a public package says how stable it is.
var stabilities = []string{
	"Stable: names and meanings stay; the changelog announces every exception.",
	"Settling: names may change before version 1; the changelog lists every change.",
	"Provisional: no official file was at hand; fields may change when one is.",
}

// libraries returns the package comments of the importable packages, and whether a package has
// a runnable example. It leaves out commands and packages of tests.
func libraries(t *testing.T) (comments map[string]string, examples map[string]bool) {
	t.Helper()
	comments, examples = map[string]string{}, map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if path != ".." && (nested == nil || name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		switch {
		case strings.HasSuffix(name, "_test.go"):
			for _, e := range doc.Examples(file) {
				examples[pkg] = examples[pkg] || e.Output != ""
			}
		case file.Name.Name != "main":
			comments[pkg] += file.Doc.Text()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return comments, examples
}

// TestPackagesSayWhomTheyServe: a public package has one sentence about its stability and a
// runnable example; the comment of every other package begins with the words that it serves
// this module.
func TestPackagesSayWhomTheyServe(t *testing.T) {
	comments, examples := libraries(t)
	public := publicPackages()
	for _, pkg := range public {
		if _, ok := comments[pkg]; !ok {
			t.Errorf("%s: no such package", pkg)
		}
	}
	for pkg, comment := range comments {
		sentences := 0
		for _, s := range stabilities {
			sentences += strings.Count("\n"+comment, "\n"+s+"\n")
		}
		serves := strings.HasPrefix(comment, "Package "+filepath.Base(pkg)+" serves this module: ")
		switch {
		case pkg == ".":
			if sentences != 0 || !strings.HasPrefix(comment, "Package picaproof is the entry page") {
				t.Errorf("the root package is no entry page: %q", comment)
			}
		case slices.Contains(public, pkg):
			if sentences != 1 || serves {
				t.Errorf("%s has %d sentences about its stability, want 1 (serves this module: %v)", pkg, sentences,
					serves)
			}
			if !examples[pkg] {
				t.Errorf("%s has no example with output", pkg)
			}
		case sentences != 0 || !serves:
			t.Errorf("%s is not public, and its comment begins %.60q", pkg, comment)
		}
	}
}

// TestEntryPageNamesPublicPackages: the root package names every public package.
func TestEntryPageNamesPublicPackages(t *testing.T) {
	comments, _ := libraries(t)
	words := strings.FieldsFunc(comments["."], func(r rune) bool {
		return r != '/' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, pkg := range publicPackages() {
		if !slices.Contains(words, pkg) && !slices.Contains(words, strings.TrimPrefix(pkg, "formats/")) {
			t.Errorf("the entry page does not name %s", pkg)
		}
	}
}
