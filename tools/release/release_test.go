package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestArchive: the bytes of an archive depend on its files and its time alone.
func TestArchive(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	files := map[string]file{"b/c": {data: []byte("x")}, "a": {data: []byte("program"), executable: true}}
	first, err := archived("folder", files, at)
	if err != nil {
		t.Fatal(err)
	}
	again, err := archived("folder", files, at)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("two archives differ: %v", err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(zip); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || !h.ModTime.Equal(at) || h.Uname+h.Gname != "" || h.Uid+h.Gid != 0 {
			t.Errorf("%+v, %v", h, err)
		}
		got = append(got, h.Name+" "+h.FileInfo().Mode().String()+" "+string(data))
	}
	if want := []string{"folder/a -rwxr-xr-x program", "folder/b/c -rw-r--r-- x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSBOM: the bill lists the module, the standard library and what is linked, as it was replaced.
func TestSBOM(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "example.org/m", Version: "v1.2.3"},
		Deps: []*debug.Module{{Path: "example.org/a", Version: "v0.1.0"},
			{Path: "example.org/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/c", Version: "v2.0.0"}}}}
	text, err := sbom(info)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		BOMFormat, SpecVersion string
		Metadata               struct{ Component component }
		Components             []component
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.BOMFormat != "CycloneDX" || got.SpecVersion != "1.5" ||
		got.Metadata.Component != (component{"application", "example.org/m", "v1.2.3", "pkg:golang/example.org/m@v1.2.3"}) {
		t.Errorf("got %+v", got)
	}
	want := []component{{"library", "std", "1.26.0", "pkg:golang/std@1.26.0"},
		{"library", "example.org/a", "v0.1.0", "pkg:golang/example.org/a@v0.1.0"},
		{"library", "example.org/c", "v2.0.0", "pkg:golang/example.org/c@v2.0.0"}}
	if !slices.Equal(got.Components, want) {
		t.Errorf("got %+v, want %+v", got.Components, want)
	}
}

// TestAccessories: there is a page for every command, and the same pages come out twice.
func TestAccessories(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	clone := t.TempDir()
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		if err := os.WriteFile(filepath.Join(clone, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	first, err := accessories(clone, at)
	if err != nil {
		t.Fatal(err)
	}
	second, err := accessories(clone, at)
	if err != nil || len(first) != len(second) {
		t.Fatalf("%d files, then %d: %v", len(first), len(second), err)
	}
	pages := 0
	for name, f := range first {
		if !bytes.Equal(f.data, second[name].data) || len(f.data) == 0 {
			t.Errorf("%s is empty, or differs from run to run", name)
		}
		if strings.HasPrefix(name, "man/") {
			pages++
		}
	}
	if pages < 40 {
		t.Errorf("%d manual pages", pages)
	}
	for _, v := range []struct{ name, want string }{
		{"man/picaproof-conform-core.1", `.TH "PICAPROOF-CONFORM-CORE" "1" "Jan 2026"`},
		{"man/picaproof-conform-core.1", "Exit status: 0 no finding counts against the core"},
		{"man/picaproof-conform-core.1", `\fB--suite\fP`},
		{"man/picaproof-conform.1", `\fBpicaproof-conform-diff(1)\fP`},
		{"completions/picaproof.bash", "__start_picaproof"},
	} {
		if text := string(first[v.name].data); !strings.Contains(text, v.want) {
			t.Errorf("%s: no %q in\n%.400s", v.name, v.want, text)
		}
	}
}

// TestLicences: the licences of modules that are linked into this test are found; one that has none is an
// error.
func TestLicences(t *testing.T) {
	files := map[string]file{}
	own, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("no build info")
	}
	cobra := slices.IndexFunc(own.Deps, func(m *debug.Module) bool { return m.Path == "github.com/spf13/cobra" })
	if cobra < 0 {
		t.Fatal("cobra is not linked")
	}
	info := &debug.BuildInfo{Deps: own.Deps[cobra : cobra+1]}
	if err := addLicences(files, info); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"licences/std/LICENSE", "licences/github.com/spf13/cobra/LICENSE.txt"} {
		if len(files[want].data) == 0 {
			t.Errorf("no %s in %d files", want, len(files))
		}
	}
	info.Deps = []*debug.Module{{Path: "example.org/none", Version: "v1.0.0"}}
	if err := addLicences(files, info); err == nil || !strings.Contains(err.Error(), "example.org/none has no licence") {
		t.Error(errors.Join(errors.New("a module without a licence"), err))
	}
}
