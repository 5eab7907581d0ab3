package archive_test

import (
	"bytes"
	"testing"
	"testing/fstest"
	"time"

	"github.com/picaproof/picaproof/corpus/internal/archive"
)

func pack(t *testing.T, files fstest.MapFS, patterns ...string) []byte {
	t.Helper()
	plain, err := archive.Zip(files, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := archive.Compress(plain)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func TestRoundTrip(t *testing.T) {
	files := fstest.MapFS{
		"list":    {Data: []byte("a/x b/y\n"), Mode: 0o600},
		"a/x":     {Data: []byte("\x00\r\n\xFF"), ModTime: time.Unix(1e9, 0)},
		"b/empty": {},
		"code.go": {Data: []byte("package x")},
	}
	packed := pack(t, files, "list", "*/*")
	got, err := archive.Open(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(got, "list", "a/x", "b/empty"); err != nil {
		t.Error(err)
	}
	for name, want := range files {
		f, err := got.Open(name)
		if name == "code.go" {
			if err == nil {
				t.Errorf("%s is in the archive, and matches no pattern", name)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(f); err != nil || !bytes.Equal(b.Bytes(), want.Data) {
			t.Errorf("%s: got %q, %v; want %q", name, b.Bytes(), err, want.Data)
		}
	}
}

// TestTimesAndModesAreLeftOut demands the same archive on every machine.
func TestTimesAndModesAreLeftOut(t *testing.T) {
	one := fstest.MapFS{"x": {Data: []byte("text"), ModTime: time.Unix(1, 0), Mode: 0o600}}
	two := fstest.MapFS{"x": {Data: []byte("text"), ModTime: time.Unix(1e9, 0), Mode: 0o644}}
	if !bytes.Equal(pack(t, one, "*"), pack(t, two, "*")) {
		t.Error("the archive depends on times or modes")
	}
}

func TestErrors(t *testing.T) {
	if _, err := archive.Zip(fstest.MapFS{"x": {}}, "x", "*/*"); err == nil {
		t.Error("a pattern without files is accepted")
	}
	packed := pack(t, fstest.MapFS{"x": {Data: []byte("text")}}, "x")
	for n := range packed {
		if _, err := archive.Open(bytes.NewReader(packed[:n])); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(packed))
		}
	}
}
