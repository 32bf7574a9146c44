package limit

import "time"

// A Share is what all at one address may have, and what one guest may. Many share an address: a family, a game library, a school.
type Share struct{ Address, Guest Rate }

// Shared are the buckets of a share. A guest "" is anybody whom we have not met.
type Shared struct{ Address, Guest *Buckets }

// NewShared makes them, all full.
func NewShared(s Share) Shared { return Shared{NewBuckets(s.Address), NewBuckets(s.Guest)} }

// Allow takes one out of both buckets; false, and nothing is taken, if either is empty: whoever asks for more than he may has nothing of what all at
// his address may.
func (s Shared) Allow(address, guest string, now time.Time) bool {
	if guest != "" && !s.Guest.Allow(guest, now) {
		return false
	}
	if s.Address.Allow(address, now) {
		return true
	}
	if guest != "" {
		s.Guest.Give(guest, now)
	}
	return false
}

// Spend takes one out of both buckets for what somebody has had elsewhere, and he owes what was not in them.
func (s Shared) Spend(address, guest string, now time.Time) {
	s.Address.Spend(address, 1, now)
	if guest != "" {
		s.Guest.Spend(guest, 1, now)
	}
}

// Give puts one back into both buckets.
func (s Shared) Give(address, guest string, now time.Time) {
	s.Address.Give(address, now)
	if guest != "" {
		s.Guest.Give(guest, now)
	}
}

// Wait takes one out of both buckets, and says how long has to be waited until it is there.
func (s Shared) Wait(address, guest string, now time.Time) time.Duration {
	wait := s.Address.Wait(address, now)
	if guest != "" {
		wait = max(wait, s.Guest.Wait(guest, now))
	}
	return wait
}
