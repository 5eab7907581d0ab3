package writer_test

import (
	"context"
	"fmt"
	"log"

	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/shbin"
)

// A converter in this process is judged; NewConverterCommand takes a command line instead.
func ExampleRunConverter() {
	copier := writer.ConvertFunc(func(data []byte) ([]byte, error) {
		f, err := shbin.Parse(data)
		if err != nil {
			return nil, err
		}
		f.DVLEs[0].OutputMask = 0 // its mistake
		return f.AppendUnchecked(nil)
	})
	report, err := writer.RunConverter(context.Background(), copier, "shbin", writer.Options{Cases: 20})
	if err != nil {
		log.Fatal(err)
	}
	for _, cause := range report.Causes() {
		fmt.Println(cause.Outcome+":", cause.Name)
	}
	// Output:
	// wrong tables: dvle.output_mask
}
