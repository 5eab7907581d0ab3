package engine

import (
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica/show"
)

// ProfilesResult lists profiles and knobs.
type ProfilesResult struct {
	Profiles []Profile `json:"profiles"`
	Knobs    []Knob    `json:"knobs"`
}

// Profile is a named profile.
type Profile struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// Knob is a question that implementations answer differently.
type Knob struct {
	Name   string  `json:"name"`
	About  string  `json:"about"`
	Open   string  `json:"open,omitempty"` // open questions about the console
	Values []Value `json:"values"`
}

// Value is an answer.
type Value struct {
	Name  string `json:"name"`
	Class string `json:"class"` // "console", "documented", "implementation" or "guess"
	About string `json:"about"`
}

// Setting is one value in a profile with its evidence.
type Setting = profile.Setting

// SettingsParams have the text of a profile: "hw,round=rne".
type SettingsParams struct {
	Profile string `json:"profile"`
}

// SettingsResult explains a profile.
type SettingsResult struct {
	Profile  string    `json:"profile"`
	Settings []Setting `json:"settings"`
}

// ProgramParams name a program of a file.
type ProgramParams struct {
	File    int `json:"file"`
	Program int `json:"program"`
}

// RegistersResult lists the registers that a run may be given.
type RegistersResult struct {
	Inputs   []Register `json:"inputs"`
	Uniforms []Register `json:"uniforms"`
}

// Register is an input or a uniform that the program names, reads or has a constant for.
type Register struct {
	Register string `json:"register"`       // "c4"
	Name     string `json:"name,omitempty"` // "projection"
	// Read says that an instruction of the program names the register.
	Read bool `json:"read"`
	// Value is the constant of the file, in the form of [Assignment]; empty if it has none.
	Value string `json:"value,omitempty"`
}

// RunParams describe a run.
type RunParams struct {
	File    int    `json:"file"`
	Program int    `json:"program"`
	Entry   string `json:"entry,omitempty"`   // a label or @word; the entry of the program if empty
	Profile string `json:"profile,omitempty"` // with knobs: "hw,round=rne"; f24 if empty
	// Inputs and Uniforms are set in their order, after the constants of the file.
	Inputs   []Assignment `json:"inputs,omitempty"`
	Uniforms []Assignment `json:"uniforms,omitempty"`
	Limit    int          `json:"limit,omitempty"` // instructions, at most a million
}

// Assignment gives a register a value: "1,2,3" (missing components are 0, 0, 0, 1), "raw:3f0000,0,0,3f0000" with the
// bits of float24, "3,0,1,0" for an integer register, "true" for a boolean.
type Assignment struct {
	Register string `json:"register"` // or a name of the symbol table
	Value    string `json:"value"`
}

// RunResult is the end of a run.
type RunResult struct {
	Run   int `json:"run"`
	Steps int `json:"steps"` // instructions in the trace
	// Outcome is the outcome as run --format json prints it, without primitives.
	Outcome    show.Run `json:"outcome"`
	Primitives int      `json:"primitives"`
}

// RunWindow selects a part of a run.
type RunWindow struct {
	Run int `json:"run"`
	Window
}

// PrimitivesResult lists triangles.
type PrimitivesResult struct {
	Primitives []show.Primitive `json:"primitives"`
	Next
}

// TraceResult lists steps.
type TraceResult struct {
	Steps []Step `json:"steps"`
	Next
}

// Step is a line of run --trace --format json with the registers that it changed.
type Step struct {
	show.Step
	Changed []Change `json:"changed"`
}

// Change is a register with another value than before.
type Change struct {
	Register string      `json:"register"` // "r3"
	Before   show.Vector `json:"before"`
	After    show.Vector `json:"after"`
}

// StateParams name a step of a run. The number of steps stands for the end.
type StateParams struct {
	Run  int `json:"run"`
	Step int `json:"step"`
}

// StateResult is the state before a step.
type StateResult struct {
	Step  int        `json:"step"`
	State show.State `json:"state"`            // registers of zeros are left out
	Trap  *show.Trap `json:"trap,omitempty"`   // at the end of a run that trapped
	Scope string     `json:"scopes,omitempty"` // open scopes of implementations that do not have the console's stacks
	// Uniforms are the float uniforms that the run may read, in the format of registers; those of zeros are left out.
	Uniforms map[string]show.Vector `json:"uniforms"`
	Inputs   map[string]show.Vector `json:"inputs"`
	Ints     [4][4]int              `json:"ints"`
	Bools    int                    `json:"bools"` // bit n is bn
}

// SeekParams describe a search for a step.
type SeekParams struct {
	Run   int   `json:"run"`
	From  int   `json:"from"`           // the search leaves out this step
	Back  bool  `json:"back,omitempty"` // toward the first step
	Words []int `json:"words"`
}

// SeekResult is a step, or -1.
type SeekResult struct {
	Step int `json:"step"`
}

// AncestryParams name a component of an output.
type AncestryParams struct {
	Run       int    `json:"run"`
	Component string `json:"component"` // "o0.x", or "position.x"
	Window           // of Steps
}

// AncestryResult is what fed a component.
type AncestryResult struct {
	Component string   `json:"component"` // "o0.x"
	Inputs    []Source `json:"inputs"`
	Uniforms  []Source `json:"uniforms"`
	Constants []Source `json:"constants"` // uniforms that the file gives
	Initial   []string `json:"initial"`   // state from before the run: "r3.xy", "aL"
	// Words has how often each word fed the component, as pairs of a word and a number.
	Words [][2]int `json:"words"`
	Steps []int    `json:"steps"`
	Next
}

// Source is an input or uniform with the components that count.
type Source struct {
	Name       string `json:"name,omitempty"`
	Register   string `json:"register"`
	Components string `json:"components,omitempty"`
	NotGiven   bool   `json:"not_given,omitempty"` // a uniform was never set, or an input has no value
}

// PartParams name two runs of one program.
type PartParams struct {
	A int `json:"a"`
	B int `json:"b"`
}

// PartResult is the first step at which two runs part.
type PartResult struct {
	Parted bool       `json:"parted"`
	Step   int        `json:"step"` // -1 if they do not part
	A      *show.Step `json:"left,omitempty"`
	B      *show.Step `json:"right,omitempty"`
}
