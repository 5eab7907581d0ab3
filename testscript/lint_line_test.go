package testscript_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestLintLines: a finding about a file with a table of source lines names the line.
func TestLintLines(t *testing.T) {
	f, err := shbin.Parse(samples.Read(t, "picasso/p04_uniforms.shbin"))
	if err != nil {
		t.Fatal(err)
	}
	f = f.Canonical()
	f.DVLP.FileNames = []byte("a.vsh\x00b.vsh\x00")
	for i := range f.DVLP.Code {
		f.DVLP.Lines = append(f.DVLP.Lines, shbin.Line{Name: 6, Line: uint32(100 + i)})
	}
	data, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "lines.shbin")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	tool().Main([]string{"lint", name}, strings.NewReader(""), &stdout, &stderr)
	if want := ", ifu b0, 10, 0, b.vsh:107): PICA007 "; !strings.Contains(stdout.String(), want) {
		t.Errorf("want %q in\n%s%s", want, &stdout, &stderr)
	}
}
