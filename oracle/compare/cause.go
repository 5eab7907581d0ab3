package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Key names the cause of a difference as precisely as one observation allows: the faulty
// part and the kind of fault. It has no register, address or value, so that it survives
// reduction. Differences with one key are one bucket.
//
//	mul: one step
//	mad: other class, want zero, got NaN
//	cmp lt: condition flag, NaN operand
//	index of operand
//	destination
//	ifu: if stack depth, full
//	end of call+if: pc
func (l *Location) Key() string {
	if l.Step < 0 {
		return l.Class.String()
	}
	if l.wholly {
		return l.subject
	}
	what := l.Class.String()
	if l.Class == ClassFlow || l.Class == ClassShape || l.Where == "aL" {
		what = l.Where
	}
	return l.subject + ": " + what + l.detail
}

// attribute finds the part of the located instruction that is at fault.
func (p *Pair) attribute(job *pica.Job, loc *Location) error {
	op := pica.OpcodeOf(loc.Word).Base()
	loc.subject = op.String()
	switch {
	case loc.Class == ClassTrap:
		loc.detail = trapDetail(loc.Want, loc.Got)
		return nil
	case loc.Class == ClassFlow || loc.Where == "aL":
		loc.subject, loc.detail = construct(loc)
		return nil
	case pica.Opcodes[op].Sources == 0:
		return nil
	}
	if op.Layout().CmpX.Width != 0 && loc.Class == ClassFlag {
		layout := op.Layout()
		operator := layout.CmpX
		if loc.Where == "cc.y" {
			operator = layout.CmpY
		}
		loc.subject += " " + comparisons[operator.Get(loc.Word)]
	}
	read, err := operands(job, loc)
	if err != nil {
		return err
	}
	if loc.detail = kinds(loc); loc.detail == "" {
		loc.detail = read
	}
	if stray, err := p.strayed(job, loc); err != nil || stray {
		loc.subject, loc.wholly = "destination", true
		return err
	}
	fault, err := p.operandFault(job, loc)
	if fault != "" {
		loc.subject, loc.wholly = fault, true
	}
	return err
}

var comparisons = [8]string{"eq", "ne", "lt", "le", "gt", "ge", "6", "7"}

// trapDetail names the causes of two traps, without their places.
func trapDetail(want, got string) string {
	cause := func(s string) string { name, _, _ := strings.Cut(s, " at "); return name }
	return ", want " + cause(want) + ", got " + cause(got)
}

// construct names the scopes and the instruction that decided the next pc.
func construct(loc *Location) (subject, detail string) {
	op, layout := pica.OpcodeOf(loc.Word).Base(), pica.OpcodeOf(loc.Word).Layout()
	s, after := &loc.Before.Stacks, uint16(loc.PC+1)
	var closing []string
	if s.CallDepth > 0 && s.Call[s.CallDepth-1].End == after {
		closing = append(closing, "call")
	}
	if s.IfDepth > 0 && s.If[s.IfDepth-1].Else == after {
		closing = append(closing, "if")
	}
	if s.LoopDepth > 0 && s.Loop[s.LoopDepth-1].End == after {
		closing = append(closing, "loop")
	}
	decides := pica.Opcodes[op].Writes&pica.WritesFlow != 0
	switch {
	case len(closing) == 0 || decides:
		subject = op.String()
	}
	if len(closing) > 0 {
		subject = strings.TrimSpace(subject + " end of " + strings.Join(closing, "+"))
	}
	target, full := uint16(layout.Dst.Get(loc.Word)), false
	switch pica.Opcodes[op].Flow {
	case pica.FlowIf:
		full = int(s.IfDepth) == len(s.If)
		if target == after {
			detail = ", empty body"
		}
	case pica.FlowLoop:
		full = int(s.LoopDepth) == len(s.Loop)
		if target+1 == after {
			detail = ", empty body"
		}
	case pica.FlowCall:
		full = int(s.CallDepth) == len(s.Call)
	}
	if full {
		detail += ", full"
	}
	return subject, detail
}

// kinds returns the classes of a result on both sides, where they tell causes apart.
func kinds(loc *Location) string {
	c := &loc.component
	want, got := categoryOf(loc.Storage, c.want), categoryOf(loc.Storage, c.got)
	switch {
	case loc.Class == ClassValue && c.want^c.got == loc.Storage.Sign():
		return ", sign"
	case loc.Class == ClassCategory && want == got:
		return ", sign of infinity"
	case loc.Class == ClassCategory:
		return fmt.Sprintf(", want %v, got %v", want, got)
	}
	return ""
}

// operands stores the operands of the located instruction in loc. It returns the most
// special number class among the components that the instruction reads.
func operands(job *pica.Job, loc *Location) (string, error) {
	alone := *job
	alone.Initial, alone.Entry, alone.Budget = &loc.Before, loc.PC, 1
	m := impl.NewMachine()
	if err := m.Load(&alone, 0); err != nil {
		return "", err
	}
	record := m.Step()
	loc.Sources = record.Sources
	info := &pica.Opcodes[pica.OpcodeOf(loc.Word)]
	worst := finite
	for k := range info.Sources {
		for component, v := range record.Sources[k] {
			lane := uint8(8 >> component)
			reads := info.Reads[k]
			if reads == 0 {
				reads = 8 >> loc.component.index
			}
			if reads&lane != 0 {
				worst = max(worst, categoryOf(loc.Storage, v))
			}
		}
	}
	if worst == infinite || worst == nan {
		return fmt.Sprintf(", %v operand", worst), nil
	}
	return "", nil
}

// strayed reports whether a register component differs which the located instruction
// does not write.
func (p *Pair) strayed(job *pica.Job, loc *Location) (bool, error) {
	alone := *job
	alone.Initial, alone.Entry, alone.Budget = &loc.Before, loc.PC, 1
	if _, _, err := p.Run(&alone); err != nil {
		return false, err
	}
	w, g := &p.wantOut.Vertices[0], &p.gotOut.Vertices[0]
	op := pica.OpcodeOf(loc.Word)
	if pica.Opcodes[op].Writes&pica.WritesDest != 0 {
		dest := op.Layout().Dest.Get(loc.Word)
		written, misread := &w.O[dest%pica.DestTemporary], &g.O[dest%pica.DestTemporary]
		if dest >= pica.DestTemporary {
			written, misread = &w.R[dest-pica.DestTemporary], &g.R[dest-pica.DestTemporary]
		}
		for k := range written {
			if job.DescriptorOf(loc.Word).Mask()&(8>>k) != 0 {
				misread[k] = written[k]
			}
		}
	}
	return w.R != g.R || w.O != g.O, nil
}

// operandFault asks whether the engines already read an operand differently: a MOV of the
// operand with one of its traits differs, and a MOV without the trait does not.
func (p *Pair) operandFault(job *pica.Job, loc *Location) (string, error) {
	op := pica.OpcodeOf(loc.Word)
	layout, d := op.Layout(), job.DescriptorOf(loc.Word)
	for k := range pica.Opcodes[op].Sources {
		register := layout.Src[k].Get(loc.Word)
		index := uint32(0)
		if int(layout.Indexed) == k && register >= pica.SourceUniform {
			index = layout.Index.Get(loc.Word)
		}
		traits := []trait{
			{"", 0, false, pica.IdentitySwizzle},
			{"index of operand", index, false, pica.IdentitySwizzle},
			{"negation of operand", 0, d.Negate(k), pica.IdentitySwizzle},
			{"swizzle of operand", 0, false, d.Selectors(k)},
		}
		for n, t := range traits {
			if n > 0 && slices.ContainsFunc(traits[:n], func(u trait) bool { u.name = t.name; return u == t }) {
				continue
			}
			differs, err := p.probe(job, loc, register, t)
			if err != nil {
				return "", err
			}
			if differs && n == 0 {
				break // MOV itself differs and proves nothing
			}
			if differs {
				return t.name, nil
			}
		}
	}
	return "", nil
}

// trait is a feature of an operand besides its register.
type trait struct {
	name     string
	index    uint32
	negate   bool
	swizzles uint8
}

// probe runs MOV of a register with a trait, starting from the state before the located
// instruction.
func (p *Pair) probe(job *pica.Job, loc *Location, register uint32, t trait) (bool, error) {
	layout := pica.MOV.Layout()
	word := layout.Dest.Put(uint32(pica.MOV)<<26, pica.DestTemporary)
	word = layout.Index.Put(layout.Src[0].Put(word, register), t.index)
	identity := uint8(pica.IdentitySwizzle)
	d := pica.MakeDescriptor(15, [3]bool{t.negate}, [3]uint8{t.swizzles, identity, identity})
	c := *job
	c.Program = pica.Program{Code: []uint32{word, uint32(pica.END) << 26}, Descriptors: []uint32{uint32(d)}}
	c.Initial, c.Entry, c.Budget = &loc.Before, 0, 2
	v, _, err := p.Run(&c)
	return v == Differ, err
}
