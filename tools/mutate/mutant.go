package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// An identity names a mutant as long as the text of its unit is the same, whatever happens to
// the rest of the file.
type identity struct {
	File     string `json:"file"`
	Unit     string `json:"unit"`
	Operator string `json:"operator"`
	Ordinal  int    `json:"ordinal"` // of the operator's edits in the unit, from 0
	Hash     string `json:"hash"`    // of the unit
}

// place is the identity without the text. An older or newer mutant of the same place has the
// same one.
func (id identity) place() identity {
	id.Hash = ""
	return id
}

func (id identity) String() string {
	return fmt.Sprintf("%s %s %s %d", id.File, id.Unit, id.Operator, id.Ordinal)
}

func (id identity) compare(other identity) int {
	return cmp.Or(cmp.Compare(id.File, other.File), cmp.Compare(id.Unit, other.Unit),
		cmp.Compare(id.Operator, other.Operator), cmp.Compare(id.Ordinal, other.Ordinal),
		cmp.Compare(id.Hash, other.Hash))
}

// A mutant is one edit of one unit.
type mutant struct {
	identity
	unit   *unit
	edit   edit
	Change string // the line before and after
	number int    // selects the mutant in a build, from 1
}

// mutants lists the edits of all operators in all units, in the order of the
// source. Not all of them compile.
func (s *source) mutants() []*mutant {
	var all []*mutant
	for _, f := range s.files {
		for _, u := range f.units {
			all = append(all, s.mutantsOf(u)...)
		}
	}
	return all
}

func (s *source) mutantsOf(u *unit) []*mutant {
	var all []*mutant
	ordinal := map[string]int{}
	c := &cursor{source: s, file: u.file}
	root := ast.Node(u.expr)
	if u.fn != nil {
		root = u.fn.Body
		c.parents = []ast.Node{u.fn}
	} else {
		c.parents = []ast.Node{&ast.ValueSpec{}}
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			c.parents = c.parents[:len(c.parents)-1]
			return true
		}
		if untestable(c, n) {
			return false
		}
		for _, op := range operators {
			for _, e := range op.edits(c, n) {
				m := &mutant{unit: u, edit: e, Change: change(u.file, e),
					identity: identity{File: u.file.name, Unit: u.name, Operator: op.name,
						Ordinal: ordinal[op.name], Hash: u.hash}}
				ordinal[op.name]++
				all = append(all, m)
			}
		}
		c.parents = append(c.parents, n)
		return true
	})
	return all
}

// untestable reports that no test can see a change of this node: a panic shows a mistake of
// ours, and a capacity is a hint.
func untestable(c *cursor, n ast.Node) bool {
	if s, ok := n.(*ast.ExprStmt); ok {
		call, ok := s.X.(*ast.CallExpr)
		return ok && calls(call, "panic")
	}
	call, ok := c.parent().(*ast.CallExpr)
	if !ok || !calls(call, "make") {
		return false
	}
	capacity := 2
	if _, isMap := call.Args[0].(*ast.MapType); isMap {
		capacity = 1
	}
	return slices.IndexFunc(call.Args, func(arg ast.Expr) bool { return ast.Node(arg) == n }) >= capacity
}

func calls(call *ast.CallExpr, builtin string) bool {
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == builtin
}

// change shows an edit in one line: the lines around it before and after.
func change(f *sourceFile, e edit) string {
	from, to := f.offset(e.pos), f.offset(e.end)
	begin := strings.LastIndexByte(string(f.text[:from]), '\n') + 1
	end := to + strings.IndexByte(string(f.text[to:])+"\n", '\n')
	before := string(f.text[begin:end])
	after := string(f.text[begin:from]) + e.text + string(f.text[to:end])
	return brief(before) + " => " + brief(after)
}

// brief folds white space and cuts out the middle of a long text.
func brief(s string) string {
	const limit = 110
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit/2]) + " ... " + string(r[len(r)-limit/2:])
	}
	return s
}

// apply returns the text of a piece of the file with the edit.
func (m *mutant) apply(from, to token.Pos) string {
	f := m.unit.file
	return f.slice(from, m.edit.pos) + m.edit.text + f.slice(m.edit.end, to)
}

// sample orders mutants by a hash of the seed and their place, and returns the
// first n. A mutant keeps its rank when others come or go, so that an edit
// elsewhere changes a sample little.
func sample(all []*mutant, pkg string, seed uint64, n int) []*mutant {
	rank := make(map[*mutant]uint64, len(all))
	for _, m := range all {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", seed, pkg, m.place()))
		rank[m] = binary.BigEndian.Uint64(sum[:])
	}
	chosen := slices.SortedFunc(slices.Values(all), func(a, b *mutant) int { return cmp.Compare(rank[a], rank[b]) })
	return chosen[:min(n, len(chosen))]
}
