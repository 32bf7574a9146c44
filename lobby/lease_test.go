package lobby_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/lobby"
	"caveau/lobby/daybook"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/wire"
)

// answers are after how long a database is asked by each who renews a lease, and answers at once; those of less ask in vain.
func answers(each ...time.Duration) func(string) (there, back time.Duration, lost bool) {
	return func(string) (there, back time.Duration, lost bool) {
		now := each[0]
		if len(each) > 1 {
			each = each[1:]
		}
		return max(now, -now), 0, now < 0
	}
}

// While nobody knows whether the lease of a node lasts it says nothing: of what was done, of what is refused, of what a table looks like. When it lasts all of that is
// said; when it is over nothing of it is, and whoever watches is cut off, also where nobody has said anything.
func TestWhoIsInDoubtWaits(t *testing.T) {
	for over, later := range map[bool]time.Duration{false: 1900 * time.Millisecond, true: -2500 * time.Millisecond} {
		inHouse(t, func(t *testing.T, h *house) {
			deeds := newRegister()
			deeds.away = answers(0, 1900*time.Millisecond, later, 0) // it is asked at the beginning, and from 0.5 to 2.4 and from 2.9 on
			h.lobby.Close()
			h.lobby = h.openAs(deeds, "here")
			id, other, calm := h.make(toy(2)), h.make(toy(2)), h.make(toy(2))
			ana, ben, eve, zoe := h.as("Ana", id), h.as("Ben", id), h.as("Eve", other), h.as("Zoe", calm)
			time.Sleep(3500 * time.Millisecond) // the lease lasts until 3, as far as the node knows, and in truth until 4.9
			ana.read()
			ben.read()
			before, frames := len(ana.said), len(ben.frames)
			ana.client.Do(wire.Command{ID: "bot", Do: "bot", Table: id, Seat: "B", Bot: "first"})
			ben.client.Do(wire.Command{ID: "start", Do: "start", Table: id})
			looked := make(chan error, 1)
			go func() { looked <- h.lobby.Look(t.Context(), other, func(*table.Table, wire.Card) {}) }()
			synctest.Wait()
			if entries, err := h.log.Entries(t.Context(), id, 0); err != nil || len(entries) != 2 {
				t.Errorf("the log has %d entries (%v)", len(entries), err)
			}
			ana.read()
			ben.read()
			if len(ana.said) != before || len(ben.said) != 1 || len(ben.frames) != frames || len(looked) > 0 {
				t.Errorf("whoever is in doubt tells %+v, %+v, and that a table is looked at %d times", ana.said[before:], ben.said[1:], len(looked))
			}
			time.Sleep(2 * time.Second)
			there := h.openAs(deeds, "there") // it sweeps when the other knows that its lease is over
			defer there.Close()
			time.Sleep(3 * time.Second)
			ana.read()
			ben.read()
			if told := len(ana.said)-before == 1 && len(ben.said) == 2 && len(ben.frames) > frames; told == over {
				t.Errorf("lease over %t: Ana is told %+v, Ben %+v", over, ana.said[before:], ben.said[1:])
			}
			if err := <-looked; (wire.AsError(err).Code == "busy") != over {
				t.Errorf("lease over %t: whoever has looked at a table is told %v", over, err)
			}
			for _, p := range []*person{ana, ben, eve, zoe} {
				if _, cut := p.client.Take(nil); cut != over {
					t.Errorf("lease over %t: %s is cut off: %t", over, p.name, cut)
				}
			}
			if owner := deeds.owns(calm); over != (owner == "there") {
				t.Errorf("lease over %t: the table is owned by %q", over, owner)
			}
			if err := h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) {}); (wire.AsError(err).Code == "busy") != over {
				t.Errorf("lease over %t: whoever comes then is told %v", over, err)
			}
		})
	}
}

// Whoever has waited for long while nobody knows whether the lease lasts is told that the house is busy, once: who said what is being done, who said something since, and
// who looks in. When it is over they are cut off, and hear nothing else.
func TestWhoWaitsForTheLeaseIsTold(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.away = answers(0, 0, 20*time.Second, 0) // it is asked at 0.5 and 1, and answers the second time when 21 have passed
		h.lobby.Close()
		h.lobby = h.openAs(deeds, "here")
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		time.Sleep(4 * time.Second)
		ana.read()
		ben.read()
		before := [2]int{len(ana.said), len(ben.said)}
		ana.client.Do(wire.Command{ID: "bot", Do: "bot", Table: id, Seat: "B", Bot: "first"})
		synctest.Wait()
		ben.client.Do(wire.Command{ID: "too", Do: "bot", Table: id, Seat: "B", Bot: "first"})
		looked := make(chan error, 1)
		go func() { looked <- h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) {}) }()
		time.Sleep(11 * time.Second)
		ana.read()
		ben.read()
		for i, p := range []*person{ana, ben} {
			if told := p.said[before[i]:]; len(told) != 1 || told[0].OK || told[0].Error.Code != "busy" {
				t.Errorf("%s is told %+v", p.name, told)
			}
		}
		synctest.Wait()
		if len(looked) == 0 {
			t.Error("whoever looks in waits still")
		} else if err := <-looked; wire.AsError(err).Code != "busy" {
			t.Errorf("whoever looks in is told %v", err)
		}
		time.Sleep(10 * time.Second)
		for _, p := range []*person{ana, ben} {
			if m, cut := p.client.Take(nil); len(m) > 0 || !cut {
				t.Errorf("when the lease is over %s is told %d things more, and is cut off: %t", p.name, len(m), cut)
			}
		}
	})
}

// However late the database answers, and whoever is asked what: a node tells nothing once its tables were given to another, and they go on there.
func TestNobodyTellsWhatIsAnothers(t *testing.T) {
	stories := 100
	if testing.Short() {
		stories = 20
	}
	told, ended := 0, 0
	for seed := range uint64(stories) {
		inHouse(t, func(t *testing.T, h *house) {
			rng := rand.New(rand.NewPCG(seed, 17))
			deeds, opened := newRegister(), false
			deeds.away = func(node string) (there, back time.Duration, lost bool) {
				if node == "there" {
					return 0, 0, false
				}
				if first := !opened; first || rng.IntN(25) > 0 {
					opened = true
					return 0, 0, false
				}
				return time.Duration(rng.Int64N(int64(3 * time.Second))), time.Duration(rng.Int64N(int64(time.Second))), rng.IntN(3) == 0
			}
			h.lobby.Close()
			h.lobby = h.openAs(deeds, "here")
			there := h.openAs(deeds, "there")
			defer there.Close()
			id := h.make(toy(2))
			var n atomic.Int64
			for i, name := range []string{"Ana", "Ben", "Eve"} {
				var late atomic.Bool // he was told something when the lease was over
				s := h.lobby.Connect(visitor(name), func() {
					deeds.mu.Lock()
					defer deeds.mu.Unlock()
					late.Store(deeds.over["here"])
				})
				defer s.Close()
				go func() {
					for k := range 100 {
						c := wire.Command{ID: fmt.Sprint(i, k), Table: id, Do: "watch"}
						if k%2 > 0 {
							c.Do, c.Seat, c.Bot = []string{"sit", "start", "leave", "phrase", "bot"}[k/2%5], "B", "first"
						}
						s.Do(c)
						for range 20 {
							time.Sleep(10 * time.Millisecond)
							for m, _ := s.Take(nil); len(m) > 0; m, _ = s.Take(nil) {
								n.Add(1)
								if late.Load() && !bytes.Contains(m[0].Text, []byte(`"code":"busy"`)) {
									t.Errorf("seed %d: %s is told %s of a table that is another's", seed, name, m[0].Text)
								}
							}
						}
					}
				}()
			}
			time.Sleep(30 * time.Second)
			synctest.Wait()
			told += int(n.Load())
			deeds.mu.Lock()
			over, owner := deeds.over["here"], deeds.owner[id]
			deeds.mu.Unlock()
			if over {
				ended++
			}
			if over != (owner == "there") {
				t.Errorf("seed %d: the lease is over: %t, and the table is owned by %q", seed, over, owner)
			}
		})
	}
	if told < 40*stories || ended < stories/4 || ended > stories*3/4 {
		t.Errorf("in %d stories %d things are told, and %d leases end: that shows little", stories, told, ended)
	}
}

// A stubborn database does not answer while it is told not to: to what is asked for a lease, or to whoever sweeps or gives a table back, until he asks no longer.
type stubborn struct {
	*node
	renews, sweeps, gives, takes atomic.Bool
}

func (s *stubborn) Renew(ctx context.Context, lasts time.Duration, hears ...int64) error {
	if s.renews.CompareAndSwap(true, false) { // once
		<-ctx.Done()
		return ctx.Err()
	}
	return s.node.Renew(ctx, lasts, hears...)
}

func (s *stubborn) Sweep(ctx context.Context) ([]wire.ID, error) {
	if s.sweeps.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.node.Sweep(ctx)
}

// Take: what was done nobody hears.
func (s *stubborn) Take(ctx context.Context, id wire.ID) (term int64, err error) {
	if term, err = s.node.Take(ctx, id); s.takes.Load() {
		err = errors.New("nobody answers")
	}
	return term, err
}

func (s *stubborn) Give(ctx context.Context, id wire.ID, term int64, left fact.Left) error {
	if s.gives.Load() {
		return errors.New("nobody answers")
	}
	return s.node.Give(ctx, id, term, left)
}

// openWith opens the lobby of a node with these deeds, over this log.
func (h *house) openWith(deeds fact.Deeds, log fact.Log) {
	h.t.Helper()
	h.lobby.Close()
	l, err := lobby.Open(h.t.Context(), lobby.Config{
		Log: log, Deeds: deeds, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(9), Untouched: time.Hour, Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.lobby = l
}

// One question for a lease that nobody answers costs no lease, nor does a sweep that waits for somebody who sleeps.
func TestALeaseOutlivesAQuestion(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.lend("here")
		here := &stubborn{node: &node{deeds, "here", h.log}}
		h.openWith(here, h.log)
		id := h.make(toy(2))
		ana := h.as("Ana", id)
		here.sweeps.Store(true)
		for range 5 {
			here.renews.Store(true)
			time.Sleep(4 * time.Second)
			if a := ana.later(wire.Command{Do: "watch"}, time.Second); !a.OK {
				t.Fatalf("Ana is told %+v", a)
			}
		}
		select {
		case <-h.lobby.Ended():
			t.Error("the lease is over")
		default:
		}
	})
}

// stubborn opens the house anew as the node "here", with such a database. Ana plays with a bot, at a table that waits for her for an hour.
func (h *house) stubborn() (here *stubborn, ana *person) {
	h.t.Helper()
	deeds := newRegister()
	deeds.lend("here")
	here = &stubborn{node: &node{deeds, "here", h.log}}
	h.openWith(here, h.log)
	setup := toy(2, "first")
	setup.AwayTime = 3600
	ana = h.as("Ana", h.make(setup))
	ana.ok(wire.Command{Do: "start"})
	return here, ana
}

// A table that cannot be given back when nobody needs it is given back when it can be: nobody else could take it.
func TestATableIsGivenBackLater(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		here, ana := h.stubborn()
		here.gives.Store(true)
		ana.client.Close()
		time.Sleep(5 * time.Minute)
		if owner := here.owns(ana.table); owner != "here" {
			t.Fatalf("the table is owned by %q", owner)
		}
		here.gives.Store(false)
		time.Sleep(time.Second)
		if owner := here.owns(ana.table); owner != "" {
			t.Errorf("the table is owned by %q; the house says\n%s", owner, &h.said)
		}
	})
}

// Where it broke whoever watches hears so at once, and not when it can be given back.
func TestATableThatBreaksIsGivenBackLater(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		here, ana := h.stubborn()
		here.gives.Store(true)
		watcher := h.as("Ben", ana.table)
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault { panic("a bug") })
		ana.refused("storage", wire.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
		h.log.Fail(nil)
		time.Sleep(time.Second)
		if _, cut := watcher.client.Take(nil); !cut {
			t.Error("Ben waits for ever")
		}
		here.gives.Store(false)
	})
}

// So is one of which nobody knows whether this node has taken it.
func TestATableThatMayBeTakenIsGivenBack(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		here, ana := h.stubborn()
		ana.client.Close()
		time.Sleep(5 * time.Minute)
		if owner := here.owns(ana.table); owner != "" {
			t.Fatalf("nobody is there, and the table is owned by %q", owner)
		}
		here.takes.Store(true)
		ana = &person{t: t, name: "Ana", client: h.lobby.Connect(visitor("Ana"), func() {}), table: ana.table}
		ana.refused("storage", wire.Command{Do: "watch"})
		time.Sleep(time.Second)
		if owner := here.owns(ana.table); owner != "" {
			t.Errorf("the table is owned by %q, which does not know it", owner)
		}
	})
}

// Whoever comes while a table waits to be given back is there for all who come afterwards.
func TestWhoComesWhileATableIsGivenBack(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		here, ana := h.stubborn()
		here.gives.Store(true)
		ana.client.Close()
		time.Sleep(5 * time.Minute)
		ana = h.as("Ana", ana.table)
		here.gives.Store(false)
		time.Sleep(time.Minute)
		watcher := h.as("Ben", ana.table)
		ana.play("keep")
		ana.read()
		watcher.read()
		if ana.moves() == 0 {
			t.Fatal("nobody has moved")
		}
		watcher.mustFollow(ana.moves())
	})
}

// A slow log takes its time to say what there is.
type slowLog struct{ fact.Log }

func (s slowLog) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	time.Sleep(10 * time.Second)
	return s.Log.Due(ctx, by)
}

// However long a node takes to open, it has its lease when it has.
func TestWhoOpensSlowlyHasALease(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.lend("here")
		h.openWith(&node{deeds, "here", h.log}, slowLog{h.log})
		h.as("Ana", h.make(toy(2)))
		time.Sleep(10 * time.Second)
		select {
		case <-h.lobby.Ended():
			t.Error("the lease is over")
		default:
		}
	})
}

// A sweeper sweeps once when it is late enough, and its answer takes a while.
type sweeper struct {
	*node
	from time.Time
}

func (s *sweeper) Sweep(ctx context.Context) (free []wire.ID, err error) {
	if time.Now().Before(s.from) {
		return nil, nil
	}
	s.from = s.from.Add(time.Hour)
	free, err = s.node.Sweep(ctx)
	time.Sleep(time.Second)
	return free, err
}

// What a node has swept it wakes, also where it does not know, when the answer comes, whether its own lease lasts: it was told to nobody else.
func TestWhatIsFreeForWhoIsInDoubt(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		id := h.make(toy(2, "first"))
		h.as("Ana", id).ok(wire.Command{Do: "start"})
		h.lobby.Close()
		deeds.lend("there")
		deeds.have(id, "there")
		deeds.away = answers(0, 1900*time.Millisecond, 1900*time.Millisecond, 0) // it is asked from 0.5 to 2.4 and from 2.9 to 4.8: the lease lasts until 3, as far as the node knows then
		deeds.lend("here")
		h.openWith(&sweeper{&node{deeds, "here", h.log}, time.Now().Add(2500 * time.Millisecond)}, h.log)
		deeds.end("there")
		time.Sleep(5 * time.Second)
		if owner := deeds.owns(id); owner != "here" {
			t.Errorf("the table is owned by %q", owner)
		}
	})
}

// A quicker log has a table owned by another as soon as it has its first entry.
type quicker struct {
	fact.Log
	deeds *register
}

func (q quicker) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	err := q.Log.Append(ctx, id, e)
	if e.Seq == 1 {
		q.deeds.have(id, "there")
	}
	return err
}

// Whoever makes a table that another node wakes before his own has made it.
func TestATableThatIsWokenElsewhereAsItIsMade(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.lend("here")
		h.openWith(&node{deeds, "here", h.log}, quicker{h.log, deeds})
		if id := h.make(toy(2)); deeds.owns(id) != "there" {
			t.Errorf("the table is owned by %q", deeds.owns(id))
		}
	})
}

// A late node does not hear in time what others have taken.
type late struct{ *node }

func (late) Taken(context.Context) ([]wire.ID, error) { return nil, nil }

// A table is to be woken as long as it is due, however often another node was quicker.
func TestWhoeverWasSlowerTriesAgain(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.lend("here")
		h.openWith(late{&node{deeds, "here", h.log}}, quicker{h.log, deeds})
		id := h.make(toy(2))
		time.Sleep(20 * daybook.Pulse)
		if deeds.owns(id) != "there" || deeds.vain < 10 {
			t.Fatalf("it is owned by %q, and was to be taken %d times", deeds.owns(id), deeds.vain)
		}
		deeds.have(id, "")
		time.Sleep(daybook.Pulse + time.Second)
		if deeds.owns(id) != "here" {
			t.Errorf("nobody else has it, and it is owned by %q", deeds.owns(id))
		}
	})
}

// A node is deaf that others do not hear for seconds who hear each other; and none is where the bus reaches nobody.
func TestWhoIsDeaf(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		third := n.node("third")
		defer third.lobby.Close()
		deaf := func(h *house) bool {
			select {
			case <-h.lobby.Deaf():
				return true
			default:
				return false
			}
		}
		mustBeDeaf := func(what string, want bool) {
			t.Helper()
			if deaf(here) || deaf(there) != want || deaf(third) {
				t.Errorf("%s: deaf are %v, %v and %v", what, deaf(here), deaf(there), deaf(third))
			}
		}
		time.Sleep(time.Minute)
		for _, s := range n.sides {
			s.mute.Store(true)
			s.gone.Store(true)
		}
		time.Sleep(time.Minute)
		mustBeDeaf("the bus is away", false)
		for _, s := range n.sides { // they find it again one after the other
			s.mute.Store(false)
			s.gone.Store(false)
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		mustBeDeaf("it is there again", false)
		n.sides[1].mute.Store(true)
		time.Sleep(4 * time.Second)
		n.sides[1].mute.Store(false)
		time.Sleep(time.Minute)
		mustBeDeaf("one was not heard for a while", false)
		n.sides[1].mute.Store(true)
		time.Sleep(10 * time.Second)
		mustBeDeaf("one is not heard", true)
	})
}

// Who wants to sit down, and whose name cannot be read, is told nothing of it by a node whose lease is over: another may have the table, and he sit there.
func TestWhoCannotBeNamedWhileTheLeaseIsOver(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.away = answers(0, 1900*time.Millisecond, -2500*time.Millisecond, 0)
		h.lobby.Close()
		log := &unreadNames{Log: h.log.Log}
		h.log.Log = log
		h.lobby = h.openAs(deeds, "here")
		id := h.make(toy(2))
		ben := h.as("Ben", id)
		time.Sleep(3500 * time.Millisecond)
		log.times.Store(1000)
		ben.read()
		before := len(ben.said)
		ben.client.Do(wire.Command{ID: "sit", Do: "sit", Table: id, Seat: "B"})
		time.Sleep(4 * time.Second)
		if ben.read(); len(ben.said) > before {
			t.Errorf("he is told %+v", ben.said[before:])
		}
		if _, cut := ben.client.Take(nil); !cut {
			t.Error("he does not come again")
		}
	})
}
