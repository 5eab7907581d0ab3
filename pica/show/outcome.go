package show

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/picaproof/picaproof/pica"
)

// The JSON form of an outcome.
type (
	// Run is an outcome with its profile and engine.
	Run struct {
		Profile  string   `json:"profile"`
		Engine   string   `json:"engine"`
		Vertices []Vertex `json:"vertices"`
		Bools    uint16   `json:"b"`
		// Semantics names output registers as [Semantics] does.
		Semantics map[string]string `json:"semantics,omitempty"`
		// NeverSet and WithoutValue are the uniforms and the inputs that the run read and that nobody gave
		// a value; null from an engine that does not track them.
		NeverSet     []Registers `json:"never_set"`
		WithoutValue []Registers `json:"without_value"`
	}
	// Vertex is the outcome of one vertex. Registers are those of the output mask.
	Vertex struct {
		Outputs       map[string]Vector `json:"outputs"`
		Address       [3]int32          `json:"address"` // a0.x, a0.y, aL
		Flags         [2]bool           `json:"flags"`
		Steps         int               `json:"steps"`
		Trap          *Trap             `json:"trap"`
		Prims         []Primitive       `json:"prims"`
		Uninitialised []string          `json:"uninitialised"` // null from an engine that does not track it
	}
	// Trap says why and where a run stopped early.
	Trap struct {
		Cause string `json:"cause"`
		PC    int    `json:"pc"`
	}
	// Primitive is a triangle of a geometry stage.
	Primitive struct {
		Inverted bool                 `json:"inverted"`
		Vertices [3]map[string]Vector `json:"vertices"`
	}
)

// RunOf returns the JSON form of the outcome of a job. tracked says that the engine
// knows which registers were read before anything wrote them.
func RunOf(job *pica.Job, engine string, tracked bool, out *pica.Outcome) Run {
	r := Run{Profile: job.Profile.Name, Engine: engine, Bools: out.Bools, Vertices: []Vertex{}}
	for i := range out.Vertices {
		v := &out.Vertices[i]
		x := Vertex{
			Outputs: bank(out.Storage, job.OutMask, &v.O),
			Address: [3]int32{v.Address[0], v.Address[1], v.AL},
			Flags:   v.CC,
			Steps:   v.Steps,
			Trap:    trapOf(v.Trap),
			Prims:   []Primitive{},
		}
		if tracked {
			x.Uninitialised = v.Uninitialised.Names()
		}
		for _, p := range v.Primitives {
			q := Primitive{Inverted: p.Inverted}
			for slot := range p.Vertices {
				q.Vertices[slot] = bank(out.Storage, job.OutMask, &p.Vertices[slot])
			}
			x.Prims = append(x.Prims, q)
		}
		r.Vertices = append(r.Vertices, x)
	}
	return r
}

func trapOf(t pica.Trap) *Trap {
	if t.Cause == pica.TrapNone {
		return nil
	}
	return &Trap{t.Cause.String(), t.PC}
}

func bank(storage pica.NumberFormat, mask uint16, registers *[pica.NumOutputs]pica.Vec4) map[string]Vector {
	m := make(map[string]Vector)
	for k := range registers {
		if mask>>k&1 != 0 {
			m[fmt.Sprintf("o%d", k)] = VectorOf(storage, registers[k])
		}
	}
	return m
}

// WriteRun prints an outcome, a table of outputs for each vertex. semantics names output registers,
// see [Semantics]; trap formats the words about a trap.
func WriteRun(w io.Writer, job *pica.Job, out *pica.Outcome, semantics map[string]string,
	trap func(words string) string) {
	for i := range out.Vertices {
		v := &out.Vertices[i]
		end := "ended"
		if v.Trap.Cause != pica.TrapNone {
			end = trap("trapped: " + v.Trap.String())
		}
		fmt.Fprintf(w, "vertex %d: %s, %s\n", i, Plural(v.Steps, "instruction"), end)
		writeBank(w, out.Storage, job.OutMask, semantics, &v.O)
		if v.Address != [2]int32{} || v.AL != 0 || v.CC != [2]bool{} {
			fmt.Fprintf(w, "  a0.x %d  a0.y %d  aL %d  cc.x %t  cc.y %t\n", v.Address[0], v.Address[1],
				v.AL, v.CC[0], v.CC[1])
		}
		for k := range v.Primitives {
			p := &v.Primitives[k]
			fmt.Fprintf(w, "  primitive %d, inverted winding %t\n", k, p.Inverted)
			for slot := range p.Vertices {
				fmt.Fprintf(w, "  slot %d\n", slot)
				writeBank(w, out.Storage, job.OutMask, semantics, &p.Vertices[slot])
			}
		}
		if list := v.Uninitialised.Names(); len(list) > 0 {
			fmt.Fprintf(w, "  read before anything wrote it: %s\n", strings.Join(list, ", "))
		}
		for _, h := range v.Hazards {
			fmt.Fprintf(w, "  hazard on the console: %v\n", h)
		}
	}
}

func writeBank(w io.Writer, storage pica.NumberFormat, mask uint16, semantics map[string]string,
	registers *[pica.NumOutputs]pica.Vec4) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	for k := range registers {
		if mask>>k&1 == 0 {
			continue
		}
		name := fmt.Sprintf("o%d", k)
		fmt.Fprintf(t, "  %s", strings.TrimRight(name+" "+semantics[name], " "))
		for _, b := range registers[k] {
			fmt.Fprintf(t, "\t%s", storage.Decimal(b))
		}
		for _, b := range registers[k] {
			fmt.Fprintf(t, "\t%s", storage.Hex(b))
		}
		fmt.Fprintln(t)
	}
}
