package conform_test

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/formats/shbin"
)

// A test of a parser is one call. This parser is ours; the options make the test short.
func ExampleReaderWith() {
	o := reader.Options{Formats: []string{"shbin"}, Repeats: 1, Cases: 5, NoCost: true}
	fmt.Println(conform.ReaderWith(o, func(b []byte) (reader.Result, error) {
		f, err := shbin.Parse(b)
		if err != nil {
			return reader.Result{}, err
		}
		b, err = f.AppendBinary(nil)
		return reader.Result{Rewritten: b}, err
	}))

	// A parser that ignores the magic.
	err := conform.ReaderWith(o, func(b []byte) (reader.Result, error) {
		if len(b) >= 4 {
			b = append([]byte("DVLB"), b[4:]...)
		}
		_, err := shbin.Parse(b)
		return reader.Result{}, err
	})
	first, _, _ := strings.Cut(err.Error(), "\n")
	fmt.Println(first)
	// Output:
	// <nil>
	// accepts invalid: accepts DVLB002: shbin: trigger of DVLB002, number 106: expected refused: DVLB002 wrong magic, observed accepted
}
