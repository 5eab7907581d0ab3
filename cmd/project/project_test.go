package project_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/cmd/project"
)

var keys = []project.Key{
	{Name: "colour", Text: "The colour.", Example: `"red"`, Values: []string{"red", "green"}},
	{Name: "names", List: true, Text: "The names:\nall of them.", Example: `["a", "b"]`},
	{Name: "file", Text: "A file.", Example: `"known.txt"`},
}

func TestParse(t *testing.T) {
	for _, v := range []struct {
		name, text string
		want       []project.Setting
		err        string
	}{
		{"nothing", "", nil, ""},
		{"only comments", "# colour = 1\n\n", nil, ""},
		{"every key", "file = 'a b' # why\ncolour = \"gr\\u0065en\"\nnames = [\n 'x', # first\n 'y',\n]\n", []project.Setting{
			{"file", []string{"a b"}}, {"colour", []string{"green"}}, {"names", []string{"x", "y"}}}, ""},
		{"a byte order mark", "\ufefffile = 'a'", []project.Setting{{"file", []string{"a"}}}, ""},
		{"an empty list", "names = []", []project.Setting{{"names", nil}}, ""},
		{"a quoted key", "\"file\" = 'a'", []project.Setting{{"file", []string{"a"}}}, ""},

		{"an unknown key", "# x\n\ncolor = 'red'", nil, `f:3: unknown key "color", did you mean "colour"?`},
		{"a key in capitals", "Colour = 'red'", nil, `f:1: unknown key "Colour", did you mean "colour"?`},
		{"a key like none", "x = 1", nil, `f:1: unknown key "x": want one of colour, names, file`},
		{"a table", "file = 'a'\n[check]\nfile = 'a'", nil, `f:2: unknown key "check": want one of colour, names, file`},
		{"a key in two parts", "\nnames.x = 1", nil, `f:2: unknown key "names.x", did you mean "names"?`},
		{"an unknown value", "\ncolour = 'grean'", nil,
			`f:2: colour: "grean": want one of red, green, did you mean "green"?`},
		{"an empty name of a file", "file = ''", nil, `f:1: file: "": want a string that is not empty`},
		{"a number", "file = 1", nil, `f:1: file: want a string, e.g. file = "known.txt"`},
		{"a string for a list", "names = 'a'", nil, `f:1: names: want a list of strings, e.g. names = ["a", "b"]`},
		{"a list of numbers", "\n\nnames = [1]", nil, `f:3: names: want a list of strings, e.g. names = ["a", "b"]`},
		{"a value in a long list", "names = [\n'a',\n'']", nil, `f:3: names: "": want a string that is not empty`},
		{"an empty name in a list", "names = ['a', '']", nil, `f:1: names: "": want a string that is not empty`},
		{"a key twice", "file = 'a'\nfile = 'b'", nil, `f:2: file: key file is already defined`},
		{"no value", "file =\n", nil, `f:1: `},
		{"an open string", "\nfile = 'a", nil, `f:2: `},
		{"no text", "file = '\xff'", nil, `f:1: `},
	} {
		got, err := project.Parse("f", []byte(v.text), keys)
		if v.err == "" && (err != nil || !reflect.DeepEqual(got, v.want)) {
			t.Errorf("%s: got %q, %v; want %q", v.name, got, err, v.want)
		}
		if v.err != "" && (err == nil || err.Error() != v.err && (v.err[len(v.err)-1] != ' ' ||
			!strings.HasPrefix(err.Error(), v.err))) {
			t.Errorf("%s: got %v, want %s", v.name, err, v.err)
		}
	}
}

// TestTemplate: the template sets nothing, and each of its examples can be used as it stands.
func TestTemplate(t *testing.T) {
	text := project.Template(keys)
	if got, err := project.Parse("f", text, keys); err != nil || got != nil {
		t.Errorf("the template sets %q, %v", got, err)
	}
	var used strings.Builder
	for line := range strings.Lines(string(text)) {
		if _, _, example := strings.Cut(line, " = "); example {
			line = strings.TrimPrefix(line, "# ")
		}
		used.WriteString(line)
	}
	want := []project.Setting{{"colour", []string{"red"}}, {"names", []string{"a", "b"}}, {"file", []string{"known.txt"}}}
	if got, err := project.Parse("f", []byte(used.String()), keys); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with every example: got %q, %v; want %q", got, err, want)
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(below, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(dir, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, project.Name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func(want string) *project.File {
		t.Helper()
		f, err := project.Find(below, keys)
		if err != nil || f == nil || f.Path != want {
			t.Fatalf("got %+v, %v; want %s", f, err, want)
		}
		return f
	}
	write(top, "file = 'top'\ncolour = 'red'")
	f := find(filepath.Join("..", "..", project.Name))
	if v, ok := f.Setting("file"); !ok || len(v) != 1 || v[0] != "top" {
		t.Errorf("file: got %q, %t", v, ok)
	}
	write(below, "file = 'here'")
	f = find(project.Name)
	if v, ok := f.Setting("colour"); ok {
		t.Errorf("colour: the file above was read as well: %q", v)
	}
	write(below, "fil = 'here'")
	if _, err := project.Find(below, keys); err == nil || !strings.HasPrefix(err.Error(), project.Name+":1: unknown key") {
		t.Errorf("a wrong file: got %v", err)
	}
	if err := os.Remove(filepath.Join(below, project.Name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(below, project.Name), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := project.Find(below, keys); err == nil || err.Error() != project.Name+": no regular file" {
		t.Errorf("a directory: got %v", err)
	}
}
