package nodes

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"caveau/crier"
	"caveau/game"
	"caveau/guests"
	"caveau/match"
	"caveau/push"
	"caveau/store/storetest"
	"caveau/wire"
)

// Who is called at his browsers, where his table changes nodes meanwhile: two criers know of one turn.

// A shelf is what is kept of guests, and cannot be read at first, or does not answer at first what it has noted.
type shelf struct {
	guests.Keeper
	mu    sync.Mutex
	fails int
	loses bool
}

func (s *shelf) Tell(ctx context.Context, guest string, table wire.ID, n int) (first bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, err = s.Keeper.Tell(ctx, guest, table, n); s.loses {
		s.loses = false
		return false, errNobody
	}
	return first, err
}

func (s *shelf) Subscriptions(ctx context.Context, guest string) ([]guests.Subscription, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails--; s.fails >= 0 {
		return nil, errNobody
	}
	return s.Keeper.Subscriptions(ctx, guest)
}

// rooms are those of a node, which cannot be looked into at first.
type rooms struct {
	guests.Rooms
	fails atomic.Int32
}

func (r *rooms) Mine(ctx context.Context, id wire.ID, guest string) (mine wire.Mine, his bool, err error) {
	if r.fails.Add(-1) >= 0 {
		return mine, false, errNobody
	}
	return r.Rooms.Mine(ctx, id, guest)
}

// isCalledByTwo: somebody has gone who is waited for. The node that is to call him cannot read at first which browsers he has, and another takes his table and calls him: one browser is told, and for the other
// its service has no time. There he wants to be told no more, and says so by another node. So the one browser is told once, and the other never. Sometimes it is noted that he is called, and nobody hears that it is:
// then he is called half a minute later, though nobody can say then whether he is waited for. Whoever could not be called at first, and has moved meanwhile, is not called.
func (w *world) isCalledByTwo() {
	id := w.tables[0]
	t := w.games[id].shadow
	turn := t.Turn()
	if turn >= game.MaxSeats || t.Sitter(turn).Guest == "" {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts)
	guest := t.Sitter(turn).Guest
	w.hasGone(id, guest, w.scene.lasts)
	store := storetest.Memory()
	if err := store.Append(w.night, id, w.base.entries(id)[0]); err != nil { // of a table that is not there nobody is told
		w.fail("a table is not noted: %v", err)
	}
	var mu sync.Mutex
	told, tried := map[string]int{}, map[string]int{}
	send := func(_ context.Context, to push.Subscription, _ push.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if tried[to.Endpoint]++; to.Endpoint == "https://push.example/busy" && tried[to.Endpoint] == 1 {
			return push.Later{Err: errors.New("it has no time")}
		}
		told[to.Endpoint]++
		return nil
	}
	moved := t.Sitter((turn + 1) % game.Seat(t.Seats())).Guest
	for service, guest := range map[string]string{"well": guest, "busy": guest, "moved": moved} {
		err := store.Subscribe(w.night, guests.Subscription{Subscription: push.Subscription{Endpoint: "https://push.example/" + service, Auth: []byte("share")}, Guest: guest, Session: service, Language: "en", Made: time.Now()})
		if err != nil {
			w.fail("a browser is not noted: %v", err)
		}
	}
	at, n := t.Reached()
	lost, tries := w.chance(50), 1
	if lost {
		tries = 0
	}
	for k, node := range w.living()[:2] {
		c := crier.New(crier.Config{Keeper: &shelf{Keeper: store, fails: 1 - k, loses: lost && k == 1}, Send: send, Slog: slog.New(slog.DiscardHandler)})
		context.AfterFunc(w.night, c.Close)
		of := &rooms{Rooms: node.house()}
		if lost {
			of.fails.Store(int32(k))
		}
		c.Go(of, node)
		w.then(2*time.Second+time.Duration(k)*3*time.Second, func() { c.Call(id, "toy", match.Call{Guest: guest, Why: match.Turned, N: 2 * n, At: at}) })
		w.in(w.scene.lasts-2*time.Second, func() {
			if k == 1 && node.lives() && t.Turn() == turn && !w.calm {
				w.did["somebody is called by two nodes"]++
				mu.Lock()
				defer mu.Unlock()
				if told["https://push.example/well"] != 1 || told["https://push.example/busy"] != 0 || tried["https://push.example/busy"] != tries {
					w.fail("somebody is called by two nodes for one turn, and wants to be told at one browser: %v of %v", told, tried)
				}
			}
		})
	}
	late := crier.New(crier.Config{Keeper: &shelf{Keeper: store, fails: 1}, Send: send, Slog: slog.New(slog.DiscardHandler)})
	context.AfterFunc(w.night, late.Close)
	late.Go(w.living()[0].house(), w.living()[0])
	late.Call(id, "toy", match.Call{Guest: moved, Why: match.Turned, N: 2*n - 1, At: at.Add(-time.Second)})
	w.in(w.scene.lasts-2*time.Second, func() {
		mu.Lock()
		defer mu.Unlock()
		if tried["https://push.example/moved"] > 0 && !w.calm {
			w.fail("somebody could not be called at first, has moved meanwhile, and is called")
		}
	})
	w.then(12*time.Second, func() { store.Unsubscribe(w.night, guest, "https://push.example/busy") })
}
