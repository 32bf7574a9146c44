package secrets

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/catalog"
	"caveau/fact"
	"caveau/game"
	"caveau/slots"
	"caveau/table"
	"caveau/wire"
)

// What a bot draws and what it forgets follows from its seed: whoever knows that knows the bot's mind. So each has the one that was drawn for its
// seat with the deal and that stands in the record afterwards, and no two have the same. Nor is any handed more of
// an event than its seat was told; and when it speaks depends on nothing that it has, however long it thinks about that.
func TestBotsKeepToThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, &world{secret: func(e fact.Entry) fact.Entry { return e }})
		drawing := &drawers{Shelf: examined, t: t, from: map[game.Seat]uint64{}}
		h.open(drawing)
		defer h.close()
		ana := &person{h: h, name: "Ana", seat: game.Watcher}
		welcome := ana.ask(request{method: "POST", path: "/api/guest", body: `{"name": "Ana"}`})
		ana.cookie = find(t, welcome, `Set-Cookie: ([^;]+);`)
		id := find(t, ana.ask(request{method: "POST", path: "/api/tables", body: `{"game": "toc-toc-toc", "seats": 3, "bots": ["random", "random", "random"], "botTime": [1000, 1000]}`}), `"table":"([^"]+)"`)
		ana.listen()
		ana.say(`{"id": "0", "do": "watch", "table": "` + id + `"}`)
		ana.say(`{"id": "1", "do": "start", "table": "` + id + `"}`)
		time.Sleep(time.Hour)
		answer := ana.ask(request{method: "GET", path: "/api/tables/" + id + "/record"})
		var rec struct {
			Table struct {
				Bots map[string]struct{ Seed uint64 }
			}
		}
		if err := json.NewDecoder(strings.NewReader(answer[strings.IndexByte(answer, '{'):])).Decode(&rec); err != nil {
			t.Fatalf("%v: %.300s", err, answer)
		}
		others := map[uint64]string{}
		for seat, bot := range rec.Table.Bots {
			s, err := game.ParseSeat(seat)
			if drew, asked := drawing.from[s]; err != nil || !asked || drew != bot.Seed || others[drew] != "" {
				t.Errorf("the bot of %s drew from %d, the record has %d, and from the same drew that of %q (%v)", seat, drew, bot.Seed, others[drew], err)
			}
			others[bot.Seed] = seat
		}
		entries, err := h.log.Entries(t.Context(), wire.ID(id), 0)
		if err != nil {
			t.Fatal(err)
		}
		times := map[time.Duration]int{}
		for i, e := range entries[1:] {
			if took := e.At.Sub(entries[i].At); readEntry(t, e).Kind == "move" {
				times[took]++
			}
		}
		if len(times) != 2 || times[time.Second] == 0 || times[2*time.Second] == 0 {
			t.Errorf("bots that thought for %v at most have spoken after %v: how long it was can be seen", longThought, times)
		}
		if len(others) != 3 || drawing.secrets == 0 {
			t.Errorf("there are seeds for %v, and %d events in which something is secret", others, drawing.secrets)
		}
	})
}

// drawers notes what each seat's bot draws from, and looks at what it was told.
type drawers struct {
	catalog.Shelf
	t       *testing.T
	mu      sync.Mutex
	from    map[game.Seat]uint64
	secrets int // events of which not everybody is told all
	asked   int
}

// longThought is less than twice the time after which a bot speaks.
const longThought = 1900 * time.Millisecond

func (d *drawers) Bot(gameName, name string) (slots.Bot, bool) {
	b, ok := d.Shelf.Bot(gameName, name)
	return drawer{b, d}, ok
}

type drawer struct {
	slots.Bot
	all *drawers
}

func (d drawer) Move(ctx context.Context, seen table.Seen) string {
	d.all.mu.Lock()
	d.all.from[seen.Seat] = seen.Seed
	for _, e := range seen.Events {
		if mine := e.For(seen.Seat); mine != e {
			d.all.t.Errorf("the bot of %s is handed %+v, and may know %+v", seen.Seat, e, mine)
		} else if e.Secret != 0 {
			d.all.secrets++
		}
	}
	d.all.asked++
	thinks := time.Duration(d.all.asked%20) * longThought / 19
	d.all.mu.Unlock()
	time.Sleep(thinks)
	return d.Bot.Move(ctx, seen)
}
