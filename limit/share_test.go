package limit_test

import (
	"fmt"
	"testing"
	"time"

	"caveau/limit"
)

// A newShared lets an address have four, and a guest two; a bucket fills in an hour or so.
func newShared() limit.Shared {
	slow := 1.0 / 3600
	return limit.NewShared(limit.Share{Address: limit.Rate{AtOnce: 4, PerSecond: slow}, Guest: limit.Rate{AtOnce: 2, PerSecond: slow}})
}

// left is how many somebody may have now; he takes them.
func left(s limit.Shared, address, guest string) (n int) {
	for s.Allow(address, guest, noon) {
		n++
	}
	return n
}

func TestAGuestTakesNothingOfHisNeighbours(t *testing.T) {
	s := newShared()
	if n := left(s, "home", "ana"); n != 2 {
		t.Errorf("Ana has %d", n)
	}
	for range 10 {
		s.Allow("home", "ana", noon) // in vain, and for nothing
	}
	if n := left(s, "home", ""); n != 2 {
		t.Errorf("her family has %d left", n)
	}
	for range 10 {
		s.Allow("home", "ben", noon)
	}
	if n := left(s, "club", "ben"); n != 2 {
		t.Errorf("Ben, who was refused at home for what others took, has %d elsewhere", n)
	}
}

func TestWhatSomebodyHadElsewhereCounts(t *testing.T) {
	s := newShared()
	s.Spend("home", "ana", noon)
	if his, all := left(s, "home", "ana"), left(s, "home", ""); his != 1 || all != 2 {
		t.Errorf("she has %d left, and all %d", his, all)
	}
	s.Give("home", "ana", noon)
	if his, hers := left(s, "home", "ben"), left(s, "club", "ana"); his != 1 || hers != 1 {
		t.Errorf("what is given back is theirs: %d and %d", his, hers)
	}
	s.Spend("pub", "", noon)
	s.Give("pub", "", noon)
	if n := left(s, "pub", ""); n != 4 {
		t.Errorf("of those who are nobody %d may", n)
	}
}

// Whoever may wait waits for the emptier of both.
func TestWhoMayWait(t *testing.T) {
	s := newShared()
	left(s, "home", "ana")
	if ana, ben := s.Wait("home", "ana", noon), s.Wait("home", "ben", noon); ana < 59*time.Minute || ana > 61*time.Minute || ben != 0 {
		t.Errorf("Ana waits %s and Ben %s", ana, ben)
	}
	if who := s.Wait("home", "", noon); who < 59*time.Minute {
		t.Errorf("when they have taken four, a fifth waits %s", who)
	}
}

func TestOnceIsOnceOfAKind(t *testing.T) {
	var o limit.Once
	for _, c := range []struct {
		kind, name string
		want       bool
	}{{"host", "a", true}, {"host", "a", false}, {"host", "b", true}, {"origin", "a", true}, {"origin", "a", false}} {
		if got := o.First(c.kind, c.name); got != c.want {
			t.Errorf("%s %s is the first of its kind: %t", c.kind, c.name, got)
		}
	}
	said := 2
	for i := range 100 {
		if o.First("host", fmt.Sprint(i)) {
			said++
		}
	}
	if said != 20 || !o.First("origin", "b") {
		t.Errorf("%d hosts are said, and of another kind none", said)
	}
}
