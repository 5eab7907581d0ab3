package ancestry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// Float24 numbers.
const (
	one, two, minus = 0x3F0000, 0x400000, 0xBF0000
	infinity, nan   = 0x7F0000, 0x7F8000
)

// members spells an ancestry: the words of the steps in order, and the sources.
func members(a *ancestry.Ancestry) string {
	var list []string
	for _, s := range a.Steps {
		list = append(list, fmt.Sprint(s.PC))
	}
	list = append(list, ":")
	bank := func(name string, parts []uint8) {
		for n, set := range parts {
			text := ""
			for lane, letter := range "xyzw" {
				if set&(8>>lane) != 0 {
					text += string(letter)
				}
			}
			if text != "" {
				list = append(list, fmt.Sprintf("%s%d.%s", name, n, text))
			}
		}
	}
	bank("v", a.Inputs[:])
	bank("c", a.Floats[:])
	bank("i", a.Ints[:])
	for n, member := range a.Bools {
		if member {
			list = append(list, fmt.Sprintf("b%d", n))
		}
	}
	bank("o", a.Outputs[:])
	bank("other", a.Others[:])
	bank("r", a.R[:])
	return strings.Join(append(list, a.Rest.Names()...), " ")
}

// jobOf assembles a program and runs it on v0 to v3 = (1, 2, -1, 0), (0, 0, 0, 0), (NaN, inf, 1, 1), (2, 2, 2, 2), with
// c0 to c7 = (n, 0, 0, 1).
func jobOf(t *testing.T, text string) *pica.Job {
	t.Helper()
	text = strings.ReplaceAll(text, "; ", "\n") + "\nend\n"
	a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job := &pica.Job{Program: a.Program, OutMask: 0xFFFF, InputFormat: pica.Float24,
		Vertices: [][]pica.Vec4{{{one, two, minus, 0}, {}, {nan, infinity, one, one}, {two, two, two, two}}}}
	if strings.Contains(text, "emit") {
		job.Stage = pica.Geometry
	}
	up := pica.Upload{Format: pica.Float24}
	for _, x := range []uint32{0, one, two, 0x408000, 0x410000, 0x414000, 0x418000, 0x41C000} {
		up.Values = append(up.Values, pica.Vec4{x, 0, 0, one})
	}
	job.Floats = []pica.Upload{up}
	job.Ints[0] = [4]uint8{2, 1, 1, 0}
	return job
}

// check compares the members of o0.x.
func check(t *testing.T, job *pica.Job, want string) {
	t.Helper()
	a, err := ancestry.Of(job, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := members(a); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestMembers gives the exact members of o0.x of small programs.
func TestMembers(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a copy", "mov o0, v0.y", "0 : v0.y"},
		{"the newest write", "mov o0, v0; mov o0.x, v1.w", "1 : v1.w"},
		{"lanes that the mask leaves out", "mov o0.x, v0; mov o0.yzw, v1", "0 : v0.x"},
		{"a dot product reads its lanes", "dp3 o0, v0, v3", "0 : v0.xyz v3.xyz"},
		{"DPH does not read w of its first source", "dph o0, v0, v3", "0 : v0.xyz v3.xyzw"},
		{"what was there before", "mov o1, v0", ": o0.x"},
		{"a temporary from before", "add o0, v0, r3.y", "0 : v0.x r3.y"},
		{"an address", "mova a0.x, v0.y; mov o0, c1[a0.x]", "0 1 : v0.y c3.x"},
		{"an index beyond the uniforms", "mova a0.x, v0.y; mov o0, c95[a0.x]", "0 1 : v0.y"},
		{"an index on an input has no effect", "mova a0.x, v0.y; mov o0, v0[a0.x]", "1 : v0.x"},
		{"NaN decides a sum", "add o0, v2.x, v0", "0 : v2.x"},
		{"NaN decides a product", "mul o0, v0, v2.x", "0 : v2.x"},
		{"NaN decides a MAD", "mad o0, v0, v3, v2.x", "0 : v2.x"},
		{"NaN in a factor of a dot product", "dp4 o0, v0, v2", "0 : v2.x"},
		{"infinities that cancel", "mov r0, v2.y; mov r0.y, -v2.y; dp4 o0, r0, v3", "0 1 2 : v2.y v3.xy"},
		{"a comparison with NaN", "sge o0, v0, v2.x", "0 : v2.x"},
		{"a maximum that keeps both", "max o0, v0, v3", "0 : v0.x v3.x"},
		{"no maximum above infinity", "max o0, v0, v2.y", "0 : v2.y"},
		{"a minimum of NaN takes the second", "min o0, v2.x, v0", "0 : v0.x v2.x"},
		{"LITP sets z", "litp r0, v0; mov o0.x, r0.z", "0 1 :"},
		{"DST sets x", "dst o0, v0, v3", "0 :"},
		{"flags", "cmp v0, lt, lt, v3; mov o0, v1; ifc cmp.x; mov o0, v0; .end", "0 2 3 : v0.x v3.x"},
		{"CMP without a comparison", "cmp v0, 6, lt, v3; mov o0, v1; ifc cmp.x; mov o0, v0; .end", "0 2 3 : v0.x"},
		{"one flag settles an or",
			"cmp v0, lt, gt, v3; mov o0, v1; ifc cmp.x || cmp.y; mov o0, v0; .end", "0 2 3 : v0.x v3.x"},
		{"a boolean", "mov o0, v1; ifu b0; mov o0, v0; .end", "0 1 : v1.x b0"},
		{"a boolean whose ways write the same", "mov o0, v0; ifu b0; mov o0, v0; .end", "0 : v0.x"},
		{"a boolean whose way writes something else", "mov o0, v0; ifu b0; mov o1, v1; .end", "0 : v0.x"},
		{"a loop that adds", "mov r0, v0; for i0; add r0, v3, r0; .end; mov o0, r0", "0 1 2 2 2 3 : v0.x v3.x i0.x"},
		{"a loop that writes the same", "for i0; mov o0, v0; .end", "1 : v0.x"},
		{"a loop whose number of passes does not count", "mov r0, v0; for i0; mov r1, v3; .end; mov o0, r0", "0 3 : v0.x"},
		{"aL", "for i0; mov o0, c0[aL]; .end", "0 1 : c3.x i0.xyz"},
		{"a bank", "mov o0, v0; setemit 0; emit; mov o0, v3; emit", "0 2 4 : v0.x"},
		{"a loop in a loop that writes the same", "for i0; for i0; mov o0, v0; .end; nop; .end", "2 2 2 : v0.x"},
		{"a decision in a way that was not taken", "ifu b0; ifu b1; mov o0, v0; .end; nop; .end; mov o1, v1", "0 : b0 o0.x"},
		{"another temporary", "mov r5.x, v0.y; mov r5.y, v1.x; mov o0, r5", "0 2 : v0.y"},
		{"an address that is out of range displaces nothing",
			"mul r0, c7, -v0.y; mul r0, c7, r0; mul r0, c4, r0; mova a0.x, r0; mov o0, c1[a0.x]",
			"0 1 2 3 4 : v0.y c1.x c4.x c7.x"},
		{"an emit that counts once", "mov o0, v0; setemit 0; emit", "2 : other0.x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, jobOf(t, test.text), test.want)
		})
	}
}

// TestCoarse holds that a program with too many paths has an ancestry too. Trials settle most of its decisions.
func TestCoarse(t *testing.T) {
	defer ancestry.SetMaxPlaces(1)()
	for _, test := range []struct{ name, text, want string }{
		{"a boolean", "mov o0, v1; ifu b0; mov o0, v0; .end", "0 1 : v1.x b0"},
		{"a way that writes something else", "mov o0, v0; ifu b0; mov o1, v1; .end", "0 : v0.x"},
		{"a loop that adds", "mov r0, v0; for i0; add r0, v3, r0; .end; mov o0, r0", "0 1 2 2 2 3 : v0.x v3.x i0.x"},
		{"a loop that writes something else", "mov r0, v0; for i0; mov r1, v3; .end; mov o0, r0", "0 3 : v0.x"},
		{"a decision in a way that was not taken",
			"mov o0, v0; ifu b0; ifu b1; mov o0, v3; .end; nop; .end", "0 1 : v0.x b0"},
	} {
		t.Run(test.name, func(t *testing.T) { check(t, jobOf(t, test.text), test.want) })
	}
}

// TestPlain gives members without trials, with few paths and with too many. A decision then counts although both ways
// give the same; an instruction with one way decides nothing.
func TestPlain(t *testing.T) {
	defer ancestry.SetMaxRounds(0)()
	for _, test := range []struct{ name, text, want string }{
		{"a boolean whose ways write the same", "mov o0, v0; ifu b0; mov o0, v0; .end", "0 1 : v0.x b0"},
		{"an emit", "mov o0, v0; setemit 0; emit; mov o0, v3; emit", "0 2 4 : v0.x"},
		{"an emit that counts once", "mov o0, v0; setemit 0; emit", "2 : other0.x"},
	} {
		t.Run(test.name, func(t *testing.T) { check(t, jobOf(t, test.text), test.want) })
		t.Run(test.name+", coarse", func(t *testing.T) {
			defer ancestry.SetMaxPlaces(1)()
			check(t, jobOf(t, test.text), test.want)
		})
	}
}

// TestHazards holds that a run which a hazard ends has the members of the steps before it.
func TestHazards(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"two MOVA", "mov o0, v0; mova a0.x, v1; mova a0.x, v1; mov o0, v3", "0 : v0.x"},
		{"two MOVA on one way", "ifu b0; mova a0.x, v0; .end; mova a0.x, v1; mov o0, v3", "0 3 : v3.x b0"},
		{"two inputs", "mov o0, v0; add o0, v0, v1", "0 : v0.x"},
		{"one input twice", "add o0, v0, v0", "0 : v0.x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			job := jobOf(t, test.text)
			job.Profile = profile.HW()
			check(t, job, test.want)
		})
	}
}

// TestRefusals gives the jobs that have no ancestry.
func TestRefusals(t *testing.T) {
	endless := jobOf(t, "mov o0, v0")
	endless.Budget = 1
	other := jobOf(t, "mov o0, v0")
	other.Profile.Flow = 1
	for _, test := range []struct {
		name      string
		job       *pica.Job
		component int
		want      error
	}{
		{"a budget", endless, 0, ancestry.ErrNotEnded},
		{"a profile", other, 0, pica.ErrUnsupportedProfile},
		{"a component", jobOf(t, "mov o0, v0"), 4, pica.ErrInvalidJob},
	} {
		if a, err := ancestry.Of(test.job, 0, 0, test.component); !errors.Is(err, test.want) || a != nil {
			t.Errorf("%s: got %v, %v, want %v", test.name, a, err, test.want)
		}
	}
}
