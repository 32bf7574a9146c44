package match

import (
	"slices"

	"caveau/game"
)

// A wish is a command with whoever has it. A decision is pure: it looks at the table
// and the wish, and answers with a fact to be written, with nothing where all is as wished already, or with a refusal.
type wish struct {
	Command
	guest Guest
}

type decision func(*table, wish) (fact, error)

// What a guest may wish of a table. To watch needs no decision, and a rematch is made by the lobby.
var decisions = map[string]decision{
	"sit":    decideSit,
	"leave":  decideLeave,
	"bot":    decideBot,
	"seal":   decideSeal,
	"start":  decideStart,
	"unseal": decideUnseal,
	"play":   decidePlay,
	"free":   decideFree,
	"break":  decideBreak,
}

func (t *table) decide(w wish) (fact, error) {
	d, ok := decisions[w.Do]
	switch {
	case !ok:
		return nil, refuse(CodeBadCommand, "there is nothing to do called %q", w.Do)
	case w.guest.ID == "":
		return nil, refuse(CodeNoGuest, "say who you are first: POST /api/guest")
	case t.closed:
		return nil, refuse(CodeGone, "the table was closed: nobody had come for an hour")
	}
	return d(t, w)
}

// chair is the seat that a wish names.
func (t *table) chair(w wish) (game.Seat, chair, error) {
	if !t.setup.has(w.Seat) {
		return game.NoSeat, chair{}, refuse(CodeNoSeat, "the table has no seat %q", w.Seat)
	}
	seat := game.Seat(w.Seat[0] - 'A')
	return seat, t.chairs[seat], nil
}

func decideSit(t *table, w wish) (fact, error) {
	seat, c, err := t.chair(w)
	mine := t.seatOf(w.guest.ID)
	switch {
	case err != nil:
		return nil, err
	case t.phase() == stateOver:
		return nil, refuse(CodeOver, "the game is over")
	case mine == seat && (c.left || c.away):
		return &returned{seat}, nil
	case mine == seat:
		return nil, nil
	case !c.empty():
		return nil, refuse(CodeSeatTaken, "somebody sits on %s", seat)
	case mine != game.Watcher && t.begun():
		return nil, refuse(CodeStarted, "the game has begun, and you sit on %s", mine)
	}
	return &sat{seat, w.guest}, nil
}

func decideLeave(t *table, w wish) (fact, error) {
	mine := t.seatOf(w.guest.ID)
	if mine == game.Watcher || t.phase() == stateOver || t.chairs[mine].left {
		return nil, nil
	}
	return &stood{mine}, nil
}

// host tells why the wish is not for this guest or no longer to be had: the host alone seats bots and starts.
func (t *table) hosts(w wish) error {
	switch {
	case w.guest.ID != t.host.ID:
		return refuse(CodeNotHost, "only the host, %s, can do that", t.host.Name)
	case t.begun():
		return refuse(CodeStarted, "the game has begun")
	}
	return nil
}

func decideBot(t *table, w wish) (fact, error) {
	seat, c, err := t.chair(w)
	if err == nil {
		err = t.hosts(w)
	}
	switch {
	case err != nil:
		return nil, err
	case c.person():
		return nil, refuse(CodeSeatTaken, "%s sits on %s", c.Guest.Name, seat)
	case w.Bot == c.Bot:
		return nil, nil
	case w.Bot != "" && !slices.Contains(t.shelf.Bots(t.setup.Game), w.Bot):
		return nil, refuse(CodeBadCommand, "no bot is called %q", w.Bot)
	}
	return &botted{seat, w.Bot}, nil
}

func decideStart(t *table, w wish) (fact, error) {
	if err := t.hosts(w); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.chairs, chair.empty) {
		return nil, refuse(CodeNotFull, "there are empty seats")
	}
	if came := t.imported; came != nil {
		return &dealt{came.Deal, came.Moves, came.Seeds}, nil
	}
	if t.secret == nil {
		return nil, refuse(CodeBusy, "the deal is being sealed, try again in a moment")
	}
	if slices.ContainsFunc(t.chairs, chair.sealed) {
		return &called{}, nil // whoever sealed a number opens it now; then, or in a moment, it is dealt
	}
	return t.shuffle()
}

func decidePlay(t *table, w wish) (fact, error) {
	seat, c, err := t.chair(w)
	switch {
	case err != nil:
		return nil, err
	case t.state == nil:
		return nil, refuse(CodeNotStarted, "the game has not begun")
	case c.Guest.ID != w.guest.ID || c.left:
		return nil, refuse(CodeNotYourSeat, "you do not sit on %s", seat)
	case w.Seq < t.asked || w.Seq > t.seq:
		return nil, refuse(CodeLate, "the move was for frame %d, the table is at %d", w.Seq, t.seq)
	case t.phase() == stateOver:
		return nil, refuse(CodeOver, "the game is over")
	}
	if _, _, err := t.state.Play(seat, w.Move); err != nil {
		return nil, err
	}
	return &moved{Seat: seat, Words: w.Move}, nil
}

func decideFree(t *table, w wish) (fact, error) {
	seat, c, err := t.chair(w)
	switch {
	case err != nil:
		return nil, err
	case w.guest.ID != t.host.ID:
		return nil, refuse(CodeNotHost, "only the host, %s, can do that", t.host.Name)
	case t.phase() == stateOver:
		return nil, refuse(CodeOver, "the game is over")
	case !c.person():
		return nil, refuse(CodeNoSeat, "no person sits on %s", seat)
	case t.called && t.state == nil:
		return nil, refuse(CodeBusy, "it is being dealt, try again in a moment")
	}
	return &freed{seat}, nil
}

func decideBreak(t *table, w wish) (fact, error) {
	switch {
	case w.guest.ID != t.host.ID:
		return nil, refuse(CodeNotHost, "only the host, %s, can do that", t.host.Name)
	case t.state == nil:
		return nil, refuse(CodeNotStarted, "the game has not begun")
	case t.phase() == stateOver:
		return nil, refuse(CodeOver, "the game is over")
	}
	return &broke{w.guest.Name}, nil
}

// decideAgain is the table for another game: the same people and bots on the same seats, without those who had left; the
// next seat begins, and whoever asks is the host. Where the position was imported, it is set up again as it was.
func decideAgain(t *table, w wish) (*made, error) {
	mine := t.seatOf(w.guest.ID)
	switch {
	case w.guest.ID == "":
		return nil, refuse(CodeNoGuest, "say who you are first: POST /api/guest")
	case t.closed:
		return nil, refuse(CodeGone, "the table was closed")
	case mine == game.Watcher:
		return nil, refuse(CodeNotYourSeat, "you did not sit here")
	case t.state == nil:
		return nil, refuse(CodeNotStarted, "the game has not begun")
	case t.phase() != stateOver:
		return nil, refuse(CodeRunning, "the game is not over")
	}
	f := &made{Setup: t.setup, Host: w.guest, Chairs: slices.Clone(t.chairs), Imported: t.imported}
	f.Setup.First = t.first.Left(uint8(len(t.chairs))).String() // of a deal, if there is one
	for i, c := range f.Chairs {
		if c.left {
			f.Chairs[i] = chair{}
		}
	}
	f.Chairs[mine] = chair{Guest: w.guest}
	return f, nil
}
