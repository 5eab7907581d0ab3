package long_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
)

// numbers returns 0 to n-1.
func numbers(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// unnamed is a test whose shares begin with the first item: 1/10 has items 0, 10, 20, ...
type unnamed struct{ testing.TB }

func (unnamed) Name() string { return "" }

// named is a test with another name.
type named struct {
	testing.TB
	name string
}

func (n named) Name() string { return n.name }

// TestItems: the few are spread over the list, and a share has every tenth item besides.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		value    string
		all, few int
		want     []int
	}{
		{"", 30, 3, []int{0, 10, 20}},
		{"", 8, 3, []int{0, 3, 6}},
		{"", 3, 8, []int{0, 1, 2}},
		{"", 0, 8, nil},
		{"3/10", 30, 3, []int{0, 2, 10, 12, 20, 22}},
		{"1/10", 30, 3, []int{0, 10, 20}},
		{"10/10", 30, 0, []int{9, 19, 29}},
		{"10/10", 5, 0, nil},
		{"1", 12, 3, numbers(12)},
		{"1", 12, 0, numbers(12)},
	} {
		t.Setenv(long.Variable, c.value)
		if got := long.Items(unnamed{t}, numbers(c.all), c.few); !slices.Equal(got, c.want) {
			t.Errorf("%q, %d of %d: got %v, want %v", c.value, c.few, c.all, got, c.want)
		}
	}
}

// TestNumbers: the few are the first ones, and a share has every tenth number besides.
func TestNumbers(t *testing.T) {
	for value, want := range map[string][]int{
		"": {0, 1, 2}, "1/10": {0, 1, 2, 10, 20}, "2/10": {0, 1, 2, 11, 21}, "10/10": {0, 1, 2, 9, 19},
		"1": numbers(25),
	} {
		t.Setenv(long.Variable, value)
		if got := slices.Collect(long.Numbers(unnamed{t}, 25, 3)); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
	for i := range long.Numbers(unnamed{t}, 25, 3) {
		if i > 0 {
			t.Errorf("%d after the end of the loop", i)
		}
		break
	}
}

// TestExtra: without the variable there is no item and no skip.
func TestExtra(t *testing.T) {
	for value, want := range map[string][]int{"": nil, "2/10": {1, 11}, "1": numbers(12)} {
		t.Setenv(long.Variable, value)
		if got := long.Extra(unnamed{t}, numbers(12)); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
}

// TestUntil: after the numbers that run now come those left out, until the test is content.
func TestUntil(t *testing.T) {
	for value, want := range map[string][]int{"": {0, 1, 2, 3, 4}, "5/10": {0, 1, 4, 14, 2, 3, 5}, "1": numbers(20)} {
		t.Setenv(long.Variable, value)
		var got []int
		done := func() bool {
			return slices.Contains(got, 4) && slices.Contains(got, 3) && len(got) > 4 &&
				(value == "" || slices.Contains(got, 5))
		}
		for i := range long.Until(unnamed{t}, 20, 2, done) {
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
}

// TestSharesAreWhole: ten runs have every item, and no item but the few twice, whatever the name of the test. One share
// has different items in tests of different names.
func TestSharesAreWhole(t *testing.T) {
	const all, few = 47, 5
	firsts := map[int]bool{}
	for _, name := range []string{"", "TestA", "TestB", "TestC/d", "TestE"} {
		var total []int
		for k := range 10 {
			t.Setenv(long.Variable, fmt.Sprintf("%d/10", k+1))
			part := slices.DeleteFunc(slices.Collect(long.Numbers(named{t, name}, all, few)),
				func(i int) bool { return i < few })
			if k == 0 {
				firsts[part[0]%10] = true
			}
			total = append(total, part...)
		}
		slices.Sort(total)
		if want := numbers(all)[few:]; !slices.Equal(total, want) {
			t.Errorf("%q: got %v, want %v", name, total, want)
		}
	}
	if len(firsts) < 3 {
		t.Errorf("share 1/10 of five tests has items %v modulo 10", slices.Sorted(maps.Keys(firsts)))
	}
}

// TestRare: a share has a hundredth of its items, and never none.
func TestRare(t *testing.T) {
	for _, c := range []struct {
		value    string
		all, few int
		want     []int
	}{
		{"1/10", 2500, 0, []int{0, 1000, 2000}}, {"3/10", 2500, 0, []int{2, 1002, 2002}}, {"10/10", 12, 0, []int{9}},
		{"10/10", 5, 0, []int{4}}, {"7/1000", 2500, 0, []int{6}}, {"1", 12, 0, numbers(12)}, {"", 30, 3, []int{0, 10, 20}},
	} {
		t.Setenv(long.Variable, c.value)
		if got := long.Rare(unnamed{t}, numbers(c.all), c.few); !slices.Equal(got, c.want) {
			t.Errorf("%q of %d: got %v, want %v", c.value, c.all, got, c.want)
		}
	}
}

// recorder is a test whose end is recorded.
type recorder struct {
	testing.TB
	end string
}

func (r *recorder) Skipf(string, ...any) { r.end = "skipped" }
func (r *recorder) Fatal(...any)         { r.end = "failed" }

// TestEnds: without items a test is skipped, and a variable that says nothing fails it.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		value string
		few   int
		want  string
	}{
		{"", 0, "skipped"}, {"", 1, ""}, {"1", 0, ""}, {"1/10", 0, ""},
		{"0", 1, "failed"}, {"2", 1, "failed"}, {"0/10", 1, "failed"}, {"11/10", 1, "failed"},
		{"2/9", 1, ""}, {"a/9", 1, "failed"}, {"1/a", 1, "failed"}, {"0/0", 1, "failed"},
		{"/10", 1, "failed"}, {"true", 1, "failed"},
	} {
		t.Setenv(long.Variable, c.value)
		r := &recorder{TB: t}
		long.Items(r, numbers(20), c.few)
		if r.end != c.want {
			t.Errorf("%q, few %d: got %q, want %q", c.value, c.few, r.end, c.want)
		}
	}
}

func TestFew(t *testing.T) {
	want := 7
	if testing.Short() {
		want = 2
	}
	if got := long.Few(7, 2); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
