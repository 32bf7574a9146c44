package pocket_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/catalog"
	"caveau/fact/notebook"
	"caveau/game"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/pocket"
	"caveau/record"
	"caveau/terms"
	"caveau/wire"
)

// A device keeps what its house has kept.
type device struct {
	mu   sync.Mutex
	kept []pocket.Line

	opened uint64 // how often: each time the house draws other names for its tables
}

func (d *device) keep(line pocket.Line) error {
	text := wire.Message(line) // as it is on a real one
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = append(d.kept, pocket.Line{})
	return json.Unmarshal(text, &d.kept[len(d.kept)-1])
}

func (d *device) forget(table wire.ID, guests []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = slices.DeleteFunc(d.kept, func(line pocket.Line) bool { return line.Table == table || slices.Contains(guests, line.Guest) })
	return nil
}

func (d *device) open(t *testing.T) *pocket.House {
	t.Helper()
	d.opened++
	h, err := pocket.Open(t.Context(), pocket.Config{
		Shelf: catalog.House, Clock: matchtest.Clock{}, Rand: matchtest.Rand(d.opened), Kept: d.kept, Keep: d.keep, Forget: d.forget, Slog: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A hand is whoever has the device: all that he was told, and what the last frame of it says.
type hand struct {
	table  wire.ID
	client *pocket.Client
	n      int

	mu   sync.Mutex
	told [][]byte
	last wire.Frame
}

func take(t *testing.T, h *pocket.House, table wire.ID, seat string) *hand {
	t.Helper()
	one := &hand{table: table}
	one.client = h.Sit(t.Context(), table, seat, one.hear)
	one.say(fmt.Sprintf(`"do":"watch","table":%q`, table))
	time.Sleep(time.Second)
	return one
}

func (h *hand) hear(text []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, bytes.Clone(text))
	var said struct{ Frame *wire.Frame }
	if json.Unmarshal(text, &said) == nil && said.Frame != nil {
		h.last = *said.Frame
	}
}

func (h *hand) say(words string) {
	h.n++
	h.client.Say(fmt.Appendf(nil, `{"id":"%p-%d",%s}`, h, h.n, words))
}

func (h *hand) frame() wire.Frame {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// play makes any move, where he is asked.
func (h *hand) play(rng *rand.Rand) {
	if f := h.frame(); len(f.Moves) > 0 {
		h.say(fmt.Sprintf(`"do":"play","table":%q,"seat":%q,"seq":%d,"move":%q`, h.table, f.You, f.Seq, f.Moves[rng.IntN(len(f.Moves))]))
	}
	time.Sleep(time.Second)
}

// Every edition is played to its end by one person among bots, on a device that forgets the house in the middle of it. The record is whole, and
// says where it was played.
func TestAlone(t *testing.T) {
	for _, info := range catalog.House.Games() {
		for _, e := range info.Editions {
			t.Run(info.Name+" "+e.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { playAlone(t, info, e) })
			})
		}
	}
}

func playAlone(t *testing.T, info game.Info, e game.Edition) {
	d, rng := new(device), rand.New(rand.NewPCG(1, 2))
	house := d.open(t)
	places := map[string]string{}
	for i := 1; i < e.MinSeats; i++ {
		places[string(rune('A'+i))] = "rules"
	}
	table, err := house.Make(t.Context(), terms.Setup{Game: info.Name, Edition: e.Name, Seats: e.MinSeats, Places: places}, map[string]string{"A": "Ana & <Bo>"})
	if err != nil {
		t.Fatal(err)
	}
	ana := take(t, house, table, "A")
	for range 3 * info.MaxMoves {
		if ana.frame().Outcome != nil {
			break
		}
		if n := len(ana.told); n > 20 && n%20 == 0 {
			house.Close()
			house = d.open(t)
			ana = take(t, house, table, "A")
		}
		ana.play(rng)
	}
	if ana.frame().Outcome == nil {
		t.Fatalf("the game does not end: %+v", ana.frame())
	}
	rec, err := house.Record(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if v := record.Verify(text, catalog.House); !v.OK() || !v.Outcome.Over {
		t.Errorf("the record does not hold: %+v", v.Checks)
	}
	if note, err := rec.Note(); err != nil || !note.Device {
		t.Errorf("the record does not say that it was played on a device: %+v, %v", note, err)
	}
	if cards, err := house.Tables(t.Context()); err != nil || len(cards) != 1 || cards[0].Seats[0].Name != "Ana & <Bo>" {
		t.Errorf("what is kept: %+v, %v", cards, err)
	}
	house = d.isKept(t, house, table, text)
	d.isDropped(t, house, table)
}

// isKept: a game that is over is among those that were played, and a house keeps it as well; the device knows that when it opens again.
func (d *device) isKept(t *testing.T, house *pocket.House, table wire.ID, rec []byte) *pocket.House {
	t.Helper()
	other, err := lobby.Open(t.Context(), lobby.Config{Log: notebook.New(), Shelf: catalog.House, Clock: matchtest.Clock{}, Rand: matchtest.Rand(2), Slog: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	browser := strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">") // spells it otherwise than Go, whose digest it has
	kept, err := other.Keep(t.Context(), wire.Guest{ID: "ana"}, []byte(browser.Replace(string(rec))), func(wire.ID) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := house.Kept(table, kept); err != nil {
		t.Fatal(err)
	}
	house.Close()
	house = d.open(t)
	all, err := house.Played(t.Context())
	if err != nil || len(all) != 1 || all[0].Table != table || all[0].Kept != kept || !all[0].Device || all[0].You != 0 {
		t.Errorf("played are %+v, %v", all, err)
	}
	if there, mine, err := other.Played(t.Context(), kept, "ana"); err != nil || !mine || !slices.Equal(there.Outcome.Winners, all[0].Outcome.Winners) || there.Outcome.Why != all[0].Outcome.Why {
		t.Errorf("the house has it as %+v (%v), the device as %+v", there, err, all[0])
	}
	return house
}

// isDropped: of a game that is dropped nothing is left, but what those who play on are called; and what another page wrote of it meanwhile harms no
// other game.
func (d *device) isDropped(t *testing.T, house *pocket.House, table wire.ID) {
	t.Helper()
	take(t, house, table, "A").say(fmt.Sprintf(`"do":"rematch","table":%q`, table))
	time.Sleep(time.Second)
	if err := house.Drop(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(d.kept, func(line pocket.Line) bool { return line.Table == table }) {
		t.Error("lines are kept of what was dropped")
	}
	house.Close()
	d.kept = append(d.kept, pocket.Line{Table: table, Seq: 11, Data: d.kept[len(d.kept)-1].Data})
	house = d.open(t)
	cards, err := house.Tables(t.Context())
	if err != nil || len(cards) != 1 || cards[0].Table == table || cards[0].Seats[0].Name != "Ana & <Bo>" {
		t.Fatalf("there is %+v (%v)", cards, err)
	}
	if err := house.Drop(t.Context(), cards[0].Table); err != nil || len(d.kept) != 1 {
		t.Errorf("%d lines are kept of what was dropped (%v)", len(d.kept), err)
	}
	house.Close()
}

// A game that runs is dropped as well, and the others stay.
func TestDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(device)
		house := d.open(t)
		defer house.Close()
		var tables []wire.ID
		for range 2 {
			id, err := house.Make(t.Context(), terms.Setup{Game: "toc-toc-toc", Seats: 3, Places: map[string]string{"C": "rules"}}, map[string]string{"A": "Ana", "B": "Ben"})
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, id)
		}
		if err := house.Drop(t.Context(), tables[0]); err != nil {
			t.Fatal(err)
		}
		for _, line := range d.kept {
			if line.Table == tables[0] {
				t.Errorf("kept is %+v", line)
			}
		}
		if cards, err := house.Tables(t.Context()); err != nil || len(cards) != 1 || cards[0].Table != tables[1] {
			t.Errorf("there is %+v (%v)", cards, err)
		}
		if all, err := house.Played(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("played are %+v (%v)", all, err)
		}
	})
}

// Whoever comes to a table that the device does not have, or no more, is told so: by the answer to what he asks.
func TestNoTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		house := new(device).open(t)
		defer house.Close()
		dropped, err := house.Make(t.Context(), terms.Setup{Game: "toc-toc-toc", Seats: 3, Places: map[string]string{"C": "rules"}}, map[string]string{"A": "Ana", "B": "Ben"})
		if err != nil {
			t.Fatal(err)
		}
		if err := house.Drop(t.Context(), dropped); err != nil {
			t.Fatal(err)
		}
		for _, table := range []wire.ID{"zzz", dropped} {
			for _, seat := range []string{"", "A"} {
				one := take(t, house, table, seat)
				synctest.Wait()
				if len(one.told) != 1 || !strings.Contains(string(one.told[0]), `"code":"no_table"`) {
					t.Errorf("%q at %s is told %s", seat, table, one.told)
				}
				one.client.Close()
			}
		}
	})
}

// Two people play with one device. Whoever has it is told what his seat is told, and nothing of the other's hand; so is everybody, as long as nobody
// has it.
func TestHands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, rng := new(device), rand.New(rand.NewPCG(1, 2))
		house := d.open(t)
		table, err := house.Make(t.Context(), terms.Setup{Game: "toc-toc-toc", Seats: 3, Places: map[string]string{"C": "rules"}}, map[string]string{"A": "Ana", "B": "Ben"})
		if err != nil {
			t.Fatal(err)
		}
		all := take(t, house, table, "")
		for range 1000 {
			f := all.frame()
			if f.Outcome != nil {
				break
			}
			if seat := f.Turn.String(); seat == "A" || seat == "B" {
				one := take(t, house, table, seat)
				one.mustKnowOnlyHisOwn(t, seat)
				one.play(rng)
				one.client.Close()
			}
			time.Sleep(time.Second)
		}
		if all.frame().Outcome == nil {
			t.Fatal("the game does not end")
		}
		for _, text := range all.told {
			if strings.Contains(string(text), `"own"`) && !strings.Contains(string(text), `"outcome"`) {
				t.Fatalf("everybody is told of a hand: %s", text)
			}
		}
		house.Close()
	})
}

// mustKnowOnlyHisOwn: what he is told of hands is his own.
func (h *hand) mustKnowOnlyHisOwn(t *testing.T, seat string) {
	t.Helper()
	if f := h.frame(); f.Outcome == nil && f.You.String() != seat {
		t.Fatalf("whoever sits on %s has the eyes of %s", seat, f.You)
	}
	for _, text := range h.told {
		if n := strings.Count(string(text), `"own"`); n > 1 || n == 1 && !strings.Contains(string(text), `"you":"`+seat+`"`) {
			t.Fatalf("%s is told %s", seat, text)
		}
	}
}

// What nobody could play is refused.
func TestNobodyToPlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		house := new(device).open(t)
		defer house.Close()
		for what, called := range map[string]map[string]string{
			"nobody": {}, "no name": {"A": " "}, "a long name": {"A": strings.Repeat("a", 25)}, "a bot's seat": {"A": "Ana", "B": "Ben"}, "no seat": {"F": "Ana"},
		} {
			if _, err := house.Make(t.Context(), terms.Setup{Game: "toc-toc-toc", Seats: 3, Places: map[string]string{"B": "rules", "C": "rules"}}, called); err == nil {
				t.Errorf("a table was made for %s", what)
			}
		}
	})
}
