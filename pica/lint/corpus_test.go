package lint_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

//go:generate go test -run ^TestCorpus$ . -update

// TestCorpus lists what lint finds in every program of the corpus, each finding with the text of its
// instruction and, where the source is known, the line. A reviewer of a change reads whether each is true.
func TestCorpus(t *testing.T) {
	for family, list := range map[string]func(t *testing.T) []linted{
		"samples": sampleFiles, "sources": sources, "files": vectorFiles, "programs": programs,
	} {
		golden.Text(t, "findings-"+family+".txt", listing(list(t)))
	}
}

// linted is a file or a source with its programs.
type linted struct {
	name    string
	shaders []pica.Shader
	lines   []string // the source line of each word, or nil
}

// listing lists findings, one a line. Programs with the same findings stand under one head.
func listing(all []linted) string {
	var order []string
	names := map[string][]string{}
	for _, l := range all {
		text := l.findings()
		if _, ok := names[text]; !ok {
			order = append(order, text)
		}
		names[text] = append(names[text], l.name)
	}
	var b strings.Builder
	for _, text := range order {
		line := ""
		for _, name := range names[text] {
			if len(line)+len(name) > 110 {
				fmt.Fprintln(&b, line)
				line = ""
			}
			line = strings.TrimSpace(line + " " + name)
		}
		fmt.Fprintf(&b, "%s\n%s", line, text)
	}
	return b.String()
}

// alike is how many findings of one rule in one file are listed whole. The others are listed by their words.
const alike = 8

// findings returns a line for each finding: "  word 3: PICA006: ... | mov o0, r0".
func (l *linted) findings() string {
	var b strings.Builder
	count, words := map[string]int{}, map[string][]int{}
	for _, f := range lint.Check(l.shaders) {
		if count[f.Rule]++; count[f.Rule] > alike && f.PC >= 0 {
			words[f.Rule] = append(words[f.Rule], f.PC)
			continue
		}
		s := &l.shaders[max(f.Entry, 0)]
		b.WriteString("  ")
		if f.Entry >= 0 && len(l.shaders) > 1 {
			fmt.Fprintf(&b, "%+q: ", s.Name)
		}
		b.WriteString(f.String())
		if f.Hazard {
			b.WriteString("!")
		}
		if f.PC >= 0 && f.PC < len(s.Code) {
			fmt.Fprintf(&b, " | %s", asm.Format(s.Code[f.PC], s.Descriptors))
			if f.PC < len(l.lines) {
				fmt.Fprintf(&b, " | %s", l.lines[f.PC])
			}
		}
		b.WriteString("\n")
	}
	for _, rule := range slices.Sorted(maps.Keys(words)) {
		fmt.Fprintf(&b, "  %s also in %d words: %s\n", rule, len(words[rule]), runs(words[rule]))
	}
	return cmp.Or(b.String(), "  nothing\n")
}

// runs writes rising numbers as "3-7 9".
func runs(list []int) string {
	var parts []string
	for k := 0; k < len(list); k++ {
		first := list[k]
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		if list[k] == first {
			parts = append(parts, fmt.Sprint(first))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", first, list[k]))
		}
	}
	return strings.Join(parts, " ")
}

// sampleFiles returns the files that other programs wrote, with the lines of their sources.
func sampleFiles(t *testing.T) (all []linted) {
	err := fs.WalkDir(samples.Files(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data := samples.Read(t, name)
		format, ok := registry.Detect(name, data)
		if !ok {
			return nil
		}
		doc, err := format.Parse(data)
		holder, ok := doc.(registry.Shaders)
		if err != nil || !ok {
			return nil
		}
		l := linted{name: name, shaders: holder.Shaders()}
		if path.Dir(name) == "picasso" {
			l.lines = picassoLines(t, name, l.shaders)
		}
		all = append(all, l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// picassoLines assembles the source of a sample and returns the line of each word. The words must be those of the
// sample. It returns nil for a sample of several sources.
func picassoLines(t *testing.T, name string, shaders []pica.Shader) (lines []string) {
	t.Helper()
	base := strings.TrimSuffix(name, ".shbin")
	number, _, _ := strings.Cut(path.Base(base), "_")
	var list []asm.Source
	for _, source := range samples.Glob(t, "picasso/"+number+"*.pica") {
		list = append(list, asm.Source{Name: path.Base(source), Text: string(samples.Read(t, source))})
	}
	a, err := asm.Assemble(list, asm.AssembleOptions{Dialect: asm.Picasso, NoPadding: number == "p19"})
	if err != nil {
		t.Fatal(name, err)
	}
	if !slices.Equal(a.Code, shaders[0].Code) {
		t.Fatalf("%s: the source has other words", name)
	}
	return sourceLines(a, list)
}

func sourceLines(a *asm.Assembly, list []asm.Source) (lines []string) {
	for _, p := range a.Places {
		text := ""
		for _, s := range list {
			if s.Name == p.File {
				text = strings.Split(s.Text, "\n")[p.Line-1]
			}
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", p.File, p.Line, strings.TrimSpace(text)))
	}
	return lines
}

// sources returns the vectors that are sources.
func sources(t *testing.T) (all []linted) {
	for _, format := range []string{"lint", "asm"} {
		for _, v := range vectors(t, format) {
			o := asm.AssembleOptions{}
			if v.Dialect == "picasso" {
				o.Dialect = asm.Picasso
			}
			list := []asm.Source{{Name: v.Name, Text: string(v.Data)}}
			a, err := asm.Assemble(list, o)
			if err != nil {
				continue // a vector of the assembler
			}
			all = append(all, linted{v.Name, a.Shaders(), sourceLines(a, list)})
		}
	}
	return all
}

// vectorFiles returns the vectors that are accepted files.
func vectorFiles(t *testing.T) (all []linted) {
	for _, name := range []string{"shbin", "dvoj", "csdr", "cgfx", "zpsh"} {
		format, ok := registry.ByName(name)
		if !ok {
			t.Fatal(name)
		}
		for _, v := range vectors(t, name) {
			doc, err := format.Parse(v.Data)
			if err != nil {
				continue
			}
			if holder, ok := doc.(registry.Shaders); ok {
				all = append(all, linted{v.Name, holder.Shaders(), nil})
			}
		}
	}
	return all
}

func vectors(t *testing.T, format string) []corpus.Vector {
	t.Helper()
	list, err := corpus.Vectors(format)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// programs returns the executable vectors and the benchmarks. What a job sets is a constant of the program.
func programs(t *testing.T) (all []linted) {
	add := func(name string, job *pica.Job) {
		s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage, Ints: map[int][4]uint8{}}
		for r, v := range job.Ints {
			s.Ints[r] = v
		}
		all = append(all, linted{name, []pica.Shader{s}, nil})
	}
	cases, err := expect.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		job := c.Job(pica.Profile{})
		add(c.Name, &job)
	}
	for _, b := range samples.Benchmarks(t) {
		job, err := pica.ParseJob(b.JSON, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
		if err != nil {
			t.Fatal(b.Name, err)
		}
		add("bench/"+b.Name, job)
	}
	return all
}
