package gx2

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// outputWords are the registers that name the outputs of a vertex or geometry shader.
type outputWords struct {
	count bitsAt // parameters, minus 1
	ids   array
}

func outputWordsOf(t Type) outputWords {
	return outputWords{fieldOf(t, "SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT"), arrayOf(t, "num_spi_vs_out_id")}
}

// The registers that the rules compare.
var (
	outputRegisters = [...]outputWords{Vertex: outputWordsOf(Vertex), Geometry: outputWordsOf(Geometry)}

	vertexGPRs    = fieldOf(Vertex, "SQ_PGM_RESOURCES_VS", "NUM_GPRS")
	vertexInputs  = arrayOf(Vertex, "num_sq_vtx_semantic")
	vertexClear   = wordOf(Vertex, "SQ_VTX_SEMANTIC_CLEAR")
	pixelGPRs     = fieldOf(Pixel, "SQ_PGM_RESOURCES_PS", "NUM_GPRS")
	pixelInputs   = arrayOf(Pixel, "num_spi_ps_input_cntl")
	interpolated  = fieldOf(Pixel, "SPI_PS_IN_CONTROL_0", "NUM_INTERP")
	positionUsed  = fieldOf(Pixel, "SPI_PS_IN_CONTROL_0", "POSITION_ENA")
	positionAt    = fieldOf(Pixel, "SPI_PS_IN_CONTROL_0", "POSITION_ADDR")
	inputDefault  = fieldOf(Pixel, "SPI_PS_INPUT_CNTL_0", "DEFAULT_VAL")
	targetMask    = wordOf(Pixel, "CB_SHADER_MASK")
	targetControl = wordOf(Pixel, "CB_SHADER_CONTROL")
	exportMode    = fieldOf(Pixel, "SQ_PGM_EXPORTS_PS", "EXPORT_MODE")
	depthControl  = wordOf(Pixel, "DB_SHADER_CONTROL")
	depthExports  = fieldOf(Pixel, "DB_SHADER_CONTROL", "Z_EXPORT_ENABLE").mask |
		fieldOf(Pixel, "DB_SHADER_CONTROL", "STENCIL_REF_EXPORT_ENABLE").mask |
		fieldOf(Pixel, "DB_SHADER_CONTROL", "MASK_EXPORT_ENABLE").mask
)

const (
	noSemantic   = 0xFF // the byte of an element without a semantic
	semanticBits = 8
	idsInWord    = 32 / semanticBits
)

// fields checks that registers have no bits outside of their fields: GX2067.
func (m *Meaning) fields() (ok bool) {
	ok = true
	form := &structures[m.shader.Type]
	for i, word := range m.shader.Registers {
		if odd := word &^ form.masks[i]; odd != 0 && m.isUsed(form, i) {
			ok = false
			m.Report("GX2067", m.word(i),
				shows(func() string { return "0 in bits " + bitList(odd) }), diag.Hex(uint64(word)))
		}
	}
	return ok
}

// isUsed reports whether a register is not an unused element of an array.
func (m *Meaning) isUsed(form *structure, i int) bool {
	for _, a := range form.arrays {
		if i > a.count+int(m.shader.Registers[a.count]) && i <= a.count+a.len {
			return false
		}
	}
	return true
}

// bitList names the bits of a mask: "9, 16-23".
func bitList(mask uint32) string {
	var runs []string
	for mask != 0 {
		low := bits.TrailingZeros32(mask)
		n := bits.TrailingZeros32(^(mask >> low))
		run := strconv.Itoa(low)
		if n > 1 {
			run += "-" + strconv.Itoa(low+n-1)
		}
		runs = append(runs, run)
		mask &^= uint32(1<<n-1) << low
	}
	return strings.Join(runs, ", ")
}

// attributes compares the attributes with the semantics that the fetch shader loads: GX2056, GX2057, and
// GX2058 and GX2059 of the semantics.
func (m *Meaning) attributes() {
	s := m.shader
	used := vertexInputs.used(s.Shader)
	var loaded, covered set256
	for _, v := range used {
		loaded.add(v & 0xFF)
	}
	for i := range s.Attributes {
		v := &s.Attributes[i]
		if at := v.Location; at < tables[attributeTable].maxLocations && !loaded.has(at) {
			m.Report("GX2056", m.record(attributeTable, i, "location"), diag.Text("a semantic of the registers"),
				diag.Dec(uint64(at)))
		}
		for at := uint64(v.Location); at < min(uint64(v.Location)+v.locations(), noSemantic); at++ {
			covered.add(uint32(at))
		}
	}
	for i, v := range used {
		if v &= 0xFF; v != noSemantic && len(s.Attributes) > 0 && !covered.has(v) {
			m.Report("GX2057", m.word(vertexInputs.count+1+i), diag.Text("the location of an attribute"),
				diag.Dec(uint64(v)))
		}
	}
	m.repeats(vertexInputs, 1)
	m.enoughRegisters(vertexGPRs, uint32(len(used))+1)
}

// repeats reports semantics that an array has twice, with a number of them in each word: GX2058.
func (m *Meaning) repeats(a array, inWord int) {
	var seen set256
	for i, word := range a.used(m.shader.Shader) {
		for range inWord {
			if v := word & 0xFF; v != noSemantic && !seen.add(v) {
				m.Report("GX2058", m.word(a.count+1+i), diag.Text("a semantic once"), diag.Dec(uint64(v)))
			}
			word >>= semanticBits
		}
	}
}

// enoughRegisters compares the number of registers of a program with the number of registers that the hardware loads
// before it starts: GX2059.
func (m *Meaning) enoughRegisters(gprs bitsAt, least uint32) {
	if n := gprs.in(m.shader.Shader); n < least {
		m.Report("GX2059", m.word(gprs.word), diag.Value{Format: "NUM_GPRS >= %d", N: uint64(least)},
			diag.Dec(uint64(n)))
	}
}

// outputs checks the list of outputs: GX2058, GX2060, GX2061.
func (m *Meaning) outputs() {
	s, w := m.shader, &outputRegisters[m.shader.Type]
	m.repeats(w.ids, idsInWord)
	n, gap, broken := uint32(0), -1, false
	for i, word := range w.ids.used(s.Shader) {
		for range idsInWord {
			switch {
			case word&0xFF != noSemantic:
				n++
				broken = broken || gap >= 0
			case !broken && gap < 0:
				gap = i
			}
			word >>= semanticBits
		}
	}
	if count := w.count.in(s.Shader) + 1; n != count && n > 0 {
		sev := diag.Info
		if n > count {
			sev = diag.Warning
		}
		m.ReportAs(sev, "GX2060", m.word(w.count.word), diag.Value{Format: "VS_EXPORT_COUNT + 1 = %d", N: uint64(n)},
			diag.Dec(uint64(count)))
	}
	if broken {
		m.Report("GX2061", m.word(w.ids.count+1+gap), diag.Text("no 0xff before another semantic"),
			diag.Hex(uint64(s.Registers[w.ids.count+1+gap])))
	}
	for i := int(s.Registers[w.ids.count]); i < w.ids.len; i++ {
		if at := w.ids.count + 1 + i; s.Registers[at] == 0 {
			m.ReportAs(diag.Info, "GX2061", m.word(at), diag.Value{Format: "0x%x behind the list", N: unusedOutID},
				diag.Dec(0))
			return
		}
	}
}

// clear checks SQ_VTX_SEMANTIC_CLEAR: GX2068.
func (m *Meaning) clear() {
	s := m.shader
	expected := uint32(uint64(1<<32-1) << s.Registers[vertexInputs.count])
	if v := s.Registers[vertexClear]; v != expected && v != 1<<32-1 {
		m.Report("GX2068", m.word(vertexClear), diag.Hex(uint64(expected)), diag.Hex(uint64(v)))
	}
}

// inputs checks the inputs of a pixel shader: GX2058, GX2059, GX2062, GX2063.
func (m *Meaning) inputs() {
	s := m.shader
	n := interpolated.in(s.Shader)
	m.repeats(pixelInputs, 1)
	m.enoughRegisters(pixelGPRs, n)
	if count := s.Registers[pixelInputs.count]; n != count {
		m.Report("GX2062", m.word(interpolated.word), diag.Value{Format: "NUM_INTERP %d", N: uint64(count)},
			diag.Dec(uint64(n)))
	}
	if at := positionAt.in(s.Shader); positionUsed.in(s.Shader) != 0 && at >= n {
		expected := diag.Value{Format: "POSITION_ADDR < %d", N: uint64(n)}
		if n == 0 {
			expected = diag.Text("no POSITION_ADDR, for NUM_INTERP is 0")
		}
		m.Report("GX2063", m.word(positionAt.word), expected, diag.Dec(uint64(at)))
	}
}

// targets checks the exports of a pixel shader: GX2065, GX2066.
func (m *Meaning) targets() {
	words := m.shader.Registers
	control, mask := words[targetControl], words[targetMask]
	expected := uint32(0)
	for i, f := range structures[Pixel].words[targetMask].Fields {
		if mask&f.Mask() != 0 {
			expected |= 1 << i
		}
	}
	if control != expected {
		m.Report("GX2065", m.word(targetMask),
			diag.Value{Format: "outputs as in CB_SHADER_CONTROL 0x%x", N: uint64(control)}, diag.Hex(uint64(mask)))
	}
	colours, depth := uint32(bits.OnesCount32(control)), uint32(0)
	if words[depthControl]&depthExports != 0 {
		depth = 1
	}
	mode := exportMode.in(m.shader.Shader)
	if mode>>1 != colours && (mode>>1 != 1 || colours != 0) || mode&1 != depth {
		m.Report("GX2066", m.word(exportMode.word),
			diag.Value{Format: "EXPORT_MODE %d", N: uint64(colours<<1 | depth)}, diag.Dec(uint64(mode)))
	}
}
