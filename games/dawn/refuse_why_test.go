package dawn

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

// No code stands in refuse.go that no game ever comes to.
func TestEveryRefusalIsReached(t *testing.T) {
	source, err := os.ReadFile("refuse.go")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, found := range regexp.MustCompile(`Code: "(.*?)"`).FindAllStringSubmatch(string(source), -1) {
		missing[found[1]] = true
	}
	if len(missing) < 20 {
		t.Fatalf("refuse.go is written in another way: only %v are found", missing)
	}
	for _, code := range []string{
		"no_grave", "not_a_move", // for words that are not in the notation
		"one_end", "present_first", "not_to_him", // too rare to wait for
	} {
		delete(missing, code) // they stand below
	}
	words := notation()
	for seed := uint64(0); seed < 60 && len(missing) > 0; seed++ {
		rng := rand.New(rand.NewPCG(seed, 7))
		edition := Rules.Editions[seed%3]
		setup := game.Setup{Edition: edition.Name, Players: 2 + int(seed/3%5), First: game.NoSeat}
		for code := range refusedIn(t, setup, words, rng) {
			delete(missing, code)
		}
	}
	for code := range missing {
		t.Errorf("nothing was ever refused as %q", code)
	}
}

// refusedIn says every word in every position of a random game.
func refusedIn(t *testing.T, setup game.Setup, words []string, rng *rand.Rand) (codes map[string]bool) {
	t.Helper()
	p, err := deal(setup, rng)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for {
		moves := p.Moves(nil)
		checkRefusals(t, p, moves, words, seen)
		if len(moves) == 0 {
			break
		}
		p = p.Play(moves[rng.IntN(len(moves))], nil)
	}
	codes = map[string]bool{}
	for refusal := range seen {
		code, _, _ := strings.Cut(refusal, " ")
		codes[code] = true
	}
	return codes
}

// Each refusal, once, where one can see why.
func TestRefusalsNameTheRule(t *testing.T) {
	const table = `
		players 4
		A: red white .. white red
		B: blue green .. black blue
		C: green yellow .. black yellow
		graves: c3 red, d3 blue, c2 rat, b2 with vampire green, a1 with garlic A, b1 black, b3 white
		stakes: D 2`
	const two = `
		players 2
		bare a1
		graves: c3 rat`
	const night = `
		players 3
		edition rucola
		B: red
		C: green white .. white green
		graves: c3 with garlic C, c2 with vampire green`
	for _, test := range []struct {
		table string
		moves []string // said before
		words string
		want  game.Refusal
	}{
		{table, nil, "A stop", game.Refusal{Code: "first_opening", Rule: "O1"}},
		{table, nil, "A open d5", game.Refusal{Code: "no_grave", Rule: "2004, Preparation"}},
		{table, nil, "A sing", game.Refusal{Code: "not_a_move", Rule: "2004 ch. 1"}},
		{table, nil, "B open a1", game.Refusal{Code: "not_asked", Rule: "S1"}},
		{table, nil, "A rest left", game.Refusal{Code: "nothing_open", Rule: "O3"}},
		{table, nil, "A garlic", game.Refusal{Code: "nothing_open", Rule: "K1"}},
		{table, nil, "A take red left", game.Refusal{Code: "no_gift_due", Rule: "G1"}},
		{table, []string{"A open c3"}, "A leave", game.Refusal{Code: "must_rest", Rule: "O3"}},
		{table, []string{"A open c3"}, "A open d3", game.Refusal{Code: "rest_first", Rule: "O3"}},
		{table, []string{"A open d3"}, "A rest left", game.Refusal{Code: "no_match", Rule: "O3"}},
		{table, []string{"A open d3"}, "A stop", game.Refusal{Code: "garlic_first", Rule: "K1"}},
		{table, []string{"A open a1"}, "B open b1", game.Refusal{Code: "give_first", Rule: "G1"}},
		{table, []string{"A open a1"}, "D give left", game.Refusal{Code: "not_asked_giver", Rule: "G2"}},
		{table, []string{"A open a1", "B give left", "C give left", "D give left"}, "A open b1", game.Refusal{Code: "take_first", Rule: "G3"}},
		{table, []string{"A open a1", "B give left", "C give left", "D give left"}, "A take red left", game.Refusal{Code: "no_such_gift", Rule: "G3"}},
		{table, []string{"A open a1", "B give left", "C give left", "D give left"}, "B give left", game.Refusal{Code: "not_asked_receiver", Rule: "G3"}},
		{table, []string{"A open c2"}, "B open c3", game.Refusal{Code: "not_asked_go", Rule: "P2"}},
		{table, []string{"A open c2"}, "A open a1", game.Refusal{Code: "not_a_neighbour", Rule: "P1"}},
		{table, []string{"A open c2"}, "A open c2", game.Refusal{Code: "rats_grave", Rule: "P8"}},
		{table, []string{"A open c2", "A open b1", "A leave"}, "A open b1", game.Refusal{Code: "lid_open", Rule: "P4"}},
		{two, nil, "A open a1", game.Refusal{Code: "no_lid", Rule: "D2"}},
		{"players 2\nA: red\ngraves: c3 red", []string{"A open c3"}, "B open a1", game.Refusal{Code: "over", Rule: "W1"}},
		{night, []string{"A bat c3", "B doubt", "C give left", "A take green left"}, "B rest right", game.Refusal{Code: "one_end", Rule: "O4"}},
		{night, []string{"A bat c2", "B believe", "C believe"}, "A open a1", game.Refusal{Code: "present_first", Rule: "B7"}},
		{night, []string{"A bat c2", "B believe", "C believe"}, "A present A", game.Refusal{Code: "not_to_him", Rule: "B7"}},
	} {
		p, err := setUp(test.table)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range test.moves {
			p = mustPlay(t, p, words)
		}
		s, words := said(t, test.words)
		if got := refuse(p, s, words); got != test.want {
			t.Errorf("after %q, %q is refused with %v, not %v", test.moves, test.words, got, test.want)
		}
	}
}

func said(t *testing.T, move string) (s game.Seat, words string) {
	t.Helper()
	s, err := game.ParseSeat(move[:1])
	if err != nil {
		t.Fatal(err)
	}
	return s, move[2:]
}

func mustPlay(t *testing.T, p Position, move string) Position {
	t.Helper()
	s, words := said(t, move)
	m, known := allMoves[words]
	if !known || s != p.Turn() || !slices.Contains(p.Moves(nil), m) {
		t.Fatalf("%s is no move: %s is asked for %v", move, p.Turn(), p.Moves(nil))
	}
	return p.Play(m, nil)
}
