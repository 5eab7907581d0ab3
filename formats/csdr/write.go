package csdr

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// AppendBinary appends the text to b: what it was parsed from, with the Base64
// of changed DVLBs replaced, or the canonical form when there is no text.
//
// The error wraps diag.ErrLayout when the model differs from its text in more
// than DVLBs and the text is not canonical; what else is in it would have to be
// dropped. It wraps diag.ErrInvalid when no text stands for the model, and is a
// *diag.InvalidError when Parse would refuse the text. b is then returned
// unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) {
	if f.Layout == nil {
		return shell.AppendBinary(f, b)
	}
	read, err := shell.Read([]byte(f.Layout.Text))
	switch {
	case err != nil:
		return b, err
	case read.Equal(f):
		return append(b, f.Layout.Text...), nil
	}
	return shell.AppendBinary(f, b)
}

// moved is for a model that differs from its text in more than DVLBs: the
// canonical form, if that loses nothing else of the text.
func moved(s *wire.Shell[File, Option], f *File) (*File, error) {
	if f.Layout == nil {
		return nil, fmt.Errorf("csdr: %w: a raw element is not one element", diag.ErrInvalid)
	}
	read, err := s.Read([]byte(f.Layout.Text))
	if err == nil && string(read.appendCanonical(nil)) == f.Layout.Text {
		return f.Canonical(), nil
	}
	return nil, fmt.Errorf("csdr: the edit would drop what else is in the text: %w", diag.ErrLayout)
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// text. It serves to build malformed files. Of a text that Parse accepts only
// the Base64 of changed DVLBs is written anew, of another one nothing. The
// error is always nil.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	if f.Layout == nil {
		return f.appendCanonical(b), nil
	}
	base := newReader(f.Layout.Text, diag.Strict(ruleSet))
	if base.walk(); base.Failed() {
		return append(b, f.Layout.Text...), nil
	}
	return f.splice(b, base), nil
}

// splice appends the text of base with the Base64 of the DVLBs that differ.
func (f *File) splice(b []byte, base *reader) []byte {
	text, end := f.Layout.Text, 0
	for i := range min(len(f.Objects), len(base.contents)) {
		if bytes.Equal(f.Objects[i].DVLB, base.file.Objects[i].DVLB) {
			continue
		}
		b = append(b, text[end:base.contents[i].start]...)
		b = base64.StdEncoding.AppendEncode(b, f.Objects[i].DVLB)
		end = base.contents[i].end
	}
	return append(b, text[end:]...)
}

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// Regions returns the owner of every byte that AppendUnchecked writes, from the
// first to the last: tags, texts, comments; opaque and unknown elements as a
// whole, and of Base64 the fields of the DVLB that it encodes.
func (f *File) Regions() []diag.Region { return shell.Regions(f) }

// The canonical form.
const (
	head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<NintendoWareIntermediateFile>\r\n"
	tail = "</NintendoWareIntermediateFile>\r\n"
)

func (f *File) appendCanonical(b []byte) []byte {
	line := func(indent string, parts ...string) {
		b = append(b, indent...)
		for _, p := range parts {
			b = append(b, p...)
		}
		b = append(b, "\r\n"...)
	}
	raw := func(indent, element string) {
		if element != "" {
			line(indent, element)
		}
	}
	b = append(b, head...)
	line("\t", `<GraphicsContentCtr Namespace="" Version="`, escapes.Replace(f.Version), `">`)
	raw("\t\t", f.EditData)
	line("\t\t", "<Shaders>")
	for i := range f.Objects {
		o := &f.Objects[i]
		line("\t\t\t", `<ShaderCtr Name="`, escapes.Replace(o.Name), `">`)
		raw("\t\t\t\t", o.EditData)
		b = append(b, "\t\t\t\t<BinaryData>"...)
		b = base64.StdEncoding.AppendEncode(b, o.DVLB)
		b = append(b, "</BinaryData>\r\n"...)
		raw("\t\t\t\t", o.ShaderKinds)
		raw("\t\t\t\t", o.Descriptions)
		line("\t\t\t", "</ShaderCtr>")
	}
	line("\t\t", "</Shaders>")
	line("\t", "</GraphicsContentCtr>")
	return append(b, tail...)
}
