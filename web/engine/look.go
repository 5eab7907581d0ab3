package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/reflection"
	"github.com/picaproof/picaproof/formats/registry"
)

// RegionsParams select owners of bytes.
type RegionsParams struct {
	File   int `json:"file"`
	Offset int `json:"offset,omitempty"`
	Length int `json:"length,omitempty"` // 0 stands for the rest of the file
	Limit  int `json:"limit,omitempty"`  // the largest number of regions; 0 stands for as many as fit
	// Code gives the words of GX2 programs owners of their own, as dump --code does.
	Code bool `json:"code,omitempty"`
}

// RegionsResult lists the regions that overlap a range.
type RegionsResult struct {
	Regions []Region `json:"regions"`
	Next    int      `json:"next"` // the offset at which the list goes on, -1 at the end of the range
}

// Region is a range of bytes with an owner.
type Region struct {
	Offset int             `json:"offset"`
	Length int             `json:"length"`
	Kind   diag.RegionKind `json:"kind"`   // "field", "opaque", "padding" or "gap"
	Path   string          `json:"path"`   // "dvle[0].constants[2].register"
	Record string          `json:"record"` // "dvle[0].constants[2]"
	Field  string          `json:"field"`  // "register"
	Value  string          `json:"value,omitempty"`
	Also   []string        `json:"also,omitempty"` // further owners, at most eight
	More   int             `json:"more,omitempty"` // further owners that Also leaves out
}

// TreeParams select the parts of a record.
type TreeParams struct {
	File int    `json:"file"`
	Path string `json:"path,omitempty"` // empty for the whole file
	Window
}

// TreeResult lists the parts of a record.
type TreeResult struct {
	Nodes []TreeNode `json:"nodes"`
	Next
}

// TreeNode is a record, a list or a field.
type TreeNode struct {
	Path     string `json:"path"` // "dvle[0].constants"
	Name     string `json:"name"` // "constants"
	Value    string `json:"value,omitempty"`
	Offset   int    `json:"offset"`   // of its first byte
	Length   int    `json:"length"`   // from its first byte to its last
	Children int    `json:"children"` // the number of its parts
	Findings Counts `json:"findings"` // about it and its parts
}

// FindingsParams select findings.
type FindingsParams struct {
	File int `json:"file"`
	// Path leaves out findings about other parts of the file.
	Path string `json:"path,omitempty"`
	Window
}

// FindingsResult lists findings.
type FindingsResult struct {
	Findings []Found `json:"findings"`
	Next
}

// Found is a finding. The offset of one about decoded bytes counts in those.
type Found struct {
	diag.Finding
	// Encoded is where the file encodes the decoded bytes.
	Encoded *Place `json:"encoded,omitempty"`
}

// Place is a range of bytes of a file.
type Place struct {
	Offset int `json:"offset"`
	Length int `json:"length"`
}

// RuleParams name a rule.
type RuleParams struct {
	ID string `json:"id"`
}

// RuleResult has an entry for each format that has the rule.
type RuleResult struct {
	Rules []expect.Explained `json:"rules"`
}

// SampleParams name a file of the corpus: the vector of a rule's example, or the file of an example that teaches.
type SampleParams struct {
	Name string `json:"name"`
}

// SampleResult is an open file, or a source.
type SampleResult struct {
	Info *FileInfo `json:"info,omitempty"`
	// Source is assembly text, Dialect its dialect.
	Source  Long   `json:"source,omitempty"`
	Dialect string `json:"dialect,omitempty"`
}

// RowsParams select rows of the interface table.
type RowsParams struct {
	File int `json:"file"`
	Window
}

// RowsResult lists rows of the interface table.
type RowsResult struct {
	Rows []Row `json:"rows"`
	Next
}

// Row is a row of the interface table. Kind says which of the other fields it has.
type Row struct {
	// Kind is "shader", "input", "output", "uniform", "block", "sampler", "buffer", "image", "texture", "constant",
	// "unknown", "link" or "unread".
	Kind     string               `json:"kind"`
	Shader   *reflection.Shader   `json:"shader,omitempty"` // without its lists, which follow as rows
	Variable *reflection.Variable `json:"variable,omitempty"`
	Constant *reflection.Constant `json:"constant,omitempty"`
	Unknown  string               `json:"unknown,omitempty"` // what the format does not record
	Link     *reflection.Link     `json:"link,omitempty"`
	Unread   *reflection.Unread   `json:"unread,omitempty"`
}

func (e *Engine) regions(p RegionsParams) (r RegionsResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	list := f.regions()
	if p.Code {
		list = f.regionsWithCode()
	}
	end := len(f.data)
	if p.Length > 0 && p.Length < end-p.Offset {
		end = p.Offset + p.Length
	}
	first, _ := slices.BinarySearchFunc(list, p.Offset, func(r diag.Region, off int) int {
		if r.Off+r.Len <= off {
			return -1
		}
		return 1
	})
	last, _ := slices.BinarySearchFunc(list, end, func(r diag.Region, end int) int { return cmp.Compare(r.Off, end) })
	list = list[first:max(first, last)]
	var next Next
	r.Regions, next = take(Window{Limit: p.Limit}, len(list), room, func(i int) Region { return regionOf(&list[i]) })
	r.Next = -1
	if next.Next >= 0 {
		r.Next = list[next.Next].Off
	}
	return r, nil
}

// maxOwners is the largest number of further owners of bytes that a region lists.
const maxOwners = 8

func regionOf(r *diag.Region) Region {
	record, field := split(r.Path)
	return Region{Offset: r.Off, Length: r.Len, Kind: r.Kind, Path: r.Path, Record: record, Field: field, Value: r.Value,
		Also: r.Also[:min(len(r.Also), maxOwners)], More: max(len(r.Also)-maxOwners, 0)}
}

// split splits a path before its last field or index.
func split(path string) (record, last string) {
	at := strings.LastIndexAny(path, ".[")
	switch {
	case at < 0:
		return "", path
	case path[at] == '.':
		return path[:at], path[at+1:]
	}
	return path[:at], path[at:]
}

func (e *Engine) findings(p FindingsParams) (r FindingsResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	list := f.list
	if p.Path != "" {
		list = nil
		for i := range f.list {
			if within(f.list[i].Path, p.Path) {
				list = append(list, f.list[i])
			}
		}
	}
	r.Findings, r.Next = take(p.Window, len(list), room, func(i int) Found {
		x := list[i]
		x.Related = x.Related[:min(len(x.Related), maxOwners)]
		return Found{x, f.encoded(x.Path)}
	})
	return r, nil
}

// encoded returns where the file encodes a decoded part, nil if the path leads to none. A part without bytes of its own
// lies in the next one above that has some.
func (f *file) encoded(path string) *Place {
	const decoded = ".decoded."
	for strings.Contains(path, decoded) {
		var at *Place
		for _, r := range f.regions() {
			switch {
			case !within(r.Path, path):
			case at == nil:
				at = &Place{r.Off, r.Len}
			default:
				at.Length = r.Off + r.Len - at.Offset
			}
		}
		if at != nil {
			return at
		}
		path = path[:strings.LastIndexAny(path, ".[")]
	}
	return nil
}

// within reports whether a path leads to a record or into it.
func within(path, record string) bool {
	rest, ok := strings.CutPrefix(path, record)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func (e *Engine) rule(p RuleParams) (r RuleResult, err error) {
	list, err := expect.Explain(strings.ToUpper(p.ID))
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no rule %q", p.ID)
	}
	r.Rules = list
	return r, err
}

func (e *Engine) sample(p SampleParams) (r SampleResult, err error) {
	set, _, _ := strings.Cut(p.Name, "/")
	if set == "example" {
		name, data, err := exampleFile(p.Name)
		if err != nil {
			return r, err
		}
		return e.sampled(name, "", data)
	}
	if set == "pica" {
		programs, err := corpus.Programs()
		if err != nil {
			return r, err
		}
		for _, x := range programs {
			if x.Name == p.Name {
				return e.sampled(x.Name+".json", "job", x.Job)
			}
		}
		return r, fmt.Errorf("no sample %q", p.Name)
	}
	if !slices.ContainsFunc(expect.Catalogues(), func(c expect.Catalogue) bool { return c.Name == set }) {
		return r, fmt.Errorf("no sample %q", p.Name)
	}
	vectors, err := corpus.Vectors(set)
	if err != nil {
		return r, err
	}
	for _, v := range vectors {
		kind := v.Format
		if kind == "latte" {
			kind = "gsh" // the container of its programs
		}
		switch format, ok := registry.ByName(kind); {
		case v.Name != p.Name:
		case ok:
			return e.sampled(v.Name+format.Extensions[0], kind, v.Data)
		default:
			return SampleResult{Source: Long(v.Data), Dialect: cmp.Or(v.Dialect, "default")}, nil
		}
	}
	return r, fmt.Errorf("no sample %q", p.Name)
}

// sampled opens a file of the corpus.
func (e *Engine) sampled(name, as string, data []byte) (r SampleResult, err error) {
	info, err := e.open(OpenParams{Name: name, As: as, Data: Data{data}})
	return SampleResult{Info: &info}, err
}

func (e *Engine) interfaceRows(p RowsParams) (r RowsResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	if f.rows == nil {
		f.rows = []Row{}
		if f.doc != nil {
			table, _ := reflection.Of(f.doc.Model())
			f.rows = rowsOf(&table)
		}
	}
	r.Rows, r.Next = take(p.Window, len(f.rows), room, func(i int) Row { return f.rows[i] })
	return r, nil
}

// rowsOf returns the rows of an interface table, in the order in which the command line prints them.
func rowsOf(t *reflection.Table) []Row {
	rows := []Row{}
	for i := range t.Shaders {
		s := &t.Shaders[i]
		head := *s
		head.Inputs, head.Outputs, head.Uniforms, head.Blocks, head.Samplers = nil, nil, nil, nil, nil
		head.Buffers, head.Images, head.Textures, head.Constants, head.Unknown = nil, nil, nil, nil, nil
		rows = append(rows, Row{Kind: "shader", Shader: &head})
		for _, l := range []struct {
			kind string
			list []reflection.Variable
		}{{"input", s.Inputs}, {"output", s.Outputs}, {"uniform", s.Uniforms}, {"block", s.Blocks}, {"sampler", s.Samplers},
			{"buffer", s.Buffers}, {"image", s.Images}, {"texture", s.Textures}} {
			for k := range l.list {
				rows = append(rows, Row{Kind: l.kind, Variable: &l.list[k]})
			}
		}
		for k := range s.Constants {
			rows = append(rows, Row{Kind: "constant", Constant: &s.Constants[k]})
		}
		for _, what := range s.Unknown {
			rows = append(rows, Row{Kind: "unknown", Unknown: what})
		}
	}
	for i := range t.Links {
		rows = append(rows, Row{Kind: "link", Link: &t.Links[i]})
	}
	for i := range t.Unread {
		rows = append(rows, Row{Kind: "unread", Unread: &t.Unread[i]})
	}
	return rows
}
