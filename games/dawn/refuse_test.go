package dawn

import (
	"math/rand/v2"
	"strings"
	"testing"

	"caveau/game"
)

// notation is every word that docs/record.md gives the game, in all its editions.
func notation() []string {
	words := []string{"stop", "rest left", "rest right", "garlic", "leave", "give left", "give right", "believe", "doubt"}
	for g := range Grave(numGraves) {
		words = append(words, "open "+g.String(), "bat "+g.String(), "count "+g.String())
	}
	for _, colour := range []string{"white", "black", "yellow", "red", "green", "blue"} {
		words = append(words, "take "+colour+" left", "take "+colour+" right")
	}
	for _, seat := range strings.Split("ABCDEF", "") {
		words = append(words, "present "+seat)
	}
	return words
}

// Exactly what is legal is accepted; of everything else that the notation can say the rulebook knows why not.
func TestRefusalOfEveryWord(t *testing.T) {
	words := notation()
	rng := rand.New(rand.NewPCG(2005, 12))
	seen := map[string]bool{}
	for _, edition := range Rules.Editions {
		for n := range 60 {
			p, err := deal(game.Setup{Edition: edition.Name, Players: 2 + n%5, First: game.NoSeat}, rng)
			if err != nil {
				t.Fatal(err)
			}
			var moves []Move
			for ply := 0; p.Turn() != game.NoSeat; ply++ {
				moves = p.Moves(moves[:0])
				if ply%10 == 0 {
					checkRefusals(t, p, moves, words, seen)
				}
				p = p.Play(moves[rng.IntN(len(moves))], nil)
			}
			checkRefusals(t, p, nil, words, seen)
		}
	}
	for _, code := range []string{
		"other_edition B1", "other_edition C3", "no_bat_in_plague B1", "no_bat B8", "reserved C5", "lid_open X1", "lid_open P4", "must_open N2",
		"first_opening O1", "nobody_asks B3", "answer_first B3", "not_asked_bat B3", "count_stays C3", "count_first C3", "count_first C4", "wrong_quarter C4", "nothing_found B7",
		"present_first B7", "not_to_him B7", "lay_first B4", "lay_first B7", "lay_first C4", "must_lay B4", "not_a_neighbour P1", "not_asked_go N3", "not_asked_go P2",
	} {
		if !seen[code] {
			t.Errorf("nothing was ever refused as %q", code)
		}
	}
}

func checkRefusals(t *testing.T, p Position, moves []Move, words []string, seen map[string]bool) {
	t.Helper()
	legal := map[string]bool{}
	for _, m := range moves {
		legal[m.String()] = true
		if known, ok := parseMove(m.String()); !ok || known != m {
			t.Fatalf("%q is legal, but no word of the notation", m)
		}
	}
	for _, said := range words {
		if legal[said] {
			delete(legal, said)
			continue
		}
		for _, s := range []game.Seat{p.Turn(), p.turn.Left(p.players)} {
			r := refuse(p, s, said)
			if r.Code == "" || r.Rule == "" || r.Code == "not_a_move" || r.Code == "no_grave" {
				t.Fatalf("%s says %q: refused as %q by %q", s, said, r.Code, r.Rule)
			}
			seen[r.Code+" "+r.Rule] = true
		}
	}
	if len(legal) > 0 {
		t.Fatalf("the notation lacks %v", legal)
	}
}

func TestRefusalOfOtherWords(t *testing.T) {
	p, err := deal(game.Setup{Edition: "rucola", Players: 3, First: 0}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	for words, code := range map[string]string{
		"open z9": "no_grave", "bat d4": "no_grave", "count": "not_a_move", "count d4": "no_grave", "present G": "not_a_move", "sleep": "not_a_move",
	} {
		if r := refuse(p, 0, words); r.Code != code {
			t.Errorf("%q is refused as %q, not as %q", words, r.Code, code)
		}
	}
}
