package latte

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// exportRules compare the exports with the stage and with the registers of the structure.
var exportRules = []Rule{
	{"LATTE020", Warning, document, "A stage cannot have the instruction.", compareStage(func(c *checker) {
		for i := range c.CF {
			if cf := &c.CF[i]; !c.Stage.allows(cf) {
				c.code(cf.At*WordBytes, WordBytes, "%s in a %v program", cf.Op().Name, c.Stage)
			}
		}
	})},
	{"LATTE074", Warning, document,
		"The numbers of the exported parameters have a gap. This and the rules up to LATTE079 are about " +
			"vertex shaders without geometry shader, and about copy programs.",
		compare(func(c *checker) {
			if numbers := c.exports(parameterExport); c.exportsOutputs() && numbers&(numbers+1) != 0 {
				c.place(OutConfig, "PARAM%d in a list of %d", bits.Len64(numbers)-1, bits.OnesCount64(numbers))
			}
		})},
	{"LATTE075", Warning, document, "VS_EXPORT_COUNT + 1 is not the number of exported parameters.",
		compare(func(c *checker) {
			n := bits.OnesCount64(c.exports(parameterExport))
			if c.exportsOutputs() && n > 0 && n != c.Parameters {
				c.place(OutConfig, "VS_EXPORT_COUNT + 1 = %d, exported %d", c.Parameters, n)
			}
		})},
	{"LATTE075", Info, document,
		"VS_EXPORT_COUNT + 1 is not the number of exported parameters. It cannot be 0, but no parameter is exported.",
		compare(func(c *checker) {
			if c.exportsOutputs() && c.exports(parameterExport) == 0 {
				c.place(OutConfig, "VS_EXPORT_COUNT + 1 = %d, exported 0", c.Parameters)
			}
		})},
	{"LATTE076", Warning, files,
		"More parameters are exported than the SPI_VS_OUT_ID registers have semantics. A register has four.",
		compare(func(c *checker) {
			n := bits.OnesCount64(c.exports(parameterExport))
			if c.exportsOutputs() && n > len(c.OutIDs) {
				c.place(OutIDCount, "exported %d, room for %d", n, len(c.OutIDs))
			}
		})},
	{"LATTE077", Info, files, "An exported parameter has no semantic.", compare(func(c *checker) {
		n := bits.OnesCount64(c.exports(parameterExport))
		k := bytes.IndexByte(c.OutIDs[:min(n, len(c.OutIDs))], noSemantic)
		if c.exportsOutputs() && k >= 0 {
			c.place(OutIDCount, "PARAM%d", k)
		}
	})},
	{"LATTE078", Warning, document, "No position is exported.", compare(func(c *checker) {
		if c.exportsOutputs() && !c.exportsPosition() {
			c.place(OutControl, "")
		}
	})},
	{"LATTE079", Warning, document,
		"The exported position vectors are not those that PA_CL_VS_OUT_CNTL enables. They are 60, and one " +
			"more for each of VS_OUT_MISC_VEC_ENA, VS_OUT_CCDIST0_VEC_ENA and VS_OUT_CCDIST1_VEC_ENA.",
		compare(func(c *checker) {
			vectors := c.exports(positionExport) >> firstPosition
			if c.exportsOutputs() && c.exportsPosition() && vectors != 1<<c.Positions-1 {
				c.place(OutControl, "exported %d, enabled %d", bits.OnesCount64(vectors), c.Positions)
			}
		})},
	{"LATTE080", Warning, document,
		"The number of colour exports is not that of SQ_PGM_EXPORTS_PS. Bits 1 to 4 of the register have it.",
		compare(func(c *checker) {
			if n := bits.OnesCount64(c.colours()); c.Stage == Pixel && n != c.Colours {
				c.place(PixelExports, "exported %d, declared %d", n, c.Colours)
			}
		})},
	{"LATTE081", Warning, document, "The export of depth, bit 0 of SQ_PGM_EXPORTS_PS and Z_EXPORT_ENABLE disagree.",
		compare(func(c *checker) {
			depth := c.exports(pixelExport)>>depthExport&1 != 0
			if c.Stage == Pixel && (depth != c.Depth || depth && !c.DepthWrite) {
				c.place(PixelExports, "depth exported %v, bit 0 %v, Z_EXPORT_ENABLE %v", depth, c.Depth, c.DepthWrite)
			}
		})},
	{"LATTE082", Warning, files, "The colour exports are not 0 to n-1 for the n outputs of CB_SHADER_MASK.",
		compare(func(c *checker) {
			outputs := 0
			for mask := c.ColourMask; mask != 0; mask >>= 4 {
				if mask&0xF != 0 {
					outputs++
				}
			}
			if colours := c.colours(); c.Stage == Pixel && colours != 1<<outputs-1 {
				c.place(ColourMask, "exported %s, enabled %d", numbers("PIX", colours), outputs)
			}
		})},
	{"LATTE083", Warning, document,
		"KILL_ENABLE and what the program does to pixels disagree. A program with KILL* needs KILL_ENABLE.",
		compare(func(c *checker) {
			for i := range c.ALU {
				if a := &c.ALU[i]; c.Stage == Pixel && !c.Kill && a.Op().effect == kills {
					c.code(int(a.At)*WordBytes, WordBytes, "%s with KILL_ENABLE 0", a.Op().Name)
				}
			}
		})},
	{"LATTE083", Info, document,
		"KILL_ENABLE and what the program does to pixels disagree. One that never kills does not need it.",
		compare(func(c *checker) {
			if c.Stage == Pixel && c.Kill && !c.killsPixels() {
				c.place(DepthControl, "KILL_ENABLE 1 with nothing that kills")
			}
		})},
}

// The types of exports.
const (
	pixelExport     = 0
	positionExport  = 1
	parameterExport = 2
)

const (
	firstPosition = 60
	depthExport   = 61
	noSemantic    = 0xFF

	cfEmitVertex = 0x15
	cfCutVertex  = 0x17
	cfKill       = 0x18

	maskKill = 3 // the operation of UPDATE_EXEC_MASK
)

// allows reports whether a stage can have a control-flow word.
func (s Stage) allows(cf *CF) bool {
	op := cf.Op()
	switch {
	case op.form == exportForm:
		return (s == Pixel) == (exportType.of(cf.Words) == pixelExport)
	case op.form != normalForm:
		return true
	case op.Code == cfCallFS:
		return s == Vertex
	case op.Code >= cfEmitVertex && op.Code <= cfCutVertex:
		return s == Geometry
	}
	return true
}

// exportNumbers has a bit for each number that an export of a type may have.
var exportNumbers = [4]uint64{
	pixelExport: 0xFF | 1<<depthExport, positionExport: 0xF << firstPosition, parameterExport: 1<<32 - 1,
}

// exports returns a bit for each number of the exports of a type. Numbers that do not exist are left out.
func (c *checker) exports(kind uint32) (numbers uint64) {
	for i := range c.CF {
		if w := c.CF[i].Words; c.CF[i].Op().form == exportForm && exportType.of(w) == kind {
			for k := range exportBurst.of(w) + 1 {
				numbers |= 1 << (exportBase.of(w) + k)
			}
		}
	}
	return numbers & exportNumbers[kind]
}

// numbers returns "PIX0, PIX2" for bits 0 and 2, and "none" for no bit.
func numbers(name string, set uint64) string {
	var list []string
	for ; set != 0; set &= set - 1 {
		list = append(list, fmt.Sprintf("%s%d", name, bits.TrailingZeros64(set)))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// killsPixels reports whether an instruction kills: KILL*, the control-flow word KILL, or an update of the mask.
func (c *checker) killsPixels() bool {
	return c.calls(cfKill) || slices.ContainsFunc(c.ALU, func(a ALU) bool {
		masks := !a.isOP3() && aluExecMask.flag(a.Words) && aluOMod.of(a.Words) == maskKill
		return masks || a.Op().effect == kills
	})
}

// colours returns a bit for each colour that is exported.
func (c *checker) colours() uint64 { return c.exports(pixelExport) &^ (1 << depthExport) }

func (c *checker) exportsPosition() bool { return c.exports(positionExport)>>firstPosition&1 != 0 }
