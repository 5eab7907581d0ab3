package oracle

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// structured is the code that the x86-64 compilers of Azahar and Panda3DS
// generate. They translate word after word, each once and in order; a block (a
// then part, an else part, a loop body) is translated up to its end, which
// leaves host instructions between words: the jump over an else part, the end of
// a loop, and where a procedure ends the check whether to return. Calls, nested
// loops (Azahar) and all loops (Panda3DS) keep their state on the host's stack;
// Azahar's outermost loop lives in registers. What a program does follows from
// this layout, however its blocks overlap, as long as the host's stack is used
// as it was filled.
type structured struct {
	panda bool
	items []item
	label [span]int32 // where a CALL or JMP to the word goes
	place [span]int32 // the word itself
	other [span]int32 // of an IF: where a false condition goes; of a LOOP: where a break goes
	loops [span]int32 // the innermost loop that a word is compiled in, -1 for none
	saves [span]bool  // of a LOOP: it is compiled inside another one

	// Translation.
	word  int
	loop0 int32
	depth int
	ends  [span]bool // a procedure ends before the word

	// The run.
	ip, next int32
	count    uint32 // Azahar's loop registers
	step     uint8
	looped   bool // which hold nothing known before the first LOOP
	frames   [hostFrames]frame
	used     int
}

// span is the number of words that may be translated: an else part may reach
// beyond program memory.
const span = pica.MaxCode + 256

// hostFrames bounds the host's stack; beyond it the outcome is not predictable.
const hostFrames = 4096

// An item is what stands in the generated code.
type item struct {
	kind itemKind
	at   int32 // of itemWord and itemReturn a word, else a position among the items
}

type itemKind uint8

const (
	itemWord    itemKind = iota
	itemJump             // over an else part
	itemLoop             // step, count down, go back while not zero
	itemRestore          // take the loop's frame off the stack
	itemReturn           // return if the newest call ends here
)

// A frame is on the host's stack: a call, or the state of a loop.
type frame struct {
	call    bool
	end     int32 // of a call
	back    int32
	count   uint32 // of a loop: Azahar's outer one, Panda3DS's own
	step    uint8
	outerAL int32
}

// load translates the program. Panda3DS's compiler refuses opcodes it does not
// know and loops that do not lie ahead, wherever they stand. Behind the program
// and the last end of a procedure nothing but words follows, which no item stands
// for; see at.
func (f *structured) load(m *Machine) bool {
	f.panda = m.unit.Knobs[pica.KnobFlow] == pica.FlowStructuredPanda
	f.items, f.word, f.loop0, f.depth, f.ends = f.items[:0], 0, -1, 0, [span]bool{}
	limit := len(m.job.Code)
	for w, word := range m.job.Code {
		switch m.rules.Encoding.Opcode(word) {
		case pica.CALL, pica.CALLC, pica.CALLU:
			end := m.rules.Encoding.Target.of(word) + m.rules.Encoding.Num.of(word)
			f.ends[end], limit = true, max(limit, end+1)
		}
		if f.panda && w < m.top() && (m.support[word>>26] == pica.SupportAbort || m.rules.Encoding.Opcode(word) == pica.LOOP && m.rules.Encoding.Target.of(word) <= w) {
			return false
		}
	}
	f.block(m, limit)
	return true
}

// emit appends an item and returns its position.
func (f *structured) emit(kind itemKind, at int32) int32 {
	f.items = append(f.items, item{kind, at})
	return int32(len(f.items) - 1)
}

func (f *structured) here() int32 { return int32(len(f.items)) }

// at returns an item, or the word in its place behind the last one.
func (f *structured) at(ip int32) item {
	if behind := int(ip) - len(f.items); behind >= 0 {
		return item{itemWord, int32(f.word + behind)}
	}
	return f.items[ip]
}

// of looks a word up in place or label.
func (f *structured) of(table *[span]int32, w int) int32 {
	if w >= f.word {
		return f.here() + int32(w-f.word)
	}
	return table[w]
}

// block translates up to the word end; nothing if that lies behind.
func (f *structured) block(m *Machine, end int) {
	for f.word < end {
		f.translate(m)
	}
}

// translate handles one word and the blocks it opens.
func (f *structured) translate(m *Machine) {
	w := f.word
	f.word++
	f.label[w] = f.here() // Panda3DS: a jump to the end of a procedure returns
	if f.ends[w] {
		f.emit(itemReturn, int32(w))
	}
	f.place[w] = f.emit(itemWord, int32(w))
	if !f.panda {
		f.label[w] = f.place[w] // Azahar: it does not
	}
	f.loops[w] = f.loop0
	if w >= m.top() || m.support[m.code[w]>>26] != pica.SupportRun {
		return
	}
	target, num := m.rules.Encoding.Target.of(m.code[w]), m.rules.Encoding.Num.of(m.code[w])
	switch m.rules.Encoding.Opcode(m.code[w]) {
	case pica.IFC, pica.IFU:
		f.block(m, target)
		if num == 0 {
			f.other[w] = f.here()
			return
		}
		over := f.emit(itemJump, 0)
		f.other[w] = f.here()
		f.block(m, target+num)
		f.items[over].at = f.here()
	case pica.LOOP:
		f.saves[w] = f.depth > 0 || f.panda
		outer, start := f.loop0, f.here()
		f.loop0 = int32(w)
		f.depth++
		f.block(m, target+1)
		f.depth--
		f.loop0 = outer
		f.emit(itemLoop, start)
		f.other[w] = f.here()
		if f.saves[w] {
			f.emit(itemRestore, 0)
		}
	}
}

func (f *structured) start(m *Machine) {
	f.ip, f.used, f.looped = f.of(&f.place, m.entry), 0, false
}

func (f *structured) arrive(*Machine) { f.next = f.ip + 1 }

// push adds to the host's stack.
func (f *structured) push(m *Machine, e frame) bool {
	if f.used == len(f.frames) {
		return m.trap(pica.TrapUnsupported)
	}
	f.frames[f.used] = e
	f.used++
	return true
}

// top returns the newest frame, nil if there is none of that kind.
func (f *structured) top(call bool) *frame {
	if f.used == 0 || f.frames[f.used-1].call != call {
		return nil
	}
	return &f.frames[f.used-1]
}

func (f *structured) branch(m *Machine, _, _ int, holds bool) bool {
	if !holds {
		f.next = f.other[m.at.PC]
	}
	return true
}

func (f *structured) call(m *Machine, target, num int) bool {
	if !f.push(m, frame{call: true, end: int32(target + num), back: f.next}) {
		return false
	}
	f.next = f.of(&f.label, target)
	return true
}

func (f *structured) loop(m *Machine, _ int, p Passes) bool {
	e := frame{count: f.count, step: f.step, outerAL: m.at.outerAL(p)}
	if f.panda {
		e.count, e.step = uint32(p.Count)+1, p.Step
	}
	if f.saves[m.at.PC] && !f.push(m, e) {
		return false
	}
	f.count, f.step, f.looped = uint32(p.Count)+1, p.Step, true
	return true
}

func (f *structured) jump(_ *Machine, target int) bool {
	f.next = f.of(&f.label, target)
	return true
}

// leave goes behind the loop that the instruction is compiled in.
func (f *structured) leave(m *Machine) bool {
	loop := f.loops[m.at.PC]
	if loop < 0 {
		return m.trap(pica.TrapUnsupported)
	}
	if m.unit.Knobs[pica.KnobBreakStep] == pica.BreakStepAdds {
		m.regs.AL += int32(f.step)
	}
	f.next = f.other[loop]
	return true
}

// end returns to the host, which crashes if its stack is not as it was.
func (f *structured) end(m *Machine) bool { return f.used == 0 || m.refuse(pica.RefusalCrash) }

// finish runs what stands between words up to the next one.
func (f *structured) finish(m *Machine) {
	if m.ended {
		return
	}
	f.ip = f.next
	for range 1 << 12 { // an empty loop has 256 passes
		i := f.at(f.ip)
		if m.at.Next = int(i.at); i.kind == itemWord {
			return
		}
		if !f.pass(m, i) {
			break
		}
	}
	m.at.Next = f.following()
	m.refused, m.refusal = true, pica.RefusalUnknown
}

// following returns the number of the word behind ip.
func (f *structured) following() int {
	for ip := f.ip; ; ip++ {
		if i := f.at(ip); i.kind == itemWord {
			return int(i.at)
		}
	}
}

// pass runs one item that is no word. False means that the host's stack or
// registers hold something else than the item expects.
func (f *structured) pass(m *Machine, i item) bool {
	f.ip++
	switch i.kind {
	case itemJump:
		f.ip = i.at
	case itemReturn:
		if e := f.top(true); e != nil && e.end == i.at {
			f.ip = e.back
			f.used--
			return true
		}
		e := f.top(false) // a loop's state in the place of the address
		return e == nil || f.panda && e.count != uint32(i.at)
	case itemLoop:
		count, step := &f.count, &f.step
		if e := f.top(false); f.panda && e != nil {
			count, step = &e.count, &e.step
		} else if f.panda || !f.looped {
			return false
		}
		m.regs.AL += int32(*step)
		if *count--; *count != 0 {
			f.ip = i.at
		}
	case itemRestore:
		e := f.top(false)
		if e == nil {
			return false
		}
		f.used--
		f.count, f.step = e.count, e.step
		if m.unit.Knobs[pica.KnobInnerAL] != pica.InnerALKept {
			m.regs.AL = e.outerAL
		}
	}
	return true
}

// scopes names the frames, oldest first; Azahar's outermost loop has none.
func (f *structured) scopes() string {
	var list []string
	for _, e := range f.frames[:f.used] {
		switch {
		case e.call:
			list = append(list, fmt.Sprintf("call(end %d, return %d)", e.end, f.at(e.back-1).at+1))
		case f.panda:
			list = append(list, fmt.Sprintf("loop(%d left, step %d)", e.count, e.step))
		default:
			list = append(list, fmt.Sprintf("loop(outer: %d left, step %d, aL %d)", e.count, e.step, e.outerAL))
		}
	}
	return strings.Join(list, " ")
}
