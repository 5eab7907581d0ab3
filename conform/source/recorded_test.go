package source_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/pica"
)

// draw returns a drawn program.
func draw(k int) *source.Program { return source.Draw(gen.From(gen.Seed(1, uint64(k)))) }

// TestRecorded: what each dialect makes of three drawn programs is recorded: the text, the omissions and the
// meaning.
func TestRecorded(t *testing.T) {
	for _, d := range source.Dialects {
		var text strings.Builder
		for k := range 3 {
			p, reasons := d.Fit(draw(k))
			fmt.Fprintf(&text, "=== program %d, without %q\n%s", k, reasons, whole(d.Print(p)))
			m, err := source.Lower(p, d)
			if err != nil {
				fmt.Fprintf(&text, "=== means nothing: %v\n", err)
				continue
			}
			fmt.Fprintln(&text, "=== means")
			fields := reflect.ValueOf(*m)
			for _, f := range reflect.VisibleFields(fields.Type()) {
				if value := fields.FieldByIndex(f.Index); !f.Anonymous && !value.IsZero() {
					format := "%s: %+v\n"
					if f.Name == "Code" || f.Name == "Descriptors" {
						format = "%s: %08x\n"
					}
					fmt.Fprintf(&text, format, f.Name, value)
				}
			}
		}
		golden.Text(t, d.Name+".txt", text.String())
	}
}

// whole returns the files of a text, and what it says of them.
func whole(x *source.Text) string {
	return fmt.Sprintf("%s--- entry %q, geometry %v\n", strings.Join(x.Files, "--- next file\n"), x.Entry, x.Geometry)
}

// TestWords counts what the dialects write, and what they cannot express, over many drawn programs: a statement,
// a directive or a reason that is no longer drawn shows here.
func TestWords(t *testing.T) {
	const programs = 600
	counts := map[string]int{}
	for _, d := range source.Dialects {
		for k := range programs {
			p, reasons := d.Fit(draw(k))
			for _, reason := range reasons {
				counts[d.Name+" cannot: "+reason]++
			}
			for line := range strings.Lines(whole(d.Print(p))) {
				words := strings.FieldsFunc(line, func(c rune) bool { return !word(c) })
				if len(words) > 0 && !strings.Contains(line, ":") { // no label
					counts[d.Name+" "+words[0]]++
				}
			}
			if _, err := source.Lower(p, d); err != nil {
				counts[d.Name+" refuses: "+err.Error()]++
			}
		}
	}
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&text, "%6d %s\n", counts[key], key)
	}
	golden.Text(t, "words.txt", text.String())
}

// word reports whether a rune belongs to a word of a source.
func word(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("._#", c)
}

// TestFaults: the mistakes of each dialect are recorded, with the lines that they
// and their controls add to a program.
func TestFaults(t *testing.T) {
	for _, d := range source.Dialects {
		var text strings.Builder
		for k := range d.Faults() {
			f := &d.Faults()[k]
			p, _ := d.Fit(draw(k))
			plain := d.Print(p)
			fmt.Fprintf(&text, "=== %s; lacks the check %q\n%s--- control\n%s", f.Name, f.Check,
				added(plain, d.Spoil(plain, f)), added(plain, d.Control(plain, f)))
		}
		golden.Text(t, d.Name+"-faults.txt", text.String())
	}
}

// added returns the lines of a text that another lacks, with their numbers.
func added(without, with *source.Text) (text string) {
	old := strings.SplitAfter(without.Files[0], "\n")
	for n, line := range strings.SplitAfter(with.Files[0], "\n") {
		if len(old) > 0 && old[0] == line {
			old = old[1:]
		} else {
			text += fmt.Sprintf("%d: %s\n", n+1, strings.TrimSuffix(line, "\n"))
		}
	}
	return text
}

// TestDefects: the defects of each dialect are recorded.
func TestDefects(t *testing.T) {
	for _, d := range source.Dialects {
		var text strings.Builder
		for k := range d.Defects() {
			f := &d.Defects()[k]
			fmt.Fprintf(&text, "=== %s; valid %v; shows %q, %q\n%s\n", f.Name, f.Valid, f.Shows, f.Class(), f.About)
			source, control := d.Sources(f)
			text.WriteString(folded(whole(source)))
			if control != nil {
				text.WriteString("--- control\n" + folded(whole(control)))
			}
		}
		golden.Text(t, d.Name+"-defects.txt", text.String())
	}
}

// folded writes a line that is repeated once, with the number of its copies.
func folded(text string) string {
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(line string) bool { return line != lines[0] })
		if n < 0 {
			n = len(lines)
		}
		if b.WriteString(lines[0]); n > 1 {
			fmt.Fprintf(&b, "(%d times)\n", n)
		}
		lines = lines[n:]
	}
	return b.String()
}

// TestSmaller: every tenth change that makes a drawn program smaller is recorded, with what is left.
func TestSmaller(t *testing.T) {
	var text strings.Builder
	for k := range 3 {
		p := draw(k)
		fmt.Fprintf(&text, "=== program %d: size %d, parts %v, %d statements\n", k, p.Size(), p.Parts(), p.Statements())
		for n, q := range source.Smaller(p, 0) {
			if n%10 == 0 {
				fmt.Fprintf(&text, "%d: size %d, parts %v, %d statements\n", n, q.Size(), q.Parts(), q.Statements())
			}
		}
	}
	golden.Text(t, "smaller.txt", text.String())
}

// TestTooManyDescriptors: a program may have 128 operand descriptors, and its MADs the first 32.
func TestTooManyDescriptors(t *testing.T) {
	for _, x := range []struct {
		op            pica.Opcode
		operands, max int
	}{{pica.MOV, 1, pica.MaxDescriptors}, {pica.MAD, 3, pica.MaxMADDescs}} {
		for _, n := range []int{x.max, x.max + 1} {
			var list []source.Statement
			for k := range n {
				s := source.Statement{Kind: source.Compute, Op: x.op, Dest: source.Operand{Class: 'r', Mask: 0xF}}
				for range x.operands {
					s.Sources = append(s.Sources, source.Operand{Class: 'r', Selector: uint8(k)})
				}
				list = append(list, s)
			}
			if _, err := source.Lower(source.Minimal(list...), &source.Picasso); (err == nil) != (n == x.max) {
				t.Errorf("%v with %d descriptors: %v", x.op, n, err)
			}
		}
	}
}

// TestNumbers: numbers in a source that a reader cannot mistake.
func TestNumbers(t *testing.T) {
	for x, want := range map[uint32]string{0: "0", 1 << 23: "-0", 0x3F0000: "1.000007629", 0xBF0001: "-1.000022888",
		0x408000: "3.000015259", 0x7F0000: "1.844688481e+19"} {
		if got := source.MiddleText(x); got != want {
			t.Errorf("%06x: got %s, want %s", x, got, want)
		}
	}
	for x, want := range map[uint32]string{0: "0", 0x3F800000: "1", 0xBFC00001: "-1.5000001192092896",
		0x7F7FFFFF: "3.4028234663852886e+38", 1: "1.4012984643388e-45"} {
		if got := source.FloatText(x); got != want {
			t.Errorf("%08x: got %s, want %s", x, got, want)
		}
	}
}
