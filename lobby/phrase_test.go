package lobby_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"caveau/wire"
)

// Who sits at a table says phrases, which all who watch are told: his seat and the phrase, and nothing else. None is kept.
func TestPhrases(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "first"))
		ana, ben, eve := h.as("Ana", id), h.as("Ben", id), h.as("Eve", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		before := ben.ok(wire.Command{Do: "watch"}).Seq
		ben.ok(wire.Command{Do: "phrase", Move: "thanks", ID: "once"})
		ben.ok(wire.Command{Do: "phrase", Move: "thanks", ID: "once"}) // after a line that broke
		want := []string{fmt.Sprintf(`{"table":"%s","phrase":{"seat":"B","id":"thanks"}}`, id)}
		for _, p := range []*person{ana, ben, eve} {
			if p.read(); !slices.Equal(p.talk, want) {
				t.Errorf("%s is told %q", p.name, p.talk)
			}
		}
		eve.refused(wire.CodeNotYourSeat, wire.Command{Do: "phrase", Move: "thanks"})
		ben.refused(wire.CodeBadCommand, wire.Command{Do: "phrase", Move: "you are a fool"})
		if late := h.as("Max", id); len(late.talk) > 0 || ben.ok(wire.Command{Do: "watch"}).Seq != before {
			t.Errorf("a phrase is kept: %q", late.talk)
		}
		ben.ok(wire.Command{Do: "leave"})
		ben.refused(wire.CodeNotYourSeat, wire.Command{Do: "phrase", Move: "thanks"})
	})
}

// Of the last three phrases any may be said again, by a page that has not heard that it was told: it is not told again, and counts once.
func TestAPhraseThatIsSaidAgain(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "first"))
		ana := h.as("Ana", id)
		for range 2 {
			for _, phrase := range wire.Phrases[:3] {
				ana.ok(wire.Command{Do: "phrase", Move: phrase, ID: "says " + phrase})
			}
			time.Sleep(time.Minute)
		}
		if ana.read(); len(ana.talk) != 3 {
			t.Errorf("Ana has said three phrases twice, and is told %q", ana.talk)
		}
	})
}

// What somebody has said is his wherever he sits: whoever has his seat after him has said nothing yet. Other words are others, whatever number they are said by.
func TestPhrasesAreSomebodys(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3))
		ana, ben, cid := h.as("Ana", id), h.as("Ben", id), h.as("Cid", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		for _, phrase := range wire.Phrases[:3] {
			ben.ok(wire.Command{Do: "phrase", Move: phrase, ID: "one"})
		}
		ben.ok(wire.Command{Do: "sit", Seat: "C"})
		ben.refused(wire.CodeTooMany, wire.Command{Do: "phrase", Move: "clap"})
		cid.ok(wire.Command{Do: "sit", Seat: "B"})
		cid.ok(wire.Command{Do: "phrase", Move: "clap"})
		if ana.read(); len(ana.talk) != 4 {
			t.Errorf("Ana is told %q", ana.talk)
		}
	})
}

// Nobody talks without end: three phrases at once, and then one in three seconds, each seat for itself.
func TestPhrasesAreFew(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "first"))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		for _, phrase := range wire.Phrases[:3] {
			ben.ok(wire.Command{Do: "phrase", Move: phrase})
		}
		ben.refused(wire.CodeTooMany, wire.Command{Do: "phrase", Move: "clap"})
		ana.ok(wire.Command{Do: "phrase", Move: "clap"})
		time.Sleep(3 * time.Second)
		ben.ok(wire.Command{Do: "phrase", Move: "clap"})
		ben.refused(wire.CodeTooMany, wire.Command{Do: "phrase", Move: "clap"})
		if ana.read(); len(ana.talk) != 5 {
			t.Errorf("Ana is told %q", ana.talk)
		}
	})
}
