package oracle

import "github.com/picaproof/picaproof/pica"

// This file states which part of the state persists from vertex to vertex. Keep of a job says
// whether registers and emitter do, in both stages: on a console they do in geometry programs
// (wwylele), and nobody knows it of vertex programs.

var carry = Carry{Begin: carryRegisters, Inputs: noInputs}

// carryRegisters empties the stacks for every vertex (T. Karras on 3dbrew). For the first
// vertex, and for every one unless registers are kept, it also loads the initial registers
// and sets the output bank that is not selected and the emitter to zero (Azahar, Citra).
func carryRegisters(r *RegisterFile, initial *pica.State, vertex int, keep bool) {
	if vertex == 0 || !keep {
		r.State, r.OtherBank, r.Emitter = *initial, [pica.NumOutputs]pica.Vec4{}, Emitter{}
	}
	r.Stacks = pica.Stacks{}
}

// noInputs sets the inputs to +0; those that the job does not supply stay so (Mikage;
// Azahar and Panda3DS keep earlier values, unknown on the console).
func noInputs(v *[pica.NumInputs]pica.Vec4, _ int) { *v = [pica.NumInputs]pica.Vec4{} }
