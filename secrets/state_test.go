package secrets

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// What is kept between two things that are done is kept in tables, sessions and the log. Nothing is kept beside them, in a variable of a package,
// where one seat, one table or one bot would come upon what another left there. These are all that are changed after the start, and why that
// tells nobody anything.
var kept = map[string]string{
	"caveau/server.buffers":        "what a client said lies in it until the next one's words are read over it; no more is handed on than was read",
	"caveau/server/bundle.holders": "what one socket is told lies in it until it is written; then it is empty, and forgets the socket",
	"caveau/server.usual":          "its numbers are asked for by their address, and never changed",
	"caveau/match.timers":          "made at the start, and asked for by their address",
}

func TestNothingIsKeptBeside(t *testing.T) {
	h := loadModule(t)
	there := map[string]bool{}
	for _, p := range h.packages {
		if p.ImportPath == "caveau/store/disktest" {
			continue // a disk of the tests
		}
		info, files := h.check(t, p, nil)
		for _, file := range files {
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && (f.Recv != nil || f.Name.Name != "init") {
					changed(info, f.Body, func(v *types.Var) { there[nameOf(v)] = true })
				}
			}
		}
	}
	same(t, "variables that are changed", slices.Sorted(maps.Keys(there)), keys(kept))
}

// changed calls found for each variable of a package that is changed, or that something may change which is given its address.
func changed(info *types.Info, body ast.Node, found func(*types.Var)) {
	look := func(e ast.Expr) {
		if v := rootOf(info, e); v != nil {
			found(v)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				look(e)
			}
		case *ast.IncDecStmt:
			look(n.X)
		case *ast.SendStmt:
			look(n.Chan)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				look(n.Key)
				look(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				look(n.X)
			}
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"delete", "clear", "copy"}, name.Name) {
				look(n.Args[0])
			}
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal && byPointer(s) {
				look(n.X)
			}
		}
		return true
	})
}

// byPointer tells whether a method may change what it is called on. Those of other modules that only look are known.
func byPointer(s *types.Selection) bool {
	f := s.Obj().(*types.Func)
	_, pointer := f.Signature().Recv().Type().(*types.Pointer)
	looks := f.Pkg() != nil && slices.Contains([]string{"encoding/base64", "regexp", "strings"}, f.Pkg().Path())
	return pointer && !looks
}

// rootOf is the variable of one of our packages that an expression is a part of, nil for none.
func rootOf(info *types.Info, e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && strings.HasPrefix(v.Pkg().Path(), "caveau/") {
			return v
		}
	case *ast.SelectorExpr:
		if s := info.Selections[e]; s == nil { // of a package
			return rootOf(info, e.Sel)
		}
		return rootOf(info, e.X)
	case *ast.IndexExpr:
		return rootOf(info, e.X)
	case *ast.SliceExpr:
		return rootOf(info, e.X)
	case *ast.StarExpr:
		return rootOf(info, e.X)
	case *ast.ParenExpr:
		return rootOf(info, e.X)
	}
	return nil
}

// What knows a position asks nobody but Go for a few things, none of which takes time, tells it, keeps anything or reaches out of the process.
var (
	knowing = []string{
		"caveau/bot", "caveau/ceremony", "caveau/company", "caveau/fact", "caveau/fair", "caveau/game", "caveau/games/dawn", "caveau/games/toctoc",
		"caveau/match", "caveau/record", "caveau/table", "caveau/terms", "caveau/tools/pebbles", "caveau/wire",
	}
	harmless = []string{
		"bytes", "cmp", "encoding/binary", "encoding/hex", "encoding/json", "errors", "fmt", "iter", "maps", "math", "math/bits", "math/rand/v2",
		"reflect", "slices", "strconv", "strings", "time", "unicode/utf8",
	}
	further = map[string][]string{
		"caveau/fair":       {"crypto/sha256"},                                               // seals and draws
		"caveau/fact":       {"context", "crypto/sha256"},                                    // what a log is asked; a receipt is a sum
		"caveau/bot":        {"context"},                                                     // what it thinks may be ended
		"caveau/game":       {"encoding", "io"},                                              // what comes from outside is read
		"caveau/games/dawn": {"embed"},                                                       // a table of the rules
		"caveau/match":      {"context", "log/slog", "runtime/debug", "sync", "sync/atomic"}, // the goroutine around an owner; what it reports is compared
		"caveau/record":     {"crypto/sha256", "io", "io/fs", "regexp"},                      // records are read, and their traces summed
	}
)

func TestWhatKnowsAPositionAsksForLittle(t *testing.T) {
	h := loadModule(t)
	for _, p := range h.packages {
		if !slices.Contains(knowing, p.ImportPath) {
			continue
		}
		_, files := h.check(t, p, nil)
		for _, file := range files {
			for _, spec := range file.Imports {
				path := strings.Trim(spec.Path.Value, `"`)
				if !strings.HasPrefix(path, "caveau/") && !slices.Contains(harmless, path) && !slices.Contains(further[p.ImportPath], path) {
					t.Errorf("%s imports %s: it knows what lies face down; let somebody else do that, or say here why it may", p.ImportPath, path)
				}
			}
		}
	}
}
