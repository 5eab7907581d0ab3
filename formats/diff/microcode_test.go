package diff_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/lattegen"
	"github.com/picaproof/picaproof/latte"
)

func codeDifferences(t *testing.T, a, b []byte) []diff.Difference {
	t.Helper()
	file := func(code []byte) *gsh.File {
		return &gsh.File{Shaders: []gsh.Shader{{Shader: gx2.Shader{Code: code}}}}
	}
	r, err := diff.Models(file(a), file(b), convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Differences
}

// assembled returns the code of a program of one ALU clause.
func assembled(t *testing.T, text string) []byte {
	t.Helper()
	p, err := latte.Parse(strings.ReplaceAll(text, "|", "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return p.Encode()
}

// TestMicrocode: an instruction that is there in one program only shifts the others, and a group that is divided is a
// difference.
func TestMicrocode(t *testing.T) {
	const flow, end = "00 ALU: ADDR(2) CNT(?)|", "|01 EXP_DONE: PIX0, R1.xyzw|END_OF_PROGRAM"
	program := func(n string, lines string) []byte {
		return assembled(t, strings.Replace(flow, "?", n, 1)+lines+end)
	}
	one := program("2", "0 x: MOV R1.x, R0.x|  y: MOV R1.y, R0.y")
	for _, c := range []struct {
		other []byte
		want  string
	}{
		{one, ""},
		{program("3", "0 x: MOV R1.x, R0.x|  y: MOV R1.y, R0.y|  z: MOV R1.z, R0.z"),
			"code[0] ALU: ADDR(2) CNT(2)>ALU: ADDR(2) CNT(3); " +
				"code[3] y: MOV          R1.y, R0.y LAST>y: MOV          R1.y, R0.y; " +
				"code[4] >z: MOV          R1.z, R0.z LAST"},
		{program("3", "0 w: MOV R1.w, R0.w|1 x: MOV R1.x, R0.x|  y: MOV R1.y, R0.y"),
			"code[0] ALU: ADDR(2) CNT(2)>ALU: ADDR(2) CNT(3); code[2] >w: MOV          R1.w, R0.w LAST"},
		{program("2", "0 x: MOV R1.x, R0.x|1 y: MOV R1.y, R0.y"),
			"code[2] x: MOV          R1.x, R0.x>x: MOV          R1.x, R0.x LAST"},
	} {
		var got []string
		for _, d := range codeDifferences(t, one, c.other) {
			got = append(got, strings.TrimPrefix(d.Path, "shaders[0].")+" "+d.A+">"+d.B)
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestMicrocodeDiffers: programs differ exactly if their bytes do.
func TestMicrocodeDiffers(t *testing.T) {
	const seed = 40
	for n := range uint64(300) {
		c := gen.From(gen.Seed(seed, n))
		a := lattegen.Program(c)
		b := lattegen.Damaged(c, a)
		if found := codeDifferences(t, a, b); (len(found) == 0) != bytes.Equal(a, b) {
			t.Errorf("seed %d, program %d: %d differences, bytes equal %v", seed, n, len(found), bytes.Equal(a, b))
		}
		if found := codeDifferences(t, a, bytes.Clone(a)); len(found) != 0 {
			t.Errorf("seed %d, program %d: differs from itself: %v", seed, n, found)
		}
	}
}
