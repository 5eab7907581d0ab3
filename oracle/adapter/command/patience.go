package command

import (
	"sync/atomic"
	"time"
)

// Patience asks a program that exceeded its limit once more, with a longer limit: other
// programs may have used the processor. After a program exceeded that, too, none is
// asked a second time. The zero value is ready; several goroutines may use it.
type Patience struct{ over atomic.Bool }

// longer is the limit of the second attempt, in limits of the first.
const longer = 3

// Ask calls program with a limit; hung says that the program exceeded it.
func Ask[T any](p *Patience, limit time.Duration,
	program func(limit time.Duration) (answer T, hung bool, err error)) (T, error) {
	answer, hung, err := program(limit)
	if err != nil || !hung || p.over.Load() {
		return answer, err
	}
	if answer, hung, err = program(longer * limit); err == nil && hung {
		p.over.Store(true)
	}
	return answer, err
}
