package command

import (
	"sync/atomic"
	"time"
)

// Patience asks a program that passed its limit once more, with a longer one: another
// program may have had the processor. Once a program passed that, too, it hangs, and is
// not asked twice again. The zero value is ready; many goroutines may use it.
type Patience struct{ over atomic.Bool }

// longer is how many times as long the second attempt may take.
const longer = 3

// Ask calls a program with a limit; the program reports whether it passed it.
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
