// Package storetest is the examiner of logs: whatever calls itself a fact.Log has to pass it.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// Log examines a log. Open opens the one that belongs to the test t, which is empty when t begins; if the log is an
// io.Closer, open is called again after Close with the same t and must find what was kept. Closing at the end of t is for
// open to see to.
func Log(t *testing.T, open func(t *testing.T) fact.Log) {
	for _, law := range []struct {
		name string
		test func(*testing.T, func(*testing.T) fact.Log)
	}{
		{"empty", empty},
		{"order", order},
		{"conflicts", conflicts},
		{"isolation", isolation},
		{"exact", exact},
		{"copies", copies},
		{"due and finished", dueAndFinished},
		{"deleted", deleted},
		{"rests", rests},
		{"rests end", restsEnd},
		{"rests of nobody", restsOfNobody},
		{"notes", notes},
		{"outages", outages},
		{"signs of life", signsOfLife},
		{"names", names},
		{"cancelled before", cancelledBefore},
		{"cancelled meanwhile", cancelledMeanwhile},
		{"many matches at once", manyMatches},
		{"one number at once", oneNumber},
		{"readers and a writer", readersAndWriter},
		{"reopen", reopen},
	} {
		t.Run(law.name, func(t *testing.T) { law.test(t, open) })
	}
}

// Entry is an entry for tests, different for every match and number. Its time has nanoseconds.
func Entry(id wire.ID, seq int) fact.Entry {
	data, err := json.Marshal(map[string]any{"match": id, "seq": seq})
	if err != nil {
		panic(err) // a string and a number always have JSON
	}
	return fact.Entry{Seq: seq, At: start.Add(time.Duration(seq)*time.Second + 123456789), Data: data}
}

var start = time.Date(2004, 10, 21, 20, 0, 0, 0, time.UTC)

// someDay is later than everything that the examiner writes.
var someDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// minute is a time some minutes after start.
func minute(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }

// Check fails t unless the match has exactly the entries 1 to last, each as Entry makes it.
func Check(t *testing.T, log fact.Log, id wire.ID, last int) {
	t.Helper()
	got := entries(t, log, id, 0)
	if len(got) != last {
		t.Fatalf("match %s has %d entries, want %d", id, len(got), last)
	}
	for i, e := range got {
		same(t, id, e, Entry(id, i+1))
	}
}

func same(t *testing.T, id wire.ID, got, want fact.Entry) {
	t.Helper()
	if got.Seq != want.Seq || !got.At.Equal(want.At) || string(got.Data) != string(want.Data) || got.Over != want.Over {
		t.Fatalf("match %s:\n got %d %v %s %v\nwant %d %v %s %v", id,
			got.Seq, got.At, got.Data, got.Over, want.Seq, want.At, want.Data, want.Over)
	}
}

func entries(t *testing.T, log fact.Log, id wire.ID, after int) []fact.Entry {
	t.Helper()
	got, err := log.Entries(t.Context(), id, after)
	if err != nil {
		t.Fatalf("entries of match %s after %d: %v", id, after, err)
	}
	return got
}

func add(t *testing.T, log fact.Log, id wire.ID, e fact.Entry) {
	t.Helper()
	if err := log.Append(t.Context(), id, e); err != nil {
		t.Fatalf("match %s, entry %d: %v", id, e.Seq, err)
	}
}

func refuse(t *testing.T, log fact.Log, id wire.ID, e fact.Entry) {
	t.Helper()
	if err := log.Append(t.Context(), id, e); !errors.Is(err, fact.ErrConflict) {
		t.Fatalf("match %s, entry %d: %v, want a conflict", id, e.Seq, err)
	}
}

// wantDue fails t unless these are the matches that are due at any time, in this order.
func wantDue(t *testing.T, log fact.Log, want ...wire.ID) {
	t.Helper()
	wantDueBy(t, log, someDay, want...)
}

func wantDueBy(t *testing.T, log fact.Log, by time.Time, want ...wire.ID) {
	t.Helper()
	got, err := log.Due(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("due by %v are %q, want %q", by, got, want)
	}
}

func wantFinished(t *testing.T, log fact.Log, want ...wire.ID) {
	t.Helper()
	got, err := log.Finished(t.Context(), someDay)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("finished are %q, want %q", got, want)
	}
}

// wantOutages fails t unless these are the outages that ended after that time, each told as its two moments.
func wantOutages(t *testing.T, log fact.Log, after time.Time, want ...time.Time) {
	t.Helper()
	outages, err := log.Outages(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	var got []time.Time
	for _, o := range outages {
		got = append(got, o.From, o.To)
	}
	if !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Fatalf("the outages that ended after %v are %v, want %v", after, got, want)
	}
}

// must fails t if something that was said to the log failed.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rest has a match rest after its last entry.
func rest(t *testing.T, log fact.Log, id wire.ID, until time.Time) {
	t.Helper()
	must(t, log.Rest(t.Context(), id, restOf(t, log, id, until)))
}

func restOf(t *testing.T, log fact.Log, id wire.ID, until time.Time) fact.Rest {
	return fact.Rest{Seq: len(entries(t, log, id, 0)), Until: until, Since: until.Add(-7 * time.Minute)}
}

// wantRest fails t unless that is the note of a match, the zero Rest for one that does not rest.
func wantRest(t *testing.T, log fact.Log, id wire.ID, want fact.Rest) {
	t.Helper()
	got, rests, err := log.Resting(t.Context(), id)
	if err != nil || rests != (want.Seq != 0) || got.Seq != want.Seq || !got.Until.Equal(want.Until) || !got.Since.Equal(want.Since) {
		t.Fatalf("of match %s is noted %+v, %v (%v), want %+v", id, got, rests, err, want)
	}
}

// reopened is the log as it is found by whoever opens it again; a log that cannot be closed stays the same.
func reopened(t *testing.T, log fact.Log, open func(*testing.T) fact.Log) fact.Log {
	t.Helper()
	c, ok := log.(io.Closer)
	if !ok {
		return log
	}
	must(t, c.Close())
	return open(t)
}

// An unknown match has no entries, and that is no error, whatever somebody takes for its name.
func empty(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	for _, id := range []wire.ID{"nobody", "", "no\x00body", "\xff", "'"} {
		Check(t, log, id, 0)
	}
	wantDue(t, log)
	wantFinished(t, log)
}

// Entries come in order, from any number on.
func order(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	const last = 12 // more than nine: numbers are not ordered as words
	for seq := 1; seq <= last; seq++ {
		add(t, log, "m", Entry("m", seq))
	}
	Check(t, log, "m", last)
	for after := 0; after <= last+1; after++ {
		got := entries(t, log, "m", after)
		if len(got) != max(0, last-after) {
			t.Fatalf("%d entries after %d of %d", len(got), after, last)
		}
		for i, e := range got {
			same(t, "m", e, Entry("m", after+1+i))
		}
	}
}

// Only the next number is taken. What is refused leaves nothing behind.
func conflicts(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	for _, seq := range []int{-1, 0, 2, 3} {
		refuse(t, log, "m", Entry("m", seq))
	}
	Check(t, log, "m", 0)
	wantDue(t, log)

	add(t, log, "m", Entry("m", 1))
	add(t, log, "m", Entry("m", 2))
	for _, seq := range []int{-1, 0, 1, 2, 4, 1 << 40} {
		refuse(t, log, "m", fact.Entry{Seq: seq, At: start, Data: json.RawMessage(`{"not":"this"}`), Over: true})
	}
	Check(t, log, "m", 2)
	wantDue(t, log, "m")
	add(t, log, "m", Entry("m", 3))
	Check(t, log, "m", 3)
}

// Matches know nothing of each other, however alike their names.
func isolation(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	ids := []wire.ID{"m", "M", "m ", "mm", "m%", "m_", "m'; --", "é", "e\u0301", "1", "01"}
	for i, id := range ids {
		for seq := 1; seq <= i+1; seq++ {
			add(t, log, id, Entry(id, seq))
		}
	}
	for i, id := range ids {
		Check(t, log, id, i+1)
	}
}

// An entry comes back as it was: every byte, the instant, whether it is the last.
func exact(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	wanted := []fact.Entry{
		{At: time.Time{}, Data: json.RawMessage(`{}`)},
		{At: start.Add(1), Data: json.RawMessage("{ \"b\": 1,\t\"a\":1.0,\"a\":1e2 }\n")}, // not to be tidied up
		{At: start.In(time.FixedZone("", 3*3600)), Data: json.RawMessage(`{"who":"Ольга, Zoë \u0000 ☠"}`)},
		{At: time.Date(2400, 2, 29, 23, 59, 59, 999999999, time.UTC), Data: json.RawMessage(`{"$1":"' \" \\ ;"}`)},
		{At: start, Data: json.RawMessage(`{"long":"` + strings.Repeat("dawn ", 50_000) + `"}`)},
		{At: start.Add(-time.Hour), Data: json.RawMessage(`{"earlier":true}`), Over: true},
	}
	for i := range wanted {
		wanted[i].Seq = i + 1
		add(t, log, "m", wanted[i])
	}
	got := entries(t, log, "m", 0)
	if len(got) != len(wanted) {
		t.Fatalf("%d entries, want %d", len(got), len(wanted))
	}
	for i := range wanted {
		same(t, "m", got[i], wanted[i])
	}
}

// The log and its callers share no memory.
func copies(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	e := Entry("m", 1)
	add(t, log, "m", e)
	clear(e.Data)
	clear(entries(t, log, "m", 0)[0].Data)
	Check(t, log, "m", 1)
}

// Due are the matches whose last entry is not Over, finished the others, oldest first.
func dueAndFinished(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	line := func(id wire.ID, seq, at int, over bool) {
		t.Helper()
		add(t, log, id, fact.Entry{Seq: seq, At: minute(at), Data: json.RawMessage(`{}`), Over: over})
	}
	for i, id := range []wire.ID{"c", "a", "d", "b", "B"} {
		line(id, 1, min(i, 3), false)
	}
	wantDue(t, log, "c", "a", "d", "B", "b") // of the same age in the order of their ids
	wantFinished(t, log)
	line("d", 2, 60, true)
	line("a", 2, 120, true)
	wantDue(t, log, "c", "B", "b")
	wantFinished(t, log, "a", "d")
	log = reopened(t, log, open)
	line("c", 2, 60, false)
	wantDue(t, log, "c", "B", "b")
	line("e", 1, 0, true)
	wantDue(t, log, "c", "B", "b")
	wantFinished(t, log, "e", "a", "d") // e is as old as c was, and a younger
	line("d", 3, 180, true)
	wantFinished(t, log, "e", "a", "d")
	wantDueBy(t, log, time.Time{}, "c", "B", "b") // awake is awake, whatever the time
	log = reopened(t, log, open)
	wantDue(t, log, "c", "B", "b")
	wantFinished(t, log, "e", "a", "d")
}

// What is over can be deleted, all of it and nothing else; and what has been over since when can be asked.
func deleted(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	end := func(id wire.ID, seq, at int) {
		t.Helper()
		add(t, log, id, fact.Entry{Seq: seq, At: minute(at), Data: json.RawMessage(`{}`), Over: true})
	}
	for _, id := range []wire.ID{"open", "rests", "a", "b"} {
		add(t, log, id, Entry(id, 1))
	}
	rest(t, log, "rests", minute(30))
	end("b", 2, 10)
	end("b", 3, 15) // the last counts
	end("a", 2, 20)
	since := func(by time.Time, want ...wire.ID) {
		t.Helper()
		if got, err := log.Finished(t.Context(), by); err != nil || !slices.Equal(got, want) {
			t.Fatalf("over since %v are %q (%v), want %q", by, got, err, want)
		}
	}
	since(minute(15).Add(-1))
	since(minute(15), "b")
	since(minute(20).Add(-1), "b")
	since(minute(20), "a", "b")
	for _, id := range []wire.ID{"nobody", "open", "rests", ""} {
		if err := log.Delete(t.Context(), id); !errors.Is(err, fact.ErrConflict) {
			t.Fatalf("%q is deleted: %v, want a conflict", id, err)
		}
	}
	must(t, log.Delete(t.Context(), "a"))
	for range 2 {
		Check(t, log, "a", 0)
		wantFinished(t, log, "b")
		wantDue(t, log, "open", "rests")
		Check(t, log, "open", 1)
		if n := len(entries(t, log, "b", 0)); n != 3 {
			t.Fatalf("b has %d entries", n)
		}
		if err := log.Delete(t.Context(), "a"); !errors.Is(err, fact.ErrConflict) {
			t.Fatalf("it is deleted twice: %v", err)
		}
		refuse(t, log, "a", Entry("a", 3))
		log = reopened(t, log, open)
	}
	must(t, log.Woke(t.Context(), minute(60))) // that the house was open is known of the entry that is gone
	wantOutages(t, log, time.Time{}, minute(20), minute(60))
	must(t, log.Delete(t.Context(), "b"))
	wantFinished(t, log)
	for _, id := range []wire.ID{"a", "b"} { // nothing is left in their way
		add(t, log, id, Entry(id, 1))
		Check(t, log, id, 1)
	}
	wantDue(t, log, "a", "b", "open", "rests")
}

// A match that rests is due when its rest ends, to the nanosecond, after those that are awake; its next rest counts, not the
// one before.
func rests(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	for _, id := range []wire.ID{"a", "b", "c", "d"} {
		add(t, log, id, Entry(id, 1))
	}
	rest(t, log, "a", minute(30))
	rest(t, log, "b", minute(20))
	for range 2 { // before it is opened again, and afterwards
		wantDueBy(t, log, minute(20).Add(-1), "c", "d")
		wantDueBy(t, log, minute(20), "c", "d", "b")
		wantDueBy(t, log, minute(30).Add(-1).In(time.FixedZone("", 3*3600)), "c", "d", "b")
		wantDueBy(t, log, minute(30), "c", "d", "b", "a")
		wantFinished(t, log)
		log = reopened(t, log, open)
	}
	rest(t, log, "a", minute(10)) // sooner
	rest(t, log, "b", minute(40)) // later
	rest(t, log, "c", minute(-10))
	for range 2 {
		wantDueBy(t, log, minute(9), "d", "c")
		wantDueBy(t, log, minute(39), "d", "c", "a")
		wantDue(t, log, "d", "c", "a", "b")
		log = reopened(t, log, open)
	}
	rest(t, log, "c", minute(10))
	rest(t, log, "d", someDay.AddDate(1000, 0, 0))
	wantDueBy(t, log, minute(10), "a", "c") // whose rests end together, in the order of their ages
	wantDueBy(t, log, minute(1_000_000), "a", "c", "b")
}

// The next entry ends a rest, for good; what is refused does not.
func restsEnd(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	for _, id := range []wire.ID{"a", "b", "c"} {
		add(t, log, id, Entry(id, 1))
		rest(t, log, id, minute(30))
	}
	refuse(t, log, "a", Entry("a", 1))
	refuse(t, log, "a", Entry("a", 3))
	wantDueBy(t, log, start)
	log = reopened(t, log, open)
	add(t, log, "a", Entry("a", 2))
	wantDueBy(t, log, start, "a")
	done := Entry("b", 2)
	done.Over = true
	add(t, log, "b", done)
	wantDueBy(t, log, start, "a")
	for range 2 {
		wantDue(t, log, "a", "c")
		wantFinished(t, log, "b")
		log = reopened(t, log, open)
	}
	rest(t, log, "a", minute(30))
	wantDueBy(t, log, start)
	add(t, log, "a", Entry("a", 3))
	add(t, log, "a", Entry("a", 4))
	wantDueBy(t, log, start, "a")
	Check(t, log, "a", 4)
}

// A match that is over or unknown does not rest, and is not due afterwards; nor does one that has another entry than the note
// was made for.
func restsOfNobody(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	refuseRest := func(id wire.ID, seq int) {
		t.Helper()
		if err := log.Rest(t.Context(), id, fact.Rest{Seq: seq, Until: minute(10)}); !errors.Is(err, fact.ErrConflict) {
			t.Fatalf("match %s, a rest after entry %d: %v, want a conflict", id, seq, err)
		}
	}
	refuseRest("nobody", 0)
	refuseRest("nobody", 1)
	done := Entry("m", 1)
	done.Over = true
	add(t, log, "m", done)
	refuseRest("m", 1)
	add(t, log, "n", Entry("n", 1))
	add(t, log, "n", Entry("n", 2))
	for _, seq := range []int{0, 1, 3} {
		refuseRest("n", seq)
	}
	for range 2 {
		wantDue(t, log, "n")
		wantDueBy(t, log, start, "n")
		wantFinished(t, log, "m")
		Check(t, log, "nobody", 0)
		log = reopened(t, log, open)
	}
	add(t, log, "nobody", Entry("nobody", 1))
	wantDueBy(t, log, start, "n", "nobody")
}

// What was noted of a rest is known as long as it lasts.
func notes(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	wantRest(t, log, "nobody", fact.Rest{})
	add(t, log, "m", Entry("m", 1))
	wantRest(t, log, "m", fact.Rest{})
	r := fact.Rest{Seq: 1, Until: minute(30).Add(1), Since: minute(-3).Add(7)}
	must(t, log.Rest(t.Context(), "m", r))
	for range 2 {
		wantRest(t, log, "m", r)
		log = reopened(t, log, open)
	}
	r.Since = minute(2) // somebody came and went
	must(t, log.Rest(t.Context(), "m", r))
	for range 2 {
		wantRest(t, log, "m", r)
		log = reopened(t, log, open)
	}
	refuse(t, log, "m", Entry("m", 3))
	wantRest(t, log, "m", r)
	add(t, log, "m", Entry("m", 2))
	for range 2 {
		wantRest(t, log, "m", fact.Rest{})
		log = reopened(t, log, open)
	}
}

func wantLastAlive(t *testing.T, log fact.Log, want time.Time) {
	t.Helper()
	if at, err := log.LastAlive(t.Context()); err != nil || !at.Equal(want) {
		t.Errorf("the house was last known to be open at %v, %v; want %v", at, err, want)
	}
}

// What is recorded as an outage: the time between the last sign of life and the opening of the house.
func outages(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	wantLastAlive(t, log, time.Time{})
	must(t, log.Woke(t.Context(), minute(0))) // never before: that is no outage
	wantLastAlive(t, log, minute(0))
	wantOutages(t, log, time.Time{})
	must(t, log.Alive(t.Context(), minute(1)))
	must(t, log.Alive(t.Context(), minute(3).Add(7)))
	log = reopened(t, log, open)
	wantOutages(t, log, time.Time{})
	must(t, log.Woke(t.Context(), minute(5).In(time.FixedZone("", 3*3600))))
	first := []time.Time{minute(3).Add(7), minute(5)}
	wantOutages(t, log, time.Time{}, first...)
	log = reopened(t, log, open)
	must(t, log.Woke(t.Context(), minute(6))) // who opened was alive then
	second := []time.Time{minute(5), minute(6)}
	must(t, log.Alive(t.Context(), minute(20)))
	log = reopened(t, log, open)
	must(t, log.Woke(t.Context(), minute(20))) // at once
	must(t, log.Woke(t.Context(), minute(19))) // the clock was set back
	wantLastAlive(t, log, minute(20))
	must(t, log.Woke(t.Context(), minute(21)))
	third := []time.Time{minute(20), minute(21)}
	for range 2 {
		wantOutages(t, log, time.Time{}, slices.Concat(first, second, third)...)
		wantOutages(t, log, minute(5).Add(-1), slices.Concat(first, second, third)...)
		wantOutages(t, log, minute(5), slices.Concat(second, third)...)
		wantOutages(t, log, minute(10), third...)
		wantOutages(t, log, minute(21))
		log = reopened(t, log, open)
	}
}

// An entry is a sign of life at its time, whatever its match; what is refused, too old, or said of a rest is none.
func signsOfLife(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	line := func(id wire.ID, seq, at int) fact.Entry {
		return fact.Entry{Seq: seq, At: minute(at), Data: json.RawMessage(`{}`), Over: id == "done"}
	}
	add(t, log, "a", line("a", 1, 10))
	add(t, log, "b", line("b", 1, 5))
	refuse(t, log, "a", line("a", 1, 40))
	rest(t, log, "a", minute(50))
	must(t, log.Alive(t.Context(), minute(7)))
	log = reopened(t, log, open)
	must(t, log.Woke(t.Context(), minute(60)))
	want := []time.Time{minute(10), minute(60)}
	wantOutages(t, log, time.Time{}, want...)

	must(t, log.Alive(t.Context(), minute(61)))
	add(t, log, "done", line("done", 1, 62))
	log = reopened(t, log, open)
	must(t, log.Woke(t.Context(), minute(70)))
	want = append(want, minute(62), minute(70))
	wantOutages(t, log, time.Time{}, want...)

	add(t, log, "b", line("b", 2, 71))
	must(t, log.Alive(t.Context(), minute(72)))
	must(t, log.Woke(t.Context(), minute(80)))
	want = append(want, minute(72), minute(80))
	wantOutages(t, log, time.Time{}, want...)
}

// The last name that was noted is the guest's, byte for byte, and no name is something else than nothing noted.
func names(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	want := map[string]string{}
	check := func(guests ...string) {
		t.Helper()
		got, err := log.Names(t.Context(), guests...)
		if err != nil || !maps.Equal(got, want) {
			t.Fatalf("%q are called %q (%v), want %q", guests, got, err, want)
		}
	}
	check()
	check("ana", "ben")
	call := func(guest, name string) {
		t.Helper()
		must(t, log.Name(t.Context(), guest, name))
		want[guest] = name
	}
	call("ana", "Ana")
	call("ben", "Бен \"☠\" \u0301")
	call("A", "a") // a guest's letters count
	call("ana", "Ana Maria")
	check("ana", "ben", "A", "a", "nobody", "ana")
	call("ben", "")
	call("cleo", "") // erased before she was heard of
	for _, known := range []string{"ana", "ben", "cleo"} {
		must(t, log.Introduce(t.Context(), known, "Somebody")) // nor does anybody who is erased come back by it
	}
	must(t, log.Introduce(t.Context(), "dan", "Dan \"☠\""))
	want["dan"] = "Dan \"☠\""
	for range 2 {
		check("cleo", "ben", "A", "ana", "", "dan")
		log = reopened(t, log, open)
	}
	want = map[string]string{"ben": ""}
	check("ben")
	want = map[string]string{}
	check()
	Check(t, log, "ana", 0)
	wantOutages(t, log, time.Time{})
	must(t, log.Woke(t.Context(), minute(1))) // a name is no sign of life: it has no time
	wantOutages(t, log, time.Time{})
	call("ben", "Ben")
	check("ben")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := log.Name(ctx, "ben", "Benny"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	if err := log.Introduce(ctx, "eve", "Eve"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	check("ben")
}

// Who has gone away already gets the context's error, and nothing is written.
func cancelledBefore(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	add(t, log, "m", Entry("m", 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for what, err := range say(ctx, log, "m", 2) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", what, err)
		}
	}
	wantDueBy(t, log, start, "m")
	wantOutages(t, log, time.Time{})
	must(t, log.Woke(t.Context(), minute(60)))
	wantOutages(t, log, time.Time{}, Entry("m", 1).At, minute(60))
	Check(t, log, "m", 1)
	add(t, log, "m", Entry("m", 2))
	Check(t, log, "m", 2)
}

// say asks everything of a log that can be asked, and is its answers. The entry of that number is appended, and the match
// rests.
func say(ctx context.Context, log fact.Log, id wire.ID, seq int) map[string]error {
	answers := map[string]error{
		"append": log.Append(ctx, id, Entry(id, seq)),
		"rest":   log.Rest(ctx, id, fact.Rest{Seq: seq, Until: minute(30)}),
		"alive":  log.Alive(ctx, minute(30)),
		"woke":   log.Woke(ctx, minute(30)),
		"name":   log.Name(ctx, "ana", "Ana"),
		"known":  log.Introduce(ctx, "ben", "Ben"),
		"delete": log.Delete(ctx, "over"),
	}
	_, answers["entries"] = log.Entries(ctx, id, 0)
	_, answers["finished"] = log.Finished(ctx, someDay)
	_, answers["due"] = log.Due(ctx, someDay)
	_, _, answers["resting"] = log.Resting(ctx, id)
	_, answers["names"] = log.Names(ctx, "ana")
	_, answers["outages"] = log.Outages(ctx, time.Time{})
	return answers
}

// Who goes away meanwhile gets one of two answers, and both are true: nil, and the entry is there; the context's error,
// and it is not. Nobody else in the same commit notices.
func cancelledMeanwhile(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	together(16, func(i int) {
		id := wire.ID(fmt.Sprint("m", i))
		for seq := 1; seq <= 20; seq++ {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = soonCancelled(ctx, uint64(100*i+seq))
			}
			err := log.Append(ctx, id, Entry(id, seq))
			if errors.Is(err, context.Canceled) {
				err = log.Append(t.Context(), id, Entry(id, seq)) // a conflict, if it was there all the same
			}
			if err != nil {
				t.Errorf("match %s, entry %d: %v", id, seq, err)
				return
			}
		}
	})
	for i := range 16 {
		Check(t, log, wire.ID(fmt.Sprint("m", i)), 20)
	}
}

// soonCancelled is a context that is cancelled after other goroutines have had a few turns.
func soonCancelled(ctx context.Context, seed uint64) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	turns := rand.New(rand.NewPCG(seed, 0)).IntN(40)
	go func() {
		for range turns {
			runtime.Gosched()
		}
		cancel()
	}()
	return ctx
}

// Many matches append at once, as a full server does.
func manyMatches(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	const matches, last = 32, 15
	together(matches, func(i int) {
		id := wire.ID(fmt.Sprint("m", i))
		for seq := 1; seq <= last; seq++ {
			if err := log.Append(t.Context(), id, Entry(id, seq)); err != nil {
				t.Errorf("match %s, entry %d: %v", id, seq, err)
				return
			}
			if seq%3 == i%2 { // of the last entry only who is even rests
				if err := log.Rest(t.Context(), id, fact.Rest{Seq: seq, Until: minute(seq)}); err != nil {
					t.Errorf("match %s: %v", id, err)
				}
			}
		}
	})
	for i := range matches {
		Check(t, log, wire.ID(fmt.Sprint("m", i)), last)
	}
	ids, err := log.Due(t.Context(), start)
	if err != nil || len(ids) != matches/2 {
		t.Fatalf("%d are awake (%v), want %d", len(ids), err, matches/2)
	}
	must(t, log.Woke(t.Context(), minute(60)))
	wantOutages(t, log, time.Time{}, Entry("m", last).At, minute(60))
}

// Several nodes write the same number of a match: one wins, the others hear of a conflict, and the log has the winner's.
func oneNumber(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	const nodes = 8
	for seq := 1; seq <= 15; seq++ {
		var won [nodes]bool
		together(nodes, func(node int) {
			err := log.Append(t.Context(), "m", byNode(seq, node))
			if won[node] = err == nil; !won[node] && !errors.Is(err, fact.ErrConflict) {
				t.Errorf("entry %d: %v, want success or a conflict", seq, err)
			}
		})
		winner := slices.Index(won[:], true)
		if winner < 0 || slices.Contains(won[winner+1:], true) {
			t.Fatalf("entry %d: winners are %v, want one", seq, won)
		}
		got := entries(t, log, "m", seq-1)
		if len(got) != 1 {
			t.Fatalf("entry %d is there %d times", seq, len(got))
		}
		same(t, "m", got[0], byNode(seq, winner))
	}
}

func byNode(seq, node int) fact.Entry {
	return fact.Entry{Seq: seq, At: start, Data: json.RawMessage(fmt.Sprintf(`{"node":%d}`, node))}
}

// A reader sees at least what was acknowledged when it asked, and never a gap.
func readersAndWriter(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	const last = 60
	together(4, func(i int) {
		if i == 0 {
			for seq := 1; seq <= last; seq++ {
				if err := log.Append(t.Context(), "m", Entry("m", seq)); err != nil {
					t.Errorf("entry %d: %v", seq, err)
				}
				if got, err := log.Entries(t.Context(), "m", 0); err != nil || len(got) != seq {
					t.Errorf("%d entries (%v) after entry %d was acknowledged", len(got), err, seq)
				}
			}
			return
		}
		for seen := 0; seen < last && !t.Failed(); {
			got, err := log.Entries(t.Context(), "m", 0)
			if err != nil || len(got) < seen || len(got) > 0 && got[len(got)-1].Seq != len(got) {
				t.Errorf("a reader who had seen %d entries got %d (%v)", seen, len(got), err)
				return
			}
			seen = len(got)
			runtime.Gosched()
		}
	})
	Check(t, log, "m", last)
}

// What was acknowledged is there after the log was closed and opened again, and goes on from there.
func reopen(t *testing.T, open func(*testing.T) fact.Log) {
	log := open(t)
	if _, ok := log.(io.Closer); !ok {
		t.Skip("this log has no Close")
	}
	for round := range 3 {
		for _, id := range []wire.ID{"a", "b"} {
			Check(t, log, id, 2*round)
			add(t, log, id, Entry(id, 2*round+1))
			add(t, log, id, Entry(id, 2*round+2))
			refuse(t, log, id, Entry(id, 2*round+2))
		}
		if err := log.(io.Closer).Close(); err != nil {
			t.Fatal(err)
		}
		for what, err := range say(t.Context(), log, "a", 2*round+3) {
			if err == nil || errors.Is(err, fact.ErrConflict) {
				t.Errorf("%s of a closed log: %v, want an error that is no conflict", what, err)
			}
		}
		log = open(t)
		wantDue(t, log, "a", "b")
	}
}

// together runs n goroutines and waits for all.
func together(n int, run func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { run(i) })
	}
	group.Wait()
}
