package secrets

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A leak is a mistake that somebody could make: a few places of the sources as they are, and as they would be then.
type leak struct {
	name   string
	edits  []edit
	where  string // the rulebook in which it is looked for
	caught string // what the test says that finds it
	work   bool   // it is TestWork that finds it
}

type edit struct{ file, is, would string }

// leaks are planted one by one. TestTwinWorlds catches each, or TestWork; without them they pass.
var leaks = []leak{
	{"a full state in the first frame", []edit{
		{"table/frame.go", "\t\ttext = field(text, \"log\", t.log(eyes))\n",
			"\t\ttext = field(text, \"log\", t.log(eyes))\n\t\tif t.state != nil {\n\t\t\ttext = field(text, \"state\", t.state.Dump())\n\t\t}\n"},
	}, "toc-toc-toc", "by WebSocket, can tell", false},
	{"the seed in a message", []edit{
		{"ceremony/ceremony.go", "\tif over {\n\t\ts.Secret = c.secret\n",
			"\tif dealt {\n\t\ts.Secret = c.secret\n"},
	}, "toc-toc-toc", `\"secret\":`, false},
	{"an undo list", []edit{
		{"table/frame.go", "\tif left := t.left(now); left != nil {\n",
			"\tvar undo []string\n\tfor _, m := range t.moves {\n\t\tundo = append(undo, m.Words)\n\t}\n\ttext = field(text, \"undo\", undo)\n\tif left := t.left(now); left != nil {\n"},
	}, "toc-toc-toc", `,\"knock `, false},
	{"an id that survives the shuffle", []edit{
		{"games/dawn/view.go", "\trows [game.MaxSeats]row\n",
			"\trows [game.MaxSeats]row\n\tids  [numGraves]int // which lid of the box it is\n"},
		{"games/dawn/view.go", "\tv.lid.fill(p.lidded",
			"\tvar box [hidden + 1]int\n\tfor g := range v.ids {\n\t\tl := p.lid.at(Grave(g))\n\t\tv.ids[g] = 10*int(l) + box[l]\n\t\tbox[l]++\n\t}\n\tv.lid.fill(p.lidded"},
		{"games/dawn/view.go", "\tAt     string       `json:\"at\"`\n\tLid ",
			"\tID     int          `json:\"id\"`\n\tAt     string       `json:\"at\"`\n\tLid "},
		{"games/dawn/view.go", "append(t, '{').Key(\"at\").Text(g.At).TextIn(\"lid\"", "append(t, '{').Key(\"id\").Number(g.ID).Key(\"at\").Text(g.At).TextIn(\"lid\""},
		{"games/dawn/view.go", "\t\t\tshown.At = g.String()\n", "\t\t\tshown.At, shown.ID = g.String(), v.ids[g]\n"},
	}, "dawn-under", `\"id\":`, false},
	{"the length of a hidden zone", []edit{ // while somebody knocks: how many of the cards that he drew are still in his hand
		{"games/toctoc/view.go", "o == s || in.left > 0 {", "o == s || in.left > 0 && !(p.isKnocking(o) && in.card == p.card) {"},
	}, "toc-toc-toc", `\"drawn\":`, false},
	{"an error text that names a card", []edit{
		{"table/decide.go", "\t\td.result, err = t.play(m)\n\t}\n\tif err != nil {\n\t\treturn nil, err\n",
			"\t\td.result, err = t.play(m)\n\t}\n\tif err != nil {\n\t\treturn nil, wire.Refuse(wire.CodeBadCommand, \"%v: it was dealt %s\", err, t.deal)\n"},
	}, "toc-toc-toc", "by WebSocket, can tell", false},
	{"a move that comes late in the house's log", []edit{
		{"match/owner.go", "\to.do(s.Refused(err))\n\tif wire.AsError(err).Code == wire.CodeLate {\n",
			"\to.do(s.Refused(err))\n\tif wire.AsError(err).Code == wire.CodeLate {\n\t\to.report(slog.LevelInfo, \"a move came late\", \"move\", s.Command.Move)\n"},
	}, "toc-toc-toc", "by the server's log, can tell", false},
	{"a profile that names tables", []edit{
		{"slots/slots.go", "\t\tsaid <- s.listen(ctx, id, bot, player, seen)\n",
			"\t\tpprof.Do(ctx, pprof.Labels(\"table\", string(id)), func(ctx context.Context) { said <- s.listen(ctx, id, bot, player, seen) })\n"},
		{"slots/slots.go", "\t\"log/slog\"\n", "\t\"log/slog\"\n\t\"runtime/pprof\"\n"},
	}, "toc-toc-toc", "a profile can tell who thinks where", false},
	{"a bot given the position", []edit{
		{"table/house.go", "View: t.state.View(s),", "View: t.state,"},
	}, "toc-toc-toc", "by what it is handed, can tell", false},
	{"a watcher taken for a seat that may see all", []edit{
		{"match/presence.go", "{ return o.table.SeatOf(c.Who().ID) }",
			"{ return min(o.table.SeatOf(c.Who().ID), game.Seat(o.table.Seats()-1)) }"},
	}, "toc-toc-toc", "by WebSocket, can tell", false},
	{"a log line", []edit{
		{"match/owner.go", "\to.do(Append{o.table.Entry(d, o.now)})\n",
			"\te := o.table.Entry(d, o.now)\n\to.report(slog.LevelDebug, \"an entry\", \"data\", string(e.Data))\n\to.do(Append{e})\n"},
	}, "toc-toc-toc", "the server's log, has", false},
	{"a refusal that differs", []edit{
		{"games/dawn/refuse.go", "\tcase s != p.asked():\n",
			"\tcase s != p.asked() && m.verb == verbOpen && p.lid.at(Grave(m.what)) < Lid(Red):\n\t\treturn p.refuseGrave(Grave(m.what))\n\tcase s != p.asked():\n"},
	}, "dawn-under", "by WebSocket, can tell", false},
	{"more work for a fuller hand", []edit{
		{"table/frame.go", "\t\ttext = field(text, \"own\", own)\n",
			"\t\tsum := 0\n\t\tfor i := range 200 * len(t.state.Moves()) {\n\t\t\tsum += i\n\t\t}\n\t\ttext = field(text[:len(text)+min(sum, 0)], \"own\", own)\n"},
	}, "toc-toc-toc", "table/frame.go", true},
}

// findings are what the tests say when they have found a leak.
var findings = []string{"can tell two worlds apart", "the server's log, has", "more is done in one world", "a profile can tell who thinks where"}

// TestLeaks builds the house anew with each leak in it, and lets TestTwinWorlds find it.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("every leak is a house of its own to build: make test-all plants them")
	}
	for _, l := range leaks {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			replace := l.plant(t, dir)
			test := "^TestTwinWorlds$/^" + l.where
			if l.work {
				withCounters(t, dir, workers, replace)
				test = "^TestWork$/^" + l.where
			}
			said, err := runAnew(t, dir, replace, test)
			switch {
			case err == nil:
				t.Errorf("the leak is not caught:\n%s", said)
			case !strings.Contains(string(said), l.caught) || !slices.ContainsFunc(findings, func(words string) bool { return strings.Contains(string(said), words) }):
				t.Errorf("it fails, and not for the leak (%q):\n%s", l.caught, said)
			}
		})
	}
}

// plant writes the files with the leak in them; they stand for those that it answers with.
func (l leak) plant(t *testing.T, dir string) (replace map[string]string) {
	replace = make(map[string]string)
	for _, e := range l.edits {
		path, err := filepath.Abs(filepath.Join("..", e.file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(cmp.Or(replace[path], path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(text), e.is) != 1 {
			t.Fatalf("%s no longer has, once, what this leak is planted in; write the leak anew:\n%s", e.file, e.is)
		}
		replace[path] = write(t, dir, strings.ReplaceAll(e.file, "/", "_"), []byte(strings.Replace(string(text), e.is, e.would, 1)))
	}
	return replace
}
