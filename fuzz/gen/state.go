package gen

import "github.com/picaproof/picaproof/pica"

// Limits of a job.
const (
	maxVertices = 4
	runLength   = 10 // registers of an upload that is drawn
)

// numbered are float uniforms that differ from register to register and in
// which no number exceeds largestInteger, in all formats.
var numbered = func() (tables [pica.NumNumberFormats][pica.NumFloats]pica.Vec4) {
	for k := range pica.NumFloats {
		for c, n := range [4]int{k & 7, k >> 3 & 7, k * 5 >> 1 & 7, 7 - k&7} {
			for format := range pica.NumNumberFormats {
				tables[format][k][c] = format.Integer(int64(n))
			}
		}
	}
	return tables
}()

// format draws the format in which numbers are given.
func (g *Generator) format() pica.NumberFormat {
	if g.c.Chance(12) {
		return pica.Float24
	}
	return pica.Float32
}

// upload appends an upload.
func (g *Generator) upload(register int, format pica.NumberFormat, values []pica.Vec4) {
	g.job.Floats = append(g.job.Floats, pica.Upload{Register: register, Format: format, Values: values})
}

// uniforms draws float uniforms: few at the start, in the middle or over the
// end, now and then on top of a full set, and another few over these.
func (g *Generator) uniforms() {
	if g.c.Chance(3) {
		format := g.format()
		g.upload(0, format, numbered[format][:])
	}
	g.run(Pick(&g.c, []int{0, 0, 0, 0, 1, 37, pica.NumFloats - 8, pica.NumFloats - 5}), &g.runs[0], runLength)
	if g.c.Chance(2) {
		g.run(g.c.Below(runLength), &g.runs[1], 1+g.c.Below(3))
	}
}

// run draws an upload of n registers.
func (g *Generator) run(register int, values *[runLength]pica.Vec4, n int) {
	format := g.format()
	for k := range values[:n] {
		for c := range 4 {
			values[k][c] = g.c.in(format, g.c.component())
		}
	}
	g.upload(register, format, values[:n])
}

// vertices sets up n vertices with room for so many registers each.
func (g *Generator) vertices(n, registers int) {
	g.job.InputFormat = g.format()
	for i := range n {
		g.rows[i] = g.inputs[i][:registers]
	}
	g.job.Vertices = g.rows[:n]
}

// attributes draws the inputs of vertices: mostly four registers, now and then
// all or few.
func (g *Generator) attributes() {
	registers := usualInputs
	switch g.c.Bits(4) {
	case 1:
		registers = pica.NumInputs
	case 2:
		registers = g.c.Below(usualInputs)
	}
	g.vertices(1+int(g.c.Bits(1)), registers)
	if last := &g.rows[len(g.job.Vertices)-1]; g.c.Chance(2) {
		*last = (*last)[:g.c.Below(registers+1)] // the other registers are zero, whatever the vertex before had
	}
	for _, v := range g.job.Vertices {
		for k := range v {
			for c := range v[k] {
				v[k][c] = g.c.in(g.job.InputFormat, g.c.component())
			}
		}
	}
}

// decisions draws the uniforms that flow control reads. Loops are short, but
// aL starts and steps anywhere now and then.
func (g *Generator) decisions() {
	for k := range g.job.Ints {
		i := &g.job.Ints[k]
		*i = [4]uint8{uint8(g.c.Bits(2)), uint8(g.c.Bits(3)), uint8(g.c.Bits(2)), uint8(g.c.Bits(1))}
		switch g.c.Bits(4) {
		case 1:
			i[1] = uint8(128 + g.c.Bits(7))
		case 2:
			i[2] = uint8(g.c.Bits(8))
		}
	}
	if g.c.Bits(6) == 1 {
		g.job.Ints[g.c.Bits(2)][0] = 255
	}
	g.job.Bools = uint16(g.c.Bits(16))
}

// state draws inputs and uniforms of a program that computes with any numbers.
func (g *Generator) state() {
	g.job.Keep = g.c.Chance(4)
	g.attributes()
	g.uniforms()
	g.decisions()
}

// Vertex draws the input registers of one vertex in raw float24, valid until
// the next call.
func (g *Generator) Vertex(src Source) [][]pica.Vec4 {
	g.c = Choices{src: src}
	for k := range g.inputs[0] {
		for c := range g.inputs[0][k] {
			g.inputs[0][k][c] = g.c.component()
		}
	}
	g.rows[0] = g.inputs[0][:]
	return g.rows[:1]
}
