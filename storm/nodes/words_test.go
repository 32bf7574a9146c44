package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// What no log of a table has, and all nodes are to know all the same: what people are called, and what they say to each other; and what whoever runs the house
// says by a node that need not have the table.

// A phrase is one that somebody says.
type phrase struct {
	*said
	seat  game.Seat
	heard map[*page]int // how often by whom
}

// utter is somebody's next phrase: another one than he has said for long, so that it is known which is heard.
func (p *page) utter(seat game.Seat) wire.Command {
	return wire.Command{Do: "phrase", Seat: seat.String(), Move: wire.Phrases[p.n%len(wire.Phrases)]}
}

// uttered is that a phrase is on its way.
func (w *world) uttered(s *said) {
	if !slices.ContainsFunc(w.phrases, func(o *phrase) bool { return o.said == s }) {
		w.phrases = append(w.phrases, &phrase{s, game.Seat(s.Seat[0] - 'A'), map[*page]int{}})
	}
}

// hearsPhrase is that a page hears one: somebody has said it there, and not less often; but for another owner, whom a node tells once more what nobody has answered.
func (p *page) hearsPhrase(text []byte) {
	var told struct {
		Table  wire.ID
		Phrase struct {
			Seat game.Seat
			ID   string
		}
	}
	if err := json.Unmarshal(text, &told); err != nil {
		p.w.fail("%v is told %s: %v", p, text, err)
		return
	}
	p.w.did["a phrase is heard"]++
	for _, one := range slices.Backward(p.w.phrases) {
		if one.Table == told.Table && one.seat == told.Phrase.Seat && one.Move == told.Phrase.ID {
			if one.heard[p]++; one.heard[p] > one.times && p.w.fine(one.first) {
				p.w.fail("%v hears %s %d times, and it was said %d times", p, text, one.heard[p], one.times)
			}
			return
		}
	}
	p.w.fail("%v hears %s, and nobody has said it", p, text)
}

// soonTold is within what time all nodes tell what no log has, if nothing is wrong.
const soonTold = 4 * time.Second

// fine tells whether nothing was wrong since that time, nor a while before, and no node has gone.
func (w *world) fine(since time.Time) bool {
	return w.trouble.Add(8*time.Second).Before(since) && w.fewer.Add(15*time.Second).Before(since)
}

// attends tells whether a page has looked at its table since a time by one connection, and not by more than one.
func (p *page) attends(since time.Time) bool {
	return !p.left && p.watches && p.last.at == nil && p.next == nil && p.since.Add(2*time.Second).Before(since) && p.came.Add(2*time.Second).Before(since)
}

// spoken is that somebody is told that his phrase is said: soon all who look have heard it.
func (w *world) spoken(s *said) {
	w.in(soonTold, func() {
		one := w.phrases[slices.IndexFunc(w.phrases, func(o *phrase) bool { return o.said == s })]
		if !w.fine(s.first) {
			return
		}
		w.did["a phrase is to be heard by all"]++
		for _, p := range w.people {
			for _, page := range p.pages {
				if page.table == s.Table && page.attends(s.first) && one.heard[page] == 0 {
					w.fail("%s has said %s at %s, and %v, who looks, has not heard it", s.ID, s.Move, w.name(s.Table), page)
				}
			}
		}
	})
}

// renames is that somebody takes another name, at the node to which he is connected: soon it is told at all.
func (p *page) renames() {
	p.names++
	p.takes(fmt.Sprintf("P%s%d", p.name, p.names), p.at)
}

// takes is that he takes that name by a node.
func (p *page) takes(name string, n *node) {
	w, began := p.w, time.Now()
	p.guest.Name = name
	w.note("%v is called %s", p, name)
	n.hear(func() {
		go func() {
			if err := n.house().Rename(always, p.guest); err != nil {
				n.Write([]byte("somebody cannot be renamed: " + err.Error()))
			}
		}()
	})
	w.in(soonTold, func() {
		if p.guest.Name != name || !w.fine(began) {
			return
		}
		w.did["a name is to be told by all"]++
		for _, o := range w.living() {
			if o != n && o.begun.Add(5*time.Second).Before(began) && o.lookedAt(p.guest.ID).Before(began) {
				w.fail("of %s something has changed, and %v has not looked what it is", p.name, o)
			}
		}
		for _, o := range w.people {
			for _, page := range o.pages {
				seat := w.games[page.table].shadow.SeatOf(p.guest.ID)
				if seat != game.Watcher && page.attends(began) && page.about != nil && page.about.Seats[seat].Name != name {
					w.fail("%s is called %s, and %v reads %q", p.name, name, page, page.about.Seats[seat].Name)
				}
			}
		}
	})
}

// unlists is that whoever runs the house takes a table from the list, by a node that need not have it. What he is told is done is done.
func (w *world) unlists() {
	all := w.living()
	if len(all) == 0 || w.fault != "" {
		return
	}
	n, id, began := all[w.rng.IntN(len(all))], w.tables[w.rng.IntN(len(w.tables))], time.Now()
	w.note("%s is to be unlisted, by %v", w.name(id), n)
	told := make(chan error, 1)
	n.hear(func() {
		go func() {
			within, cancel := context.WithTimeout(w.night, time.Minute) // his browser does not wait longer
			defer cancel()
			told <- n.house().Unlist(within, id)
		}()
	})
	const look = 500*time.Millisecond + 7*time.Microsecond // whoever gives up does so after whole seconds, and which of the two came first would be chance
	var answered func()
	answered = func() {
		select {
		case err := <-told:
			w.note("%s is unlisted: %v", w.name(id), err)
			if err == nil && w.listed(id) {
				w.fail("%s is said to be unlisted, and it is not", w.name(id))
			} else if code := wire.AsError(err).Code; code == wire.CodeOver && w.games[id].shadow.State() == table.Over {
				w.note("%s is over, and so on no list", w.name(id))
			} else if err != nil && n.lives() && code != wire.CodeBusy && code != wire.CodeStorage && code != wire.CodeGone {
				w.fail("%s is to be unlisted, by %v, which says that this is nothing to do: %v", w.name(id), n, err)
			} else if err == nil {
				w.did["a table is unlisted"]++
			}
		default:
			if n.lives() && time.Since(began) > 40*time.Second && w.fine(began) {
				w.fail("%s is to be unlisted, by %v, and nobody answers", w.name(id), n)
			}
			w.in(look, answered)
		}
	}
	w.in(look, answered)
}

// renamedUnheard: somebody who plays nowhere else makes a table, and looks at it by another node. Then the bus is away for longer than anybody says what has
// changed, and he takes another name meanwhile, or looks at it by the node that has it and takes by another the one that he had until a moment before. Whoever has the table finds that out when all is well.
func (w *world) renamedUnheard() {
	living := w.living()
	if len(living) < 2 {
		return
	}
	n, by := living[0], living[1]
	at, back := by, w.chance(50)
	if back {
		at = n
	}
	host := &person{w: w, name: fmt.Sprint("g", len(w.people))}
	host.guest = wire.Guest{ID: "id of " + host.name, Name: "P" + host.name}
	w.makes(n, host, func(id wire.ID) {
		g := &page{person: host, table: id, old: true, wants: at, led: map[string]time.Time{}, shut: map[string]time.Time{}}
		host.pages, w.people = append(host.pages, g), append(w.people, host)
		g.thinks()
		w.then(comeTime+11*time.Second, func() { // with the pulse it is looked what people are called
			if g.at != at || !g.watches || !n.lives() || !by.lives() {
				return
			}
			name, wait := fmt.Sprint("P", host.name, "x"), time.Duration(0)
			if back {
				name, wait = host.guest.Name, 2*time.Second
				g.takes("not for long", by)
			}
			w.then(wait, func() {
				if by.lives() {
					w.mutes(true)
					g.takes(name, by)
				}
			})
			w.then(wait+6*time.Second, func() { w.mutes(false) })
			w.then(20*time.Second, func() {
				if w.did["a name is found out"]++; g.watches && host.guest.Name == name && g.about.Seats[0].Name != name {
					w.fail("%s has been called %s for long, and %v reads %q", host.name, name, g, g.about.Seats[0].Name)
				}
				g.disconnect()
				g.left = true
			})
		})
	})
}
