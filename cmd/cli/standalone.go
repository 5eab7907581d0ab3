package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/pagelink"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/web"
)

// viewFormats are the report formats of commands with a view of the page.
const viewFormats = "text,json,html"

// standalone writes the page as one file that shows what links hold.
func (a *app) standalone(bad bool, links ...string) error {
	files, err := web.Built()
	if err != nil {
		return fmt.Errorf("--format html: %w", err)
	}
	return failedIf(bad, a.report(func(w io.Writer) error { return web.Standalone(w, files, links) }))
}

// linkOf returns a link to a view of a file. Its name says nothing of the folders of this machine.
func linkOf(src *source, f file, view string, step *pagelink.Step) (string, error) {
	return pagelink.File(pagelink.State{Name: filepath.Base(f.name), As: src.as, View: view, Step: step}, f.data)
}

var errOneRun = errors.New("--format html: it shows each step of one vertex under the rules of a profile, so --inputs, " +
	"--break, --engine and --budget do not go with it")

// linksOf returns links to two files; the first one compares itself with the second.
func linksOf(src *source, files [2]file) (links []string, err error) {
	for i, view := range []string{"compare", "look"} {
		link, err := linkOf(src, files[i], view, nil)
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	return links, nil
}

// standaloneRun writes the page with the steps of a run: of a program of a file, or of a job.
func (a *app) standaloneRun(flags *runFlags, shader *pica.Shader, job *pica.Job) error {
	for _, flag := range []string{"inputs", "break", "engine", "budget"} {
		if flags.changed(flag) {
			return errOneRun
		}
	}
	var out pica.Outcome
	if err := impl.New().Run(job, &out); err != nil {
		return err
	}
	trapped := out.Trapped()
	if flags.file == nil || strings.HasPrefix(flags.entry, "@") {
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		link, err := pagelink.Job(text)
		if err != nil {
			return err
		}
		return a.standalone(trapped, link)
	}
	doc, err := flags.file.parse(&flags.source)
	if err != nil {
		return err
	}
	step := pagelink.Step{Profile: flags.profile, Versus: flags.versus, Ancestry: flags.ancestry,
		Inputs: assigned(flags.in), Uniforms: assigned(flags.set)}
	step.Program = slices.IndexFunc(doc.(registry.Shaders).Shaders(), func(s pica.Shader) bool {
		return s.Entry == shader.Entry && s.Name == shader.Name
	})
	link, err := linkOf(&flags.source, *flags.file, "step", &step)
	if err != nil {
		return err
	}
	return a.standalone(trapped, link)
}

// assigned returns the values of a flag by register.
func assigned(list []string) map[string]string {
	values := map[string]string{}
	for _, s := range list {
		name, value, _ := strings.Cut(s, "=")
		values[name] = value
	}
	return values
}
