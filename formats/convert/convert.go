package convert

import (
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// Model is the *File of a format.
type Model interface {
	AppendBinary(b []byte) ([]byte, error)
}

// Options choose among what a source holds several of.
type Options struct {
	Shader string // name of a shader in an archive, for targets that hold one
	Entry  string // name or index of an entry point, for targets that hold one
}

// Errors of Convert besides those of writers and [RefusedError].
var (
	ErrSource = errors.New("holds no PICA200 program")
	ErrChoice = errors.New("choose one")
)

// Target is a format that can be converted to.
type Target struct {
	Name   string // "zpsh@3"
	format *format
	write  func(list []unit, o Options, r *Report) (Model, error)
}

// unit is a program on its way: a DVLB, with its name if it has one.
type unit struct {
	name string
	file *shbin.File
	lost Report // what the archive says about it
}

// format is a container as a source.
type format struct {
	name string
	// read returns the programs of a model, or false if it is of another format.
	read func(model Model, r *Report) ([]unit, error, bool)
	// path moves the path of a field of program n to where the field is in the
	// format; ok is false when the format does not have it.
	path func(n int, path string) (moved string, ok bool)
	// several says that the format names its programs.
	several bool
}

// The formats that hold one program.
var (
	shbinFormat = &format{
		name: "shbin",
		read: func(model Model, r *Report) ([]unit, error, bool) {
			f, ok := model.(*shbin.File)
			return []unit{{file: f}}, nil, ok
		},
		path: func(_ int, path string) (string, bool) { return path, true },
	}
	dvojFormat = &format{name: "dvoj", read: single(fromDVOJ), path: pathInDVOJ}
	zpshFormat = &format{name: "zpsh", read: single(fromZPSH), path: pathInZPSH}
)

var formats = []*format{cgfxFormat, csdrFormat, dvojFormat, shbinFormat, zpshFormat}

// single makes a conversion of a model with one program the read of a format.
func single[F Model](from func(F, *Report) (*shbin.File, error)) func(Model, *Report) ([]unit, error, bool) {
	return func(model Model, r *Report) ([]unit, error, bool) {
		f, ok := model.(F)
		if !ok {
			return nil, nil, false
		}
		file, err := from(f, r)
		return []unit{{file: file}}, err, true
	}
}

// Targets are the formats that can be converted to.
var Targets = []Target{
	{"bcsdr", cgfxFormat, toCGFX},
	{"cgfx", cgfxFormat, toCGFX},
	{"csdr", csdrFormat, toCSDR},
	{"dvoj", dvojFormat, func(list []unit, o Options, r *Report) (Model, error) {
		n, err := chooseEntry(list[0].file, o.Entry)
		if err != nil {
			return nil, err
		}
		return toDVOJ(list[0].file, n, r)
	}},
	{"shbin", shbinFormat, func(list []unit, _ Options, _ *Report) (Model, error) { return list[0].file, nil }},
	{"zpsh", zpshFormat, writeZPSH(zpsh.R4)},
	{"zpsh@3", zpshFormat, writeZPSH(zpsh.R3)},
	{"zpsh@4", zpshFormat, writeZPSH(zpsh.R4)},
}

func writeZPSH(revision zpsh.Revision) func([]unit, Options, *Report) (Model, error) {
	return func(list []unit, _ Options, r *Report) (Model, error) { return toZPSH(list[0].file, revision, r) }
}

// ByName returns the target called name.
func ByName(name string) (Target, bool) {
	for _, t := range Targets {
		if t.Name == name {
			return t, true
		}
	}
	return Target{}, false
}

// Convert returns a model as the target's format has it. A model of that format
// comes back itself. The model is one that its AppendBinary accepts; the result
// is such a model too, and may share memory with it.
//
// The error is a [RefusedError] or that of a writer when the target cannot hold
// the source, and wraps [ErrSource] or [ErrChoice].
func (t Target) Convert(model Model, o Options) (Model, Report, error) {
	if _, err := model.AppendBinary(nil); err != nil {
		return nil, nil, err
	}
	result, report, err := t.convert(model, o)
	if err != nil {
		return nil, nil, err
	}
	if _, err := result.AppendBinary(nil); err != nil {
		return nil, nil, err
	}
	return result, report, nil
}

func (t Target) convert(model Model, o Options) (Model, Report, error) {
	var read, written Report
	for _, source := range formats {
		list, err, ok := source.read(model, &read)
		switch {
		case !ok:
			continue
		case err != nil:
			return nil, nil, err
		case source == t.format && source == zpshFormat:
			z, report := revised(model.(*zpsh.File), t.Name)
			return z, report, nil
		case source == t.format && o == Options{}:
			return model, nil, nil
		}
		n := 0
		if !t.format.several || o.Shader != "" {
			if n, err = chooseShader(list, o.Shader, source, t.format, &read); err != nil {
				return nil, nil, err
			}
			list = list[n : n+1]
		}
		for i := range list {
			read = append(read, list[i].lost...)
		}
		result, err := t.write(list, o, &written)
		if err != nil {
			return nil, nil, moved(err, source, n)
		}
		return result, compose(read, written, source, t.format, n), nil
	}
	return nil, nil, fmt.Errorf("%T %w", model, ErrSource)
}

// moved makes the path of a refusal one in the source.
func moved(err error, source *format, n int) error {
	var refused *RefusedError
	if errors.As(err, &refused) {
		path, _ := source.path(n, refused.Path)
		return &RefusedError{path, refused.Why}
	}
	return err
}

// compose makes one report of the two of a conversion through a DVLB. What the
// first half invented is in no source, so that the second half loses nothing
// with it; and it is in the target only if that has such a field.
func compose(read, written Report, source, target *format, n int) Report {
	invented := make(map[string]bool)
	for _, l := range read {
		if l.Kind == Invented {
			invented[l.Path] = true
		}
	}
	var report Report
	gone := make(map[string]bool)
	for _, l := range written {
		if l.Kind != Invented {
			if path, ok := enclosing(invented, l.Path); ok {
				gone[path] = true
				continue
			}
			l.Path, _ = source.path(n, l.Path)
		}
		report = append(report, l)
	}
	for _, l := range read {
		if l.Kind == Invented {
			path, ok := target.path(0, l.Path)
			if !ok || gone[l.Path] {
				continue
			}
			l.Path = path
		}
		report = append(report, l)
	}
	return report
}

// revised returns a file in the revision that a target names.
func revised(z *zpsh.File, target string) (*zpsh.File, Report) {
	var r Report
	revision := zpsh.R4
	if target == "zpsh@3" {
		revision = zpsh.R3
	}
	if z.Revision == revision {
		return z, nil
	}
	c := *z
	c.Revision = revision
	c.Layout, c.Leniencies = nil, nil
	c.Entries = append([]zpsh.Entry(nil), z.Entries...)
	for i := range c.Entries {
		e := &c.Entries[i]
		switch path := item("entries", i, ""); {
		case revision == zpsh.R3:
			if e.Flags != 0 {
				r.dropped(path+".flags", fmt.Sprintf("0x%x", e.Flags), "R3 has no flags")
			}
			if e.HeaderWords != entryWords {
				r.dropped(path+".header_words", fmt.Sprint(e.HeaderWords), "R3 has no size of entry headers")
			}
			e.Flags, e.HeaderWords = 0, 0
		case z.Revision == zpsh.R3:
			e.HeaderWords = entryWords
			r.invented(path+".header_words", fmt.Sprint(entryWords), "R3 has no size of entry headers; zitrus stores this one")
		}
	}
	layoutOfZPSH(z.Layout, &r)
	return &c, r
}
