// Package pocket is a house in somebody's pocket: the lobby itself over a log in memory, for the people around one device, who need no network.
// cmd/wasm has it in the page. Nobody comes in from elsewhere, so whoever holds the device says whose eyes he has; that the others do
// not look is for him to see to.
package pocket

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"caveau/fact"
	"caveau/fact/notebook"
	"caveau/game"
	"caveau/lobby"
	"caveau/match/runner"
	"caveau/record"
	"caveau/slots"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// A Config is all that a house is handed.
type Config struct {
	Shelf slots.Shelf
	Clock runner.Clock
	Rand  func() *rand.Rand // as a lobby's
	Kept  []Line            // what the device has kept, in the order in which it was written
	Keep  func(Line) error  // keeps another line, and comes back when that is done
	// Forget forgets all lines of a table and of those guests, and comes back when that is done.
	Forget func(table wire.ID, guests []string) error
	Slog   *slog.Logger
}

// A House is open until its context ends.
type House struct {
	config Config
	lobby  *lobby.Lobby
	log    log

	mu     sync.Mutex                        // guards what follows
	around map[wire.ID]map[string]wire.Guest // who sits at the tables that somebody has come to, by seat
	lines  map[wire.ID][]*Client             // of those who stay there
}

// Open opens a house with the tables that were kept.
func Open(ctx context.Context, c Config) (*House, error) {
	h := &House{config: c, log: log{notebook.New(), c.Keep, new(ids)}, around: make(map[wire.ID]map[string]wire.Guest), lines: make(map[wire.ID][]*Client)}
	for _, line := range c.Kept {
		err := h.log.read(ctx, line)
		if errors.Is(err, fact.ErrConflict) { // said by two pages at once: that table suffers, and no other
			c.Slog.Warn("a line does not follow those before it", "table", line.Table, "entry", line.Seq)
		} else if err != nil {
			return nil, err
		}
	}
	var err error
	h.lobby, err = lobby.Open(ctx, lobby.Config{Log: h.log, Shelf: c.Shelf, Clock: c.Clock, Rand: c.Rand, Thinking: 1, Slog: c.Slog})
	return h, err
}

// Close stops every table where it is.
func (h *House) Close() { h.lobby.Close() }

// everybody are those around the device, as long as nobody has it in his hand: somebody without a seat.
var everybody = wire.Guest{ID: "everybody"}

// patience is how long a table waits for somebody who has gone before a bot moves for him: here nobody goes.
const patience = 24 * 3600 // seconds

// Make makes a table for people, who are called so, by seat; bots sit where the set-up has them.
func (h *House) Make(ctx context.Context, s terms.Setup, called map[string]string) (wire.ID, error) {
	people, err := h.invite(s, called)
	if err != nil {
		return "", err
	}
	s.MoveTime, s.AwayTime, s.Listed = 0, patience, false
	host := slices.Sorted(maps.Keys(people))[0]
	places := maps.Clone(s.Places)
	if places == nil {
		places = map[string]string{}
	}
	places[host] = terms.Me
	s.Places = places
	id, err := h.lobby.Make(ctx, lobby.Visitor{Guest: people[host]}, s)
	if err != nil {
		return "", err
	}
	h.gather(id, people)
	return id, h.wait(ctx, id)
}

// longestName is how many letters a name has at most. What else makes a name unfit is for strangers to be kept from.
const longestName = 24

// invite gives everybody an id, for this table; nobody sits where a bot does.
func (h *House) invite(s terms.Setup, called map[string]string) (map[string]wire.Guest, error) {
	people, rng := map[string]wire.Guest{}, h.config.Rand()
	for seat, name := range called {
		clean := strings.Join(strings.Fields(name), " ")
		switch {
		case clean == "" || utf8.RuneCountInString(clean) > longestName:
			return nil, wire.Refuse("bad_name", "name: 1 to %d letters", longestName)
		case !s.Has(seat) || s.Places[seat] != "":
			return nil, wire.Refuse(wire.CodeBadCommand, "names: nobody can sit on %.40q", seat)
		}
		people[seat] = wire.Guest{ID: fmt.Sprintf("%016x", rng.Uint64()), Name: clean}
	}
	if len(people) == 0 || len(people)+len(s.Places) != s.Seats {
		return nil, wire.Refuse(wire.CodeNotFull, "somebody sits on every seat, and one of them is no bot")
	}
	return people, nil
}

// gather has everybody sit down, and stay: no table waits for whoever has not got the device. Then it begins, if it has not.
func (h *House) gather(id wire.ID, people map[string]wire.Guest) {
	h.mu.Lock()
	known := h.around[id] != nil
	h.around[id] = people
	h.mu.Unlock()
	if known {
		return
	}
	var lines []*Client
	for _, seat := range slices.Sorted(maps.Keys(people)) {
		lines = append(lines, h.stay(id, seat, people[seat]))
	}
	for _, c := range lines {
		c.session.Do(wire.Command{ID: "start", Do: "start", Table: id}) // the host's is done
	}
	lines = append(lines, h.stay(id, "", everybody))
	h.mu.Lock()
	h.lines[id] = lines
	h.mu.Unlock()
}

// wait waits until what was said at a table is done.
func (h *House) wait(ctx context.Context, id wire.ID) error {
	_, err := h.lobby.Card(ctx, id)
	return err
}

// come is who sits at a table; those at one that was kept are gathered first.
func (h *House) come(ctx context.Context, id wire.ID) (map[string]wire.Guest, error) {
	h.mu.Lock()
	people := h.around[id]
	h.mu.Unlock()
	if people != nil {
		return people, nil
	}
	people, err := h.log.people(ctx, id)
	if err == nil {
		h.gather(id, people)
		err = h.wait(ctx, id)
	}
	return people, err
}

// Tables are those that were kept, the newest first.
func (h *House) Tables(ctx context.Context) ([]wire.Card, error) {
	cards := []wire.Card{}
	for _, id := range h.log.ids.list() {
		card, err := h.lobby.Card(ctx, id)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil { // else its rules are not those of today
			cards = append(cards, card)
		}
	}
	slices.SortFunc(cards, func(a, b wire.Card) int { return b.Made.Compare(a.Made) })
	return cards, nil
}

// A Played is a game that is over, and the name by which a house keeps it as well, "" if none does. Somebody alone among bots has it as his own.
type Played struct {
	wire.Played
	Kept wire.ID `json:"kept,omitempty"`
}

// Played are the games that are over, the newest first.
func (h *House) Played(ctx context.Context) ([]Played, error) {
	all := []Played{}
	cards, err := h.Tables(ctx)
	for _, card := range cards {
		if card.State != table.Over {
			continue
		}
		people, err := h.log.people(ctx, card.Table)
		if err != nil {
			return nil, err
		}
		seats := slices.Sorted(maps.Keys(people))
		p, was, err := h.lobby.Played(ctx, card.Table, people[seats[0]].ID)
		if err != nil {
			return nil, err
		}
		if p.Device = true; len(seats) > 1 {
			p.You = game.Watcher
		}
		if was { // else it was not dealt
			all = append(all, Played{p, h.log.ids.of(card.Table)})
		}
	}
	return all, err
}

// Kept notes that a house keeps a game as well, by that name.
func (h *House) Kept(id, kept wire.ID) error {
	if err := h.config.Keep(Line{Table: id, Kept: kept}); err != nil {
		return err
	}
	h.log.ids.note(id, kept)
	return nil
}

// Drop ends a game, if it runs, and forgets it, with what people were called there.
func (h *House) Drop(ctx context.Context, id wire.ID) error {
	people, err := h.log.people(ctx, id)
	if err != nil {
		return err
	}
	if err := h.lobby.CloseTable(ctx, id); err != nil && wire.AsError(err).Code != wire.CodeOver {
		return err
	}
	guests, err := h.log.nowhereElse(ctx, id, people)
	if err != nil {
		return err
	}
	if err = h.config.Forget(id, guests); err != nil {
		return err
	}
	h.log.ids.remove(id)
	h.mu.Lock()
	lines := h.lines[id]
	delete(h.around, id)
	delete(h.lines, id)
	h.mu.Unlock()
	for _, c := range lines {
		c.Close()
	}
	return h.log.Delete(ctx, id)
}

// Record is the game as a record when it is over, which says that it was played here.
func (h *House) Record(ctx context.Context, id wire.ID) (record.Record, error) {
	r, err := h.lobby.Record(ctx, id)
	if err != nil {
		return r, err
	}
	note, err := r.Note()
	if err != nil {
		return r, err
	}
	note.Device = true
	return r, r.Annotate(note)
}

// Story is how a game that is over went.
func (h *House) Story(ctx context.Context, id wire.ID) (record.Story, error) {
	return h.lobby.Story(ctx, id)
}

// Advice is what somebody good would do in the place of whoever sits there.
func (h *House) Advice(ctx context.Context, id wire.ID, seat string) (move string, err error) {
	people, err := h.come(ctx, id)
	if err != nil {
		return "", err
	}
	return h.lobby.Advice(ctx, id, people[seat].ID)
}
