package bus

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"caveau/wire"
)

// News may come twice, late and one before the other; the newest wins. A node that is not heard is forgotten, and what hung there alone is left.
func TestHearsay(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	sign := func(id wire.ID, term int64, awake bool) Sign {
		return Sign{Card: wire.Card{Table: id, Edition: fmt.Sprint(term, awake)}, Term: term, Awake: awake}
	}
	h := NewHearsay()
	hear := func(n News, wantHeard, wantOther bool) {
		t.Helper()
		if heard, other, _ := h.Hear(n, now); heard != wantHeard || other != wantOther {
			t.Errorf("%+v is heard: %t, with other signs: %t", n, heard, other)
		}
	}
	want := func(own []Sign, want ...string) {
		t.Helper()
		var got []string
		for _, c := range h.List(own) {
			got = append(got, string(c.Table)+" "+c.Edition)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the list is %v, want %v", got, want)
		}
	}
	want(nil)
	hear(News{From: 1, N: 1}, true, false)
	hear(News{From: 1, N: 5, Signs: []Sign{sign("a", 3, true), sign("b", 4, false)}}, true, true)
	hear(News{From: 1, N: 5}, false, false)
	hear(News{From: 1, N: 2, Signs: []Sign{sign("c", 1, true)}}, false, false)
	want(nil, "a 3 true", "b 4 false")
	hear(News{From: 1, N: 6, Signs: []Sign{sign("a", 3, true), sign("b", 4, false)}}, true, false)
	want([]Sign{sign("a", 2, true), sign("b", 4, true), sign("c", 1, false)}, "a 3 true", "b 4 true", "c 1 false")
	want([]Sign{sign("a", 3, false), sign("b", 5, false)}, "a 3 true", "b 5 false")
	now = now.Add(goneTime - Beat)
	hear(News{From: 2, N: 1, Signs: []Sign{sign("a", 7, true)}}, true, true)
	if left := h.Miss(now); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	now = now.Add(Beat)
	if left := h.Miss(now); len(left) != 1 || left[0].Table != "b" {
		t.Errorf("when the first is forgotten left are %v", left)
	}
	want(nil, "a 7 true")
	hear(News{From: 1, N: 7, Signs: []Sign{sign("b", 4, false)}}, true, true)
	want(nil, "a 7 true", "b 4 false")
}

// What has changed is said for as long as a node may be silent; whoever hears of it, how often and however late, looks once.
func TestChanges(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	here, there := NewHearsay(), NewHearsay()
	n := int64(0)
	say := func() News {
		n++
		all := here.Say(nil, now)
		all.From, all.N = 1, n
		return all
	}
	want := func(heard News, want ...string) {
		t.Helper()
		if _, _, got := there.Hear(heard, now); !slices.Equal(got, want) {
			t.Errorf("of %+v is heard that something has changed of %q, want %q", heard, got, want)
		}
	}
	want(say())
	here.Change("ana", now)
	first := say()
	here.Change("", now)
	here.Change("ana", now)
	want(say(), "ana", "")
	want(first)
	want(say())
	now = now.Add(goneTime - 1)
	here.Change("ben", now)
	if all := say(); len(all.Changes) != 4 {
		t.Errorf("said is %+v", all)
	}
	now = now.Add(1)
	want(say(), "ben")
	if all := say(); len(all.Changes) != 1 {
		t.Errorf("said is %+v", all)
	}
}
