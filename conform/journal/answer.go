package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"unicode/utf8"
)

// question is a question to a program, with what the journal does with its answer.
type question[T any] struct {
	parts [][]byte
	ask   func(id string) (T, error)
	// keep removes what is not stored from a copy of an answer, and returns what is stored beside
	// it; false means that the answer is not stored.
	keep func(*T) (*behind, bool)
	// restore completes a stored answer; false means that the question must be asked again.
	restore func(*T, *behind) (bool, error)
}

// answer returns the stored answer to a question, or asks and stores the answer.
func answer[T any](ctx context.Context, j *Journal, q question[T]) (a T, err error) {
	if j.file == nil {
		if a, err = q.ask(""); err != nil {
			return a, j.failed(ctx, err)
		}
		j.answered.Store(true)
		return a, nil
	}
	name := hash(q.parts...)
	number := j.next(name)
	l, ok, err := j.find(name, number)
	if err == nil && ok {
		if err = unpack(&l, &a); err == nil && q.restore != nil {
			ok, err = q.restore(&a, l.Behind)
		}
		if err != nil {
			err = fmt.Errorf("answer %s: %w", id(name, number), err)
		}
		if err == nil && ok {
			return a, nil
		}
	}
	if err != nil {
		return a, j.failed(ctx, fmt.Errorf("%s: %w", j.name, err))
	}
	if a, err = q.ask(id(name, number)); err != nil {
		return a, j.failed(ctx, err)
	}
	j.answered.Store(true)
	stored := a
	behind, ok := q.keep(&stored)
	if !ok {
		return a, nil
	}
	if l, err = pack(&stored); err == nil {
		l.Question, l.Number, l.Behind = name, number, behind
		err = j.write(&l)
	}
	if err != nil {
		return a, j.failed(ctx, fmt.Errorf("%s: %w", j.name, err))
	}
	return a, nil
}

// pack returns an answer, a struct, as a line. Fields that JSON would change are stored as bytes,
// too: strings that are no UTF-8, and JSON of the program.
func pack(answer any) (l line, err error) {
	eachText(answer, func(name string, v reflect.Value) {
		text, raw := v.Interface().(json.RawMessage)
		switch {
		case !raw && !utf8.ValidString(v.String()):
			text = json.RawMessage(v.String())
		case !raw || text == nil:
			return
		}
		if l.Raw == nil {
			l.Raw = map[string][]byte{}
		}
		l.Raw[name] = text
	})
	l.Answer, err = json.Marshal(answer)
	return l, err
}

// unpack sets an answer to that of a line, which must have every field of it.
func unpack(l *line, answer any) error {
	if err := decode(l.Answer, answer); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(l.Answer, &fields); err != nil {
		return err
	}
	for t, i := reflect.TypeOf(answer).Elem(), 0; i < t.NumField(); i++ {
		if f := t.Field(i); fields[f.Name] == nil && f.IsExported() && !f.Anonymous && f.Tag == "" {
			return fmt.Errorf("%w: no %s", ErrJournal, f.Name)
		}
	}
	if v, ok := answer.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return fmt.Errorf("%w: %w", ErrJournal, err)
		}
	}
	eachText(answer, func(name string, v reflect.Value) {
		text, stored := l.Raw[name]
		switch {
		case v.Kind() == reflect.String && stored:
			v.SetString(string(text))
		case v.Kind() == reflect.Slice && stored:
			v.SetBytes(text)
		case v.Kind() == reflect.Slice:
			v.SetZero() // nil is null in JSON, which is another value
		}
	})
	return nil
}

// eachText calls do for the strings and the raw JSON among the fields of a struct.
func eachText(answer any, do func(name string, v reflect.Value)) {
	v := reflect.ValueOf(answer).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.String || f.Type() == reflect.TypeFor[json.RawMessage]() {
			do(v.Type().Field(i).Name, f)
		}
	}
}

// stays reports whether an answer is the program's own: it was not ended together with us.
func stays(ctx context.Context, fault string) bool { return ctx.Err() == nil && !interrupted[fault] }

var interrupted = map[string]bool{"SIGINT": true, "SIGTERM": true, "SIGHUP": true, "SIGKILL": true}
