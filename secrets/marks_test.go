package secrets

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// How long a comparison takes tells how far two texts are alike: whoever tries, finds the right one letter by letter. So in what makes a mark with
// a key (crypto/hmac), or asks somebody of its package for one, two texts are compared by hmac.Equal and by nothing else, unless one of them
// stands in the source.
func TestMarksAreComparedWhole(t *testing.T) {
	h, marking := loadModule(t), 0
	for _, p := range h.packages {
		info, files := h.check(t, p, nil)
		marks := markers(info, files)
		for _, f := range functions(files) {
			if !marks[info.Defs[f.Name]] {
				continue
			}
			marking++
			if nameOfFunc(info.Defs[f.Name].(*types.Func)) == "caveau/guests.Book.GoOn" {
				continue // it compares names
			}
			for _, fault := range compares(info, f) {
				t.Errorf("%s: %s makes or asks for a mark, and compares otherwise than by hmac.Equal", h.fset.Position(fault.Pos()), f.Name.Name)
			}
		}
	}
	if marking < 5 {
		t.Errorf("only %d functions make a mark or ask for one", marking)
	}
}

// markers are the functions of a package that make a mark, and all that call them, however far away.
func markers(info *types.Info, files []*ast.File) map[types.Object]bool {
	marks := map[types.Object]bool{}
	for before := -1; before < len(marks); {
		before = len(marks)
		for _, f := range functions(files) {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if ident, ok := n.(*ast.Ident); ok {
					if o := info.Uses[ident]; o != nil && (marks[o] || o.Pkg() != nil && nameOf(o) == "crypto/hmac.New") {
						marks[info.Defs[f.Name]] = true
					}
				}
				return true
			})
		}
	}
	return marks
}

func functions(files []*ast.File) (all []*ast.FuncDecl) {
	for _, file := range files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
				all = append(all, f)
			}
		}
	}
	return all
}

// comparers compare texts letter by letter.
var comparers = []string{
	"bytes.Compare", "bytes.Contains", "bytes.Equal", "bytes.EqualFold", "bytes.HasPrefix", "bytes.HasSuffix", "cmp.Compare", "reflect.DeepEqual",
	"slices.Compare", "slices.Contains", "slices.Equal", "slices.Index", "strings.Compare", "strings.Contains", "strings.EqualFold", "strings.HasPrefix",
	"strings.HasSuffix",
}

// compares are the places where a function compares two texts, neither of which stands in the source.
func compares(info *types.Info, f *ast.FuncDecl) (faults []ast.Node) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && isText(info, n.X) && isText(info, n.Y) {
				faults = append(faults, n)
			}
		case *ast.SelectorExpr:
			if o := info.Uses[n.Sel]; o != nil && o.Pkg() != nil && slices.Contains(comparers, fmt.Sprint(o.Pkg().Path(), ".", o.Name())) {
				faults = append(faults, n)
			}
		}
		return true
	})
	return faults
}

// isText tells whether an expression is a string or an array of bytes that does not stand in the source.
func isText(info *types.Info, e ast.Expr) bool {
	of := info.Types[e]
	if of.Value != nil || of.IsNil() {
		return false
	}
	switch typ := of.Type.Underlying().(type) {
	case *types.Basic:
		return typ.Info()&types.IsString != 0
	case *types.Array:
		return true
	}
	return false
}
