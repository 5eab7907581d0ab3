package impl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// structured models the code that the x86-64 compilers of Azahar and Panda3DS generate. They
// translate each word once, in order; a word that opens a block (a then part, an else part, a
// loop body) translates it to its end. Between words they insert host code: a jump over an else
// part, the end of a loop, and a check for return where a procedure ends. Calls, nested loops
// (Azahar) and all loops (Panda3DS) keep their state on the host's stack; Azahar's outermost
// loop keeps its own in registers. This layout determines the control flow even if blocks
// overlap, as long as the code pops from the host's stack the kind of frame that it pushed.
type structured struct {
	panda   bool
	profile *pica.Profile
	memory  int           // number of words that are compiled
	code    []uint32      // the program
	items   []item        // the generated code
	invalid *pica.Refusal // the refusal if the program does not compile, else nil

	// Translation.
	words []translated // by address
	inner int32        // address of the innermost LOOP in translation, -1 for none
	depth int          // number of LOOPs in translation
	ends  map[int]bool // a procedure ends before the word at the address

	// The run.
	ip, next int32  // positions of this item and the next
	count    uint32 // Azahar's loop registers: passes left
	step     uint8
	known    bool // a LOOP of this run has set count and step; before, they are left from another run
	frames   []frame
	doom     *pica.Refusal // the refusal of the next instruction, else nil
}

// A translated word has the positions of host code, which are indices of items.
type translated struct {
	label int32 // that a CALL or JMP to the word goes to
	place int32 // of the word
	other int32 // that an IF with a false condition, or a BREAK of this LOOP, goes to
	inner int32 // the address of the innermost LOOP whose body contains the word, -1 for none
	saves bool  // the LOOP pushes a frame
}

// hostFrames is the number of frames on the host's stack that the model holds.
const hostFrames = 4096

// An item is a translated word or inserted host code.
type item struct {
	kind itemKind
	at   int32 // for itemWord and itemReturn a word, else a position
}

type itemKind uint8

const (
	itemWord    itemKind = iota
	itemJump             // jump over an else part
	itemLoop             // add the step to aL, count down, repeat while the count is not zero
	itemRestore          // pop the loop's frame
	itemReturn           // return if the newest call ends here
)

// A frame of the host's stack holds a call or the state of a loop.
type frame struct {
	call bool
	end  int32 // of a call: the word at which it returns
	back int32 // of a call: the position to return to

	// Of a loop: in Azahar the saved registers of the outer loop, in Panda3DS the
	// loop's own state.
	count   uint32
	step    uint8
	known   bool // a LOOP of this run set count and step
	outerAL int32
}

// structuredFlow is the control flow of Azahar's compiler.
func structuredFlow(r *oracle.Rules, p *pica.Profile) { newStructured(r, p, false) }

// structuredPandaFlow is the control flow of Panda3DS's compiler.
func structuredPandaFlow(r *oracle.Rules, p *pica.Profile) { newStructured(r, p, true) }

// newStructured replaces the control flow of the console.
func newStructured(r *oracle.Rules, p *pica.Profile, panda bool) {
	s, f := &structured{panda: panda, profile: p, memory: memoryWords(p.ProgramEnd)}, &r.Flow
	f.Model, f.Finish = s, s.finish
	f.IF, f.CALL, f.LOOP, f.JMP, f.BREAK, f.END = s.branch, s.call, s.loop, s.jump, s.leave, s.end
}

// load translates the program, even words that no path reaches, up to a word that makes the
// compiler refuse it. Panda3DS's compiler refuses a LOOP whose last word does not follow it. Both
// compilers write outside a table if an else part ends beyond program memory. The translation stops after
// the last word of the program and the last end of a procedure; only words without host code
// follow, which itemAt computes.
func (f *structured) load(c *oracle.Control) {
	f.code = append(f.code[:0], c.Job.Code...)
	f.items, f.words, f.inner, f.depth, f.ends = f.items[:0], f.words[:0], -1, 0, map[int]bool{}
	if f.invalid = oversize(f.profile, len(f.code)); f.invalid != nil {
		return
	}
	limit, e := len(f.code), &c.Rules.Encoding
	for w, word := range f.code {
		op, target := e.Opcode(word), e.Target.Of(word)
		end, support := target+e.Num.Of(word), pica.SupportSkip
		if w < f.memory {
			support = f.profile.Support[word>>26]
		}
		switch {
		case op == pica.CALL || op == pica.CALLC || op == pica.CALLU:
			f.ends[end], limit = true, max(limit, end+1)
		case (op == pica.IFC || op == pica.IFU) && support == pica.SupportRun && end > pica.MaxCode:
			f.invalid = new(pica.RefusalUnknown)
			return
		}
		if support == pica.SupportPresent {
			return // the rules refuse the program
		}
		if f.panda && w < f.memory && op == pica.LOOP && target <= w {
			f.invalid = &f.profile.Refusal
			return
		}
	}
	f.block(c, limit)
}

// add appends an item and returns its position.
func (f *structured) add(kind itemKind, at int32) int32 {
	f.items = append(f.items, item{kind, at})
	return int32(len(f.items) - 1)
}

// position returns the position of the next item that add appends.
func (f *structured) position() int32 { return int32(len(f.items)) }

// itemAt returns the item at a position. The items after the last are the words that
// follow in memory.
func (f *structured) itemAt(ip int32) item {
	if after := int(ip) - len(f.items); after >= 0 {
		return item{itemWord, int32(len(f.words) + after)}
	}
	return f.items[ip]
}

// at returns the host code of word w.
func (f *structured) at(w int) translated {
	if after := w - len(f.words); after >= 0 {
		p := f.position() + int32(after)
		return translated{label: p, place: p, inner: -1}
	}
	return f.words[w]
}

// block translates the words before end that are not yet translated.
func (f *structured) block(c *oracle.Control, end int) {
	for len(f.words) < end {
		f.translate(c)
	}
}

// translate adds the items of one word and of the blocks that it opens.
func (f *structured) translate(c *oracle.Control) {
	w := len(f.words)
	// Panda3DS: a jump to the end of a procedure executes the return.
	t := translated{label: f.position(), inner: f.inner}
	if f.ends[w] {
		f.add(itemReturn, int32(w))
	}
	t.place = f.add(itemWord, int32(w))
	if !f.panda {
		t.label = t.place // Azahar: the jump skips the return
	}
	f.words = append(f.words, t)
	if w >= f.memory || w >= len(f.code) || f.profile.Support[f.code[w]>>26] != pica.SupportRun {
		return
	}
	word, e := f.code[w], &c.Rules.Encoding
	target, num := e.Target.Of(word), e.Num.Of(word)
	switch e.Opcode(word) {
	case pica.IFC, pica.IFU:
		f.block(c, target)
		if num == 0 {
			f.words[w].other = f.position()
			return
		}
		over := f.add(itemJump, 0)
		f.words[w].other = f.position()
		f.block(c, target+num)
		f.items[over].at = f.position()
	case pica.LOOP:
		saves := f.depth > 0 || f.panda
		outer, start := f.inner, f.position()
		f.inner = int32(w)
		f.depth++
		f.block(c, target+1)
		f.depth--
		f.inner = outer
		f.add(itemLoop, start)
		f.words[w].other, f.words[w].saves = f.position(), saves
		if saves {
			f.add(itemRestore, 0)
		}
	}
}

// Start translates the program unless the run before had the same one, and goes to the
// entry point.
func (f *structured) Start(c *oracle.Control) {
	if !slices.Equal(f.code, c.Job.Code) {
		f.load(c)
	}
	f.ip, f.frames = f.at(c.Job.Entry).place, f.frames[:0]
	f.count, f.step, f.known = 0, 0, false
	f.doom = f.invalid
}

// Arrive refuses a doomed instruction.
func (f *structured) Arrive(c *oracle.Control) {
	f.next = f.ip + 1
	if f.doom != nil {
		c.Refuse(*f.doom)
	}
}

// push adds a frame. An overflow of the host's stack is not predictable.
func (f *structured) push(c *oracle.Control, e frame) {
	if len(f.frames) == hostFrames {
		c.Refuse(pica.RefusalUnknown)
		return
	}
	f.frames = append(f.frames, e)
}

// pop removes the newest frames.
func (f *structured) pop(n int) { f.frames = f.frames[:len(f.frames)-n] }

// top returns the newest frame if it is of the kind that call selects, else nil. It is valid until the next push.
func (f *structured) top(call bool) *frame {
	newest := len(f.frames) - 1
	if newest < 0 || f.frames[newest].call != call {
		return nil
	}
	return &f.frames[newest]
}

func (f *structured) branch(c *oracle.Control, holds bool, _, _ int) {
	if !holds {
		f.next = f.at(c.PC).other
	}
}

func (f *structured) call(c *oracle.Control, target, num int) {
	f.push(c, frame{call: true, end: int32(target + num), back: f.next})
	f.next = f.at(target).label
}

func (f *structured) loop(c *oracle.Control, _ int, p oracle.Passes) {
	e := frame{count: f.count, step: f.step, known: f.known, outerAL: c.Rules.Flow.SavedAL(c, p)}
	if f.panda {
		e.count, e.step, e.known = uint32(p.Count)+1, p.Step, true
	}
	if f.at(c.PC).saves {
		f.push(c, e)
	}
	f.count, f.step, f.known = uint32(p.Count)+1, p.Step, true
}

func (f *structured) jump(_ *oracle.Control, target int) { f.next = f.at(target).label }

// leave executes BREAK: it leaves the loop whose body contains the instruction.
func (f *structured) leave(c *oracle.Control) {
	loop := f.at(c.PC).inner
	adds := f.profile.BreakStep == pica.BreakStepAdds
	if loop < 0 || adds && !f.known {
		c.Refuse(pica.RefusalUnknown)
		return
	}
	if adds {
		c.AL += int32(f.step)
	}
	f.next = f.at(int(loop)).other
}

// end executes END, which returns to the host, and reports whether the run ends. If
// frames are left, the host crashes. Only Panda3DS's code pops the newest frame before
// it returns: if the next frame is a call, the run continues after that call.
func (f *structured) end(c *oracle.Control) bool {
	switch n := len(f.frames); {
	case n == 0:
		return true
	case f.panda && n > 1 && f.frames[n-2].call:
		f.next = f.frames[n-2].back
		f.pop(2)
	default:
		c.Refuse(pica.RefusalCrash)
	}
	return false
}

// finish runs the items up to the next word.
func (f *structured) finish(c *oracle.Control) {
	if c.Ended {
		return
	}
	f.ip = f.next
	for range 1 << 12 { // a bound: a loop without words has up to 256 passes
		i := f.itemAt(f.ip)
		if c.Next = int(i.at); i.kind == itemWord {
			if !f.panda && i.at >= pica.MaxCode {
				f.doom = new(pica.RefusalCrash) // no code was generated
			}
			return
		}
		if !f.pass(c, i) {
			break
		}
	}
	c.Next = f.following()
	f.doom = new(pica.RefusalUnknown)
}

// following returns the first word at or after ip.
func (f *structured) following() int {
	for ip := f.ip; ; ip++ {
		if i := f.itemAt(ip); i.kind == itemWord {
			return int(i.at)
		}
	}
}

// pass runs one item of host code. It returns false if the effect is not predictable: the
// host's stack or registers do not hold the state that the item reads.
func (f *structured) pass(c *oracle.Control, i item) bool {
	f.ip++
	switch i.kind {
	case itemJump:
		f.ip = i.at
	case itemReturn:
		if e := f.top(true); e != nil && e.end == i.at {
			f.ip = e.back
			f.pop(1)
			return true
		}
		e := f.top(false) // the code compares a loop's state with the end
		return e == nil || f.panda && e.count != uint32(i.at)
	case itemLoop:
		count, step := &f.count, &f.step
		if e := f.top(false); f.panda && e != nil {
			count, step = &e.count, &e.step
		} else if f.panda || !f.known {
			return false
		}
		c.AL += int32(*step)
		if *count--; *count != 0 {
			f.ip = i.at
		}
	case itemRestore:
		e := f.top(false)
		if e == nil {
			return false
		}
		f.pop(1)
		f.count, f.step, f.known = e.count, e.step, e.known
		if f.profile.InnerAL != pica.InnerALKept {
			c.AL = e.outerAL
		}
	}
	return true
}

// String formats the frames, oldest first; Azahar's outermost loop has no frame.
func (f *structured) String() string {
	var list []string
	for _, e := range f.frames {
		switch {
		case e.call:
			list = append(list, fmt.Sprintf("call(end %d, return %d)", e.end, f.itemAt(e.back-1).at+1))
		case f.panda:
			list = append(list, fmt.Sprintf("loop(%d left, step %d)", e.count, e.step))
		default:
			list = append(list, fmt.Sprintf("loop(outer: %d left, step %d, aL %d)", e.count, e.step, e.outerAL))
		}
	}
	return strings.Join(list, " ")
}
