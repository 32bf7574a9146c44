package toctoc

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

// tableOf is the beginning of a game of four: what lies in the pile is what the guests and hands leave over.
func tableOf(t *testing.T, guests, hands string) game.State {
	t.Helper()
	w := writtenDeal{First: "A", Guests: lists(guests), Hands: lists(hands)}
	of := deck(len(w.Hands))
	for _, list := range append(w.Guests, w.Hands...) {
		for _, name := range list {
			c, _ := parseCard(name)
			of[c]--
		}
	}
	w.Pile = names(unpack(of))
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	state, err := game.Edge(Rules).Read(game.Setup{Players: len(w.Hands), First: game.NoSeat}, text)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func lists(text string) (lists [][]string) {
	for part := range strings.SplitSeq(text, "|") {
		lists = append(lists, strings.Fields(part))
	}
	return lists
}

// say plays moves with their seats.
func say(t *testing.T, state game.State, moves ...string) game.State {
	t.Helper()
	for _, move := range moves {
		next, err := try(state, move)
		if err != nil {
			t.Fatalf("%s: %v", move, err)
		}
		state = next
	}
	return state
}

func try(state game.State, move string) (game.State, error) {
	seat, err := game.ParseSeat(move[:1])
	if err != nil {
		return state, err
	}
	next, _, err := state.Play(seat, move[2:])
	return next, err
}

func playToTheEnd(t *testing.T, state game.State) game.State {
	for !state.Outcome().Over {
		state = say(t, state, state.Turn().String()+" "+state.Moves()[0])
	}
	return state
}

const (
	someGuests = "ghost vampire | ghost vampire | monster monster | monster ghost"
	someHands  = "taxi monster-brute monster ghost ghost | child monster-vamp monster taxi ghost |" +
		"child child child ghost monster | vampire vampire vampire vampire monster"
)

// Every reason there is, from a position that a game can reach.
func TestEveryRefusalHasItsReason(t *testing.T) {
	start := tableOf(t, someGuests, someHands)
	knocked := say(t, start, "A knock B taxi")
	tied := say(t, knocked, "B accept")
	guarded := say(t, start, "A knock B monster-brute", "B refuse", "B knock A child", "A accept")
	lured := say(t, start, "A knock B monster-brute", "B refuse", "B knock C monster", "C accept", "C knock A monster", "A accept",
		"D knock A vampire", "A accept", "A knock B monster", "B accept", "B knock A monster-vamp", "A accept")
	heard := map[string]bool{}
	for _, c := range []struct {
		state            game.State
		move, code, rule string
	}{
		{start, "A dance", "not_a_move", rulesOfTurn},
		{start, "A choose monster-vamp", "not_a_move", rulesOfTurn},
		{start, "A knock B dragon", "no_such_card", "Q1"},
		{start, "B knock C child", "not_asked", rulesOfTurn},
		{start, "A knock A taxi", "own_door", "Q5"},
		{start, "A knock E taxi", "no_such_door", "Q5"},
		{start, "A knock B scarecrow", "not_in_hand", "Q5"},
		{start, "A accept", "nobody_knocks", "Q6"},
		{start, "A choose ghost", "nothing_to_choose", "Q7"},
		{knocked, "A accept", "not_asked_door", "Q6"},
		{knocked, "B knock C child", "door_first", "Q6"},
		{knocked, "B choose ghost", "still_hidden", "Q6"},
		{tied, "B choose ghost", "not_asked_rival", "Q8"},
		{tied, "A knock C ghost", "choose_first", "Q8"},
		{tied, "A refuse", "answered", "Q6"},
		{tied, "A choose ghost-brute", "whole_kind", "Q8"},
		{tied, "A choose monster", "not_most_numerous", "Q8"},
		{guarded, "B choose monster", "brute_protects", "Q8"},
		{lured, "B choose ghost", "another_kind", "Q7"},
		{lured, "B choose monster-musician", "no_such_guest", "Q7"},
		{playToTheEnd(t, start), "A accept", "over", "Q11"},
	} {
		_, err := try(c.state, c.move)
		var refusal game.Refusal
		if !errors.As(err, &refusal) || refusal != (game.Refusal{Code: c.code, Rule: c.rule}) {
			t.Errorf("%s: %v, want %s (%s)", c.move, err, c.code, c.rule)
		}
		heard[c.code] = true
	}
	if len(heard) != 20 {
		t.Errorf("%d reasons were reached of 20", len(heard))
	}
}

// notation is every word that docs/record.md gives the game, with a door and a card that it does not have.
func notation() []string {
	words := []string{"accept", "refuse", "open", "knock A dragon", "choose child"}
	kinds := []string{"monster", "ghost", "vampire"}
	knocks := []string{"child", "taxi", "scarecrow"}
	for _, kind := range kinds {
		knocks = append(knocks, kind, kind+"-brute", kind+"-musician", kind+"-vamp")
		words = append(words, "choose "+kind, "choose "+kind+"-brute", "choose "+kind+"-musician")
	}
	for _, card := range knocks {
		for _, door := range lists("A|B|C|D|E|F") {
			words = append(words, "knock "+door[0]+" "+card)
		}
	}
	return words
}

// Exactly what is legal is accepted, from whoever is asked; of everything else the rulebook knows why not.
func TestRefusalOfEveryWord(t *testing.T) {
	words := notation()
	rng := newRand(31)
	heard := map[string]bool{}
	for n := range 60 {
		state, err := game.Edge(Rules).Deal(game.Setup{Players: 3 + n%3, First: game.NoSeat}, rng)
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; !state.Outcome().Over; ply++ {
			moves := state.Moves()
			if ply%3 == n%3 {
				sayEverything(t, state, words, heard)
			}
			state = say(t, state, state.Turn().String()+" "+moves[rng.IntN(len(moves))])
		}
		sayEverything(t, state, words, heard)
	}
	for _, code := range []string{
		"over", "not_a_move", "no_such_card", "not_asked", "not_asked_door", "not_asked_rival", "own_door", "no_such_door",
		"not_in_hand", "nobody_knocks", "nothing_to_choose", "door_first", "still_hidden", "answered", "choose_first",
		"another_kind", "no_such_guest", "whole_kind", "brute_protects", "not_most_numerous",
	} {
		if !heard[code] {
			t.Errorf("nothing was ever refused as %q", code)
		}
		delete(heard, code)
	}
	if len(heard) > 0 {
		t.Errorf("no sentence of this test is about %v", heard)
	}
}

// sayEverything lets every seat say every word.
func sayEverything(t *testing.T, state game.State, words []string, heard map[string]bool) {
	t.Helper()
	legal := state.Moves()
	for _, move := range legal {
		if !slices.Contains(words, move) {
			t.Fatalf("%q is legal, but no word of the notation", move)
		}
	}
	for s := range game.Seat(maxPlayers) {
		for _, said := range words {
			_, _, err := state.Play(s, said)
			var refusal game.Refusal
			switch {
			case s == state.Turn() && slices.Contains(legal, said):
				if err != nil {
					t.Fatalf("%s says %q, which is legal: %v", s, said, err)
				}
			case !errors.As(err, &refusal) || refusal.Code == "" || refusal.Rule == "":
				t.Fatalf("%s says %q, which is not legal: %v", s, said, err)
			default:
				heard[refusal.Code] = true
			}
		}
	}
}

func TestAFaultyDealIsNamed(t *testing.T) {
	start := tableOf(t, someGuests, someHands)
	text, err := json.Marshal(start.Deal())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, says string }{
		"nobody begins":         {`"first":"A"`, `"first":""`, "first"},
		"E of four begins":      {`"first":"A"`, `"first":"E"`, "first"},
		"a card nobody knows":   {`"taxi"`, `"dragon"`, "dragon"},
		"a card too many":       {`"pile":[`, `"pile":["taxi",`, "4 taxi, not 3"},
		"one for another":       {`"pile":["child"`, `"pile":["scarecrow"`, "child, not 5"},
		"a hand of six":         {`"hands":[[`, `"hands":[["ghost",`, "A has 6 cards, not 5"},
		"three guests":          {`"guests":[[`, `"guests":[["ghost",`, "A has 3 cards, not 2"},
		"a guest that is none":  {`"guests":[["ghost"`, `"guests":[["ghost-brute"`, "ghost-brute"},
		"a list for nobody":     {`"guests":[`, `"guests":[[],`, "5 for 4"},
		"a key that is missing": {`"pile"`, `"stack"`, "stack"},
	} {
		faulty := strings.Replace(string(text), c.old, c.new, 1)
		_, err := read(game.Setup{Players: 4, First: game.NoSeat}, json.RawMessage(faulty))
		if faulty == string(text) || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want something about %q", name, err, c.says)
		}
	}
}

// Q3: the first guests are drawn from four of each kind, so five of one are none of its deals though the box has seven.
func TestFiveFirstGuestsOfAKindAreNoDeal(t *testing.T) {
	rng := newRand(1)
	setup := game.Setup{Players: 5, First: game.NoSeat}
	p, err := deal(setup, rng)
	if err != nil {
		t.Fatal(err)
	}
	w := write(p).(writtenDeal)
	w.Guests = lists("ghost ghost | ghost ghost | ghost monster | monster monster | vampire vampire")
	text, _ := json.Marshal(w)
	if _, err := read(setup, text); err == nil || !strings.Contains(err.Error(), "more than 4 ghost") {
		t.Errorf("five ghosts are first guests: %v", err)
	}
}

func TestASetupThatIsNoneOfTheseRules(t *testing.T) {
	for name, setup := range map[string]game.Setup{
		"two players":     {Players: 2, First: game.NoSeat},
		"six players":     {Players: 6, First: game.NoSeat},
		"another edition": {Edition: "2004", Players: 4, First: game.NoSeat},
		"an option":       {Players: 4, First: game.NoSeat, Options: map[string]int{"maxVampires": 3}},
		"a choice":        {Players: 4, First: game.NoSeat, Choices: map[string][]string{"bare": {"a1"}}},
		"nobody's first":  {Players: 4, First: 4},
	} {
		if _, err := deal(setup, newRand(1)); err == nil {
			t.Errorf("%s is dealt", name)
		}
	}
}
