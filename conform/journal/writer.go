package journal

import (
	"context"
	"fmt"

	"github.com/picaproof/picaproof/conform/writer"
)

// OfTool returns a tool that asks another one for answers that the journal has not.
func OfTool(j *Journal, t writer.Tool) writer.Tool { return asTool{t, j} }

type asTool struct {
	writer.Tool
	*Journal
}

// Unwrap returns the tool itself.
func (x asTool) Unwrap() writer.Tool { return x.Tool }

// Assemble implements writer.Tool.
func (x asTool) Assemble(ctx context.Context, t *writer.Text) (writer.Answer, error) {
	parts := [][]byte{[]byte("assemble"), []byte(t.Entry), fmt.Append(nil, t.Geometry)}
	for _, f := range t.Files {
		parts = append(parts, []byte(f))
	}
	asked := false
	a, err := answer(ctx, x.Journal, question[writer.Answer]{parts: parts, ask: func(string) (writer.Answer, error) {
		asked = true
		return x.Tool.Assemble(ctx, t)
	}, keep: func(a *writer.Answer) (*behind, bool) { return nil, stays(ctx, a.Fault) }})
	if damaged, ok := x.Tool.(*writer.Protocol); ok && !asked && a.Damage != nil {
		damaged.Recall(a.Damage)
	}
	return a, err
}
