package arb

import (
	"fmt"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// modelInput is the length of the inputs from which models are drawn.
const modelInput = 4096

// Model is a model that a generator of fuzz/gen draws from an input.
type Model[F any] struct {
	Value F
	input []byte

	position reduce.Position // where the shrinker continues
}

// Format writes the type of the model and the length of its input.
func (m Model[F]) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "%T of %d bytes of choices", m.Value, len(m.input))
}

// Models draws models. They shrink by their inputs: fewer and smaller choices
// make simpler models.
func Models[F any](model func(c *gen.Choices) F) gopter.Gen {
	draw := func(input []byte, position reduce.Position) Model[F] {
		return Model[F]{model(gen.From(gen.NewBytes(input))), input, position}
	}
	shrink := func(v any) gopter.Shrink {
		m := v.(Model[F])
		next := reduce.FileSteps(m.input, m.position)
		return func() (any, bool) {
			input, position, ok := next()
			if !ok {
				return nil, false
			}
			return draw(input, position), true
		}
	}
	return func(p *gopter.GenParameters) *gopter.GenResult {
		input := make([]byte, modelInput)
		p.Rng.Read(input)
		return gopter.NewGenResult(draw(input, reduce.Position{}), shrink)
	}
}
