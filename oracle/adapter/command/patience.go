package command

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// Patience asks a program that exceeded its limit once more, with a longer limit and no other
// program beside it: other programs may have used the processor. After a program exceeded that,
// too, none is asked a second time. The zero value is ready; several goroutines may use it.
type Patience struct{ over atomic.Bool }

// Ask calls program with a limit; hung says that the program exceeded it.
func Ask[T any](ctx context.Context, p *Patience, limit time.Duration,
	program func(limit time.Duration) (answer T, hung bool, err error)) (T, error) {
	var answer T
	var hung bool
	var err error
	if e := adapter.Among(ctx, func() { answer, hung, err = program(limit) }); e != nil {
		return answer, e
	}
	if err != nil || !hung || p.over.Load() {
		return answer, err
	}
	if e := adapter.Alone(ctx, func() { answer, hung, err = program(adapter.Longer * limit) }); e != nil {
		return answer, e
	}
	if err == nil && hung {
		p.over.Store(true)
	}
	return answer, err
}
