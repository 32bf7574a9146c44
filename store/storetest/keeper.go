package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/guests"
	"caveau/push"
	"caveau/store/memory"
	"caveau/wire"
)

// A Store keeps all that a house wants kept.
type Store interface {
	fact.Log
	guests.Keeper
}

// Memory is an empty store in memory.
func Memory() Store { return memory.New() }

// Keeper examines what keeps guests, and opens it as Log does.
func Keeper(t *testing.T, open func(t *testing.T) Store) {
	for _, law := range []struct {
		name string
		test func(*testing.T, func(*testing.T) Store)
	}{
		{"ended sessions", endedSessions},
		{"rounds", rounds},
		{"passkeys", passkeys},
		{"who has gone", whoHasGone},
		{"programs", programs},
		{"programs at once", programsAtOnce},
		{"ways", ways},
		{"ways back", waysBack},
		{"tables", tables},
		{"forgotten", forgotten},
		{"forgotten table", forgottenTable},
		{"subscriptions", subscriptions},
		{"told", toldOnce},
		{"cancelled", keeperCancelled},
	} {
		t.Run(law.name, func(t *testing.T) { law.test(t, open) })
	}
}

// again is the keeper after it was closed and opened again, if it can be.
func again(t *testing.T, k Store, open func(*testing.T) Store) Store {
	t.Helper()
	c, ok := k.(io.Closer)
	if !ok {
		return k
	}
	must(t, c.Close())
	return open(t)
}

func wantEnded(t *testing.T, k Store, guest, session string, ended bool, round int) {
	t.Helper()
	if e, r, err := k.Ended(t.Context(), guest, session); err != nil || e != ended || r != round {
		t.Errorf("session %s of %s: ended %v, round %d (%v), want %v, %d", session, guest, e, r, err, ended, round)
	}
}

// A session ends once, and nobody else's with it; it is known until it would have ended anyway.
func endedSessions(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	end := func(guest, session string, now, until int, want bool) {
		t.Helper()
		if first, err := k.End(t.Context(), guest, session, minute(now), minute(until)); err != nil || first != want {
			t.Errorf("session %s of %s ends: %v (%v), want %v", session, guest, first, err, want)
		}
	}
	wantEnded(t, k, "ana", "1", false, 0)
	end("ana", "1", 0, 10, true)
	end("ana", "1", 1, 30, false)
	end("ben", "1", 1, 20, true)
	for range 2 {
		wantEnded(t, k, "ana", "1", true, 0)
		wantEnded(t, k, "ben", "1", true, 0)
		wantEnded(t, k, "ana", "2", false, 0)
		wantEnded(t, k, "cleo", "1", false, 0)
		k = again(t, k, open)
	}
	end("cleo", "9", 10, 20, true) // and Ana's has no need to be known any more
	wantEnded(t, k, "ana", "1", false, 0)
	wantEnded(t, k, "ben", "1", true, 0)
}

// Each end of all begins another round, of this guest alone.
func rounds(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	for want := 1; want <= 3; want++ {
		if round, err := k.EndAll(t.Context(), guests.Badge{Guest: wire.Guest{ID: "ana"}, Session: "1", Round: want - 1}, guests.Way{}); err != nil || round != want {
			t.Errorf("round %d (%v), want %d", round, err, want)
		}
		wantEnded(t, k, "ana", "1", false, want)
		wantEnded(t, k, "ben", "1", false, 0)
		k = again(t, k, open)
	}
}

// somePasskey is a passkey for tests.
func somePasskey(guest, id string, made int) guests.Passkey {
	return guests.Passkey{ID: []byte(id), Guest: guest, Name: "Телефон \"" + id, Made: minute(made).Add(7), Check: json.RawMessage(`{"of":"` + guest + `"}`)}
}

func wantUsed(t *testing.T, k Store, p guests.Passkey, want bool) {
	t.Helper()
	if there, err := k.UsePasskey(t.Context(), p.ID, p.Used, p.Check); there != want || err != nil {
		t.Errorf("%v is used: %v (%v), want %v", p, there, err, want)
	}
}

func wantPasskeys(t *testing.T, k Store, guest string, want ...guests.Passkey) {
	t.Helper()
	got, err := k.Passkeys(t.Context(), guest)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s has %v (%v), want %v", guest, got, err, want)
	}
	for _, p := range want {
		if one, there, err := k.Passkey(t.Context(), p.ID); err != nil || !there || !reflect.DeepEqual(one, p) {
			t.Errorf("under %q is %v, %v (%v), want %v", p.ID, one, there, err, p)
		}
	}
}

// A passkey is one guest's, as long as he has it.
func passkeys(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	first, second, bens := somePasskey("ana", "a\x00b\xff", 2), somePasskey("ana", "A", 1), somePasskey("ben", "a", 3)
	for _, p := range []guests.Passkey{first, second, bens} {
		must(t, k.AddPasskey(t.Context(), p, session(p.Guest)))
	}
	for _, p := range []guests.Passkey{somePasskey("ben", "A", 4), first} {
		if err := k.AddPasskey(t.Context(), p, session(p.Guest)); !errors.Is(err, guests.ErrTaken) {
			t.Errorf("%v is added: %v, want that it is taken", p, err)
		}
	}
	for range 2 {
		wantPasskeys(t, k, "ana", second, first)
		wantPasskeys(t, k, "ben", bens)
		wantPasskeys(t, k, "cleo")
		k = again(t, k, open)
	}
	first.Used, first.Check = minute(5), json.RawMessage(`{"count":2}`)
	wantUsed(t, k, first, true)
	must(t, k.RemovePasskey(t.Context(), "ben", second.ID)) // which he has not
	wantPasskeys(t, k, "ana", second, first)
	must(t, k.RemovePasskey(t.Context(), "ana", second.ID))
	wantUsed(t, k, second, false)
	for range 2 {
		wantPasskeys(t, k, "ana", first)
		if _, there, err := k.Passkey(t.Context(), second.ID); there || err != nil {
			t.Errorf("a passkey that was removed is there: %v (%v)", there, err)
		}
		k = again(t, k, open)
	}
}

// made is the first entry of a table, sat one in which somebody sits down.
func made(at int, host string, chairs ...string) fact.Entry {
	f := &fact.Made{Host: fact.Guest{ID: host}}
	for _, g := range chairs {
		f.Chairs = append(f.Chairs, fact.Chair{Guest: fact.Guest{ID: g}})
	}
	return fact.Entry{Seq: 1, At: minute(at), Data: fact.Write(f, fact.Receipt{}, nil)}
}

func sat(seq, at int, guest string) fact.Entry {
	f := &fact.Sat{Seat: game.Seat(1), Guest: fact.Guest{ID: guest}}
	return fact.Entry{Seq: seq, At: minute(at), Data: fact.Write(f, fact.Receipt{Guest: guest, Command: wire.Command{ID: "1", Do: "sit"}}, nil)}
}

func wantTables(t *testing.T, k Store, guest string, want ...guests.Table) {
	t.Helper()
	if got, err := k.Tables(t.Context(), guest); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s was at %v (%v), want %v", guest, got, err, want)
	}
}

// Where somebody is the host or sits down is known with the entry, and no more when the table is deleted.
func tables(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	add(t, k, "a", made(1, "ana", "", "ben"))
	add(t, k, "b", made(2, "ben", "ben", ""))
	add(t, k, "b", sat(2, 3, "ana"))
	add(t, k, "b", sat(3, 4, "ana")) // on another chair
	refuse(t, k, "a", sat(7, 5, "cleo"))
	add(t, k, "b", fact.Entry{Seq: 4, At: minute(6), Data: json.RawMessage(`{}`), Over: true})
	a, b := guests.Table{ID: "a", Made: minute(1)}, guests.Table{ID: "b", Made: minute(2), Over: true}
	for range 2 {
		wantTables(t, k, "ana", b, a)
		wantTables(t, k, "ben", b, a)
		wantTables(t, k, "cleo")
		k = again(t, k, open)
	}
	must(t, k.Delete(t.Context(), "b"))
	add(t, k, "c", made(7, "cleo")) // and is not taken for the one that is gone
	wantTables(t, k, "ana", a)
	wantTables(t, k, "cleo", guests.Table{ID: "c", Made: minute(7)})
}

// A table is forgotten for whoever wishes it, and for him alone.
func forgottenTable(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	add(t, k, "a", made(1, "ana", "ana", "ben"))
	add(t, k, "b", made(2, "ana", "ana", "ben"))
	must(t, k.ForgetTable(t.Context(), "ana", "a"))
	must(t, k.ForgetTable(t.Context(), "ana", "nowhere"))
	must(t, k.ForgetTable(t.Context(), "nobody", "b"))
	a, b := guests.Table{ID: "a", Made: minute(1)}, guests.Table{ID: "b", Made: minute(2)}
	for range 2 {
		wantTables(t, k, "ana", b)
		wantTables(t, k, "ben", b, a)
		k = again(t, k, open)
	}
}

// Who is forgotten has no passkey and was nowhere; the others have what they had, and the log says what it said.
func forgotten(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	bens := somePasskey("ben", "b", 1)
	must(t, k.AddPasskey(t.Context(), somePasskey("ana", "a", 1), session("ana")))
	must(t, k.KeepWay(t.Context(), someWay("ana", "c", 9), minute(1)))
	must(t, k.AddPasskey(t.Context(), bens, session("ben")))
	add(t, k, "a", made(1, "ana", "ana", "ben"))
	must(t, k.Forget(t.Context(), "ana"))
	must(t, k.Forget(t.Context(), "nobody"))
	wantTables(t, k, "ana", guests.Table{ID: "a", Made: minute(1)})
	must(t, k.ForgetTables(t.Context(), "ana"))
	must(t, k.ForgetTables(t.Context(), "nobody"))
	for range 2 {
		wantPasskeys(t, k, "ana")
		wantTables(t, k, "ana")
		wantWay(t, k, someWay("ana", "c", 9), 1, false)
		wantEnded(t, k, "ana", "1", false, 1)
		wantPasskeys(t, k, "ben", bens)
		wantTables(t, k, "ben", guests.Table{ID: "a", Made: minute(1)})
		if got := entries(t, k, "a", 0); len(got) != 1 {
			t.Errorf("the table has %d entries", len(got))
		}
		k = again(t, k, open)
	}
}

// someSubscription is one for tests.
func someSubscription(guest, session, endpoint string, made int) guests.Subscription {
	return guests.Subscription{
		Subscription: push.Subscription{Endpoint: "https://push.example/" + endpoint, Key: []byte("k\x00" + endpoint), Auth: []byte{0xff, 0}, House: []byte("house")},
		Guest:        guest, Session: session, Language: "fr", Made: minute(made),
	}
}

func wantSubscriptions(t *testing.T, k Store, guest string, want ...guests.Subscription) {
	t.Helper()
	if got, err := k.Subscriptions(t.Context(), guest); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s has %v (%v), want %v", guest, got, err, want)
	}
}

// A subscription is one session's, as long as that lasts, and whose browser it is now. Nobody has more than so many.
func subscriptions(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	first, second, bens := someSubscription("ana", "1", "a", 2), someSubscription("ana", "2", "b", 1), someSubscription("ben", "1", "c", 3)
	for _, s := range []guests.Subscription{first, second, bens} {
		must(t, k.Subscribe(t.Context(), s))
	}
	first.Language, first.Made = "ru", minute(4)
	must(t, k.Subscribe(t.Context(), first)) // again
	for range 2 {
		wantSubscriptions(t, k, "ana", second, first)
		wantSubscriptions(t, k, "ben", bens)
		wantSubscriptions(t, k, "cleo")
		k = again(t, k, open)
	}
	must(t, k.Unsubscribe(t.Context(), "ben", second.Endpoint)) // which he has not
	taken := second
	taken.Guest, taken.Session = "ben", "1"
	must(t, k.Subscribe(t.Context(), taken)) // he sits at that browser now
	wantSubscriptions(t, k, "ana", first)
	wantSubscriptions(t, k, "ben", taken, bens)
	must(t, k.Unsubscribe(t.Context(), "ben", bens.Endpoint))
	wantSubscriptions(t, k, "ben", taken)

	_, err := k.End(t.Context(), "ana", "1", minute(5), minute(50))
	must(t, err)
	for range 2 {
		wantSubscriptions(t, k, "ana")
		wantSubscriptions(t, k, "ben", taken)
		if err := k.Subscribe(t.Context(), first); !errors.Is(err, guests.ErrEnded) {
			t.Errorf("a session that has ended subscribes: %v", err)
		}
		k = again(t, k, open)
	}
	_, err = k.EndAll(t.Context(), session("ben"), guests.Way{})
	must(t, err)
	wantSubscriptions(t, k, "ben")
	if err := k.Subscribe(t.Context(), taken); !errors.Is(err, guests.ErrEnded) {
		t.Errorf("a session of an earlier round subscribes: %v", err)
	}
	taken.Round = 1
	must(t, k.Subscribe(t.Context(), taken))
	wantSubscriptions(t, k, "ben", taken)
	must(t, k.Forget(t.Context(), "ben"))
	wantSubscriptions(t, k, "ben")

	var many []guests.Subscription
	for i := range guests.MostSubscriptions + 2 {
		many = append(many, someSubscription("dan", "1", fmt.Sprint("d", i), i))
		must(t, k.Subscribe(t.Context(), many[i]))
	}
	wantSubscriptions(t, k, "dan", many[2:]...)
}

// Whoever was told something of a table is not told it again, nor what came before it, as long as he or the table is known.
func toldOnce(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	tell := func(guest string, table wire.ID, n int, want bool) {
		t.Helper()
		if first, err := k.Tell(t.Context(), guest, table, n); err != nil || first != want {
			t.Errorf("%s is told %d of %s: %v (%v), want %v", guest, n, table, first, err, want)
		}
	}
	add(t, k, "a", made(1, "ana", "ana", "ben"))
	add(t, k, "b", made(2, "ana", "ana", "ben"))
	tell("ana", "a", 4, true)
	for range 2 {
		tell("ana", "a", 4, false)
		tell("ana", "a", 3, false)
		k = again(t, k, open)
	}
	tell("ana", "a", 5, true)
	tell("ana", "b", 4, true)
	tell("ben", "a", 4, true)
	tell("ana", "nowhere", 4, false)
	must(t, k.Forget(t.Context(), "ana"))
	tell("ana", "a", 1, true)
	tell("ben", "a", 4, false)
	add(t, k, "a", fact.Entry{Seq: 2, At: minute(6), Data: json.RawMessage(`{}`), Over: true})
	must(t, k.Delete(t.Context(), "a"))
	tell("ben", "a", 9, false)
	add(t, k, "a", made(7, "ben", "ben")) // another one
	tell("ben", "a", 1, true)
}

// Who has gone away gets the context's error, and nothing is written.
func keeperCancelled(t *testing.T, open func(*testing.T) Store) {
	k := open(t)
	p := somePasskey("ana", "a", 1)
	must(t, k.AddPasskey(t.Context(), p, session(p.Guest)))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, end := k.End(gone, "ana", "1", time.Time{}, minute(1))
	_, endAll := k.EndAll(gone, session("ana"), guests.Way{})
	_, _, ended := k.Ended(gone, "ana", "1")
	_, _, one := k.Passkey(gone, p.ID)
	_, all := k.Passkeys(gone, "ana")
	_, tables := k.Tables(gone, "ana")
	_, subs := k.Subscriptions(gone, "ana")
	_, tell := k.Tell(gone, "ana", "a", 1)
	_, use := k.UsePasskey(gone, p.ID, minute(2), nil)
	_, program := k.MakeProgram(gone, "place", 1, wire.Guest{ID: "p", Name: "P"}, session("ana"))
	_, _, way := k.Way(gone, []byte("c"), minute(1))
	_, take := k.TakeWay(gone, someWay("ana", "c", 9))
	for what, err := range map[string]error{
		"end": end, "end all": endAll, "ended": ended, "add": k.AddPasskey(gone, somePasskey("ana", "b", 2), session("ana")), "passkey": one, "passkeys": all,
		"use": use, "remove": k.RemovePasskey(gone, "ana", p.ID), "tables": tables, "forget": k.Forget(gone, "ana"), "forget tables": k.ForgetTables(gone, "ana"),
		"forget a table": k.ForgetTable(gone, "ana", "a"), "subscriptions": subs, "tell": tell,
		"program": program, "way": way, "keep a way": k.KeepWay(gone, someWay("ana", "c", 9), minute(1)), "take": take,
		"subscribe": k.Subscribe(gone, someSubscription("ana", "1", "a", 1)), "unsubscribe": k.Unsubscribe(gone, "ana", "a"),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", what, err)
		}
	}
	wantEnded(t, k, "ana", "1", false, 0)
	wantPasskeys(t, k, "ana", p)
}
