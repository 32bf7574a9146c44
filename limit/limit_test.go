package limit_test

import (
	"fmt"
	"testing"
	"time"

	"caveau/limit"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func TestWhoeverAsksTooFastWaitsAndNobodyElse(t *testing.T) {
	b := limit.NewBuckets(limit.Rate{AtOnce: 3, PerSecond: 0.5})
	for range 3 {
		if !b.Allow("ana", noon) {
			t.Fatal("three at once are allowed")
		}
	}
	if b.Allow("ana", noon) || !b.Allow("ben", noon) {
		t.Fatal("a fourth is not, and Ben has a bucket of his own")
	}
	if b.Allow("ana", noon.Add(time.Second)) || !b.Allow("ana", noon.Add(2*time.Second)) {
		t.Fatal("one comes back in two seconds")
	}
	if wait := b.Wait("ana", noon.Add(2*time.Second)); wait != 2*time.Second {
		t.Fatalf("the next one is there in two more seconds, not in %v", wait)
	}
}

func TestWhatIsPutBackCanBeTakenAgain(t *testing.T) {
	b := limit.NewBuckets(limit.Rate{AtOnce: 2, PerSecond: 0.001})
	for range 5 {
		b.Give("ana", noon)
	}
	took := 0
	for b.Allow("ana", noon) {
		took++
	}
	b.Give("ana", noon)
	if again := b.Allow("ana", noon); took != 2 || !again || b.Allow("ana", noon) {
		t.Fatalf("%d are taken out of a bucket of two that was full, and then one that was put back: %t", took, again)
	}
}

func TestWhoeverOwesPaysFirst(t *testing.T) {
	b := limit.NewBuckets(limit.Rate{AtOnce: 100, PerSecond: 10})
	b.Spend("ana", 60, noon)
	if b.Owes("ana", noon) {
		t.Fatal("sixty of a hundred are no debt")
	}
	b.Spend("ana", 60, noon)
	if !b.Owes("ana", noon) || b.Owes("ana", noon.Add(2*time.Second)) {
		t.Fatal("twenty too many are paid after two seconds")
	}
	b.Spend("ben", 150, noon)
	if b.Owes("ben", noon) || b.Allow("ben", noon) {
		t.Fatal("of what never was in it all that fits is taken")
	}
}

// A flood of strangers costs no more memory than so many, and whoever keeps asking is not forgotten.
func TestAFloodOfNamesDoesNotClearABucket(t *testing.T) {
	b := limit.NewBuckets(limit.Rate{AtOnce: 1, PerSecond: 1e-9})
	for i := range 50_000 {
		b.Allow(fmt.Sprint(i), noon)
		if allowed := b.Allow("ana", noon); allowed != (i == 0) {
			t.Fatalf("after %d strangers Ana's bucket is full again", i)
		}
	}
	if n := b.Len(); n > 20_000 {
		t.Fatalf("%d buckets are kept", n)
	}
}

// One address holds a hundredth of what is free, one guest a tenth of that; a thousand addresses leave something to everybody
// who comes after them.
func TestPlacesAreNeverAllTaken(t *testing.T) {
	p := limit.NewPlaces(20_000, 100)
	grab := func(address string, guest func(int) string) (n int) {
		for p.Take(address, guest(n)) {
			n++
		}
		return n
	}
	one := func(name string) func(int) string { return func(int) string { return name } }
	if n := grab("ana's", one("ana")); n != 19 { // a tenth of two hundred, less what she holds already
		t.Fatalf("one guest holds %d", n)
	}
	many := func(i int) string { return fmt.Sprint("crowd ", i) }
	if n := grab("ana's", many); n < 170 || n > 180 {
		t.Fatalf("all others at her address hold %d", n)
	}
	for i := range 1000 {
		grab(fmt.Sprint("attacker ", i), many)
	}
	for i := range 100 {
		if n := grab(fmt.Sprint("home ", i), one(fmt.Sprint("family ", i))); n < 3 {
			t.Fatalf("after a thousand that took what they could, the %dth home gets %d", i, n)
		}
	}
}

func TestWhatIsGivenBackCanBeTaken(t *testing.T) {
	p := limit.NewPlaces(10, 2)
	for range 100 {
		for _, guest := range []string{"ana", "", "ben"} {
			if !p.Take("home", guest) {
				t.Fatal("the places were given back")
			}
		}
		for _, guest := range []string{"", "ben", "ana"} {
			p.Give("home", guest)
		}
	}
}

// What is held whoever has how many counts for whoever comes next; and there are no more places than there are.
func TestWhatIsHeldCounts(t *testing.T) {
	p := limit.NewPlaces(4, 1)
	p.Hold("home", "ana")
	if !p.Take("club", "") || !p.Take("pub", "") || p.Take("home", "ana") {
		t.Error("of four places she has one, two others have one each, and one address may have all that is free")
	}
	if p.Give("home", "ana"); !p.Take("home", "ana") || !p.Take("shop", "") || p.Take("school", "") {
		t.Error("of four places four are taken, and no more")
	}
	var none *limit.Places
	if none.Hold("home", "ana"); !none.Take("home", "ana") {
		t.Error("where nothing is counted everybody may")
	}
	none.Give("home", "ana")
}
