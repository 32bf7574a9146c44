package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A mutant is one change in one place.
type mutant struct {
	key
	number    int // from 1, in the whole package
	line, col int
	from, to  int           // the bytes of the file that are replaced
	with      string        // by this
	function  *ast.FuncDecl // nil outside functions
	rejected  bool          // by the compiler
	survived  bool
}

// A key names a change without its line number, so that a list of them lasts.
type key struct {
	file, function string
	text           string // the line of the source
	change         string // what becomes what; a number behind it, where that is there more than once
}

func (k key) String() string { return k.function + ": " + k.change + "   in   " + k.text }

func (m mutant) place(dir string) string {
	return fmt.Sprintf("%s:%d:%d", filepath.Join(dir, m.file), m.line, m.col)
}

// A file is one of the rules.
type file struct {
	name, path string
	source     []byte
	set        *token.FileSet
	tree       *ast.File
	mutants    []mutant

	number   *int
	times    map[key]int
	function *ast.FuncDecl // while looking
	above    []ast.Node    // while looking
}

func readFile(path string, number *int) (*file, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return findIn(path, source, number)
}

func findIn(path string, source []byte, number *int) (f *file, err error) {
	f = &file{name: filepath.Base(path), path: path, source: source, set: token.NewFileSet(), number: number, times: map[key]int{}}
	if f.tree, err = parser.ParseFile(f.set, path, source, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function = d
			f.look(d.Body)
		case *ast.GenDecl:
			f.function = nil
			if d.Tok == token.CONST {
				f.look(d)
			}
		}
	}
	return f, nil
}

// look finds what can be changed below a node.
func (f *file) look(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			f.above = f.above[:len(f.above)-1]
			return true
		}
		if f.isSize(n) {
			return false
		}
		f.change(n)
		f.above = append(f.above, n)
		return true
	})
}

// isSize: the length of an array type, or a capacity.
func (f *file) isSize(n ast.Node) bool {
	if len(f.above) == 0 {
		return false
	}
	switch up := f.above[len(f.above)-1].(type) {
	case *ast.ArrayType:
		return n == up.Len
	case *ast.CallExpr:
		name, ok := up.Fun.(*ast.Ident)
		return ok && name.Name == "make" && len(up.Args) == 3 && n == up.Args[2]
	}
	return false
}

// instead is what each operator becomes.
var instead = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.LSS: {">=", "<="}, token.GEQ: {"<", ">"}, token.GTR: {"<=", ">="}, token.LEQ: {">", "<"},
	token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD: {"-"}, token.SUB: {"+"}, token.INC: {"--"}, token.DEC: {"++"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="},
	token.AND: {"|"}, token.OR: {"&"}, token.AND_NOT: {"|"},
	token.AND_ASSIGN: {"|="}, token.OR_ASSIGN: {"&="}, token.AND_NOT_ASSIGN: {"|="},
}

func (f *file) change(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.operator(n, n.Op, n.OpPos)
		if n.Op == token.LAND || n.Op == token.LOR {
			f.turnRound(n.X, n.Y)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.replace(n, n.OpPos, n.OpPos+1, "")
		}
	case *ast.IncDecStmt:
		f.operator(n, n.Tok, n.TokPos)
	case *ast.AssignStmt:
		f.operator(n, n.Tok, n.TokPos)
	case *ast.BasicLit:
		if value, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			f.replace(f.parent(n), n.Pos(), n.End(), strconv.FormatInt(value+1, 10))
			f.replace(f.parent(n), n.Pos(), n.End(), strconv.FormatInt(value-1, 10))
		}
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			f.replace(f.parent(n), n.Pos(), n.End(), other)
		}
	case *ast.BlockStmt:
		f.leaveOut(n.List...)
	case *ast.CaseClause:
		f.leaveOut(n.Body...)
	case *ast.IfStmt:
		if n.Init != nil {
			f.leaveOut(n.Init)
		}
		f.turnRound(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag != nil {
			return
		}
		for _, c := range n.Body.List {
			f.turnRound(c.(*ast.CaseClause).List...)
		}
	}
}

func (f *file) operator(whole ast.Node, op token.Token, at token.Pos) {
	for _, other := range instead[op] {
		f.replace(whole, at, at+token.Pos(len(op.String())), other)
	}
}

// turnRound turns conditions round, of those that are just a name or a call.
func (f *file) turnRound(conditions ...ast.Expr) {
	for _, c := range conditions {
		switch c.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
			f.replace(c, c.Pos(), c.Pos(), "!")
		}
	}
}

// leaveOut leaves out one statement at a time, of those that can be.
func (f *file) leaveOut(statements ...ast.Stmt) {
	for _, s := range statements {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ReturnStmt:
			if s.Results != nil {
				continue
			}
		default:
			continue
		}
		f.replace(s, s.Pos(), s.End(), "")
	}
}

// parent is the node above, where it says in a line what a literal is there for.
func (f *file) parent(n ast.Node) ast.Node {
	if len(f.above) > 0 {
		switch up := f.above[len(f.above)-1].(type) {
		case ast.Expr, *ast.AssignStmt, *ast.ReturnStmt:
			if f.set.Position(up.Pos()).Line == f.set.Position(up.End()).Line {
				return up
			}
		}
	}
	return n
}

func (f *file) replace(whole ast.Node, from, to token.Pos, with string) {
	at := f.set.Position(from)
	offset := func(p token.Pos) int { return f.set.Position(p).Offset }
	before := string(f.source[offset(whole.Pos()):offset(whole.End())])
	after := string(f.source[offset(whole.Pos()):offset(from)]) + with + string(f.source[offset(to):offset(whole.End())])
	if after == "" {
		after = "left out"
	}
	k := key{f.name, f.functionName(), f.lineOf(at.Line), oneLine(before) + " → " + oneLine(after)}
	f.times[k]++
	if n := f.times[k]; n > 1 {
		k.change += fmt.Sprintf(" (%d)", n)
	}
	*f.number++
	f.mutants = append(f.mutants, mutant{
		key: k, number: *f.number, line: at.Line, col: at.Column,
		from: offset(from), to: offset(to), with: with, function: f.function,
	})
}

func (f *file) functionName() string {
	if f.function == nil {
		return "-"
	}
	name := f.function.Name.Name
	if f.function.Recv == nil {
		return name
	}
	of := f.function.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return of.(*ast.Ident).Name + "." + name
}

func (f *file) lineOf(line int) string {
	return strings.TrimSpace(strings.Split(string(f.source), "\n")[line-1])
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
