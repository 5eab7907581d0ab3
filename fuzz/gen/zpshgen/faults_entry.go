package zpshgen

import (
	"math"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// entryFaults break rules about the contents of entries: ZPSH015 to ZPSH019, ZPSH021 to ZPSH023 and ZPSH030.
var entryFaults = []gen.Fault{
	entry("ZPSH015", "instruction", func(k kit, e *zpsh.Entry) {
		e.Instruction = uint16(k.Wrong(uint64(len(k.Code)), math.MaxUint16, uint64(len(k.Code))-1))
		if e.Info.Type() == zpsh.Vertex && e.Instruction >= pica.MaxVertexCode {
			e.Info = k.info(zpsh.GeometryPoint) // ZPSH030 is about vertex entries
		}
	}),
	entry("ZPSH016", "info", func(k kit, e *zpsh.Entry) {
		reserved := (e.Info | 0xFFFC).Reserved() // of an info of this type
		e.Info |= zpsh.Info(k.Flip(uint64(reserved)))
	}),
	entry("ZPSH017", "info", func(k kit, e *zpsh.Entry) {
		e.Info = zpsh.FixedInfo(1+k.below(16), int(k.Wrong(pica.NumFloats, 0x7F, pica.NumFloats-1)))
	}),
	field("ZPSH018", "entries[*].int_mask", gen.Flags(0xFFF0)),
	entry("ZPSH019", "output_mask", func(k kit, e *zpsh.Entry) {
		e.OutputReserved = uint16(k.Flip(math.MaxUint16))
	}),
	model("ZPSH021", func(k kit) string {
		path, o := k.anOutput(0, pica.NumOutputs-1)
		o.Map |= zpsh.Map(k.Flip(0xE0E0E0E0))
		return path
	}),
	semantic("ZPSH022", 0, lastMapped, undefined, defined[len(defined)-1]),
	semantic("ZPSH023", lastMapped+1, pica.NumOutputs-1, defined, zpsh.Unused),
	model("ZPSH030", func(k kit) string {
		longVertexCode(k)
		return "header.counts"
	}),
	model("ZPSH030", func(k kit) string {
		i := longVertexCode(k)
		k.Entries[i].Instruction = uint16(k.Wrong(pica.MaxVertexCode, max(uint64(len(k.Code))-1, pica.MaxVertexCode),
			pica.MaxVertexCode-1))
		return entryField(i, "instruction")
	}, "ZPSH030"), // the code is too long as well: a shorter one would break ZPSH015
}

// entry is the fault of one entry, reported at a field of its header.
func entry(rule, field string, spoil func(k kit, e *zpsh.Entry)) gen.Fault {
	return model(rule, func(k kit) string {
		i, e := k.anEntry()
		spoil(k, e)
		return entryField(i, field)
	})
}

// semantic gives a component of an output, whose register is from low to high,
// one of the wrong semantics.
func semantic(rule string, low, high int, wrong []zpsh.Semantic, right zpsh.Semantic) gen.Fault {
	return model(rule, func(k kit) string {
		path, o := k.anOutput(low, high)
		shift := 8 * k.below(4)
		o.Map = o.Map&^(0x1F<<shift) | zpsh.Map(gen.Breach(k.Choices, gen.Pick(k.Choices, wrong), right))<<shift
		return path
	})
}

// longVertexCode makes the code too long for the vertex unit, and an entry a
// vertex entry that starts in the part that fits. It returns its index.
func longVertexCode(k kit) int {
	longest := uint64(600)
	if k.Rarely() {
		longest = pica.MaxCode
	}
	k.recode(int(k.Wrong(pica.MaxVertexCode+1, longest, pica.MaxVertexCode)))
	for i := range k.Entries {
		if e := &k.Entries[i]; e.Info.Type() == zpsh.Vertex {
			e.Instruction = uint16(k.below(pica.MaxVertexCode))
		}
	}
	i, e := k.anEntry()
	e.Info, e.Instruction = zpsh.VertexInfo(), uint16(k.below(pica.MaxVertexCode))
	return i
}
