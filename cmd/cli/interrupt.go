package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter/orphans"
)

// sameSignal is the time behind the first signal in which others are copies of it: timeout of the GNU tools sends it to
// the program, and again to its process group; so may a shell, and what watches it.
const sameSignal = time.Second

// interrupts are the signals that end the program: Ctrl-C, SIGTERM and SIGHUP. The first one ends
// the context of a command that then reports its results so far. Any other one ends the program
// at once, with all that it has started, unless it is a copy of the first.
type interrupts struct {
	mu     sync.Mutex
	cancel context.CancelFunc // nil if no command waits for the first signal
}

// watch handles the signals until stop is called.
func (i *interrupts) watch() (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup asks
		signal.Notify(signals, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go func() {
		var first time.Time
		for {
			select {
			case s := <-signals:
				if cancel := i.take(); cancel != nil {
					first = time.Now()
					cancel()
				}
				if time.Since(first) < sameSignal {
					continue
				}
				orphans.EndAll()
				die(s)
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

func (i *interrupts) take() (cancel context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	cancel, i.cancel = i.cancel, nil
	return cancel
}

// interruptible returns a context that ends at the first signal.
func (i *interrupts) interruptible() (context.Context, context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	i.cancel = cancel
	return ctx, func() {
		i.take()
		cancel()
	}
}
