package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An edit replaces the text between two positions.
type edit struct {
	pos, end token.Pos
	text     string
}

// An operator is one kind of change. The example is a statement before and after, which the
// tests check.
type operator struct {
	name          string
	before, after string
	edits         func(c *cursor, n ast.Node) []edit
}

// A cursor is the context of a node in the syntax.
type cursor struct {
	*source
	file    *sourceFile
	parents []ast.Node // outermost first
}

func (c *cursor) parent() ast.Node { return c.parents[len(c.parents)-1] }

func (c *cursor) text(n ast.Node) string { return c.file.slice(n.Pos(), n.End()) }

// operators lists every kind of change. An operator may offer several edits for a node, and
// edits that do not compile: the type checker refuses them later.
var operators = []operator{
	{"boundary", "p = a < b", "p = a <= b", exchange(boundaries)},
	{"negate", "p = a < b", "p = a >= b", exchange(negations)},
	{"negate-condition", "if p { f() }", "if !(p) { f() }", negateCondition},
	{"connective", "p = p && q", "p = p || q", exchange(connectives)},
	{"operand", "p = p && q", "p = q", dropOperand},
	{"arithmetic", "a = a + b", "a = a - b", exchange(arithmetic)},
	{"bits", "a = a & b", "a = a | b", exchange(bits)},
	{"sign", "a = -b", "a = b", dropSign},
	{"assign", "a += b", "a -= b", assignment},
	{"step", "a++", "a--", step},
	{"constant", "a = 0x0F", "a = 0x10", literal},
	{"bool", "p = true", "p = false", boolean},
	{"name", "d = north", "d = east", nextConstant},
	{"id", `s = "RULE009"`, `s = "RULE010"`, nextID},
	{"return", "return a, p", "return 0, p", returned},
	{"delete", "f()", "", deleteStatement},
	{"else", "if p { f() } else { g() }", "if p { f() }", dropElse},
	{"loop", "for { break }", "for { continue }", loopControl},
	{"slice", "list = list[a:b]", "list = list[:b]", sliceBounds},
	{"row", "list = []int{a, b}", "list = []int{b}", dropRow},
	{"case", "switch a { case 1, 2: f() }", "switch a { case 2: f() }", dropCase},
	{"swap", "two(a, b)", "two(b, a)", swapArguments},
}

// changes maps operators of the language to their replacements.
type changes map[token.Token]token.Token

var (
	boundaries = changes{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}
	negations  = changes{
		token.EQL: token.NEQ, token.NEQ: token.EQL,
		token.LSS: token.GEQ, token.GEQ: token.LSS,
		token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
	connectives = changes{token.LAND: token.LOR, token.LOR: token.LAND}
	arithmetic  = changes{
		token.ADD: token.SUB, token.SUB: token.ADD,
		token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.QUO,
	}
	bits = changes{
		token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
		token.SHL: token.SHR, token.SHR: token.SHL,
	}
	assigned = changes{
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN, token.REM_ASSIGN: token.QUO_ASSIGN,
		token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
		token.XOR_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
		token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	}
)

func replace(n ast.Node, text string) []edit { return []edit{{n.Pos(), n.End(), text}} }

// exchange changes the operator of a binary expression and keeps its shape, with parentheses
// if the new operator binds differently.
func exchange(change changes) func(*cursor, ast.Node) []edit {
	return func(c *cursor, n ast.Node) []edit {
		e, ok := n.(*ast.BinaryExpr)
		if !ok {
			return nil
		}
		op, ok := change[e.Op]
		if !ok {
			return nil
		}
		if op.Precedence() == e.Op.Precedence() {
			return []edit{{e.OpPos, e.OpPos + token.Pos(len(e.Op.String())), op.String()}}
		}
		side := func(x ast.Expr) string {
			if _, nested := x.(*ast.BinaryExpr); nested {
				return "(" + c.text(x) + ")"
			}
			return c.text(x)
		}
		text := side(e.X) + " " + op.String() + " " + side(e.Y)
		if _, nested := c.parent().(*ast.BinaryExpr); nested {
			text = "(" + text + ")"
		}
		return replace(e, text)
	}
}

// negateCondition inverts a condition that is no comparison, and drops a !.
func negateCondition(c *cursor, n ast.Node) []edit {
	if not, ok := n.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		return replace(not, c.text(not.X))
	}
	var condition ast.Expr
	switch s := n.(type) {
	case *ast.IfStmt:
		condition = s.Cond
	case *ast.ForStmt:
		condition = s.Cond
	}
	switch condition.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr:
		return replace(condition, "!("+c.text(condition)+")")
	}
	return nil
}

// dropOperand leaves one side of && and ||.
func dropOperand(c *cursor, n ast.Node) []edit {
	if e, ok := n.(*ast.BinaryExpr); ok && connectives[e.Op] != 0 {
		return append(replace(e, c.text(e.Y)), replace(e, c.text(e.X))...)
	}
	return nil
}

func dropSign(c *cursor, n ast.Node) []edit {
	if e, ok := n.(*ast.UnaryExpr); ok && (e.Op == token.SUB || e.Op == token.XOR) {
		return replace(e, c.text(e.X))
	}
	return nil
}

// assignment changes the operator of an assignment, and leaves it out.
func assignment(_ *cursor, n ast.Node) []edit {
	s, ok := n.(*ast.AssignStmt)
	if !ok || assigned[s.Tok] == 0 {
		return nil
	}
	end := s.TokPos + token.Pos(len(s.Tok.String()))
	return []edit{{s.TokPos, end, assigned[s.Tok].String()}, {s.TokPos, end, "="}}
}

func step(_ *cursor, n ast.Node) []edit {
	s, ok := n.(*ast.IncDecStmt)
	if !ok {
		return nil
	}
	other := token.INC
	if s.Tok == token.INC {
		other = token.DEC
	}
	return []edit{{s.TokPos, s.TokPos + 2, other.String()}}
}

// literal makes a number one larger, and an integer one smaller.
func literal(c *cursor, n ast.Node) []edit {
	switch e := n.(type) {
	case *ast.Ident:
		if object, ok := c.info.Uses[e].(*types.Const); ok && object.Parent() == types.Universe && e.Name == "iota" {
			return replace(e, "(iota + 1)")
		}
	case *ast.BasicLit:
		switch e.Kind {
		case token.INT:
			v, ok := new(big.Int).SetString(e.Value, 0)
			if !ok {
				return nil
			}
			larger := replace(e, inBase(e.Value, new(big.Int).Add(v, big.NewInt(1))))
			if v.Sign() == 0 {
				return larger
			}
			return append(larger, replace(e, inBase(e.Value, new(big.Int).Sub(v, big.NewInt(1))))...)
		case token.FLOAT:
			return replace(e, "("+e.Value+" + 1)")
		case token.CHAR:
			if r, _, _, err := strconv.UnquoteChar(e.Value[1:len(e.Value)-1], '\''); err == nil {
				return replace(e, strconv.QuoteRune(r+1))
			}
		}
	}
	return nil
}

// inBase formats a number in the base of a literal.
func inBase(like string, v *big.Int) string {
	switch {
	case strings.HasPrefix(like, "0x"), strings.HasPrefix(like, "0X"):
		return fmt.Sprintf("0x%0*X", len(like)-2, v)
	case strings.HasPrefix(like, "0b"):
		return fmt.Sprintf("0b%0*b", len(like)-2, v)
	}
	return v.String()
}

func boolean(c *cursor, n ast.Node) []edit {
	e, ok := n.(*ast.Ident)
	if !ok || c.info.Uses[e] == nil || c.info.Uses[e].Parent() != types.Universe {
		return nil
	}
	switch e.Name {
	case "true":
		return replace(e, "false")
	case "false":
		return replace(e, "true")
	}
	return nil
}

// nextConstant takes the constant with the next larger value of the same named
// type in the same package; after the largest comes the smallest.
func nextConstant(c *cursor, n ast.Node) []edit {
	e, ok := n.(*ast.Ident)
	if !ok {
		return nil
	}
	used, ok := c.info.Uses[e].(*types.Const)
	if !ok || used.Pkg() == nil || used.Parent() != used.Pkg().Scope() {
		return nil
	}
	if _, named := types.Unalias(used.Type()).(*types.Named); !named {
		return nil
	}
	larger := func(a, b *types.Const) int {
		switch {
		case constant.Compare(a.Val(), token.LSS, b.Val()):
			return -1
		case constant.Compare(b.Val(), token.LSS, a.Val()):
			return 1
		}
		return 0
	}
	var after, smallest *types.Const
	for _, name := range used.Pkg().Scope().Names() {
		other, ok := used.Pkg().Scope().Lookup(name).(*types.Const)
		if !ok || !types.Identical(other.Type(), used.Type()) || larger(other, used) == 0 ||
			used.Pkg() != c.types && !other.Exported() || other.Val().Kind() == constant.Bool {
			continue
		}
		if smallest == nil || larger(other, smallest) < 0 {
			smallest = other
		}
		if larger(used, other) < 0 && (after == nil || larger(other, after) < 0) {
			after = other
		}
	}
	switch {
	case after != nil:
		return replace(e, after.Name())
	case smallest != nil:
		return replace(e, smallest.Name())
	}
	return nil
}

var idForm = regexp.MustCompile(`^"([A-Z][A-Z0-9]*?)(\d{3})"$`)

// nextID changes the number of a rule.
func nextID(_ *cursor, n ast.Node) []edit {
	e, ok := n.(*ast.BasicLit)
	if !ok || e.Kind != token.STRING {
		return nil
	}
	m := idForm.FindStringSubmatch(e.Value)
	if m == nil {
		return nil
	}
	number, err := strconv.Atoi(m[2])
	if err != nil {
		return nil
	}
	return replace(e, fmt.Sprintf(`"%s%03d"`, m[1], number+1))
}

// returned replaces each result by the zero value of its type, a bool by either
// constant.
func returned(c *cursor, n ast.Node) []edit {
	s, ok := n.(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	var all []edit
	for _, result := range s.Results {
		t := c.info.TypeOf(result)
		if t == nil {
			continue
		}
		for _, zero := range zeros(c, t) {
			if zero != c.text(result) {
				all = append(all, replace(result, zero)...)
			}
		}
	}
	return all
}

func zeros(c *cursor, t types.Type) []string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return []string{"false", "true"}
		case u.Info()&types.IsNumeric != 0:
			return []string{"0"}
		case u.Info()&types.IsString != 0:
			return []string{`""`}
		}
	case *types.Struct, *types.Array:
		if name := c.typeName(c.file, t, nil); name != "" {
			return []string{name + "{}"}
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature:
		return []string{"nil"}
	}
	return nil
}

// deleteStatement deletes a statement of a list. Declarations stay: without
// them nothing compiles.
func deleteStatement(c *cursor, n ast.Node) []edit {
	var list []ast.Stmt
	switch p := c.parent().(type) {
	case *ast.BlockStmt:
		list = p.List
	case *ast.CaseClause:
		list = p.Body
	}
	s, ok := n.(ast.Stmt)
	if !ok || !slices.Contains(list, s) {
		return nil
	}
	switch s := s.(type) {
	case *ast.DeclStmt, *ast.EmptyStmt, *ast.BlockStmt, *ast.CaseClause:
		return nil
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return nil
		}
	case *ast.ReturnStmt:
		if _, body := c.parents[len(c.parents)-2].(*ast.FuncDecl); body && s == list[len(list)-1] {
			return nil // at the end of a function it is implied or required
		}
	}
	return replace(s, "")
}

func dropElse(_ *cursor, n ast.Node) []edit {
	if s, ok := n.(*ast.IfStmt); ok && s.Else != nil {
		return []edit{{s.Body.End(), s.Else.End(), ""}}
	}
	return nil
}

func loopControl(_ *cursor, n ast.Node) []edit {
	s, ok := n.(*ast.BranchStmt)
	if !ok {
		return nil
	}
	other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[s.Tok]
	if other == "" {
		return nil
	}
	return []edit{{s.TokPos, s.TokPos + token.Pos(len(s.Tok.String())), other}}
}

// sliceBounds drops a bound of a slice expression and moves it by one.
func sliceBounds(c *cursor, n ast.Node) []edit {
	e, ok := n.(*ast.SliceExpr)
	if !ok {
		return nil
	}
	var all []edit
	for _, bound := range []struct {
		at    ast.Expr
		moved string
	}{{e.Low, " + 1"}, {e.High, " - 1"}} {
		if bound.at == nil {
			continue
		}
		if !e.Slice3 {
			all = append(all, replace(bound.at, "")...)
		}
		if _, number := bound.at.(*ast.BasicLit); !number { // the operator for constants changes these
			all = append(all, replace(bound.at, c.text(bound.at)+bound.moved)...)
		}
	}
	return all
}

// dropRow drops each element of a composite literal.
func dropRow(_ *cursor, n ast.Node) []edit {
	e, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var all []edit
	for i, element := range e.Elts {
		all = append(all, withoutItem(e.Elts, i, element))
	}
	return all
}

// withoutItem drops an item of a list and the comma that belongs to it.
func withoutItem(list []ast.Expr, i int, item ast.Expr) edit {
	switch {
	case i+1 < len(list):
		return edit{item.Pos(), list[i+1].Pos(), ""}
	case i > 0:
		return edit{list[i-1].End(), item.End(), ""}
	}
	return edit{item.Pos(), item.End(), ""}
}

// dropCase drops a clause of a switch, and each expression of a list of cases.
func dropCase(_ *cursor, n ast.Node) []edit {
	clause, ok := n.(*ast.CaseClause)
	if !ok {
		return nil
	}
	all := replace(clause, "")
	if len(clause.List) > 1 {
		all = nil // other cases drop the items one by one
		for i, item := range clause.List {
			all = append(all, withoutItem(clause.List, i, item))
		}
	}
	return all
}

// swapArguments exchanges neighbours of one type in a call.
func swapArguments(c *cursor, n ast.Node) []edit {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	var all []edit
	for i := 1; i < len(call.Args); i++ {
		a, b := call.Args[i-1], call.Args[i]
		ta, tb := c.info.TypeOf(a), c.info.TypeOf(b)
		if ta == nil || tb == nil || !types.Identical(types.Default(ta), types.Default(tb)) || c.text(a) == c.text(b) {
			continue
		}
		all = append(all, edit{a.Pos(), b.End(), c.text(b) + c.file.slice(a.End(), b.Pos()) + c.text(a)})
	}
	return all
}
