// Package storetest is the examiner of logs: whatever calls itself a match.Log has to pass it.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/match"
)

// Log examines a log. Open opens the one that belongs to the test t, which is empty when t begins; if the log is an
// io.Closer, open is called again after Close with the same t and must find what was kept. Closing at the end of t is for
// open to see to.
func Log(t *testing.T, open func(t *testing.T) match.Log) {
	for _, law := range []struct {
		name string
		test func(*testing.T, func(*testing.T) match.Log)
	}{
		{"empty", empty},
		{"order", order},
		{"conflicts", conflicts},
		{"isolation", isolation},
		{"exact", exact},
		{"copies", copies},
		{"running", running},
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
func Entry(id match.ID, seq int) match.Entry {
	data, err := json.Marshal(map[string]any{"match": id, "seq": seq})
	if err != nil {
		panic(err) // a string and a number always have JSON
	}
	return match.Entry{Seq: seq, At: start.Add(time.Duration(seq)*time.Second + 123456789), Data: data}
}

var start = time.Date(2004, 10, 21, 20, 0, 0, 0, time.UTC)

// Check fails t unless the match has exactly the entries 1 to last, each as Entry makes it.
func Check(t *testing.T, log match.Log, id match.ID, last int) {
	t.Helper()
	got := entries(t, log, id, 0)
	if len(got) != last {
		t.Fatalf("match %s has %d entries, want %d", id, len(got), last)
	}
	for i, e := range got {
		same(t, id, e, Entry(id, i+1))
	}
}

func same(t *testing.T, id match.ID, got, want match.Entry) {
	t.Helper()
	if got.Seq != want.Seq || !got.At.Equal(want.At) || string(got.Data) != string(want.Data) || got.Over != want.Over {
		t.Fatalf("match %s:\n got %d %v %s %v\nwant %d %v %s %v", id,
			got.Seq, got.At, got.Data, got.Over, want.Seq, want.At, want.Data, want.Over)
	}
}

func entries(t *testing.T, log match.Log, id match.ID, after int) []match.Entry {
	t.Helper()
	got, err := log.Entries(t.Context(), id, after)
	if err != nil {
		t.Fatalf("entries of match %s after %d: %v", id, after, err)
	}
	return got
}

func add(t *testing.T, log match.Log, id match.ID, e match.Entry) {
	t.Helper()
	if err := log.Append(t.Context(), id, e); err != nil {
		t.Fatalf("match %s, entry %d: %v", id, e.Seq, err)
	}
}

func refuse(t *testing.T, log match.Log, id match.ID, e match.Entry) {
	t.Helper()
	if err := log.Append(t.Context(), id, e); !errors.Is(err, match.ErrConflict) {
		t.Fatalf("match %s, entry %d: %v, want a conflict", id, e.Seq, err)
	}
}

func wantRunning(t *testing.T, log match.Log, want ...match.ID) {
	t.Helper()
	got, err := log.Running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("running are %q, want %q", got, want)
	}
}

func wantFinished(t *testing.T, log match.Log, want ...match.ID) {
	t.Helper()
	got, err := log.Finished(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("finished are %q, want %q", got, want)
	}
}

// An unknown match has no entries, and that is no error.
func empty(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	Check(t, log, "nobody", 0)
	wantRunning(t, log)
	wantFinished(t, log)
}

// Entries come in order, from any number on.
func order(t *testing.T, open func(*testing.T) match.Log) {
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
func conflicts(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	for _, seq := range []int{-1, 0, 2, 3} {
		refuse(t, log, "m", Entry("m", seq))
	}
	Check(t, log, "m", 0)
	wantRunning(t, log)

	add(t, log, "m", Entry("m", 1))
	add(t, log, "m", Entry("m", 2))
	for _, seq := range []int{-1, 0, 1, 2, 4, 1 << 40} {
		refuse(t, log, "m", match.Entry{Seq: seq, At: start, Data: json.RawMessage(`{"not":"this"}`), Over: true})
	}
	Check(t, log, "m", 2)
	wantRunning(t, log, "m")
	add(t, log, "m", Entry("m", 3))
	Check(t, log, "m", 3)
}

// Matches know nothing of each other, however alike their names.
func isolation(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	ids := []match.ID{"m", "M", "m ", "mm", "m%", "m_", "m'; --", "é", "e\u0301", "1", "01"}
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
func exact(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	wanted := []match.Entry{
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
func copies(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	e := Entry("m", 1)
	add(t, log, "m", e)
	clear(e.Data)
	clear(entries(t, log, "m", 0)[0].Data)
	Check(t, log, "m", 1)
}

// Running are the matches whose last entry is not Over, finished the others, oldest first.
func running(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	for i, id := range []match.ID{"c", "a", "d", "b"} {
		add(t, log, id, match.Entry{Seq: 1, At: start.Add(time.Duration(i) * time.Minute), Data: json.RawMessage(`{}`)})
	}
	wantRunning(t, log, "c", "a", "d", "b")
	wantFinished(t, log)
	add(t, log, "d", match.Entry{Seq: 2, At: start.Add(time.Hour), Data: json.RawMessage(`{}`), Over: true})
	add(t, log, "a", match.Entry{Seq: 2, At: start.Add(2 * time.Hour), Data: json.RawMessage(`{}`), Over: true})
	wantRunning(t, log, "c", "b")
	wantFinished(t, log, "a", "d")
	add(t, log, "c", match.Entry{Seq: 2, At: start.Add(time.Hour), Data: json.RawMessage(`{}`)})
	wantRunning(t, log, "c", "b")
	add(t, log, "e", match.Entry{Seq: 1, At: start, Data: json.RawMessage(`{}`), Over: true})
	wantRunning(t, log, "c", "b")
	wantFinished(t, log, "e", "a", "d")
	add(t, log, "d", match.Entry{Seq: 3, At: start.Add(3 * time.Hour), Data: json.RawMessage(`{}`), Over: true})
	wantFinished(t, log, "e", "a", "d")
}

// Who has gone away already gets the context's error, and nothing is written.
func cancelledBefore(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	add(t, log, "m", Entry("m", 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := log.Append(ctx, "m", Entry("m", 2)); !errors.Is(err, context.Canceled) {
		t.Fatalf("append: %v, want the context's error", err)
	}
	if _, err := log.Entries(ctx, "m", 0); !errors.Is(err, context.Canceled) {
		t.Fatalf("entries: %v, want the context's error", err)
	}
	if _, err := log.Running(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("running: %v, want the context's error", err)
	}
	if _, err := log.Finished(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("finished: %v, want the context's error", err)
	}
	Check(t, log, "m", 1)
	add(t, log, "m", Entry("m", 2))
	Check(t, log, "m", 2)
}

// Who goes away meanwhile gets one of two answers, and both are true: nil, and the entry is there; the context's error,
// and it is not. Nobody else in the same commit notices.
func cancelledMeanwhile(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	together(16, func(i int) {
		id := match.ID(fmt.Sprint("m", i))
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
		Check(t, log, match.ID(fmt.Sprint("m", i)), 20)
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
func manyMatches(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	const matches, last = 32, 15
	together(matches, func(i int) {
		id := match.ID(fmt.Sprint("m", i))
		for seq := 1; seq <= last; seq++ {
			if err := log.Append(t.Context(), id, Entry(id, seq)); err != nil {
				t.Errorf("match %s, entry %d: %v", id, seq, err)
				return
			}
		}
	})
	for i := range matches {
		Check(t, log, match.ID(fmt.Sprint("m", i)), last)
	}
	ids, err := log.Running(t.Context())
	if err != nil || len(ids) != matches {
		t.Fatalf("%d running (%v), want %d", len(ids), err, matches)
	}
}

// Several nodes write the same number of a match: one wins, the others hear of a conflict, and the log has the winner's.
func oneNumber(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	const nodes = 8
	for seq := 1; seq <= 15; seq++ {
		var won [nodes]bool
		together(nodes, func(node int) {
			err := log.Append(t.Context(), "m", byNode(seq, node))
			if won[node] = err == nil; !won[node] && !errors.Is(err, match.ErrConflict) {
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

func byNode(seq, node int) match.Entry {
	return match.Entry{Seq: seq, At: start, Data: json.RawMessage(fmt.Sprintf(`{"node":%d}`, node))}
}

// A reader sees at least what was acknowledged when it asked, and never a gap.
func readersAndWriter(t *testing.T, open func(*testing.T) match.Log) {
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
func reopen(t *testing.T, open func(*testing.T) match.Log) {
	log := open(t)
	if _, ok := log.(io.Closer); !ok {
		t.Skip("this log has no Close")
	}
	for round := range 3 {
		for _, id := range []match.ID{"a", "b"} {
			Check(t, log, id, 2*round)
			add(t, log, id, Entry(id, 2*round+1))
			add(t, log, id, Entry(id, 2*round+2))
			refuse(t, log, id, Entry(id, 2*round+2))
		}
		if err := log.(io.Closer).Close(); err != nil {
			t.Fatal(err)
		}
		if err := log.Append(t.Context(), "a", Entry("a", 2*round+3)); err == nil || errors.Is(err, match.ErrConflict) {
			t.Fatalf("append to a closed log: %v, want an error that is no conflict", err)
		}
		log = open(t)
		wantRunning(t, log, "a", "b")
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
