package dawn

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// whole is all positions of a random game.
func whole(t *testing.T, setup game.Setup, seed uint64) (positions []Position) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	p, err := deal(setup, rng)
	if err != nil {
		t.Fatal(err)
	}
	for {
		positions = append(positions, p)
		legal := p.Moves(nil)
		if len(legal) == 0 {
			return positions
		}
		p = p.Play(legal[rng.IntN(len(legal))], nil)
	}
}

func shown(t *testing.T, p Position, aid game.Aid) string {
	t.Helper()
	return encode(t, p.View(game.Watcher).Shown(aid))
}

// What is as at the start is not said, and what is said is short: most of it is the rows.
func TestATableIsSmall(t *testing.T) {
	setup := game.Setup{Edition: "2004", Players: 4, First: 0}
	want := `{"rows":[{"left":["blue","white"],"down":11,"right":["green","green"]},` +
		`{"left":["white","green"],"down":11,"right":["white","blue"]},` +
		`{"left":["red","black"],"down":11,"right":["green","green"]},` +
		`{"left":["black","red"],"down":11,"right":["yellow","blue"]}],"reserve":6,"turn":"A"}`
	if start := shown(t, whole(t, setup, 1)[0], game.AidAll); start != want {
		t.Errorf("at the start is shown\n%s\nnot\n%s", start, want)
	}
	const games, most = 100, 460
	bytes, moves := 0, 0
	for seed := range uint64(games) {
		positions := whole(t, setup, seed)
		bytes += len(shown(t, positions[len(positions)/2], game.AidNone))
		moves += len(positions)
	}
	t.Logf("in the middle of games of %d moves: %d bytes", moves/games, bytes/games)
	if bytes/games > most {
		t.Errorf("in the middle of a game it takes %d bytes to say what lies on the table, more than %d", bytes/games, most)
	}
}

// What is said of each thing that is not as at the start.
func TestWhatIsShown(t *testing.T) {
	for _, test := range []struct {
		table string
		moves []string
		aid   game.Aid
		shows []string
	}{
		{"players 3\nedition rucola", nil, game.AidNone, []string{`"bats":[2,2,2]`, `"count":{}`, `"reserve":6,"turn":"A"`}},
		{"players 3\nA: red ..\ngraves: d3 blue", []string{"open d3"}, game.AidNone, []string{`"graves":[{"at":"d3","lid":"open","under":"blue"}]`, `"at":"d3"`}},
		{"players 3\nA: red ..\ngraves: d3 blue", []string{"open d3", "garlic"}, game.AidNone, []string{`{"rows"`, `"garlic":[2,3,3]`, `"turn":"B"`}},
		{"players 3\nA: red ..\ngraves: d3 blue", []string{"open d3", "garlic"}, game.AidMarks, []string{`"graves":[{"at":"d3","mark":true}]`}},
		{"players 3\nA: red ..\ngraves: d3 blue", []string{"open d3", "garlic"}, game.AidAll,
			[]string{`"graves":[{"at":"d3","mark":true,"recall":{"under":"blue","holds":"garlic A"}}]`}},
		{"players 3\ngraves: d3 red with vampire red", []string{"open d3"}, game.AidNone, []string{`"stakes":[1,0,0]`, `"stakesLeft":12`}},
		{"players 3\ngraves: d3 rat", []string{"open d3"}, game.AidNone,
			[]string{`"graves":[{"at":"d3","lid":"open","under":"rat"}]`, `"plague":{"rat":"d3","holder":"A","goer":"A"}`}},
		{"players 3\ngraves: d3 rat", []string{"open d3", "stop"}, game.AidNone, []string{`"plague":{"rat":"d3","holder":"A","goer":"B","out":["A"]}`}},
		{"players 3\ngraves: d3 red with garlic B", []string{"open d3"}, game.AidNone,
			[]string{`{"at":"d3","lid":"open","under":"red","holds":"garlic B"}`, `"gifts":{"to":"A","from":["B"]}`}},
		{"players 3\ngraves: d3 red with garlic B", []string{"open d3", "give left"}, game.AidNone, []string{`"gifts":{"to":"A","have":["`}},
		{"players 3\nedition rucola", []string{"bat d3"}, game.AidNone, []string{`"bats":[1,2,2],"bat":{"on":"d3","asks":["B","C"]}`}},
		{"players 3\nedition rucola\ngraves: d3 red with vampire red", []string{"bat d3", "believe", "believe"}, game.AidNone,
			[]string{`"graves":[{"at":"d3","lid":"lifted","holds":"vampire red"}]`, `"bat":{"on":"d3"}`}},
		{"players 3\nedition rucola\ncount B f6", nil, game.AidNone, []string{`"count":{"holder":"B","on":"f6"}`}},
		{"players 3\nedition 2017\njust c3", nil, game.AidMarks, []string{`"just":"c3"`}},
		{"players 2\nbare a1", nil, game.AidNone, []string{`"graves":[{"at":"a1","lid":"none"},{"at":"`, `"reserve":4`}},
	} {
		p, err := setUp(test.table)
		if err != nil {
			t.Fatalf("%s: %v", test.table, err)
		}
		for _, words := range test.moves {
			i := slices.IndexFunc(p.Moves(nil), func(m Move) bool { return m.String() == words })
			if i < 0 {
				t.Fatalf("%q: %s is no move: %v", test.table, words, p.Moves(nil))
			}
			p = p.Play(p.Moves(nil)[i], nil)
		}
		is := shown(t, p, test.aid)
		for _, says := range test.shows {
			if !strings.Contains(is, says) {
				t.Errorf("%q, %v, aid %q: want %s in\n%s", test.table, test.moves, test.aid, says, is)
			}
		}
	}
}

// Every question of the three books is asked some day, by the paragraphs that tell of it.
func TestQuestions(t *testing.T) {
	asked := map[game.Question]bool{}
	for _, edition := range editionNames {
		for seed := range uint64(30) {
			for _, p := range whole(t, game.Setup{Edition: edition, Players: 2 + int(seed%3), First: game.NoSeat}, seed) {
				if q := p.Asks(); p.Turn() != game.NoSeat {
					asked[q] = true
				}
			}
		}
	}
	want := map[game.Question]bool{}
	for _, q := range []string{
		"open O1", "open X1", "more O2", "on N2", "plague P3", "rest O3", "garlic K1", "give G1", "take G3", "believe B3", "present B7", "count C3", "count C4",
		"lay B4", "lay B5", "lay B7", "lay C4", "lay.free B6",
	} {
		word, rule, _ := strings.Cut(q, " ")
		want[game.Question{Word: word, Rule: rule}] = true
	}
	if !maps.Equal(asked, want) {
		t.Errorf("asked is\n%v\nand not\n%v", asked, want)
	}
}
