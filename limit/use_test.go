package limit_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"caveau/limit"
)

// tell has one node tell another.
func tell(from, to limit.Count) { to.Hear(1, from.Uses()) }

// Whoever asks at all nodes at once, again and again, has had no more in the end than at one; and a moment more of each.
func TestWhoAsksAtSeveralNodesHasWhatOneWouldGive(t *testing.T) {
	now := noon
	clock := func() time.Time { return now }
	rate := limit.Rate{AtOnce: 100, PerSecond: 20}
	var nodes []*limit.Buckets
	var counts []limit.Count
	for range 3 {
		b := limit.NewBuckets(rate)
		nodes, counts = append(nodes, b), append(counts, b.Count(clock))
	}
	had, asks := 0, 0
	const lasts = 60
	for range 2 * lasts {
		var told [][]limit.Use
		for _, c := range counts {
			told = append(told, c.Uses())
		}
		for i, c := range counts {
			for from, uses := range told {
				if from != i {
					c.Hear(int64(from), uses)
				}
			}
		}
		for _, b := range nodes {
			for range 25 {
				if asks++; b.Allow("ana", now) {
					had++
				}
			}
		}
		now = now.Add(500 * time.Millisecond)
	}
	one := rate.AtOnce + lasts*20
	if most := one + 3*25; had < one-3*25 || had > most {
		t.Errorf("of %d that are asked for in a minute at three nodes %d are given, and at one %d", asks, had, one)
	}
	for i, b := range nodes {
		if !b.Allow("ben", now) {
			t.Errorf("Ben, who has asked for nothing, is refused at node %d", i)
		}
	}
}

// What is told is what was taken since, in portions, and not what others have told; where it is of many, of those who have taken the most alone.
func TestWhatIsTold(t *testing.T) {
	b := limit.NewBuckets(limit.Rate{AtOnce: 1000, PerSecond: 100})
	c := b.Count(func() time.Time { return noon })
	want := func(want ...limit.Use) {
		t.Helper()
		if got := c.Uses(); !reflect.DeepEqual(got, want) {
			t.Errorf("told is %v, want %v", got, want)
		}
	}
	b.Spend("ana", 20, noon)
	b.Allow("ana", noon)
	b.Give("ana", noon)
	for range 3 {
		b.Wait("ben", noon)
	}
	b.Spend("carl", 2, noon)
	c.Hear(7, []limit.Use{{Who: "dora", N: 50}})
	want(limit.Use{Who: "ana", N: 18}, limit.Use{Who: "ben", N: 3}) // in threes: a fortieth of a hundred is more than two
	want()
	b.Spend("carl", 1, noon)
	b.Spend("ana", 1, noon)
	want(limit.Use{Who: "ana", N: 3}, limit.Use{Who: "carl", N: 3})
	for i := range 1000 {
		b.Spend(fmt.Sprint("guest ", i), 3+i, noon)
	}
	told := c.Uses()
	if len(told) != 100 || told[0] != (limit.Use{Who: "guest 999", N: 1002}) || told[99].Who != "guest 902" {
		t.Errorf("told is of %d: %v", len(told), told)
	}
}

// What somebody holds at other nodes counts, as they said it last, until they hold it no more or are not heard.
func TestPlacesAtSeveralNodes(t *testing.T) {
	here, there := limit.NewPlaces(1000, 100), limit.NewPlaces(1000, 100) // ten for an address, three for a guest
	says := func() { tell(there.Addresses(), here.Addresses()); tell(there.Guests(), here.Guests()) }
	for i := range 6 {
		if !there.Take("home", fmt.Sprint(i/2)) {
			t.Fatal("ten are allowed")
		}
	}
	says()
	says() // it is so once
	took := 0
	for here.Take("home", "") {
		took++
	}
	if took != 3 { // of 997 that are free then a hundredth is nine
		t.Errorf("where an address holds six at another node, %d more are given", took)
	}
	if !here.Take("club", "0") || here.Take("club", "0") {
		t.Error("a guest who holds two at another node may have one more")
	}
	for i := range 200 {
		there.Take(fmt.Sprint("flat ", i), fmt.Sprint("one of ", i))
	}
	if told := there.Addresses().Uses(); len(told) != 1 || told[0] != (limit.Use{Who: "home", N: 6}) {
		t.Errorf("where many hold one place told is of %v", told)
	}
	if !here.Take("pub", "3") {
		t.Error("of who holds none elsewhere nothing is missing")
	}
	there.Give("home", "0")
	there.Give("home", "0")
	says()
	if !here.Take("club", "0") || !here.Take("home", "") {
		t.Error("what is given back elsewhere may be had here")
	}
	here.Addresses().Hear(1, nil)
	for range 3 {
		if !here.Take("home", "") {
			t.Error("a node that is not heard any more holds nothing")
		}
	}
	var none *limit.Places
	if none.Addresses().Hear(1, []limit.Use{{Who: "home", N: 1e6}}); !none.Take("home", "ana") || len(none.Guests().Uses()) > 0 {
		t.Error("where nothing is counted everybody may")
	}
}

func TestFewLinesOfAKindAreWritten(t *testing.T) {
	l := limit.NewLines(limit.Rate{AtOnce: 3, PerSecond: 1}, limit.Rate{AtOnce: 2, PerSecond: 0.1})
	want := func(kind, address string, now time.Time, unsaid int, said bool) {
		t.Helper()
		if n, is := l.Allow(kind, address, now); n != unsaid || is != said {
			t.Errorf("%s of %s is written: %t, and %d were not", kind, address, is, n)
		}
	}
	want("knocks", "home", noon, 0, true)
	want("knocks", "home", noon, 0, true)
	want("knocks", "home", noon, 0, false)
	want("shouts", "home", noon, 0, true)
	want("knocks", "club", noon, 1, true)
	want("knocks", "pub", noon, 0, false)
	want("knocks", "pub", noon.Add(time.Second), 1, true)
}
