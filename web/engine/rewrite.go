package engine

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/registry"
)

// DiffParams name two files.
type DiffParams struct {
	A int `json:"a"`
	B int `json:"b"`
	// Shader and Entry choose one of several contents.
	Shader string `json:"shader,omitempty"`
	Entry  string `json:"entry,omitempty"`
	Window
}

// DiffResult lists differences.
type DiffResult struct {
	Same bool `json:"same"`
	// Refused says why files were refused. Their fields are compared by path.
	Refused []string `json:"refused,omitempty"`
	// As is the format in which files of two formats were compared.
	As          string       `json:"as,omitempty"`
	Differences []Difference `json:"differences"`
	Next
	// Layout has differences in form, which do not count; at most fifty.
	Layout []Difference `json:"layout,omitempty"`
	// NotCompared lists fields that one of two formats lacks; at most fifty.
	NotCompared []convert.Loss `json:"not_compared,omitempty"`
}

// Difference is a field that differs. A or B is empty if one file lacks the field.
type Difference struct {
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // of the element in which the difference is
	A       string `json:"a,omitempty"`
	B       string `json:"b,omitempty"`
	OffsetA *int   `json:"offset_a,omitempty"` // of a field or an instruction, where it is known
	OffsetB *int   `json:"offset_b,omitempty"`
}

// ChoicesParams select choices.
type ChoicesParams struct {
	File int `json:"file"`
	Window
}

// ChoicesResult lists choices.
type ChoicesResult struct {
	Choices []Choice `json:"choices"`
	Next
}

// Choice names a shader and an entry point.
type Choice struct {
	Shader string `json:"shader"`
	Entry  string `json:"entry"`
}

// ConvertParams name a file and a target.
type ConvertParams struct {
	File   int    `json:"file"`
	To     string `json:"to"` // one of the targets in [Supports]
	Shader string `json:"shader,omitempty"`
	Entry  string `json:"entry,omitempty"`
}

// WrittenResult is a file that the engine wrote and opened.
type WrittenResult struct {
	Info   FileInfo       `json:"info"`
	Losses []convert.Loss `json:"losses"` // at most two hundred
	More   int            `json:"more"`   // further losses
}

// FindParams describe a search.
type FindParams struct {
	File  int    `json:"file"`
	Kind  string `json:"kind"` // "hex", "text" or "field"
	Query string `json:"query"`
	From  int    `json:"from,omitempty"` // the first offset, or the last one of a search backward
	Back  bool   `json:"back,omitempty"`
}

// FindResult is a place.
type FindResult struct {
	Offset int    `json:"offset"` // -1 if nothing was found
	Length int    `json:"length"`
	Path   string `json:"path,omitempty"` // of the field
}

// comparison is the result of the newest comparison.
type comparison struct {
	a, b    *file
	choice  convert.Options
	refused []string
	result  diff.Result
	offsets map[string]diff.CodeOffset
	places  [2]map[string]int // the offsets of regions, by path
}

func (e *Engine) diff(p DiffParams) (r DiffResult, err error) {
	a, err := e.files.get("file", p.A)
	if err != nil {
		return r, err
	}
	b, err := e.files.get("file", p.B)
	if err != nil {
		return r, err
	}
	choice := convert.Options{Shader: p.Shader, Entry: p.Entry}
	if e.compared.a != a || e.compared.b != b || e.compared.choice != choice {
		c, err := compareFiles(a, b, choice)
		if err != nil {
			return r, err
		}
		e.compared = *c
	}
	c := &e.compared
	r = DiffResult{Same: c.result.Same() && len(c.refused) == 0, Refused: c.refused, As: c.result.As}
	list := c.result.Differences
	r.Differences, r.Next = take(p.Window, len(list), room/2, func(i int) Difference { return c.difference(list[i]) })
	r.Total += c.result.More
	r.Layout, _ = take(Window{Limit: maxAside}, len(c.result.Layout), room/4,
		func(i int) Difference { return c.difference(c.result.Layout[i]) })
	r.NotCompared, _ = take(Window{Limit: maxAside}, len(c.result.NotCompared), room/4,
		func(i int) convert.Loss { return c.result.NotCompared[i] })
	return r, nil
}

// maxAside is the largest number of elements of a list beside the differences.
const maxAside = 50

// compareFiles compares two files as the command diff does.
func compareFiles(a, b *file, choice convert.Options) (*comparison, error) {
	c := &comparison{a: a, b: b, choice: choice}
	regions := [2][]diag.Region{a.regions(), b.regions()}
	files := [2]*file{a, b}
	for _, f := range files {
		if f.doc == nil {
			if f.refused == nil {
				return nil, fmt.Errorf("%s: only shader files are compared", f.name)
			}
			c.refused = append(c.refused, f.refused.Error())
		}
	}
	switch {
	case len(c.refused) == 0:
		result, err := diff.Models(a.doc.Model().(convert.Model), b.doc.Model().(convert.Model), choice)
		if err != nil {
			return nil, whyNot(err)
		}
		c.result = result
	case a.kind != b.kind || a.format.Outline == nil || choice != convert.Options{}:
		return nil, errors.New(c.refused[0])
	default:
		c.result.Differences, c.result.More = diff.Regions(regions[0], a.data, regions[1], b.data)
	}
	if c.result.As == "" && choice.Shader == "" {
		c.offsets = diff.CodeOffsets(c.result.Differences, regions)
		for i, list := range regions {
			c.places[i] = make(map[string]int, len(list))
			for _, r := range list {
				c.places[i][r.Path] = r.Off
			}
		}
	}
	return c, nil
}

// difference returns a difference with its offsets.
func (c *comparison) difference(d diff.Difference) Difference {
	x := Difference{Path: d.Path, Name: c.result.Names[d.Path], A: d.A, B: d.B}
	at, ok := c.offsets[d.Path]
	if ok {
		x.OffsetA, x.OffsetB = at.A, at.B
		return x
	}
	for i, to := range []**int{&x.OffsetA, &x.OffsetB} {
		if off, ok := c.places[i][d.Path]; ok {
			*to = &off
		}
	}
	return x
}

// whyNot returns an error in words for people.
func whyNot(err error) error {
	var refused *convert.RefusedError
	switch {
	case errors.Is(err, convert.ErrEmpty):
		return errors.New("the file holds no PICA200 program")
	case errors.Is(err, convert.ErrSource):
		return errors.New("this format holds no PICA200 program")
	case errors.Is(err, convert.ErrNoGX2):
		return errors.New("this format holds no GX2 shaders")
	case errors.As(err, &refused):
		return fmt.Errorf("cannot be converted: %w", err)
	}
	return err
}

func (e *Engine) choices(p ChoicesParams) (r ChoicesResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	var list []convert.Options
	if f.doc != nil {
		list = convert.Choices(f.doc.Model().(convert.Model))
	}
	r.Choices, r.Next = take(p.Window, len(list), room, func(i int) Choice { return Choice(list[i]) })
	return r, nil
}

// parsed returns an accepted file.
func (e *Engine) parsed(n int) (*file, error) {
	f, err := e.files.get("file", n)
	if err != nil {
		return nil, err
	}
	if f.doc == nil {
		return nil, cmp.Or(f.refused, errors.New("the file is no container"))
	}
	return f, nil
}

func (e *Engine) canon(p FileParams) (r WrittenResult, err error) {
	f, err := e.parsed(p.File)
	if err != nil {
		return r, err
	}
	if !registry.HasCanonical(f.doc) {
		return r, errors.New("the content of the file has no canonical form")
	}
	return e.written(f.name, f.kind, f.doc.Canonical(), nil)
}

func (e *Engine) convert(p ConvertParams) (r WrittenResult, err error) {
	f, err := e.parsed(p.File)
	if err != nil {
		return r, err
	}
	target, ok := convert.To(p.To)
	if !ok {
		return r, fmt.Errorf("no format %q to convert to", p.To)
	}
	result, losses, err := target(f.doc.Model().(convert.Model), convert.Options{Shader: p.Shader, Entry: p.Entry})
	if err != nil {
		return r, whyNot(err)
	}
	stem, _, _ := cutLast(f.name, '.')
	kind, _, _ := strings.Cut(p.To, "@")
	if kind == "bcsdr" {
		kind = "cgfx"
	}
	format, _ := registry.ByName(kind)
	return e.written(stem+format.Extensions[0], kind, result, losses)
}

func cutLast(s string, sep byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// maxLosses is the largest number of losses in a result.
const maxLosses = 200

// written writes a model and opens the file.
func (e *Engine) written(name, kind string, model convert.Model, losses convert.Report) (r WrittenResult, err error) {
	data, err := model.AppendBinary(nil)
	if err != nil {
		return r, err
	}
	r.Losses, _ = take(Window{Limit: maxLosses}, len(losses), room, func(i int) convert.Loss { return losses[i] })
	r.More = len(losses) - len(r.Losses)
	r.Info, err = e.open(OpenParams{Name: name, As: kind, Data: Data{data}})
	return r, err
}

func (e *Engine) find(p FindParams) (r FindResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	switch p.Kind {
	case "field":
		return f.findField(&p), nil
	case "text", "hex":
	default:
		return r, fmt.Errorf("kind %q: want hex, text or field", p.Kind)
	}
	want := []byte(p.Query)
	if p.Kind == "hex" {
		if want, err = hex.DecodeString(strings.Join(strings.Fields(p.Query), "")); err != nil {
			return r, fmt.Errorf("%q: want hexadecimal digits, two for a byte", p.Query)
		}
	}
	from := min(max(p.From, 0), len(f.data))
	at := -1
	switch {
	case len(want) == 0:
	case p.Back:
		at = bytes.LastIndex(f.data[:min(from+len(want), len(f.data))], want)
	default:
		if at = bytes.Index(f.data[from:], want); at >= 0 {
			at += from
		}
	}
	if at < 0 {
		return FindResult{Offset: -1}, nil
	}
	return FindResult{Offset: at, Length: len(want)}, nil
}

// findField finds a region whose path or value has a text, in either case.
func (f *file) findField(p *FindParams) FindResult {
	list, want := f.regions(), strings.ToLower(p.Query)
	matches := func(i int) bool {
		return want != "" && (strings.Contains(strings.ToLower(list[i].Path), want) ||
			strings.Contains(strings.ToLower(list[i].Value), want))
	}
	at, _ := slices.BinarySearchFunc(list, p.From, func(r diag.Region, off int) int { return cmp.Compare(r.Off, off) })
	by := 1
	if p.Back {
		by = -1
		if at == len(list) || list[at].Off > p.From {
			at--
		}
	}
	for ; at >= 0 && at < len(list); at += by {
		if matches(at) {
			return FindResult{Offset: list[at].Off, Length: list[at].Len, Path: list[at].Path}
		}
	}
	return FindResult{Offset: -1}
}
