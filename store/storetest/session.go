package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"caveau/guests"
	"caveau/wire"
)

// What is given to whoever shows a session that lasts.

// session is the first one of a guest.
func session(guest string) guests.Badge {
	return guests.Badge{Guest: wire.Guest{ID: guest}, Session: "1"}
}

func someWay(guest, sum string, until int) guests.Way {
	return guests.Way{Sum: []byte(sum + "\x00\xff"), Of: session(guest), Until: minute(until).Add(7)}
}

func wantWay(t *testing.T, k Store, w guests.Way, now int, want bool) {
	t.Helper()
	got, there, err := k.Way(t.Context(), w.Sum, minute(now))
	if err != nil || there != want || there && !reflect.DeepEqual(got, w) {
		t.Errorf("under %q there is %v: %v (%v), want %v: %v", w.Sum, got, there, err, w, want)
	}
}

// Whoever has gone is given nothing, whether he has ended this session or all; and nobody else is the worse for it.
func whoHasGone(t *testing.T, open func(*testing.T) Store) {
	for name, end := range map[string]func(Store) error{
		"one": func(k Store) error {
			_, err := k.End(t.Context(), "ana", "1", minute(0), minute(60))
			return err
		},
		"all": func(k Store) error {
			_, err := k.EndAll(t.Context(), session("ana"), guests.Way{})
			return err
		},
		"forgotten": func(k Store) error { return k.Forget(t.Context(), "ana") },
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			before := someWay("ana", "before", 9)
			must(t, k.KeepWay(t.Context(), before, minute(1)))
			must(t, end(k))
			_, round, err := k.Ended(t.Context(), "ana", "2")
			must(t, err)
			later := someSubscription("ana", "2", "a", 1)
			later.Round = round
			must(t, k.Subscribe(t.Context(), later))
			_, all := k.EndAll(t.Context(), session("ana"), guests.Way{})
			wantEnded(t, k, "ana", "2", false, round)
			wantSubscriptions(t, k, "ana", later)
			made, program := k.MakeProgram(t.Context(), "place", 1, wire.Guest{ID: "p", Name: "P"}, session("ana"))
			taken, take := k.TakeWay(t.Context(), before)
			for what, err := range map[string]error{
				"passkey": k.AddPasskey(t.Context(), somePasskey("ana", "a", 1), session("ana")), "way": k.KeepWay(t.Context(), someWay("ana", "c", 9), minute(1)), "program": program, "end of all": all,
			} {
				if !errors.Is(err, guests.ErrEnded) {
					t.Errorf("%s: %v, want that the session has ended", what, err)
				}
			}
			if made || taken || take != nil {
				t.Errorf("a program is made: %v; a way is taken: %v (%v)", made, taken, take)
			}
			wantPasskeys(t, k, "ana")
			wantWay(t, k, someWay("ana", "c", 9), 1, false)
			wantEnded(t, k, "place", "", false, 0)
			wantNames(t, k, nil, "p")
			p := somePasskey("ben", "a", 1)
			must(t, k.AddPasskey(t.Context(), p, session("ben")))
			wantPasskeys(t, k, "ben", p)
		})
	}
}

func wantNames(t *testing.T, k Store, want map[string]string, of ...string) {
	t.Helper()
	if got, err := k.Names(t.Context(), of...); err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("they are called %v (%v), want %v", got, err, want)
	}
}

// A program has its round and its name at once; of two that are made in one place the second one has neither.
func programs(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	make := func(round int, program string, want bool) {
		t.Helper()
		if first, err := k.MakeProgram(t.Context(), "place", round, wire.Guest{ID: program, Name: program + "\x00"}, session("ana")); err != nil || first != want {
			t.Errorf("%s of round %d is made: %v (%v), want %v", program, round, first, err, want)
		}
	}
	make(2, "early", false)
	make(1, "first", true)
	make(1, "late", false)
	make(2, "second", true)
	for range 2 {
		wantEnded(t, k, "place", "", false, 2)
		wantNames(t, k, map[string]string{"first": "first\x00", "second": "second\x00"}, "early", "first", "late", "second")
		k = again(t, k, open)
	}
}

// Many make programs in one place at once: each round is one's.
func programsAtOnce(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	var made atomic.Int64
	together(8, func(i int) {
		for round := 1; round <= 5; round++ {
			first, err := k.MakeProgram(t.Context(), "place", round, wire.Guest{ID: fmt.Sprint(round, " of ", i), Name: "P"}, session("ana"))
			if err != nil {
				t.Error(err)
			}
			if first {
				made.Add(1)
			}
		}
	})
	if n := made.Load(); n != 5 {
		t.Errorf("of five rounds %d are begun", n)
	}
}

// A way is a guest's only one, for its time, and taken once.
func ways(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	old, anas, bens := someWay("ana", "old", 30), someWay("ana", "a", 20), someWay("ben", "b", 10)
	anas.Of.Session, anas.Of.Round = "2", 0
	for _, w := range []guests.Way{old, anas, bens} {
		must(t, k.KeepWay(t.Context(), w, minute(0)))
	}
	for range 2 {
		wantWay(t, k, old, 1, false)
		wantWay(t, k, anas, 20, true)
		wantWay(t, k, anas, 21, false)
		wantWay(t, k, bens, 10, true)
		k = again(t, k, open)
	}
	take := func(w guests.Way, want bool) {
		t.Helper()
		if first, err := k.TakeWay(t.Context(), w); err != nil || first != want {
			t.Errorf("%q is taken: %v (%v), want %v", w.Sum, first, err, want)
		}
	}
	take(old, false)
	take(anas, true)
	take(anas, false)
	wantWay(t, k, anas, 1, false)
	wantWay(t, k, bens, 1, true)
	must(t, k.KeepWay(t.Context(), anas, minute(11).Add(time.Second))) // and Ben's is over
	wantWay(t, k, bens, 1, false)
	var taken atomic.Int64
	together(8, func(int) {
		if first, err := k.TakeWay(t.Context(), anas); err != nil {
			t.Error(err)
		} else if first {
			taken.Add(1)
		}
	})
	if n := taken.Load(); n != 1 {
		t.Errorf("at once it is taken %d times", n)
	}
}

// Whoever ends all his sessions comes back by a way that is kept with that, in the session that begins; if nothing has ended there is none.
func waysBack(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	back := func(by guests.Badge, code string) guests.Way {
		w := someWay(by.ID, code, 9)
		w.Of.Session, w.Of.Round = code, by.Round+1
		return w
	}
	first := back(session("ana"), "a")
	_, err := k.EndAll(t.Context(), session("ana"), first)
	must(t, err)
	late := back(session("ana"), "b")
	if _, err := k.EndAll(t.Context(), session("ana"), late); !errors.Is(err, guests.ErrEnded) {
		t.Errorf("a session that has ended ends all: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.EndAll(gone, first.Of, back(first.Of, "c")); err == nil {
		t.Error("all have ended for somebody who has gone away")
	}
	for range 2 {
		wantWay(t, k, first, 1, true)
		wantWay(t, k, late, 1, false)
		wantWay(t, k, back(first.Of, "c"), 1, false)
		wantEnded(t, k, "ana", "a", false, 1)
		k = again(t, k, open)
	}
	_, err = k.EndAll(t.Context(), first.Of, guests.Way{})
	must(t, err)
	if taken, err := k.TakeWay(t.Context(), first); taken || err != nil {
		t.Errorf("a way of a session that has ended is taken: %v (%v)", taken, err)
	}
}
