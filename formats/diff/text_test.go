package diff_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

//go:generate go test -run ^TestTextLoss$ . -update

// TestTextLoss disassembles and assembles every SHBIN of the corpus that is accepted, each entry point alone. The
// golden file names what is lost. All other files of one entry point come back as their canonical form.
func TestTextLoss(t *testing.T) {
	var order []string
	of := map[string][]string{} // the entry points with a loss
	whole := 0
	for name, f := range accepted(t) {
		for i, s := range f.Shaders() {
			if reached := lint.NewGraph(&s).Reached(); len(f.DVLEs) > 1 && reached != nil {
				s = asm.NewPart(&s, reached).Shader
			}
			var text strings.Builder
			if err := asm.Disassemble(&text, &s, asm.Options{}); err != nil {
				t.Fatal(err)
			}
			loss, err := diff.TextLoss(f, i, text.String())
			if err != nil {
				loss = []string{"the text does not assemble: " + err.Error()}
			}
			switch {
			case len(loss) > 0:
				key := strings.Join(loss, ", ")
				if of[key] == nil {
					order = append(order, key)
				}
				of[key] = append(of[key], fmt.Sprintf("%s#%d", name, i))
			case len(f.DVLEs) == 1:
				whole++
			}
		}
	}
	var b strings.Builder
	for _, loss := range order {
		fmt.Fprintf(&b, "%s\n", loss)
		for part := range slices.Chunk(of[loss], 4) {
			fmt.Fprintf(&b, "  %s\n", strings.Join(part, " "))
		}
	}
	fmt.Fprintf(&b, "nothing\n  %d files of one entry point\n", whole)
	golden.Text(t, "text-loss.txt", b.String())
}

// accepted yields the SHBIN of the corpus that are accepted: the samples, then the vectors.
func accepted(t *testing.T) iter.Seq2[string, *shbin.File] {
	return func(yield func(string, *shbin.File) bool) {
		for _, name := range samples.Glob(t, "*/*.shbin") {
			if f, err := shbin.Parse(samples.Read(t, name)); err == nil && !yield(name, f) {
				return
			}
		}
		vectors, err := corpus.Vectors("shbin")
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			if f, err := shbin.Parse(v.Data); err == nil && !yield(v.Name, f) {
				return
			}
		}
	}
}
