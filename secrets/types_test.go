package secrets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A position cannot be written down outside of records: its type has no fields and no methods that a library could write
// it with, nothing that holds one is ever handed to a library, and the few functions that tell the whole truth are called
// where it is listed here and nowhere else.

// tellers tell the whole truth, or are made of it. Beside each stands who may ask it. So do the functions that a rulebook
// names as its Write, Dump and Reveal; nobody but the rulebook may ask those.
var tellers = map[string][]string{
	"caveau/game.State.Deal":  {"caveau/record.WriteDeal"},
	"caveau/game.State.Dump":  {"caveau/record.traceLine", "caveau/record.Sum"},
	"caveau/game.Rules.Write": {"caveau/game.state.Deal"},
	"caveau/game.Rules.Dump":  {"caveau/game.state.Dump"},
	// When a game is over nothing is hidden.
	"caveau/game.State.Revealed": {"caveau/table.Table.shown"},
	"caveau/game.Rules.Reveal":   {"caveau/game.state.Revealed"},

	// The deal goes into the log, and from there into the record.
	"caveau/record.WriteDeal":    {"caveau/record.Verdict.deals", "caveau/table.Table.shuffle"},
	"caveau/record.Sum":          {"caveau/table.Table.ending"},
	"caveau/record.Record.Trace": {"caveau/cmd/caveau.traceFile", "caveau/record.replayFile"},
	"caveau/table.Table.deal":    {"caveau/table.Table.keepDeal", "caveau/table.Table.Record", "caveau/table.OnPaper"},
	"caveau/ceremony.Ceremony.secret": {
		"caveau/ceremony.Ceremony.Begin", "caveau/ceremony.Ceremony.Sealed", "caveau/ceremony.Ceremony.Anew", "caveau/ceremony.Ceremony.attempt",
		"caveau/ceremony.Ceremony.seal", "caveau/ceremony.Ceremony.Told",
	},
	"caveau/ceremony.Ceremony.failed": {
		"caveau/ceremony.Ceremony.Anew", "caveau/ceremony.Ceremony.Failed", "caveau/ceremony.Ceremony.seal", "caveau/ceremony.Ceremony.Proof",
		"caveau/ceremony.Ceremony.Told",
	},
	"caveau/ceremony.Ceremony.attempt": {"caveau/ceremony.Ceremony.Anew", "caveau/ceremony.Ceremony.Proof"},
	"caveau/ceremony.Ceremony.Proof":   {"caveau/table.Table.prove"},
	"caveau/table.Table.proof":         {"caveau/table.Table.keepDeal", "caveau/table.Table.Record"},
	"caveau/table.Table.prove":         {"caveau/table.Table.keepDeal", "caveau/table.Table.shuffle"},
	// A position that was imported waits for the start as a deal and moves.
	"caveau/table.Table.imported": {
		"caveau/table.Table.applyMade", "caveau/table.decideStart", "caveau/table.Table.Rematch",
		"caveau/table.Table.Sealable", "caveau/table.Table.imports",
	},
	"caveau/table.Table.seeds": {"caveau/table.Table.keepDeal", "caveau/table.Table.note", "caveau/table.Table.Seen"},
	// Secrets of attempts to come follow from it.
	"caveau/match.Owner.spare": {"caveau/match.NewOwner", "caveau/match.init", "caveau/match.Owner.fresh", "caveau/match.Owner.botDue"},
	// What somebody may know and others may not. In the laboratory nobody plays but bots, and each is asked with what its seat knows; but for the cheat, whom
	// the laboratory alone can ask.
	"caveau/game.State.View":      {"caveau/table.Table.Seen", "caveau/lab.player.asked", "caveau/lab/cheat.Cheat.rules", "caveau/catalog.Shelf.Recall"}, // the last for games that are over
	"caveau/lab/cheat.Cheat.Move": {"caveau/lab.player.asked"},
	"caveau/game.State.Own":       {"caveau/table.Table.own"},
	"caveau/game.State.Moves":     {"caveau/record.traceLine", "caveau/table.Table.own", "caveau/table.Table.Seen", "caveau/table.Table.Moved", "caveau/lab.player.asked", "caveau/lab/cheat.Cheat.Move", "caveau/lab/cheat.Cheat.rules", "caveau/catalog.Shelf.Recall"},
	"caveau/table.Table.own":      {"caveau/table.Frames.message"},
	"caveau/table.Table.Seen":     {"caveau/match.Owner.think", "caveau/lobby.Lobby.Advice"}, // the latter for whoever sits there himself
	// And what a bot is handed, of which nothing is said but to that bot.
	"caveau/table.Seen.View":   {"caveau/catalog.typed"},
	"caveau/table.Seen.Events": {"caveau/catalog.typed", "caveau/table.Table.Seen"},
	"caveau/table.Seen.Moves":  {"caveau/catalog.typed", "caveau/slots.first"},
	"caveau/table.Seen.Seed":   {"caveau/catalog.typed"},
	"caveau/slots.first":       {"caveau/slots.Slots.think", "caveau/slots.Slots.listen"},
	// An entry of the log says all.
	"caveau/fact.Read":            {"caveau/table.Table.Replay", "caveau/lobby/archive.reviewOf", "caveau/table.OnPaper", "caveau/fact.Guests", "caveau/keepsake.Record", "caveau/pocket.log.people"}, // the last two of what was played on a device, where it is over, and by all who play there
	"caveau/fact.Made.Secret":     {"caveau/table.Table.applyMade", "caveau/fact.Founding.Draw"},
	"caveau/fact.Made.Imported":   {"caveau/table.Table.applyMade", "caveau/fact.Founding.Draw"},
	"caveau/fact.Resealed.Secret": {"caveau/table.Table.applyResealed"},
	"caveau/fact.Anew.Secret":     {"caveau/table.Table.applyAnew"},
	"caveau/fact.Dealt.Deal":      {"caveau/table.Table.applyDealt", "caveau/table.Table.keepDeal"},
	"caveau/fact.Dealt.Seeds":     {"caveau/table.Table.keepDeal", "caveau/table.Table.shuffle"},
	"caveau/terms.Import.Deal":    {"caveau/table.decideStart", "caveau/terms.Import.Playable"},
	"caveau/terms.Import.Seeds":   {"caveau/table.decideStart", "caveau/fact.Founding.Draw"},
}

// truths are what a rulebook tells the whole truth with.
var truths = map[string]bool{"Write": true, "Dump": true, "Reveal": true}

// examiners look at whole positions: that is their work, and no server has them in it.
var examiners = []string{"caveau/game/gametest", "caveau/match/matchtest", "caveau/store/storetest"}

// keepers are what the log keeps, with secrets in it, and what has them in memory. Like a position they become nothing that a library could write, but
// where they are written into the log, or handed from an owner to its runner and back.
var (
	keepers = []string{
		"caveau/ceremony.Ceremony", "caveau/fact.Any", "caveau/fact.Anew", "caveau/fact.Dealt", "caveau/fact.Entry", "caveau/fact.Founding", "caveau/fact.Made",
		"caveau/fact.Resealed", "caveau/table.Decision", "caveau/table.Seen",
	}
	handedOn = map[string]string{
		"caveau/fact.Write":             "into the log",
		"caveau/fact.Read":              "out of it",
		"caveau/fact.blank":             "an empty one, to read it into",
		"caveau/table.Table.follow":     "of a fact of a kind that nobody knows it says the kind",
		"caveau/match.Owner.rematch":    "to its runner",
		"caveau/match.Owner.think":      "to its runner",
		"caveau/match.Owner.write":      "to its runner",
		"caveau/match/runner.Runner.do": "to its owner",
	}
)

// writers are the methods with which libraries write a value.
var writers = []string{
	"AppendBinary", "AppendJSON", "AppendText", "Error", "Format", "GoString", "GobEncode", "LogValue", "MarshalBinary", "MarshalJSON",
	"MarshalText", "MarshalXML", "MarshalYAML", "String", "Value",
}

func TestNobodyWritesAPosition(t *testing.T) {
	h := loadModule(t)
	if len(h.positions) < 2 {
		t.Errorf("the games have the positions %v: there should be more", h.positions)
	}
	used := map[string]bool{}
	for _, p := range h.packages {
		for _, fault := range h.faults(t, p, nil, used) {
			t.Error(fault)
		}
	}
	for name := range tellers {
		if !used[name] {
			t.Errorf("nobody uses %s: it does not belong into tellers", name)
		}
	}
}

// What would write a position, or hand one to somebody who can: each is planted in a package, and found.
func TestWhoeverWritesAPositionIsFound(t *testing.T) {
	const shown = "t.state.Shown(t.setup.Aid)"
	h := loadModule(t)
	for _, l := range []struct {
		in, file, is, would string
		found               string
	}{
		{"games/dawn", "dawn.go", "// Turn is who", "func (p Position) String() string { return `` }\n\n// Turn is who",
			"Position has a method String"},
		{"games/toctoc", "toctoc.go", "// Turn is who", "func (p *Position) MarshalJSON() ([]byte, error) { return nil, nil }\n\n// Turn is who",
			"Position has a method MarshalJSON"},
		{"games/dawn", "dawn.go", "// Turn is who", "func (p Position) AppendJSON(t game.JSON) game.JSON { return t }\n\n// Turn is who",
			"Position has a method AppendJSON"},
		{"games/dawn", "dawn.go", "\trows    [game.MaxSeats]row\n", "\trows    [game.MaxSeats]row\n\tSpare   row\n",
			"Position has an exported field Spare"},
		{"games/toctoc", "toctoc.go", "\tplayers uint8\n", "\tplayers uint8\n\tPile    stack\n",
			"Position has an exported field Pile"}, // in what it embeds
		{"games/dawn", "dawn.go", "Dump:     dump,", "Dump:     func(p Position) any { return dump(p) },",
			"Dump of caveau/games/dawn.Rules has no name"},
		{"games/toctoc", "trace.go", "// inHand are", "var told = dump(Position{})\n\n// inHand are",
			"caveau/games/toctoc.dump is asked by caveau/games/toctoc.told"},
		{"games/dawn", "trace.go", "// dump is the truth", "func told(p Position) any { return write(p) }\n\n// dump is the truth",
			"caveau/games/dawn.write is asked by caveau/games/dawn.told"},
		{"table", "table.go", "// The states of", "func (t *Table) String() string { return `` }\n\n// The states of",
			"Table has a method String"},
		{"wire", "frame.go", "type Frame struct {\n", "type Frame struct {\n\tState1   game.State\n",
			"Frame has an exported field State1"},
		{"table", "frame.go", shown, "t.state", "caveau/game.State becomes any"},
		{"table", "frame.go", shown, "t.state.Dump()", "caveau/game.State.Dump is asked by caveau/table.Table.shown"},
		{"table", "frame.go", shown, "game.State.Deal(t.state)", "caveau/game.State.Deal is asked by caveau/table.Table.shown"},
		{"table", "frame.go", shown, "t.deal", "caveau/table.Table.deal is asked by caveau/table.Table.shown"},
		{"table", "frame.go", shown, "t.seeds", "caveau/table.Table.seeds is asked by caveau/table.Table.shown"},
		{"table", "house.go", "View: t.state.View(s),", "View: t.state,", "caveau/game.State becomes any"},
		{"match", "owner.go", `"seq", o.table.Seq()+1, "err", err)`, `"seq", o.table.Seq()+1, "err", err, "in", o.table)`, "*caveau/table.Table becomes any"},
		{"game", "edge.go", "{ return s.p.View(seat) }", "{ return s.p }", "P becomes any"},
		{"match", "owner.go", "\to.unsure = true\n\to.do(Read{", "\to.report(slog.LevelError, \"lost\", \"decision\", p.decision)\n\to.unsure = true\n\to.do(Read{",
			"*caveau/table.Decision becomes any in caveau/match.Owner.appended"},
		{"match/runner", "runner.go", "\"a table cannot be replayed\", \"table\", r.id,", "\"a table cannot be replayed\", \"table\", r.id, \"entry\", e,",
			"caveau/fact.Entry becomes any in caveau/match/runner.Runner.replay"},
		{"games/dawn", "view.go", "\tv := View{seat: s, table: p.table, lid: p.lid.only(p.seen)}\n", "\tv := View{seat: s, table: p.table, lid: p.lid.only(p.seen)}\n\t_ = []any{1, p}\n",
			"caveau/games/dawn.Position becomes any"},
	} {
		i := slices.IndexFunc(h.packages, func(p modulePackage) bool { return p.ImportPath == "caveau/"+l.in })
		path := filepath.Join(h.packages[i].Dir, l.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(text), l.is) != 1 {
			t.Fatalf("%s no longer has, once, what a fault is planted in; write it anew:\n%s", path, l.is)
		}
		planted := map[string][]byte{path: []byte(strings.Replace(string(text), l.is, l.would, 1))}
		if faults := strings.Join(h.faults(t, h.packages[i], planted, map[string]bool{}), "\n"); !strings.Contains(faults, l.found) {
			t.Errorf("%s/%s, with %q: found %q, want something about %q", l.in, l.file, l.would, faults, l.found)
		}
	}
}

// A module is the packages of the house, as the compiler knows them.
type module struct {
	packages  []modulePackage
	exports   map[string]string // where the compiler's word on each package lies, ours and others'
	fset      *token.FileSet
	imports   types.Importer
	positions []string // the types of the games' positions
	tellers   map[string][]string
}

type modulePackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Path string }
}

func loadModule(t *testing.T) *module {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,Module", "caveau/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	h := &module{exports: map[string]string{}, fset: token.NewFileSet(), tellers: maps.Clone(tellers)}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p modulePackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		h.exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Path == "caveau" && len(p.GoFiles) > 0 && !slices.Contains(examiners, p.ImportPath) {
			h.packages = append(h.packages, p)
		}
	}
	h.imports = importer.ForCompiler(h.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(h.exports[path]) })
	for _, p := range h.packages {
		info, files := h.check(t, p, nil)
		h.findTellers(info, files)
		for _, instance := range info.Instances {
			if named, ok := instance.Type.(*types.Named); ok && nameOf(named.Obj()) == "caveau/game.Rules" {
				if position, ok := instance.TypeArgs.At(0).(*types.Named); ok && !slices.Contains(h.positions, nameOf(position.Obj())) {
					h.positions = append(h.positions, nameOf(position.Obj()))
				}
			}
		}
	}
	return h
}

// findTellers adds what the rulebooks of a package name as their Write, Dump and Reveal.
func (h *module) findTellers(info *types.Info, files []*ast.File) {
	for _, file := range files {
		for _, decl := range file.Decls {
			values, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range values.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok {
					h.findTellersIn(info, value)
				}
			}
		}
	}
}

func (h *module) findTellersIn(info *types.Info, value *ast.ValueSpec) {
	ast.Inspect(value, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || !isRules(info.TypeOf(lit)) {
			return true
		}
		for _, element := range lit.Elts {
			pair := element.(*ast.KeyValueExpr)
			ident, named := pair.Value.(*ast.Ident)
			if key := pair.Key.(*ast.Ident).Name; named && truths[key] {
				name := nameOf(info.Uses[ident])
				h.tellers[name] = append(h.tellers[name], nameOf(info.Defs[value.Names[0]]))
			}
		}
		return true
	})
}

func isRules(typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	return ok && nameOf(named.Obj()) == "caveau/game.Rules"
}

// check reads a package, some of whose sources may be others than on the disk, and has its types worked out.
func (h *module) check(t *testing.T, p modulePackage, sources map[string][]byte) (*types.Info, []*ast.File) {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		var source any
		if text, planted := sources[path]; planted {
			source = text
		}
		file, err := parser.ParseFile(h.fset, path, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	config := types.Config{Importer: h.imports}
	if _, err := config.Check(p.ImportPath, h.fset, files, info); err != nil {
		t.Fatal(err)
	}
	return info, files
}

// nameOf is an object's full name, without the type arguments of what it belongs to.
func nameOf(o types.Object) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + o.Name()
}

// holds tells whether a value of the type has a position in it, or leads to one.
func (h *module) holds(typ types.Type, seen map[types.Type]bool) bool {
	if seen[typ] {
		return false
	}
	seen[typ] = true
	switch typ := types.Unalias(typ).(type) {
	case *types.Named:
		name := nameOf(typ.Obj())
		return name == "caveau/game.State" || slices.Contains(h.positions, name) || slices.Contains(keepers, name) || h.holds(typ.Underlying(), seen)
	case *types.TypeParam:
		named, ok := typ.Constraint().(*types.Named)
		return ok && nameOf(named.Obj()) == "caveau/game.Position"
	case *types.Struct:
		for field := range typ.Fields() {
			if h.holds(field.Type(), seen) {
				return true
			}
		}
	case *types.Map:
		return h.holds(typ.Key(), seen) || h.holds(typ.Elem(), seen)
	case interface{ Elem() types.Type }: // pointers, arrays, slices, channels
		return h.holds(typ.Elem(), seen)
	}
	return false
}

func (h *module) secret(typ types.Type) bool {
	return typ != nil && h.holds(typ, map[types.Type]bool{})
}

// faults is what is wrong in a package. It notes which of the tellers are used.
func (h *module) faults(t *testing.T, p modulePackage, sources map[string][]byte, used map[string]bool) (faults []string) {
	t.Helper()
	info, files := h.check(t, p, sources)
	for ident, object := range info.Defs {
		if named, ok := object.(*types.TypeName); ok && !named.IsAlias() && h.secret(named.Type()) {
			for _, fault := range h.writable(named) {
				faults = append(faults, fmt.Sprintf("%s: %s %s", h.fset.Position(ident.Pos()), named.Name(), fault))
			}
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			r := reader{h: h, info: info, used: used}
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				r.in = nameOfFunc(info.Defs[decl.Name].(*types.Func))
				r.read(decl)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if values, ok := spec.(*ast.ValueSpec); ok {
						r.in = nameOf(info.Defs[values.Names[0]])
						r.read(values)
					}
				}
			}
			faults = append(faults, r.faults...)
		}
	}
	slices.Sort(faults)
	return faults
}

// writable tells with what a library could write a type that holds a position.
func (h *module) writable(typ *types.TypeName) (faults []string) {
	if _, param := typ.Type().(*types.TypeParam); param {
		return nil
	}
	if !types.IsInterface(typ.Type()) {
		methods := types.NewMethodSet(types.NewPointer(typ.Type()))
		for i := range methods.Len() {
			if name := methods.At(i).Obj().Name(); slices.Contains(writers, name) {
				faults = append(faults, "has a method "+name+", and holds a position: it would be written")
			}
		}
	}
	if fields, ok := typ.Type().Underlying().(*types.Struct); ok {
		all := slices.Contains(h.positions, nameOf(typ))
		faults = append(faults, h.exportedIn(fields, all)...)
	}
	return faults
}

// exportedIn is the fields that encoding/json would write: all of them in a position, else those that are one.
func (h *module) exportedIn(fields *types.Struct, all bool) (faults []string) {
	for field := range fields.Fields() {
		inner, isStruct := field.Type().Underlying().(*types.Struct)
		switch {
		case field.Exported() && (all || h.isPosition(field.Type())):
			faults = append(faults, "has an exported field "+field.Name()+", and it would be written")
		case field.Embedded() && isStruct:
			faults = append(faults, h.exportedIn(inner, all)...)
		}
	}
	return faults
}

// isPosition tells whether a type is a position itself, or many of them.
func (h *module) isPosition(typ types.Type) bool {
	switch typ := types.Unalias(typ).(type) {
	case *types.Named:
		name := nameOf(typ.Obj())
		return name == "caveau/game.State" || slices.Contains(h.positions, name)
	case *types.TypeParam:
		return h.secret(typ)
	case interface{ Elem() types.Type }:
		return h.isPosition(typ.Elem())
	}
	return false
}

// nameOfFunc is a function's full name, with the type that it is a method of.
func nameOfFunc(f *types.Func) string {
	receiver := f.Signature().Recv()
	if receiver == nil {
		return nameOf(f)
	}
	typ := receiver.Type()
	if pointer, ok := typ.(*types.Pointer); ok {
		typ = pointer.Elem()
	}
	if named, ok := typ.(*types.Named); ok {
		return nameOf(named.Obj()) + "." + f.Name()
	}
	return nameOf(f)
}

// A reader reads one declaration.
type reader struct {
	h      *module
	info   *types.Info
	in     string // its name
	used   map[string]bool
	faults []string
	result []*types.Tuple // of the functions that it is in
}

func (r *reader) fault(at ast.Node, format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf("%s: %s", r.h.fset.Position(at.Pos()), fmt.Sprintf(format, args...)))
}

func (r *reader) read(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			r.result = append(r.result, r.info.Defs[n.Name].(*types.Func).Signature().Results())
		case *ast.FuncLit:
			inner := *r
			inner.result, inner.faults = []*types.Tuple{r.info.TypeOf(n).(*types.Signature).Results()}, nil
			inner.read(n.Body)
			r.faults = append(r.faults, inner.faults...)
			return false
		case *ast.KeyValueExpr: // the key of a literal asks nothing
			r.read(n.Value)
			if _, field := n.Key.(*ast.Ident); !field {
				r.read(n.Key)
			}
			return false
		case *ast.Ident:
			r.ask(n)
		case *ast.CallExpr:
			r.call(n)
		case *ast.CompositeLit:
			r.literal(n)
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					r.becomes(n.Rhs[i], r.info.TypeOf(n.Lhs[i]))
				}
			}
		case *ast.ValueSpec:
			for _, value := range n.Values {
				if n.Type != nil {
					r.becomes(value, r.info.TypeOf(n.Type))
				}
			}
		case *ast.SendStmt:
			if channel, ok := r.info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				r.becomes(n.Value, channel.Elem())
			}
		case *ast.ReturnStmt:
			if results := r.result[len(r.result)-1]; results.Len() == len(n.Results) {
				for i, value := range n.Results {
					r.becomes(value, results.At(i).Type())
				}
			}
		}
		return true
	})
}

// ask looks whether a name is one of the tellers, and whether it may be used here.
func (r *reader) ask(ident *ast.Ident) {
	object := r.info.Uses[ident]
	if object == nil {
		return
	}
	for name, may := range r.h.tellers {
		if !r.means(object, name) {
			continue
		}
		r.used[name] = true
		if !slices.Contains(may, r.in) {
			r.fault(ident, "%s is asked by %s: only %s may", name, r.in, strings.Join(may, " and "))
		}
	}
}

// means tells whether an object has that full name. A field has its type's.
func (r *reader) means(object types.Object, name string) bool {
	switch object := object.(type) {
	case *types.Func:
		return nameOfFunc(object) == name
	case *types.Var:
		if !object.IsField() || object.Pkg() == nil {
			return false
		}
		typ, field, _ := cutLast(name, ".")
		if field != object.Name() {
			return false
		}
		pkg, local, _ := cutLast(typ, ".")
		owner, ok := object.Pkg().Scope().Lookup(local).(*types.TypeName)
		if !ok || pkg != object.Pkg().Path() {
			return false
		}
		fields, ok := owner.Type().Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for f := range fields.Fields() {
			if f == object.Origin() {
				return true
			}
		}
	}
	return false
}

func cutLast(name, at string) (before, after string, found bool) {
	i := strings.LastIndex(name, at)
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// call looks at what is handed to a function, or converted.
func (r *reader) call(call *ast.CallExpr) {
	fun := r.info.Types[call.Fun]
	if fun.IsType() {
		r.becomes(call.Args[0], fun.Type)
		return
	}
	signature, ok := fun.Type.Underlying().(*types.Signature)
	if !ok {
		return
	}
	for i, arg := range call.Args {
		switch n := signature.Params().Len(); {
		case signature.Variadic() && i >= n-1 && !call.Ellipsis.IsValid():
			if list, ok := signature.Params().At(n - 1).Type().(*types.Slice); ok {
				r.becomes(arg, list.Elem())
			}
		case i < n:
			r.becomes(arg, signature.Params().At(i).Type())
		}
	}
}

// literal looks at what is put into a struct, a list or a map.
func (r *reader) literal(lit *ast.CompositeLit) {
	typ := r.info.TypeOf(lit)
	if pointer, ok := typ.Underlying().(*types.Pointer); ok {
		typ = pointer.Elem()
	}
	for i, element := range lit.Elts {
		pair, keyed := element.(*ast.KeyValueExpr)
		switch of := typ.Underlying().(type) {
		case *types.Struct:
			if keyed {
				key := pair.Key.(*ast.Ident)
				r.becomes(pair.Value, r.info.Uses[key].Type())
				r.mustHaveName(typ, key.Name, pair.Value)
			} else {
				r.becomes(element, of.Field(i).Type())
			}
		case *types.Map:
			r.becomes(pair.Key, of.Key())
			r.becomes(pair.Value, of.Elem())
		case interface{ Elem() types.Type }:
			if keyed {
				element = pair.Value
			}
			r.becomes(element, of.Elem())
		}
	}
}

// mustHaveName: what a rulebook names as its Write, Dump and Reveal is one of the tellers.
func (r *reader) mustHaveName(typ types.Type, field string, value ast.Expr) {
	if !isRules(typ) || !truths[field] {
		return
	}
	if _, ok := value.(*ast.Ident); !ok {
		r.fault(value, "%s of %s has no name: give it one, so that it can be seen who asks it", field, r.in)
	}
}

// becomes looks whether a value that holds a position is made into anything at all: then libraries can write it.
func (r *reader) becomes(value ast.Expr, typ types.Type) {
	if typ == nil {
		return
	}
	if _, param := typ.(*types.TypeParam); param {
		return
	}
	if target, ok := typ.Underlying().(*types.Interface); !ok || !target.Empty() {
		return
	}
	from := r.info.TypeOf(value)
	if r.h.secret(from) && (handedOn[r.in] == "" || r.h.isPosition(from)) {
		r.fault(value, "%s becomes any in %s: whoever has it can write it", from, r.in)
	}
}
