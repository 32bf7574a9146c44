package secrets

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a refusal says that is not always the same, by the file and the words of its source, and why whoever reads it knows that already. Whoever has a refusal say more
// has to think about it here.
var refusals = map[string]string{
	`ceremony/ceremony.go: "bits: %v", err`:                                                                                        "what is wrong with the number that he has sent",
	`cmd/wasm/pocket.go: "nobody knows what %q is", q.What`:                                                                        "his own word, to his own device",
	`guests/notice.go: "language: none of %v", terms.Languages`:                                                                    "the languages of the program",
	`guests/notice.go: "subscription: %v", err`:                                                                                    "what is wrong with what he has sent",
	`guests/notice.go: "the body is not the JSON that is expected: %v", err`:                                                       "as before",
	`guests/program.go: "name: 1 to %d letters that can be seen, and no bot's name; “%s” is added", longestProgram, isBot`:         "limits of the program",
	`guests/program.go: "you have %d programs: remove one first", mostPrograms`:                                                    "a limit, which he has reached",
	`guests/tables.go: "you have %d games on your list: take some away first", mostPlayed`:                                         "as before",
	`lobby/keep.go: "record: %v", err`:                                                                                             "what is wrong with the record that he has sent",
	`lobby/read.go: "%s is asked", turn`:                                                                                           "whose turn it is stands on the table, for all to see",
	`lobby/read.go: "by the rules of today the game went otherwise: %v", err`:                                                      "the game is over, and its record has all of it",
	`lobby/read.go: "nobody here gives advice on %s", game`:                                                                        "which game is played there is on its sign",
	`lobby/session.go: "you watch %d tables already", mostWatched`:                                                                 "a limit, which he has reached",
	`ruling/ruling.go: "nobody rules %q", r.Verdict`:                                                                               "the word of whoever runs the house",
	`owner/invitations.go: "there are %d invitations: take one back first", mostInvitations`:                                       "a limit, which has been reached by whoever runs the house, to whom it is said",
	`owner/invitations.go: fmt.Sprintf("days: 1 to %d; times: 0 to %d; for: at most %d letters", mostDays, mostTimes, longestFor)`: "limits of the program",
	`pocket/pocket.go: "name: 1 to %d letters", longestName`:                                                                       "a limit of the program",
	`pocket/pocket.go: "names: nobody can sit on %.40q", seat`:                                                                     "his own word",
	`server/api.go: err.Error()`:                                                                                                   "an error of guests.ErrWrong, the same for all that is wrong with a passkey or a way (server.TestWrongPasskeys)",
	`server/limit.go: message`:                                                                                                     "a text of whoever calls it, written down there",
	`table/decide.go: "no bot is called %q", w.Bot`:                                                                                "his own word",
	`table/decide.go: "no person sits on %s", seat`:                                                                                "who sits where stands on the table",
	`table/decide.go: "somebody sits on %s", seat`:                                                                                 "as before",
	`table/decide.go: "the game has begun, and you sit on %s", mine`:                                                               "as before",
	`table/decide.go: "the move was for frame %d, the table is at %d", w.Seq, t.seq`:                                               "how many frames there are: whoever looks is told each of them",
	`table/decide.go: "the table has no seat %q", w.Seat`:                                                                          "his own word",
	`table/decide.go: "there is nothing to do called %q", c.Do`:                                                                    "his own word",
	`table/decide.go: "you do not sit on %s", seat`:                                                                                "who sits where stands on the table",
	`table/seal.go: "%v", err`:                                                                                                     "what is wrong with the set-up, before anything is dealt",
	`table/seal.go: "the deal's seals do not fit: %v", err`:                                                                        "seals are open to all; what is sealed is not asked",
	`terms/imported.go: "%s", fault`:                                                                                               "what is wrong with the options that he has sent",
	`terms/imported.go: "ply: the record has %d moves, and no position after %d", len(rec.Moves), n`:                               "his own record",
	`terms/imported.go: "record: %v", err`:                                                                                         "what is wrong with the record that he has sent",
	`terms/setup.go: "%s", fault`:                                                                                                  "what is wrong with the options that he has sent",
	`terms/setup.go: "%v", err`:                                                                                                    "what is wrong with the set-up that he has sent",
	`terms/setup.go: "there is no game called %.40q to sit down to", s.Game`:                                                       "his own word",
}

// Why somebody is refused is told him in words that are written down once and for all, or in words that follow from what he has said himself.
func TestRefusalsSayNothingElse(t *testing.T) {
	found := map[string]bool{}
	everyCall(t, func(path string, call *ast.CallExpr) {
		if said, literal := words(call); !literal {
			found[path+": "+said] = true
		}
	})
	mustBeListed(t, found, refusals, "says what is not always the same: say in refusals why whoever is refused knows it already", "is refused nowhere")
}

// everyCall looks at each call in the sources of the project, but for its tests.
func everyCall(t *testing.T, look func(path string, call *ast.CallExpr)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "node_modules") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		ast.Inspect(file, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is {
				look(path, call)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mustBeListed checks that a list has a reason for all that was found, and for nothing else.
func mustBeListed(t *testing.T, found map[string]bool, list map[string]string, unlisted, gone string) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(found)) {
		if list[what] == "" {
			t.Errorf("%s\n%s", what, unlisted)
		}
	}
	for what := range list {
		if !found[what] {
			t.Errorf("%s %s", what, gone)
		}
	}
}

// words are what a refusal is made of after its code, and whether they are always the same; a call of anything else has none.
func words(call *ast.CallExpr) (said string, literal bool) {
	f, is := call.Fun.(*ast.SelectorExpr)
	if !is || types.ExprString(f) != "wire.Refuse" && types.ExprString(f) != "reply.Refuse" {
		return "", true
	}
	args := call.Args[1:] // after the code
	if types.ExprString(f) == "reply.Refuse" {
		args = call.Args[3:] // after the writer, the status and the code
	}
	var all []string
	for _, a := range args {
		all = append(all, types.ExprString(a))
	}
	_, text := args[0].(*ast.BasicLit)
	return strings.Join(all, ", "), text && len(args) == 1
}
