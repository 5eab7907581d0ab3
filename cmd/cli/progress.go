package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress returns a bar on standard error when a person can see it there, and
// a silent one otherwise.
func (a *app) progress(total int, what string) *progressbar.ProgressBar {
	if a.quiet || !terminal(a.stderr) {
		// A bar without a known end spins in a goroutine of its own; nobody sees it.
		return progressbar.DefaultSilent(max(int64(total), 1), what)
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// statusLine is one line on standard error that is written again and again. It
// shows nothing where nobody can see it.
type statusLine struct{ w io.Writer }

func (a *app) statusLine() statusLine {
	if a.quiet || !terminal(a.stderr) {
		return statusLine{io.Discard}
	}
	return statusLine{a.stderr}
}

const clearLine = "\r\x1b[K"

func (l statusLine) show(text string) { fmt.Fprint(l.w, clearLine, text) }

func (l statusLine) clear() { fmt.Fprint(l.w, clearLine) }
