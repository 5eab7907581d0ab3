package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// supports is the table of undefined encodings of pica200.md 1.6, by number as on the page: s skips
// (a message is logged), a aborts, p aborts at compile, f finds the operands and skips; opcodes that are not
// listed run.
// Profiles are in the order of the columns.
var supports = []struct {
	opcodes string // hexadecimal, first to last
	columns string // of emulated
}{
	{"03-03", "...a.s."},
	{"04-04", "sssapsf"},
	{"05-06", ".....s."},
	{"07-07", "sss.psf"},
	{"09-0b", ".....s."},
	{"10-11", "sssapss"},
	{"14-17", "sssapss"},
	{"18-18", ".....a."},
	{"19-19", "sssapsf"},
	{"1a-1b", ".....a."},
	{"1c-1f", "sssapss"},
	{"20-20", "..sasss"},
	{"23-23", "...asss"},
}

// emulated are the columns of the table; AZ-I serves twice, because f32 differs from it only in
// arithmetic.
var emulated = []string{"f32", "azahar-interp", "azahar-x64", "panda-interp", "panda-x64",
	"mikage-interp", "citra-2021"}

// TestSupport compares the support of each opcode in each implementation with the page. EMIT and
// SETEMIT are left out: their support depends on the stage.
func TestSupport(t *testing.T) {
	letters := map[pica.Support]byte{pica.SupportRun: '.', pica.SupportSkip: 's', pica.SupportAbort: 'a',
		pica.SupportFetch: 'f', pica.SupportPresent: 'p'}
	for k, name := range emulated {
		var want [pica.NumOpcodes]byte
		for op := range want {
			want[op] = '.'
		}
		for _, row := range supports {
			var first, last int
			if _, err := fmt.Sscanf(row.opcodes, "%x-%x", &first, &last); err != nil {
				t.Fatal(err)
			}
			for op := first; op <= last; op++ {
				want[op] = row.columns[k]
			}
		}
		p, ok := profile.ByName(name)
		if !ok {
			t.Fatalf("no profile %s", name)
		}
		for op, support := range p.Support {
			if got := letters[support]; got != want[op] && op != 0x2A && op != 0x2B {
				t.Errorf("%s, opcode 0x%02x: got %c, want %c", name, op, got, want[op])
			}
		}
	}
	for _, set := range profile.Sets { // a vertex unit alone meets EMIT and SETEMIT in vertex shaders
		p := set.Profile()
		skips := p.EmitInVertex == pica.EmitInVertexSkip
		if p.NoGeometry && (p.Support[pica.EMIT] == pica.SupportSkip) != skips ||
			p.NoGeometry && (p.Support[pica.SETEMIT] == pica.SupportSkip) != skips {
			t.Errorf("%s: EMIT and SETEMIT: %v and %v", set.Name, p.Support[pica.EMIT], p.Support[pica.SETEMIT])
		}
	}
	for _, name := range []string{"f24", "hw"} {
		if p, _ := profile.ByName(name); p.Support != [pica.NumOpcodes]pica.Support{} {
			t.Errorf("%s does not run everything: %v", name, p.Support)
		}
	}
}

// rules are the rows of the tables of pica200.md 4.4 and 7.5 that a knob stands for, with the columns of
// emulated and that of hw.
var rules = map[string]string{
	"storage":   "f32 f32 f32 f32 f32 f32 f32 f24",
	"subnormal": "exact exact exact hidden-one hidden-one zero hidden-one exact",
	"special":   "kept kept kept kept kept finite kept kept",
	"flush":     "none none none none none none none all",
	"zeroinf":   "zero zero zero zero nan positive zero zero",
	"negate":    "flip flip flip flip flip multiply flip flip",
	"mad":       "twice twice twice twice fused twice twice twice",
	"dp":        "seeded seeded mixed left pairwise seeded seeded left",
	"maxinf":    "compare compare compare src2 compare compare compare compare",
	"rcp0":      "signed signed signed positive signed signed signed positive",
	"rcp":       "twice twice estimate twice short twice twice rounded",
	"cmp":       "keep keep abort true ordered keep keep true",
	"index":     "window window window window flat-zero flat flat window",
	"flow":      "rings rings structured panda structured-panda unified unified rings",
	"inneral":   "start start outer kept kept kept kept outer",
	"breakstep": "adds adds none adds adds adds adds adds",
	"end":       "4095 4095 4095 abort4095 abort4095 abort1024 abort4096 trap",
	"reset":     "none none none none none cc-index cc none",
}

// TestRules compares the knobs of each implementation with the page.
func TestRules(t *testing.T) {
	for name, want := range rules {
		var got []string
		for _, set := range append(emulated, "hw") {
			p, _ := profile.ByName(set)
			for _, s := range profile.Describe(p) {
				if s.Knob == name {
					got = append(got, s.Value)
				}
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
