package match

import (
	"slices"
	"time"

	"caveau/game"
	"caveau/wire"
)

// People say a few phrases to each other, which each reads in his own language: nobody writes, so nobody is harmed by what is written. None is
// kept, and no bot or program says any.

// Phrases are what can be said: eight sentences and four gestures.
var Phrases = []string{"hello", "good", "hurry", "ohno", "thanks", "sorry", "played", "more", "clap", "laugh", "think", "heart"}

// Somebody says three phrases at once, and then one in so long.
const (
	phrasesAtOnce = 3
	phraseTime    = 3 * time.Second
)

// talk is what a seat has said lately.
type talk struct {
	until time.Time // when all of it is forgotten
	ids   []string  // of the last commands: one that is said again is not told again
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
	seat := o.table.SeatOf(s.Client.Who().ID)
	t := &o.talks[seat]
	if slices.Contains(t.ids, s.Command.ID) {
		o.acknowledge(&s)
		return
	}
	t.until = later(t.until, o.now).Add(phraseTime)
	t.ids = append(t.ids[max(0, len(t.ids)-phrasesAtOnce+1):], s.Command.ID)
	message := wire.Phrase(o.id, seat, s.Command.Move)
	for _, c := range o.subs {
		o.do(Send{To: c, Message: message})
	}
	o.acknowledge(&s)
}

// speaks is nil, or why somebody cannot say that now.
func (o *Owner) speaks(s Said) error {
	seat := o.table.SeatOf(s.Client.Who().ID)
	if err := o.table.Watchable(); err != nil {
		return err
	}
	if seat == game.Watcher || o.table.Sitter(seat).Left || wire.IsProgram(s.Client.Who().ID) {
		return errNoPlayer
	}
	t := o.talks[seat]
	switch {
	case !slices.Contains(Phrases, s.Command.Move):
		return errNoPhrase
	case t.until.Sub(o.now) > (phrasesAtOnce-1)*phraseTime && !slices.Contains(t.ids, s.Command.ID):
		return errTalks
	}
	return nil
}
