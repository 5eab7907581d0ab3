package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// benchTime is the time limit of a bench request.
const benchTime = time.Minute

// newBench returns a bench request with a number. object is a job of the protocol with
// the fields of bench, as a JSON object.
func newBench(id uint64, object []byte) *request {
	b := strconv.AppendUint([]byte(`{"id":`), id, 10)
	b = append(append(b, `,"op":"bench",`...), bytes.TrimPrefix(bytes.TrimSpace(object), []byte("{"))...)
	return &request{id: id, info: true, line: append(b, '\n')}
}

// benchReply reads the answer to a bench request.
func benchReply(line []byte, q *request) (*BenchReply, error) {
	r, err := parseReply(line, q)
	switch {
	case err != nil:
		return nil, err
	case r.Status != StatusOK || r.BenchReply == nil:
		return nil, fmt.Errorf("%s %s %s", r.Status, r.Kind, r.Msg)
	}
	return r.BenchReply, nil
}

func (c *pool) Bench(ctx context.Context, object []byte) (*BenchReply, error) {
	type result struct {
		reply *BenchReply
		err   error
	}
	q := newBench(uint64(c.requests.Add(1)), object)
	r := alone(ctx, c, result{err: errStopped}, func(w *worker) result {
		if t := w.begin(); t != nil {
			return result{err: t}
		}
		line, err := w.await(q, benchTime, func() error { return w.send(q.line) })
		if err != nil {
			return result{err: w.lose(err)}
		}
		reply, err := benchReply(line, q)
		return result{reply, err}
	})
	return r.reply, r.err
}

func (c *inProcess) Bench(_ context.Context, object []byte) (*BenchReply, error) {
	q := newBench(c.requests.Add(1), object)
	line, err := c.answer(q)
	if err != nil {
		return nil, errors.Join(errStopped, err)
	}
	return benchReply(line, q)
}
