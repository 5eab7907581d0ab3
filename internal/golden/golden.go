// Package golden serves this module: it compares hashes of tests with a file beside the test.
package golden

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden hashes anew")

// Hash compares a hash with testdata/hashes.txt, which has a line for each key: the
// key and the hash. With the flag -update it writes the line.
func Hash(t *testing.T, key string, hash uint64) {
	t.Helper()
	name := filepath.Join("testdata", "hashes.txt")
	file, err := os.ReadFile(name)
	if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(string(file)))
	line := fmt.Sprintf("%s %016x\n", key, hash)
	i, found := slices.BinarySearchFunc(lines, key, func(line, key string) int {
		first, _, _ := strings.Cut(line, " ")
		return strings.Compare(first, key)
	})
	switch {
	case found && lines[i] == line:
	case !*update:
		t.Errorf("the hash of %s is %016x, not as in %s: if the change is meant, run go generate .", key, hash, name)
	default:
		if found {
			lines[i] = line
		} else {
			lines = slices.Insert(lines, i, line)
		}
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
