package store

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"caveau/match"
	"caveau/store/storetest"
)

// Appends a second, one after the other and many matches at once; the latter also as a multiple of the former, because
// that says how well commits are shared and does not depend on the machine as much.
func BenchmarkAppend(b *testing.B) {
	var alone float64
	b.Run("alone", func(b *testing.B) {
		s := mustOpen(b, filepath.Join(b.TempDir(), "caveau.db"))
		seq := 0
		for b.Loop() {
			seq++
			mustAppend(b, s, "m", seq)
		}
		alone = float64(b.N) / b.Elapsed().Seconds()
		b.ReportMetric(alone, "appends/s")
	})
	b.Run("grouped", func(b *testing.B) {
		s := mustOpen(b, filepath.Join(b.TempDir(), "caveau.db"))
		var matches atomic.Int32
		b.SetParallelism(256)
		b.RunParallel(func(pb *testing.PB) {
			id := match.ID(fmt.Sprint("m", matches.Add(1)))
			for seq := 1; pb.Next(); seq++ {
				mustAppend(b, s, id, seq)
			}
		})
		grouped := float64(b.N) / b.Elapsed().Seconds()
		b.ReportMetric(grouped, "appends/s")
		if alone > 0 {
			b.ReportMetric(grouped/alone, "times-alone")
		}
	})
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

func mustAppend(t testing.TB, s *Store, id match.ID, seq int) {
	t.Helper()
	if err := s.Append(t.Context(), id, storetest.Entry(id, seq)); err != nil {
		t.Error(err)
	}
}
