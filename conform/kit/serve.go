package kit

import (
	"io"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// Core is a shader core written in Go.
type Core struct {
	Name        string
	Profile     string   // the profile of picaproof that it follows, if any
	Unsupported []string // mnemonics
	Geometry    bool     // it has a geometry stage
	// SetsB15 says that the core sets b15 after each run of a geometry program, so that the next
	// vertex finds it. Without it nobody asks.
	SetsB15 bool
	// Run runs a program for one vertex. It changes only v, and keeps neither argument. An error
	// ends the request: a *adapter.RefusalError names the kind, any other error counts as an
	// exception. A panic ends the process, and picaproof starts it again.
	Run func(job *pica.Job, v *Vertex) error
}

// Vertex is the input of one vertex and the registers, as float32 patterns. Before Run the
// registers are zero, or have the values of the vertex before if the job keeps them. Run stores
// their final values.
type Vertex struct {
	Index int  // number of the vertex; the program is new if it is 0
	Fresh bool // a geometry core clears its emitter: slot, flags, stored vertices
	In    [pica.NumInputs]pica.Vec4

	O          [pica.NumOutputs]pica.Vec4
	R          [pica.NumTemporaries]pica.Vec4
	Address    [2]int32 // a0.x, a0.y
	AL         int32
	CC         [2]bool
	Primitives []pica.Primitive // emitted by this vertex
}

// Uniform is a float uniform as it was uploaded.
type Uniform struct {
	Format pica.NumberFormat
	Value  pica.Vec4
}

// Uniforms returns the float uniforms of a job. Uniforms without an upload are +0.
func Uniforms(job *pica.Job) (c [pica.NumFloats]Uniform) {
	for k := range c {
		c[k].Format = pica.Float32
	}
	for _, u := range job.Floats {
		for k, v := range u.Values {
			if r := u.Register + k; r < len(c) {
				c[r] = Uniform{u.Format, v}
			}
		}
	}
	return c
}

// Serve answers requests, one a line, until the input ends. The error is an error of reading or
// writing.
func Serve(c *Core, r io.Reader, w io.Writer) error {
	stages := []string{pica.Vertex.String(), pica.Geometry.String()}
	if !c.Geometry {
		stages = stages[:1]
	}
	s := adapter.Server{
		Engine:  engine{c},
		Profile: pica.Profile{NoGeometry: !c.Geometry},
		Resolve: func(string) (pica.Profile, error) { return pica.Profile{NoGeometry: !c.Geometry}, nil },
		Info: &adapter.Reply{Core: c.Name, Profile: c.Profile, Stages: stages, Unsupported: c.Unsupported,
			SetsB15: c.SetsB15},
	}
	return s.Serve(r, w)
}

// engine adapts a Core to the server.
type engine struct{ *Core }

func (e engine) Name() string { return e.Core.Name }

func (e engine) Run(job *pica.Job, out *pica.Outcome) error {
	*out = pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, len(job.Vertices))}
	job = adapter.AsSent(job)
	var v Vertex
	for i, in := range job.Vertices {
		if i == 0 || !job.Keep {
			v = Vertex{Fresh: true}
		}
		v.Index, v.In, v.Primitives = i, [pica.NumInputs]pica.Vec4{}, nil
		copy(v.In[:], in)
		if err := e.Core.Run(job, &v); err != nil {
			return adapter.AsRefusal(err)
		}
		o := &out.Vertices[i]
		o.O, o.R, o.Address, o.AL, o.CC, o.Primitives = v.O, v.R, v.Address, v.AL, v.CC, v.Primitives
		v.Fresh = false
	}
	return nil
}
