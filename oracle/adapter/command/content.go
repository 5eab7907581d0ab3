package command

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// scripts are the extensions of files that other programs run, and that need no executable bit.
var scripts = []string{".py", ".js", ".mjs", ".lua", ".rb", ".pl", ".sh", ".jar", ".wasm", ".so", ".dll", ".dylib"}

// Content returns a hash of the programs that a command line names: the file of its first word, and of other
// words executable files, scripts and libraries. It is "" if there are none. Files that a program reads or
// writes do not belong to it.
func Content(line string) string {
	h, n := sha256.New(), 0
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n|&;<>()$`\"'=", r) })
	for k, word := range words {
		name := word
		if found, err := exec.LookPath(word); k == 0 && err == nil {
			name = found
		}
		if sum, ok := sumOf(name, k == 0); ok {
			n++
			fmt.Fprintf(h, "%q %x\n", word, sum)
		}
	}
	if n == 0 {
		return ""
	}
	const digits = 16
	return hex.EncodeToString(h.Sum(nil))[:digits]
}

// sumOf returns the hash of a program. Of the first word of a command any file is one.
func sumOf(name string, first bool) (sum []byte, ok bool) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() ||
		!first && info.Mode()&0o111 == 0 && !slices.Contains(scripts, strings.ToLower(filepath.Ext(name))) {
		return nil, false
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, false
	}
	return h.Sum(nil), true
}
