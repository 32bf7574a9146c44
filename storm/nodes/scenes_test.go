package nodes

import (
	"slices"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// A scene is something that goes wrong seldom, as it has to be for somebody to see it. It is played so often that a night has one after the other.
type scene struct {
	name     string
	lasts    time.Duration
	moveTime int           // at the first table, in seconds
	spare    time.Duration // by how much later than it should somebody's time may be up after a gap, since it is not known at once that it is over
	takes    time.Duration // how long it lasts to take a table there, where that is long
	play     func(*world)
	away     int    // there, for how many seconds longer than at the others somebody may be gone
	leads    bool   // pages go where they are led, and do not stay where they are put
	late     bool   // it takes a moment until something is noted for the house
	few      bool   // places for tables there are so few of that somebody may be refused
	older    bool   // a node of a version before is in the house at first, and nobody may write what it could not read
	brief    bool   // what is over is not kept, and the clocks of all nodes are right
	mute     bool   // whenever tables are free it cannot be read at first what all nodes speak
	shows    string // what has to happen on one of its nights, if there is something that may not
}

const (
	// comeTime is how long people take to come to where they are wanted.
	comeTime = 2 * time.Second
	// setTime is how long a node goes by what its clock has been set to: until it has asked twice, and made up for two seconds.
	setTime = 75 * time.Second
	// deafTime is how long a node goes on that others do not hear, who hear each other: until they know it, and ten sweeps.
	deafTime = 9 * time.Second
)

var scenes = []scene{
	{name: "whoever owned a table hears that he has nothing to write, and not yet of his lease", lasts: 12 * time.Second, play: (*world).goesOnFenced, shows: "somebody moves, and the table is another's when that is to be written"},
	{name: "whoever owned a table goes on, and does not know better", lasts: 12 * time.Second, play: (*world).goesOnLate, shows: "the database says that a table is so, and it changes nodes meanwhile"},
	{name: "whoever owned a table is asked for it with whoever owns it", lasts: 14 * time.Second, play: (*world).isAskedLate, shows: "a table is asked for twice"},
	{name: "a lease is renewed late, and then no more", lasts: 14 * time.Second, play: (*world).renewsLate},
	{name: "whoever owns a table is of a version before, and is not heard for a moment", lasts: 16 * time.Second, play: (*world).isOldAndSilent, shows: "pages that know all"},
	{name: "somebody goes and comes again while the bus is away", lasts: 38 * time.Second, play: (*world).comesAgainUnheard, moveTime: 8, spare: 2 * time.Second, shows: "time is up of somebody who has come again"},
	{name: "somebody moves and looks away, and his node is not heard for a moment", lasts: 16 * time.Second, play: (*world).looksAway, shows: "somebody who has looked away is answered"},
	{name: "a node lives, and is not heard", lasts: 32 * time.Second, play: (*world).isUnheard},
	{name: "the database takes nothing for a while, and can be read", lasts: 50 * time.Second, play: (*world).isNotWritten, moveTime: 8, spare: 2 * time.Second, shows: "time is up after nothing could be written"},
	{name: "a node dies under whoever is waited for, and his table's does not", lasts: 40 * time.Second, play: (*world).diesUnderHim, moveTime: 8, shows: "a node dies under whoever is waited for"},
	{name: "whoever is waited for goes home, and no node hears another then", lasts: 30 * time.Second, play: (*world).goesHomeBefore, moveTime: 8, shows: "no node hears another, and whoever is waited for had gone before"},
	{name: "somebody's time runs while the bus is away", lasts: 44 * time.Second, play: (*world).isCutOff, moveTime: 8, spare: 2 * bus.Beat, shows: "time is up after the bus was away"},
	{name: "whoever owns a table dies while somebody thinks", lasts: 7 * time.Second, play: (*world).diesMeanwhile, moveTime: 8},
	{name: "somebody has gone before he watched, and his node takes the table", lasts: time.Minute, play: (*world).goesAtOnce},
	{name: "a lease is over, and nobody has swept it", lasts: 16 * time.Second, play: (*world).isUnswept},
	{name: "the last that is told is lost", lasts: 14 * time.Second, play: (*world).isLost, shows: "pages that know all"},
	{name: "whoever owns a table is cut off from the database, and nobody says anything", lasts: 36 * time.Second, play: (*world).isBlind, shows: "pages that know all"},
	{name: "a table that has rested is woken, and changes nodes while people look", lasts: 4 * time.Minute, play: (*world).restsAndIsLost, away: 120, shows: "a table rests"},
	{name: "the bus does not reach whoever owns a table, and reaches all others", lasts: 20 * time.Second, play: (*world).isApart, shows: "a node is deaf"},
	{name: "the clock of whoever owns a table is set", lasts: 2 * time.Minute, play: (*world).isSet, moveTime: 8, shows: "a clock was set, and nobody's time is another for it"},
	{name: "a table rests, and nobody comes until it is to be woken", lasts: 4 * time.Minute, play: (*world).restsAlone, away: 120, shows: "somebody is away"},
	{name: "whoever owns a table closes, and nobody says anything", lasts: 14 * time.Second, play: (*world).closesInSilence, shows: "pages that know all"},
	{name: "of two nodes that are left neither hears the other", lasts: 26 * time.Second, play: (*world).isHalved, shows: "a node is deaf"},
	{name: "whoever owns a table is gone when those come who are led there", lasts: 20 * time.Second, play: (*world).isGoneBefore, leads: true, shows: "a page is not let in where it is led"},
	{name: "whoever takes a table cannot write at first that nobody had it", lasts: 9 * time.Second, play: (*world).cannotNote, moveTime: 8, shows: "the first that is written is not"},
	{name: "somebody goes while his node takes the table", lasts: 16 * time.Second, play: (*world).goesMeanwhile, shows: "somebody goes while a table is taken"},
	{name: "a table changes nodes, and some node of the house is of a version before", lasts: 16 * time.Second, play: (*world).diesMeanwhile, moveTime: 8, older: true},
	{name: "a table is made by a node that dies soon", lasts: 20 * time.Second, play: (*world).madeBefore, shows: "a table is made, and its node dies"},
	{name: "a host closes a table as its node dies", lasts: 20 * time.Second, play: (*world).closesAsItDies, shows: "a table is closed, and its node dies"},
	{name: "somebody plays again as the node of his table dies", lasts: 22 * time.Second, play: (*world).playsAgainAsItDies, shows: "somebody plays again, and the node dies"},
	{name: "somebody is waited for while two nodes die, one after the other", lasts: 44 * time.Second, play: (*world).outlived, away: 120, shows: "a table is taken twice while somebody is waited for"},
	{name: "somebody has another name while the bus is away", lasts: 42 * time.Second, play: (*world).renamedUnheard, shows: "a name is found out"},
	{name: "somebody watches two tables by one page, and goes", lasts: 18 * time.Second, play: (*world).looksAside, shows: "somebody goes who watches two tables"},
	{name: "a table that sleeps is in the list, whoever dies", lasts: 2 * time.Minute, away: 300, play: (*world).sleepsInTheList, shows: "a table that sleeps is in the list"},
	{name: "the bus does not reach a node, now and then", lasts: 70 * time.Second, play: (*world).isApartNowAndThen, shows: "the bus fails now and then"},
	{name: "the last node of a version before has gone", lasts: 100 * time.Second, play: (*world).becomesNew, moveTime: 8, older: true, shows: "time is up in a house that has become new"},
	{name: "whoever takes a table cannot read it at first", lasts: 16 * time.Second, play: (*world).isUnread, moveTime: 8, shows: "a table is taken that cannot be read"},
	{name: "the bus is away when somebody is to be told that he has moved", lasts: 18 * time.Second, play: (*world).answerIsLost, shows: "an answer is lost on the bus"},
	{name: "many come from one address to all nodes", lasts: 16 * time.Second, play: (*world).crowds, shows: "many come from one address"},
	{name: "many come from one address to all nodes at the same moments", lasts: 80 * time.Second, play: (*world).throngs, shows: "people come to all nodes at the same moments"},
	{name: "somebody asks too much of all nodes at the same moments", lasts: 80 * time.Second, play: (*world).asksTooMuch, shows: "somebody asks too much of all nodes"},
	{name: "somebody asks less of all nodes than he may, and the bus brings all letters twice", lasts: 56 * time.Second, play: (*world).asksEnough, shows: "somebody asks all nodes, and not too much"},
	{name: "somebody opens lines at all nodes, and one dies", lasts: 56 * time.Second, play: (*world).holdsLines, shows: "somebody opens lines at all nodes"},
	{name: "somebody signs out at one node", lasts: 10 * time.Second, play: (*world).signsOut, shows: "somebody signs out"},
	{name: "a house is for invited people, for a while", lasts: 24 * time.Second, late: true, play: (*world).invites, shows: "a house is for invited people"},
	{name: "somebody asks how a table stands as it is to be taken", lasts: 16 * time.Second, play: (*world).asksAsItIsTaken, shows: "somebody asks as a table is to be taken"},
	{name: "a table cannot be given back at first", lasts: 2 * time.Minute, away: 120, play: (*world).isNotGivenBack, shows: "a table cannot be given back at first"},
	{name: "a table sleeps that was made by another node, which dies", lasts: 3 * time.Minute, away: 120, play: (*world).isFoundLater, shows: "a table sleeps, and its node dies"},
	{name: "a node dies that has many tables", lasts: 40 * time.Second, play: (*world).diesWithMany, shows: "a node dies that has many tables"},
	{name: "somebody looks again while the owner of a table waits for the database", lasts: 12 * time.Second, play: (*world).looksAgain, shows: "somebody looks again while a table's owner waits"},
	{name: "somebody moves as his time is up, and the answer of the database is lost", lasts: 50 * time.Second, play: (*world).movesAtTheLast, moveTime: 8, shows: "somebody moves as his time is up"},
	{name: "a lease is renewed, and nobody answers", lasts: 16 * time.Second, play: (*world).renewsInVain, shows: "a renewal is lost"},
	{name: "somebody goes while his node tries in vain to take the table", lasts: 24 * time.Second, play: (*world).goesInVain, shows: "somebody goes while a table is taken in vain"},
	{name: "somebody signs out at one node, and no other hears of it", lasts: 40 * time.Second, play: (*world).signsOutUnheard, shows: "somebody signs out unheard"},
	{name: "whoever finds the tables of a node that has died cannot read who lives", lasts: 16 * time.Second, play: (*world).sweepsBlindly, moveTime: 8, shows: "it cannot be read who lives"},
	{name: "the clock of whoever owns a table leaps", lasts: 2 * time.Minute, play: (*world).leaps, moveTime: 8, shows: "a clock has leapt, and nobody's time is another for it"},
	{name: "whoever owns a table is cut off from the database, and somebody waits there", lasts: 32 * time.Second, play: (*world).waitsInDoubt, shows: "somebody waits for who is in doubt"},
	{name: "a node dies that has many tables, and it cannot be read what all speak", lasts: 40 * time.Second, play: (*world).diesWithMany, older: true, mute: true, shows: "a node dies that has many tables"},
	{name: "whoever takes a table is told late for how long nobody had it", lasts: 16 * time.Second, play: (*world).learnsLate, moveTime: 8, shows: "it is told late for how long nobody had a table"},
	{name: "somebody has as many tables as he may, and they end at another node", lasts: 125 * time.Second, away: 150, few: true, play: (*world).fillsRooms, shows: "somebody who was refused may make a table again"},
	{name: "somebody goes who is waited for, and then whoever owns the table dies", lasts: 40 * time.Second, away: 120, play: (*world).isTakenBeforeACall, shows: "a table is taken from whoever was about to call"},
	{name: "people of one address have as many tables as they may, by all nodes", lasts: 14 * time.Second, few: true, play: (*world).sharesRooms, shows: "people of one address have as many tables as they may"},
	{name: "a game begins, and somebody who sits there does not look", lasts: 40 * time.Second, away: 120, play: (*world).beginsWithout, shows: "a game has begun, and somebody is not there"},
	{name: "the bus reaches nobody for long, and people say something", lasts: 52 * time.Second, play: (*world).isMuteForLong, shows: "somebody says something, and the bus brings it nowhere"},
	{name: "a lease is in doubt for a moment", lasts: 20 * time.Second, play: (*world).doubtsForAMoment, shows: "somebody waits while a lease is in doubt for a moment"},
	{name: "whoever takes a table is not told that it has it", lasts: 36 * time.Second, play: (*world).takesUnawares, shows: "a table is taken, and whoever has it does not know"},
	{name: "the clock of whoever owns a table is set back, and the database does not answer", lasts: 16 * time.Second, play: (*world).isSetBack, shows: "a clock is set back while a lease runs out"},
	{name: "what whoever owned a table has refused is told late, and done since", lasts: 24 * time.Second, play: (*world).isRefusedLate, shows: "what was refused is done before that is told"},
	{name: "whoever owns a table dies while numbers are to be opened or sealed", lasts: 24 * time.Second, play: (*world).diesBeforeTheDeal, shows: "a node dies while numbers are waited for"},
	{name: "the bus is away while numbers are to be opened", lasts: 26 * time.Second, play: (*world).isCutOffBeforeTheDeal, shows: "a game begins with the number of somebody who was cut off"},
	{name: "whoever runs the house says one thing right after the other, and no node hears another", lasts: 24 * time.Second, play: (*world).saysAtOnce, shows: "whoever runs the house says one thing right after the other"},
	{name: "somebody does one thing right after the other, and no node hears another", lasts: 46 * time.Second, play: (*world).doesAtOnce, shows: "somebody does one thing right after the other"},
	{name: "something has changed of somebody, and other nodes do not hear it at first", lasts: 24 * time.Second, play: (*world).changesHalfHeard, shows: "what has changed is not heard at first"},
	{name: "somebody makes many tables by all nodes", lasts: 12 * time.Second, play: (*world).makesManyByAll, shows: "somebody makes many tables by all nodes"},
	{name: "a game is deleted that is looked at by two nodes", lasts: 16 * time.Second, play: (*world).keepsAndDrops, shows: "a game is deleted that is looked at"},
	{name: "what was played is put away by a node that begins, and looked at by another", lasts: 100 * time.Second, brief: true, play: (*world).putsAway, shows: "what was played is put away"},
	{name: "somebody is called by two nodes for one turn", lasts: 70 * time.Second, away: 150, play: (*world).isCalledByTwo, shows: "somebody is called by two nodes"},
	{name: "the bus brings nothing, and then all of it late", lasts: 16 * time.Second, play: (*world).isFarAway, shows: "what is brought late is known"},
	{name: "people are asked whether a game is to end, and whoever owns the table dies", lasts: time.Minute, away: 120, play: (*world).isAgreedTo, shows: "a node dies while people are asked"},
	{name: "the database answers nothing to whoever owns a table, and people wait", lasts: 40 * time.Second, away: 120, play: (*world).isKeptWaiting, shows: "somebody waits for whom the database does not answer"},
	{name: "a host who sits nowhere goes for a moment, and his table changes nodes", lasts: 40 * time.Second, play: (*world).hostsFromAfar, shows: "a host who sits nowhere has gone for a moment"},
	{name: "no node hears another for long, and somebody goes who is waited for", lasts: 3 * time.Minute, away: 600, play: (*world).isWaitedForUnheard, shows: "somebody is waited for, and no node has heard another for long"},
	{name: "people agree that a game is to end while no node hears another, and one has gone home", lasts: 90 * time.Second, away: 120, play: (*world).isAgreedToInDoubt, shows: "people agree while no node hears another"},
	{name: "somebody takes over a seat, a node of his does not hear it, and whoever owns the table dies", lasts: 50 * time.Second, away: 120, play: (*world).takesOver, shows: "somebody takes over a seat, and a node of his does not hear it"},
	{name: "whoever takes a table is not told at first for how long nobody had it", lasts: 16 * time.Second, play: (*world).learnsNothing, moveTime: 8, shows: "it is not told at first for how long nobody had a table"},
	{name: "whoever takes a table waits for the database", lasts: 20 * time.Second, play: (*world).takesSlowly, takes: 1800 * time.Millisecond, shows: "a table is taken slowly"},
	{name: "a table that sleeps is taken from the list by another node than had it", lasts: 2 * time.Minute, away: 300, play: (*world).unlistsAsleep, shows: "a table that sleeps is taken from the list"},
	{name: "the database fails over to a machine whose clock is behind", lasts: 30 * time.Second, play: (*world).failsOverLate, shows: "nodes begin when the clock of the database is behind"},
	{name: "everybody has gone when whoever owns the table dies, and it rests at another", lasts: 200 * time.Second, away: 120, play: (*world).restsAtAnother, shows: "somebody comes back to a table that rests at another node"},
}

// stage is the first table, and whoever owns it.
func (w *world) stage() (id wire.ID, n *node) {
	id = w.tables[0]
	if owner := w.base.has(id); owner > 0 && w.node(owner).lives() {
		n = w.node(owner)
	}
	return id, n
}

// gather has everybody's first page at the first table come to a node, and his others go elsewhere. Then, if it owns the table yet, it goes on.
func (w *world) gather(goOn func(n *node, here []*page)) {
	id, n := w.stage()
	if n == nil {
		return
	}
	i := slices.IndexFunc(w.living(), func(other *node) bool { return other != n })
	if i < 0 {
		return
	}
	elsewhere := w.living()[i]
	var here []*page
	for _, p := range w.people {
		p.pages[0].goes(n)
		here = append(here, p.pages[0])
		for _, page := range p.pages[1:] {
			page.goes(elsewhere)
		}
	}
	w.then(comeTime, func() {
		if _, owner := w.stage(); owner == n {
			w.note("%s: all are there", w.name(id))
			goOn(n, here)
		}
	})
}

// then does something after a time, if it storms yet.
func (w *world) then(d time.Duration, do func()) {
	w.in(d, func() {
		if !w.calm {
			do()
		}
	})
}

// goes has a page connect to a node from now on.
func (p *page) goes(to *node) {
	p.holds, p.away = false, time.Time{}
	if p.wants = to; p.at != nil && p.at != to {
		p.disconnect()
	}
}

// goesOnLate: a node sleeps until another has its table, where the game goes on. By its own clock that was a moment, and the database takes its time to say
// otherwise. Then people say at their old pages what they know from their new ones.
func (w *world) goesOnLate() { w.goesOn(false) }

// goesOnFenced is goesOnLate, and nobody says anything at the other: whoever reads on there sees nothing of whose table it is. Somebody has moved just before, which is refused late.
func (w *world) goesOnFenced() { w.goesOn(true) }

func (w *world) goesOn(stays bool) {
	w.gather(func(n *node, here []*page) {
		for _, p := range here {
			p.holds = true
		}
		n.slow, n.lag = true, 600*time.Millisecond
		asks := time.Duration(0)
		if stays {
			w.hush = time.Now().Add(8 * time.Second)
			asks = w.movesInVain(n, here)
		} else if w.chance(50) {
			asks = w.wantsWhatIsTaken(here)
		}
		w.then(asks, func() {
			n.goes(-950_000)
			n.pause()
		})
		goes := !stays && w.chance(50) // who sits there gets up at his other page, and sits down again at the old one
		w.then(asks+4*time.Second, func() {
			for _, p := range here {
				if other := p.pages[1]; goes && other.table == p.table && other.at != nil && other.at != n && other.watches && other.open == nil && other.frame.You < game.MaxSeats {
					other.says(&said{Command: wire.Command{Do: "leave"}})
				}
			}
		})
		w.then(asks+4500*time.Millisecond+w.upTo(time.Second), func() {
			for _, p := range here {
				if k := p.knows(); goes && p.at == n && p.open == nil && k.frame.You < game.MaxSeats {
					p.says(&said{Command: wire.Command{Do: "sit", Seat: k.frame.You.String()}})
				} else if p.at == n && p.open == nil && len(k.frame.Moves) > 0 {
					p.says(&said{Command: wire.Command{Do: "play", Seat: k.frame.You.String(), Seq: k.seq, Move: k.frame.Moves[0]}})
				}
				p.holds = false
			}
			n.goOn()
			if stays {
				w.asksWhoIsFenced(n, here)
			}
		})
	})
}

// movesInVain is that somebody moves, which comes to the database when the table is another node's, and after how long it is on its way.
func (w *world) movesInVain(n *node, here []*page) time.Duration {
	i := slices.IndexFunc(here, func(p *page) bool { return p.at == n && p.watches && p.open == nil && len(p.frame.Moves) > 0 })
	if i < 0 {
		return 0
	}
	n.lag = 5 * time.Second
	here[i].says(&said{Command: wire.Command{Do: "play", Seat: here[i].frame.You.String(), Seq: here[i].seq, Move: here[i].frame.Moves[0]}})
	w.then(50*time.Millisecond, func() { n.lag = 600 * time.Millisecond })
	return 100 * time.Millisecond
}

// asksWhoIsFenced: a node hears from the log that it has nothing to write, and not yet of its lease. People come there then.
func (w *world) asksWhoIsFenced(n *node, here []*page) {
	w.then(2*time.Second, func() {
		if n.fenced[w.tables[0]] {
			w.did["somebody moves, and the table is another's when that is to be written"]++
		}
	})
	w.meets = func(c *call) error {
		if c.n == n && c.what == "renew" {
			return errFailed
		}
		return nil
	}
	for i := range 12 {
		w.then(time.Duration(i)*200*time.Millisecond, func() { here[i%len(here)].turns(n) })
	}
	w.then(2*time.Second, func() { w.meets = nil })
}

// isAskedLate: a node sleeps until another has its table, and goes on as in goesOnLate. Some come by a third then, which asks both, and others go, of which the
// first tells.
func (w *world) isAskedLate() {
	w.gather(func(n *node, here []*page) {
		w.hush = time.Now().Add(8 * time.Second)
		for _, p := range here {
			p.holds = true
			for _, page := range p.pages[1:] {
				page.disconnect()
				page.away = time.Now().Add(8 * time.Second)
			}
		}
		n.slow, n.lag = true, 600*time.Millisecond
		n.goes(-950_000)
		n.pause()
		w.then(4500*time.Millisecond+w.upTo(time.Second), func() {
			n.goOn()
			_, owner := w.stage()
			i := slices.IndexFunc(w.living(), func(other *node) bool { return other != n && other != owner })
			if owner == nil || owner == n || i < 0 {
				return
			}
			w.did["a table is asked for twice"]++
			for _, p := range here {
				if w.chance(50) {
					p.pages[1].goes(w.living()[i])
					p.pages[1].connect()
				} else {
					w.then(200*time.Millisecond, p.disconnect)
				}
			}
		})
	})
}

// wantsWhatIsTaken is that somebody who looks on wants a seat that another has, and how long it takes until the database has been asked about that. What it says is heard when it
// is so no more, and tells nothing of what is said meanwhile.
func (w *world) wantsWhatIsTaken(here []*page) time.Duration {
	i := slices.IndexFunc(here, func(p *page) bool {
		return p.at != nil && p.watches && p.open == nil && p.kept == nil && p.about != nil && (p.frame.You == game.NoSeat || p.frame.You == game.Watcher)
	})
	if c := w.games[w.tables[0]].shadow.Sitter(0); i < 0 || c.Guest == "" || c.Left { // who waits for one that is free is told so, and it stands in no log
		return 0
	}
	here[i].says(&said{Command: wire.Command{Do: "sit", Seat: "A"}})
	w.did["the database says that a table is so, and it changes nodes meanwhile"]++
	return 100 * time.Millisecond
}

// renewsLate: the database answers a node late, and then not at all, while people come and go there.
func (w *world) renewsLate() {
	w.gather(func(n *node, here []*page) {
		n.lag = 900 * time.Millisecond
		w.hush = time.Now().Add(8 * time.Second)
		w.then(3*time.Second+w.upTo(time.Second), func() {
			w.note("nobody answers %v any more", n)
			n.blind.Store(true)
			for i := range 16 {
				w.then(time.Duration(i)*200*time.Millisecond, func() { here[i%2].turns(n) })
			}
		})
	})
}

// turns has a page come to a node, or go from there.
func (p *page) turns(n *node) {
	switch {
	case p.at == n:
		p.disconnect()
	case p.at == nil && n.lives():
		p.connect()
	}
}

// isUnswept: a node sleeps until its lease is over, and not until it is swept, while nobody looks at what it owns.
func (w *world) isUnswept() {
	_, n := w.stage()
	if n == nil {
		return
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			page.disconnect()
			page.away = time.Now().Add(12 * time.Second)
		}
	}
	w.then(w.upTo(time.Second), n.pause)
	w.then(1100*time.Millisecond, func() { w.then(time.Until(w.base.lent(n.number))+time.Millisecond, n.goOn) })
}

// scatters has everybody come to the first table by nodes that do not own it; nil for its owner where there is none, or no other node.
func (w *world) scatters() (id wire.ID, n *node) {
	id, n = w.stage()
	others := slices.DeleteFunc(w.living(), func(other *node) bool { return other == n })
	if n == nil || len(others) == 0 {
		return id, nil
	}
	for i, p := range w.people {
		for _, page := range p.pages {
			page.goes(others[i%len(others)])
		}
	}
	return id, n
}

// waitedFor is which of the people a table waits for; less than 0 for none.
func (w *world) waitedFor(t *table.Table) int {
	return slices.IndexFunc(w.people, func(p *person) bool { return t.Turn() != game.NoSeat && p.guest.ID == t.Sitter(t.Turn()).Guest })
}

// isUnheard: everybody is at nodes that do not own the table, and the bus reaches nobody. Its owner may die meanwhile.
func (w *world) isUnheard() {
	_, n := w.scatters()
	if n == nil {
		return
	}
	w.then(comeTime, func() { w.mutes(true) })
	if w.chance(50) {
		w.then(comeTime+5*time.Second, func() { n.isGone(22 * time.Second) })
	}
	w.then(comeTime+(awayTime+14)*time.Second, func() { w.mutes(false) })
}

// diesUnderHim: the node dies by which somebody is waited for who has not long left, and his table's does not. It takes him a while to come by another, and his clock waits.
func (w *world) diesUnderHim() {
	w.hush = time.Now().Add(w.scene.lasts)
	id, n := w.scatters()
	if n == nil {
		return
	}
	var waits func()
	waits = func() {
		t := w.games[id].shadow
		began, limit := t.Clock()
		left := time.Until(began.Add(limit))
		i := w.waitedFor(t)
		if _, owner := w.stage(); i < 0 || owner != n || left < 3200*time.Millisecond || left > 4*time.Second {
			w.then(200*time.Millisecond, waits)
			return
		}
		there := w.people[i].pages[0].at
		if there == nil || there == n || !there.lives() || !w.people[i].pages[0].watches {
			return
		}
		w.did["a node dies under whoever is waited for"]++
		w.orphaned = time.Now()
		for _, page := range w.people[i].pages {
			page.away = time.Now().Add(4500 * time.Millisecond)
		}
		there.isGone(20 * time.Second)
	}
	w.then(comeTime, waits)
}

// goesHomeBefore: whoever is waited for goes home, and then no node hears another. That he is not at their pages was known before, and his time is up as ever.
func (w *world) goesHomeBefore() {
	w.hush = time.Now().Add(w.scene.lasts)
	id, n := w.stage()
	if n == nil {
		return
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			page.goes(n)
		}
	}
	w.then(comeTime, func() {
		t := w.games[id].shadow
		i := w.waitedFor(t)
		if _, owner := w.stage(); i < 0 || owner != n {
			return
		}
		turn := t.Turn()
		for _, page := range w.people[i].pages {
			page.disconnect()
			page.away = w.hush
		}
		w.then(time.Second, func() {
			if t.Turn() == turn {
				w.did["no node hears another, and whoever is waited for had gone before"]++
			}
			w.mutes(true)
		})
		w.then(16*time.Second, func() { w.mutes(false) })
	})
}

// isCutOff: nobody moves, and everybody is at nodes that do not own the table when the bus reaches nobody. His time stands who cannot say anything.
func (w *world) isCutOff() {
	id, n := w.scatters()
	if n == nil {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts)
	w.then(comeTime+w.upTo(8*time.Second), func() {
		w.cut = time.Now()
		w.mutes(true)
	})
	w.then(comeTime+22*time.Second, func() {
		w.mutes(false)
		w.base.gaps[id] = append(w.base.gaps[id], fact.Outage{From: w.cut.Add(bus.Beat), To: time.Now()})
		w.cut = time.Time{}
	})
}

// comesAgainUnheard: nobody moves, and everybody is at the node that owns the table when the bus reaches nobody. Whoever is waited for goes, and comes again a moment later: he has had back what
// that took, and not what he had used before.
func (w *world) comesAgainUnheard() {
	id, n := w.stage()
	if n == nil {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts)
	for _, p := range w.people {
		for _, page := range p.pages {
			page.goes(n)
		}
	}
	w.then(comeTime, func() { w.mutes(true) })
	w.then(comeTime+6*time.Second+w.upTo(8*time.Second), func() {
		if t := w.games[id].shadow; t.Turn() < game.MaxSeats {
			w.hasGone(id, t.Sitter(t.Turn()).Guest, 300*time.Millisecond)
			w.base.gaps[id] = append(w.base.gaps[id], fact.Outage{From: time.Now(), To: time.Now().Add(300 * time.Millisecond)})
		}
	})
	w.then(comeTime+26*time.Second, func() { w.mutes(false) })
}

// isGone is that a node dies, and for so long no other begins.
func (n *node) isGone(d time.Duration) {
	if n.lives() {
		n.w.stops()
		n.kill("dies")
		n.w.in(d, n.w.begin)
	}
}

// diesMeanwhile: nobody moves, so time runs out, and the owner's node dies before or after.
func (w *world) diesMeanwhile() { w.diesAnd(nil) }

// diesAnd is diesMeanwhile, and what the database is asked from then on meets something, unless that is nil.
func (w *world) diesAnd(meets func(id wire.ID, c *call) error) {
	w.hush = time.Now().Add(time.Minute)
	w.then(w.upTo(4*time.Second), func() {
		id, n := w.stage()
		if n == nil {
			return
		}
		w.dies(n)
		if meets != nil {
			w.meets = func(c *call) error { return meets(id, c) }
		}
	})
}

// diesAndOnce is diesAnd, where the first question of a kind about the first table meets something, and no other.
func (w *world) diesAndOnce(what, happens string, meets func(c *call) error) {
	w.diesAnd(func(id wire.ID, c *call) error {
		if c.what != what || c.id != id {
			return nil
		}
		w.did[happens]++
		w.meets = nil
		return meets(c)
	})
}

// sweepsBlindly: the tables of a node that has died are found, and who lives cannot be read then. They go on all the same.
func (w *world) sweepsBlindly() {
	w.diesAnd(func(_ wire.ID, c *call) error {
		if c.what != "living" {
			return nil
		}
		w.did["it cannot be read who lives"]++
		return errNobody
	})
}

// goesAtOnce: while nobody has the table everybody comes for a moment to the only node that lives, and to the same again when it is long over.
func (w *world) goesAtOnce() {
	w.then(w.scene.lasts/3, func() { // two sit by then, and the others look on
		_, n := w.stage()
		if n == nil {
			return
		}
		i := slices.IndexFunc(w.living(), func(other *node) bool { return other != n })
		if i < 0 {
			return
		}
		m := w.living()[i]
		for _, other := range w.living() {
			if other != m {
				w.dies(other)
			}
		}
		for _, p := range w.people {
			for _, page := range p.pages {
				page.goes(m)
				page.disconnect()
				page.connect()
				synctest.Wait() // else it would be an accident what of that comes first
				w.then(100*time.Millisecond, func() {
					page.disconnect()
					page.away = time.Now().Add(10 * time.Second)
				})
			}
		}
	})
}

// isLost: somebody moves while no letter gets to the other pages' node, and then nobody says anything.
func (w *world) isLost() {
	w.gather(func(n *node, here []*page) {
		w.hush = time.Now().Add(9 * time.Second)
		w.then(3*time.Second, func() {
			i := slices.IndexFunc(here, func(p *page) bool { return p.at == n && p.watches && p.open == nil && len(p.knows().frame.Moves) > 0 })
			if i < 0 {
				return
			}
			k, elsewhere := here[i].knows(), w.elsewhere(n)
			for _, page := range elsewhere {
				page.at.mute.Store(true)
			}
			here[i].says(&said{Command: wire.Command{Do: "play", Seat: k.frame.You.String(), Seq: k.seq, Move: k.frame.Moves[0]}})
			w.then(400*time.Millisecond, func() {
				for _, page := range elsewhere {
					page.at.mute.Store(false)
				}
			})
			w.then(3*time.Second, func() { w.know(elsewhere) })
		})
	})
}

// isOldAndSilent: everybody is at nodes that do not own the table, and do not hear for two seconds of whoever does, whose letters are those of a version before.
func (w *world) isOldAndSilent() {
	w.gather(func(n *node, _ []*page) {
		others := slices.DeleteFunc(w.living(), func(other *node) bool { return other == n })
		n.old = true
		w.all(w.tables[0], func(page *page) { page.goes(others[w.rng.IntN(len(others))]) })
		w.then(comeTime, func() {
			n.dumb.Store(true)
			w.then(2*time.Second, func() { n.dumb.Store(false) })
			w.then(5*time.Second, func() { w.hush = time.Now().Add(3 * time.Second) })
			w.then(7*time.Second, func() {
				if _, owner := w.stage(); owner == n {
					w.know(w.elsewhere(n))
				}
			})
		})
	})
}

// isBlind: the bus brings everything to and from a node that has lost its tables, and does not know it, until somebody is taken for away.
func (w *world) isBlind() {
	w.gather(func(n *node, _ []*page) {
		w.hush = time.Now().Add((awayTime + 14) * time.Second)
		others := slices.DeleteFunc(w.living(), func(other *node) bool { return other == n })
		for i, p := range w.people {
			for k, page := range p.pages[1:] {
				page.goes(others[(i+k)%len(others)])
			}
		}
		w.then(4*time.Second, func() { w.note("the database does not answer %v any more", n); n.blind.Store(true) })
		w.then((awayTime+12)*time.Second, func() {
			w.know(w.elsewhere(n))
			n.blind.Store(false)
		})
	})
}

// waitsInDoubt: the database does not answer whoever owns a table, who says nothing then. Whoever asks for something there is told after a while that the house is busy.
func (w *world) waitsInDoubt() {
	w.gather(func(n *node, here []*page) {
		const doubt = 5 * time.Second // it is in, by then
		w.hush = time.Now().Add(w.scene.lasts - comeTime)
		n.blind.Store(true)
		w.then(doubt, func() {
			for _, p := range here {
				if p.at != n || !p.watches || p.open != nil {
					continue
				}
				p.says(&said{Command: wire.Command{Do: "watch", Seq: p.seq}})
				asked := p.open
				w.did["somebody waits for who is in doubt"]++
				w.then(11*time.Second, func() {
					if p.at == n && p.open == asked {
						w.fail("%v asked %v for its table a while ago, and hears nothing", p, n)
					}
				})
			}
		})
		w.then(w.scene.lasts-comeTime-8*time.Second, func() { n.blind.Store(false) })
	})
}

// isApart: whoever owns a table is cut off from the bus alone, or hears all and is not heard, and half of those who play there come by other nodes, which hear each other.
func (w *world) isApart() {
	w.gather(func(n *node, _ []*page) {
		if len(w.living()) < 3 {
			return
		}
		cutOff := &n.mute
		if w.chance(50) {
			cutOff = &n.dumb
		}
		cutOff.Store(true)
		w.then(deafTime+time.Second, func() { w.hush = time.Now().Add(3 * time.Second) })
		w.then(deafTime+3*time.Second, func() {
			if _, owner := w.stage(); owner == nil || owner == n {
				w.fail("%v has been cut off for so long, and who plays at its tables by other nodes waits for it", n)
			}
			w.know(w.elsewhere(n))
		})
		w.then(deafTime+4*time.Second, func() { cutOff.Store(false) })
	})
}

// elsewhere are the pages that watch the first table by other nodes.
func (w *world) elsewhere(n *node) (all []*page) {
	w.all(w.tables[0], func(page *page) {
		if page.at != nil && page.at != n && page.at.lives() && page.watches {
			all = append(all, page)
		}
	})
	return all
}

// know checks that pages know all that there is to know.
func (w *world) know(all []*page) {
	for _, page := range all {
		if seq := w.games[page.table].shadow.Seq(); page.watches && page.at != nil && page.seq != seq {
			w.fail("%v knows entry %d, and there has been %d for seconds", page, page.seq, seq)
		}
	}
	w.did["pages that know all"] += len(all)
}

// restsAndIsLost: a table has rested, and two who sit there look again, each at a node that does not own it. When it is long since they were gone
// its owner dies, or closes: each node that lives may take it, and hears later who looks at the other.
func (w *world) restsAndIsLost() {
	w.then(20*time.Second, func() { // two sit by then
		id := w.tables[0]
		w.hush = time.Now().Add(w.scene.lasts)
		w.all(id, func(p *page) {
			p.disconnect()
			p.away = time.Now().Add(70 * time.Second)
		})
		w.then(65*time.Second, func() {
			all := w.living()
			if _, rests, _ := w.base.Resting(always, id); !rests || w.base.has(id) > 0 || len(all) < 3 {
				return
			}
			w.did["a table rests"]++
			w.all(id, func(p *page) { p.goes(all[0]) })
			w.then(comeTime, func() {
				w.all(id, func(p *page) {
					if seat := w.games[id].shadow.SeatOf(p.guest.ID); seat < 2 && p != p.pages[0] {
						p.goes(all[1+seat])
					}
				})
			})
			w.then(time.Duration(awayTime+w.scene.away)*time.Second, func() {
				if _, n := w.stage(); n != nil && w.chance(50) {
					w.dies(n)
				} else if n != nil {
					w.note("%v closes", n)
					n.close()
					w.in(w.upTo(3*time.Second), w.begin)
				}
			})
		})
	})
}

// isSet: the clock of the machine that has the table is set, and the database takes longer to answer it from then on. Nobody moves, so time runs out again and again.
func (w *world) isSet() {
	w.then(20*time.Second, func() { // two sit by then
		w.hush = time.Now().Add(w.scene.lasts)
		if _, n := w.stage(); n != nil {
			n.set(w.backOnSome(2 * time.Second))
			n.lag = 20 * time.Millisecond
		}
	})
}

// leaps: somebody sets the clock of the machine that has the table by an hour. Nobody moves, so time runs out again and again.
func (w *world) leaps() {
	w.then(20*time.Second, func() { // two sit by then
		w.hush = time.Now().Add(w.scene.lasts)
		if _, n := w.stage(); n != nil {
			w.note("the clock of %v leaps", n)
			w.leapt = true
			n.shift(w.backOnSome(time.Hour))
		}
	})
}

// restsAlone: a table rests, and nobody comes to it. It is woken when somebody has been gone for too long, whoever had it last.
func (w *world) restsAlone() {
	w.then(20*time.Second, func() { // two sit by then
		w.hush = time.Now().Add(w.scene.lasts)
		w.all(w.tables[0], func(p *page) {
			p.disconnect()
			p.away = time.Now().Add(200 * time.Second)
		})
	})
}

// closesInSilence: all who look at a table are at another node when its owner closes, and nobody says anything. Soon another has it all the same.
func (w *world) closesInSilence() {
	_, n := w.stage()
	others := slices.DeleteFunc(w.living(), func(other *node) bool { return other == n })
	if n == nil || len(others) == 0 {
		return
	}
	w.all(w.tables[0], func(page *page) { page.goes(others[w.rng.IntN(len(others))]) })
	w.then(comeTime, func() {
		if _, owner := w.stage(); owner != n {
			return
		}
		w.hush = time.Now().Add(8 * time.Second)
		w.note("%v closes", n)
		n.close()
		w.in(w.anew(), w.begin)
		w.then(5*time.Second, func() {
			if _, owner := w.stage(); owner == nil {
				w.fail("the owner of a table has closed five seconds ago, people look at it, and nobody has it")
				return
			}
			w.know(w.elsewhere(n))
		})
	})
}

// isHalved: of two nodes that are left the bus brings nothing from the one to the other. One of them closes, and who looks by it goes to the other.
func (w *world) isHalved() {
	w.gather(func(n *node, here []*page) {
		for _, other := range w.living() {
			if other != n && other != here[0].pages[1].at {
				other.isGone(w.scene.lasts - 4*time.Second)
			}
		}
		if len(w.living()) != 2 {
			return
		}
		n.side = 1
		w.then(deafTime+2*time.Second, func() { w.hush = time.Now().Add(4 * time.Second) })
		w.then(deafTime+5*time.Second, func() {
			w.know(w.elsewhere(nil))
			n.side = 0
		})
	})
}

// isGoneBefore: everybody comes anew to the table, by any node, and its owner dies or sleeps before they have gone where they are led.
func (w *world) isGoneBefore() {
	id, n := w.stage()
	if n == nil {
		return
	}
	w.all(id, func(p *page) {
		p.disconnect()
		p.away, p.by = time.Time{}, ""
		p.connect()
		synctest.Wait() // else it would be an accident what of that comes first
	})
	w.then(50*time.Millisecond, func() {
		if w.chance(50) {
			w.dies(n)
			return
		}
		n.pause()
		w.then(time.Second+w.upTo(4*time.Second), n.goOn)
	})
}

// all does something with all pages at a table.
func (w *world) all(id wire.ID, do func(*page)) {
	for _, p := range w.people {
		for _, page := range p.pages {
			if page.table == id {
				do(page)
			}
		}
	}
}

// mutes is that the bus reaches nobody, or all.
func (w *world) mutes(so bool) {
	for _, n := range w.living() {
		n.mute.Store(so)
	}
}
