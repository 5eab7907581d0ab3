// Package project serves this module: it reads the settings of a project, which stand in the file
// .picaproof.toml of the working directory or of the nearest directory above it.
package project

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/picaproof/picaproof/internal/nearest"
)

// Name is the name of the file.
const Name = ".picaproof.toml"

// maxSize is the largest file, in bytes.
const maxSize = 1 << 20

// Key is a key that the file may have.
type Key struct {
	Name    string
	List    bool   // its value is a list of strings, else a string
	Text    string // what it is for, in lines
	Example string // a value, as TOML
	// Values are the permitted values. Nil permits every string that is not empty.
	Values []string
}

// Setting is a key of a file with its value.
type Setting struct {
	Key    string
	Values []string // exactly one, if the key is no list
}

// File is a file that was read.
type File struct {
	Path     string // relative to the directory of Find
	Settings []Setting
}

// Setting returns the values of a key.
func (f *File) Setting(key string) (values []string, ok bool) {
	i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return nil, false
	}
	return f.Settings[i].Values, true
}

// Find reads the file of a directory, or of the nearest directory above it that has one. It returns
// nil if there is none.
func Find(dir string, keys []Key) (*File, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for up := ""; ; up = filepath.Join(up, "..") {
		name := filepath.Join(up, Name)
		data, err := read(filepath.Join(abs, Name))
		if err == nil {
			f := &File{Path: name}
			f.Settings, err = Parse(name, data, keys)
			return f, err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		above := filepath.Dir(abs)
		if above == abs {
			return nil, nil
		}
		abs = above
	}
}

// read reads a regular file.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = fmt.Errorf("more than %d bytes", maxSize)
	}
	return data, err
}

// Parse reads the settings of a file. An error begins with the name, the line and, if it is about one,
// the key: ".picaproof.toml:3: fail-on: ...".
func Parse(name string, data []byte, keys []Key) (settings []Setting, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := syntax(name, data); err != nil {
		return nil, err
	}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		var s Setting
		var at unstable.Range
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, at = path(&p, e)
			_, err = find(keys, table)
		case unstable.KeyValue:
			if s, at, err = setting(&p, e, table, keys); err == nil {
				settings = append(settings, s)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.Shape(at).Start.Line, err)
		}
	}
	return settings, p.Error()
}

// syntax returns an error if the file is no TOML.
func syntax(name string, data []byte) error {
	err := toml.Unmarshal(data, &map[string]any{})
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return err
	}
	line, _ := wrong.Position()
	text := strings.TrimPrefix(wrong.Error(), "toml: ")
	if key := strings.Join(wrong.Key(), "."); key != "" {
		text = key + ": " + text
	}
	return fmt.Errorf("%s:%d: %s", name, line, text)
}

// path returns the dotted key of a table or of a value, and the range of its first part.
func path(p *unstable.Parser, e *unstable.Node) (key string, at unstable.Range) {
	var parts []string
	for k := e.Key(); k.Next(); {
		if parts == nil {
			at = p.Range(k.Node().Data)
			if k.Node().Raw.Length > 0 {
				at = k.Node().Raw
			}
		}
		parts = append(parts, string(k.Node().Data))
	}
	return strings.Join(parts, "."), at
}

// setting reads a value. It returns the place of the key or, if there is an error about a value in a
// list, that of this value.
func setting(p *unstable.Parser, e *unstable.Node, table string, keys []Key) (s Setting, at unstable.Range, err error) {
	s.Key, at = path(p, e)
	if table != "" {
		s.Key = table + "." + s.Key
	}
	key, err := find(keys, s.Key)
	if err != nil {
		return s, at, err
	}
	refused := fmt.Errorf("%s: want %s, e.g. %s = %s", s.Key, key.kind(), s.Key, key.Example)
	add := func(value *unstable.Node) error {
		if value.Kind != unstable.String {
			return refused
		}
		text := string(value.Data)
		if err := key.permits(text); err != nil {
			return fmt.Errorf("%s: %q: %w", s.Key, text, err)
		}
		s.Values = append(s.Values, text)
		return nil
	}
	switch {
	case !key.List:
		return s, at, add(e.Value())
	case e.Value().Kind != unstable.Array:
		return s, at, refused
	}
	for each := e.Value().Children(); each.Next(); {
		if each.Node().Kind == unstable.Comment {
			continue
		}
		if err := add(each.Node()); err != nil {
			if each.Node().Raw.Length > 0 {
				at = each.Node().Raw
			}
			return s, at, err
		}
	}
	return s, at, nil
}

// kind describes the values of the key.
func (k *Key) kind() string {
	if k.List {
		return "a list of strings"
	}
	return "a string"
}

// permits returns an error about a value that the key cannot have.
func (k *Key) permits(value string) error {
	const most = 12 // values that a message lists
	switch {
	case k.Values == nil && value == "":
		return errors.New("want a string that is not empty")
	case k.Values == nil || slices.Contains(k.Values, value):
		return nil
	}
	wanted := "no such value"
	if len(k.Values) <= most {
		wanted = "want one of " + strings.Join(k.Values, ", ")
	}
	return errors.New(wanted + nearest.Hint(value, k.Values))
}

// find returns the key with a name.
func find(keys []Key, name string) (Key, error) {
	var names []string
	for _, k := range keys {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Key{}, fmt.Errorf("unknown key %q%s", name,
		cmp.Or(nearest.Hint(name, names), ": want one of "+strings.Join(names, ", ")))
}

// Template returns a file in which every key is commented out.
func Template(keys []Key) []byte {
	var b bytes.Buffer
	b.WriteString("# Settings of picaproof for this directory and all below it. A flag of the command line beats\n" +
		"# this file, and of several files the nearest to the working directory is read alone.\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", strings.ReplaceAll(k.Text, "\n", "\n# "), k.Name, k.Example)
	}
	return b.Bytes()
}
