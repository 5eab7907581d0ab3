// Package samples serves this module: it holds, files written by other
// programs. They are shader files, the programs of the benchmarks and the list of known
// regressions. They are the data of tests and, with their sources, the fixed cases of conform
// writer.
//
// A folder has the files of one writer or one format, their sources, a README.md about their
// origin, and two lists: manifest.json has the content and the findings of each file;
// mutations.json has files that differ from one of them by a single fault, with the rule that it
// breaks. The folder wild has files after public bug reports instead, and its README what a check
// says of each. The file SHA256SUMS fixes every byte.
//
// The package embeds all of them as one archive, a sixth of their size, and unpacks it when a
// file is first asked for. Samples hardly ever change, and then the archive is rewritten.
package samples

//go:generate go -C ../.. run ./corpus/build

import (
	_ "embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/corpus/internal/archive"
)

//go:embed zsamples.zip.gz
var packed string

var files = sync.OnceValue(func() fs.FS {
	files, err := archive.Open(strings.NewReader(packed))
	if err != nil {
		panic(fmt.Errorf("samples: the embedded archive: %w", err))
	}
	return files
})

// Files returns the file system. Names look like "picasso/p01_minimal.shbin".
func Files() fs.FS { return files() }

// A T reports that a sample is missing. Every testing.TB is one.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Read returns a file by its name, such as "picasso/p01_minimal.shbin". The caller owns the
// bytes.
func Read(t T, name string) []byte {
	t.Helper()
	b, err := fs.ReadFile(files(), name)
	if err != nil {
		t.Fatalf("samples: %v", err)
	}
	return b
}

// Glob returns the names that match a pattern of [path.Match], at least one.
func Glob(t T, pattern string) []string {
	t.Helper()
	names, err := fs.Glob(files(), pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("samples: no file matches %q (%v)", pattern, err)
	}
	return names
}
