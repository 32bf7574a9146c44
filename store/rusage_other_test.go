//go:build !unix

package store

import (
	"testing"
	"time"
)

// processorTime is not asked for here.
func processorTime(t testing.TB) time.Duration {
	t.Skip("what a process has used of the processors is read on Unix only")
	return 0
}
