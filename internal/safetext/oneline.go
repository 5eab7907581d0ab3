package safetext

import "reflect"

// OneLine returns a deep copy of a value in which every string is one safe line; see [Line]. Strings
// in a field with the tag `text:"lines"` keep their line feeds and tabs; see [Lines]. Slices of bytes and
// unexported fields stay as they are.
func OneLine[T any](v T) T {
	x := reflect.New(reflect.TypeFor[T]()).Elem()
	x.Set(reflect.ValueOf(&v).Elem())
	safely(x, Line)
	return x.Interface().(T)
}

// safely replaces the strings of a value that may be set. What it shares with others is copied first.
func safely(v reflect.Value, text func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case !f.IsExported():
			case f.Tag.Get("text") == "lines":
				safely(v.Field(i), Lines)
			default:
				safely(v.Field(i), text)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			safely(v.Index(i), text)
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for i := range c.Len() {
			safely(c.Index(i), text)
		}
		v.Set(c)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for at := v.MapRange(); at.Next(); {
			c.SetMapIndex(safe(at.Key(), text), safe(at.Value(), text))
		}
		v.Set(c)
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(safe(v.Elem(), text))
			v.Set(c)
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(safe(v.Elem(), text))
		}
	}
}

func safe(v reflect.Value, text func(string) string) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	safely(c, text)
	return c
}
