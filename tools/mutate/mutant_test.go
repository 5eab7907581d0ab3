package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// sourceOf makes a package of one file, without imports.
func sourceOf(t *testing.T, text string) *source {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Implicits: map[ast.Node]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("p", fset, []*ast.File{syntax}, info)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{path: "p", fset: fset, info: info, types: pkg}
	f := &sourceFile{name: "p.go", text: []byte(text), syntax: syntax, start: syntax.FileStart}
	s.cut(f)
	s.files = append(s.files, f)
	return s
}

// around declares the names that the examples of the operators use.
const around = `package p

type direction int

const (
	north direction = iota
	east
)

func f()             {}
func g()             {}
func two(a, b int)   {}

func example(a, b int, p, q bool, s string, d direction, list []int) (int, bool) {
	%s
	return a, p
}
`

// edited returns the statement with each edit of an operator, in one line.
func edited(t *testing.T, operator, statement string) []string {
	t.Helper()
	s := sourceOf(t, fmt.Sprintf(around, statement))
	var all []string
	for _, m := range s.mutants() {
		if m.Unit != "example" || m.Operator != operator {
			continue
		}
		first := m.unit.fn.Body.List[0]
		if m.edit.pos > first.End() {
			continue
		}
		all = append(all, strings.Join(strings.Fields(m.apply(first.Pos(), first.End())), " "))
	}
	return all
}

func TestOperatorsDoAsTheirExamples(t *testing.T) {
	for _, op := range operators {
		if got := edited(t, op.name, op.before); !slices.Contains(got, op.after) {
			t.Errorf("%s: %q became %q, want one of them to be %q", op.name, op.before, got, op.after)
		}
	}
}

func TestOperatorsOfferEveryEdit(t *testing.T) {
	for _, c := range []struct {
		operator, before string
		want             []string
	}{
		{"connective", "p = p && q && a < b", []string{"p = (p && q) || (a < b)", "p = (p || q) && a < b"}},
		{"bits", "a = a | b<<1", []string{"a = a & (b<<1)", "a = a | b>>1"}},
		{"arithmetic", "a = a - b*2", []string{"a = a + b*2", "a = a - b/2"}},
		{"constant", "a = 0", []string{"a = 1"}},
		{"constant", "a = 0b0111 + 'a'", []string{"a = 0b1000 + 'a'", "a = 0b0110 + 'a'", "a = 0b0111 + 'b'"}},
		{"constant", "list = make([]int, 3, 9)", []string{"list = make([]int, 4, 9)", "list = make([]int, 2, 9)"}},
		{"constant", "panic(1 + 1)", nil},
		{"assign", "a <<= b", []string{"a >>= b", "a = b"}},
		{"return", "return a + 1, a < b", []string{"return 0, a < b", "return a + 1, false", "return a + 1, true"}},
		{"slice", "list = list[a : b-1]", []string{"list = list[ : b-1]", "list = list[a + 1 : b-1]",
			"list = list[a : ]", "list = list[a : b-1 - 1]"}},
		{"name", "d = east", []string{"d = north"}},
		{"negate-condition", "for !p { }", []string{"for p { }"}},
		{"delete", "for p { f(); g() }", []string{"", "for p { ; g() }", "for p { f(); }"}},
		{"delete", "x := a; _ = x", nil},
		{"swap", "two(a, a)", nil},
		{"case", "switch { case p: f(); default: g() }",
			[]string{"switch { ; default: g() }", "switch { case p: f(); }"}},
	} {
		if got := edited(t, c.operator, c.before); !slices.Equal(trimmed(got), trimmed(c.want)) {
			t.Errorf("%s: %q became %q, want %q", c.operator, c.before, got, c.want)
		}
	}
}

// trimmed folds the space that an edit leaves inside brackets.
func trimmed(all []string) []string {
	spaces := strings.NewReplacer("( ", "(", "[ ", "[", " ]", "]", " :", ":")
	var short []string
	for _, s := range all {
		short = append(short, spaces.Replace(s))
	}
	return short
}

const two = `package p

func first(a int) bool { return a < 3 }

func second(a int) bool { return a > 4 || a == 7 }
`

func identities(s *source, unit string) []identity {
	var all []identity
	for _, m := range s.mutants() {
		if m.Unit == unit {
			all = append(all, m.identity)
		}
	}
	return all
}

func TestIdentitySurvivesEditsElsewhere(t *testing.T) {
	want := identities(sourceOf(t, two), "second")
	if len(want) < 8 {
		t.Fatalf("%d mutants of second: %v", len(want), want)
	}
	for name, text := range map[string]string{
		"another function changed": strings.Replace(two, "a < 3", "a < 3 && a != 1", 1),
		"a function was added": strings.Replace(two, "func first",
			"func zeroth() int { return 1 }\n\nfunc first", 1),
		"comments were added": strings.Replace(two, "func second(a int) bool {",
			"// What.\nfunc second(a int) bool { // why\n", 1),
		"the layout changed": strings.Replace(two, "a > 4 || a == 7", "a > 4 ||\n\t\ta == 7", 1),
	} {
		if got := identities(sourceOf(t, text), "second"); !slices.Equal(got, want) {
			t.Errorf("%s: identities are %v, want %v", name, got, want)
		}
	}
	changed := identities(sourceOf(t, strings.Replace(two, "a == 7", "a == 8", 1)), "second")
	for i := range want {
		if changed[i].Hash == want[i].Hash || changed[i].place() != want[i].place() {
			t.Errorf("after a change %v is %v", want[i], changed[i])
		}
	}
}

func TestUnitsOfOneNameAreToldApart(t *testing.T) {
	s := sourceOf(t, `package p

var _ = 1
var _ = 2

func init() {}
func init() {}

type T[K any] struct{}

func (t *T[K]) m() {}
func (T[K]) n()    {}
`)
	var names []string
	for _, u := range s.files[0].units {
		names = append(names, u.name)
	}
	if want := []string{"var _", "var _#2", "init", "init#2", "(*T).m", "T.n"}; !slices.Equal(names, want) {
		t.Errorf("units are %q, want %q", names, want)
	}
}

func TestSampleChangesLittleWithTheSource(t *testing.T) {
	var text strings.Builder
	text.WriteString("package p\n\n")
	for i := range 40 {
		fmt.Fprintf(&text, "func f%d(a int) bool { return a < %d }\n", i, i)
	}
	draw := func(text string, seed uint64) map[identity]bool {
		drawn := map[identity]bool{}
		for _, m := range sample(sourceOf(t, text).mutants(), "p", seed, 50) {
			drawn[m.identity] = true
		}
		return drawn
	}
	common := func(a, b map[identity]bool) (n int) {
		for id := range a {
			if b[id] {
				n++
			}
		}
		return n
	}
	before := draw(text.String(), 1)
	if len(before) != 50 {
		t.Fatalf("%d mutants drawn, want 50", len(before))
	}
	after := draw(text.String()+"func more(a int) bool { return a > 1 && a < 3 }\n", 1)
	if n := common(before, after); n < 40 || n == 50 && len(after) != 50 {
		t.Errorf("a function more leaves %d of 50 mutants of the sample", n)
	}
	if n := common(before, draw(text.String(), 2)); n > 30 {
		t.Errorf("another seed draws %d of the same 50 mutants", n)
	}
}
