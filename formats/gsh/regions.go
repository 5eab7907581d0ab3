package gsh

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Regions returns the owner of every byte that AppendBinary writes, from the
// first byte to the last. It is nil for a file that AppendBinary refuses.
func (f *File) Regions() []diag.Region {
	if _, err := f.AppendBinary(nil); err != nil {
		return nil
	}
	return shell.Regions(f)
}

// regions returns the regions of any bytes: blocks as far as their sizes lead from
// one to the next.
func regions(b []byte, opts []Option) []diag.Region {
	r := newReader(b, diag.Collect(ruleSet), opts)
	r.walk()
	m := regionMap{Map: wire.Map{View: r.View}, reader: r, owners: make(map[int]string)}
	for i := range r.shaders {
		s := &r.shaders[i]
		m.owners[s.program], m.owners[s.copy] = prefix(i)+"code", prefix(i)+"copy_code"
	}
	delete(m.owners, 0) // of programs that are not there
	if m.Size() >= headerSize && string(b[:4]) == magic {
		m.Struct(headerRecord.Struct, diag.Path{Field: "header"})
	}
	shader := 0
	for i, p := range r.places {
		m.Struct(blockRecord.Struct, diag.Path{Table: "blocks", Index: i})
		if shader < len(r.shaders) && r.shaders[shader].header == i {
			m.header(shader)
			shader++
		} else {
			m.data(i)
		}
		m.rest(p.data()+p.size, fmt.Sprintf("blocks[%d].gap", i))
	}
	m.rest(m.Size(), "tail")
	return m.Map.Regions
}

// regionMap builds the regions of a file.
type regionMap struct {
	wire.Map
	reader *reader
	owners map[int]string // the paths of program blocks
}

// rest adds bytes up to an offset that nothing else has.
func (m *regionMap) rest(to uint64, path string) {
	if to > m.End {
		m.Add(to-m.End, diag.GapRegion, path)
	}
}

// data adds the data of a block without a structure.
func (m *regionMap) data(i int) {
	p := m.reader.places[i]
	data := m.Bytes(p.data(), p.size)
	path, kind := fmt.Sprintf("blocks[%d].data", i), diag.OpaqueRegion
	if m.reader.layout.Blocks[i].Type == Padding && !p.old {
		kind = diag.GapRegion
		if wire.Zero(data) {
			kind = diag.PaddingRegion
		}
	}
	if owner := m.owners[i]; owner != "" {
		path = owner
	}
	m.Add(p.size, kind, path)
}

// header adds the data of the header block of shader i: every field if the block is sound, else the fields with a fixed
// place.
func (m *regionMap) header(i int) {
	s := &m.reader.shaders[i]
	p := m.reader.places[s.header]
	if s.model < 0 {
		return
	}
	trailer := p.data() + p.size - trailerSize
	model := &m.reader.file.Shaders[s.model]
	if !s.sound {
		m.Map.Regions = s.kind.AppendFields(m.Map.Regions, m.B, binary.BigEndian, m.End, prefix(i))
		m.End += s.kind.Size()
		m.rest(trailer, prefix(i)+"gap")
	} else {
		m.Map.Regions = model.AppendRegions(m.Map.Regions, m.B, binary.BigEndian, m.End, prefix(i))
		m.End += uint64(model.Layout.Size)
		for k := range model.Slack.Patches {
			m.Struct(patchFields, diag.Path{Prefix: prefix(i), Table: "patches", Index: k})
		}
		m.gap(trailer, prefix(i)+"patch_gap")
	}
	m.Struct(trailerRecord.Struct, diag.Path{Prefix: prefix(i), Field: "trailer"})
}

// gap adds the bytes up to an offset as padding if they are zero.
func (m *regionMap) gap(to uint64, path string) {
	if n := to - m.End; wire.Zero(m.Bytes(m.End, n)) {
		m.Add(n, diag.PaddingRegion, path)
	} else {
		m.Add(n, diag.GapRegion, path)
	}
}

// patchFields is a word of a patch list.
var patchFields = diag.Struct{{Size: 4, Show: wire.ShowHex}}
