package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/picaproof/picaproof/formats/diag"
)

// MaxResult is the largest number of bytes in a result, JSON or bytes of a file.
const MaxResult = 256 << 10

// Engine holds the open files and the runs of a page. The zero Engine is ready to use. It is not safe for concurrent
// use.
type Engine struct {
	files    table[file]
	runs     table[run]
	compared comparison
}

// Method is a question that the engine answers.
type Method struct {
	Name   string
	Doc    string // a sentence
	Params reflect.Type
	Result reflect.Type
	// TakesBytes and GivesBytes say that bytes of a file go with the parameters or with the result.
	TakesBytes, GivesBytes bool

	call func(e *Engine, params, data []byte) (any, error)
}

// Data are the bytes of a file beside the JSON of parameters or of a result.
type Data struct{ bytes []byte }

func (d *Data) data() *[]byte { return &d.bytes }

// withData is implemented by parameters and results with bytes beside their JSON.
type withData interface{ data() *[]byte }

// method declares a method. Little of it depends on the types, because every method makes a copy of that part.
func method[P, R any](name, doc string, handle func(*Engine, P) (R, error)) Method {
	_, takes := any(new(P)).(withData)
	_, gives := any(new(R)).(withData)
	return Method{name, doc, reflect.TypeFor[P](), reflect.TypeFor[R](), takes, gives,
		func(e *Engine, params, data []byte) (any, error) {
			p, r := new(P), new(R)
			err := read(params, data, p)
			if err != nil {
				return nil, fmt.Errorf("%s: parameters: %w", name, err)
			}
			*r, err = handle(e, *p)
			return r, err
		}}
}

// read reads parameters. Fields that they do not have are errors.
func read(params, data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if p, ok := to.(withData); ok {
		*p.data() = data
	}
	return d.Decode(to)
}

// Methods returns the methods in the order of the documentation.
func Methods() []Method { return methods }

var byName = func() map[string]*Method {
	m := make(map[string]*Method, len(methods))
	for i := range methods {
		m[methods[i].Name] = &methods[i]
	}
	return m
}()

// Call calls a method. params is a JSON object; data are the bytes of a file for a method that takes them, which the
// engine keeps. The result is JSON, and bytes for a method that gives them. Errors are for [ErrorOf].
func (e *Engine) Call(name string, params, data []byte) (result, bytes []byte, err error) {
	m := byName[name]
	if m == nil {
		return nil, nil, fmt.Errorf("no method %q", name)
	}
	r, err := m.call(e, params, data)
	if err != nil {
		return nil, nil, err
	}
	if d, ok := r.(withData); ok {
		bytes = *d.data()
	}
	if result, err = encode(clipped(r)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if n := max(len(result), len(bytes)); n > MaxResult {
		return nil, nil, fmt.Errorf("%s: a result of %d bytes is over the limit of %d: ask for a smaller window",
			name, n, MaxResult)
	}
	return result, bytes, nil
}

// encode returns the JSON of a value.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Error is the JSON form of an error.
type Error struct {
	Message string `json:"message"`
	Rule    string `json:"rule,omitempty"`   // the rule by which a file is refused
	Offset  *int   `json:"offset,omitempty"` // of the finding in the file
}

// ErrorOf returns the JSON form of an error of [Engine.Call].
func ErrorOf(err error) Error {
	e := Error{Message: clip(err.Error())}
	var refused *diag.ParseError
	if errors.As(err, &refused) {
		e.Rule, e.Offset = refused.Finding.Rule, &refused.Finding.Off
	}
	return e
}

// table numbers values from 1. A number is never used again.
type table[T any] struct {
	values map[int]*T
	last   int
}

func (t *table[T]) add(v *T) int {
	if t.values == nil {
		t.values = map[int]*T{}
	}
	t.last++
	t.values[t.last] = v
	return t.last
}

func (t *table[T]) get(kind string, n int) (*T, error) {
	v := t.values[n]
	if v == nil {
		return nil, fmt.Errorf("no %s %d", kind, n)
	}
	return v, nil
}
