//go:build linux || darwin

package testscript_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/picaproof/picaproof/formats/registry"
)

// recipe returns the block of docs/ci.md with a name, and a block of sh for "".
func recipe(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(string(page)) {
		if b.name == name && (b.language == "yaml" || name == "") {
			return b.text
		}
	}
	t.Fatalf("docs/ci.md has no block %q", name)
	return ""
}

// TestCIRecipes: the recipes name inputs and outputs that the action has, hooks that there are, and
// commands that run.
func TestCIRecipes(t *testing.T) {
	a := readAction(t)
	type step struct {
		Uses string
		With map[string]string
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	var steps []step
	if err := yaml.Unmarshal([]byte(recipe(t, "step")), &steps); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "workflow")), &workflow); err != nil {
		t.Fatal(err)
	}
	for _, job := range workflow.Jobs {
		steps = append(steps, job.Steps...)
	}
	uses := 0
	for _, s := range steps {
		if !strings.HasPrefix(s.Uses, "picaproof/picaproof@") {
			continue
		}
		uses++
		for name := range s.With {
			if _, ok := a.Inputs[name]; !ok {
				t.Errorf("the action has no input %q", name)
			}
		}
	}
	if uses != 2 {
		t.Errorf("%d steps use the action, want 2", uses)
	}
	output := regexp.MustCompile(`steps\.shaders\.outputs\.(\w+)`)
	for _, m := range output.FindAllStringSubmatch(recipe(t, "workflow"), -1) {
		if a.Outputs[m[1]].Value == "" {
			t.Errorf("the action has no output %q", m[1])
		}
	}
	var gitlab map[string]struct{ Script []string }
	if err := yaml.Unmarshal([]byte(recipe(t, "gitlab")), &gitlab); err != nil {
		t.Fatal(err)
	}
	scripts := []string{recipe(t, ""), strings.Join(gitlab["shaders"].Script[1:], "\n")} // the first installs
	for _, script := range scripts {
		for vector, want := range map[string]int{"shbin/bare": 0, "shbin/DVLB002-trigger": 1, "": 2} {
			runRecipe(t, script, vector, want)
		}
	}
}

// runRecipe runs a script beside one shader, or none, and demands an exit status and reports.
func runRecipe(t *testing.T, script, vector string, want int) {
	t.Helper()
	dir := t.TempDir()
	shaders := filepath.Join(dir, "romfs", "shaders")
	if err := os.MkdirAll(shaders, 0o777); err != nil {
		t.Fatal(err)
	}
	if vector != "" {
		if err := os.WriteFile(filepath.Join(shaders, "a.shbin"), vectorData(t, vector), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want {
		t.Errorf("%q: exit status %d, want %d\n%s\n%s", vector, got, want, script, out)
	}
	for _, name := range []string{"shaders.xml", "shaders.html"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%q: no %s: %v", vector, name, err)
		}
	}
}

// TestPreCommitHooks: each hook runs a command that there is, on the files that the command reads.
func TestPreCommitHooks(t *testing.T) {
	text, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry, Language, Files string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	var config struct {
		Repos []struct{ Hooks []struct{ ID string } }
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "pre-commit")), &config); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, repo := range config.Repos {
		for _, h := range repo.Hooks {
			ids[h.ID] = true
		}
	}
	want := map[string][]string{"picaproof-lint": {".pica"}}
	for f := range registry.All() {
		want["picaproof-check"] = append(want["picaproof-check"], f.Extensions...)
	}
	for _, h := range hooks {
		files := regexp.MustCompile(h.Files)
		for _, ext := range want[h.ID] {
			if !files.MatchString("a/b" + ext) {
				t.Errorf("%s passes over a file %s", h.ID, ext)
			}
		}
		if files.MatchString("a.shbin.txt") || files.MatchString("shbin") || !ids[h.ID] || want[h.ID] == nil {
			t.Errorf("%s: files %q, in the recipe: %t", h.ID, h.Files, ids[h.ID])
		}
		entry := strings.Fields(h.Entry)
		var stderr bytes.Buffer
		if entry[0] != "picaproof" || tool().Main(append(slices.Clone(entry[1:]), "--allow-empty", t.TempDir()),
			strings.NewReader(""), &stderr, &stderr) != 0 {
			t.Errorf("%s: %s: %s", h.ID, h.Entry, stderr.String())
		}
	}
	if len(hooks) != len(want) {
		t.Errorf("%d hooks, want %d", len(hooks), len(want))
	}
}

// TestShellcheck: the scripts of the action and of releases are clean.
func TestShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skipf("not installed: %v", err)
	}
	scripts := []string{"../action/install", "../action/run", "../.clusterfuzzlite/build.sh"}
	if out, err := exec.Command("shellcheck", scripts...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestActionlint: the workflow of the page is clean.
func TestActionlint(t *testing.T) {
	if _, err := exec.LookPath("actionlint"); err != nil {
		t.Skipf("not installed: %v", err)
	}
	cmd := exec.Command("actionlint", "-")
	cmd.Stdin = strings.NewReader(recipe(t, "workflow"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
