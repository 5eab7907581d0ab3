package cli

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/pattern"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/nearest"
)

// seed is an input with which a fuzzer starts.
type seed struct {
	name string
	data []byte
}

func (a *app) fuzzExportCommand() *cobra.Command {
	kinds := []string{allPrograms}
	for f := range registry.All() {
		kinds = append(kinds, f.Name)
	}
	return &cobra.Command{
		Use:   "export KIND",
		Short: "Write seeds, a dictionary and options for libFuzzer or AFL++",
		Long: `export writes what a fuzzer of your own parser starts with into the directory -o: seeds/ with
one file for each vector of a format, KIND.dict with its magics, the constants of its records
and its opcodes, and KIND.options for libFuzzer. KIND is a format or programs, the words of
generated programs.

Exit status: 0 the files were written; 2 bad arguments, or a file that is there already or
cannot be written.`,
		Example: `  picaproof fuzz export shbin -o fuzz
  clang -fsanitize=fuzzer,address myparser.c -o myfuzzer
  ./myfuzzer -dict=fuzz/shbin.dict corpus fuzz/seeds`,
		Args:        arguments(1, 1),
		ValidArgs:   kinds,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(_ *cobra.Command, args []string) error {
			if a.output == "" || a.output == "-" {
				return fmt.Errorf("name the directory with -o, e.g. -o fuzz")
			}
			kind := args[0]
			tokens := pattern.Dictionary(kind)
			seeds, err := formatSeeds(kind)
			switch {
			case kind == allPrograms:
				seeds, tokens = programSeeds(), pattern.Opcodes()
			case tokens == nil:
				return fmt.Errorf("unknown kind %q: want %s%s", kind, alternatives(kinds), nearest.Hint(kind, kinds))
			case err != nil:
				return err
			}
			return a.exportSeeds(kind, seeds, tokens)
		},
	}
}

// exportSeeds writes the files of a kind.
func (a *app) exportSeeds(kind string, seeds []seed, tokens []pattern.Token) error {
	inputs, names := folder(filepath.Join(a.output, "seeds")), make([]string, len(seeds))
	longest := 0
	for i, s := range seeds {
		names[i] = s.name
		longest = max(longest, len(s.data))
	}
	dictionary, options := kind+".dict", kind+".options"
	if err := inputs.prepare(names); err != nil {
		return err
	}
	if err := folder(a.output).prepare([]string{dictionary, options}); err != nil {
		return err
	}
	for _, s := range seeds {
		err := inputs.write(s.name, func(w io.Writer) error { _, err := w.Write(s.data); return err })
		if err != nil {
			return err
		}
	}
	err := folder(a.output).write(dictionary, func(w io.Writer) error { return pattern.WriteDictionary(w, tokens) })
	if err != nil {
		return err
	}
	return folder(a.output).write(options, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "[libfuzzer]\ndict = %s\nmax_len = %d\n", dictionary, 1<<bits.Len(uint(longest)))
		return err
	})
}

// formatSeeds returns the vectors of a format.
func formatSeeds(format string) ([]seed, error) {
	vectors, err := corpus.Vectors(format)
	list := make([]seed, len(vectors))
	for i, v := range vectors {
		list[i] = seed{path.Base(v.Name) + "." + format, v.Data}
	}
	return list, err
}

// programSeeds returns the words of some generated programs of each mode.
func programSeeds() (list []seed) {
	const each = 8
	var g gen.Generator
	for _, mode := range gen.Modes {
		for n := range uint64(each) {
			var code []byte
			for _, w := range g.Job(gen.Seed(1, n), mode).Code {
				code = binary.LittleEndian.AppendUint32(code, w)
			}
			list = append(list, seed{fmt.Sprintf("%s-%d.words", mode, n), code})
		}
	}
	return list
}
