package profile_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// supports is the table of undefined encodings of pica200.md 1.6, by number as on the page: s skips
// (a message is logged), a aborts, f finds the operands and skips; opcodes that are not listed run.
// Profiles are in the order of the columns.
var supports = []struct {
	opcodes string // hexadecimal, first to last
	columns string // of emulated
}{
	{"03-03", "...a.s."},
	{"04-04", "sssaasf"},
	{"05-06", ".....s."},
	{"07-07", "sss.asf"},
	{"09-0b", ".....s."},
	{"10-11", "sssaass"},
	{"14-17", "sssaass"},
	{"18-18", ".....a."},
	{"19-19", "sssaasf"},
	{"1a-1b", ".....a."},
	{"1c-1f", "sssaass"},
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
		pica.SupportFetch: 'f'}
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
	for _, name := range []string{"f24", "hw"} {
		if p, _ := profile.ByName(name); p.Support != [pica.NumOpcodes]pica.Support{} {
			t.Errorf("%s does not run everything: %v", name, p.Support)
		}
	}
}
