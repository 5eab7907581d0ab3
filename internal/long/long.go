// Package long serves this module: it chooses how many items of its work a test runs, by one environment variable.
//
//	(unset)              the few items of every run
//	PICAPROOF_LONG=3/10  these, and a tenth of the others, e.g. items 2, 12, 22, ...
//	PICAPROOF_LONG=1     all items
//
// Ten runs, one for each tenth, run every item, and so do a hundred of 1/100 to 100/100. The name of a test decides
// which items a share has: otherwise 1/100 would have the first item of every list, and 100/100 none of the short
// lists. Work of hours is the exception, see Rare. The few items are part of each run, so a test may demand of any run
// what the few items show together.
package long

import (
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Variable is the name of the environment variable.
const Variable = "PICAPROOF_LONG"

// Items returns the items of a list that run now, in their order. The few of every run are spread evenly over
// the list. If few is 0 and the variable is not set, the test is skipped.
func Items[T any](t testing.TB, all []T, few int) (list []T) {
	t.Helper()
	ofShare := share(t, few)
	for i, item := range all {
		if i*few%len(all) < few || few > len(all) || ofShare(i) {
			list = append(list, item)
		}
	}
	return list
}

// Numbers returns the numbers from 0 to all-1 that run now, in their order: seeds, or draws of a generator.
// The few of every run are the first ones. If few is 0 and the variable is not set, the test is skipped.
func Numbers(t testing.TB, all, few int) iter.Seq[int] {
	t.Helper()
	ofShare := share(t, few)
	return func(yield func(int) bool) {
		for i := range all {
			if (i < few || ofShare(i)) && !yield(i) {
				return
			}
		}
	}
}

// Extra returns the items of a list that only a long run has: none if the variable is not set. It serves tests that
// sample their work in every run.
func Extra[T any](t testing.TB, all []T) (list []T) {
	t.Helper()
	ofShare := share(t, 1)
	for i, item := range all {
		if ofShare(i) {
			list = append(list, item)
		}
	}
	return list
}

// Rare is Items for work of hours: a share runs a hundredth of what it runs of other items, at least one.
func Rare[T any](t testing.TB, all []T, few int) (list []T) {
	t.Helper()
	first, count := part(t)
	if count <= 1 {
		return Items(t, all, few)
	}
	const rarer = 100
	for i := first % len(all); i < len(all); i += rarer * count {
		list = append(list, all[i])
	}
	return list
}

// Until yields the numbers from 0 to all-1 that run now, as Numbers does, and then the others until done. It serves
// tests that draw until something was seen.
func Until(t testing.TB, all, few int, done func() bool) iter.Seq[int] {
	t.Helper()
	ofShare := share(t, few)
	return func(yield func(int) bool) {
		for i := range all {
			if (i < few || ofShare(i)) && !yield(i) {
				return
			}
		}
		for i := few; i < all && !done(); i++ {
			if !ofShare(i) && !yield(i) {
				return
			}
		}
	}
}

// Few returns the number of items of every run: plain, or with -short short.
func Few(plain, short int) int {
	if testing.Short() {
		return short
	}
	return plain
}

// share returns whether an item is one of those that the variable asks for.
func share(t testing.TB, few int) func(i int) bool {
	t.Helper()
	if os.Getenv(Variable) == "" && few == 0 {
		t.Skipf("long: runs with %s=1", Variable)
	}
	first, count := part(t)
	return func(i int) bool { return count > 0 && i%count == first }
}

// part returns the share that the variable asks of a test: the items first, first+count, first+2*count, ...
// A count of 0 means none.
func part(t testing.TB) (first, count int) {
	t.Helper()
	first, count, err := parse(os.Getenv(Variable))
	if err != nil {
		t.Fatal(err)
	}
	if count > 0 {
		first = (first + int(crc32.ChecksumIEEE([]byte(t.Name()))%uint32(count))) % count
	}
	return first, count
}

// parse returns the number of the share, from 0, and the number of shares, of a value of the variable.
func parse(value string) (first, count int, err error) {
	switch value {
	case "":
		return 0, 0, nil
	case "1":
		return 0, 1, nil
	}
	number, of, _ := strings.Cut(value, "/")
	k, err := strconv.Atoi(number)
	n, errOf := strconv.Atoi(of)
	if err != nil || errOf != nil || k < 1 || k > n {
		return 0, 0, fmt.Errorf("%s=%q: want 1 or a share, 1/10 to 10/10", Variable, value)
	}
	return k - 1, n, nil
}
