package cli

import (
	"fmt"
	"io"
	"math/bits"
	"strings"
	"text/tabwriter"

	"github.com/picaproof/picaproof/pica"
)

// The JSON report of run.
type (
	runReport struct {
		Profile  string      `json:"profile"`
		Engine   string      `json:"engine"`
		Vertices []runVertex `json:"vertices"`
		Bools    uint16      `json:"b"`
	}
	runVertex struct {
		Outputs       map[string]runVector `json:"outputs"`
		Address       [3]int32             `json:"address"`
		Flags         [2]bool              `json:"flags"`
		Steps         int                  `json:"steps"`
		Trap          *runTrap             `json:"trap"`
		Prims         []runPrimitive       `json:"prims"`
		Uninitialised []string             `json:"uninitialised"` // null from an engine that does not track it
	}
	runVector struct {
		Bits  [4]string `json:"bits"`
		Value [4]any    `json:"value"`
	}
	runTrap struct {
		Cause string `json:"cause"`
		PC    int    `json:"pc"`
	}
	runPrimitive struct {
		Inverted bool                    `json:"inverted"`
		Vertices [3]map[string]runVector `json:"vertices"`
	}
)

func runResult(job *pica.Job, engine pica.Engine, out *pica.Outcome) runReport {
	r := runReport{Profile: job.Profile.Name, Engine: engine.Name(), Bools: out.Bools, Vertices: []runVertex{}}
	for i := range out.Vertices {
		v := &out.Vertices[i]
		x := runVertex{
			Outputs: runOutputs(out.Storage, job.OutMask, &v.O),
			Address: [3]int32{v.Address[0], v.Address[1], v.AL},
			Flags:   v.CC,
			Steps:   v.Steps,
			Prims:   []runPrimitive{},
		}
		if engine.Name() == "oracle" {
			x.Uninitialised = registerNames(v.Uninitialised)
		}
		if v.Trap.Cause != pica.TrapNone {
			x.Trap = &runTrap{v.Trap.Cause.String(), v.Trap.PC}
		}
		for _, p := range v.Primitives {
			q := runPrimitive{Inverted: p.Inverted}
			for slot := range p.Vertices {
				q.Vertices[slot] = runOutputs(out.Storage, job.OutMask, &p.Vertices[slot])
			}
			x.Prims = append(x.Prims, q)
		}
		r.Vertices = append(r.Vertices, x)
	}
	return r
}

func runOutputs(storage pica.Value, mask uint16, bank *[pica.NumOutputs]pica.Vec4) map[string]runVector {
	m := make(map[string]runVector)
	for k := range bank {
		if mask>>k&1 == 0 {
			continue
		}
		m[fmt.Sprintf("o%d", k)] = vectorJSON(storage, bank[k])
	}
	return m
}

func vectorJSON(storage pica.Value, vector pica.Vec4) (v runVector) {
	for c, b := range vector {
		v.Bits[c], v.Value[c] = hexOf(storage, b), componentOf(storage, b).json()
	}
	return v
}

// registerNames lists a set of registers.
func registerNames(set pica.Registers) []string {
	names := []string{}
	for k := range bits.Len32(uint32(set)) {
		if set>>k&1 == 0 {
			continue
		}
		if k < pica.NumTemporaries {
			names = append(names, fmt.Sprintf("r%d", k))
		} else {
			names = append(names, []string{"a0.x", "a0.y", "aL", "cc.x", "cc.y"}[k-pica.NumTemporaries])
		}
	}
	return names
}

func (a *app) runText(w io.Writer, job *pica.Job, out *pica.Outcome) error {
	p := a.palette(w)
	for i := range out.Vertices {
		v := &out.Vertices[i]
		end := "ended"
		if v.Trap.Cause != pica.TrapNone {
			end = p.bad("trapped: " + v.Trap.String())
		}
		fmt.Fprintf(w, "vertex %d: %s, %s\n", i, plural(v.Steps, "instruction"), end)
		if err := outputsText(w, out.Storage, job.OutMask, &v.O); err != nil {
			return err
		}
		if v.Address != [2]int32{} || v.AL != 0 || v.CC != [2]bool{} {
			fmt.Fprintf(w, "  a0.x %d  a0.y %d  aL %d  cc.x %t  cc.y %t\n", v.Address[0], v.Address[1], v.AL, v.CC[0], v.CC[1])
		}
		for k := range v.Primitives {
			prim := &v.Primitives[k]
			fmt.Fprintf(w, "  primitive %d, inverted winding %t\n", k, prim.Inverted)
			for slot := range prim.Vertices {
				fmt.Fprintf(w, "  slot %d\n", slot)
				if err := outputsText(w, out.Storage, job.OutMask, &prim.Vertices[slot]); err != nil {
					return err
				}
			}
		}
		if names := registerNames(v.Uninitialised); len(names) > 0 {
			fmt.Fprintf(w, "  read before anything wrote it: %s\n", strings.Join(names, ", "))
		}
		for _, h := range v.Hazards {
			fmt.Fprintf(w, "  hazard on the console: %v\n", h)
		}
	}
	return nil
}

func outputsText(w io.Writer, storage pica.Value, mask uint16, bank *[pica.NumOutputs]pica.Vec4) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for k := range bank {
		if mask>>k&1 == 0 {
			continue
		}
		fmt.Fprintf(t, "  o%d", k)
		for _, b := range bank[k] {
			fmt.Fprintf(t, "\t%s", componentOf(storage, b).text())
		}
		for _, b := range bank[k] {
			fmt.Fprintf(t, "\t%s", hexOf(storage, b))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
