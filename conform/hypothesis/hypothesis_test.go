package hypothesis_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// jobOf returns the job of a program under profile f32 with LITP. Lane i of v2 is 2 + i/8, of c2 it is 32 + i/8; each
// vertex has inputs that are larger by 100.
func jobOf(t *testing.T, source string) *pica.Job {
	t.Helper()
	text := ".proc main\n" + source + "\nend\n.end\n"
	if source[0] == '.' {
		text = ".gsh\n.proc main\n" + source[5:] + "\nend\n.end\n"
	}
	a, err := asm.Assemble([]asm.Source{{Name: "test", Text: text}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	vector := func(n int) (v pica.Vec4) {
		for i := range v {
			v[i] = math.Float32bits(float32(n) + float32(i)/8)
		}
		return v
	}
	j := &pica.Job{Program: a.Program, OutMask: 0xFFFF, InputFormat: pica.Float32, Bools: 2,
		Ints: [pica.NumInts][4]uint8{{2, 1, 3}, {1, 200, 200}, {}, {1, 100, 200}}}
	j.Profile, _ = profile.Parse("f32,op.litp=run")
	if source[0] == '.' {
		j.Stage = pica.Geometry
	}
	for n := range 2 {
		var inputs []pica.Vec4
		for k := range pica.NumInputs {
			inputs = append(inputs, vector(k+100*n))
		}
		j.Vertices = append(j.Vertices, inputs)
	}
	for n := range pica.NumFloats {
		j.Floats = append(j.Floats, pica.Upload{Register: n, Format: pica.Float32, Values: []pica.Vec4{vector(30 + n)}})
	}
	return j
}

// TestFamilies: each kind of hypothesis about a program changes its result as its name says.
func TestFamilies(t *testing.T) {
	for _, x := range []struct{ source, name, want string }{ // o0 of the last vertex
		{"mov o0, v2.yzwx", "", "[102.125 102.25 102.375 102]"},
		{"mov o0, v2.yzwx", "lane x of source 1 is selected as its lane z", "[102.375 102.25 102.375 102]"},
		{"mov o0, v2.yzwx", "lane w of source 1 is w", "[102.125 102.25 102.375 102.375]"},
		{"mov o0, v2.yzwx", "source 1 is not swizzled", "[102 102.125 102.25 102.375]"},
		{"mov o0, -v2", "reads the magnitude of source 1", "[102 102.125 102.25 102.375]"},
		{"mov o0, v2", "reads x of source 1 for all lanes", "[102 102 102 102]"},
		{"mov r0, v2\nmov r0, r0.wxyz\nmov o0, r0", "reads source 1 while its destination is written",
			"[102.375 102.375 102.375 102.375]"},
		{"mov r0, v2\nadd r0, c2, r0.yxxx\nmov o0, r0", "reads source 2 while its destination is written",
			"[134.125 166.25 166.375 166.5]"},
		{"mov r0, v2\nadd r0, r0.wxxx, r0.yxxx\nmov o0, r0", "reads its sources while its destination is written",
			"[204.5 409 409 409]"},
		{"mov r7, v2\nex2 r7.x, r1.x\nmov o0, r7", "ex2: r7 becomes 0", "[1 0 0 0]"},
		{"mov r1, v3\nrcp r0, v2\nmov o0, r1", "rcp: r1.y becomes w of source 1", "[103 102.375 103.25 103.375]"},
		{"mov r1, v3\nmax r2, v2, v2\nmov o0, r1", "r1.y becomes z of the result, destination r2",
			"[103 102.25 103.25 103.375]"},
		{"mul o0, r1, v2", "mul: the result is 1 where source 1 is a zero in all lanes", "[1 1 1 1]"},
		{"rsq o0, v2", "rsq: the result is the same lane of source 1 in all lanes but x",
			"[0.09901476 102.125 102.25 102.375]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end", "aL as an index is that of the pass before", "[34 34.125 34.25 34.375]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end", "aL as an index is the first of its loop", "[31 31.125 31.25 31.375]"},
		{"mov o0, v2.xxyy", "selectors xxyy act as xyxy", "[102 102.125 102 102.125]"},
		{"mov o0, c2", "each vector is y, x, w, z in uploads of float uniforms", "[32.125 32 32.375 32.25]"},
		{"mov o0.xyz, v2", "w of the destination becomes 1", "[102 102.125 102.25 1]"},
		{"mova a0.y, v3.y\nmov o0, c2[a0.x].y", "a0.x is written with the other lane, too", "[1 1 1 1]"},
		{"mova a0.x, c2.x\nmov o0, c2[a0.x]", "the instruction behind mova has the index of before",
			"[32 32.125 32.25 32.375]"},
		{"mova a0.x, c2.x\nmov o0, c2[a0.x]", "the word behind mova has the index of before", "[32 32.125 32.25 32.375]"},
		{"for i0\nmov r0, c0[a0.x]\nmova a0.x, r0.x\n.end\nmov o0, r0",
			"the instruction behind mova has the index of before", "[60 60.125 60.25 60.375]"},
		{"for i0\nmova a0.x, v2.x\nmov o0, c0[a0.x]\nnop\n.end", "a0 as an index in a loop is that of its start",
			"[30 30.125 30.25 30.375]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x", "a loop has one pass more, behind 256 passes, too",
			"[408 408 408 408]"},
		{"for i2\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x", "loop: has a count of 255", "[26112 26112 26112 26112]"},
		{"ifu b0\nnop\n.else\nmov o0, v2\nmov o0.x, v3\n.end", "goes to the word behind its target", "[103 0 0 0]"},
		{"mov r1, v3\nadd o0, v2, -r1", "reads lane w of source 2 not negated", "[-1 -1 -1 205.75]"},
		{"dph o0, r1.w, v2", "w of the register of source 1 is 1", "[408.75 408.75 408.75 408.75]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "the instruction behind cmp has the flags of before",
			"[0 0 0 0]"},
		{"rsq r1, -v2\ncmp v0.x, eq, eq, r1.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "operator 0 is true for NaN",
			"[102 102.125 102.25 102.375]"},
		{"ifu b1\nend\nnop\n.end\nmov o0, v2", "end in an if is ignored", "[102 102.125 102.25 102.375]"},
		{"for i0\nmov o0, v2\nend\nnop\n.end\nmov o0, v3", "end in a loop leaves it", "[103 103.125 103.25 103.375]"},
		{"jmpu b1, inside\nifu b0\nnop\ninside:\nmov o0, v2\n.else\nmov o0.xy, v3\n.end",
			"an if ends where the program has it, however control came there", "[102 102.125 102.25 102.375]"},
		{"mov r1, v3\nadd o0, v2, -r1", "source 1 is negated by the bit of source 2", "[-205 -205.25 -205.5 -205.75]"},
		{"for i0\nadd r0, v2, r0\nmov o0, r0\nend\nnop\n.end\nmov o0.x, v3", "end in a loop ends its pass",
			"[103 306.375 306.75 307.125]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end", "loop: has count, start and step in yzx of the integer",
			"[35 35.125 35.25 35.375]"},
		{"mov r0, v2\nmad o0, r1, r0, r0", "mad: the result is 1 where source 1 or 2 is a zero", "[1 1 1 1]"},
		{"ifu b1\nend\nmov o0, v2\n.end\nmov o0.xy, v3", "end in an if leaves it", "[103 103.125 0 0]"},
		{"for i0\nfor i0\nadd r0, v2, r0\nnop\n.end\nnop\n.end\nmov o0, r0", "the stack of loop holds 1 and loses the newest",
			"[306 306.375 306.75 307.125]"},
		{"mov r1, v3\nsge o0, v2, r1", "reads sources 1 and 2 exchanged", "[1 1 1 1]"},
		{"mov r1, v3\nmul o0, c2, -r1.x", "reads no source negated", "[3296 3308.875 3321.75 3334.625]"},
		{"mov o0, v2.yzwx", "lanes x and w of source 1 are exchanged", "[102 102.25 102.375 102.125]"},
		{"mov r1, v3\nmul o0, c2.x, r1", "source 2 is swizzled as source 1", "[3296 3296 3296 3296]"},
		{"mov r1, v3\nmul o0, -c2.x, r1", "source 2 is swizzled and negated as source 1", "[3296 3296 3296 3296]"},
		{"mov r1, v3\nmul o0, c2, -r1.x", "reads source 1 negated as source 2", "[3296 3308.875 3321.75 3334.625]"},
		{"mov r0, -v2\nmov o0, -r0", "reads source 1 with its sign set where it is negated", "[-102 -102.125 -102.25 -102.375]"},
		{"mov r0, -v2\nmov o0, -r0", "negates by setting the sign", "[-102 -102.125 -102.25 -102.375]"},
		{"mov r1, v3\nadd o0, v2, -r1", "reads sources 1 and 2 negated as each other", "[1 1 1 1]"},
		{"mova a0.x, v3.x\nmov o0, -c2[a0.x]", "reads the float uniform with an index not negated", "[1 1 1 1]"},
		{"mova a0.x, -v2.x\nmov o0, c70[a0.x]", "an index to c96 reads zeros", "[0 0 0 0]"},
		{"mova a0.x, -v2.x\nmov o0, c69[a0.x]", "an index to c95 reads ones", "[1 1 1 1]"},
		{"mova a0.x, -v2.x\nmov o0, c2[a0.x]", "a0 has 8 bits without a sign", "[32 32.125 32.25 32.375]"},
		{"mova a0.xy, v2\nmova a0.x, v3.x\nmov o0, c2[a0.y]", "a0.y becomes 0 where mova writes the other lane alone",
			"[32 32.125 32.25 32.375]"},
		{"mov o0, v2", "source 1 is negated by the bit above its own, too", "[-102 -102.125 -102.25 -102.375]"},
		{"mov r1, v3\nadd o0, -c2, -r1", "reads lane w of no source negated", "[-135 -135.25 -135.5 135.75]"},
		{"rsq r1, -c2.x\nmul o0, c2, r1", "a product whose second factor is NaN is 0", "[0 0 0 0]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "an index to c96 and above reads c0 and above", "[39 39.125 39.25 39.375]"},
		{"ex2 o0, c0.y", "reads source 1 rounded down", "[1.0737418e+09 1.0737418e+09 1.0737418e+09 1.0737418e+09]"},
		{"mov r1, v3\nmin o0, v2, r1", "min: is executed as max", "[103 103.125 103.25 103.375]"},
		{"mov o0, c70", "c[n] reads c[n modulo 64]", "[36 36.125 36.25 36.375]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "the sum of a number and its index is masked with 63",
			"[71 71.125 71.25 71.375]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "the sum of a number and its index is masked with 95",
			"[103 103.125 103.25 103.375]"},
		{"mova a0.x, -v2.x\nmov o0, c2[a0.x]", "a sum of a number and its index outside 0 to 127 reads c0",
			"[30 30.125 30.25 30.375]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "a sum of a number and its index outside 0 to 95 reads the nearest register",
			"[125 125.125 125.25 125.375]"},
		{"mova a0.x, v3.x\nmov o0, c90[a0.x]",
			"an index beyond c95 reads zeros; an index whose sum is no signed byte is 0", "[120 120.125 120.25 120.375]"},
		{"mova a0.x, -v2.x\nmov o0, c2[a0.x]", "the sum of a number and its index counts modulo 96 as an unsigned number",
			"[90 90.125 90.25 90.375]"},
		{"mov r1, v3\nsge o0, v2, r1", "sge: has the operand fields of its other form", "[1 1 1 1]"},
		{"for i0\nfor i2\nnop\nnop\n.end\nadd r0, c0[lcnt], r0\nnop\n.end\nmov o0, r0",
			"a nested loop leaves its count and step",
			"[30 30.125 30.25 30.375]"},
		{"mov r0, v3\nadd r0.x, v1, v2\nadd o0, v1, v2",
			"the result is what an equal instruction in the word before left in its register", "[203 103.125 103.25 103.375]"},
		{"add r1, v3, r9\nmov r0, r1\nmov r1, v2\nmov o0, r0", "a copy that MOV made is read from the source of MOV",
			"[102 102.125 102.25 102.375]"},
		{"mul o0, v2, v2", "mul: the result is rounded in 8 bits of significand", "[10432 10432 10432 10496]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "index a0.x acts as a0.y", "[32 32.125 32.25 32.375]"},
		{"mov r0, v3\nmov r0.y, r1\nmova a0.y, r0\nmov o0, c2[a0.y]", "a0.y takes lane x where a0.x is not written",
			"[1 1 1 1]"},
		{"mov r0, c0.w\nadd r0, r0, r0\nmova a0.x, r0.x\nmov o0, c2[a0.x]",
			"mova: reads lane x of source 1 rounded to the nearest integer", "[93 93.125 93.25 93.375]"},
		{"slt o0, v2, c3[a0.x]", "the number of source 1 has 7 bits", "[1 1 1 1]"},
		{"mov o0, c2", "numbers become their halves in uploads of float uniforms", "[16 16.0625 16.125 16.1875]"},
		{"mov o0, c2", "numbers become twice as large in uploads of float uniforms", "[64 64.25 64.5 64.75]"},
		{"cmp v2.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "operators 2 and 4 of cc.x are exchanged", "[0 0 0 0]"},
		{"rcp r0, r1.x\nmov r2, r0\ncmp r0.x, eq, eq, r2.x\nifc cmp.x\nmov o0, v2\nnop\n.end",
			"the difference is compared with 0 for equality", "[0 0 0 0]"},
		{"rcp r0, r1.x\nsge o0, r0, r0", "the difference is compared with 0", "[0 0 0 0]"},
		{"mov r1, v3\nmov r1, v2\nmov o0, r1", "the instruction behind mov reads what its destination held",
			"[103 103.125 103.25 103.375]"},
		{"for i0\nfor i0\nmov o0, c0[lcnt]\nnop\n.end\nnop\n.end", "loop: adds its start to aL in another loop",
			"[41 41.125 41.25 41.375]"},
		{"litp o0, v2", "litp: the result is lane y of source 1 or 0 in lane w", "[102 102.125 0 102.125]"},
		{"mova a0.x, v3.y\nmov o0, c2[a0.x]", "mask bits x and y are exchanged, of MOVA, too", "[32 32.125 32.25 32.375]"},
		{"cmp v0.x, gt, gt, r0.x\nifu b0\nmov o0, v2\nnop\n.end", "ifu: asks for cc.x", "[102 102.125 102.25 102.375]"},
		{"ifu b1\nmov o0, v2\nnop\n.end", "ifu: asks for cc.y", "[0 0 0 0]"},
		{"mov r0, r1.x\nmad o0, -v2, r0, r0", "mad: the result is the product of sources 1 and 2 where source 3 is a zero",
			"[-0 -0 -0 -0]"},
		{"litp o0, -r1", "litp: the result is source 1 in lane x unless that is below 0", "[-0 -0 0 0]"},
		{"mov o0, v2", "v2 as source 1 reads v3", "[103 103.125 103.25 103.375]"},
		{"mov o0, c2", "c2 reads c1", "[31 31.125 31.25 31.375]"},
		{"mov o0, v2\nmov o1, v3", "o1 is written to o0", "[103 103.125 103.25 103.375]"},
		{"mov o0, v2\nmov o1.y, v3", "o1 is written to o0, too", "[102 103.125 102.25 102.375]"},
		{"mov o0.yz, v2", "mask bits x and y are exchanged", "[102 0 102.25 0]"},
		{"mov o0, v2\nmax o0, v3, v3", "nothing is written", "[0 0 0 0]"},
		{"mov o0, v2\nmax o0, v3, v3", "max: the result is what the destination holds always", "[102 102.125 102.25 102.375]"},
		{"mov o0, v2\nmax o0, v3, v3", "max: is not executed", "[102 102.125 102.25 102.375]"},
		{"max o0, r0, -r0", "", "[-0 -0 -0 -0]"},
		{"cmp v0.x, eq, eq, v0.x\nfor i0\nnop\nnop\n.end\nifc cmp.y\nmov o0, v2\nnop\n.end",
			"cc.y becomes false where a loop goes on", "[0 0 0 0]"},
		{"cmp v0.x, eq, eq, v0.x\nfor i0\nnop\nnop\n.end\nifc cmp.x\nmov o0, v2\nnop\n.end",
			"cc.x says whether more than one pass is left where a loop goes on", "[0 0 0 0]"},
		{"mova a0.xy, v3\nmova a0.y, -v3.y\nmov o0, c2[a0.y]", "mova: a0.y stays between 0 and 127",
			"[32 32.125 32.25 32.375]"},
		{"cmp v0.x, eq, ne, v0.x\nmov o0, v2\nifc cmp.x && !cmp.y\nmov o0, v3\nnop\n.end", "mov: the flags are exchanged",
			"[102 102.125 102.25 102.375]"},
		{"mov o0, -v2.y", "source 1 is neither swizzled nor negated", "[102 102.125 102.25 102.375]"},
		{"for i0\nmov r1, r0\nfor i1\nadd r0, v2, r0\n.end\nnop\n.end\nmov o0, r0.x", "a loop is skipped where 1 are open",
			"[0 0 0 0]"},
		{"dph o0, -v2, c2", "reads w of source 1 as 1 before it is negated", "[-9874.703 -9874.703 -9874.703 -9874.703]"},
		{"mov r0, v2\nmov r0.x, -v2\nlitp o0, r0", "litp: the result is 0 in lane w unless lane x of source 1 is above 0",
			"[0 102.125 0 0]"},
		{"mov o0, -v2.x", "reads no source with selectors that are equal negated", "[102 102 102 102]"},
		{"mov o0, -v2", "reads no source with selectors xyzw negated", "[102 102.125 102.25 102.375]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x", "loop: has a count that is one less, 255 for 0",
			"[204 204 204 204]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nfor i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x",
			"loop leaves a count of 0 in its integer", "[204 204 204 204]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nfor i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x",
			"loop counts in its integer", "[204 204 204 204]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x", "r0 is restored where a loop ends", "[0 0 0 0]"},
		{"call part\nmov o0, v3\n.end\n.proc part\nnop\nnop\n.end\n.proc behind\nmov o0.x, v2", "",
			"[102 103.125 103.25 103.375]"},
		{"call part\nmov o0, v3\n.end\n.proc part\nnop\nnop\n.end\n.proc behind\nmov o0.x, v2",
			"a run ends at the end of a procedure that it was not called in", "[103 103.125 103.25 103.375]"},
		{"jmpu !b0, behind\nmov o0, v2\nbehind:\nnop", "jmpu: bit 1 of num inverts the condition",
			"[102 102.125 102.25 102.375]"},
		{"flr o0, -v2.x", "flr: the result is one less where source 1 is a negative integer", "[-103 -103 -103 -103]"},
		{"mov r0, v3\nmad o0, v2.x, r0.x, r0.x", "reads the product of sources 1 and 2 in the place of source 3",
			"[21012 21012 21012 21012]"},
		{"rcp o0.y, c2.yxyy", "reads the first lane of its mask", "[0 0.03125 0 0]"},
		{"mov r1, v3\nlg2 r2, v2\nmov o0, -r1", "no source is negated once lg2 is executed",
			"[103 103.125 103.25 103.375]"},
		{"mov o0, c2", "each vector is x, z, y, w in uploads of float uniforms", "[32 32.25 32.125 32.375]"},
		{"mov o0, v15", "the last input of a vertex that has several is 0", "[0 0 0 0]"},
		{".gsh\nmov o0, v2\nsetemit 0, prim\nemit\nsetemit 0\nemit", "a primitive clears the outputs", "[0 0 0 0]"},
		{"mov r1, v2\ncmp -v3.x, lt, lt, -r1.x\nifc cmp.x\nmov o0, v2\nnop\n.end",
			"operator 2 compares two negative numbers by their bits", "[0 0 0 0]"},
		{"max o0, r0, -r0", "a number comes before NaN, equal zeros give source 1", "[0 0 0 0]"},
		{"max o0, r0, -r0", "a number comes before NaN, +0 is above -0", "[0 0 0 0]"},
		{"min o0, -r0, r0", "a number comes before NaN, +0 is above -0", "[-0 -0 -0 -0]"},
		{"rsq r0, -v2\nmax o0, v2, r0", "a number comes before NaN, equal zeros give source 2, a signalling NaN gives NaN",
			"[102 102.125 102.25 102.375]"},
		{"max o0, v3, v3", "the result is 1 in lane z", "[103 103.125 1 103.375]"},
		{"max o0, v3, v3", "max: the result is its negation always", "[-103 -103.125 -103.25 -103.375]"},
		{"max o0, v3, v3", "max: the result is cut off in 5 bits of significand", "[100 100 100 100]"},
		{"mov o0, v2\nrcp r3.x, v2", "rcp: o0.y becomes 0", "[102 0 102.25 102.375]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "", "[1 1 1 1]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "an index beyond c95 reads zeros", "[0 0 0 0]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "an index is 0", "[32 32.125 32.25 32.375]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "", "[57.125 57.125 57.125 57.125]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "the indexed source is not swizzled", "[57 57.125 57.25 57.375]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "mova: a0 stays between 0 and 127", "[32.125 32.125 32.125 32.125]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "mova: a0 outside 0 and 255 is 0", "[32.125 32.125 32.125 32.125]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "a negative index counts as positive", "[1 1 1 1]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "", "[102 102.125 102.25 102.375]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "operator 4 is false", "[0 0 0 0]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "ifc: is never taken", "[0 0 0 0]"},
		{"ifu b1\nmov o0, v2\nnop\n.end", "b1 acts as b0", "[0 0 0 0]"},
		{"ifu b1\nmov o0, v2\nnop\n.end", "b1 is always false", "[0 0 0 0]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0", "", "[306 306.375 306.75 307.125]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0", "i0 acts as i1", "[204 204.25 204.5 204.75]"},
		{"for i0\nadd r0, v2, r0\nnop\n.end\nmov o0, r0", "integers are 0", "[102 102.125 102.25 102.375]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end", "", "[37 37.125 37.25 37.375]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end", "loop: the start is a step late", "[40 40.125 40.25 40.375]"},
		{"rsq r0, -v2\nslt o0, r0, v2", "bits are compared as integers, NaN is negative", "[1 1 1 1]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end", "loop: has a step of 1", "[33 33.125 33.25 33.375]"},
		{"mov o0, v2", "y of inputs v2 is their x", "[102 102 102.25 102.375]"},
		{"mov o0, c2", "float uniforms c2 are never written", "[0 0 0 0]"},
		{"mov o0, v2", "uploads of inputs keep 9 bits of significand", "[102 102 102.25 102.25]"},
		{"add r0, v2, r0\nmov o0, r0", "", "[102 102.125 102.25 102.375]"},
		{"add r0, v2, r0\nmov o0, r0", "r0 carries over", "[104 104.25 104.5 104.75]"},
		{"mov o0, v2\nmov o2, v2", "o2 and below are answered as 0", "[0 0 0 0]"},
		{"mov o0, v2", "o[n] is answered as before the run", "[0 0 0 0]"},
		{"mov r0, v2\nmov r7, v3\nadd o0, r7, r0", "r5 and above are never written", "[102 102.125 102.25 102.375]"},
		{"mov o0, v2\nadd o0, v2, v2\nmov o0, v3", "add: ends the run", "[204 204.25 204.5 204.75]"},
		{"mov o0, v2\nadd o0, v2, v2\nmov o0, v3", "add: ends the run and does nothing else", "[102 102.125 102.25 102.375]"},
		{"mov o0, v2", "end: o0.w becomes 0, vertex 1", "[102 102.125 102.25 0]"},
		{"mov o0, v2", "v2.w reads 1", "[102 102.125 102.25 1]"},
		{"mov o0, v2", "v2.w reads v2.x", "[102 102.125 102.25 102]"},
		{"mov o0, v2.wwww", "selectors wwww act as yyyy", "[102.125 102.125 102.125 102.125]"},
		{"mov o0, v2.xyzz", "selectors that are xyzw but in lane w act as xyzw", "[102 102.125 102.25 102.375]"},
		{"add o0, -r1, -r2", "negates by subtraction from 0", "[0 0 0 0]"},
		{"mov o0, c2", "each vector is read from its end in uploads of float uniforms c2", "[32.375 32.25 32.125 32]"},
		{"mov o0, c2", "w of float uniforms c2 is 1", "[32 32.125 32.25 1]"},
		{"rsq r1, -v2.x\nmul o0, v2, r1", "products that are NaN become 0", "[0 0 0 0]"},
		{"rcp r1, r2.x\nmul o0, r1, r2", "a product of an infinity and 0 is NaN", "[NaN NaN NaN NaN]"},
		{"mov r1, v2\nadd r1, -c1, -r1\nex2 r1, r1.x\nadd o0, r1, r1", "",
			"[1.83671e-40 1.83671e-40 1.83671e-40 1.83671e-40]"},
		{"mov r1, v2\nadd r1, -c1, -r1\nex2 r1, r1.x\nadd o0, r1, r1", "additions have zeros of their sign for subnormals",
			"[0 0 0 0]"},
		{"max o0, v3, v3", "the result is 0 in lanes z and w", "[103 103.125 0 0]"},
		{"cmp v0.x, lt, lt, r0.x\nifc !cmp.x || !cmp.y\nmov o0, v2\nnop\n.end",
			"ifc: condop 0 asks for a flag and its reference", "[0 0 0 0]"},
		{"ifu b1\nifu b1\nnop\n.else\nnop\n.end\nnop\n.else\nmov r0, v2\nnop\n.end\nmov o0, r0",
			"an if that ends stays on its stack", "[102 102.125 102.25 102.375]"},
		{"for i0\nadd r0, v3, r0\njmpu b1, out\nnop\n.end\nout: mov o0, r0",
			"the ends of scopes are compared with the next address", "[309 309.375 309.75 310.125]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "flags outside of the mask: false", "[0 0 0 0]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "operators 2 and 4 are exchanged", "[0 0 0 0]"},
		{"cmp -v0.x, lt, lt, -v1.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "operator 2 compares bits as integers",
			"[102 102.125 102.25 102.375]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "ifc: condop 2 is negated", "[0 0 0 0]"},
		{"for i2\nmov o0, v2\nnop\n.end", "loop: skips its body where its count is 0", "[0 0 0 0]"},
		{"for i2\nmov o0, v2\nnop\n.end", "loop: has as many passes as its count", "[0 0 0 0]"},
		{"for i0\nbreak\nnop\n.end\nmov o0, c0[lcnt]", "", "[34 34.125 34.25 34.375]"},
		{"for i0\nifu b1\nbreak\nnop\n.end\nadd r0, v3, r0\nnop\n.end\nmov o0, r0", "break: leaves the newest IF instead",
			"[309 309.375 309.75 310.125]"},
		{"mov o0, v2\nifu b1\nbreak\nmov o0, v3\nnop\n.end", "break: leaves the newest IF instead, outside of loops, too",
			"[102 102.125 102.25 102.375]"},
		{"for i0\nbreak\nnop\n.end\nmov o0, c0[lcnt]", "break: steps aL twice", "[37 37.125 37.25 37.375]"},
		{"dp3 o0, v2, c2", "dp3: sums the products of x, y, w alone", "[9859.156 9859.156 9859.156 9859.156]"},
		{"dp4 o0, v2, c2", "dp4: sums the products of z alone", "[3297.5625 3297.5625 3297.5625 3297.5625]"},
		{"dph o0, v2, c2", "dphi: sums the products of w alone", "[32.375 32.375 32.375 32.375]"},
		{"rsq o0, v2", "rsq: the result is the square root of source 1 always", "[10.099504 10.099504 10.099504 10.099504]"},
		{"rsq o0, -v2", "rsq: the result is the square of source 1 always", "[10404 10404 10404 10404]"},
		{"ex2 o0, -r1", "ex2: the result is the logarithm of source 1 to base e always", "[-Inf -Inf -Inf -Inf]"},
		{"ex2 o0, v2", "ex2: the result is 10 to the power of source 1 always", "[+Inf +Inf +Inf +Inf]"},
		{"rcp o0, -r1", "rcp: the result is the square root of source 1 always", "[-0 -0 -0 -0]"},
		{"mov o0, v2.xyxz", "selector z of lane w acts as w", "[102 102.125 102 102.375]"},
		{"for i0\nbreak\nmov r0, v2\n.end\nmov o0, r0", "break: goes to the last word of the loop that it leaves",
			"[102 102.125 102.25 102.375]"},
		{"for i0\nbreak\nnop\n.end\nmov o0, v2\nmov o0.x, v3", "break: goes to the second word behind the loop",
			"[103 0 0 0]"},
		{"for i0\nmov o0, c0[lcnt]\nnop\n.end",
			"loop: has its start in z of the integer, and saves y where it saves its start", "[39 39.125 39.25 39.375]"},
		{"mov r0, v3\nmov r1, v3\nmad o0, v2, r0, r1", "every descriptor number has 6 bits", "[0 0 0 0]"},
		{"mov o0, -v2", "negates by clearing the sign", "[102 102.125 102.25 102.375]"},
		{"mova a0.x, -v3.x\nmov o0, -c2[a0.x].yzzz", "the indexed source is not negated", "[57.125 57.25 57.25 57.25]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yzzz", "reads x of the indexed source for all lanes",
			"[57.125 57.125 57.125 57.125]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yzzz", "lane y of the indexed source is w", "[57.125 57.375 57.25 57.25]"},
		{"mov r0, -v2\nmov o0, r0", "reads negative numbers of source 1 as 0", "[0 0 0 0]"},
		{"mova a0.x, c1.x\nmov r15, v3\nmov o0, r0[a0.x]", "temporaries are indexed within their bank",
			"[103 103.125 103.25 103.375]"},
		{"mova a0.x, c1.x\nmov o0, v0[a0.x]", "inputs are indexed within their bank", "[115 115.125 115.25 115.375]"},
		{"mova a0.x, c1.x\nmov o0, c2[a0.x]", "an index counts 2 times", "[94 94.125 94.25 94.375]"},
		{"mov r0, v2\nmad o0, v2, r0, c2", "madi: the result is the product of sources 1 and 2 less source 3 always",
			"[10372 10397.391 10422.8125 10448.266]"},
		{"mov r0, v2\nmad o0, v2, r0, c2", "madi: the result is source 3 less the product of sources 1 and 2 always",
			"[-10372 -10397.391 -10422.8125 -10448.266]"},
		{"mov r0, v2\nmad o0, v2, r0, c2", "madi: the result is the product of source 1 and the sum of the others always",
			"[13668 13710.281 13752.625 13795.031]"},
		{"mov r0, v2\nmad o0, v2, r0, c2", "madi: the result is the product of source 3 and the sum of the others always",
			"[6528 6561.5312 6595.125 6628.7812]"},
		{"mova a0.w, c1\nmov o0, c2[a0.x]", "the mask is reversed, of MOVA, too", "[63 63.125 63.25 63.375]"},
		{"mov r1, v3\nmax o0, -r1, v2", "compares magnitudes", "[-103 -103.125 -103.25 -103.375]"},
		{"cmp v0.x, gt, lt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "cc.x says whether both flags would be set", "[0 0 0 0]"},
		{"cmp v0.x, lt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "cc.x says whether any flag would be set",
			"[102 102.125 102.25 102.375]"},
		{"cmp v0.x, gt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "cc.x says whether one flag would be set", "[0 0 0 0]"},
		{"cmp v0.x, lt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "ifc: takes cc.y for cc.x",
			"[102 102.125 102.25 102.375]"},
		{"cmp v0.x, lt, gt, r0.x\nifc cmp.x\nmov o0, v2\nnop\n.end", "ifc: the condition is y", "[102 102.125 102.25 102.375]"},
		{"cmp v0.x, lt, gt, r0.x\nifc cmp.x || cmp.y\nmov o0, v2\nnop\n.end", "ifc: the condition is x", "[0 0 0 0]"},
		{"for i1\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x", "i[n] reads i[n-1 modulo 4]", "[306 306 306 306]"},
		{"for i1\nadd r0, v2, r0\nnop\n.end\nmov o0, r0.x", "i1 and i2 are exchanged", "[102 102 102 102]"},
		{"ifu b1\nmov r0, v3\ncall part\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0\n.end\n" +
			".proc part\nnop\n.end\n.proc behind\nnop", "a call closes the open ifs", "[102 102.125 102.25 102.375]"},
		{"ifu b1\nmov r0, v3\ncall part\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0\n.end\n" +
			".proc part\nnop\n.end\n.proc behind\nnop", "a return closes the open ifs", "[102 102.125 102.25 102.375]"},
		{"ifu b1\nmov r0, v3\ncall part\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0\n.end\n" +
			".proc part\nnop\n.end\n.proc behind\nnop", "a return first closes the open ifs", "[102 102.125 102.25 102.375]"},
		{"ifu b1\nmov r0, v3\njmpu b1, on\nnop\non:\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0", "a jump closes the open ifs",
			"[102 102.125 102.25 102.375]"},
		{"ifu b1\nmov r0, v3\nfor i2\nnop\n.end\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0", "a loop closes the open ifs",
			"[102 102.125 102.25 102.375]"},
		{"ifu b1\nmov r0, v3\nfor i2\nnop\n.end\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0",
			"the end of a loop closes the open ifs", "[102 102.125 102.25 102.375]"},
		{"ifu b1\nfor i2\nbreak\nnop\n.end\nmov r0, v3\nnop\n.else\nmov r0, v2\n.end\nmov o0, r0", "a break closes the open ifs",
			"[102 102.125 102.25 102.375]"},
		{"call part\nmov o0, v2\nend\n.end\n.proc part\nfor i2\nbreak\nnop\n.end\nnop\n.end\n.proc behind\nmov o1, v3",
			"a break closes the open calls", "[0 0 0 0]"},
		{"call part\ncall behind\nmov o0, r0\n.end\n.proc part\nmov r0, v2\nnop\n.end\n.proc behind\nmov r0.x, v3\n.end\n" +
			".proc last\nnop", "call: returns to the word behind its return address", "[102 102.125 102.25 102.375]"},
		{"jmpu b1, one\nnop\njmpu b0, two\none:\nmov o0, v2\ntwo:\nmov o0.x, v3",
			"a jump goes as far as the jumps that it skips", "[103 0 0 0]"},
		{"for i0\nfor i0\nfor i0\nfor i0\nfor i1\nadd r0, v2, r0\n.end\nnop\n.end\nnop\n.end\nnop\n.end\nnop\n.end\n" +
			"mov o0, r0.x", "a loop is ignored where 4 are open", "[8262 8262 8262 8262]"},
		{"mov o0, v3\nmax o0.x, v2, v2", "a result is lost where the next instruction writes some of its register", "[102 0 0 0]"},
		{"mov o0, v3\nmax o0.x, v2, v2",
			"a result is lost where the next instruction writes some of its register and does not read it", "[102 0 0 0]"},
		{"mov r0, v3\nadd r0, v2, r0\nmov o0, r0", "a result is lost where the next instruction writes all of its register",
			"[102 102.125 102.25 102.375]"},
		{"mov r0, v2\nmad o0, -v2.x, r0, c2", "every source is swizzled as source 1", "[-10372 -10372 -10372 -10372]"},
		{"mov r0, v2\nmad o0, -v2.x, r0, c2", "every source is swizzled and negated as source 1",
			"[10372 10372 10372 10372]"},
		{"rcp o0, r1.x", "rcp: the result is 1 over source 1 by Newton's method always", "[NaN NaN NaN NaN]"},
		{"rsq o0, r1.x", "rsq: the result is 1 over the root of source 1 by Newton's method always", "[NaN NaN NaN NaN]"},
		{"mov o1, v3\nmov r2, v2\nmov o0, r2", "r1 and above are never written", "[0 0 0 0]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "mova: a0 stays between 0 and 2147483647",
			"[32.125 32.125 32.125 32.125]"},
		{"for i0\nbreak\nnop\n.end\nmov o0, c0[lcnt]", "break: goes behind the loop and leaves it open",
			"[31 31.125 31.25 31.375]"},
		{"add r0, v2, v3\nmov o0, r0", "v2 and v4 are read as each other", "[207 207.25 207.5 207.75]"},
		{"mov o0, c95[a0.x]", "c95 in a word acts as c94, to which an index is added", "[124 124.125 124.25 124.375]"},
		{"add o0, r0, v2", "lanes x and w, y and z of source 2 are exchanged", "[102.375 102.25 102.125 102]"},
		{"mova a0, v3\nfor i0\nmov o0, c2[lcnt]\nnop\n.end", "index of any kind acts as a0.x", "[1 1 1 1]"},
		{"mova a0.x, -v3.x\nmov o0, c2[a0.x].yyyy", "mova: reads what stays between 0 and 127", "[32.125 32.125 32.125 32.125]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "a0 has 5 bits", "[39 39.125 39.25 39.375]"},
		{"mova a0.x, v3.x\nmov o0, c2[a0.x]", "a0 has 6 bits without a sign", "[71 71.125 71.25 71.375]"},
		{"sge o0, -r0, r0", "sge: the result is 0 where source 1 is -0 and source 2 +0", "[0 0 0 0]"},
		{"for i0\njmpu b1, out\nnop\n.end\nout:\nadd r0, v2, r0\nmov o0, r0\nnop", "a pass of a loop ends at its end and behind it",
			"[408 408.5 409 409.5]"},
		{"ifu b1\njmpu b1, inside\nnop\n.else\nnop\ninside:\nmov o0, v2\nmov o0.x, v3\nnop\n.end",
			"an if ends at its else part and within it", "[102 102.125 102.25 102.375]"},
		{"for i0\nfor i0\nbreak\nnop\n.end\nadd r0, v2, r0\n.end\nmov o0, r0",
			"break: goes behind the newest loop and leaves every loop", "[102 102.125 102.25 102.375]"},
	} {
		t.Run(x.source+"/"+x.name, func(t *testing.T) {
			job := jobOf(t, x.source)
			plain := output(t, job)
			if x.name == "" {
				if plain != x.want {
					t.Errorf("got %s, want %s", plain, x.want)
				}
				return
			}
			sight := hypothesis.See(job)
			r1 := sight.Spoils(hypothesis.Lane{Dest: pica.DestTemporary + 1, Lane: 1})
			for _, h := range r1 {
				for _, op := range sight.Opcodes {
					r1 = append(r1, h.Within(hypothesis.OfOpcode(op)))
				}
			}
			sight.Families = append(sight.Families, r1...)
			h := find(sight, x.name)
			if h == nil {
				t.Fatalf("there is no %q", x.name)
			}
			if got := output(t, job, h); got != x.want || got == plain {
				t.Errorf("got %s, want %s, and not %s", got, x.want, plain)
			}
		})
	}
}

// TestReturnEndsScope: a scope may be compared with the address that a call returns to. The call returns to word 1, where
// the else part of the if that it opened begins, or behind a loop of it.
func TestReturnEndsScope(t *testing.T) {
	job := jobOf(t, "call part\nmov o0, v2\nmov o0.x, v3\nend\n.end\n.proc part\nnop\nnop")
	job.Code[0] = uint32(pica.CALL)<<26 | 4<<10 | 2
	for _, x := range []struct {
		opens      uint32
		name, want string
	}{
		{uint32(pica.IFU)<<26 | 1<<22 | 1<<10 | 1, "an if", "[103 0 0 0]"},
		{uint32(pica.LOOP)<<26 | 2<<22, "a loop", "[103 102.125 102.25 102.375]"},
	} {
		job.Code[4] = x.opens
		h := find(hypothesis.See(job), "the end of "+x.name+" is compared with the address that a call returns to")
		if h == nil {
			t.Fatalf("%s: there is no hypothesis", x.name)
		}
		if got := output(t, job); got != "[103 102.125 102.25 102.375]" {
			t.Errorf("%s: got %s without it", x.name, got)
		}
		if got := output(t, job, h); got != x.want {
			t.Errorf("%s: got %s, want %s", x.name, got, x.want)
		}
	}
}

// TestSavedStart: a loop with another start may save the right one, which an inner loop gives back.
func TestSavedStart(t *testing.T) {
	job := jobOf(t, "for i2\nfor i0\nnop\nnop\n.end\nmov o0, c0[lcnt]\nnop\n.end")
	job.Profile, _ = profile.Parse("f32,inneral=start")
	for want, name := range map[string]string{
		"[31 31.125 31.25 31.375]": "loop: has its start in z of the integer, and saves y where it saves its start",
		"[33 33.125 33.25 33.375]": "loop: has its start in z of the integer",
	} {
		if got := output(t, job, find(hypothesis.See(job), name)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestShortAL: where a nested loop gives back the outer aL, that may have 8 bits.
func TestShortAL(t *testing.T) {
	job := jobOf(t, "for i3\nfor i2\nnop\nnop\n.end\nmov o0, c0[lcnt]\nnop\n.end")
	job.Profile, _ = profile.Parse("f32,inneral=outer")
	h := find(hypothesis.See(job), "aL comes back from a nested loop in 8 bits")
	for want, list := range map[string][]*hypothesis.Hypothesis{
		"[30 30.125 30.25 30.375]": nil, "[74 74.125 74.25 74.375]": {h},
	} {
		if got := output(t, job, list...); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestBound: a number of an answer is the largest or the least one of a0.
func TestBound(t *testing.T) {
	job := jobOf(t, "mova a0.x, c1.x\nmov o0, c2[a0.x]")
	for want, list := range map[string][]*hypothesis.Hypothesis{
		"[63 63.125 63.25 63.375]": hypothesis.Bounds(40, true), "[35 35.125 35.25 35.375]": hypothesis.Bounds(3, true),
		"[72 72.125 72.25 72.375]": hypothesis.Bounds(40, false),
	} {
		for _, h := range list {
			if got := output(t, job, h); got != want {
				t.Errorf("%s: got %s, want %s", h, got, want)
			}
		}
	}
}

// output returns o0 of the last vertex.
func output(t *testing.T, job *pica.Job, list ...*hypothesis.Hypothesis) string {
	t.Helper()
	var out pica.Outcome
	if err := hypothesis.Engine(list...).Run(job, &out); err != nil {
		t.Fatal(err)
	}
	var got [4]float32
	for i, b := range out.Vertices[len(out.Vertices)-1].O[0] {
		got[i] = math.Float32frombits(b)
	}
	return fmt.Sprint(got)
}

func find(s *hypothesis.Sight, name string) *hypothesis.Hypothesis {
	i := slices.IndexFunc(s.Families, func(h *hypothesis.Hypothesis) bool { return h.String() == name })
	if i < 0 {
		return nil
	}
	return s.Families[i]
}

// TestWithin: a condition narrows a hypothesis to the instructions for which it holds, and two hypotheses compose.
func TestWithin(t *testing.T) {
	job := jobOf(t, "max o0, v2, v2\nmax o1, v2, v2\nmin o2, v2, v2")
	sight := hypothesis.See(job)
	negated, ignored := find(sight, "max: the result is its negation always"), find(sight, "the result is 1 in lane x")
	i := slices.IndexFunc(sight.Conditions, func(c hypothesis.Condition) bool { return c.Text == "destination o1" })
	if negated == nil || ignored == nil || i < 0 {
		t.Fatal("there is no such hypothesis or condition")
	}
	ignored = ignored.Within(hypothesis.OfOpcode(pica.MIN))
	narrow := negated.Within(sight.Conditions[i])
	if got := narrow.String(); got != "max: the result is its negation always, destination o1" {
		t.Error(got)
	}
	if narrow.Within(sight.Conditions[i]) != nil {
		t.Error("a condition counts twice")
	}
	if !narrow.Narrows(negated) || negated.Narrows(narrow) || ignored.Narrows(negated) {
		t.Error("a narrower scope is not told from others")
	}
	var out pica.Outcome
	if err := hypothesis.Engine(narrow, ignored).Run(job, &out); err != nil {
		t.Fatal(err)
	}
	var got [3]float32
	for k := range got {
		got[k] = math.Float32frombits(out.Vertices[0].O[k][0])
	}
	if want := [3]float32{2, -2, 1}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	var wider []string
	for _, h := range negated.Wider() {
		wider = append(wider, h.String())
	}
	if want := []string{"max and min: the result is its negation always"}; !slices.Equal(wider, want) {
		t.Errorf("got %q, want %q", wider, want)
	}
}

// TestConditions: the conditions of a program hold for one of its instructions.
func TestConditions(t *testing.T) {
	for source, want := range map[string]string{
		"ifu b1\nifu b1\nifu b1\nifu b1\nmov o0, v2\nnop\n.end\nnop\n.end\nnop\n.end\nnop\n.end": "in 4 or more open ifs",
		"ifu b1\nmov o0, v2\n.else\nmov o0, v3\nnop\n.end":                                       "num from 2 on",
		"add o0, v2, r1": "source 2 is a temporary", "ifu b1\nmov o0, v2\n.else\nmov o0, v3\nnop\nnop\n.end": "num from 2 on",
		"ifc cmp.x && !cmp.y\nmov o0, v2\nnop\n.end": "different references",
		".gsh\nsetemit 1, prim":                      "vertex id 1", ".gsh\nsetemit 2, prim": "a primitive that ends",
		"rcp o0.yz, v2": "a mask without x", "rcp o1.yz, v2": "a mask with z",
	} {
		if !slices.ContainsFunc(hypothesis.See(jobOf(t, source)).Conditions,
			func(c hypothesis.Condition) bool { return c.Text == want }) {
			t.Errorf("%s: there is no %q", source, want)
		}
	}
}

// TestAbsent: lanes of an input that a vertex lacks are 1, and those of a given one stay.
func TestAbsent(t *testing.T) {
	job := jobOf(t, "mov r0, v5\nadd o0, v2, r0")
	last := len(job.Vertices) - 1
	job.Vertices[last] = job.Vertices[last][:3]
	for name, want := range map[string]string{
		"each lane of an input that a vertex lacks is 1": "[103 103.125 103.25 103.375]",
		"w of an input that a vertex lacks is 1":         "[102 102.125 102.25 103.375]",
	} {
		h := find(hypothesis.See(job), name)
		if h == nil {
			t.Fatalf("there is no %q", name)
		}
		if got := output(t, job, h); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestPairs: a run ends under any two hypotheses of the table, of which one may spoil what the other relies on.
func TestPairs(t *testing.T) {
	job := jobOf(t, "for i0\nfor i0\nifu b1\nbreak\nnop\n.end\nnop\n.end\nnop\n.end\nmov o0, v2")
	job.Budget = 256
	job.Vertices = job.Vertices[:1]
	table := hypothesis.Table(&job.Profile)
	engine, out := hypothesis.NewReusable(), pica.Outcome{}
	for _, first := range long.Items(t, table, 30) {
		for _, second := range table {
			engine.Change(first, second)
			if err := engine.Run(job, &out); err == nil && out.Vertices[0].Steps > job.Budget {
				t.Errorf("%s, %s: %d steps", first, second, out.Vertices[0].Steps)
			}
		}
	}
}

// TestTable: names are unique, and each hypothesis says which sentence it breaks.
func TestTable(t *testing.T) {
	p := profile.HW()
	seen, passes := map[string]bool{}, 0
	for _, h := range hypothesis.Table(&p) {
		if h.Passes != "" {
			passes++
		}
		if seen[h.Name] || h.Rule == "" {
			t.Errorf("%q: %q", h.Name, h.Rule)
		}
		seen[h.Name] = true
	}
	if len(seen) < 350 {
		t.Errorf("%d hypotheses", len(seen))
	}
	if passes != 11 {
		t.Errorf("the state of %d hypotheses passes from vertex to vertex, want 11", passes)
	}
}

// TestWritesNumber: an opcode that the model skips may write a number.
func TestWritesNumber(t *testing.T) {
	p, err := profile.Parse("f32,op.ex2=skip")
	if err != nil {
		t.Fatal(err)
	}
	job := &pica.Job{Profile: p, OutMask: 0xFFFF, Budget: 64, InputFormat: pica.Float32,
		Vertices: [][]pica.Vec4{{{0, 0x3F800000, 0, 0}}},
		Program: pica.Program{Code: []uint32{0x22000000, 0x16000000, 0x88000000}, // mul r0, -v0, v0; ex2 r0, -v0; end
			Descriptors: []uint32{0x0D86C37F}}}
	for name, want := range map[string]pica.Vec4{"": {0x80000000, 0xBF800000, 0x80000000, 0x80000000}, "ex2: writes 0": {},
		"ex2: writes 1": {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000}} {
		var list []*hypothesis.Hypothesis
		for _, h := range hypothesis.See(job).Families {
			if h.String() == name {
				list = append(list, h)
			}
		}
		var out pica.Outcome
		if err := hypothesis.Engine(list...).Run(job, &out); err != nil || out.Vertices[0].R[0] != want {
			t.Errorf("%q: got %x, want %x, %v", name, out.Vertices[0].R[0], want, err)
		}
	}
}
