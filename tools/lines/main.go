// Command lines counts the lines of Go code in each package: hand-written without tests, of tests, and
// generated. For the first kind it also prints how long lines and functions are. Run it in the folder tools:
//
//	go -C tools run ./lines
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// longFunction is the number of lines above which a function counts as long.
const longFunction = 60

// counts are the numbers of a package.
type counts struct {
	written, tests, generated int   // lines
	lengths                   []int // characters of each written line that is not blank; a tab is one
	long                      int   // written functions above longFunction lines
}

func main() {
	log.SetFlags(0)
	packages, err := countAll(os.DirFS("..")) // the root of the repository
	if err != nil {
		log.Fatal(err)
	}
	write(os.Stdout, packages)
}

// countAll counts the files below the root, by folder.
func countAll(root fs.FS) (map[string]*counts, error) {
	packages := map[string]*counts{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".")):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if packages[dir] == nil {
			packages[dir] = new(counts)
		}
		return packages[dir].add(name, source)
	})
	return packages, err
}

// add counts a file.
func (c *counts) add(name string, source []byte) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := bytes.Count(source, []byte{'\n'})
	switch {
	case ast.IsGenerated(file):
		c.generated += lines
		return nil
	case strings.HasSuffix(name, "_test.go"):
		c.tests += lines
		return nil
	}
	c.written += lines
	for line := range bytes.Lines(source) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			c.lengths = append(c.lengths, utf8.RuneCount(line))
		}
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && files.Position(f.End()).Line-files.Position(f.Pos()).Line >= longFunction {
			c.long++
		}
	}
	return nil
}

// mean returns the mean length of a line.
func (c *counts) mean() float64 {
	sum := 0
	for _, n := range c.lengths {
		sum += n
	}
	return float64(sum) / float64(max(len(c.lengths), 1))
}

// quantile returns the smallest length that at least 90 % of the lines do not exceed.
func (c *counts) quantile() int {
	if len(c.lengths) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(c.lengths))[(9*len(c.lengths)+9)/10-1]
}

// write prints a line for each package and the total.
func write(w io.Writer, packages map[string]*counts) {
	fmt.Fprintf(w, "%9s %6s %9s %6s %5s %5s  %s\n", "written", "tests", "generated", "mean", "90 %", "long", "package")
	total := new(counts)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		c := packages[name]
		c.write(w, name)
		total.written += c.written
		total.tests += c.tests
		total.generated += c.generated
		total.long += c.long
		total.lengths = append(total.lengths, c.lengths...)
	}
	total.write(w, "total")
}

func (c *counts) write(w io.Writer, name string) {
	fmt.Fprintf(w, "%9d %6d %9d %6.1f %5d %5d  %s\n", c.written, c.tests, c.generated, c.mean(), c.quantile(), c.long, name)
}
