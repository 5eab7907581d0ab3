// Package golden serves this module: it compares texts of tests with files beside the test, which a
// reviewer of a change reads.
package golden

import (
	"errors"
	"flag"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Text compares a text with the file testdata/name. With the flag -update it writes the file.
func Text(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	file, err := os.ReadFile(path)
	if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	want := string(file)
	switch {
	case err == nil && got == want:
	case *update:
		if err := errors.Join(os.MkdirAll("testdata", 0o777), os.WriteFile(path, []byte(got), 0o666)); err != nil {
			t.Fatal(err)
		}
	default:
		line, gotLine, wantLine := firstDifference(got, want)
		t.Errorf("%s:%d: got\n%q\nwant\n%q\nif the change is meant, run go generate .", path, line, gotLine, wantLine)
	}
}

// firstDifference returns the number of the first line in which two texts differ, and the line of each, empty
// after the last.
func firstDifference(a, b string) (number int, ofA, ofB string) {
	nextA, stopA := iter.Pull(strings.Lines(a))
	defer stopA()
	nextB, stopB := iter.Pull(strings.Lines(b))
	defer stopB()
	for {
		number++
		lineA, okA := nextA()
		lineB, okB := nextB()
		if lineA != lineB || !okA && !okB {
			return number, lineA, lineB
		}
	}
}
