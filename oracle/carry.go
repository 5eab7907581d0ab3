package oracle

import "github.com/picaproof/picaproof/pica"

// This file states which part of the state persists from vertex to vertex. In both stages
// [pica.Job]'s Keep decides this for registers and emitter. On a console they persist in
// geometry programs (wwylele); for vertex programs it is unknown.

var carry = Carry{Begin: carryRegisters, Inputs: noInputs}

// carryRegisters empties the stacks for every vertex (T. Karras on 3dbrew). For the first
// vertex, and without keep for every vertex, it loads the initial registers, and sets the
// emitter and the output bank that is not selected to zero (Azahar, Citra).
func carryRegisters(r *RegisterFile, initial *pica.State, vertex int, keep bool) {
	if vertex == 0 || !keep {
		r.State, r.OtherBank, r.Emitter = *initial, [pica.NumOutputs]pica.Vec4{}, Emitter{}
	}
	r.Stacks = pica.Stacks{}
}

// noInputs sets the inputs to +0, so an input that the job does not supply is +0 (Mikage;
// Azahar and Panda3DS keep earlier values; unknown on the console).
func noInputs(v *[pica.NumInputs]pica.Vec4, _ int) { *v = [pica.NumInputs]pica.Vec4{} }
