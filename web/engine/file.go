package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/listing"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// OpenParams name a file. Its bytes go with the call.
type OpenParams struct {
	Name string `json:"name"`
	// As is the name of a format, or of a revision of one ("zpsh@3"); the magic decides without it. "source" is
	// assembly text, "job" a program with its inputs.
	As string `json:"as,omitempty"`
	// Accept lists known deviations to accept.
	Accept []string `json:"accept,omitempty"`
	Data   `json:"-"`
}

// FileParams name an open file.
type FileParams struct {
	File int `json:"file"`
}

// FileInfo describes an open file.
type FileInfo struct {
	File   int    `json:"file"`
	Name   string `json:"name"`
	Format string `json:"format"` // "shbin"; "job", or empty for an unknown one
	Title  string `json:"title"`
	Length int    `json:"length"`
	// Accepted says that a strict parser accepts the file.
	Accepted bool   `json:"accepted"`
	Outcome  string `json:"outcome"`          // "ok", "malformed", "unsupported" or "over limit"
	Error    string `json:"error,omitempty"`  // why the file is refused
	Writer   string `json:"writer,omitempty"` // the program that wrote the file, if its bytes tell
	Findings Counts `json:"findings"`
	// Programs is the number of programs that have a listing.
	Programs int      `json:"programs"`
	Supports Supports `json:"supports"`
}

// Counts are numbers of findings.
type Counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Supports says what can be asked about a file.
type Supports struct {
	Listing bool     `json:"listing"` // its programs have a listing
	Run     bool     `json:"run"`     // its programs run
	Canon   bool     `json:"canon"`   // it has a canonical form
	Convert []string `json:"convert"` // formats into which it may be converted
	Choices bool     `json:"choices"` // it has several shaders or entry points
}

// BytesParams select bytes of a file.
type BytesParams struct {
	File   int `json:"file"`
	Offset int `json:"offset,omitempty"`
	Length int `json:"length,omitempty"` // 0 stands for as many as fit
}

// BytesResult goes with bytes.
type BytesResult struct {
	Offset int `json:"offset"`
	Next   int `json:"next"` // the offset behind the bytes, -1 at the end of the file
	Data   `json:"-"`
}

// Empty has no fields.
type Empty struct{}

// file is an open file. What takes time is made when it is first asked for.
type file struct {
	name     string
	data     []byte
	kind     string // a format, "source", "job" or ""
	format   registry.Format
	opts     []registry.Option
	doc      registry.Document // nil if the file is refused
	refused  error
	outcome  registry.Outcome
	writer   string
	list     []diag.Finding // sorted by offset
	job      *pica.Job
	programs []*program

	owned  []diag.Region // see regions
	coded  []diag.Region // see regionsWithCode
	parts  *parts        // see tree
	rows   []Row
	places *listing.Places
	linted []Lint
	lintOK bool
}

func (e *Engine) open(p OpenParams) (FileInfo, error) {
	f := &file{name: p.Name, data: p.Data.bytes}
	if err := f.identify(p.As, p.Accept); err != nil {
		return FileInfo{}, err
	}
	f.read()
	return e.add(f), nil
}

// identify finds the format of a file.
func (f *file) identify(as string, accept []string) error {
	name, variant, _ := strings.Cut(as, "@")
	known := false
	switch {
	case name == "source" || name == "job":
		f.kind = name
		return nil
	case name != "":
		if f.format, known = registry.ByName(name); !known {
			return fmt.Errorf("no format %q", name)
		}
	default:
		if f.format, known = registry.Detect(f.name, f.data); !known {
			f.kind = otherKind(f.name, f.data)
			return nil
		}
	}
	f.kind = f.format.Name
	if variant != "" {
		option, ok := f.format.Variant(variant)
		if !ok {
			return fmt.Errorf("no revision %q of %s", variant, f.format.Name)
		}
		f.opts = append(f.opts, option)
	}
	for _, l := range f.format.Leniencies {
		if slices.Contains(accept, string(l.Option)) {
			f.opts = append(f.opts, l.Option)
		}
	}
	return nil
}

// otherKind returns the kind of a file that has no container format.
func otherKind(name string, data []byte) string {
	switch {
	case strings.HasSuffix(name, ".pica"):
		return "source"
	case len(data) > 0 && data[0] == '{' && strings.Contains(string(data[:min(len(data), 64)]), `"code"`):
		return "job"
	}
	return ""
}

// read checks and parses a file, and finds its programs.
func (f *file) read() {
	switch f.kind {
	case "":
		f.outcome, f.refused = registry.Unsupported, errUnknown
		return
	case "source":
		f.outcome = registry.OK
		return
	case "job":
		f.readJob()
		return
	}
	all, author := f.format.Judge(f.data, f.opts...)
	diag.SortByOffset(all)
	f.outcome, f.writer = f.format.Outcome(all), author.Title
	f.list = slices.DeleteFunc(all, func(x diag.Finding) bool { return author.Explains(&x) })
	if f.doc, f.refused = f.format.Parse(f.data, f.opts...); f.refused != nil {
		f.doc = nil
	}
	f.findPrograms()
}

var errUnknown = errors.New("unsupported: no known magic or extension")

// readJob reads a program with its inputs.
func (f *file) readJob() {
	job, err := pica.ParseJob(f.data, func(name string) (pica.Profile, error) {
		return profile.Parse(cmp.Or(name, defaultProfile))
	})
	if err != nil {
		f.outcome, f.refused = registry.Malformed, err
		return
	}
	f.outcome, f.job = registry.OK, job
	shader := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage, OutMask: job.OutMask}
	f.programs = []*program{{shader: &shader}}
}

// add numbers a file and describes it.
func (e *Engine) add(f *file) FileInfo {
	info := FileInfo{File: e.files.add(f), Name: f.name, Format: f.kind, Title: f.format.Title, Length: len(f.data),
		Accepted: f.outcome == registry.OK, Outcome: string(f.outcome), Writer: f.writer, Findings: countsOf(f.list),
		Programs: len(f.programs)}
	switch f.kind {
	case "source":
		info.Title = "assembly source"
	case "job":
		info.Title = "a program with its inputs"
	}
	if f.refused != nil {
		info.Error = f.refused.Error()
	}
	info.Supports = f.supports()
	return info
}

func (f *file) supports() Supports {
	s := Supports{Listing: len(f.programs) > 0, Convert: []string{}}
	s.Run = slices.ContainsFunc(f.programs, func(p *program) bool { return p.shader != nil })
	if f.doc == nil {
		return s
	}
	s.Canon = registry.HasCanonical(f.doc)
	if _, ok := f.doc.(registry.Shaders); ok {
		for _, t := range convert.Targets {
			s.Convert = append(s.Convert, t.Name)
		}
	} else if len(f.programs) > 0 {
		for _, t := range convert.GX2Targets {
			s.Convert = append(s.Convert, t.Name)
		}
	}
	s.Convert = slices.DeleteFunc(s.Convert, func(name string) bool { return name == f.kind })
	s.Choices = len(s.Convert) > 0 && len(convert.Choices(f.doc.Model().(convert.Model))) > 1
	return s
}

func countsOf(list []diag.Finding) (c Counts) {
	for i := range list {
		c.add(list[i].Severity, 1+list[i].More)
	}
	return c
}

func (c *Counts) add(s diag.Severity, n int) {
	switch s {
	case diag.Error:
		c.Errors += n
	case diag.Warning:
		c.Warnings += n
	case diag.Info:
		c.Infos += n
	}
}

func (e *Engine) close(p FileParams) (Empty, error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return Empty{}, err
	}
	delete(e.files.values, p.File)
	for n, r := range e.runs.values {
		if r.of == f {
			delete(e.runs.values, n)
		}
	}
	if e.compared.a == f || e.compared.b == f {
		e.compared = comparison{}
	}
	return Empty{}, nil
}

func (e *Engine) bytes(p BytesParams) (r BytesResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	if p.Offset < 0 || p.Offset > len(f.data) || p.Length < 0 {
		return r, fmt.Errorf("no byte %d in a file of %d", p.Offset, len(f.data))
	}
	end := min(len(f.data)-p.Offset, MaxResult)
	if p.Length > 0 {
		end = min(end, p.Length)
	}
	end += p.Offset
	r = BytesResult{Offset: p.Offset, Next: end}
	r.Data.bytes = f.data[p.Offset:end]
	if end == len(f.data) {
		r.Next = -1
	}
	return r, nil
}

// regions returns the owner of every byte.
func (f *file) regions() []diag.Region {
	if f.owned != nil {
		return f.owned
	}
	switch {
	case f.doc != nil:
		f.owned = f.doc.Regions()
	case f.format.Outline != nil:
		f.owned = f.format.Outline(f.data, f.opts...).Regions
	case len(f.data) > 0:
		f.owned = []diag.Region{{Len: len(f.data), Kind: diag.OpaqueRegion, Path: cmp.Or(f.kind, "unknown")}}
	}
	return f.owned
}

// regionsWithCode returns the owner of every byte; the words of GX2 programs have owners of their own.
func (f *file) regionsWithCode() []diag.Region {
	if f.coded == nil {
		f.coded = f.regions()
		if f.doc != nil {
			f.coded = microcode.Regions(f.doc.Model(), f.coded)
		}
	}
	return f.coded
}
