package source

import (
	"cmp"

	"github.com/picaproof/picaproof/pica"
)

// Defect is a source that the dialect's own assembler is known to handle wrongly.
type Defect struct {
	// Fault has the lines that are inserted into Base. Of a right source it may have a name only.
	Fault
	// Valid is set if the source must be assembled to the meaning of Program; otherwise it must
	// be refused.
	Valid bool
	// Shows is the class of the difference that a valid source shows.
	Shows string
	// Allowed, if it is not nil, reports whether the first component of the only constant may
	// have a raw float24 value; the assembler may also refuse the source.
	Allowed func(raw uint32) bool
	Program *Program // the meaning of a right source
	Base    *Program // nil means a program of END alone
	About   string
}

// Sources returns the source of a defect and, if it must be refused, its control.
func (d *Dialect) Sources(x *Defect) (text, control *Text) {
	base := cmp.Or(x.Base, Minimal())
	if x.Valid && x.Before+x.Body+x.After == "" {
		base = x.Program
	}
	plain := d.Print(base)
	text = d.Spoil(plain, &x.Fault)
	if !x.Valid {
		control = d.Control(plain, &x.Fault)
	}
	return text, control
}

// The classes that Shows names; see package report.
const (
	refusesValid   = "refuses valid"
	wrongMeaning   = "wrong meaning"
	wrongConstants = "wrong constants"
	wrongTables    = "wrong tables"
)

// Class returns the class of the difference when the defect shows.
func (d *Defect) Class() string {
	if d.Valid || d.Allowed != nil {
		return d.Shows
	}
	return "accepts invalid"
}

// Minimal returns a program of some statements and END.
func Minimal(body ...Statement) *Program {
	return &Program{Procedures: []Procedure{{Name: "main", Body: append(body, Statement{Kind: End})}}}
}

// ending returns a program of END with a change.
func ending(edit func(p *Program)) *Program {
	p := Minimal()
	edit(p)
	return p
}

// geometric is a program of END for the geometry stage.
var geometric = ending(func(p *Program) { p.Stage, p.Geometry.Shared = pica.Geometry, true })

// compute returns an instruction; a mask and a selector of 0 mean all components.
func compute(op pica.Opcode, dest Operand, sources ...Operand) Statement {
	dest.Mask = cmp.Or(dest.Mask, 0xF)
	for k := range sources {
		sources[k].Selector = cmp.Or(sources[k].Selector, pica.IdentitySwizzle)
	}
	return Statement{Kind: Compute, Op: op, Dest: dest, Sources: sources}
}

func temporary(n int) Operand { return Operand{Class: 'r', Number: n} }
func uniform(n int) Operand   { return Operand{Class: 'c', Number: n} }

// means returns the meaning of a source of statements, in which the defect shows in a class.
func means(shows string, statements ...Statement) Defect {
	return Defect{Shows: shows, Program: Minimal(statements...)}
}

// infinite allows a constant to be infinite.
func infinite(raw uint32) bool { return raw == 0x7F0000 }

// picassoMeanings are known defects of picasso 2.7 that are not only lines.
var picassoMeanings = map[string]Defect{
	"v15 is refused": means(refusesValid, compute(pica.MOV, temporary(0), Operand{Class: 'v', Number: 15})),
	"outputs o8 to o15 collide with o0 to o7": {Shows: refusesValid, Program: ending(func(p *Program) {
		p.Outputs = []Output{{Name: "a", Semantic: "dummy", Register: 7, Mask: 0xF},
			{Name: "b", Semantic: "dummy", Register: 15, Mask: 0xF}}
	})},
	"negative offsets are refused": means(refusesValid, compute(pica.MOV, temporary(0), temporary(2))),
	"4097 words":                   {Base: geometric},
	"setemit flag without a comma": {Base: geometric},
	"unknown setemit flag":         {Base: geometric},
	"number beyond the range":      {Shows: wrongConstants, Allowed: infinite},
	"constant that is not a number": {Shows: wrongConstants,
		Allowed: func(raw uint32) bool { return pica.Float24.Class(raw) == pica.ClassNaN }},
	"subnormal constant": {Shows: wrongConstants, Program: ending(func(p *Program) {
		p.Constants = []Constant{{Class: 'c', Name: "k", Rows: []pica.Vec4{{0x20780000}}}}
	})},
	"empty program": {Base: &Program{Procedures: []Procedure{{Name: "main"}}, Style: 1 << 12}},
}

// nihstroMeanings are known defects of nihstro-assemble f4d8659 that are not only lines.
var nihstroMeanings = map[string]Defect{
	"setemitraw is not counted": {Base: geometric, Shows: wrongTables, Program: ending(func(p *Program) {
		p.Stage, p.Geometry = geometric.Stage, geometric.Geometry
		p.Procedures = []Procedure{Minimal(Statement{Kind: SetEmit}, Statement{Kind: SetEmit}).Procedures[0],
			{Name: "tail", Body: []Statement{{Kind: Nop}, {Kind: Emit}, {Kind: Nop}}}}
	})},
	"mova writes nothing": means(wrongMeaning, compute(pica.MOVA, Operand{Class: 'a', Mask: 12}, temporary(0))),
	"mad loses the address register": means(wrongMeaning, compute(pica.MAD, temporary(1), temporary(2),
		Operand{Class: 'c', Number: 5, Index: pica.IndexAL}, temporary(3))),
	"mad with a descriptor above 31": {Shows: wrongMeaning, Program: ending(func(p *Program) {
		var body []Statement
		for k := range 40 {
			body = append(body, compute(pica.MOV, temporary(1), Operand{Class: 'r', Selector: uint8(k + 1)}))
		}
		mad := compute(pica.MAD, temporary(1), temporary(2), temporary(3), temporary(4))
		p.Procedures[0].Body = append(append(body, mad), p.Procedures[0].Body...)
	})},
	"rsq writing no x": means(wrongMeaning,
		compute(pica.RSQ, Operand{Class: 'r', Number: 1, Mask: 4}, Operand{Class: 'r', Selector: 0x55})),
	"dph reads x for w": means(wrongMeaning, compute(pica.DPH, temporary(1), temporary(2), temporary(3))),
	"dph with a wide second operand and few letters": means(wrongMeaning,
		compute(pica.DPH, Operand{Class: 'r', Number: 1, Mask: 8}, temporary(2), uniform(3))),
	"lit writing no x": means(wrongMeaning,
		compute(pica.LITP, Operand{Class: 'r', Number: 1, Mask: 4}, Operand{Class: 'r', Selector: 0xFF})),
	"setemitraw above 3":      {Base: geometric},
	"infinite constant":       {Shows: wrongConstants, Allowed: infinite},
	"number beyond the range": {Shows: wrongConstants, Allowed: infinite},
	"entry that is not the first label": {Shows: "invalid file", Program: ending(func(p *Program) {
		p.Procedures = []Procedure{{Name: "zzhelper", Body: []Statement{{Kind: Nop}}}, p.Procedures[0]}
		p.Entry = 1
	})},
}

// aemstroMeanings are known defects of aemstro_as 51bfeef that are not only lines.
var aemstroMeanings = map[string]Defect{
	"index aL": means(refusesValid,
		compute(pica.MOV, temporary(1), Operand{Class: 'c', Number: 5, Index: pica.IndexAL})),
	"mad loses the address register": means(wrongMeaning, compute(pica.MAD, temporary(1), temporary(2),
		Operand{Class: 'c', Number: 5, Index: pica.IndexA0X}, temporary(3))),
	"word of zero": means(wrongMeaning,
		compute(pica.ADD, Operand{Class: 'o'}, Operand{Class: 'v'}, Operand{Class: 'v'})),
	"number beyond the range": {Shows: wrongConstants, Allowed: infinite},
}
