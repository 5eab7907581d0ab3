package convert

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// Reasons why a field of a container of GX2 shaders is lost.
const (
	onlyArchive = "only an archive has it"
	onlyGSH     = "only a .gsh has it"
	ofNothing   = "it belongs to nothing"
	placedAnew  = "the target is laid out anew"
)

// model is a pointer to the *File of a container.
type model[F any] interface {
	*F
	Model
	UnmarshalBinary(b []byte) error
	Canonical() *F
}

// laid writes a model, reads the bytes back and returns the model with the layout of
// the written file.
func laid[F any, M model[F]](f M) (*F, error) {
	b, err := f.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	g := new(F)
	return g, M(g).UnmarshalBinary(b)
}

// lostArchive reports the fields of an archive and of the chosen program that a
// GSH lacks. chosen lists the binaries of the program's shaders.
func lostArchive(f *sharcfb.File, program, variation int, chosen []int, r *Report) error {
	lost := reasons{"": onlyArchive}
	r.droppedFields("", *f, sharcfb.File{Endian: f.Endian}, lost)
	if f.Endian == sharcfb.Little {
		r.dropped("endian", f.Endian.String(), "a .gsh is big endian")
	}
	p := &f.Programs[program]
	path := func(field string) string { return item("programs", program, field) }
	r.dropped(path("name"), quote(string(p.Name)), onlyArchive)
	r.droppedFields(path(""), *p, sharcfb.Program{Name: p.Name, Kind: p.Kind, BaseIndex: p.BaseIndex}, lost)
	for _, list := range []struct {
		name string
		n    int
		what string
	}{
		{"macros", len(p.Macros), "macro"}, {"defaults", len(p.Defaults), "default value"},
		{"uniforms", len(p.Uniforms), "symbol"}, {"blocks", len(p.Blocks), "symbol"},
		{"samplers", len(p.Samplers), "symbol"}, {"attributes", len(p.Attributes), "symbol"},
	} {
		if list.n > 0 {
			r.dropped(path(list.name), count(list.n, list.what), onlyArchive)
		}
	}
	if n := p.Variations(); n > 1 {
		r.dropped(path("variations"), count(n-1, "variation"), "variation "+strconv.Itoa(variation)+" was chosen")
	}
	if n := len(f.Programs); n > 1 {
		r.dropped("programs", count(n-1, "program"), "another program was chosen")
	}
	if n := len(f.Binaries) - len(chosen); n > 0 {
		r.dropped("binaries", count(n, "shader"), "the variation that was chosen does not use them")
	}
	read, err := laid(f)
	if err != nil {
		return err
	}
	canonical, err := laid(f.Canonical())
	if err != nil {
		return err
	}
	for _, i := range chosen {
		b := &read.Binaries[i]
		path := item("binaries", i, "")
		if f.Endian == sharcfb.Little {
			lostOrder(path+".", b.Loops, r)
		}
		r.droppedFields(path, *b, sharcfb.Binary{Shader: b.Shader}, lost)
		if s := b.Slack; s != nil {
			r.dropped(path+".slack", count(len(s.Gap)+len(s.Tail), "byte"), ofNothing)
		}
		lostPlaces(path+".", b.Layout, canonical.Binaries[i].Layout, r)
	}
	return nil
}

// lostOrder reports the loop variables that read differently in the other byte order.
func lostOrder(prefix string, loops []gx2.LoopVar, r *Report) {
	for i, v := range loops {
		turned := gx2.LoopVar{v[3], v[2], v[1], v[0], v[7], v[6], v[5], v[4]}
		if turned != v {
			text, _ := v.MarshalText()
			r.changed(item(prefix+"loops", i, ""), string(text), "the same bytes in big-endian order",
				"the byte order of a little-endian archive is not known")
		}
	}
}

// lostPlaces reports the bytes of a shader that belong to nothing, and whether places
// differ from the canonical ones.
func lostPlaces(prefix string, l, canonical *gx2.Layout, r *Report) {
	if l.Equal(canonical) {
		return
	}
	for _, g := range l.Gaps {
		r.dropped(prefix+"layout.gaps", fmt.Sprintf("%s at 0x%x", count(len(g.Bytes), "byte"), g.Offset), ofNothing)
	}
	r.dropped(prefix+"layout", "places of tables, names and code", placedAnew)
}

// lostContainer reports the fields of a GSH that an archive lacks, and the fields that
// change when the archive is converted back into a GSH.
func lostContainer(f *gsh.File, groups []gsh.Group, r *Report) error {
	lost := reasons{"": onlyGSH}
	r.droppedFields("", *f, gsh.File{Align: f.Align, Style: f.Style}, lost)
	if f.Align != 0 {
		r.dropped("align", strconv.FormatUint(uint64(f.Align), 10), onlyGSH)
	}
	if f.Style != archiveStyle {
		r.dropped("style", f.Style.String(), "an archive has no patch lists")
	}
	if n := len(f.Opaque); n > 0 {
		r.dropped("opaque", count(n, "block"), onlyGSH)
	}
	var order []int
	for _, group := range groups {
		for _, i := range group {
			if i != gsh.NoShader {
				order = append(order, i)
			}
		}
	}
	if !slices.IsSorted(order) {
		r.dropped("shaders", "order of "+count(len(order), "shader"), "a program has its shaders together, by stage")
	}
	read, err := laid(f)
	if err != nil {
		return err
	}
	lostHeaders(read.Layout, r)
	shaders := read.Canonical()
	shaders.Style, shaders.Opaque = f.Style, nil
	canonical, err := laid(shaders)
	switch {
	case errors.Is(err, diag.ErrLimit): // of names that share bytes
		r.dropped("layout", "places of everything", placedAnew)
		return nil
	case err != nil:
		return err
	}
	lostBlocks(read.Layout.Blocks, canonical.Layout.Blocks, r)
	for i := range read.Shaders {
		s, path := &read.Shaders[i], item("shaders", i, "")
		r.droppedFields(path, *s, gsh.Shader{Shader: s.Shader}, lost)
		lostSlack(path+".", s, &canonical.Shaders[i], r)
	}
	return nil
}

// lostHeaders reports losses in the header of the file, in the headers of blocks and
// between blocks.
func lostHeaders(l *gsh.Layout, r *Report) {
	lost := reasons{"": onlyGSH}
	r.droppedFields("layout", *l, gsh.Layout{}, lost)
	for i, b := range l.Blocks {
		r.droppedFields(item("layout.blocks", i, ""), b,
			gsh.Block{Minor: b.Minor, Type: b.Type, ID: b.ID, Index: b.Index}, lost)
		if b.Minor != 0 {
			r.dropped(item("layout.blocks", i, "minor_version"), strconv.FormatUint(uint64(b.Minor), 10), onlyGSH)
		}
		if !wire.Zero(b.Padding) {
			r.dropped(item("layout.blocks", i, "padding"), count(len(b.Padding), "byte"), ofNothing)
		}
	}
	if n := len(l.Tail); n > 0 {
		r.dropped("layout.tail", count(n, "byte"), ofNothing)
	}
}

// lostBlocks reports the first id, the first index and the places of blocks
// that differ from the canonical form.
func lostBlocks(list, canonical []gsh.Block, r *Report) {
	first := func(field string, value func(b gsh.Block) uint32) {
		for i := range min(len(list), len(canonical)) {
			if n := value(list[i]); n != value(canonical[i]) {
				r.dropped(item("layout.blocks", i, field), strconv.FormatUint(uint64(n), 10), placedAnew)
				return
			}
		}
	}
	first("id", func(b gsh.Block) uint32 { return b.ID })
	first("index", func(b gsh.Block) uint32 { return b.Index })
	if !slices.EqualFunc(list, canonical,
		func(a, b gsh.Block) bool { return a.Type == b.Type && len(a.Padding) == len(b.Padding) }) {
		r.dropped("layout.blocks", "order and padding of "+count(len(list), "block"), placedAnew)
	}
}

// lostSlack reports losses in the header block of a shader.
func lostSlack(prefix string, s, canonical *gsh.Shader, r *Report) {
	h, other := s.Slack, canonical.Slack
	r.droppedFields(prefix+"slack", *h, gsh.Slack{TextOffset: h.TextOffset}, reasons{"": onlyGSH})
	if h.TextOffset != other.TextOffset {
		r.dropped(prefix+"slack.text_offset", fmt.Sprintf("0x%x", h.TextOffset), placedAnew)
	}
	if !slices.Equal(h.Patches, other.Patches) {
		r.dropped(prefix+"slack.patches", count(len(h.Patches), "word"), "an archive has no patch lists")
	}
	if !bytes.Equal(h.Gap, other.Gap) {
		r.dropped(prefix+"slack.gap", count(len(h.Gap), "byte"), ofNothing)
	}
	lostPlaces(prefix, s.Layout, canonical.Layout, r)
}
