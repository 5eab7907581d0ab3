package properties_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unclear matches words that stand for a noun, which the reader of a comment then has to find.
var unclear = regexp.MustCompile(
	`//.*\b((is|are|of|to|from|in|at) what|the one that|but for|those (of|that|which)|that of)\b`)

// plainSpoken are the folders whose comments name their nouns. Others may join.
var plainSpoken = []string{"fuzz/gen", "formats"}

// TestCommentsNameTheirNouns looks for such words in the comments of code that is no test.
func TestCommentsNameTheirNouns(t *testing.T) {
	files := 0
	for _, folder := range plainSpoken {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "internal":
				return fs.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			files++
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			lines := bufio.NewScanner(f)
			for n := 1; lines.Scan(); n++ {
				if word := unclear.FindStringSubmatch(lines.Text()); word != nil {
					t.Errorf("%s:%d: %q: name the noun", strings.TrimPrefix(path, "../"), n, word[1])
				}
			}
			return lines.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("%d files, want at least 100", files)
	}
}
