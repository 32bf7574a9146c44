package lobby

import (
	"sync"
	"time"

	"caveau/match/runner"
)

// Steady is a clock whose time never goes back. Somebody may set the machine's clock, and an hour that comes twice must not have
// everybody wait for an hour: the house's time goes on from where it was. It follows a clock that is set forward; a jump is an outage
// like any other (lapsed).
type steady struct {
	runner.Clock

	mu     sync.Mutex
	latest time.Time
	ahead  time.Duration // of the machine's clock
}

// Now is the house's time, as the wall would show it: a reading that the process alone knows is left out, since times in the log have
// none.
func (s *steady) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Clock.Now().Round(0).Add(s.ahead)
	if now.Before(s.latest) {
		s.ahead += s.latest.Sub(now)
		now = s.latest
	}
	s.latest = now
	return now
}
