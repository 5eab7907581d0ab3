package impl

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// unified models the control flow of the interpreters of Citra (2021) and Mikage: one
// stack of 16 scopes. Before each fetch, scopes that end at PC repeat or close, the
// newest first. aL is never restored.
type unified struct {
	overflow func(c *oracle.Control) // Citra asserts, Mikage throws
	stack    [16]scope
	depth    int
}

// unifiedFlow replaces the control flow of the console.
func unifiedFlow(r *oracle.Rules, p *pica.Profile) {
	f, u := &r.Flow, &unified{overflow: refusing(p)}
	f.Model = u
	f.IF, f.CALL, f.LOOP = u.branch, u.call, u.loop
	f.BREAK = func(c *oracle.Control) { c.Refuse(pica.RefusalUnknown) } // their profiles skip BREAK
	f.Finish = func(*oracle.Control) {}
}

// A scope ends at PC = final. The run continues at entry if repeat is above zero, else
// at leave. Scopes of IF and CALL have repeat and step zero.
type scope struct {
	final, leave, entry int
	repeat, step        uint8 // passes left; step of aL
}

// Start closes all scopes.
func (f *unified) Start(*oracle.Control) { f.depth = 0 }

// Arrive repeats or closes the scopes that end at PC.
func (f *unified) Arrive(c *oracle.Control) {
	for f.depth > 0 && f.stack[f.depth-1].final == c.PC {
		top := &f.stack[f.depth-1]
		c.AL += int32(top.step)
		if top.repeat == 0 {
			c.PC = top.leave
			f.depth--
		} else {
			top.repeat--
			c.PC = top.entry
		}
	}
}

// push refuses a seventeenth scope.
func (f *unified) push(c *oracle.Control, s scope) {
	if f.depth == len(f.stack) {
		f.overflow(c)
		return
	}
	f.stack[f.depth] = s
	f.depth++
}

func (f *unified) branch(c *oracle.Control, holds bool, target, num int) {
	if holds {
		f.push(c, scope{final: target, leave: target + num})
		return
	}
	c.Next = target
	f.push(c, scope{final: target + num, leave: target + num})
}

func (f *unified) call(c *oracle.Control, target, num int) {
	c.Next = target
	f.push(c, scope{final: target + num, leave: c.PC + 1})
}

func (f *unified) loop(c *oracle.Control, target int, p oracle.Passes) {
	f.push(c, scope{final: target + 1, leave: target + 1, entry: c.PC + 1, repeat: p.Count, step: p.Step})
}

// String formats the stack, oldest first.
func (f *unified) String() string {
	var list []string
	for _, s := range f.stack[:f.depth] {
		list = append(list, fmt.Sprintf("scope(end %d, leave %d, entry %d, %d left, step %d)",
			s.final, s.leave, s.entry, s.repeat, s.step))
	}
	return strings.Join(list, " ")
}
