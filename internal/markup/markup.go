// Package markup serves this module: it writes HTML in which every text is escaped.
//
// The templates of the standard library call methods by names that only the data has. A program that links them keeps
// every exported method of every type: this one would have four megabytes more.
package markup

import (
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
)

// Raw is markup, which is not escaped.
type Raw string

// Writer writes markup, and keeps the first error.
type Writer struct {
	w   io.Writer
	err error
}

// Put writes a format, which is markup, with arguments. Their text is escaped for an element or a quoted attribute.
func (w *Writer) Put(format string, args ...any) {
	if w.err != nil {
		return
	}
	safe := make([]any, len(args))
	for i, arg := range args {
		switch x := arg.(type) {
		case Raw:
			safe[i] = string(x)
		case int, uint64:
			safe[i] = x
		default:
			safe[i] = html.EscapeString(fmt.Sprint(x))
		}
	}
	_, w.err = fmt.Fprintf(w.w, format, safe...)
}

// If returns markup, or nothing.
func If(condition bool, then Raw) Raw {
	if condition {
		return then
	}
	return ""
}

// Page writes a page. Its frame is markup with {{title}} and, behind it, {{body}}.
func Page(w io.Writer, frame, title string, body func(*Writer)) error {
	head, rest, ok := strings.Cut(frame, "{{title}}")
	middle, tail, also := strings.Cut(rest, "{{body}}")
	if !ok || !also {
		return errors.New("a frame without {{title}} or {{body}}")
	}
	to := Writer{w: w}
	to.Put("%s%s%s", Raw(head), title, Raw(middle))
	body(&to)
	to.Put("%s", Raw(tail))
	return to.err
}
