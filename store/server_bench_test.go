//go:build unix

package store

import (
	"sync"
	"testing"
	"time"

	"caveau/load/meter"
	"caveau/store/pgtest"
)

// BenchmarkServerAppend is BenchmarkAppend on a PostgreSQL of its own, on the same disk.
func BenchmarkServerAppend(b *testing.B) {
	s := mustOpenServer(b, pgtest.Start(b).New())
	b.ResetTimer()
	appendFrom(b, s)
	counts := s.Counts()
	b.ReportMetric(float64(counts.Entries)/float64(counts.Commits), "entries/commit")
	b.ReportMetric(float64(counts.Entries)/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkPulse is what one of two nodes asks with each pulse, where the other has two thousand tables awake: which are not over, and which of them somebody has. What it
// costs of the processors a table, of ours and of PostgreSQL's.
func BenchmarkPulse(b *testing.B) {
	const tables = 2_000
	server := pgtest.Start(b)
	address := server.New()
	other, here := mustJoin(b, address, time.Hour), mustJoin(b, address, time.Hour)
	var made sync.WaitGroup
	for lane := range 20 {
		made.Go(func() {
			for i := lane; i < tables; i += 20 {
				id := benchID(i, 0)
				err := other.Append(b.Context(), id, benchEntry(1))
				if err == nil {
					_, err = other.deeds.Take(b.Context(), id)
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	made.Wait()
	theirs, _ := meter.Family(server.Pid())
	ours := processorTime(b)
	for b.Loop() {
		due, err := here.Due(b.Context(), time.Now().Add(time.Hour))
		taken, err2 := here.deeds.Taken(b.Context())
		if err != nil || err2 != nil || len(due) != tables || len(taken) != tables {
			b.Fatalf("%d tables (%v), and %d are taken (%v)", len(due), err, len(taken), err2)
		}
	}
	ours = processorTime(b) - ours
	now, _ := meter.Family(server.Pid())
	b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N*tables), "ours-ns/table")
	b.ReportMetric(float64((now-theirs).Nanoseconds())/float64(b.N*tables), "server-ns/table")
}
