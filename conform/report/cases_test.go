package report_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// withFiles returns a cause with the files of its case.
func withFiles(bucket, reproduce string) report.Deviation {
	d := cause(bucket, report.Crash, "add")
	d.Reproduce = reproduce
	d.Case = report.Case{Files: []report.CaseFile{{Name: "in.txt", Data: []byte("one")}, {Name: "in2.txt"}},
		Output:  &report.CaseFile{Name: "out.bin", Data: []byte("written")},
		Command: func(names []string) string { return "tool " + strings.Join(names, " ") }}
	return d
}

// TestCases: each cause has plain files of its own, and nothing outside the directory is touched.
func TestCases(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "found")
	long := strings.Repeat("x", 1000)
	r := report.New("conform writer", "writer", "tool", 1)
	r.Deviations = []report.Deviation{withFiles("../../evil/\x1b[2J", long), withFiles("Evil: [2J", "short"),
		withFiles(long, long), cause("no files", report.Crash, "add"), withFiles("///", long)}
	const unwritten = "tool in.txt in2.txt # --cases-dir DIR writes in.txt and in2.txt"
	if got := r.Deviations[0].Repeat(); got != unwritten {
		t.Errorf("not written: got %q, want %q", got, unwritten)
	}
	for range 2 { // the second time replaces the files
		if err := r.WriteCases(dir); err != nil {
			t.Fatal(err)
		}
	}
	cut := "crash-" + strings.Repeat("x", 54)
	var want []string
	for _, name := range []string{"crash-evil-2j", "crash-evil-2j-2", cut, "crash"} {
		for _, file := range []string{"in.txt", "in2.txt", "out.bin"} {
			want = append(want, filepath.Join(dir, name, file))
		}
	}
	var got, found []string
	for i := range r.Deviations {
		got = append(got, r.Deviations[i].Files...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			found = append(found, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if slices.Sort(want); !slices.Equal(found, want) {
		t.Errorf("written: %q, want %q", found, want)
	}
	if data, err := os.ReadFile(filepath.Join(dir, cut, "out.bin")); err != nil || string(data) != "written" {
		t.Errorf("got %q, %v", data, err)
	}
	if got, want := r.Deviations[2].Repeat(),
		"tool "+filepath.Join(dir, cut, "in.txt")+" "+filepath.Join(dir, cut, "in2.txt"); got != want {
		t.Errorf("written: got %q, want %q", got, want)
	}
	if got := r.Deviations[1].Repeat(); got != "short" {
		t.Errorf("a short command: got %q", got)
	}
}

// TestCasesLinks: a link below the directory leads nowhere outside.
func TestCasesLinks(t *testing.T) {
	base := t.TempDir()
	dir, outside := filepath.Join(base, "found"), filepath.Join(base, "outside")
	for _, name := range []string{dir, outside} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "crash-a")); err != nil {
		t.Skip(err)
	}
	r := report.New("conform writer", "writer", "tool", 1)
	r.Deviations = []report.Deviation{withFiles("a", "short")}
	if err := r.WriteCases(dir); err == nil {
		t.Error("a link out of the directory was followed")
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
		t.Errorf("written outside: %v, %v", list, err)
	}
}
