package nodes

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	"caveau/lobby"
	"caveau/server"
	"caveau/table"
	"caveau/wire"
)

// What is said to all nodes of a house, and what one may have by all of them.

// changesHalfHeard: somebody takes another name at a node from which the bus brings nothing just then. It is said for some seconds, so all others look all the same, and do not wait for a pulse.
func (w *world) changesHalfHeard() {
	living := w.living()
	n, guest := living[0], w.people[0].guest.ID
	for k := range 3 {
		w.then(time.Duration(2+7*k)*time.Second, func() {
			began := time.Now()
			n.dumb.Store(true)
			go n.house().Changed(guest)
			w.then(1200*time.Millisecond, func() { n.dumb.Store(false) })
			w.then(soonTold, func() {
				for _, o := range living[1:] {
					if w.did["what has changed is not heard at first"]++; n.lives() && o.lives() && o.lookedAt(guest).Before(began) {
						w.fail("%v has said for seconds that something has changed of somebody, and %v has not looked", n, o)
					}
				}
			})
		})
	}
}

// mostMade is how many tables one guest may make, so soon after each other; mostThere how many may be made from one address.
const (
	mostMade  = 4
	mostThere = 10
	mostWays  = 6 // as in package guests
)

// makesManyByAll: somebody makes tables by all nodes in turn, and links to another device, from another address each time. He may make as many as by one. And so may people of one address together.
func (w *world) makesManyByAll() {
	doors, began := w.doors(server.Limits{}), time.Now()
	w.living()[0].Spent("what only a later version makes", "its address", "its guest") // the others know nothing of that
	makes := func(k int, from, cookie string, made *int) {
		doors[k%len(doors)].asks(from, cookie, http.MethodPost, "/api/tables", `{"game":"toy","edition":"endless","seats":2,"sit":true,"listed":true}`, func(said *httptest.ResponseRecorder) {
			if said.Code == http.StatusCreated {
				*made++
			}
		})
	}
	made, there, ways := 0, 0, 0
	doors[0].comes("198.51.100.7", func(said *httptest.ResponseRecorder) {
		doors[0].asks("198.51.100.7", given(said), http.MethodPost, "/api/programs", `{"name":"Robbie"}`, func(brought *httptest.ResponseRecorder) {
			if brought.Code != http.StatusOK && w.fine(began) {
				w.fail("somebody brings a program, and is answered %d: %s", brought.Code, brought.Body)
			}
		})
		for k := range mostWays + 3 {
			w.then(time.Duration(k)*800*time.Millisecond, func() {
				doors[k%len(doors)].asks(fmt.Sprint("198.51.100.", 20+k), given(said), http.MethodPost, "/api/guest/way", "{}", func(made *httptest.ResponseRecorder) {
					if made.Code == http.StatusOK {
						ways++
					}
				})
			})
		}
		for k := range 3 * mostMade {
			w.then(time.Duration(k+1)*400*time.Millisecond, func() { makes(k, fmt.Sprint("198.51.100.", 20+k), given(said), &made) })
		}
	})
	for guest := range 3 {
		w.then(time.Duration(guest+1)*60*time.Millisecond, func() { // no two ask at one moment: which drew first would be chance
			doors[0].comes("198.51.100.8", func(said *httptest.ResponseRecorder) {
				for k := range mostMade {
					w.then(time.Duration(3*k+guest+1)*400*time.Millisecond, func() { makes(k+guest, "198.51.100.8", given(said), &there) })
				}
			})
		})
	}
	w.then((3*mostMade+8)*400*time.Millisecond, func() {
		w.did["somebody makes many tables by all nodes"]++
		switch {
		case !w.fine(began):
		case made != mostMade:
			w.fail("somebody makes %d tables by all nodes, and may make %d", made, mostMade)
		case ways != mostWays:
			w.fail("somebody makes %d links to another device by all nodes, and may make %d", ways, mostWays)
		case there != mostThere:
			w.fail("people of one address make %d tables by all nodes, and may make %d", there, mostThere)
		}
	})
}

// keepsAndDrops: somebody has a game of his device kept, and people look at it by two nodes when he has it deleted by the one that does not have it, and says so again by the one that had. Nobody looks at what is not there: they are cut off, and who comes
// later hears that there is no such table.
func (w *world) keepsAndDrops() {
	living := w.living()
	n, m, keeper := living[0], living[1], w.people[0].guest
	text := []byte(w.gameOfDevice())
	kept := make(chan wire.ID, 1)
	go func() {
		id, err := n.house().Keep(w.night, keeper, text, func(wire.ID) error { return nil })
		if err != nil {
			w.fail("a game of a device is not kept: %v", err)
		}
		kept <- id
	}()
	w.then(500*time.Millisecond, func() {
		id := <-kept
		comes := func(at *node) *lobby.Session {
			s := at.house().Connect(lobby.Visitor{Guest: keeper}, func() {})
			s.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
			return s
		}
		var pages []*lobby.Session
		for k, at := range []*node{n, m, m} {
			w.then(time.Duration(1+k)*500*time.Millisecond, func() { pages = append(pages, comes(at)) })
		}
		drops := func(at *node) {
			done := make(chan error, 1)
			go func() { done <- at.house().Drop(w.night, id, keeper.ID) }()
			w.then(900*time.Millisecond, func() {
				if len(done) == 0 {
					w.fail("a game is to be deleted by %v, and nobody answers", at)
				} else if err := <-done; err != nil {
					w.fail("a game is to be deleted by %v, and that is answered: %v", at, err)
				}
			})
		}
		w.then(3*time.Second, func() { drops(m) })
		w.then(4*time.Second, func() {
			if len(w.base.entries(id)) > 0 {
				w.fail("a game that %v has is to be deleted by %v, and is there yet", n, m)
			}
			drops(n)
		})
		w.then(4500*time.Millisecond, func() { pages = append(pages, comes(m)) })
		w.in(12*time.Second, func() {
			for k, page := range pages {
				if len(pages) <= 3 { // it has become calm meanwhile
					page.Close()
					continue
				}
				w.did["a game is deleted that is looked at"]++
				heard, cut := hears(page)
				switch late := k == len(pages)-1; {
				case !late && !cut:
					w.fail("a game was deleted seconds ago, and who looked at it by page %d does not hear of it: %s", k, heard)
				case late && !cut && !bytes.Contains(heard, []byte(wire.CodeNoTable)):
					w.fail("somebody comes to a game that was deleted, and is told %s", heard)
				}
				page.Close()
			}
		})
	})
}

// hears is what a page was told, and whether it was cut off then.
func hears(page *lobby.Session) (heard []byte, cut bool) {
	all, cut := page.Take(nil)
	for !cut && len(all) > 0 {
		for _, m := range all {
			heard = append(heard, m.Text...)
		}
		all, cut = page.Take(nil)
	}
	return heard, cut
}

// putsAway: a node begins where nothing is kept that is over, while somebody looks at such a game by another. It waits for that, and whoever comes by the new one is shown the game as well. When nobody has looked for long it is
// put away by the next that begins, and no other shows it any more.
func (w *world) putsAway() {
	living := w.living()
	n, keeper := living[0], w.people[0].guest
	kept := make(chan wire.ID, 1)
	text := []byte(w.gameOfDevice())
	go func() {
		id, err := n.house().Keep(w.night, keeper, text, func(wire.ID) error { return nil })
		if err != nil {
			w.fail("a game of a device is not kept: %v", err)
		}
		kept <- id
	}()
	comes := func(at *node, id wire.ID) *lobby.Session {
		s := at.house().Connect(lobby.Visitor{Guest: keeper}, func() {})
		s.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
		return s
	}
	w.then(500*time.Millisecond, func() {
		id := <-kept
		looks := comes(n, id)
		w.then(time.Second, func() { living[1].isGone(time.Second) })
		w.then(8*time.Second, func() {
			now := w.living()
			next := now[len(now)-1]
			late := comes(next, id)
			w.then(time.Second, func() {
				if heard, cut := hears(late); cut || !bytes.Contains(heard, []byte(`"frame"`)) {
					w.fail("somebody comes by %v, which has begun since, to a game that is looked at by %v, and is told (cut off: %t) %s", next, n, cut, heard)
				}
				looks.Close()
				late.Close()
			})
		})
		asks := func() <-chan error { // how it stands, by a node that remembers it for a while
			told := make(chan error, 1)
			go func() {
				_, err := n.house().Card(w.night, id)
				told <- err
			}()
			return told
		}
		w.then(79*time.Second, func() { asks() })
		w.then(80*time.Second, func() { living[2].isGone(time.Second) })
		w.then(90*time.Second, func() {
			w.did["what was played is put away"]++
			if len(w.base.entries(id)) > 0 {
				w.fail("what was played is not put away by a node that has begun when nobody has looked at it for a minute")
				return
			}
			told := asks()
			w.then(time.Second, func() {
				if err := <-told; n.lives() && (err == nil || wire.AsError(err).Code != wire.CodeNoTable) {
					w.fail("a game that was put away by another node is shown by %v yet: %v", n, err)
				}
			})
		})
	})
}

// gameOfDevice is the record of a game that was played on somebody's own device, each time another.
func (w *world) gameOfDevice() string {
	return fmt.Sprintf(`{"format": "caveau/1", "game": "toy", "players": ["Xaver", "Yvonne"], "deal": {"first": "A", "numbers": [50, %d]},
		"moves": ["A show", "B keep", "A keep", "B keep", "A keep", "B keep"], "table": {"aid": "all", "device": true, "byBot": [1]}, "notes": %q}`, 60, fmt.Sprint(time.Since(w.start)))
}

// looksAway: somebody moves by a node that does not own the table, and looks at it no longer, while the bus brings nothing from that node for a moment. It is done, and he is answered.
func (w *world) looksAway() {
	w.gather(func(n *node, _ []*page) {
		w.hush = time.Now().Add(9 * time.Second)
		w.then(3*time.Second, func() {
			id, t := w.tables[0], w.games[w.tables[0]].shadow
			i := slices.IndexFunc(w.people, func(p *person) bool { return t.State() == table.Running && t.SeatOf(p.guest.ID) == t.Turn() })
			others := slices.DeleteFunc(w.living(), func(other *node) bool { return other == n })
			if i < 0 || len(others) == 0 {
				return
			}
			p, m := w.people[i], w.any(others)
			session := m.house().Connect(p.visitor(), func() {})
			gone := w.visits(p, id, m)
			w.in(6*time.Second, func() { // in the calm, too
				link{m, session}.close()
				gone()
			})
			session.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
			w.then(time.Second, func() {
				if !m.lives() || t.SeatOf(p.guest.ID) != t.Turn() {
					return
				}
				m.dumb.Store(true)
				p.n++
				move := wire.Command{ID: fmt.Sprintf("%s-away-%d", p.name, p.n), Do: "play", Table: id, Seat: t.Turn().String(), Seq: t.Seq(), Move: "peek"}
				session.Do(move)
				session.Do(wire.Command{ID: "aside", Do: "unwatch", Table: id})
				w.in(400*time.Millisecond, func() { m.dumb.Store(false) })
				w.then(4*time.Second, func() {
					heard, cut := hears(session)
					if !cut && m.lives() && !bytes.Contains(heard, []byte(`"re":"`+move.ID+`"`)) {
						w.fail("%s has moved by %v and looked away, and is not answered: %s", p.name, m, heard)
					}
					w.did["somebody who has looked away is answered"]++
				})
			})
		})
	})
}
