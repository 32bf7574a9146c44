package dawn

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"caveau/game"
)

// Another cemetery, with parts of 12, 18, 13 and 17 graves.
const otherCemetery = `
	1 1 1 2 2 2 2 2
	1 1 1 2 2 2 2 2
	1 1 1 2 2 2 2 2
	1 1 1 . . 2 2 2
	4 4 4 . . 3 3 3
	4 4 4 4 4 3 3 3
	4 4 4 4 4 3 3 3
	4 4 4 4 3 3 3 3
`

func TestAnotherBoardLoadsAndPlays(t *testing.T) {
	b, err := loadBoard(otherCemetery)
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range []int{12, 18, 13, 17} {
		if got := bits.OnesCount64(uint64(b.graves[part])); got != want {
			t.Errorf("part %d has %d graves, not %d", part+1, got, want)
		}
	}
	defer func(usual board) { cemetery = usual }(cemetery)
	cemetery = b
	for _, edition := range Rules.Editions {
		for players := edition.MinSeats; players <= edition.MaxSeats; players++ {
			playOn(t, game.Setup{Edition: edition.Name, Players: players, First: game.NoSeat})
		}
	}
}

// playOn plays a random game to its end, and finds everything in its place all the time.
func playOn(t *testing.T, setup game.Setup) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(setup.Players)))
	p, err := deal(setup, rng)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; !p.Outcome().Over; n++ {
		moves := p.Moves(nil)
		if len(moves) < 2 || n == Rules.MaxMoves {
			t.Fatalf("%+v: %d moves after %d", setup, len(moves), n)
		}
		p = p.Play(moves[rng.IntN(len(moves))], nil)
		if err := check(p); err != nil {
			t.Fatalf("%+v, after %d moves: %s", setup, n+1, err)
		}
	}
}

// The usual board meets the figures: seven neighbours (3a), four by the path (3b), and nobody across it.
func TestNeighboursAreThoseOfTheFigures(t *testing.T) {
	for at, want := range map[string]string{
		"c3": "b2 b3 b4 c2 c4 d2 d3",
		"d3": "c2 c3 c4 d2",
		"a1": "a2 b1 b2",
		"g7": "f6 f7 f8 g6 g8 h6 h7 h8",
		"d8": "c7 c8 d7",
	} {
		g, _ := parseGrave(at)
		var got []Grave
		for n, rest := cemetery.neighbour[g].pop(); n < numGraves; n, rest = rest.pop() {
			got = append(got, n)
		}
		if words(got) != want {
			t.Errorf("%s lies by %s, not by %s", at, words(got), want)
		}
	}
}

func TestAWrongBoardIsRefused(t *testing.T) {
	usual := strings.TrimSpace(cemeteryText)
	ranks := strings.Split(usual, "\n")
	for _, wrong := range []struct{ name, text, says string }{
		{"nothing", "", "1 ranks, not 8"},
		{"seven ranks", strings.Join(ranks[:7], "\n"), "7 ranks, not 8"},
		{"nine ranks", usual + "\n" + ranks[0], "9 ranks, not 8"},
		{"seven places", strings.Replace(usual, "1 1 1 1 2 2 2 2", "1 1 1 1 2 2 2", 1), "rank 8 of the cemetery has 7 places"},
		{"a fifth part", strings.Replace(usual, "1", "5", 1), `"5" is neither a part`},
		{"part 0", strings.Replace(usual, "1", "0", 1), `"0" is neither a part`},
		{"a word", strings.Replace(usual, "1", "11", 1), `"11" is neither a part`},
		{"59 graves", strings.Replace(usual, "1", ".", 1), "59 graves, not 60"},
		{"61 graves", strings.Replace(usual, ".", "1", 1), "more than 60 graves"},
		{"three parts", strings.ReplaceAll(usual, "4", "1"), "3 parts, not 4"},
		{"nobody has seven", nobodyHasSeven, "seven neighbours"},
		{"nobody has four", nobodyHasFour, "four neighbours"},
	} {
		if _, err := loadBoard(wrong.text); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%s: %v, want something about %q", wrong.name, err, wrong.says)
		}
	}
}

// Parts of two ranks each: nobody has more than five neighbours.
const nobodyHasSeven = `
	. 4 4 4 4 4 4 .
	4 4 4 4 4 4 4 4
	3 3 3 3 3 3 3 3
	3 3 3 3 3 3 3 3
	2 2 2 2 2 2 2 2
	2 2 2 2 2 2 2 2
	1 1 1 1 1 1 1 1
	. 1 1 1 1 1 1 .
`

// No grave by the path has lost a neighbour to a place without a grave.
const nobodyHasFour = `
	1 1 1 1 2 2 2 2
	1 1 1 1 2 2 2 2
	1 1 1 1 2 2 2 2
	1 1 1 1 2 2 2 2
	. 4 4 4 3 3 3 3
	. 4 4 4 3 3 3 3
	4 . 4 4 3 3 3 3
	4 . 4 4 3 3 3 3
`

// A drawing cannot have neighbours on one side only; a board that is made in another way could.
func TestNeighboursAreMutual(t *testing.T) {
	b := cemetery
	b.neighbour[0] = b.neighbour[0].with(59)
	if err := b.check(); err == nil || !strings.Contains(err.Error(), "h8 is a neighbour of a1, but not the other way round") {
		t.Errorf("a board on which a1 sees h8, but h8 not a1, is refused with %v", err)
	}
}
