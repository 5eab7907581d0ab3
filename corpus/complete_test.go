package corpus_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func cases(t *testing.T) []*expect.Case {
	t.Helper()
	list, err := expect.Cases()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEveryProfileIsExpected demands one expectation for every named profile in every executable
// vector, and none for others.
func TestEveryProfileIsExpected(t *testing.T) {
	want := slices.Sorted(slices.Values(profile.Names()))
	for _, c := range cases(t) {
		var got []string
		for _, e := range c.Expect {
			got = append(got, e.Profiles...)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: got expectations for %v, want %v", c.Name, got, want)
		}
	}
}

// TestProvenance demands a comment and a source of every vector.
func TestProvenance(t *testing.T) {
	known := []corpus.Provenance{corpus.Console, corpus.Documented, corpus.Agreed, corpus.Derived, corpus.Unknown,
		corpus.Oracle}
	for _, c := range cases(t) {
		if !slices.Contains(known, c.Provenance) || c.Source == "" || c.Symptom == "" {
			t.Errorf("%s: provenance %q, source %q, symptom %q", c.Name, c.Provenance, c.Source, c.Symptom)
		}
	}
}

// An operandPair is the classes of the first two operands of an instruction in one component.
type operandPair struct {
	op   pica.Opcode
	a, b pica.NumberClass
}

// TestEveryInstruction demands that the executable vectors run every instruction, all nine
// classes of each operand, and all 81 pairs of classes if components are independent.
func TestEveryInstruction(t *testing.T) {
	executed := map[pica.Opcode]bool{}
	single := map[pica.Opcode]*[3][pica.NumNumberClasses]bool{}
	pairs := map[operandPair]bool{}
	eachStep(t, func(_ *pica.Job, s *pica.Step) {
		op := pica.OpcodeOf(s.Word).Base()
		executed[op] = executed[op] || s.Trap.Cause == pica.TrapNone
		if single[op] == nil {
			single[op] = new([3][pica.NumNumberClasses]bool)
		}
		eachOperand(op, s, func(part, k int, class pica.NumberClass) {
			single[op][k][class] = true
			if k == 1 {
				pairs[operandPair{op, pica.Float24.Class(s.Sources[0][part]), class}] = true
			}
		})
	})
	instructions, unary, binary := 0, 0, 0
	for op := range pica.Opcode(pica.NumOpcodes) {
		if op.Reserved() || op.Base() != op {
			continue
		}
		if !executed[op] {
			t.Errorf("%v: no vector executes it", op)
			continue
		}
		instructions++
		info := &pica.Opcodes[op]
		for k := range info.Sources {
			for class, seen := range single[op][k] {
				if !seen {
					t.Errorf("%v: no operand %d of class %v", op, k+1, pica.NumberClass(class))
				} else if info.Sources == 1 {
					unary++
				}
			}
		}
		if info.Sources < 2 || info.Reads[0] != 0 {
			continue
		}
		for a := range pica.NumNumberClasses {
			for b := range pica.NumNumberClasses {
				if !pairs[operandPair{op, a, b}] {
					t.Errorf("%v: no operands of classes %v and %v", op, a, b)
				}
				binary++
			}
		}
	}
	t.Logf("%d instructions, %d cells of one operand, %d of two", instructions, unary, binary)
}

// TestEveryCondition demands that the executable vectors run every instruction on flags with all
// four operators, both reference values of both flags and all four states of the flags, and
// every instruction on a boolean with all booleans, true and false.
func TestEveryCondition(t *testing.T) {
	type condition struct {
		op      pica.Opcode
		operand uint32 // operator and references, or boolean
		state   [2]bool
	}
	seen := map[condition]bool{}
	eachStep(t, func(job *pica.Job, s *pica.Step) {
		op := pica.OpcodeOf(s.Word)
		layout := op.Layout()
		switch op {
		case pica.IFC, pica.JMPC, pica.CALLC, pica.BREAKC:
			operand := layout.CondOp.Get(s.Word)<<2 | layout.RefX.Get(s.Word)<<1 | layout.RefY.Get(s.Word)
			seen[condition{op, operand, s.State.CC}] = true
		case pica.IFU, pica.JMPU, pica.CALLU:
			seen[condition{op: op, operand: layout.Bool.Get(s.Word)}] = true
			seen[condition{op: op, state: [2]bool{true, job.Bools>>layout.Bool.Get(s.Word)&1 != 0}}] = true
		}
	})
	for op, want := range map[pica.Opcode]int{
		pica.IFC: 64, pica.JMPC: 64, pica.CALLC: 64, pica.BREAKC: 64, pica.IFU: 18, pica.JMPU: 18, pica.CALLU: 18,
	} {
		got := 0
		for c := range seen {
			if c.op == op {
				got++
			}
		}
		if got != want {
			t.Errorf("%v: got %d conditions, want %d", op, got, want)
		}
	}
}

// eachStep visits the instructions that the executable vectors execute in f24.
func eachStep(t *testing.T, visit func(job *pica.Job, s *pica.Step)) {
	t.Helper()
	const enough = 2000 // enough for a program that does not end
	for _, c := range cases(t) {
		job := c.Job(profile.F24())
		runs, err := impl.Traces(&job)
		if err != nil {
			t.Fatal(err)
		}
		for _, steps := range runs {
			for s := range steps {
				if s.Index == enough {
					break
				}
				visit(&job, s)
			}
		}
	}
}

// eachOperand visits the components of operands that a step read.
func eachOperand(op pica.Opcode, s *pica.Step, visit func(part, k int, class pica.NumberClass)) {
	info := &pica.Opcodes[op]
	for k := range info.Sources {
		read := info.Reads[k]
		if read == 0 {
			read = pica.Descriptor(s.Descriptor).Mask()
		}
		for part := range 4 {
			if read>>(3-part)&1 != 0 {
				visit(part, k, pica.Float24.Class(s.Sources[k][part]))
			}
		}
	}
}

// TestEveryRegression compares the vectors with the list of regressions: each program of the
// list is a vector with the same words under its entries.
func TestEveryRegression(t *testing.T) {
	byName := map[string]*expect.Case{}
	for _, c := range cases(t) {
		if number, name, _ := strings.Cut(strings.TrimPrefix(c.Name, "pica/"), "-"); strings.HasPrefix(number, "R") {
			byName[name] = c
		}
	}
	listed := 0
	lines := bufio.NewScanner(bytes.NewReader(samples.Read(t, "regressions.jsonl")))
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); listed++ {
		var r struct {
			Name                string
			Entries, Code, Desc []string
			Want                any
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		c := byName[r.Name]
		if c == nil {
			t.Errorf("%s: not in the corpus", r.Name)
			continue
		}
		var job pica.JobJSON
		var want any
		if err := errors.Join(json.Unmarshal(c.Program.Job, &job), json.Unmarshal(c.Want, &want)); err != nil {
			t.Fatal(err)
		}
		if job.Code != strings.Join(r.Code, "") || job.Desc != strings.Join(r.Desc, "") ||
			!slices.Equal(c.Entries, r.Entries) || !reflect.DeepEqual(want, r.Want) {
			t.Errorf("%s: words, entries or want are not those of the list", c.Name)
		}
	}
	if err := lines.Err(); err != nil || listed != len(byName) {
		t.Errorf("%d programs in the list, %d in the corpus (%v)", listed, len(byName), err)
	}
}
