package bnshgen

import (
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const (
	variation = "variations[*]"
	program   = variation + ".binary"
	stageCode = program + ".*"
)

// ofStages are the fields of a name of all stages.
func ofStages(record, field string) (patterns []string) {
	for s := range bnsh.Stage(bnsh.NumStages) {
		patterns = append(patterns, record+s.String()+"."+field)
	}
	return patterns
}

// programFaults break the rules of variations, programs and plain binary code.
var programFaults = []fault{
	{"BNSH021", nil, set(gen.Other, variation+".parent.pointer"), nil},
	{"BNSH021", nil, nonzeroField(variation + ".reserved"), nil},
	{"BNSH021", nil, withoutProgram, nil},
	{"BNSH022", nil, lost(0xA0, 8, program+".pointer"), nil},
	{"BNSH022", nil, set(gen.Other, program+".parent.pointer"), nil},
	{"BNSH023", nil, setOr(gen.Above(3), gen.OneOf(3), program+".flags"), nil},
	{"BNSH023", nil, set(gen.Above(3), program+".code_type"), nil},
	{"BNSH023", nil, setOr(gen.Above(1), gen.OneOf(1), program+".source_format"), nil},
	{"BNSH023", nil, nonzeroField(program + ".reserved*"), nil},
	{"BNSH024", nil, set(gen.Between(1, 3), program+".code_type"), nil},
	// The relocation table covers the slot that is null now.
	{"BNSH024", nil, wrongSlot, []string{"BNSH028", "BNSH073", "BNSH076"}},
	{"BNSH025", nil, set(gen.Above(1), program+".binary_format"), nil},
	// A source array is a form that was never seen.
	{"BNSH025", inTexts, set(gen.Above(0), "variations[last].source.binary_format"), neverSeen},
	// The reflection is still there.
	{"BNSH026", nil, withoutStages, []string{"BNSH058"}},
	// The other stage has the record of one that was there, and neither reflection
	// nor a relocation entry; it may be half a tessellation.
	{"BNSH026", nil, computeAndOther, []string{"BNSH013", "BNSH039", "BNSH058", "BNSH073"}},
	{"BNSH027", object, set(gen.OneOf(0), "variations[last].binary.object.pointer", "variations[last].binary.object_size"),
		nil},
	{"BNSH027", object, set(tooMany("object.pointer", 1), "variations[last].binary.object_size"), nil},
	{"BNSH027", object, lost(1, 1, program+".object.pointer"), nil},
	{"BNSH027", object, nonzeroByte(program + ".object"), nil},
	{"BNSH027", lone, objectWithoutSize, nil},
	{"BNSH028", needs(onlyValid, inSource), ofRecord(programSize, at("variations[last].source.flags")), nil},
	{"BNSH028", needs(onlyValid, inTexts), ofRecord(programSize, at("variations[last].source.flags")), nil},
	{"BNSH028", needs(onlyValid, inIntermediate), ofRecord(programSize, at("variations[last].intermediate.flags")), nil},
	{"BNSH029", nil, set(gen.Other, program+".compiler_reflection.pointer"), nil},
	{"BNSH030", nil, lost(0x40, 8, ofStages(program+".", "pointer")...), nil},
	{"BNSH030", nil, set(gen.Other, stageCode+".data_address", stageCode+".decomposed_control.pointer"), nil},
	{"BNSH030", nil, nonzeroField(ofStages(program+".", "reserved")...), nil},
	{"BNSH031", nil, set(gen.OneOf(0), stageCode+".control.pointer", stageCode+".control_size"), nil},
	{"BNSH031", nil, lost(1, 1, stageCode+".control.pointer"), nil},
	{"BNSH031", nil, set(tooMany("control.pointer", 1), stageCode+".control_size"), nil},
	{"BNSH032", nil, set(gen.OneOf(0), stageCode+".code.pointer", stageCode+".code_size"), nil},
	{"BNSH032", nil, set(outsidePool, stageCode+".code.pointer"), nil},
	{"BNSH032", lone, setOr(gen.Beyond(poolRoom), poolRoom, lastCode+"_size"), nil},
	{"BNSH033", lone, setOr(gen.Between(1, 0xFF).Added, gen.OneOf(0x100).Added, lastCode+".pointer"), nil},
	{"BNSH034", twins, codeIntoCode, nil},
	{"BNSH034", twins, controlIntoControl, nil},
	{"BNSH037", missized(0x200, 4, 0x80, 0xFF, 0x101, 0x1FF), at("variations[last].binary.*.code_size"), nil},
	{"BNSH038", needs(onlyValid, inZlib), at("variations[last].binary.binary_format"), nil},
	{"BNSH039", halfTessellated, at("variations[last].binary.hull.pointer"), nil},
}

// Sizes of records.
const (
	variationSize = 0x40
	programSize   = 0xA0
	codeSize      = 0x40
)

// withoutProgram takes the program of a variation away.
func withoutProgram(f *file) gen.Place {
	r := f.pick(program + ".pointer")
	f.set(r, gen.OneOf(0))
	first := f.Sibling(r, "source.pointer")
	return gen.Place{Off: first.Off, Len: variationSize, Path: strings.TrimSuffix(first.Path, ".source.pointer")}
}

// wrongSlot puts a binary program where another belongs.
func wrongSlot(f *file) gen.Place {
	r := f.pick(program + ".pointer")
	p := f.Number(r)
	f.set(r, gen.OneOf(0))
	slot := gen.Pick(f.Choices, []string{"source.pointer", "intermediate.pointer"})
	holder := f.Sibling(r, slot)
	f.set(holder, gen.OneOf(p))
	return gen.Place{Off: int(p) + 1, Len: 1, Path: strings.TrimSuffix(holder.Path, "pointer") + "code_type"}
}

// withoutStages takes all code of a program away.
func withoutStages(f *file) gen.Place {
	r := f.pick(program + ".flags")
	for _, pointer := range ofStages("", "pointer") {
		f.set(f.Sibling(r, pointer), gen.OneOf(0))
	}
	return gen.Place{Off: r.Off, Len: programSize, Path: strings.TrimSuffix(r.Path, ".flags")}
}

// computeAndOther adds compute to other stages, or another stage to compute.
func computeAndOther(f *file) gen.Place {
	compute := f.pick(program + ".compute.pointer")
	added := compute
	if f.Number(compute) != 0 {
		added = f.Sibling(compute, gen.Pick(f.Choices, ofStages("", "pointer")[:bnsh.Compute]))
	}
	for _, pointer := range ofStages("", "pointer") {
		if record := f.Number(f.Sibling(compute, pointer)); record != 0 {
			f.set(added, gen.OneOf(record))
		}
	}
	return compute
}

// objectWithoutSize gives object memory to a program that needs none.
func objectWithoutSize(f *file) gen.Place {
	r := f.pick("variations[last].binary.object_size")
	f.set(f.Sibling(r, "object.pointer"), gen.Other)
	return r
}

// outsidePool draws an offset outside the memory pool.
func outsidePool(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	memory := d.Get("pool.memory.pointer")
	end := memory + d.Get("pool.size")
	return gen.Pick(c,
		[]uint64{memory - 1, memory - 0x100, end, end + 0x100, 1<<32 | d.Number(r), 1<<63 | d.Number(r)})
}

// poolRoom returns the size of code that goes on to the end of the memory pool.
func poolRoom(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return d.Get("pool.memory.pointer") + d.Get("pool.size") - d.Number(d.Sibling(r, "code.pointer"))
}

// codeIntoCode makes the code of the first twin reach into the code of the second.
func codeIntoCode(f *file) gen.Place {
	first, second := f.twin("code.pointer")
	at := f.Number(second)
	f.set(f.Sibling(first, "code_size"), gen.OneOf(at-f.Number(first)+0x100))
	return f.target(second, int(f.Number(f.Sibling(second, "code_size"))))
}

// controlIntoControl makes the control blob of one twin start inside the control blob of the other.
func controlIntoControl(f *file) gen.Place {
	first, second := f.twin("control.pointer")
	f.set(second, gen.OneOf(f.Number(first)+1+uint64(f.Below(controlSize-1))))
	return f.target(second, controlSize)
}

// twin returns a pointer of each of the twins.
func (f *file) twin(field string) (first, second gen.Place) {
	all := f.fields(stageCode + "." + field)
	return all[len(all)-2], all[len(all)-1]
}

// halfTessellated appends a variation with code for hull or for domain.
func halfTessellated(d *drawer, m *bnsh.File) {
	lone(d, m)
	s := gen.Pick(d.Choices, []bnsh.Stage{bnsh.Hull, bnsh.Domain})
	p := last(m)
	p.Stages = bnsh.PerStage[bnsh.Code]{}
	p.Stages[s] = d.binaryCode(s, 0x100)
	if other := bnsh.Hull + bnsh.Domain - s; d.Near() {
		p.Stages[other] = d.binaryCode(other, 0x100)
	}
}
