package vm_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"time"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/vm"
)

// scale multiplies every position by c0 and copies a colour.
const scale = `
	mul o0, c0, v0
	mov o1, v1
	end
`

// compiled returns a program compiled for profile f32.
func compiled(source string) *vm.Code {
	assembly, err := asm.Assemble([]asm.Source{{Text: source}}, asm.AssembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	p := profile.F32()
	code, err := vm.Compile(assembly.Program, pica.Vertex, &p)
	if err != nil {
		log.Fatal(err)
	}
	return code
}

// A million vertices as rows: all registers of a vertex, then the next one.
func Example() {
	const vertices = 1_000_000
	f := math.Float32bits
	rows := make([]pica.Vec4, 0, 2*vertices)
	for n := range vertices {
		rows = append(rows, pica.Vec4{f(float32(n)), f(1), f(-1), f(1)}, pica.Vec4{f(0.5), f(0.25), 0, f(1)})
	}
	batch := &vm.Batch{
		Count:     vertices,
		Floats:    []pica.Upload{{Register: 0, Format: pica.Float32, Values: []pica.Vec4{{f(2), f(3), f(4), f(1)}}}},
		Registers: 2, Format: pica.Float32, Rows: rows,
		OutMask: 1<<0 | 1<<1, OutFormat: pica.Float32, OutRows: make([]pica.Vec4, 2*vertices),
	}
	if _, err := compiled(scale).Run(batch); err != nil {
		log.Fatal(err)
	}
	last := batch.OutRows[2*(vertices-1):]
	fmt.Println(values(last[0]), values(last[1]))
	// Output: [1.999998e+06 3 -4 1] [0.5 0.25 0 1]
}

func values(v pica.Vec4) (list [4]float32) {
	for k, x := range v {
		list[k] = math.Float32frombits(x)
	}
	return list
}

// A million vertices as columns: one component of a register for all vertices. Nil columns cost
// nothing: v0.z reads as zeros, and only x of o0 is stored.
func ExampleBatch_columns() {
	const vertices = 1_000_000
	x, one := make([]uint32, vertices), make([]uint32, vertices)
	for n := range vertices {
		x[n], one[n] = math.Float32bits(float32(n)), math.Float32bits(1)
	}
	outX := make([]uint32, vertices)
	two := math.Float32bits(2)
	stats, err := compiled("\tmul o0, c0, v0\n\tend\n").Run(&vm.Batch{
		Count:     vertices,
		Floats:    []pica.Upload{{Format: pica.Float32, Values: []pica.Vec4{{two, two, two, two}}}},
		Registers: 1, Format: pica.Float32, Columns: [][]uint32{x, one, nil, one},
		OutMask: 1 << 0, OutFormat: pica.Float32, OutColumns: [][]uint32{outX, nil, nil, nil},
	})
	if err != nil {
		log.Fatal(err)
	}
	ran := 0
	for _, n := range stats.Vertices {
		ran += n
	}
	fmt.Println(ran, math.Float32frombits(outX[vertices-1]))
	// Output: 1000000 1.999998e+06
}

// A run ends soon after its context ends.
func ExampleBatch_proceed() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := compiled("here:\n\tjmpu !b0, here\n\tend\n").Run(&vm.Batch{
		Count: 1 << 20, Budget: 1 << 40, OutFormat: pica.Float32,
		Proceed: func() bool { return ctx.Err() == nil },
	})
	fmt.Println(errors.Is(err, pica.ErrInterrupted))
	// Output: true
}
