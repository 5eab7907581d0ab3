package oracle

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// unified is the interpreter of Citra (2021) and Mikage: one stack of 16 scopes
// that is checked before each fetch, as often as the newest scope ends there.
// aL is never restored.
type unified struct {
	stack [16]scope
	depth int
}

// A scope ends where pc reaches final: repeat times control goes back to entry,
// then on to leave.
type scope struct {
	final, leave, entry int
	repeat, step        uint8
}

func (f *unified) load(*Machine) bool { return true }

func (f *unified) start(*Machine) { f.depth = 0 }

func (f *unified) arrive(m *Machine) {
	for f.depth > 0 && f.stack[f.depth-1].final == m.at.PC {
		top := &f.stack[f.depth-1]
		m.regs.AL += int32(top.step)
		if top.repeat == 0 {
			m.at.PC = top.leave
			f.depth--
		} else {
			top.repeat--
			m.at.PC = top.entry
		}
	}
}

// push refuses a seventeenth scope.
func (f *unified) push(m *Machine, s scope) bool {
	if f.depth == len(f.stack) {
		return m.refuse(m.job.Profile.Refusal) // Citra asserts, Mikage throws
	}
	f.stack[f.depth] = s
	f.depth++
	return true
}

func (f *unified) branch(m *Machine, target, num int, holds bool) bool {
	if holds {
		return f.push(m, scope{final: target, leave: target + num})
	}
	m.at.Next = target
	return f.push(m, scope{final: target + num, leave: target + num})
}

func (f *unified) call(m *Machine, target, num int) bool {
	m.at.Next = target
	return f.push(m, scope{final: target + num, leave: m.at.PC + 1})
}

func (f *unified) loop(m *Machine, target int, p Passes) bool {
	return f.push(m, scope{final: target + 1, leave: target + 1, entry: m.at.PC + 1, repeat: p.Count, step: p.Step})
}

func (f *unified) jump(m *Machine, target int) bool {
	m.at.Next = target
	return true
}

func (f *unified) leave(m *Machine) bool { return m.trap(pica.TrapUnsupported) }

func (f *unified) end(*Machine) bool { return true }

func (f *unified) finish(*Machine) {}

// scopes lists the stack, oldest first.
func (f *unified) scopes() string {
	var list []string
	for _, s := range f.stack[:f.depth] {
		list = append(list, fmt.Sprintf("scope(end %d, leave %d, entry %d, %d left, step %d)", s.final, s.leave, s.entry, s.repeat, s.step))
	}
	return strings.Join(list, " ")
}
