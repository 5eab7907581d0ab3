package latte

import (
	"fmt"
	"slices"
)

// Severity is the severity of a finding.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Warning
	Error
)

// Place says what the offset of a finding counts from.
type Place uint8

// The places. All but Code name a word of the GX2 structure.
const (
	Code          Place = iota // the first byte of the program
	Resources                  // SQ_PGM_RESOURCES of the program
	OutConfig                  // SPI_VS_OUT_CONFIG
	OutIDCount                 // num_spi_vs_out_id
	OutControl                 // PA_CL_VS_OUT_CNTL
	SemanticCount              // num_sq_vtx_semantic
	PixelExports               // SQ_PGM_EXPORTS_PS
	ColourMask                 // CB_SHADER_MASK
	DepthControl               // DB_SHADER_CONTROL
	SamplerCount               // the number of samplers
	LoopCount                  // the number of loop variables
	NumPlaces     = iota
)

// placeFields are the names of the words.
var placeFields = [NumPlaces]string{
	OutConfig: "SPI_VS_OUT_CONFIG", OutIDCount: "num_spi_vs_out_id", OutControl: "PA_CL_VS_OUT_CNTL",
	SemanticCount: "num_sq_vtx_semantic", PixelExports: "SQ_PGM_EXPORTS_PS", ColourMask: "CB_SHADER_MASK",
	DepthControl: "DB_SHADER_CONTROL", SamplerCount: "samplers.count", LoopCount: "loops.count",
}

var resourceFields = [...]string{
	Vertex: "SQ_PGM_RESOURCES_VS", Pixel: "SQ_PGM_RESOURCES_PS", Geometry: "SQ_PGM_RESOURCES_GS",
	Copy: "SQ_PGM_RESOURCES_VS",
}

// Field returns the name of the word in the structure of the program of a stage.
func (p Place) Field(s Stage) string {
	if p == Resources {
		return resourceFields[s]
	}
	return placeFields[p]
}

// A Finding is one breach of a rule.
type Finding struct {
	Rule     string
	Severity Severity
	Place    Place
	Off      int // in the program, in bytes; 0 at other places
	Len      int
	Message  string // the rule
	Found    string // what breaks it, if there is more to say
	More     int    // further findings of the rule, which were not kept; of the last one kept
}

// MaxFindings is the number of findings of one rule that [Check] keeps.
const MaxFindings = 100

// String returns "byte 264: LATTE039: ...".
func (f Finding) String() string {
	text := f.Rule + ": " + f.Message
	if f.Found != "" {
		text += " (" + f.Found + ")"
	}
	if f.Place != Code {
		return text
	}
	return fmt.Sprintf("byte %d: %s", f.Off, text)
}

// A DecodeError says why a program cannot be taken apart.
type DecodeError struct{ Finding }

func (e *DecodeError) Error() string { return e.Finding.String() }

// refuse returns the error of a rule that stops decoding; off counts bytes.
func refuse(rule string, off, n int, format string, args ...any) error {
	i := slices.IndexFunc(Rules, func(r Rule) bool { return r.ID == rule })
	return &DecodeError{Finding{Rule: rule, Severity: Error, Off: off, Len: n, Message: Rules[i].Title(),
		Found: fmt.Sprintf(format, args...)}}
}
