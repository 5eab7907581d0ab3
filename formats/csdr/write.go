package csdr

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/picaproof/picaproof/formats/diag"
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
		out := f.appendCanonical(b)
		g, err := read(out[len(b):])
		switch {
		case err != nil:
			return b, err
		case !g.Equal(f):
			return b, fmt.Errorf("csdr: %w: a raw element is not one element", diag.ErrInvalid)
		}
		return out, nil
	}
	base := newReader(f.Layout.Text, diag.Strict(ruleSet))
	if base.walk(); base.Failed() {
		return b, &diag.InvalidError{Format: "csdr", Findings: Check([]byte(f.Layout.Text))}
	}
	if base.file.Equal(f) {
		return append(b, f.Layout.Text...), nil
	}
	out := f.splice(b, base)
	g, err := read(out[len(b):])
	switch {
	case err != nil:
		return b, err
	case g.Equal(f):
		return out, nil
	case string(base.file.appendCanonical(nil)) == f.Layout.Text:
		return f.Canonical().AppendBinary(b)
	}
	return b, fmt.Errorf("csdr: the edit would drop what else is in the text: %w", diag.ErrLayout)
}

// read parses what was written.
func read(b []byte) (*File, error) {
	r := newReader(string(b), diag.Strict(ruleSet))
	if r.walk(); r.Failed() {
		return nil, &diag.InvalidError{Format: "csdr", Findings: Check(b)}
	}
	return r.file, nil
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// text. It serves to build malformed files. Of a text that Parse accepts only
// the Base64 of changed DVLBs is written anew, of another one nothing. The error
// is always nil.
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
func Write(w io.Writer, f *File) error {
	b, err := f.AppendBinary(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

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
