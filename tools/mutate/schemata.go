package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strings"
)

// Mutants share a build: each becomes a copy of its unit, and the unit begins with a switch
// that calls the copy of the active mutant. One build then tests hundreds of mutants. A
// constant cannot have a switch, nor can a variable whose type its file cannot name: such a
// mutant is alone in its build.

// switchFile is the first file of a package under mutation: variables are initialised in the
// order of the files, and all others use it.
const switchFile = "0mutant.go"

// The environment of a test binary: the number of the active mutant, and a file to which a run
// without a mutant appends the numbers of the units that it reaches.
const (
	activeVariable = "PICAPROOF_MUTANT"
	traceVariable  = "PICAPROOF_MUTANT_TRACE"
)

const switchText = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var activeMutant, mutantTrace = readMutant()

var reachedUnits sync.Map

func readMutant() (int, *os.File) {
	if n, err := strconv.Atoi(os.Getenv("` + activeVariable + `")); err == nil {
		return n, nil
	}
	f, err := os.OpenFile(os.Getenv("` + traceVariable + `"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return 0, nil
	}
	return -1, f
}

func mutantAt(unit int) int {
	if activeMutant < 0 {
		traceUnit(unit)
	}
	return activeMutant
}

func traceUnit(unit int) {
	if _, again := reachedUnits.LoadOrStore(unit, true); !again {
		mutantTrace.WriteString(strconv.Itoa(unit) + "\n")
	}
}
`

// A rewriting is the text of a package with many mutants in it.
type rewriting struct {
	files   map[string]string // by base name; only changed files
	regions map[string][]region
}

// A region is the range of a mutant's text in a rewriting.
type region struct {
	from, to int
	mutant   *mutant
}

// alone reports whether a mutant cannot share a build.
func (m *mutant) alone() bool {
	return m.unit.kind == token.CONST || m.unit.kind == token.VAR && m.unit.typ == ""
}

// rewrite puts mutants that share a build into the source. units numbers the
// units for the trace.
func (s *source) rewrite(mutants []*mutant, units map[*unit]int) rewriting {
	of := map[*unit][]*mutant{}
	for _, m := range mutants {
		of[m.unit] = append(of[m.unit], m)
	}
	r := rewriting{files: map[string]string{}, regions: map[string][]region{}}
	r.files[switchFile] = fmt.Sprintf(switchText, s.types.Name())
	for _, f := range s.files {
		w := fileWriter{file: f, last: f.start}
		for _, u := range f.units {
			if len(of[u]) > 0 {
				w.unit(u, units[u], of[u])
			}
		}
		if w.changed {
			r.files[f.name], r.regions[f.name] = w.finish(), w.regions
		}
	}
	return r
}

// rewriteAlone makes the edit of one mutant in its file.
func (s *source) rewriteAlone(m *mutant) rewriting {
	f := m.unit.file
	text := m.apply(f.start, f.start+token.Pos(len(f.text)))
	return rewriting{files: map[string]string{f.name: text},
		regions: map[string][]region{f.name: {{0, len(text), m}}}}
}

// A fileWriter copies a file and adds mutants to it. Copies of functions go to
// the end, so that lines keep their numbers.
type fileWriter struct {
	file    *sourceFile
	text    strings.Builder
	last    token.Pos // copied up to here
	changed bool
	copies  []*mutant
	regions []region
}

func (w *fileWriter) copyTo(p token.Pos) {
	w.text.WriteString(w.file.slice(w.last, p))
	w.last = p
}

func (w *fileWriter) mutant(m *mutant, text string) {
	from := w.text.Len()
	w.text.WriteString(text)
	w.regions = append(w.regions, region{from, w.text.Len(), m})
}

func (w *fileWriter) unit(u *unit, number int, mutants []*mutant) {
	w.changed = true
	if u.fn == nil {
		w.copyTo(u.expr.Pos())
		fmt.Fprintf(&w.text, "func() %s { switch mutantAt(%d) {", u.typ, number)
		for _, m := range mutants {
			fmt.Fprintf(&w.text, " case %d: return ", m.number)
			w.mutant(m, m.apply(u.expr.Pos(), u.expr.End()))
			w.text.WriteString(";")
		}
		w.text.WriteString(" }; return ")
		w.copyTo(u.expr.End())
		w.text.WriteString(" }()")
		return
	}
	call := w.signature(u.fn)
	w.copyTo(u.fn.Body.Lbrace + 1)
	fmt.Fprintf(&w.text, " switch mutantAt(%d) {", number)
	for _, m := range mutants {
		target := fmt.Sprintf(call, m.copyName())
		if results := u.fn.Type.Results; results != nil && len(results.List) > 0 {
			fmt.Fprintf(&w.text, " case %d: return %s;", m.number, target)
		} else {
			fmt.Fprintf(&w.text, " case %d: %s; return;", m.number, target)
		}
	}
	w.text.WriteString(" };")
	w.copies = append(w.copies, mutants...)
}

// copyName is the name of the function with a mutant.
func (m *mutant) copyName() string { return fmt.Sprintf("mutant%d_%s", m.number, m.unit.fn.Name.Name) }

// signature copies the head of a function, naming receiver and parameters that
// have no name, and returns the form of a call with the same arguments.
func (w *fileWriter) signature(fn *ast.FuncDecl) (call string) {
	call = "%s"
	unnamed := 0
	name := func(list *ast.FieldList) (names []string) {
		for _, field := range list.List {
			if len(field.Names) == 0 {
				w.copyTo(field.Type.Pos())
				names = append(names, fmt.Sprintf("mutantArg%d", unnamed))
				w.text.WriteString(names[len(names)-1] + " ")
				unnamed++
			}
			for _, id := range field.Names {
				names = append(names, id.Name)
				if id.Name == "_" {
					w.copyTo(id.Pos())
					names[len(names)-1] = fmt.Sprintf("mutantArg%d", unnamed)
					w.text.WriteString(names[len(names)-1])
					w.last = id.End()
					unnamed++
				}
			}
		}
		return names
	}
	if fn.Recv != nil {
		call = name(fn.Recv)[0] + ".%s"
	}
	if fn.Type.TypeParams != nil {
		var parameters []string
		for _, field := range fn.Type.TypeParams.List {
			for _, id := range field.Names {
				parameters = append(parameters, id.Name)
			}
		}
		call += "[" + strings.Join(parameters, ", ") + "]"
	}
	args := name(fn.Type.Params)
	if list := fn.Type.Params.List; len(list) > 0 {
		if _, variadic := list[len(list)-1].Type.(*ast.Ellipsis); variadic {
			args[len(args)-1] += "..."
		}
	}
	return call + "(" + strings.Join(args, ", ") + ")"
}

func (w *fileWriter) finish() string {
	w.copyTo(w.file.start + token.Pos(len(w.file.text)))
	for _, m := range w.copies {
		fn := m.unit.fn
		w.text.WriteString("\n" + w.file.slice(fn.Pos(), fn.Name.Pos()) + m.copyName())
		w.mutant(m, m.apply(fn.Name.End(), fn.End()))
		w.text.WriteString("\n")
	}
	return w.text.String()
}

// compiling returns the mutants that the compiler will accept, in order, and numbers the
// mutants that share a build.
func (s *source) compiling(mutants []*mutant) ([]*mutant, error) {
	refused := map[*mutant]bool{}
	for _, m := range mutants {
		if !m.parses() {
			refused[m] = true
		} else if m.alone() && s.check(s.rewriteAlone(m), refused) != nil {
			refused[m] = true // the constant is wrong where it is used
		}
	}
	for {
		var shared []*mutant
		for _, m := range mutants {
			if !m.alone() && !refused[m] {
				shared = append(shared, m)
				m.number = len(shared)
			}
		}
		before := len(refused)
		if err := s.check(s.rewrite(shared, nil), refused); err != nil {
			return nil, err
		}
		if len(refused) == before {
			break
		}
	}
	return slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool { return refused[m] }), nil
}

// parses reports whether the unit still parses: an error of one mutant must not hide others.
func (m *mutant) parses() bool {
	if fn := m.unit.fn; fn != nil {
		text := "package p; " + m.apply(fn.Pos(), fn.End())
		_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		return err == nil
	}
	_, err := parser.ParseExpr(m.apply(m.unit.expr.Pos(), m.unit.expr.End()))
	return err == nil
}

// check type-checks a rewriting and adds the mutants that have errors to
// refused. It returns the errors elsewhere.
func (s *source) check(r rewriting, refused map[*mutant]bool) error {
	fset := token.NewFileSet()
	var files []*ast.File
	add := func(name, text string) error {
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		files = append(files, f)
		return err
	}
	if err := add(switchFile, "package "+s.types.Name()+"; func mutantAt(int) int { return 0 }"); err != nil {
		return err
	}
	for _, f := range s.files {
		text, rewritten := r.files[f.name]
		if !rewritten {
			text = string(f.text)
		}
		if err := add(f.name, text); err != nil {
			return err
		}
	}
	var stray []error
	config := types.Config{Importer: s, Sizes: types.SizesFor("gc", runtime.GOARCH), Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) {
			stray = append(stray, err)
			return
		}
		at := fset.Position(e.Pos)
		regions := r.regions[at.Filename]
		i := slices.IndexFunc(regions, func(x region) bool { return x.from <= at.Offset && at.Offset <= x.to })
		if i < 0 {
			stray = append(stray, err)
			return
		}
		refused[regions[i].mutant] = true
	}}
	config.Check(s.path, fset, files, nil) // its error is the first that Error has seen
	return errors.Join(stray...)
}
