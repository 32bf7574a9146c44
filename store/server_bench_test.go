//go:build unix

package store

import (
	"testing"

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
