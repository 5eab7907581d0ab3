package bnsh

import "fmt"

// Form is which bytes of plain binary code are wanted.
type Form uint8

// BlobForm is all bytes of the code. FullForm is the program with its header (SPH), which compute
// code lacks. CodeForm is the instructions alone.
const (
	BlobForm Form = iota
	FullForm
	CodeForm
	numForms
)

var formNames = [numForms]string{BlobForm: "blob", FullForm: "full", CodeForm: "code"}

// String returns "blob", "full" or "code".
func (f Form) String() string {
	if f >= numForms {
		return fmt.Sprintf("form %d", uint8(f))
	}
	return formNames[f]
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *Form) UnmarshalText(b []byte) error {
	for i, name := range formNames {
		if name == string(b) {
			*f = Form(i)
			return nil
		}
	}
	return fmt.Errorf("bnsh: no form %q; there are blob, full and code", b)
}

// programHeaderSize is the size of the program header (SPH) of graphics code.
const programHeaderSize = 0x50

// Cut returns the range of the code that a form asks for. The control says where a program begins
// and ends. The error says why full and code are not known: the program is no plain binary code, the
// control is not of version 1.16, or control and code contradict each other.
func (c StageCode) Cut(form Form) (start, end int, err error) {
	if form == BlobForm {
		return 0, int(c.Code.Size()), nil
	}
	code, control := c.Code.Code, c.Code.Control
	refuse := func(why string, args ...any) (int, int, error) {
		return 0, 0, fmt.Errorf("bnsh: variation %d, %v: form %v: %s", c.Variation, c.Stage, form,
			fmt.Sprintf(why, args...))
	}
	if c.Program.form() != binaryForm {
		return refuse("the code is %v, not plain binary", c.Program.CodeType)
	}
	if !knownControl(control) {
		return refuse("the control is not a control of version 1.16")
	}
	first, magic := firstWords(c.Stage)
	if len(code) < 4 || le.Uint32(code) != magic {
		return refuse("the code does not begin with 0x%08x", magic)
	}
	if at := le.Uint32(control[programStartAt:]); at != first {
		return refuse("the program starts at 0x%x, expected 0x%x", at, first)
	}
	begin := uint64(first)
	stop := begin + uint64(le.Uint32(control[programSizeAt:]))
	if form == CodeForm && c.Stage != Compute {
		begin += programHeaderSize
	}
	if stop < begin || stop > uint64(len(code)) {
		return refuse("the program ends at 0x%x, expected 0x%x to 0x%x", stop, begin, len(code))
	}
	return int(begin), int(stop), nil
}

// shaderTypes are the stages by the value of ShaderType in a program header. Which of the two values for tessellation
// means hull and which domain is unknown.
var shaderTypes = [...]string{1: "vertex", 2: "tessellation", 3: "tessellation", 4: "geometry", 5: "pixel"}

// The values of SphType in a program header.
const (
	otherHeader = 1
	pixelHeader = 2
)

// Remark says that the program header names another stage, and "" if it does not or if its place is unknown.
func (c StageCode) Remark() string {
	start, end, err := c.Cut(FullForm)
	if err != nil || c.Stage == Compute || end-start < programHeaderSize {
		return ""
	}
	stage, header := c.Stage.String(), uint32(otherHeader)
	switch c.Stage {
	case Hull, Domain:
		stage = "tessellation"
	case Pixel:
		header = pixelHeader
	}
	word := le.Uint32(c.Code.Code[start:])
	kind, shader := word&0x1F, word>>10&0xF
	name := "unknown"
	if int(shader) < len(shaderTypes) && shaderTypes[shader] != "" {
		name = shaderTypes[shader]
	}
	if kind == header && name == stage {
		return ""
	}
	return fmt.Sprintf("the program header has SphType %d, ShaderType %d (%s), expected SphType %d of a %s program",
		kind, shader, name, header, stage)
}

// firstWords returns where the program starts in plain binary code of a stage, and the code's first
// word.
func firstWords(s Stage) (start, magic uint32) {
	if s == Compute {
		return computeStart, computeCode
	}
	return graphicsStart, graphicsCode
}
