package reader_test

import (
	"context"
	"fmt"
	"log"

	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/formats/shbin"
)

// A parser in this process is judged; NewCommand takes a command line instead.
func ExampleRun() {
	parser := reader.Func(func(b []byte) (reader.Result, error) {
		if len(b) >= 4 {
			b = append([]byte("DVLB"), b[4:]...) // it ignores the magic
		}
		_, err := shbin.Parse(b)
		return reader.Result{}, err
	})
	report, err := reader.Run(context.Background(), parser,
		reader.Options{Formats: []string{"shbin"}, Repeats: 1, Cases: 5, NoCost: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, cause := range report.Causes() {
		fmt.Println(cause.Outcome+":", cause.Name)
	}
	// Output:
	// accepts invalid: accepts DVLB002
}
