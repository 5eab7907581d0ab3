package adapter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// worker asks one process at a time. One goroutine uses it.
type worker struct {
	*process // nil if none runs
	pool     *pool
	ahead    int // number of requests to send at once; 0 means one
	lines    []byte
	whole    bool          // the newest attempt beside other programs has the whole limit
	used     time.Duration // the processor time of the newest answer
}

// trouble is the failure of a process, which has ended or was ended.
type trouble struct {
	fate                  Fate
	kind, message, stderr string
	// sequence has the requests to the process; the last is the request that it did not
	// answer. It is empty if the process did not survive its start.
	sequence Sequence
	refused  bool // the answer before was an error
	slow     bool // the process used up its processor time
	whole    bool // it had the whole limit
}

func (t *trouble) answer() Answer {
	return Answer{Fate: t.fate, Kind: t.kind, Message: t.message, Stderr: t.stderr}
}

// stopped is the trouble of a core that is closed.
func stopped() *trouble {
	a := interrupted()
	return &trouble{fate: a.Fate, kind: a.Kind, message: a.Message}
}

// Error returns "crashed: signal SIGSEGV".
func (t *trouble) Error() string { a := t.answer(); return a.String() }

// Errors that end a process.
var (
	errNoInfo  = errors.New("no answer to an info request")
	errStopped = errors.New("the harness was stopped")
)

// garbage is a line that is no answer. It ends a process.
type garbage struct {
	why  error
	line string
}

func (g *garbage) Error() string { return fmt.Sprintf("not an answer: %v: %.60q", g.why, g.line) }

// newGarbage keeps the end of a long line from somewhat before the place at which it is no JSON: a core may write into
// its answer.
func newGarbage(why error, line []byte) *garbage {
	const before = 16
	if no, ok := errors.AsType[*json.SyntaxError](why); ok {
		line = bytes.TrimSpace(line)
		line = line[max(0, min(int(no.Offset)-before, len(line)-before)):]
	}
	return &garbage{why, string(line[:min(len(line), maxTail)])}
}

// run answers calls until the core is closed.
func (w *worker) run() {
	defer w.end(idleGrace)
	for {
		calls := w.take()
		if calls == nil {
			return
		}
		w.ask(calls)
	}
}

// take waits for a call and returns it with other waiting calls, as many as this worker
// should send at once.
func (w *worker) take() (calls []*call) {
	c := w.pool
	select {
	case x := <-c.calls:
		calls = append(calls, x)
	case <-c.closed:
		return nil
	}
	share := 1 + int(c.waiting.Load())/c.options.Processes
	for len(calls) < min(share, w.ahead, int(c.batch.Load())) {
		select {
		case x := <-c.calls:
			calls = append(calls, x)
		default:
			return calls
		}
	}
	return calls
}

// ask answers calls and reports whether one of them crashes even alone.
func (w *worker) ask(calls []*call) (crashed bool) {
	for len(calls) > 0 {
		if t := w.beginAmong(); t != nil {
			calls[0].answer <- t.answer()
			calls = calls[1:]
			crashed = crashed || t.fate == Crashed
			continue
		}
		var before Sequence
		if s := w.pool.before.Load(); s != nil {
			before = *s
		}
		each := len(before) + 1
		requests := make([]*request, 0, each*len(calls))
		for _, x := range calls {
			requests = append(append(requests, before...), x.request)
		}
		try := firstTry
		if len(calls) == 1 && IsBrief(calls[0].ctx) {
			try = onlyTry
		}
		start := time.Now()
		n, err := w.among(requests, try, func(k int, a Answer) {
			if k%each == len(before) {
				calls[k/each].answer <- a
			}
		})
		calls = calls[n/each:]
		switch {
		case err == nil && time.Since(start) > w.pool.limit(firstTry)/8:
			w.ahead = 1
		case err == nil:
			w.ahead = min(2*w.ahead+1, maxBatch)
		case err == errRefusal:
			w.lose(err)
			w.ahead = 1
		default:
			crashed = w.recover(calls, err) || crashed
			return crashed
		}
	}
	return crashed
}

// recover answers calls after the process failed to answer the first of them. It reports
// whether one of them crashes even alone.
func (w *worker) recover(calls []*call, err error) (crashed bool) {
	first := w.lose(err)
	w.ahead = 1
	victim := calls[0]
	var a Answer
	switch try := firstTry; {
	case first.fate == Crashed && len(first.sequence) == 1 && len(calls) == 1: // it was alone
		a = first.answer()
	case first.fate == Hung && IsBrief(victim.ctx):
		a = guessed()
	case first.fate == Crashed && IsBrief(victim.ctx):
		a = Answer{Fate: Crashed, Kind: KindGuessed, Message: first.message}
	default:
		if first.fate == Hung {
			try = lastTry
		}
		w.pool.repeated.Add(1)
		a = w.alone(victim.request, try)
	}
	if crashed = a.Fate == Crashed; first.fate == Hung && first.slow && a.Fate < Crashed &&
		(first.whole || w.used > w.pool.options.Timeout) {
		w.pool.late.Add(1)
	}
	answered := a.Fate >= Crashed
	if answered { // nothing behind it changes that, and a batch with several hangs takes long
		victim.answer <- a
	}
	// Answers in the buffer of the process are lost with it: a later request may have
	// ended it.
	for _, x := range calls[1:] {
		crashed = w.ask([]*call{x}) || crashed
	}
	if a.Fate < Crashed && !crashed {
		switch {
		case first.fate == Garbled:
			if w.pool.disorderly.Add(1) >= disorderlyLimit {
				w.pool.batch.Store(1)
			}
		case first.fate == Crashed && first.refused:
			w.pool.restart.Store(true)
		case first.fate == Crashed:
			a.Damaged = &Damage{first.kind, first.message, first.stderr, first.sequence}
		}
	}
	if !answered {
		victim.answer <- a
	}
	return crashed
}

// disorderlyLimit is the number of disorderly answers after which requests are sent one
// at a time.
const disorderlyLimit = 3

// begin makes sure that a process runs.
func (w *worker) begin() *trouble {
	if w.process != nil && (len(w.sequence) >= w.pool.lifetime() || w.reader.Buffered() > 0) {
		if w.reader.Buffered() > 0 {
			w.pool.disorderly.Add(1)
		}
		w.end(idleGrace)
	}
	for w.process == nil {
		if w.stopped() {
			return stopped()
		}
		p, err := w.pool.launch()
		if failed := w.pool.options.Failed; err != nil && failed != nil {
			failed(err)
			return stopped()
		}
		if err != nil {
			return &trouble{fate: Crashed, kind: "exit", message: err.Error()}
		}
		w.process = p
	}
	if w.greeted || w.pool.silent.Load() {
		return nil
	}
	return w.greet()
}

// beginAmong is begin beside other programs.
func (w *worker) beginAmong() (t *trouble) {
	if Among(w.pool.open, func() { t = w.begin() }) != nil {
		return stopped()
	}
	return t
}

// greet asks a new process for information, so that the time of its start does not
// count as time of a job. The process need not know the request.
func (w *worker) greet() *trouble {
	w.greeted = true
	q := newInfo(uint64(w.pool.requests.Add(1)))
	allowed := w.pool.launcher.allow(w.pool.options.Timeout).plus(w.pool.options.Start)
	line, err := w.await(q, allowed, func() error { return w.send(q.line) })
	if err == nil {
		r, why := parseReply(line, q)
		if why == errNoObject { // a banner, say: the answer comes behind it
			return w.lose(newGarbage(why, line))
		}
		if why == nil && r.Status == StatusOK {
			w.pool.info.CompareAndSwap(nil, r)
		}
		return nil
	}
	t := w.lose(err)
	if t.fate == Hung {
		t.message = "no answer after the start"
		return t
	}
	w.pool.silent.Store(true)
	return w.begin()
}

// await sends a request and returns the answer line.
func (w *worker) await(q *request, limit allowance, send func() error) ([]byte, error) {
	w.busy.Store(true)
	defer w.busy.Store(false)
	if w.stopped() {
		return nil, errStopped
	}
	w.dog.watch(limit)
	defer w.dog.rest()
	_ = send() // a failure shows as the end of the output
	return w.receive(outputLimit(q))
}

// direct is a number of bytes that fit into an empty pipe on every system.
const direct = 1 << 14

// errRefusal: the process must be replaced, because the refused job may have damaged
// it.
var errRefusal = errors.New("refused")

// exchange sends requests and passes their answers to got. It returns the number of
// answers, and the error that ended the process or is a reason to end it.
func (w *worker) exchange(requests []*request, each allowance, got func(k int, a Answer)) (n int, err error) {
	p := w.process
	p.busy.Store(true)
	defer p.busy.Store(false)
	if w.stopped() { // Close ends only busy processes
		return 0, errStopped
	}
	w.lines = w.lines[:0]
	for _, q := range requests {
		w.lines = append(w.lines, q.line...)
	}
	p.sequence = append(p.sequence, requests...)
	allowed := each
	if !p.greeted {
		allowed, p.greeted = allowed.plus(w.pool.options.Start), true
	}
	start := time.Now()
	p.dog.watch(allowed)
	defer p.dog.rest()
	if len(w.lines) <= direct {
		_ = p.send(w.lines) // a failure shows as the end of the output
	} else {
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			_ = p.send(w.lines)
		}()
		defer func() {
			if err != nil && err != errRefusal {
				p.stopSending()
			}
			<-sent
		}()
	}
	for k, q := range requests {
		line, err := p.receive(outputLimit(q))
		if err != nil {
			return k, err
		}
		a, err := decodeAnswer(line, q)
		if err != nil {
			return k, newGarbage(err, line)
		}
		if a.Fate == Hung {
			return k, errLate
		}
		now := time.Now()
		a.Time, start = now.Sub(start), now
		p.answered++
		p.refused = a.Fate != Answered
		w.used = p.dog.watch(each)
		w.pool.took(w.used)
		got(k, a)
		if w.damaging(&a) {
			return k + 1, errRefusal
		}
	}
	return len(requests), nil
}

// among is exchange beside other programs, in some attempt.
func (w *worker) among(requests []*request, try attempt, got func(k int, a Answer)) (n int, err error) {
	w.whole = w.pool.needed.Load() == 0
	if Among(w.pool.open, func() { n, err = w.exchange(requests, w.pool.allow(try, 0), got) }) != nil {
		err = errStopped
	}
	return n, err
}

// damaging reports whether a refused job may have damaged the core.
func (w *worker) damaging(a *Answer) bool {
	switch a.Fate {
	case Refused:
		return a.Kind != string(StatusBadRequest)
	case Trapped, Unsupported:
		return w.pool.restart.Load()
	}
	return false
}

// maxMessages is the largest number of bytes of an answer without its vertices.
const maxMessages = 1 << 20

// outputLimit is the largest number of bytes of the answer to a request.
func outputLimit(q *request) int {
	n := maxMessages + q.vertices*4*bankDigits
	if q.stage == pica.Geometry {
		n = max(n, MaxLine)
	}
	return n
}

// alone returns the answer of a fresh process to a request, in some attempt. A request without an
// answer in the first one is repeated once with a longer limit, and with no other program beside it.
func (w *worker) alone(q *request, try attempt) (a Answer) {
	for {
		w.end(0)
		gate, steps := Among, 0
		if try == lastTry {
			gate, steps = Alone, count(q, maxCount)
		}
		var t *trouble
		var err error
		if gate(w.pool.open, func() {
			if t = w.begin(); t == nil {
				_, err = w.exchange([]*request{q.within(w.pool.limit(try))}, w.pool.allow(try, steps),
					func(_ int, got Answer) { a = got })
			}
		}) != nil {
			t = stopped()
		}
		if t != nil {
			return t.answer()
		}
		if err == errRefusal {
			w.end(0)
		}
		if err == nil || err == errRefusal {
			return a
		}
		t = w.lose(err)
		switch hung := t.fate == Hung && !w.stopped(); {
		case hung && try == onlyTry:
			return guessed()
		case hung && try == firstTry:
			try = lastTry
		default:
			if hung {
				w.pool.hung.Add(1)
			}
			return t.answer()
		}
	}
}

func (w *worker) stopped() bool {
	select {
	case <-w.pool.closed:
		return true
	default:
		return false
	}
}

// replay sends a sequence to a fresh process.
func (w *worker) replay(ctx context.Context, s Sequence) (last Answer, answered int) {
	const step = 16
	if t := w.beginAmong(); t != nil {
		return t.answer(), 0
	}
	for part := range slices.Chunk(s, step) {
		for len(part) > 0 {
			n, err := w.among(part, lastTry, func(_ int, a Answer) { last = a })
			answered += n
			part = part[n:]
			if err != nil && err != errRefusal {
				return w.lose(err).answer(), answered
			}
		}
		if ctx.Err() != nil {
			return interrupted(), answered
		}
	}
	return last, answered
}

// lose ends the process and returns its trouble. A process that writes a line that is no
// answer gets the end of its input. It has crashed if a signal ends it then; an exit status
// is no crash, because the end of the input may be its reason.
func (w *worker) lose(err error) *trouble {
	p := w.process
	t := &trouble{fate: Garbled, message: err.Error(), refused: p.refused, slow: p.slow.Load(), whole: w.whole}
	if p.answered < len(p.sequence) {
		t.sequence = p.sequence[:p.answered+1]
	}
	words, garbled := errors.AsType[*garbage](err)
	died := false
	if garbled {
		died = w.drain() == errEnded
	}
	if w.stopped() { // killed with the core
		w.end(0)
		return stopped()
	}
	kind, message, stderr := w.stop(0)
	w.forget()
	t.stderr = stderr
	switch {
	case err == errLate:
		t.fate = Hung
	case err == errEnded:
		t.fate, t.kind, t.message = Crashed, kind, message
	case died && kind == "signal":
		t.fate, t.kind, t.message, t.stderr = Crashed, kind, message, cmp.Or(stderr, words.line)
	}
	return t
}

// drain reads what the process writes behind its last words, until it ends, exceeds its limit,
// or the core is closed.
func (w *worker) drain() error {
	w.busy.Store(true)
	defer w.busy.Store(false)
	if w.stopped() { // Close ends only busy processes
		return errStopped
	}
	w.dog.watch(exactly(w.pool.limit(firstTry)))
	return w.process.drain(maxMessages)
}

// end ends the process, if one runs, after a grace.
func (w *worker) end(grace time.Duration) {
	if w.process != nil {
		w.stop(grace)
		w.forget()
	}
}

// forget drops a process that was stopped.
func (w *worker) forget() {
	w.pool.mu.Lock()
	delete(w.pool.running, w.process)
	w.pool.mu.Unlock()
	w.process = nil
}

// idleGrace is the time in which a process must end after its input.
const idleGrace = time.Second
