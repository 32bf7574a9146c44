package lobby

import (
	"context"

	"caveau/bus"
	"caveau/game"
	"caveau/match"
	"caveau/ruling"
	"caveau/table"
	"caveau/wire"
)

// What whoever runs the house sees, and may do. He has no seat at any table and no eyes but a door sign's; what he does at a table is a
// fact of its log, and everybody there is told that it was he.

// A Sight is a table as he sees it: its door sign, and which guests it names.
type Sight struct {
	wire.Card
	Guests []string // by seat; "" where no person has it
	HostID string
	Awake  bool
	Err    error // why nothing else is known of it; else nil
}

// Unfinished are tables that are not over, listed or not: those of a page, and how many there are in all. Awake ones come first, the oldest first.
func (l *Lobby) Unfinished(ctx context.Context, from, most int) (page []Sight, all int, err error) {
	ids, err := l.config.Log.Due(ctx, l.config.Clock.Now().Add(always))
	if err != nil {
		return nil, 0, err
	}
	from = min(max(0, from), len(ids))
	for _, id := range ids[from:min(from+most, len(ids))] {
		page = append(page, l.Sight(ctx, id))
	}
	return page, len(ids), ctx.Err()
}

// Sight is one table as whoever runs the house sees it.
func (l *Lobby) Sight(ctx context.Context, id wire.ID) (s Sight) {
	s.Awake = l.isAwake(id)
	s.Table = id
	s.Err = l.read(ctx, id, func(t *table.Table, card wire.Card) {
		s.Card, s.Guests = card, make([]string, t.Seats())
		if card.Device {
			return // those who sat around a device are no guests
		}
		s.HostID = t.Host()
		for seat := range game.Seat(t.Seats()) {
			s.Guests[seat] = t.Sitter(seat).Guest
		}
	})
	return s
}

// CloseTable closes a table, whatever is going on there; it is durable when it returns. After an error nobody knows.
func (l *Lobby) CloseTable(ctx context.Context, id wire.ID) error {
	return l.rule(ctx, id, ruling.Ruling{Verdict: ruling.Shut})
}

// Unlist takes a table from the lobby's list.
func (l *Lobby) Unlist(ctx context.Context, id wire.ID) error {
	return l.rule(ctx, id, ruling.Ruling{Verdict: ruling.Unlist})
}

// TurnOut turns a guest out of a table where he sits.
func (l *Lobby) TurnOut(ctx context.Context, id wire.ID, guest string) error {
	return l.rule(ctx, id, ruling.Ruling{Verdict: ruling.TurnOut, Guest: guest})
}

// rule has a table do what whoever runs the house says, and waits until that is durable, or refused.
func (l *Lobby) rule(ctx context.Context, id wire.ID, what ruling.Ruling) error {
	word := make(bus.Word, 1)
	page := l.pages.Open(Visitor{}, word)
	defer l.pages.Close(page)
	if err := l.say(match.Said{Client: page, Ruling: what}, id); err != nil {
		return err
	}
	select {
	case err := <-word:
		return err
	case <-ctx.Done():
	case <-l.ctx.Done():
	}
	return match.ErrBusy
}
