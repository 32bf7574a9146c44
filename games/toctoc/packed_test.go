package toctoc

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
	"caveau/game/gametest"
)

func TestPacked(t *testing.T) { gametest.Packed(t, Rules, Packed) }

// A row is made here of nothing but what one reads, as docs/env.md says.
func TestARowIsMadeOfWhatIsRead(t *testing.T) {
	for players := minPlayers; players <= maxPlayers; players++ {
		rng := rand.New(rand.NewPCG(1, uint64(players)))
		p, err := deal(game.Setup{Players: players, First: game.NoSeat}, rng)
		if err != nil {
			t.Fatal(err)
		}
		for moves := p.Moves(nil); len(moves) > 0; moves = p.Moves(nil) {
			p = p.Play(moves[rng.IntN(len(moves))], nil)
			for s := range game.Seat(players) {
				for _, aid := range []game.Aid{game.AidNone, game.AidMarks, game.AidAll} {
					v, size := p.View(s), 0
					for _, f := range fields(players) {
						size += f.Size()
					}
					row := make([]byte, size)
					Packed.Pack(row, &v, aid)
					if made := rowOf(t, v, aid); !slices.Equal(row, made) {
						t.Fatalf("%d players, aid %q, %s looks:\n%v\nand of what is read\n%v", players, aid, s, row, made)
					}
				}
			}
		}
	}
}

// rowOf is a row, made of what is read.
func rowOf(t *testing.T, v View, aid game.Aid) (row []byte) {
	t.Helper()
	var sc screen
	var mine own
	read := func(of, into any) {
		text, err := json.Marshal(of)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	read(v.Shown(aid), &sc)
	read(v.Own(aid), &mine)
	card := func(word string) byte { return byte(max(0, slices.Index(cardNames[:], word))) }
	seat := func(s string) byte { return byte(slices.Index([]string{"", "A", "B", "C", "D", "E"}, s)) }
	add := func(these ...byte) { row = append(row, these...) }
	list := func(words []string, room int) {
		for _, word := range append(slices.Clone(words), make([]string, room-len(words))...) {
			add(card(word))
		}
	}
	var cards, drawn []byte
	for _, h := range sc.Hands {
		cards, drawn = append(cards, h.Cards), append(drawn, h.Drawn)
	}
	row = slices.Concat(cards, drawn)
	for _, h := range sc.Hands {
		list(h.Recall, handSize)
	}
	for _, party := range sc.Parties {
		var of [faces + 1]byte
		for _, word := range party {
			of[card(word)]++
		}
		add(of[1:]...)
	}
	for _, points := range sc.Scores {
		add(byte(points))
	}
	add(sc.Pile.Left, card(sc.Pile.Top))
	list(sc.Gone, mostGone)
	add(seat(sc.Turn))
	if k := sc.Knock; k != nil {
		add(seat(k.To), card(k.Card), seat(k.Host))
	} else {
		add(0, 0, 0)
	}
	list(mine.Hand, handSize)
	add(card(mine.Card))
	return row
}
