package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/fact"
	"caveau/store/disktest"
	"caveau/wire"
)

// errLost is what a power cut must not do.
var errLost = errors.New("acknowledged, and lost")

// The power fails at any moment, again and again, on the same disk. Every acknowledged entry, and name, is there afterwards, once, in
// order and whole, whichever of the unsynced sectors reached the disk.
func TestPowerCut(t *testing.T) {
	for seed := range uint64(30) {
		if err := cutRepeatedly(t, seed, "full"); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// The test above can fail: with fewer syncs it finds what is lost.
func TestPowerCutIsNoticed(t *testing.T) {
	for _, sync := range []string{"normal", "off"} {
		t.Run(sync, func(t *testing.T) {
			for seed := range uint64(40) {
				if err := cutRepeatedly(t, seed, sync); errors.Is(err, errLost) {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Errorf("synchronous=%s lost nothing that the test could see", sync)
		})
	}
}

// cutRepeatedly runs a few lives of one disk, each of which ends with the power, and says what is wrong after one of them.
func cutRepeatedly(t *testing.T, seed uint64, sync string) error {
	rng := rand.New(rand.NewPCG(seed, 0))
	book := newBook()
	var files map[string][]byte
	for life := range 5 {
		d := disktest.New(t, files)
		d.Cut = 1 + rng.IntN(120)
		if err := book.writeUntilDark(d, sync); err != nil {
			return fmt.Errorf("life %d: %w", life, err)
		}
		files = d.Survivors(rng, []float64{0, 1, rng.Float64()}[rng.IntN(3)])
		if err := book.verify(disktest.New(t, files)); err != nil {
			return fmt.Errorf("life %d, cut at change %d: %w", life, d.Cut, err)
		}
	}
	return nil
}

// A book is what the callers of a store remember, while the store forgets.
type book struct {
	ids    []wire.ID
	mu     sync.Mutex
	acked  map[wire.ID]int // the last entry that was acknowledged
	tried  map[wire.ID]int // the last entry that was asked for
	rested map[wire.ID]int // the last entry after which a rest was acknowledged
	named  map[wire.ID]int // and a name

	signed  time.Time // the last sign of life that was given, later than every entry
	alive   time.Time // the last one that was acknowledged
	outages []fact.Outage
}

func newBook() *book {
	b := &book{acked: map[wire.ID]int{}, tried: map[wire.ID]int{}, rested: map[wire.ID]int{}, named: map[wire.ID]int{}, signed: firstSign}
	for i := range 6 {
		b.ids = append(b.ids, wire.ID(fmt.Sprint("m", i)))
	}
	return b
}

func openOn(d *disktest.Disk, params ...string) (*Store, error) {
	return openFile(context.Background(), d.Path(), append(params, "_pragma=wal_autocheckpoint(6)")...)
}

// writeUntilDark appends to all matches at once until the power fails.
func (b *book) writeUntilDark(d *disktest.Disk, sync string) error {
	s, err := openOn(d, "_synchronous="+sync)
	if err != nil && d.Off() {
		return nil // it failed while the store was opened
	}
	if err != nil {
		return fmt.Errorf("opened with the power on: %w", err)
	}
	defer s.Close()
	errs := make(chan error)
	for _, id := range b.ids {
		go func() { errs <- b.appendUntilDark(s, d, id) }()
	}
	go func() { errs <- b.openUntilDark(s, d) }()
	for range len(b.ids) + 1 {
		err = errors.Join(err, <-errs)
	}
	return err
}

// openUntilDark opens the house, which ends an outage if it was ever open, and gives signs of life.
func (b *book) openUntilDark(s *Store, d *disktest.Disk) error {
	b.signed = b.signed.Add(time.Hour)
	err := s.Woke(context.Background(), b.signed)
	if err == nil && !b.alive.IsZero() {
		b.outages = append(b.outages, fact.Outage{From: b.alive, To: b.signed})
	}
	for err == nil {
		b.alive = b.signed
		b.signed = b.signed.Add(time.Second)
		err = s.Alive(context.Background(), b.signed)
	}
	if d.Off() {
		return nil
	}
	return err
}

func (b *book) appendUntilDark(s *Store, d *disktest.Disk, id wire.ID) error {
	for {
		seq := b.next(id)
		err := s.Append(context.Background(), id, longEntry(id, seq))
		switch {
		case err == nil:
			b.acknowledge(id, seq)
			if restsAfter(seq) && s.Rest(context.Background(), id, fact.Rest{Seq: seq, Until: restEnds(seq)}) == nil {
				b.rest(id, seq)
			}
			if seq%4 == 0 && s.Name(context.Background(), string(id), strconv.Itoa(seq)) == nil {
				b.name(id, seq)
			}
		case d.Off() && !errors.Is(err, fact.ErrConflict):
			return nil
		default:
			return err
		}
	}
}

func (b *book) next(id wire.ID) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tried[id] = b.acked[id] + 1
	return b.tried[id]
}

func (b *book) acknowledge(id wire.ID, seq int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.acked[id] = seq
}

func (b *book) rest(id wire.ID, seq int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rested[id] = seq
}

func (b *book) name(id wire.ID, seq int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.named[id] = seq
}

// restsAfter says after which entries a match rests, restEnds until when.
func restsAfter(seq int) bool    { return seq%3 == 0 }
func restEnds(seq int) time.Time { return time.Unix(int64(1e9+seq), 7) }

// firstSign is later than every entry.
var firstSign = time.Unix(1e9, 0)

// longEntry is an entry of some length between a few bytes and a few pages, always the same for the same number.
func longEntry(id wire.ID, seq int) fact.Entry {
	rng := rand.New(rand.NewPCG(uint64(id[1]), uint64(seq)))
	size := rng.IntN(200)
	if rng.IntN(8) == 0 {
		size = rng.IntN(12_000)
	}
	data, err := json.Marshal(map[string]any{"match": id, "seq": seq, "long": strings.Repeat(string('a'+rune(seq%26)), size)})
	if err != nil {
		panic(err) // words and numbers always have JSON
	}
	return fact.Entry{Seq: seq, At: time.Unix(int64(seq), 7), Data: data}
}

// verify opens what the power cut left, compares it with the book, and makes the book what the file says.
func (b *book) verify(d *disktest.Disk) error {
	s, err := openOn(d)
	if err != nil {
		return fmt.Errorf("opened after the power cut: %w", err)
	}
	defer s.Close()
	for _, id := range b.ids {
		if err := b.verifyMatch(s, id); err != nil {
			return fmt.Errorf("match %s: %w", id, err)
		}
	}
	if err := errors.Join(b.verifyRests(s), b.verifyNames(s), b.verifyRows(s), b.verifyOutages(s)); err != nil {
		return err
	}
	return nil
}

func (b *book) verifyMatch(s *Store, id wire.ID) error {
	entries, err := s.Entries(context.Background(), id, 0)
	if err != nil {
		return err
	}
	if len(entries) < b.acked[id] {
		return fmt.Errorf("%d entries of %d: %w", len(entries), b.acked[id], errLost)
	}
	if len(entries) > b.tried[id] {
		return fmt.Errorf("%d entries, and only %d were ever asked for", len(entries), b.tried[id])
	}
	for i, got := range entries {
		want := longEntry(id, i+1)
		if got.Seq != want.Seq || !got.At.Equal(want.At) || string(got.Data) != string(want.Data) {
			return fmt.Errorf("entry %d is not what was written: %d %s", i+1, got.Seq, got.Data)
		}
	}
	b.acked[id], b.tried[id] = len(entries), len(entries)
	return nil
}

// verifyRests looks at when the matches are due: at once, or when the rest ends if one could have been said.
func (b *book) verifyRests(s *Store) error {
	for _, id := range b.ids {
		switch last := b.acked[id]; {
		case last == 0 || isDue(s, id, time.Time{}) && b.rested[id] != last:
		case !restsAfter(last):
			return fmt.Errorf("match %s: after entry %d it is not awake", id, last)
		case !isDue(s, id, restEnds(last)) || isDue(s, id, restEnds(last).Add(-1)):
			return fmt.Errorf("match %s: the rest after entry %d: %w", id, last, errLost)
		}
	}
	return nil
}

// verifyNames looks at what the guests are called, of whom each match has one: as was acknowledged last, or said after it.
func (b *book) verifyNames(s *Store) error {
	for _, id := range b.ids {
		names, err := s.Names(context.Background(), string(id))
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(cmp.Or(names[string(id)], "0"))
		if err != nil || n > b.acked[id] {
			return fmt.Errorf("the guest of match %s is called %q", id, names[string(id)])
		}
		if n < b.named[id] {
			return fmt.Errorf("the guest of match %s is called %d and not %d: %w", id, n, b.named[id], errLost)
		}
		b.named[id] = n
	}
	return nil
}

func isDue(s *Store, id wire.ID, by time.Time) bool {
	ids, err := s.Due(context.Background(), by)
	return err == nil && slices.Contains(ids, id)
}

// verifyOutages looks at all outages so far, and at the last sign of life: where an outage begins if one ends much later. What
// it writes is not in the next life.
func (b *book) verifyOutages(s *Store) error {
	later := b.signed.AddDate(1, 0, 0)
	if err := s.Woke(context.Background(), later); err != nil {
		return err
	}
	got, err := s.Outages(context.Background(), time.Time{})
	if err != nil || len(got) == 0 && b.alive.IsZero() {
		return err
	}
	if len(got) == 0 {
		return fmt.Errorf("it was alive at %v, and nothing is known of that: %w", b.alive, errLost)
	}
	before, last := got[:len(got)-1], got[len(got)-1]
	if len(before) < len(b.outages) {
		return fmt.Errorf("%d outages of %d: %w", len(before), len(b.outages), errLost)
	}
	for i, o := range b.outages {
		if !before[i].To.Equal(o.To) || before[i].From.Before(o.From) {
			return fmt.Errorf("the outage %v is %v: %w", o, before[i], errLost)
		}
	}
	if last.From.Before(b.alive) {
		return fmt.Errorf("it was alive at %v, and %v is found: %w", b.alive, last.From, errLost)
	}
	if last.From.After(b.signed) || !last.To.Equal(later) {
		return fmt.Errorf("the last outage is %v, with a last sign of life at %v", last, b.signed)
	}
	b.outages, b.alive = before, last.From
	return nil
}

// verifyRows looks at the file as a whole: is it sound, and do the rows of the matches say what the entries say?
func (b *book) verifyRows(s *Store) error {
	for query, want := range map[string]string{
		"PRAGMA integrity_check":                                                    "ok",
		"SELECT count(*) FROM pragma_foreign_key_check":                             "0",
		"SELECT count(*) FROM entries WHERE match NOT IN (SELECT key FROM matches)": "0",
		`SELECT count(*) FROM matches
			WHERE (SELECT max(seq) FROM entries WHERE match = key) IS NOT (SELECT count(*) FROM entries WHERE match = key)`: "0",
	} {
		var got string
		if err := s.Reader().QueryRow(query).Scan(&got); err != nil || got != want {
			return fmt.Errorf("%s is %q (%v), want %q", query, got, err, want)
		}
	}
	return nil
}
