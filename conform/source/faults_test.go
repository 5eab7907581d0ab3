package source_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
)

// TestControls: each mistake has a control. They have equally many lines and differ in at most four words, or have
// the same words in another order; else one of them is the other with something added.
func TestControls(t *testing.T) {
	const most = 4
	for _, d := range source.Dialects {
		faults := slices.Clone(d.Faults())
		for k := range d.Defects() {
			if x := &d.Defects()[k]; !x.Valid {
				faults = append(faults, x.Fault)
			}
		}
		plain := d.Print(source.Minimal())
		for k := range faults {
			f := &faults[k]
			wrong, right := tokens(d.Spoil(plain, f)), tokens(d.Control(plain, f))
			n, longer := distance(wrong, right), max(len(wrong), len(right))-min(len(wrong), len(right))
			near := n <= most || slices.Equal(slices.Sorted(slices.Values(wrong)), slices.Sorted(slices.Values(right)))
			if lines(wrong) != lines(right) {
				near = n == longer
			}
			if f.Right == "" || n == 0 || !near {
				t.Errorf("%s: %s: %d words differ:\n%s--- control\n%s", d.Name, f.Name, n, d.Spoil(plain, f).Files[0],
					d.Control(plain, f).Files[0])
			}
		}
	}
}

func lines(tokens []string) (n int) {
	for _, x := range tokens {
		if x == "\n" {
			n++
		}
	}
	return n
}

var token = regexp.MustCompile(`[\w.]+|[^\w\s]|\n`)

// tokens returns the words and signs of the first source, and the ends of its lines.
func tokens(t *source.Text) []string { return token.FindAllString(t.Files[0], -1) }

// distance returns the number of words to change, remove or add until one list is the other.
func distance(a, b []string) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for _, x := range a {
		last := row[0]
		row[0]++
		for j, y := range b {
			best := min(row[j], row[j+1]) + 1
			if x == y {
				best = last
			} else {
				best = min(best, last+1)
			}
			last, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}
