package conform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// A trigger describes the programs that show a cause. The empty trigger fits no program.
type trigger struct {
	// Opcodes lists the instructions, by their names. With Any, every instruction with operands
	// counts.
	Opcodes []string
	Any     bool
	// Features lists features, all of which the instruction must have.
	Features []string
	// Loose makes classes of operands count in components that the instruction does not use,
	// too.
	Loose bool
	// Flow lists kinds of flow control, or instructions of it, that must all be
	// executed.
	Flow []string
	// Registers lists registers, "r14", "c95", "i3". An executed instruction must name one of
	// them; if there are Opcodes, it must also be one of them and have Features.
	Registers []string
	// LoopField, "count", "start" or "step", is a field of the integer uniform of a LOOP. The
	// LOOP counts only if the field is above Above.
	LoopField string
	Above     int
	// Present makes a word count even if it is not executed.
	Present bool
	// Vertices requires more than one vertex.
	Vertices bool
	// Steps and Words, if they are not 0, are the number of executed instructions, or of words,
	// after which instructions count.
	Steps int
	Words int
	// Temporaries, if it is not 0, is the number of temporaries that an instruction and the
	// instructions before it may name.
	Temporaries int
	// Uploads lists classes of float32 or raw24 values in uniforms and inputs.
	Uploads []string
}

// flows reports whether the trigger requires flow control.
func (t trigger) flows() bool {
	return len(t.Flow) > 0 || t.Steps > 0 || t.Words > 0 || slices.ContainsFunc(t.Opcodes, func(name string) bool {
		return pica.OpcodeNamed(name).Flow != pica.FlowNone
	})
}

// with returns the union of two triggers of one cause.
func (t trigger) with(u trigger) trigger {
	join := func(a, b []string) []string {
		list := slices.Concat(a, b)
		slices.Sort(list)
		return slices.Compact(list)
	}
	t.Opcodes, t.Uploads, t.Registers = join(t.Opcodes, u.Opcodes), join(t.Uploads, u.Uploads),
		join(t.Registers, u.Registers)
	t.Any = t.Any || u.Any || len(t.Opcodes) > 2 && len(t.Features) > 0
	t.Present, t.Loose = t.Present || u.Present, t.Loose || u.Loose
	return t
}

// register returns the file and the number of a register if the trigger names only a register.
func (t trigger) register() (file byte, n int, ok bool) {
	if len(t.Registers) != 1 || len(t.Opcodes) > 0 || len(t.Registers[0]) < 2 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(t.Registers[0][1:])
	return t.Registers[0][0], n, err == nil
}

// component returns the feature of a component if the trigger names only that.
func (t trigger) component() string {
	if len(t.Features) == 1 && strings.HasPrefix(t.Features[0], "component ") {
		return t.Features[0]
	}
	return ""
}
