//go:build !amd64

package vm

import "github.com/picaproof/picaproof/pica"

const haveNative = false

func (r *record) bind(model) bool { return false }

func (m *laneMachine) playNative([]record) {}

func (m *laneMachine) loadRowsNative(*[4]laneVec, []pica.Vec4, int, int) (int, bool) { return 0, true }

func storeRowsNative([]pica.Vec4, *[4]laneVec, int, int) int { return 0 }
