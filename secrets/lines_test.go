package secrets

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// logged is what stands in the lines of the house's own log besides words that are always the same, by the name it has there and its source, and why whoever reads the log may
// know it. Whoever has a line say more has to think about it here: not what is in a letter, an entry or a hand, no cookie, and nothing that is a key.
var logged = map[string]string{
	`s.from(r)`:                            "from where somebody came who tried a door",
	`c.from`:                               "as before",
	`what`:                                 "what goes wrong, in the words of whoever writes it down",
	`"behind" behind`:                      "how far a clock is behind",
	`"bot" bot`:                            "which bots sit at a table stands on its sign",
	`"bot" name`:                           "as before",
	`"bytes" len(text)`:                    "how long the longest letters are: of a frame that is too long for the bus",
	`"did" "invite"`:                       "what whoever runs the house has done",
	`"differ" differ`:                      "a number",
	`"entry" line.Seq`:                     "a number; of a house in a page, which is one person’s",
	`"err" err`:                            "what the machine, the database, the bus or a service says of itself",
	`"err" in.Err`:                         "as before",
	`"file" c.certFile`:                    "a file of whoever runs the house",
	`"file" path`:                          "as before",
	`"games" games`:                        "a number",
	`"guest" body.Guest`:                   "who somebody is to the log, whom whoever runs the house has turned out; it opens nothing",
	`"guest" c.visitor.Guest.ID`:           "who has said something in another’s name; it opens nothing",
	`"guest" guest`:                        "as before",
	`"guest" v.Guest.ID`:                   "as before",
	`"host" brief(name)`:                   "the name of a house that somebody has asked for",
	`"house" s.Origin`:                     "the address of the house",
	`"invitation" made.N`:                  "its number; its code is nowhere",
	`"invitation" number`:                  "as before",
	`"invitation" r.PathValue("n")`:        "as before",
	`"invited" body.Invited`:               "what whoever runs the house has said",
	`"kind" fmt.Sprintf("%T", fault)`:      "the type of what went wrong, never its words, which may be of a hand",
	`"links" s.Origin`:                     "the address of the house",
	`"node" unheard`:                       "the number of a node",
	`"page" brief(page.String())`:          "the address of a page elsewhere",
	`"page" brief(r.Header.Get("Origin"))`: "as before",
	`"proxy" address.Parse(r.RemoteAddr)`:  "the address of a proxy",
	`"revision" r.revision`:                "of the rules",
	`"seat" o.table.Turn()`:                "whose turn it is stands on the table",
	`"seat" seen.Seat`:                     "as before",
	`"seq" o.table.Seq() + 1`:              "a number",
	`"stack" stack()`:                      "where in the program something went wrong, without what it was about",
	`"tables" n`:                           "a number",
	`"what" r.differs`:                     "what went otherwise by the rules of today, in a game that is over",
	`"table" a.Table`:                      "at which table something is wrong; whoever runs the house has to find it",
	`"table" id`:                           "as before",
	`"table" line.Table`:                   "as before",
	`"table" one.table`:                    "as before",
	`"table" r.id`:                         "as before",
	`"table" t.Table`:                      "as before",
	`"table" table`:                        "as before",
	`"table" tableOf(r)`:                   "which table whoever runs the house has said something of",
	`append([]any{…}, about...)`:           "what is handed to whoever writes such lines, which is looked at there",
	`append([]any{…}, more...)`:            "as before",
	`e.Args`:                               "as before: what match.Owner reports",
	`e.Text`:                               "as before",
	`more`:                                 "as before: of the bus",
}

// lines are the functions that write into the log, and how many of what they are given come before what the line says besides its words.
var lines = map[string]int{"Error": 1, "Warn": 1, "Info": 1, "Debug": 1, "Log": 3, "complain": 2, "report": 2, "attempt": 2, "done": 3}

func TestLinesOfTheLogSayNothingElse(t *testing.T) {
	found := map[string]bool{}
	everyCall(t, func(path string, call *ast.CallExpr) {
		if notTheHouse(path) {
			return
		}
		for _, what := range besides(call) {
			found[what] = true
		}
	})
	mustBeListed(t, found, logged, "stands in the log: say in logged why whoever reads that may know it", "stands nowhere in the log")
}

// notTheHouse tells whether a file is of no house: of a tool, of the laboratory, or of what helps tests.
func notTheHouse(path string) bool {
	dirs := strings.Split(path, "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool { return strings.HasSuffix(dir, "test") }) || slices.Contains([]string{"tools", "storm", "lab", "web"}, dirs[0])
}

// besides is what a line of the log says besides its words; nothing of a call that writes none.
func besides(call *ast.CallExpr) (all []string) {
	f, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return nil
	}
	words, is := lines[f.Sel.Name]
	if !is || len(call.Args) < words {
		return nil
	}
	if len(call.Args) > 0 && types.ExprString(call.Args[0]) == "w" && f.Sel.Name != "done" { // http.Error
		return nil
	}
	if words > 0 && !literal(call.Args[words-1]) {
		all = append(all, types.ExprString(call.Args[words-1]))
	}
	for i, args := words, call.Args; i < len(args); i++ {
		name, is := args[i].(*ast.BasicLit)
		if !is || i+1 == len(args) {
			all = append(all, types.ExprString(args[i]))
			continue
		}
		i++
		all = append(all, name.Value+" "+types.ExprString(args[i]))
	}
	return all
}

// literal tells whether words are always the same.
func literal(e ast.Expr) bool {
	if sum, is := e.(*ast.BinaryExpr); is {
		return literal(sum.X) && literal(sum.Y)
	}
	_, is := e.(*ast.BasicLit)
	return is
}
