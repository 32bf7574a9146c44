package pebbles

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caveau/catalog"
	"caveau/game"
	"caveau/game/gametest"
	"caveau/record"
)

func TestLaws(t *testing.T) { gametest.Run(t, Rules) }

// It is recorded and replayed as any other game is, by whoever is handed a shelf.
func TestARecordOfIt(t *testing.T) {
	shelf := catalog.House.With(Entry)
	g, _ := shelf.Game("pebbles")
	rng := rand.New(rand.NewPCG(1, 1))
	state, err := g.Deal(game.Setup{Players: 3, First: 1, Options: map[string]int{"hand": 2}}, rng)
	if err != nil {
		t.Fatal(err)
	}
	deal, err := record.WriteDeal(state)
	if err != nil {
		t.Fatal(err)
	}
	rec := record.Record{Game: "pebbles", Options: map[string]int{"hand": 2}, Players: []string{"Ana", "Ben", "Cleo"}, Deal: deal}
	for state.Turn() != game.NoSeat {
		moves := state.Moves()
		words := moves[rng.IntN(len(moves))]
		rec.Moves = append(rec.Moves, state.Turn().String()+" "+words)
		if state, _, err = state.Play(state.Turn(), words); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	read, err := record.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	start, err := read.Start(shelf)
	if err != nil {
		t.Fatal(err)
	}
	var trace bytes.Buffer
	if err := read.Trace(start, &trace); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(trace.String()), "\n")
	if last, _ := json.Marshal(state.Dump()); len(lines) != 7 || !strings.HasSuffix(lines[6], string(last[1:])) {
		t.Errorf("the trace ends with\n%s\nand the game with\n%s", lines[len(lines)-1], last)
	}
	if _, err := read.Start(catalog.House); err == nil {
		t.Error("the house plays pebbles")
	}
}

// What counts, from a table laid by hand, and all that is said on the way.
func TestPoints(t *testing.T) {
	p, err := read(game.Setup{Players: 2, Options: map[string]int{"hand": 2}}, json.RawMessage(
		`{"first":"A","hands":[["3","5"],["6","3"]],"box":["1","1","1","1","2","2","2","2","3","3","4","4","4","4","5","5","5","6","6","6"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var heard game.Events
	for _, words := range []string{"hide 3", "hide 6", "show 5", "show 3"} {
		i := slices.IndexFunc(p.Moves(nil), func(m Move) bool { return m.String() == words })
		if i < 0 {
			t.Fatalf("%s is no move: %v", words, p.Moves(nil))
		}
		if words == "show 3" {
			if shown, _ := json.Marshal(p.View(game.Watcher).Shown("")); string(shown) != `{"up":[["5"],[]],"down":[1,1],"held":[0,1]}` {
				t.Errorf("on the table lies %s", shown)
			}
			if own, _ := json.Marshal(p.View(1).Own("")); string(own) != `{"hand":["3"],"down":["6"]}` {
				t.Errorf("B has %s", own)
			}
		}
		p = p.Play(p.Moves(nil)[i], &heard)
	}
	var said []string
	for _, e := range heard.List() {
		text, _ := json.Marshal(e.For(0))
		said = append(said, string(text))
	}
	want := []string{
		`{"seat":"A","verb":"hide","what":"3","rule":"pebbles, Turn"}`,
		`{"seat":"B","verb":"hide","rule":"pebbles, Turn"}`,
		`{"seat":"A","verb":"show","what":"5","rule":"pebbles, Turn"}`,
		`{"seat":"B","verb":"show","what":"3","rule":"pebbles, Turn"}`,
		`{"seat":"A","verb":"reveal","what":"3","rule":"pebbles, End"}`, // B has shown one
		`{"seat":"B","verb":"reveal","what":"6","n":12,"rule":"pebbles, End"}`,
		`{"seat":"B","verb":"win","n":15,"rule":"pebbles, End"}`,
	}
	if !slices.Equal(said, want) {
		t.Errorf("A hears\n%s\nnot\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if got := p.Outcome().Scores.List(2); !slices.Equal(got, []int{5, 15}) {
		t.Errorf("the points are %v", got)
	}
}

// Whatever is cited stands in the rulebook, and each code of a refusal in the README.
func TestLookUp(t *testing.T) {
	rules, err := os.ReadFile("rules.en.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^### .*\{(.+)\}$`).FindAllStringSubmatch(string(rules), -1) {
		told[found[1]] = true
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	cite := func(what, rule string) {
		if !told[rule] {
			t.Errorf("%s cites %q, which cannot be looked up in %v", what, rule, told)
		}
		if !strings.Contains(string(readme), "`"+what+"`") {
			t.Errorf("README.md does not tell of %q", what)
		}
	}
	state, err := game.Edge(Rules).Deal(game.Setup{Players: 2, First: 0}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for ply := 0; ; ply++ {
		for _, said := range []struct {
			seat  game.Seat
			words string
		}{{0, "sing"}, {1 - state.Turn()%2, "show 1"}, {state.Turn(), "show 1"}, {state.Turn(), "show 6"}} {
			var refusal game.Refusal
			if _, _, err := state.Play(said.seat, said.words); errors.As(err, &refusal) {
				cite(refusal.Code, refusal.Rule)
			}
		}
		if state.Turn() == game.NoSeat {
			return
		}
		cite(state.Asks().Word, state.Asks().Rule)
		moves := state.Moves()
		next, events, err := state.Play(state.Turn(), moves[ply%2])
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			cite(e.Verb, e.Rule)
		}
		state = next
	}
}
