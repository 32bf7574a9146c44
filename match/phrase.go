package match

import (
	"maps"
	"slices"
	"time"

	"caveau/game"
	"caveau/wire"
)

// People say a few phrases to each other, which each reads in his own language: nobody writes, so nobody is harmed by what is written. None is
// kept, and no bot or program says any.

// Somebody says three phrases at once, and then one in so long.
const (
	phrasesAtOnce = 3
	phraseTime    = 3 * time.Second
)

// talk is what somebody has said lately.
type talk struct {
	until time.Time      // by which he could have said so much
	last  []wire.Command // one that is said again, word for word, is not told again
}

var (
	errNoPlayer = wire.Refuse(wire.CodeNotYourSeat, "who plays here says phrases, and nobody else")
	errNoPhrase = wire.Refuse(wire.CodeBadCommand, "there is no such phrase")
	errTalks    = wire.Refuse(wire.CodeTooMany, "not so many phrases: one in three seconds")
)

// say tells everybody at the table a phrase of somebody who sits there.
func (o *Owner) say(s Said) {
	if err := o.speaks(s); err != nil {
		o.deny(&s, err)
		return
	}
	guest := s.Client.Who().ID
	if t := o.talks[guest]; !t.has(s) {
		maps.DeleteFunc(o.talks, func(guest string, t talk) bool { return o.table.SeatOf(guest) == game.Watcher && t.until.Before(o.now) })
		o.talks[guest] = talk{later(t.until, o.now).Add(phraseTime), append(t.last[max(0, len(t.last)-phrasesAtOnce+1):], s.Command)}
		message := wire.Phrase(o.id, o.table.SeatOf(guest), s.Command.Move)
		for _, c := range o.subs {
			o.do(Send{To: c, Message: message})
		}
	}
	o.acknowledge(&s)
}

// has tells whether that was said before.
func (t talk) has(s Said) bool { return slices.Contains(t.last, s.Command) }

// speaks is nil, or why somebody cannot say that now.
func (o *Owner) speaks(s Said) error {
	seat := o.table.SeatOf(s.Client.Who().ID)
	if err := o.table.Watchable(); err != nil {
		return err
	}
	if seat == game.Watcher || o.table.Sitter(seat).Left || wire.IsProgram(s.Client.Who().ID) {
		return errNoPlayer
	}
	switch t := o.talks[s.Client.Who().ID]; {
	case !slices.Contains(wire.Phrases, s.Command.Move):
		return errNoPhrase
	case t.until.Sub(o.now) > (phrasesAtOnce-1)*phraseTime && !t.has(s):
		return errTalks
	}
	return nil
}
