package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/picaproof/picaproof/internal/safetext"
)

// statusLine is a line on standard error that is overwritten again and again. It shows nothing
// if standard error is no terminal. Several goroutines may write it.
type statusLine struct {
	w    io.Writer // standard error itself: the line has sequences that overwrite it
	mu   sync.Mutex
	next time.Time // nothing is shown before it
}

func (a *app) statusLine() *statusLine {
	if a.quiet || !terminal(a.stderr) {
		return &statusLine{w: io.Discard}
	}
	return &statusLine{w: a.stderr.(*safetext.Writer).Unwrap()}
}

const (
	clearLine    = "\r\x1b[K"
	showInterval = 100 * time.Millisecond
)

func (l *statusLine) show(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.After(l.next) {
		l.next = now.Add(showInterval)
		fmt.Fprint(l.w, clearLine, safetext.Line(fmt.Sprintf(format, args...)))
	}
}

func (l *statusLine) clear() { fmt.Fprint(l.w, clearLine) }
