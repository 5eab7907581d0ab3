package convert

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

func pathInArchive(n int, path string) (string, bool) { return item("shaders", n, "dvlb."+path), true }

// fromCSDR returns the programs of a .csdr text.
func fromCSDR(model Model, r *Report) ([]program, error) {
	f := model.(*csdr.File)
	r.droppedFields("", *f, csdr.File{Version: defaultVersion}, onlyCSDR)
	restOfCSDR(f, r)
	list := make([]program, len(f.Objects))
	for i := range f.Objects {
		o := &f.Objects[i]
		p := &list[i]
		if err := p.parse(i, o.Name, o.DVLB); err != nil {
			return nil, err
		}
		p.lost.droppedFields(item("shaders", i, ""), *o, csdr.Object{Name: o.Name}, onlyCSDR)
	}
	return list, nil
}

func restOfCSDR(f *csdr.File, r *Report) {
	for path, text := range f.Rest() {
		r.dropped(path, quote(text), onlyCSDR[""])
	}
}

var (
	onlyCSDR = reasons{"": "only a .csdr has it"}
	onlyCGFX = reasons{"": "only a CGFX has it"}
)

// fromCGFX returns the programs of a CGFX.
func fromCGFX(model Model, r *Report) ([]program, error) {
	f := model.(*cgfx.File)
	list := make([]program, len(f.Objects))
	for i := range f.Objects {
		o := &f.Objects[i]
		p := &list[i]
		if err := p.parse(i, string(o.Name), o.DVLB); err != nil {
			return nil, err
		}
		if o.Name == "" {
			p.lost.dropped(item("shaders", i, "name"), quote(p.name), "an empty name is none")
		}
		p.lost.droppedFields(item("shaders", i, ""), *o, cgfx.Object{Name: o.Name}, onlyCGFX)
		for k, program := range o.Programs {
			p.lost.dropped(item(item("shaders", i, "programs"), k, ""), program.Show(),
				"only a CGFX says which entry points are used together")
		}
	}
	restOfCGFX(f, r)
	return list, nil
}

func restOfCGFX(f *cgfx.File, r *Report) {
	for path, b := range f.Rest() {
		r.dropped(path, showBytes(b), onlyCGFX[""])
	}
}

// showBytes formats four bytes as a number, a short text in quotes, and longer bytes
// as their count.
func showBytes(b []byte) string {
	switch {
	case len(b) == 4:
		return fmt.Sprintf("0x%x", binary.LittleEndian.Uint32(b))
	case len(b) <= maxQuoted:
		return quote(b)
	}
	return count(len(b), "byte")
}

// parse sets the name of the program and parses its DVLB.
func (p *program) parse(i int, name string, dvlb []byte) (err error) {
	p.name = name
	if p.file, err = shbin.Parse(dvlb); err != nil {
		return refuse(item("shaders", i, "dvlb"), "%v", err)
	}
	return nil
}

// defaultVersion is the version of the only known .csdr (GBATEK).
const defaultVersion = "0.7.0"

// defaultName names a shader without a name. GBATEK's lists of game contents show it.
const defaultName = "DefaultShader"

// named returns a program's name, invented if it has none, and the bytes of its DVLB.
func (p *program) named(i int, r *Report) (name string, dvlb wire.Hex, err error) {
	if name = p.name; name == "" {
		name = defaultName
		r.invented(item("shaders", i, "name"), quote(name), "the source does not name its program")
	}
	if dvlb, err = p.file.AppendBinary(nil); err != nil {
		return "", nil, unheld(err, func(path string) string { return path })
	}
	return name, dvlb, nil
}

func toCSDR(list []program, _ Options, r *Report) (Model, error) {
	f := &csdr.File{Version: defaultVersion}
	r.invented("version", quote(f.Version), "it is the only known version")
	for i := range list {
		name, dvlb, err := list[i].named(i, r)
		if err != nil {
			return nil, err
		}
		if !csdr.IsText(name) {
			return nil, &sourceError{refuse(item("shaders", i, "name"),
				"%s is not UTF-8 of characters that XML has, as a .csdr is", quote(name))}
		}
		f.Objects = append(f.Objects, csdr.Object{Name: name, DVLB: dvlb})
	}
	return f, nil
}

func toCGFX(list []program, _ Options, r *Report) (Model, error) {
	f := &cgfx.File{}
	for i := range list {
		name, dvlb, err := list[i].named(i, r)
		if err != nil {
			return nil, err
		}
		f.Objects = append(f.Objects, cgfx.Object{Name: wire.Text(name), DVLB: dvlb})
		r.invented(item("shaders", i, "programs"), "none",
			"the source does not say which entry points are used together")
	}
	return f, nil
}
