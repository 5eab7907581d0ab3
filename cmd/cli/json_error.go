package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// plainJSON returns the message of an error. What the reader of JSON says in it of Go's types and of its own state
// becomes what stands in the file and what was expected.
func plainJSON(err error) string {
	text := err.Error()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return strings.ReplaceAll(text, syntax.Error(), plainSyntax(syntax))
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		plain := fmt.Sprintf("want %s, found %s", kindName(wrong.Type), article(wrong.Value))
		if wrong.Field != "" {
			plain = fmt.Sprintf("%q: %s", wrong.Field, plain)
		}
		return strings.ReplaceAll(text, wrong.Error(), plain)
	}
	return text
}

func plainSyntax(err *json.SyntaxError) string {
	text := err.Error()
	rest, found := strings.CutPrefix(text, "invalid character ")
	// A character stands between quotes, and may be one itself.
	if end := strings.Index(rest, "' "); found && end > 0 {
		return fmt.Sprintf("want JSON, found %s at byte %d", rest[:end+1], err.Offset)
	}
	if err.Offset == 0 {
		return "want JSON, found nothing"
	}
	return fmt.Sprintf("want JSON, found its end too early, behind byte %d", err.Offset)
}

// kindName names the JSON that a Go type takes.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Pointer:
		return kindName(t.Elem())
	}
	if strings.HasPrefix(t.Kind().String(), "uint") {
		return fmt.Sprintf("a whole number below 2^%d", t.Bits())
	}
	return "a whole number"
}

// article returns what JSON has instead, as "a number" or "the number 5.5".
func article(value string) string {
	switch {
	case value == "array":
		return "a list"
	case value == "object":
		return "an object"
	case value == "bool":
		return "true or false"
	case strings.HasPrefix(value, "number "):
		return "the " + value
	}
	return "a " + value
}
