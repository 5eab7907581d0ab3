//go:build linux || darwin

package testscript_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/picaproof/picaproof/corpus"
)

// action is action.yml, as far as the runner reads it.
type action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Shell, Run, Uses string
			Env, With                map[string]string
		}
	}
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	text, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// runner plays GitHub's runner for one job.
type runner struct {
	*testing.T
	workspace string
	contexts  map[string]string // "inputs.mode", "steps.run.outputs.verdict"
}

// ran is what a job leaves behind.
type ran struct {
	status      int
	annotations []string // "error a.shbin:1 TITLE: MESSAGE"
	log         string   // lines that are no commands
	summary     string
	outputs     map[string]string
}

// newRunner returns a runner with a workspace that has the files, by names and contents.
func newRunner(t *testing.T, files map[string][]byte) *runner {
	t.Helper()
	if testing.Short() {
		t.Skip("starts some ten processes")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("no shell: %v", err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{T: t, workspace: filepath.Join(dir, "workspace")}
	for name, data := range files {
		name = filepath.Join(r.workspace, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, data, 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	r.contexts = map[string]string{"runner.temp": filepath.Join(dir, "temp"), "github.action_path": root}
	if err := os.Mkdir(filepath.Join(dir, "temp"), 0o777); err != nil {
		t.Fatal(err)
	}
	return r
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z0-9_.]+) *\}\}`)

// expand replaces the expressions of a text.
func (r *runner) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return r.contexts[expression.FindStringSubmatch(e)[1]]
	})
}

// run runs the steps of the action with inputs.
func (r *runner) run(inputs map[string]string) ran {
	r.Helper()
	a := readAction(r.T)
	for name, input := range a.Inputs {
		r.contexts["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			r.Fatalf("the action has no input %q", name)
		}
		r.contexts["inputs."+name] = value
	}
	temp, got := r.contexts["runner.temp"], ran{outputs: map[string]string{}}
	for _, step := range a.Runs.Steps {
		if step.Run == "" || got.status != 0 {
			continue
		}
		script, output := filepath.Join(temp, "step.sh"), filepath.Join(temp, "output")
		summary := filepath.Join(temp, "summary")
		for name, text := range map[string]string{script: step.Run, output: "", summary: ""} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				r.Fatal(err)
			}
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		cmd.Dir = r.workspace
		cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary, "LC_ALL=C")
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+r.expand(value))
		}
		log, err := cmd.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			got.status = exit.ExitCode()
		} else if err != nil {
			r.Fatal(err)
		}
		got.read(string(log))
		text, err := os.ReadFile(summary)
		if err != nil {
			r.Fatal(err)
		}
		got.summary += string(text)
		if text, err = os.ReadFile(output); err != nil {
			r.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			r.contexts["steps."+step.ID+".outputs."+name] = value
		}
	}
	for name, output := range a.Outputs {
		got.outputs[name] = r.expand(output.Value)
	}
	return got
}

var command = regexp.MustCompile(`^\s*::([a-z-]+)(?: ([^:]*))?::(.*)$`)

// read reads a log as the runner does: lines are commands until "::stop-commands::TOKEN", and then from
// "::TOKEN::" on.
func (r *ran) read(log string) {
	unescape := strings.NewReplacer("%25", "%", "%3A", ":", "%2C", ",", "%0A", "\n", "%0D", "\r")
	stopped := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		c := command.FindStringSubmatch(line)
		switch {
		case stopped != "" && line == "::"+stopped+"::":
			stopped = ""
		case stopped != "" || c == nil:
			r.log += line + "\n"
		case c[1] == "stop-commands":
			stopped = c[3]
		default:
			properties := map[string]string{}
			for p := range strings.SplitSeq(c[2], ",") {
				name, value, _ := strings.Cut(p, "=")
				properties[name] = unescape.Replace(value)
			}
			place := ""
			if properties["file"] != "" {
				place = fmt.Sprintf(" %s:%s", properties["file"], properties["line"])
			}
			r.annotations = append(r.annotations,
				fmt.Sprintf("%s%s %s: %s", c[1], place, properties["title"], unescape.Replace(c[3])))
		}
	}
}

// is compares what a job left behind.
func (r *runner) is(got ran, status int, verdict string, annotations []string, summary string) {
	r.Helper()
	if got.status != status || got.outputs["verdict"] != verdict {
		r.Errorf("status %d, verdict %q; want %d, %q\n%s", got.status, got.outputs["verdict"], status, verdict, got.log)
	}
	if !slices.Equal(got.annotations, annotations) {
		r.Errorf("annotations:\n%q\nwant\n%q", got.annotations, annotations)
	}
	if got.summary != summary {
		r.Errorf("summary:\n%s\nwant\n%s", got.summary, summary)
	}
}

// reports lists the reports of a job.
func (r *runner) reports(got ran) (names []string) {
	r.Helper()
	list, err := os.ReadDir(got.outputs["reports"])
	if err != nil {
		r.Fatal(err)
	}
	for _, entry := range list {
		if info, err := entry.Info(); err == nil && info.Size() > 0 {
			names = append(names, entry.Name())
		}
	}
	return names
}

// vectorData returns the payload of a vector.
func vectorData(t *testing.T, name string) []byte {
	t.Helper()
	format, _, _ := strings.Cut(name, "/")
	vectors, err := corpus.Vectors(format)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if v.Name == name {
			return v.Data
		}
	}
	t.Fatalf("no vector %s", name)
	return nil
}

// TestActionFindings: a finding becomes an annotation at its file, and a part of every report.
func TestActionFindings(t *testing.T) {
	r := newRunner(t, map[string][]byte{
		"romfs/a.shbin":          vectorData(t, "shbin/bare"),
		"romfs/odd, 50% b.shbin": vectorData(t, "shbin/DVLB002-trigger"), "notes.txt": []byte("no shader")})
	got := r.run(map[string]string{"executable": "picaproof", "paths": "romfs\nromfs/a.shbin\n"})
	r.is(got, 1, "findings",
		[]string{`error romfs/odd, 50% b.shbin:1 DVLB002: 0x0000: dvlb.magic: wrong magic (expected "DVLB", found "EVLB")`},
		`## picaproof check: findings

    romfs/odd, 50% b.shbin: shbin: 0x0000: DVLB002 dvlb.magic: wrong magic (expected "DVLB", found "EVLB") [error]
    3 files: 2 accepted; 1 error, 0 warnings, 0 infos
`)
	if names, want := r.reports(got), []string{"annotations.txt", "junit.xml", "report.html", "report.sarif",
		"report.txt"}; !slices.Equal(names, want) {
		t.Errorf("reports %q, want %q", names, want)
	}
	if sarif, err := os.ReadFile(got.outputs["sarif"]); err != nil || !strings.Contains(string(sarif), `"startLine": 1`) {
		t.Errorf("SARIF: %v\n%s", err, sarif)
	}
}

// TestActionClean: a clean repository has no annotations, and arguments and a baseline reach the program.
func TestActionClean(t *testing.T) {
	r := newRunner(t, map[string][]byte{"a b.shbin": vectorData(t, "shbin/DVLB002-trigger"),
		"known.txt": []byte("a_b.shbin:DVLB002:dvlb.magic error # known\n")})
	got := r.run(map[string]string{"executable": "picaproof", "baseline": "known.txt", "arguments": "--only\nDVLB002"})
	r.is(got, 0, "clean", nil, `## picaproof check: clean

    a b.shbin: shbin: 0x0000: DVLB002 dvlb.magic: wrong magic (expected "DVLB", found "EVLB") [error] [known]
    1 file: 0 accepted; 1 error, 0 warnings, 0 infos; 1 finding known; 1 file of unknown format passed over
`)
}

// TestActionLint: the line of an annotation is that of the source.
func TestActionLint(t *testing.T) {
	r := newRunner(t, map[string][]byte{
		"x.v.pica": []byte(".out o0 position\n.in a\n.in b\n.proc main\n\tadd o0, a, b\n\tend\n.end\n")})
	got := r.run(map[string]string{"executable": "picaproof", "mode": "lint", "arguments": "--fail-on\r\nwarning\r\n"})
	r.is(got, 1, "findings",
		[]string{`warning x.v.pica:5 PICA001: main: word 0: add reads v0 and v1`},
		`## picaproof lint: findings

    x.v.pica:5: main: word 0 (add o0, v0, v1): PICA001 add reads v0 and v1: two input registers `+
			`(picasso's manual) [warning]
    1 file: 0 errors, 1 warning, 0 infos
`)
}

// TestActionNoFiles: a build that wrote nothing does not pass.
func TestActionNoFiles(t *testing.T) {
	r := newRunner(t, map[string][]byte{"build/notes.txt": []byte("no shader")})
	got := r.run(map[string]string{"executable": "picaproof", "paths": "build"})
	r.is(got, 2, "none", []string{"error picaproof check: no verdict, exit status 2: picaproof: build: no file of a " +
		"known format; --allow-empty accepts that"}, `## picaproof check: no verdict, exit status 2

    0 files: 0 accepted; 0 errors, 0 warnings, 0 infos; 1 file of unknown format passed over

    picaproof: build: no file of a known format; --allow-empty accepts that
`)
}

// TestActionCrash: a program that dies gives no verdict, and what it says is no command of the runner.
func TestActionCrash(t *testing.T) {
	r := newRunner(t, map[string][]byte{"a.shbin": nil, "broken tool": []byte("#!/bin/sh\n" +
		"echo '100% lost' >&2\necho '::error title=x::forged' >&2\nprintf '# \\033[2J<b>\\n' >&2\nkill -SEGV $$\n")})
	got := r.run(map[string]string{"executable": "./broken tool"})
	got.summary = regexp.MustCompile(`(?m)^.*Segmentation fault.*\n`).ReplaceAllString(got.summary, "") // of bash
	r.is(got, 139, "none", []string{"error picaproof check: no verdict, exit status 139: 100% lost"},
		`## picaproof check: no verdict, exit status 139

    100% lost
    ::error title=x::forged
    # [2J<b>
`)
	if !strings.Contains(got.log, "\n::error title=x::forged\n") {
		t.Errorf("the log does not show what the program said:\n%s", got.log)
	}
	if got.outputs["sarif"] != "" {
		t.Errorf("SARIF without a verdict: %q", got.outputs["sarif"])
	}
}

// TestActionConform: a verdict on a core is made once and shown in all forms.
func TestActionConform(t *testing.T) {
	r := newRunner(t, map[string][]byte{"known.txt": []byte("model:_flush wrong-against-console # known\n" +
		"model:_flush:_sign_of_zero wrong-against-documentation # known\n")})
	got := r.run(map[string]string{"executable": "picaproof", "mode": "conform-core", "exec": "inside oracle f24,round=rz",
		"arguments": "--suite\nalu\n--cases\n32\n--profile\nauto", "baseline": "known.txt"})
	if got.status != 0 || got.outputs["verdict"] != "clean" || got.outputs["sarif"] != "" {
		t.Errorf("status %d, outputs %q\n%s", got.status, got.outputs, got.log)
	}
	if len(got.annotations) != 1 || !strings.Contains(got.annotations[0], "notice conform core: ") {
		t.Errorf("annotations %q", got.annotations)
	}
	if !strings.HasPrefix(got.summary, "## picaproof conform-core: clean\n\n    core picaproof oracle\n") {
		t.Errorf("summary:\n%s", got.summary)
	}
	if names, want := r.reports(got), []string{"annotations.txt", "junit.xml", "report.html", "report.json",
		"report.txt"}; !slices.Equal(names, want) {
		t.Errorf("reports %q, want %q", names, want)
	}
}

// TestActionInputs: what an input says is never run, and mistakes are named.
func TestActionInputs(t *testing.T) {
	for _, step := range readAction(t).Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an expression in a command line: %s", step.Run)
		}
	}
	const hostile = `$(touch pwned); touch pwned "' ` + "`touch pwned`"
	for _, v := range []struct {
		inputs map[string]string
		want   string
	}{
		{map[string]string{"mode": hostile}, "error picaproof: mode: want check, lint, conform-core, conform-reader or " +
			"conform-writer"},
		{map[string]string{"paths": "--write-baseline=x\n" + hostile, "arguments": "--only\nDVLB002"},
			"error picaproof check: no verdict, exit status 2: picaproof: open --write-baseline=x: no such file or directory"},
		{map[string]string{"paths": "\n"}, "error picaproof: paths: want a file or a folder"},
		{map[string]string{"mode": "conform-reader"}, "error picaproof: exec: want the command that is judged"},
		{map[string]string{"executable": hostile}, "error picaproof: executable: there is no program " + hostile},
	} {
		r := newRunner(t, map[string][]byte{"x": nil})
		inputs := map[string]string{"executable": "picaproof"}
		for name, value := range v.inputs {
			inputs[name] = value
		}
		got := r.run(inputs)
		if got.status != 2 || len(got.annotations) != 1 || got.annotations[0] != v.want {
			t.Errorf("%q: status %d, annotations %q, want %q", v.inputs, got.status, got.annotations, v.want)
		}
		if _, err := os.Stat(filepath.Join(r.workspace, "pwned")); err == nil {
			t.Errorf("%q: an input was run", v.inputs)
		}
	}
}

// TestActionInstall: a release is used if its archive has the checksum, and only then.
func TestActionInstall(t *testing.T) {
	r := newRunner(t, map[string][]byte{"a.shbin": vectorData(t, "shbin/bare")})
	releases := filepath.Join(r.contexts["runner.temp"], "releases")
	t.Setenv("RELEASES", "file://"+releases)
	build := `set -eu
		for tool in curl tar; do command -v $tool >/dev/null || exit 77; done
		case $(uname -s) in Linux) system=linux ;; *) system=darwin ;; esac
		case $(uname -m) in arm64 | aarch64) machine=arm64 ;; *) machine=amd64 ;; esac
		name=picaproof_v1.2.3_${system}_$machine
		mkdir -p "$1/v1.2.3/$name"
		cd "$1/v1.2.3"
		printf '#!/bin/sh\nexec picaproof "$@"\n' >$name/picaproof
		chmod +x $name/picaproof
		tar -czf $name.tar.gz $name
		if command -v sha256sum >/dev/null; then sha256sum $name.tar.gz; else shasum -a 256 $name.tar.gz; fi`
	out, err := exec.Command("bash", "-c", build, "build", releases).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 77 {
		t.Skip("no curl or no tar")
	}
	if err != nil {
		t.Fatal(err)
	}
	sum, _, _ := strings.Cut(string(out), " ")
	got := r.run(map[string]string{"version": "v1.2.3", "sha256": sum})
	if got.status != 0 || got.outputs["verdict"] != "clean" {
		t.Errorf("status %d, verdict %q, %q\n%s", got.status, got.outputs["verdict"], got.annotations, got.log)
	}
	wrong := strings.Repeat("0", 64)
	got = r.run(map[string]string{"version": "v1.2.3", "sha256": wrong})
	if got.status != 2 || len(got.annotations) != 1 ||
		!strings.HasSuffix(got.annotations[0], " has the SHA-256 "+sum+", want "+wrong) {
		t.Errorf("a wrong checksum: status %d, %q", got.status, got.annotations)
	}
	got = r.run(map[string]string{"version": "v1.2.3/../x", "sha256": sum})
	if want := []string{"error picaproof: version: want a tag such as v0.2.0"}; got.status != 2 ||
		!slices.Equal(got.annotations, want) {
		t.Errorf("a wrong version: status %d, %q", got.status, got.annotations)
	}
}
