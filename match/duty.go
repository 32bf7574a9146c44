package match

import (
	"context"
	"time"

	"caveau/game"
)

// A duty is something that a match does by itself when its time has come.
type duty struct {
	at time.Time
	do func()
}

const (
	shutAfter   = time.Hour              // an open table that nobody looks at is put away
	unloadAfter = time.Minute            // a finished one that nobody looks at is forgotten until somebody asks
	stirTime    = 200 * time.Millisecond // how long comings and goings are collected
	retryTime   = time.Second            // after the log has failed
	unsealTime  = 5 * time.Second        // how long a deal waits for whoever does not open his number
)

// duties are what the match has to do by itself, and when. They are worked out anew after everything that happens, so
// there are no alarms to be kept in step with the table.
func (m *match) duties() []duty {
	var list []duty
	if !m.stir.IsZero() {
		list = append(list, duty{m.stir.Add(stirTime), func() { m.broadcast(m.table.seq) }})
	}
	switch m.table.phase() {
	case stateOpen:
		list = append(list, m.hostDuty()...)
		if m.table.secret == nil && m.table.imported == nil {
			list = append(list, duty{m.woken, func() { m.settleAlone(&resealed{*m.lobby.newSecret()}) }})
		}
		if m.table.called {
			list = append(list, m.dealDuty())
		} else if len(m.subs) == 0 {
			list = append(list, duty{m.quiet.Add(shutAfter), func() { m.settleAlone(&shut{}) }})
		}
	case stateRunning:
		list = append(list, m.hostDuty()...)
		list = append(list, m.absences()...)
		list = append(list, m.moveDuty()...)
	}
	return list
}

// alarm fires when the first duty is due. Stop it when it is not needed any more.
func (m *match) alarm() (due <-chan time.Time, stop func() bool) {
	first, ok := m.first()
	if !ok && len(m.subs) == 0 && m.table.phase() == stateOver {
		first.at, ok = m.quiet.Add(unloadAfter), true // to look whether it is idle
	}
	if !ok {
		return nil, func() bool { return false }
	}
	return m.lobby.Clock.Timer(max(0, first.at.Sub(m.lobby.Clock.Now())))
}

// first is the duty that is due first.
func (m *match) first() (first duty, ok bool) {
	for _, d := range m.duties() {
		if d.at.Before(m.retry) {
			d.at = m.retry
		}
		if !ok || d.at.Before(first.at) {
			first, ok = d, true
		}
	}
	return first, ok
}

// wake does the first duty if its time has come.
func (m *match) wake() {
	if d, ok := m.first(); ok && !d.at.After(m.lobby.Clock.Now()) {
		d.do()
	}
}

// idle tells whether the match may be forgotten until somebody asks for it.
func (m *match) idle() bool {
	return m.table.phase() == stateOver && len(m.subs) == 0 && m.lobby.Clock.Now().Sub(m.quiet) >= unloadAfter
}

// settleAlone writes a fact that nobody asked for, and tells it.
func (m *match) settleAlone(f fact) {
	seq := m.table.seq
	told, err := m.settle(receipt{}, func() (fact, error) {
		if m.table.seq != seq {
			return nil, nil // another node wrote meanwhile: the duties are worked out anew
		}
		return f, nil
	})
	if err != nil {
		m.retry = m.lobby.Clock.Now().Add(retryTime)
		return
	}
	m.tell(told)
}

// absent is how long a guest has been gone: the moment from which he is, and false if he is here.
func (m *match) absent(guest string) (since time.Time, gone bool) {
	since = m.since[guest]
	if since.Before(m.woken) {
		since = m.woken // nobody is blamed for the time in which the server was down
	}
	return since, m.here[guest] == 0
}

// absences: a bot plays for somebody who is gone too long, until he is back.
func (m *match) absences() (list []duty) {
	for i, c := range m.table.chairs {
		if !c.person() || c.left {
			continue
		}
		seat := game.Seat(i)
		since, gone := m.absent(c.Guest.ID)
		switch {
		case gone && !c.away:
			list = append(list, duty{since.Add(m.table.setup.awayTime()), func() { m.settleAlone(&missed{seat}) }})
		case !gone && c.away:
			list = append(list, duty{m.lobby.Clock.Now(), func() { m.settleAlone(&returned{seat}) }})
		}
	}
	return list
}

// hostDuty: a table whose host is gone too long gets another, if somebody who sits there is here.
func (m *match) hostDuty() []duty {
	since, gone := m.absent(m.table.host.ID)
	if !gone {
		return nil
	}
	for i, c := range m.table.chairs {
		if c.person() && m.here[c.Guest.ID] > 0 {
			at := since.Add(m.table.setup.awayTime())
			return []duty{{at, func() { m.settleAlone(&hosted{game.Seat(i)}) }}}
		}
	}
	return nil
}

// moveDuty: a bot moves for the seat that is asked, because it is a bot's or because the time has run out.
func (m *match) moveDuty() []duty {
	if m.mind != nil {
		return nil
	}
	seat, limit := m.table.turn(), m.table.setup.moveTime()
	switch c := m.table.chairs[seat]; {
	case c.played() && m.alone():
		return []duty{{m.asked, func() { m.think(seat, byBot) }}}
	case c.played():
		return []duty{{m.asked.Add(m.delay), func() { m.think(seat, byBot) }}}
	case limit > 0:
		return []duty{{m.full.Add(limit), func() { m.think(seat, byClock) }}}
	}
	return nil
}

// alone tells whether only bots are left and nobody looks: then nobody needs the time that they take.
func (m *match) alone() bool {
	for _, c := range m.table.chairs {
		if c.person() {
			return false
		}
	}
	return len(m.subs) == 0
}

// player is the bot that plays a seat: its own, or the stand-in.
func (m *match) player(seat game.Seat) Bot {
	name := m.table.chairs[seat].Bot
	if name == "" {
		name = m.table.standin()
	}
	bot, ok := m.lobby.Shelf.Bot(m.table.setup.Game, name)
	if !ok {
		m.lobby.Slog.Error("a bot is not on the shelf any more", "table", m.id, "bot", name)
		return dummy{}
	}
	return bot
}

// think has a bot think, elsewhere: the match goes on meanwhile.
func (m *match) think(seat game.Seat, by string) {
	ctx, cancel := context.WithCancel(m.lobby.ctx)
	m.mind = cancel
	asked, bot, seen := m.table.asked, m.player(seat), m.seen(seat)
	m.lobby.work.Go(func() {
		defer cancel()
		words := m.lobby.ask(ctx, m.id, bot, seen)
		m.post(ctx, func() { m.hear(ctx, asked, seat, words, by) })
	})
}

// stopThinking is for when the answer is not wanted any more.
func (m *match) stopThinking() {
	if m.mind != nil {
		m.mind()
		m.mind = nil
	}
}

// hear plays what a bot says, if it still is what was asked for.
func (m *match) hear(ctx context.Context, asked int, seat game.Seat, words, by string) {
	if ctx.Err() != nil {
		return
	}
	m.stopThinking()
	if m.table.asked != asked || m.table.phase() != stateRunning || (by == byBot) != m.table.chairs[seat].played() {
		return
	}
	if _, _, err := m.table.state.Play(seat, words); err != nil {
		m.lobby.Slog.Error("a bot said no legal move", "table", m.id, "seat", seat)
		words = m.table.state.Moves()[0]
	}
	m.settleAlone(&moved{seat, words, by})
}

// seen is what a bot on that seat gets.
func (m *match) seen(seat game.Seat) Seen {
	t := m.table
	s := Seen{Seat: seat, View: t.state.View(seat), Moves: t.state.Moves(), Seed: t.seeds[seat]}
	for _, l := range t.lines {
		if !l.house {
			s.Events = append(s.Events, l.event.For(seat))
		}
	}
	return s
}
