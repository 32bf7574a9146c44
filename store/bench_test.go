package store

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/store/storetest"
	"caveau/wire"
)

// How many tables play at once, and how many entries a game has.
const tables, gameLength = 20, 200

// The tables play as fast as the log lets them, on one processor and on two: how many entries share a commit, and how many
// a second become durable.
func BenchmarkAppend(b *testing.B) {
	for _, processors := range []int{1, 2} {
		b.Run(fmt.Sprintf("processors=%d", processors), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			s := mustOpen(b, filepath.Join(b.TempDir(), "caveau.db"))
			appendFrom(b, s)
			counts := s.Counts()
			b.ReportMetric(float64(counts.Entries)/float64(counts.Commits), "entries/commit")
			b.ReportMetric(float64(counts.Entries)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// appendFrom appends b.N entries, from all tables at once.
func appendFrom(b *testing.B, s *Store) {
	var left atomic.Int64
	left.Store(int64(b.N))
	var playing sync.WaitGroup
	for i := range tables {
		playing.Go(func() {
			for round := 0; left.Add(-1) >= 0; round++ {
				id, e := benchID(i, round/gameLength), benchEntry(round%gameLength+1)
				if err := s.Append(b.Context(), id, e); err != nil {
					b.Error(err)
				}
			}
		})
	}
	playing.Wait()
}

// What an entry costs of the processor, the system's part included, where a commit has one, five or twenty of them, each of
// another table. On one processor, as others would be busy with looking for work.
func BenchmarkCommit(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, size := range []int{1, 5, 20} {
		b.Run(fmt.Sprintf("entries=%d", size), func(b *testing.B) {
			s := mustOpen(b, filepath.Join(b.TempDir(), "caveau.db"))
			commits := 0
			before := processorTime(b)
			for b.Loop() {
				commitGroup(b, s, commits, size)
				commits++
			}
			used := processorTime(b) - before
			b.ReportMetric(float64(used.Microseconds())/float64(commits*size), "cpu-µs/entry")
		})
	}
}

// commitGroup commits the nth group of that size, as the writer does; the groups take turns among the tables.
func commitGroup(b *testing.B, s *Store, nth, size int) {
	group := make([]job, size)
	for i := range group {
		n := nth*size + i
		round := n / tables
		id, e := benchID(n%tables, round/gameLength), benchEntry(round%gameLength+1)
		group[i] = job{ctx: b.Context(), work: func(w *writing) error { return w.append(id, e) }, done: make(chan error, 1)}
	}
	s.answer(group)
	for _, j := range group {
		if err := <-j.done; err != nil {
			b.Fatal(err)
		}
	}
}

// benchID names the match that is played at one of the tables.
func benchID(seat, game int) wire.ID {
	return wire.ID(fmt.Sprintf("the %06d. of table %d", game, seat))
}

// benchEntry is of the size of a move in a log.
func benchEntry(seq int) fact.Entry {
	data := fmt.Sprintf(`{"kind":"move","by":{"who":"0123456789abcdef01234567","id":"0123456789:%d"},"fact":{"seat":"A","words":"open d3"}}`, seq)
	return fact.Entry{Seq: seq, At: time.Now(), Data: json.RawMessage(data)}
}

// Reading a long match, which is what a node does that takes it over.
func BenchmarkEntries(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "caveau.db"))
	const last = 200
	for seq := 1; seq <= last; seq++ {
		mustAppend(b, s, "m", seq)
	}
	for b.Loop() {
		if got, err := s.Entries(b.Context(), "m", 0); err != nil || len(got) != last {
			b.Fatalf("%d entries (%v), want %d", len(got), err, last)
		}
	}
}

func mustAppend(t testing.TB, s *Store, id wire.ID, seq int) {
	t.Helper()
	if err := s.Append(t.Context(), id, storetest.Entry(id, seq)); err != nil {
		t.Error(err)
	}
}
