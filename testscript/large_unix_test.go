//go:build unix

package testscript_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/corpus"
)

// TestDiskImage: of a file that a directory holds and no format knows, no more is read
// than its first bytes. This one fits in no memory.
func TestDiskImage(t *testing.T) {
	vector, err := corpus.Vectors("shbin")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.shbin"), vector[0].Data, 0o666); err != nil {
		t.Fatal(err)
	}
	image, err := os.Create(filepath.Join(dir, "disk.img"))
	if err != nil {
		t.Fatal(err)
	}
	err = image.Truncate(1 << 42)
	if err := image.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("no file of this size here:", err)
	}
	for _, command := range []string{"check", "lint", "roundtrip"} {
		out, _ := exec.Command("picaproof", command, dir).CombinedOutput()
		if !bytes.HasSuffix(out, []byte("1 file of unknown format passed over\n")) {
			t.Errorf("%s: %.2000s", command, out)
		}
	}
}
