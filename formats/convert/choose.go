package convert

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
)

// Choices returns the possible choices for a model: every entry point of every shader, or every variation of every
// program of a SHARCFB.
func Choices(model Model) (list []Options) {
	if f, ok := model.(*sharcfb.File); ok {
		for i := range f.Programs {
			for n := range f.Programs[i].Variations() {
				list = append(list, Options{string(f.Programs[i].Name), strconv.Itoa(n)})
			}
		}
		return list
	}
	source := formatOf(model)
	if source == nil {
		return nil
	}
	programs, err := source.read(model, new(Report))
	if err != nil {
		return nil
	}
	for _, p := range programs {
		for n := range p.file.DVLEs {
			list = append(list, Options{p.name, strconv.Itoa(n)})
		}
	}
	return list
}

// check returns an error unless the chosen shader exists, and the chosen entry point
// in it or, if no shader is chosen, in any shader.
func (o Options) check(list []program, source *format) (err error) {
	if o.Shader != "" {
		n, err := chooseShader(list, o.Shader, source, source, new(Report))
		if err != nil {
			return err
		}
		list = list[n : n+1]
	}
	if o.Entry == "" {
		return nil
	}
	for _, p := range list {
		if _, err = chooseEntry(p.file, o.Entry); err == nil {
			return nil
		}
	}
	return err
}

// Select returns an archive with the chosen shader alone, and every other model
// unchanged. It returns an error if the chosen shader or entry point does not exist.
// A DVOJ has one entry point, so a choice of entry points is ignored.
func Select(model Model, o Options) (Model, error) {
	source := formatOf(model)
	if source == nil || o == (Options{}) {
		return model, nil
	}
	list, err := source.read(model, new(Report))
	if err != nil {
		return nil, err
	}
	if !source.archive {
		o.Shader = ""
	}
	if source == dvojFormat {
		o.Entry = ""
	}
	if err := o.check(list, source); err != nil || o.Shader == "" {
		return model, err
	}
	n, err := chooseShader(list, o.Shader, source, source, new(Report))
	if err != nil {
		return nil, err
	}
	selected, _ := selectShader(model, n)
	return selected, nil
}

// IsArchive reports whether a model holds any number of named programs.
func IsArchive(model Model) bool {
	source := formatOf(model)
	return source != nil && source.archive
}

// selectShader returns an archive with one of its shaders, and a report of the
// lost content that belongs to no shader.
func selectShader(model Model, n int) (Model, Report) {
	var r Report
	switch f := model.(type) {
	case *cgfx.File:
		restOfCGFX(f, &r)
		return &cgfx.File{Objects: f.Objects[n : n+1]}, r
	case *csdr.File:
		restOfCSDR(f, &r)
		return &csdr.File{Version: f.Version, EditData: f.EditData, Objects: f.Objects[n : n+1]}, r
	}
	return model, nil
}

// others reports the shaders that were not chosen as lost.
func others(list []program, chosen int) (r Report) {
	for i, p := range list {
		if i != chosen {
			r.dropped(item("shaders", i, ""), quote(p.name), "another shader was chosen")
		}
	}
	return r
}

// chooseShader returns the index of the program with this name in an archive,
// and reports the other programs as lost.
func chooseShader(list []program, name string, source, target *format, r *Report) (int, error) {
	chosen := 0
	switch {
	case len(list) == 0:
		return 0, ErrEmpty
	case name == "" && len(list) == 1:
	case !source.archive:
		return 0, fmt.Errorf("shader %q: %w: the source holds one program, and it has no name", name, ErrChoice)
	default:
		names := make([]string, len(list))
		chosen = -1
		for i, p := range list {
			names[i] = strconv.Quote(p.name)
			if p.name == name {
				chosen = i
			}
		}
		if chosen < 0 {
			return 0, choiceError("shader", name, names)
		}
	}
	*r = append(*r, others(list, chosen)...)
	if source.archive && !target.archive && list[chosen].name != defaultName {
		r.dropped(item("shaders", chosen, "name"), quote(list[chosen].name), "the target does not name its program")
	}
	return chosen, nil
}

func choiceError(what, name string, names []string) error {
	err := fmt.Errorf("%w of %s: %s", ErrChoice, count(len(names), what), strings.Join(names, ", "))
	if name != "" {
		err = fmt.Errorf("no %s %q: %w", what, name, err)
	}
	return err
}

// chooseEntry returns the index of an entry point, by name or by index.
func chooseEntry(f *shbin.File, name string) (int, error) {
	if name == "" && len(f.DVLEs) == 1 {
		return 0, nil
	}
	names := make([]string, len(f.DVLEs))
	for i, s := range f.Shaders() {
		if s.Name == name && name != "" {
			return i, nil
		}
		names[i] = strconv.Itoa(i)
		if s.Name != "" {
			names[i] = strconv.Quote(s.Name)
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(f.DVLEs) {
		return n, nil
	}
	return 0, choiceError("entry point", name, names)
}
