package testscript

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/long"
)

// badShapes are what no message says: numbers that do not agree with their noun, empty ranges, and
// the insides of the program.
var badShapes = regexp.MustCompile(`\b1 (bytes|words|entries|names|characters|values|lines|errors|warnings|infos|files)\b` +
	`|(expected|or) < 0\b|18446744073709551615|strconv|invalid syntax|\.tmp\b|%!|<nil>`)

// escape finds an escape of strconv: bytes that are no text are printed in hexadecimal. Names, which lint prints, have
// escapes as in dump.
var escape = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// sameEnds finds ranges of registers or words.
var sameEnds = regexp.MustCompile(`\b([vcibor]?\d+) to ([vcibor]?\d+)\b`)

// TestShapesOfMessages runs the commands that judge files over every vector.
func TestShapesOfMessages(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		var out bytes.Buffer
		cli.Tool{}.Main(args, strings.NewReader(""), &out, &out)
		for line := range strings.Lines(out.String()) {
			bad := badShapes.FindString(line)
			if args[0] != "lint" && bad == "" {
				bad = escape.FindString(line)
			}
			for _, m := range sameEnds.FindAllStringSubmatch(line, -1) {
				if m[1] == m[2] && !strings.HasPrefix(m[1], "0x") {
					bad = m[0]
				}
			}
			if bad != "" {
				t.Errorf("%s: %q in %s", strings.Join(args, " "), bad, line)
			}
		}
	}
	write := func(v *corpus.Vector, extension string) string {
		name := filepath.Join(dir, filepath.Base(v.Name)+extension)
		if err := os.WriteFile(name, v.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	files := 0
	for format := range registry.All() {
		list, err := corpus.Vectors(format.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range long.Items(t, list, len(list)/4) {
			name := write(&v, "")
			for _, command := range []string{"check", "roundtrip", "lint", "canon"} {
				run(command, "--as", format.Name, name)
			}
			files++
		}
	}
	for _, c := range expect.Catalogues() {
		if !c.Text {
			continue
		}
		list, err := corpus.Vectors(c.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range long.Items(t, list, len(list)/4) {
			name := write(&v, ".pica")
			run("asm", name, "-o", filepath.Join(dir, "out.shbin"))
			run("lint", name)
			files++
		}
	}
	if t.Logf("%d files", files); files < 250 {
		t.Errorf("%d files", files)
	}
}
