package bnsh_test

import (
	"encoding/binary"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/bnsh"
)

// TestCut: the bytes of each form, and why there are none.
func TestCut(t *testing.T) {
	parsed, err := bnsh.Parse(samples.Read(t, "wild/three.bnsh"))
	if err != nil {
		t.Fatal(err)
	}
	set := func(b []byte, off int, word uint32) { binary.LittleEndian.PutUint32(b[off:], word) }
	for _, c := range []struct {
		name       string
		change     func(c *bnsh.StageCode, control, code []byte)
		form       bnsh.Form
		start, end int
		refused    string
	}{
		{name: "blob", form: bnsh.BlobForm, end: 256},
		{name: "full", form: bnsh.FullForm, start: 0x30, end: 0xC0},
		{name: "code", form: bnsh.CodeForm, start: 0x80, end: 0xC0},
		{name: "compute", form: bnsh.CodeForm, start: 0x100, end: 0x100,
			change: func(c *bnsh.StageCode, control, code []byte) {
				c.Stage = bnsh.Compute
				set(code, 0, 0x12345679)
				set(control, 0x708, 0x100)
				set(control, 0x6F8, 0)
			}},
		{name: "blob of any control", form: bnsh.BlobForm, end: 256,
			change: func(_ *bnsh.StageCode, control, _ []byte) { set(control, 8, 17) }},
		{name: "another version", form: bnsh.CodeForm,
			change:  func(_ *bnsh.StageCode, control, _ []byte) { set(control, 8, 17) },
			refused: "bnsh: variation 0, pixel: form code: the control is not a control of version 1.16"},
		{name: "magic", form: bnsh.FullForm, change: func(_ *bnsh.StageCode, _, code []byte) { set(code, 0, 0x12345679) },
			refused: "bnsh: variation 0, pixel: form full: the code does not begin with 0x12345678"},
		{name: "start", form: bnsh.FullForm, change: func(_ *bnsh.StageCode, control, _ []byte) { set(control, 0x708, 0x31) },
			refused: "bnsh: variation 0, pixel: form full: the program starts at 0x31, expected 0x30"},
		{name: "longest", form: bnsh.CodeForm, start: 0x80, end: 0x100,
			change: func(_ *bnsh.StageCode, control, _ []byte) { set(control, 0x6F8, 0xD0) }},
		{name: "too long", form: bnsh.CodeForm,
			change:  func(_ *bnsh.StageCode, control, _ []byte) { set(control, 0x6F8, 0xD1) },
			refused: "bnsh: variation 0, pixel: form code: the program ends at 0x101, expected 0x80 to 0x100"},
		{name: "overflow", form: bnsh.CodeForm,
			change:  func(_ *bnsh.StageCode, control, _ []byte) { set(control, 0x6F8, 0xFFFFFFFF) },
			refused: "bnsh: variation 0, pixel: form code: the program ends at 0x10000002f, expected 0x80 to 0x100"},
		{name: "too short", form: bnsh.CodeForm,
			change:  func(_ *bnsh.StageCode, control, _ []byte) { set(control, 0x6F8, 0x4F) },
			refused: "bnsh: variation 0, pixel: form code: the program ends at 0x7f, expected 0x80 to 0x100"},
		{name: "source", form: bnsh.CodeForm, change: func(c *bnsh.StageCode, _, _ []byte) {
			c.Program = &bnsh.Program{CodeType: bnsh.SourceCode}
		}, refused: "bnsh: variation 0, pixel: form code: the code is source, not plain binary"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := parsed.Stage(0, bnsh.Pixel)
			if err != nil {
				t.Fatal(err)
			}
			code := *found.Code
			code.Control, code.Code = append([]byte{}, code.Control...), append([]byte{}, code.Code...)
			found.Code = &code
			if c.change != nil {
				c.change(&found, code.Control, code.Code)
			}
			start, end, err := found.Cut(c.form)
			message := ""
			if err != nil {
				message = err.Error()
			}
			if start != c.start || end != c.end || message != c.refused {
				t.Errorf("got %#x, %#x, %q, want %#x, %#x, %q", start, end, message, c.start, c.end, c.refused)
			}
		})
	}
}

// TestForms: names and values are one to one.
func TestForms(t *testing.T) {
	for want := range bnsh.CodeForm + 1 {
		var got bnsh.Form
		if err := got.UnmarshalText([]byte(want.String())); err != nil || got != want {
			t.Errorf("%v: got %v, %v", want, got, err)
		}
	}
	var f bnsh.Form
	err := f.UnmarshalText([]byte("sass"))
	if err == nil || err.Error() != `bnsh: no form "sass"; there are blob, full and code` {
		t.Errorf("got %v", err)
	}
	if got := bnsh.Form(9).String(); got != "form 9" {
		t.Errorf("got %q", got)
	}
}

// TestRemark: a program header of another stage is told, wherever its place is known.
func TestRemark(t *testing.T) {
	parsed, err := bnsh.Parse(samples.Read(t, "wild/three.bnsh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stage bnsh.Stage
		word  uint32 // SphType, ShaderType << 10
		want  string
	}{
		{bnsh.Vertex, 1 | 1<<10, ""},
		{bnsh.Pixel, 2 | 5<<10, ""},
		{bnsh.Geometry, 1 | 4<<10, ""},
		{bnsh.Hull, 1 | 2<<10, ""},
		{bnsh.Hull, 1 | 3<<10, ""},
		{bnsh.Domain, 1 | 2<<10, ""},
		{bnsh.Domain, 1 | 4<<10, "the program header has SphType 1, ShaderType 4 (geometry), expected SphType 1 of a " +
			"tessellation program"},
		{bnsh.Pixel, 1 | 5<<10, "the program header has SphType 1, ShaderType 5 (pixel), expected SphType 2 of a " +
			"pixel program"},
		{bnsh.Vertex, 1, "the program header has SphType 1, ShaderType 0 (unknown), expected SphType 1 of a vertex program"},
		{bnsh.Vertex, 1 | 15<<10, "the program header has SphType 1, ShaderType 15 (unknown), expected SphType 1 of a " +
			"vertex program"},
		{bnsh.Compute, 0, ""},
	} {
		found, err := parsed.Stage(0, bnsh.Vertex)
		if err != nil {
			t.Fatal(err)
		}
		code := *found.Code
		code.Code = append([]byte{}, code.Code...)
		found.Code, found.Stage = &code, c.stage
		binary.LittleEndian.PutUint32(code.Code[0x30:], 3<<5|c.word)
		if got := found.Remark(); got != c.want {
			t.Errorf("%v, %#x: got %q, want %q", c.stage, c.word, got, c.want)
		}
		code.Control = nil // nothing says where the header is
		if got := found.Remark(); got != "" {
			t.Errorf("%v, %#x without control: got %q", c.stage, c.word, got)
		}
	}
}
