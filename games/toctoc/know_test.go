package toctoc

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
)

// anotherWorld is a position that differs in all that seat s was never shown, said without the help of View: the dealt
// cards of the others and the pile under its top are shuffled, and what another player knocks with is any card of his.
func anotherWorld(p Position, s game.Seat, rng *rand.Rand) Position {
	var places []*Card
	for o := range game.Seat(p.players) {
		for i := range p.held[o] {
			if in := &p.hands[o][i]; o != s && in.left == 0 {
				places = append(places, &in.card)
			}
		}
	}
	pile := p.pile.list()
	for i := range max(len(pile), 1) - 1 {
		places = append(places, &pile[i])
	}
	rng.Shuffle(len(places), func(i, j int) { *places[i], *places[j] = *places[j], *places[i] })
	p.pile = stack{}
	for _, c := range pile {
		p.pile.push(c)
	}
	if p.isKnocking(p.turn) && s != p.turn {
		p.card = p.hands[p.turn][rng.IntN(int(p.held[p.turn]))].card
	}
	return p
}

func TestNobodyKnowsWhatHeWasNotShown(t *testing.T) {
	for seed := range uint64(30) {
		rng := newRand(seed)
		p, err := deal(game.Setup{Players: minPlayers + int(seed%3), First: game.NoSeat}, rng)
		if err != nil {
			t.Fatal(err)
		}
		for !p.Outcome().Over {
			for _, s := range append(game.EverySeat(p.players).List(), game.Watcher) {
				compareWorlds(t, p, anotherWorld(p, s, rng), s)
			}
			moves := p.Moves(nil)
			compareKnocks(t, p, moves)
			p = p.Play(moves[rng.IntN(len(moves))], nil)
		}
	}
}

// compareKnocks: nobody but whoever knocks sees which of his cards he has put before a door.
func compareKnocks(t *testing.T, p Position, moves []Move) {
	t.Helper()
	knocks := map[game.Seat]Position{}
	for _, m := range moves {
		q := p.Play(m, nil)
		if !q.isKnocking(p.turn) {
			continue
		}
		first, another := knocks[q.to]
		if !another {
			knocks[q.to] = q
			continue
		}
		for _, s := range append(game.EverySeat(p.players).List(), game.Watcher) {
			if s != p.turn {
				compareWorlds(t, first, q, s)
			}
		}
	}
}

func compareWorlds(t *testing.T, p, q Position, s game.Seat) {
	t.Helper()
	if p.View(s) != q.View(s) {
		t.Fatalf("%q sees what it was never shown: %+v", s, p.View(s))
	}
	here, _ := json.Marshal([]any{p.View(s).Shown(game.AidAll), p.View(s).Own(game.AidAll)})
	there, _ := json.Marshal([]any{q.View(s).Shown(game.AidAll), q.View(s).Own(game.AidAll)})
	if string(here) != string(there) {
		t.Fatalf("%q is shown what it does not know:\n%s\n%s", s, here, there)
	}
}

// What a seat can count follows from what it was shown, and is so: the cards that are still to be played, and what was drawn and
// dealt of its own hand.
func TestWhatIsCounted(t *testing.T) {
	for seed := range uint64(30) {
		rng := newRand(seed)
		p, err := deal(game.Setup{Players: minPlayers + int(seed%3), First: game.NoSeat}, rng)
		if err != nil {
			t.Fatal(err)
		}
		for !p.Outcome().Over {
			var unplayed [Faces]int
			for _, c := range p.pile.list() {
				unplayed[c]++
			}
			for s := range game.Seat(p.players) {
				v := p.View(s)
				own, drawn := v.Dealt(), v.Drawn(s)
				for _, in := range p.hands[s][:p.held[s]] {
					unplayed[in.card]++
					own[in.card]--
				}
				for c := range own {
					own[c] += drawn[c]
				}
				if own != [Faces]int{} {
					t.Fatalf("seed %d: %s counts its hand otherwise than it is, by %v", seed, s, own)
				}
			}
			for s := range game.Seat(p.players) {
				if v := p.View(s); v.Unplayed() != unplayed {
					t.Fatalf("seed %d: %s counts %v still to be played, and there are %v", seed, s, v.Unplayed(), unplayed)
				}
			}
			moves := p.Moves(nil)
			p = p.Play(moves[rng.IntN(len(moves))], nil)
		}
	}
}

// Q3: what was drawn is known to everyone until it is played, and a knocked card to its player alone until it is revealed.
func TestWhoKnowsWhat(t *testing.T) {
	p, err := setUp("turn A\nA hand taxi ghost\nB hand child\nC hand monster\npile scarecrow vampire")
	if err != nil {
		t.Fatal(err)
	}
	play := func(words string) (heard game.Event) {
		for _, m := range p.Moves(nil) {
			if m.String() == words {
				var ev game.Events
				p = p.Play(m, &ev)
				return ev.List()[0]
			}
		}
		t.Fatalf("%s: no move now", words)
		return heard
	}
	knock := play("knock B taxi")
	for s, want := range map[game.Seat]string{0: "taxi", 1: "", 2: "", game.Watcher: ""} {
		if got := knock.For(s).What; got != want {
			t.Errorf("%q hears of the knocked card: %q", s, got)
		}
		if got := p.View(s).card.String(); got != want {
			t.Errorf("%q knows of the knocked card: %q", s, got)
		}
		if shown := p.View(s).Shown(game.AidNone).(screen); shown.Hands[0].Cards != 1 || shown.Knock.Card != "" {
			t.Errorf("%q is shown %+v of A, and between the doors %+v", s, shown.Hands[0], shown.Knock)
		}
	}
	for s, want := range map[game.Seat]string{0: `{"hand":["ghost"],"card":"taxi"}`, 1: `{"hand":["child"]}`, 2: `{"hand":["monster"]}`, game.Watcher: "null"} {
		if got, _ := json.Marshal(p.View(s).Own(game.AidNone)); string(got) != want {
			t.Errorf("%q has before it %s, not %s", s, got, want)
		}
	}
	play("refuse")
	if got, _ := json.Marshal(p.View(0).Own(game.AidNone)); string(got) != `{"hand":["ghost","scarecrow"]}` {
		t.Errorf("when it is answered A has %s", got)
	}
	for _, s := range []game.Seat{1, 2, game.Watcher} {
		shown := p.View(s).Shown(game.AidAll).(screen).Hands[0]
		if shown.Cards != 2 || shown.Drawn != 1 || shown.Recall[0] != "scarecrow" {
			t.Errorf("%q is shown of A's hand: %+v, and everyone saw the scarecrow drawn", s, shown)
		}
		if shown := p.View(s).Shown(game.AidNone).(screen).Hands[0]; shown.Drawn != 0 || len(shown.Recall) != 0 {
			t.Errorf("%q is helped to remember: %+v", s, shown)
		}
	}
}

// A hand in which a dealt and a drawn card are alike: playing one leaves the other known, for it makes no difference which.
func TestTheDrawnOneOfTwoAlikeIsPlayed(t *testing.T) {
	var h hand
	h[0], h[1], h[2], h[3] = inHand{card: Taxi}, inHand{card: Child}, inHand{Taxi, 9}, inHand{Child, 5}
	h.drop(Taxi, 4)
	if want := (hand{{card: Taxi}, {card: Child}, {Child, 5}}); h != want {
		t.Errorf("the hand is %v, not %v", h, want)
	}
}

// What a bot forgets is what others drew and it does not keep in mind; its own hand lies before its eyes.
func TestForgetting(t *testing.T) {
	p, err := setUp("turn A\nA hand taxi\nB hand child\nC hand monster\npile scarecrow vampire ghost")
	if err != nil {
		t.Fatal(err)
	}
	p.hands[1][1], p.hands[1][2], p.held[1] = inHand{cardOf(Ghost, plain), 7}, inHand{Taxi, 5}, 3
	v := p.View(0).Forget(1<<5, nil)
	if want := (hand{{}, {}, {Taxi, 5}}); v.hands[1] != want {
		t.Errorf("of B's hand is left %v, not %v", v.hands[1], want)
	}
	if v := p.View(0).Forget(1<<5|1<<7, [][2]uint8{{7, 5}, {5, 4}}); v.hands[1] != (hand{{}, {Taxi, 7}, {cardOf(Ghost, plain), 5}}) {
		t.Errorf("who takes one for the other has of B's hand %v", v.hands[1])
	}
	if v.hands[0] != p.hands[0] {
		t.Errorf("its own hand it has as %v", v.hands[0])
	}
	if _, ok := (View{}).Place(game.Event{Verb: "accept", What: "taxi"}); ok {
		t.Error("a door that opens is no draw")
	}
}

// Q10, Q12: what a score is made of is shown beside it.
func TestTheScreenSaysWhatAScoreIsMadeOf(t *testing.T) {
	p, err := setUp("A party scarecrow monster monster ghost ghost-brute ghost-musician\nB party vampire\nC party scarecrow scarecrow\nturn A\n")
	if err != nil {
		t.Fatal(err)
	}
	shown := p.View(0).Shown(game.AidNone).(screen)
	if want := []worth{{2, 6, 0, 3}, {0, 0, 1, 0}, {0, 0, 0, 6}}; !slices.Equal(shown.Worth, want) {
		t.Errorf("scores are made of %v, not %v", shown.Worth, want)
	}
	if want := []int{11, 1, 6}; !slices.Equal(shown.Scores, want) {
		t.Errorf("the scores are %v, not %v", shown.Scores, want)
	}
}
