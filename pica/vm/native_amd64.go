package vm

const haveNative = false

func bind([]record, model) bool { return false }

func (m *laneMachine) executeNative([]record) {}
