package match

import (
	"slices"
	"time"

	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// Who is there. A guest is here while one of his clients watches; two tabs are one person.

// watch gives the client every frame from now on, and the newest at once: with the log, and with the events that it missed if it says which frame it had.
func (o *Owner) watch(s Said) {
	if err := o.table.Watchable(); err != nil {
		o.deny(&s, err)
		return
	}
	o.join(s.Client)
	since := o.missed(s.Client, s.Command.Seq)
	o.acknowledge(&s)
	o.catchUpOn(s.Client, since)
}

// join is that a client watches from now on.
func (o *Owner) join(c Client) {
	if !o.watching(c) {
		o.subs = append(o.subs, c)
		delete(o.went, c.Who().ID)
		o.presenceChanged()
	}
}

// catchUpOn tells a client how the table stands, and what has happened since.
func (o *Owner) catchUpOn(c Client, since int) {
	o.do(Send{To: c, Message: o.table.Frames(o.id, o.present(), since, true, o.hour()).WithLog(o.audience(c), o.hosts(c)), Seq: o.table.Seq()})
}

// regain has a client watch on who watched elsewhere. What was passed on to him his node knows, so it is not asked what he can have had.
func (o *Owner) regain(in Again) {
	o.quiet, o.touched = o.now, o.now
	if o.table.Watchable() == nil { // else he is told that it was closed, as all were who watched then
		o.join(in.Client)
	}
	since, guest := min(in.Since, o.table.Seq()), in.Client.Who().ID
	if first, was := o.arrived[guest]; !was || since < first {
		o.arrived[guest] = since
	}
	if seat := o.audience(in.Client); seat != game.Watcher { // his node knows what was passed on to him, and not with whose eyes
		since = max(since, o.table.Sitter(seat).Since)
	}
	o.catchUpOn(in.Client, since)
}

// missed is after which frame a client is told what happened: the one that he had, as far as he can have had it. Nobody comes
// late and is shown what was shown before he came, or to who sat there before him; the log, which forgets, has to do.
func (o *Owner) missed(c Client, had int) int {
	seq, guest, seat := o.table.Seq(), c.Who().ID, o.audience(c)
	first, was := o.arrived[guest]
	if !was {
		if first = seq; seat != game.Watcher {
			first = o.loaded // he may have been there before the table was loaded
		}
		o.arrived[guest] = first
	}
	if seat != game.Watcher {
		first = max(first, o.table.Sitter(seat).Since) // what his predecessor was told is not his
	}
	if had > 0 && had <= seq && guest != "" {
		return max(had, first)
	}
	return seq
}

// lose is the end of a watch.
func (o *Owner) lose(in Gone) {
	i := slices.Index(o.subs, in.Client)
	if i < 0 {
		return
	}
	o.subs = slices.Delete(o.subs, i, i+1)
	if guest := in.Client.Who().ID; !o.here(guest) && o.table.Belongs(guest) {
		if o.gone[guest] = o.now; !in.Missed {
			o.went[guest] = o.now
		}
	}
	o.quiet, o.touched = o.now, o.now
	o.presenceChanged()
}

// presenceChanged: somebody came or went. The others are told soon, many comings at once.
func (o *Owner) presenceChanged() {
	if o.changed.IsZero() {
		o.changed = o.now
	}
}

func (o *Owner) here(guest string) bool {
	return slices.ContainsFunc(o.subs, func(c Client) bool { return c.Who().ID == guest })
}

// absent is since when a guest has been gone, and false if he is here. Whoever takes a seat before he watches is gone from then on, not since ever.
func (o *Owner) absent(guest string) (since time.Time, gone bool) {
	since = later(o.gone[guest], o.since)
	if seat := o.table.SeatOf(guest); seat != game.Watcher {
		since = later(since, o.table.Sitter(seat).Sat)
	}
	return since, !o.here(guest)
}

// present is who is there, as frames tell it.
func (o *Owner) present() (p table.Present) {
	p.Waits = o.question != nil && o.question.waits
	for _, c := range o.subs {
		if seat := o.audience(c); seat == game.Watcher {
			p.Watchers++
		} else {
			p.Seats = p.Seats.With(seat)
		}
	}
	return p
}

// audience is whose eyes a client has.
func (o *Owner) audience(c Client) game.Seat { return o.table.SeatOf(c.Who().ID) }

// aroundTime is how long somebody who has just gone still counts as there, where people are asked: pages are loaded again, and lines break.
const aroundTime = 30 * time.Second

// around are the seats whose players count as there at that time: they are, or were a moment before.
func (o *Owner) around(at time.Time) (seats game.Seats) {
	for s := range game.Seat(o.table.Seats()) {
		guest := o.table.Sitter(s).Guest
		since, gone := o.absent(guest)
		if went, himself := o.went[guest]; himself { // and whoever has not come again before a node was not heard is not asked
			since = went
		}
		if guest != "" && (!gone || at.Before(o.table.Deadline(since, aroundTime))) {
			seats = seats.With(s)
		}
	}
	return seats
}

// hosts tells whether a client is the host's.
func (o *Owner) hosts(c Client) bool { return c.Who().ID == o.table.Host() }

// alone tells whether only bots are left and nobody looks: then nobody needs the time that they take.
func (o *Owner) alone() bool {
	for s := range game.Seat(o.table.Seats()) {
		if o.table.Sitter(s).Guest != "" {
			return false
		}
	}
	return len(o.subs) == 0
}

// broadcast sends everyone the newest frame, with what happened after entry since, and acknowledges what was said, if anything was. A frame is made once for each audience that looks.
func (o *Owner) broadcast(since int, said *Said) {
	whole, renamed := !o.changed.IsZero(), o.renamed
	o.changed, o.renamed = time.Time{}, false
	if o.table.AboutChanged(since) || whole {
		o.sign() // before anybody is told that it is done
	}
	if said != nil && !o.watching(said.Client) {
		o.acknowledge(said)
	}
	if len(o.subs) == 0 {
		return
	}
	frames := o.table.Frames(o.id, o.present(), since, whole, o.hour())
	write := frames.For
	if renamed {
		write = frames.WithLog // it has names in it
	}
	var made [2][game.MaxSeats + 1][]byte
	for _, c := range o.subs {
		who, office := o.audience(c), 0
		if o.hosts(c) {
			office = 1
		}
		to := &made[office][min(who, game.MaxSeats)]
		if *to == nil {
			*to = write(who, office == 1)
		}
		send := Send{To: c, Message: *to, Seq: o.table.Seq()}
		if said != nil && c == said.Client {
			send.Re = said.N
			send.Answer = o.done(said)
		}
		o.do(send)
	}
}

// sign hangs the table's door sign in the lobby.
func (o *Owner) sign() { o.do(Sign{o.Card(), o.table.Guests()}) }

// Card is the table's door sign.
func (o *Owner) Card() wire.Card { return o.table.Card(o.id, o.present()) }
