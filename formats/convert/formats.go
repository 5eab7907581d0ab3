package convert

import (
	"slices"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// program is a shader between source and target: a DVLB and its name, if it has one.
type program struct {
	name string
	file *shbin.File
	lost Report // losses of the archive's fields about this program
}

// format is a container as a source.
type format struct {
	archive bool // it holds any number of named programs
	read    func(model Model, r *Report) ([]program, error)
	// path translates a path in the DVLB of program n into a path in the format.
	// ok is false when the format lacks the field.
	path func(n int, path string) (moved string, ok bool)
}

var (
	cgfxFormat = &format{read: fromCGFX, path: pathInArchive, archive: true}
	csdrFormat = &format{read: fromCSDR, path: pathInArchive, archive: true}
	dvojFormat = &format{read: single(fromDVOJ), path: pathInDVOJ}
	zpshFormat = &format{read: single(fromZPSH), path: pathInZPSH}

	shbinFormat = &format{
		read: single(func(f *shbin.File, _ *Report) (*shbin.File, error) { return f, nil }),
		path: func(_ int, path string) (string, bool) { return path, true },
	}
)

// single returns a format's read function that makes one program of a model.
func single[F Model](from func(F, *Report) (*shbin.File, error)) func(Model, *Report) ([]program, error) {
	return func(model Model, r *Report) ([]program, error) {
		file, err := from(model.(F), r)
		return []program{{file: file}}, err
	}
}

// formatOf returns the format of a model, nil for one without PICA200 programs.
func formatOf(model Model) *format {
	switch model.(type) {
	case *cgfx.File:
		return cgfxFormat
	case *csdr.File:
		return csdrFormat
	case *dvoj.File:
		return dvojFormat
	case *shbin.File:
		return shbinFormat
	case *zpsh.File:
		return zpshFormat
	}
	return nil
}

// Target is a format that can be converted to.
type Target struct {
	Name     string // "zpsh@3"
	format   *format
	revision zpsh.Revision
	write    func(list []program, o Options, r *Report) (Model, error)
}

// Targets lists the formats that can be converted to, in the order of their names.
var Targets = []Target{
	{Name: "bcsdr", format: cgfxFormat, write: toCGFX},
	{Name: "cgfx", format: cgfxFormat, write: toCGFX},
	{Name: "csdr", format: csdrFormat, write: toCSDR},
	{Name: "dvoj", format: dvojFormat, write: func(list []program, o Options, r *Report) (Model, error) {
		n, err := chooseEntry(list[0].file, o.Entry)
		if err != nil {
			return nil, err
		}
		return toDVOJ(list[0].file, n, r)
	}},
	{Name: "shbin", format: shbinFormat, write: func(list []program, _ Options, _ *Report) (Model, error) {
		return list[0].file, nil
	}},
	zpshTarget("zpsh", zpsh.R4),
	zpshTarget("zpsh@3", zpsh.R3),
	zpshTarget("zpsh@4", zpsh.R4),
}

func zpshTarget(name string, revision zpsh.Revision) Target {
	return Target{Name: name, format: zpshFormat, revision: revision,
		write: func(list []program, _ Options, r *Report) (Model, error) {
			return toZPSH(list[0].file, revision, r)
		}}
}

// ByName returns the target called name.
func ByName(name string) (Target, bool) {
	i := slices.IndexFunc(Targets, func(t Target) bool { return t.Name == name })
	if i < 0 {
		return Target{}, false
	}
	return Targets[i], true
}
