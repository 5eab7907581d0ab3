package show

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Inputs lists the uniforms and inputs of a job, one a line, without registers of
// zeros: "c1 = 0.5, 0, 0, 1 (3e0000 000000 000000 3f0000)".
func Inputs(job *pica.Job) []string {
	lines := []string{}
	add := func(f pica.NumberFormat, name string, v pica.Vec4) {
		if v == (pica.Vec4{}) {
			return
		}
		var values, bits [4]string
		for c, x := range v {
			values[c], bits[c] = f.Decimal(x), f.Hex(x)
		}
		lines = append(lines,
			fmt.Sprintf("%s = %s (%s)", name, strings.Join(values[:], ", "), strings.Join(bits[:], " ")))
	}
	for _, u := range job.Floats {
		for k, v := range u.Values {
			add(u.Format, fmt.Sprintf("c%d", u.Register+k), v)
		}
	}
	for k, v := range job.Ints {
		if v != [4]uint8{} {
			lines = append(lines, fmt.Sprintf("i%d = %d, %d, %d, %d", k, v[0], v[1], v[2], v[3]))
		}
	}
	for k := range pica.NumBools {
		if job.Bools>>k&1 != 0 {
			lines = append(lines, fmt.Sprintf("b%d = true", k))
		}
	}
	for n, registers := range job.Vertices {
		vertex := ""
		if len(job.Vertices) > 1 {
			vertex = fmt.Sprintf("vertex %d: ", n)
		}
		for k, v := range registers {
			add(job.InputFormat, fmt.Sprintf("%sv%d", vertex, k), v)
		}
	}
	return lines
}
