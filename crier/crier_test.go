package crier_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/crier"
	"caveau/fact"
	"caveau/game"
	"caveau/guests"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/push"
	"caveau/store/storetest"
	"caveau/wire"
)

// A square is where a crier goes about, in virtual time: what browsers were told, and what their services answer.
type square struct {
	t      *testing.T
	crier  *crier.Crier
	keeper storetest.Store
	log    bytes.Buffer

	mu     sync.Mutex
	told   []string
	read   []push.Message // what services read of it
	busy   int            // how many are sent to at once, and were at most
	most   int
	answer func(endpoint string, n int) error // to the n-th try
	tries  map[string]int
	slow   time.Duration // how long a service takes
	turn   wire.Mine     // what the table says
	silent int           // how often nobody can say whose turn it is
}

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // of a bubble's time

func inSquare(t *testing.T, test func(t *testing.T, s *square)) {
	synctest.Test(t, func(t *testing.T) {
		s := &square{t: t, keeper: storetest.Memory(), tries: map[string]int{}, turn: wire.Mine{Since: start}}
		s.open()
		defer func() { s.crier.Close() }()
		for _, id := range []wire.ID{"a", "b"} {
			first := fact.Entry{Seq: 1, At: start, Data: fact.Write(&fact.Made{Host: fact.Guest{ID: "ana"}}, fact.Receipt{}, nil)}
			if err := s.keeper.Append(t.Context(), id, first); err != nil {
				t.Fatal(err)
			}
		}
		test(t, s)
	})
}

func (s *square) open() {
	s.crier = crier.New(crier.Config{Keeper: s.keeper, Send: s.send, Games: games, Slog: slog.New(slog.NewTextHandler(&s.log, nil))})
	s.crier.Go(s, matchtest.Clock{})
}

func (s *square) send(ctx context.Context, to push.Subscription, m push.Message) error {
	s.mu.Lock()
	s.tries[to.Endpoint]++
	n := s.tries[to.Endpoint]
	s.busy++
	s.most = max(s.most, s.busy)
	s.told = append(s.told, fmt.Sprintf("%s %s %s", time.Since(start), to.Endpoint, m.Text))
	m.Text = nil // that is sealed
	s.read = append(s.read, m)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.busy--
		s.mu.Unlock()
	}()
	select {
	case <-time.After(s.slow):
	case <-ctx.Done():
		return push.Later{Err: ctx.Err()}
	}
	if s.answer == nil {
		return nil
	}
	return s.answer(to.Endpoint, n)
}

func (s *square) Mine(context.Context, wire.ID, string) (wire.Mine, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent > 0 {
		s.silent--
		return wire.Mine{}, false, errors.New("the disk is gone")
	}
	return s.turn, true, nil
}

func (*square) Keep(context.Context, wire.Guest, []byte, func(wire.ID) error) (wire.ID, error) {
	return "", nil
}
func (*square) Drop(context.Context, wire.ID, string) error { return nil }
func (s *square) Played(context.Context, wire.ID, string) (p wire.Played, ok bool, err error) {
	return p, false, nil
}

// browser is one of a guest that wants to be told.
func (s *square) browser(guest, endpoint, language string) {
	s.t.Helper()
	s.sharing("share", guest, endpoint, language)
}

// sharing is browser, where the browser and the house share that.
func (s *square) sharing(auth, guest, endpoint, language string) {
	s.t.Helper()
	err := s.keeper.Subscribe(s.t.Context(), guests.Subscription{Subscription: push.Subscription{Endpoint: endpoint, Auth: []byte(auth)}, Guest: guest, Session: "1", Language: language, Made: time.Now()})
	if err != nil {
		s.t.Fatal(err)
	}
}

// were says what browsers were told since it was asked last.
func (s *square) were(want ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.told)
	if !slices.Equal(s.told, want) {
		s.t.Errorf("they are told\n%q, not\n%q", s.told, want)
	}
	s.told = nil
}

// times is how often anybody was told since it was asked last.
func (s *square) times(want int) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.told) != want {
		s.t.Errorf("they are told %d times, not %d: %q", len(s.told), want, s.told)
	}
	s.told = nil
}

// moves is that the position was reached then about which the table asks.
func (s *square) moves(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn.Since = at
}

func (s *square) wants(guest string, browsers int) {
	s.t.Helper()
	if all, err := s.keeper.Subscriptions(s.t.Context(), guest); err != nil || len(all) != browsers {
		s.t.Errorf("%s wants to be told at %v (%v)", guest, all, err)
	}
}

func turn(guest string, n int) match.Call {
	return match.Call{Guest: guest, Why: match.Turned, N: n, At: start}
}

// games are what people call those that are played.
var games = []game.Info{{Name: "dawn-under", Editions: []game.Edition{{Name: "2004", Titles: map[string]string{"ru": "До рассвета"}}}}}

const anas = `{"table":"a","game":"toy","title":"toy","why":"turn","language":"fr"}`

// All browsers of a guest are told, each in its language, once, over a restart too; nobody else is.
func TestAllBrowsersOfAGuestAreTold(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.browser("ana", "one", "fr")
		s.browser("ana", "two", "ru")
		s.browser("ben", "bens", "en")
		s.crier.Call("a", "toy", turn("ana", 4))
		s.were("0s one "+anas, "0s two "+strings.Replace(anas, "fr", "ru", 1))
		s.crier.Call("a", "toy", turn("ana", 4))
		s.crier.Close()
		s.open()
		s.crier.Call("a", "toy", turn("ana", 4))
		s.crier.Call("a", "toy", turn("cleo", 4))
		s.were()
		until := start.Add(time.Hour)
		s.crier.Call("a", "toy", match.Call{Guest: "ben", Why: match.Late, N: 5, At: start, Until: until})
		s.were(`0s bens {"table":"a","game":"toy","title":"toy","why":"late","until":"2000-01-01T01:00:00Z","language":"en"}`)
		s.crier.Call("a", "toy", match.Call{Guest: "ben", Why: match.Late, N: 5, At: start, Until: until})
		s.were() // one browser is told once as well
		s.crier.Call("b", "toy", match.Call{Guest: "ben", Why: match.Late, N: 5, At: start, Until: start})
		s.were() // it is too late
	})
}

// What a service does not take now it is offered again, a few times, as long as it is so and he wants to know.
func TestAServiceThatIsBusy(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.answer = func(_ string, n int) error {
			if n <= 2 {
				return push.Later{After: time.Duration(n) * time.Minute, Err: errors.New("429")}
			}
			return nil
		}
		s.browser("ana", "one", "fr")
		s.crier.Call("a", "toy", turn("ana", 4))
		time.Sleep(3 * time.Hour)
		s.were("0s one "+anas, "1m0s one "+anas, "6m0s one "+anas)

		s.answer = func(string, int) error { return push.Later{Err: errors.New("503")} }
		s.crier.Call("a", "toy", turn("ana", 5))
		time.Sleep(3 * time.Hour)
		s.times(4)
		s.crier.Call("a", "toy", turn("ana", 6))
		time.Sleep(time.Second)
		s.moves(start.Add(time.Minute)) // and so she need not know any more
		time.Sleep(3 * time.Hour)
		s.times(1)
		s.moves(start)
		s.answer = func(string, int) error { return push.Later{After: 61 * time.Minute, Err: errors.New("503")} }
		s.crier.Call("a", "toy", turn("ana", 8))
		time.Sleep(5 * time.Hour)
		s.times(1) // that is too long to wait
		s.answer = func(string, int) error { return push.Later{Err: errors.New("503")} }
		s.crier.Call("a", "toy", turn("ana", 9))
		time.Sleep(time.Second)
		if _, err := s.keeper.End(t.Context(), "ana", "1", time.Now(), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Hour)
		s.times(1)
		if !strings.Contains(s.log.String(), "could not be told") || strings.Contains(s.log.String(), "one") {
			t.Errorf("the log says %s", s.log.String())
		}
	})
}

// A forgetful keeper cannot read or note anything so many times.
type forgetful struct {
	storetest.Store
	reads, notes atomic.Int64
	lost         atomic.Int64 // are noted all the same
}

func (f *forgetful) Subscriptions(ctx context.Context, guest string) ([]guests.Subscription, error) {
	if f.reads.Add(-1) >= 0 {
		return nil, errors.New("the disk is full")
	}
	return f.Store.Subscriptions(ctx, guest)
}

func (f *forgetful) Tell(ctx context.Context, guest string, table wire.ID, n int) (bool, error) {
	if f.notes.Add(-1) >= 0 {
		return false, errors.New("the disk is full")
	}
	first, err := f.Store.Tell(ctx, guest, table, n)
	if f.lost.Add(-1) >= 0 {
		return false, errors.New("the answer is lost")
	}
	return first, err
}

// What cannot be read or noted is tried again, as what a service does not take, as long as somebody is waited for; nobody is told twice by one who
// has heard that it is noted.
func TestWhatCannotBeNotedIsTriedAgain(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.crier.Close()
		keeper := &forgetful{Store: s.keeper}
		s.keeper = keeper
		s.open()
		s.browser("ana", "one", "fr")
		for n, c := range []struct {
			reads, notes int64
			lost         int64 // it is noted, and nobody hears that it was
			busy         bool  // the service, once, and then it cannot be read whether she wants to be told yet
			moved        bool
			called       bool // by another node, which has taken the table
			told         []string
		}{
			{reads: 1, told: []string{"30s"}},
			{notes: 2, told: []string{"5m30s"}},
			{reads: 1, notes: 2, told: []string{"35m30s"}},
			{reads: 4},
			{notes: 1, moved: true},
			{reads: 1, called: true},
			{busy: true, told: []string{"0s", "5m30s"}},
			{lost: 1, told: []string{"30s"}},
			{lost: 1, notes: 1, told: []string{"5m30s"}},
		} {
			began := time.Since(start)
			s.moves(start)
			keeper.reads.Store(c.reads)
			keeper.notes.Store(c.notes)
			keeper.lost.Store(c.lost)
			s.answer = nil
			if c.busy {
				s.answer = func(string, int) error {
					keeper.reads.Store(1)
					s.answer = nil
					return push.Later{Err: errors.New("503")}
				}
			}
			s.crier.Call("a", "toy", turn("ana", n+1))
			if c.moved {
				time.Sleep(time.Second)
				s.moves(start.Add(time.Minute))
			}
			if c.called {
				time.Sleep(time.Second)
				if first, err := keeper.Tell(t.Context(), "ana", "a", n+1); err != nil || !first {
					t.Fatalf("the other node is the first that calls: %t (%v)", first, err)
				}
			}
			time.Sleep(2 * time.Hour)
			var want []string
			for _, at := range c.told {
				after, _ := time.ParseDuration(at)
				want = append(want, fmt.Sprintf("%s one %s", began+after, anas))
			}
			s.were(want...)
		}
	})
}

// Where nobody can say whether he is waited for yet he is told all the same.
func TestNobodyCanSayWhetherHeIsWaitedFor(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.crier.Close()
		keeper := &forgetful{Store: s.keeper}
		s.browser("ana", "one", "fr")
		s.crier = crier.New(crier.Config{Keeper: keeper, Send: s.send, Slog: slog.New(slog.DiscardHandler)})
		s.crier.Go(s, matchtest.Clock{})
		s.moves(start)
		s.silent = 1
		keeper.reads.Store(1)
		s.crier.Call("a", "toy", turn("ana", 1))
		time.Sleep(time.Hour)
		s.times(1)
	})
}

// That a game has begun somebody is told again as well, whoever's turn it is.
func TestAGameHasBegunAndAServiceIsBusy(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.turn = wire.Mine{You: 1, Turn: 0, Since: start.Add(time.Second)}
		s.answer = func(_ string, n int) error {
			if n == 1 {
				return push.Later{Err: errors.New("503")}
			}
			return nil
		}
		s.browser("ana", "one", "fr")
		s.crier.Call("a", "toy", match.Call{Guest: "ana", Why: match.Begun, N: 1, At: start, Until: start.Add(time.Hour)})
		time.Sleep(time.Hour)
		s.times(2)
	})
}

// Whoever need not know any more, or cannot be told, takes nobody's place: however many there were, the next is told.
func TestWhoNeedNotKnowTakesNoPlace(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.browser("ana", "one", "fr")
		for n := range 4 {
			s.answer = func(string, int) error { return push.Later{Err: errors.New("503")} }
			for k := range 400 {
				s.crier.Call("a", "toy", turn("ana", 1+1000*n+k))
				time.Sleep(time.Millisecond)
			}
			if n%2 == 0 {
				s.moves(start.Add(time.Minute))
			}
			time.Sleep(3 * time.Hour)
			s.moves(start)
			s.answer, s.told = nil, nil
			s.crier.Call("a", "toy", turn("ana", 1000*(n+1)))
			time.Sleep(time.Second)
			s.times(1)
		}
	})
}

// A browser that wants nothing any more is forgotten, and so is one whose guest has not come for half a year.
func TestABrowserThatIsGone(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.answer = func(endpoint string, _ int) error {
			if endpoint == "gone" {
				return push.ErrGone
			}
			return errors.New("the push service refuses: 400")
		}
		s.browser("ana", "gone", "fr")
		s.browser("ana", "refuses", "fr")
		s.crier.Call("a", "toy", turn("ana", 4))
		s.were("0s gone "+anas, "0s refuses "+anas)
		s.wants("ana", 1)
		time.Sleep(181 * 24 * time.Hour)
		s.browser("ana", "was opened today", "fr")
		s.crier.Call("a", "toy", turn("ana", 5))
		s.were("4344h0m0s was opened today " + anas)
		s.wants("ana", 1)
	})
}

// However many are to be told, and however slow their services are, no table waits, and only so many are sent to at once.
func TestSlowServicesHoldUpNobody(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.slow = time.Hour // each is given up after seconds
		for i := range 20 {
			s.browser(fmt.Sprint("guest ", i), fmt.Sprint("browser ", i), "en")
			s.crier.Call("a", "toy", turn(fmt.Sprint("guest ", i), 4))
		}
		time.Sleep(20 * time.Second)
		s.times(16) // as fast as eight at once are given up
		time.Sleep(4 * time.Hour)
		s.times(20*4 - 16)
		if s.most != 8 {
			t.Errorf("%d are sent to at once", s.most)
		}
	})
}

// A service that takes nothing, however long, takes the places of its own browsers alone: those of others are told at once.
func TestAServiceThatIsDownKeepsNoOtherBrowserWaiting(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.browser("ana", "https://down/1", "fr")
		s.browser("ben", "https://up/1", "en")
		s.answer = func(endpoint string, _ int) error {
			if endpoint == "https://up/1" {
				return nil
			}
			time.Sleep(10 * time.Second)
			return push.Later{Err: errors.New("503")}
		}
		for n := range 1000 {
			s.crier.Call("a", "toy", turn("ana", n+1))
			time.Sleep(time.Millisecond)
		}
		s.times(8)
		s.crier.Call("b", "toy", turn("ben", 4))
		s.were("1s https://up/1 " + strings.NewReplacer(`"a"`, `"b"`, "fr", "en").Replace(anas))
	})
}

// What is told of a game is what its door sign tells, and no more.
func TestWhatIsTold(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		s.browser("ana", "one", "ru")
		s.crier.Call("a", "dawn-under", match.Call{Guest: "ana", Why: match.Begun, N: 1, At: start, Until: start.Add(7 * 24 * time.Hour)})
		synctest.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		var said map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(s.told[0], "0s one ")), &said); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"table": "a", "game": "dawn-under", "title": "До рассвета", "why": "begun", "until": "2000-01-08T00:00:00Z", "language": "ru"}
		if fmt.Sprint(said) != fmt.Sprint(want) {
			t.Errorf("she is told %v", said)
		}
	})
}

// Why somebody is told is in what is sealed: whoever passes it on reads the same, whatever it is.
func TestAServiceDoesNotReadWhy(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		for _, why := range []string{match.Begun, match.Turned, match.Late} {
			s.browser("ana", "one", "ru")
			s.moves(time.Now())
			s.crier.Call("a", "dawn-under", match.Call{Guest: "ana", Why: why, N: 1 + len(s.read), At: time.Now(), Until: time.Now().Add(time.Hour)})
			time.Sleep(time.Minute)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.read) != 3 || !reflect.DeepEqual(s.read[0], s.read[1]) || !reflect.DeepEqual(s.read[0], s.read[2]) {
			t.Errorf("the service reads %+v", s.read)
		}
		if topic := s.read[0].Topic; len(topic) != 32 { // that many a service takes at most (RFC 8030, section 5.4)
			t.Errorf("the topic is %q", topic)
		}
	})
}

// Of which table a message is a service cannot try either, though it knows the browser's address, and tables by name: for that it would have to know what the browser and
// the house share.
func TestAServiceDoesNotFindOutWhichTable(t *testing.T) {
	inSquare(t, func(t *testing.T, s *square) {
		for n, auth := range []string{"this", "that", "this"} {
			s.sharing(auth, "ana", "one", "ru")
			s.crier.Call("a", "dawn-under", match.Call{Guest: "ana", Why: match.Begun, N: 1 + n, At: time.Now(), Until: time.Now().Add(time.Hour)})
			time.Sleep(time.Minute)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.read) != 3 || s.read[0].Topic == s.read[1].Topic || s.read[0].Topic != s.read[2].Topic {
			t.Errorf("the service reads %+v", s.read)
		}
	})
}
