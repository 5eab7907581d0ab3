package reflection

import "github.com/picaproof/picaproof/formats/wire"

// Table is the interface of a file.
type Table struct {
	Shaders []Shader `json:"shaders"`
	Links   []Link   `json:"links,omitempty"`
	Unread  []Unread `json:"unread_outputs,omitempty"`
}

// Shader is the interface of a shader.
type Shader struct {
	Path     string    `json:"path"` // "dvle[1]", as in dump
	Stage    string    `json:"stage"`
	Name     wire.Text `json:"name,omitempty"`
	Entry    *int      `json:"entry,omitempty"`    // index of a code word
	Mode     string    `json:"mode,omitempty"`     // how a GX2 shader gets its uniforms
	Geometry string    `json:"geometry,omitempty"` // the parameters of a geometry shader
	GX2      *GX2      `json:"gx2,omitempty"`
	// Work group size of compute code.
	WorkGroup *[3]uint32 `json:"work_group,omitempty"`
	Inputs    []Variable `json:"inputs,omitempty"`
	Outputs   []Variable `json:"outputs,omitempty"`
	Uniforms  []Variable `json:"uniforms,omitempty"`
	Blocks    []Variable `json:"blocks,omitempty"`
	Samplers  []Variable `json:"samplers,omitempty"`
	Buffers   []Variable `json:"buffers,omitempty"` // unordered access buffers
	Images    []Variable `json:"images,omitempty"`
	Textures  []Variable `json:"textures,omitempty"` // apart from samplers
	Constants []Constant `json:"constants,omitempty"`
	Unknown   []string   `json:"unknown,omitempty"` // what the format does not record
}

// GX2 has the words of the structure of a GX2 shader that describe its program.
type GX2 struct {
	CodeBytes *int `json:"code_bytes,omitempty"` // nil if the code is in another file
	NumGPRs   int  `json:"num_gprs"`
	StackSize int  `json:"stack_size"`
}

// Variable is a row of the table. Fields that the format does not record are empty.
type Variable struct {
	Name     wire.Text `json:"name,omitempty"`
	Type     string    `json:"type,omitempty"`
	Register string    `json:"register,omitempty"` // "c4", "c4-c7", "o0.xyz", "PARAM0"
	Semantic string    `json:"semantic,omitempty"`
	Location *int64    `json:"location,omitempty"` // also the slot of a BNSH
	Block    wire.Text `json:"block,omitempty"`
	Offset   *uint64   `json:"offset,omitempty"` // in bytes
	Size     *uint64   `json:"size,omitempty"`   // in bytes
	Count    uint32    `json:"count,omitempty"`
	// Default is the value of an input that no output feeds.
	Default string `json:"default,omitempty"`
	// GPR and Interpolation describe an input of a GX2 pixel shader.
	GPR           string `json:"gpr,omitempty"`
	Interpolation string `json:"interpolation,omitempty"`
}

// Constant is the value that a uniform register has at first.
type Constant struct {
	Register string `json:"register"`
	Value    string `json:"value"`
}

// Link says which output feeds an input. From is empty if no output does; the input has its Default then.
type Link struct {
	Input    string `json:"input"`          // "shaders[1].SPI_PS_INPUT_CNTL_0"
	From     string `json:"from,omitempty"` // "shaders[0].PARAM3"
	Semantic string `json:"semantic"`
	Default  string `json:"default"`
}

// Unread is an output that no input of a pixel shader reads.
type Unread struct {
	Output string `json:"output"` // "shaders[0].PARAM3"
	Pixel  string `json:"pixel"`  // "shaders[1]"
}

func ptr[T any](v T) *T { return &v }

// Of returns the interface table of a *File of any format package; ok is false for another value.
func Of(model any) (t Table, ok bool) {
	for _, of := range formats {
		if t, ok := of(model); ok {
			if t.Shaders == nil {
				t.Shaders = []Shader{}
			}
			return t, true
		}
	}
	return Table{}, false
}

// formats has a function for each format.
var formats = []func(model any) (Table, bool){
	row(ofSHBIN), row(ofDVOJ), row(ofCSDR), row(ofCGFX), row(ofZPSH), row(ofGSH), row(ofSHARCFB), row(ofBNSH),
}

func row[F any](of func(f F) Table) func(model any) (Table, bool) {
	return func(model any) (Table, bool) {
		f, ok := model.(F)
		if !ok {
			return Table{}, false
		}
		return of(f), true
	}
}
