//go:build !unix

package store

import (
	"testing"
	"time"
)

// processorTime is not told here.
func processorTime(testing.TB) time.Duration { return 0 }
