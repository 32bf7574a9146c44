package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// A keeper plays on a table, and keeps what was acknowledged.
type keeper struct {
	stubborn
	said []string
}

// newKeeper makes a table for one and two bots, and begins.
func newKeeper(t testing.TB, url, name string) *keeper {
	t.Helper()
	c, err := newClient(t.Context(), url, name)
	if err != nil {
		t.Fatal(err)
	}
	k := &keeper{stubborn: stubborn{client: c}}
	t.Cleanup(k.hangUp)
	k.table, err = c.makeTable(t.Context(), map[string]any{
		"game": "toc-toc-toc", "seats": 3, "sit": true, "bots": []string{"random", "random"}, "botTime": []int{0, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.insist(t.Context(), map[string]any{"id": k.id(), "do": "start", "table": k.table}); err != nil {
		t.Fatal(err)
	}
	return k
}

// play plays so many moves, or to the end.
func (k *keeper) play(ctx context.Context, most int) error {
	for range most {
		if err := k.await(ctx); err != nil || k.frame.State == "over" {
			return err
		}
		words := k.frame.Moves[len(k.frame.Moves)/2]
		err := k.insist(ctx, map[string]any{"id": k.id(), "do": "play", "table": k.table, "seat": "A", "seq": k.frame.Seq, "move": words})
		if err != nil {
			return err
		}
		k.said = append(k.said, "A "+words)
		k.frame.Moves = nil
	}
	return nil
}

// wrote is the record of a game that is over, and what this player did in it.
func (k *keeper) wrote(t *testing.T) []string {
	t.Helper()
	r, err := k.record(t.Context(), k.table)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, r)
	return slices.DeleteFunc(r.Moves, func(m string) bool { return !strings.HasPrefix(m, "A ") })
}

const wholeGame = 1000 // moves of one player; more than there are

// A house is backed up while people play, and the backup is opened elsewhere: whatever was acknowledged before is there, everybody is who
// he was, games go on to their ends, and those that were over prove what they proved.
func TestBackupOfAnOpenHouse(t *testing.T) {
	dir := t.TempDir()
	db, copied, other := filepath.Join(dir, "caveau.db"), filepath.Join(dir, "copy.db"), filepath.Join(dir, "elsewhere.db")
	url := inProcess(t, "--db", db)
	ana, ben, eve := newKeeper(t, url, "Ana"), newKeeper(t, url, "Ben"), newKeeper(t, url, "Eve")
	if err := errors.Join(ana.play(t.Context(), wholeGame), ben.play(t.Context(), 3)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	var enough atomic.Bool
	go func() {
		var err error
		for err == nil && !enough.Load() {
			err = eve.play(t.Context(), 1)
		}
		ended <- err
	}()
	code, stdout, stderr := say(t, "backup", "--with-key", "--db", db, copied)
	enough.Store(true)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if code != exitOK || !strings.Contains(stdout, "tables 3, ") || stderr != "" {
		t.Fatalf("caveau backup: %d, %q, %q", code, stdout, stderr)
	}
	if err := ben.play(t.Context(), 1); err != nil { // which is not in the backup
		t.Fatal(err)
	}
	was := ana.wrote(t)

	if code, stdout, stderr := say(t, "restore", copied, "--db", other, "--with-key"); code != exitOK || strings.Contains(stdout, "-key") || stderr != "" {
		t.Fatalf("caveau restore: %d, %q, %q", code, stdout, stderr)
	}
	there := inProcess(t, "--db", other)
	for _, k := range []*keeper{ana, ben, eve} {
		k.hangUp()
		k.url, k.conn, k.frame, k.told = there, nil, frame{}, frame{}
	}
	if now := ana.wrote(t); !slices.Equal(now, was) || !slices.Equal(now, ana.said) {
		t.Errorf("of a game that was over there is\n%q\nand was acknowledged\n%q", now, ana.said)
	}
	before, eves := slices.Clone(ben.said[:3]), eve.said
	ben.said, eve.said = nil, nil
	go func() { ended <- eve.play(t.Context(), wholeGame) }()
	if err := errors.Join(ben.play(t.Context(), wholeGame), <-ended); err != nil {
		t.Fatal(err)
	}
	if now, want := ben.wrote(t), append(before, ben.said...); !slices.Equal(now, want) {
		t.Errorf("of a game that goes on there is\n%q\nand was acknowledged\n%q", now, want)
	}
	now := eve.wrote(t)
	if kept := len(now) - len(eve.said); kept < 0 || kept > len(eves) || !slices.Equal(now, append(eves[:kept:kept], eve.said...)) {
		t.Errorf("of a game that went on meanwhile there is\n%q\nand was acknowledged\n%q\nand then\n%q", now, eves, eve.said)
	}
}

// The key goes along where that is wanted, and nowhere else; whatever is there already stays.
func TestTheKeyGoesAlongIfWanted(t *testing.T) {
	dir := t.TempDir()
	db, with, without := filepath.Join(dir, "caveau.db"), filepath.Join(dir, "with.db"), filepath.Join(dir, "without.db")
	key, _, err := keyOf(t, db, "")
	if err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := say(t, "backup", "--db", db, without); code != exitOK || !strings.Contains(stdout, db+"-key") {
		t.Errorf("%d, %q", code, stdout)
	}
	if _, err := os.Stat(without + "-key"); err == nil {
		t.Error("the key went along unasked")
	}
	if code, _, stderr := say(t, "backup", with, "--db", db, "--with-key"); code != exitOK {
		t.Fatal(stderr)
	}
	if info, err := os.Stat(with + "-key"); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key is %v (%v)", info.Mode(), err)
	}
	if again, err := readKeys(with + "-key"); err != nil || !bytes.Equal(again[0], key) {
		t.Errorf("the key is %x (%v), not %x", again, err, key)
	}
	other := filepath.Join(dir, "other.db")
	if code, stdout, _ := say(t, "restore", with, "--db", other); code != exitOK || !strings.Contains(stdout, "There is no "+other+"-key") {
		t.Errorf("%d, %q", code, stdout)
	}
	for _, args := range [][]string{
		{"backup", "--db", db, "--with-key", with},                                                      // the key is there
		{"backup", "--db", db, with},                                                                    // the copy is there
		{"backup", "--db", db, "--with-key", filepath.Join(dir, "none", "x")},                           // no folder
		{"restore", without, "--db", filepath.Join(dir, "third.db"), "--with-key"},                      // no key went along
		{"restore", with, "--db", other, "--with-key"},                                                  // the house is there
		{"restore", filepath.Join(dir, "none.db"), "--db", filepath.Join(dir, "third.db")},              // no such file
		{"backup", "--db", filepath.Join(dir, "none.db"), filepath.Join(dir, "third.db"), "--with-key"}, // no such house
	} {
		if code, stdout, stderr := say(t, args...); code != exitFault || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("caveau %v: %d, %q, %q", args, code, stdout, stderr)
		}
	}
	if _, err := os.Stat(other + "-key"); err == nil {
		t.Error("a key was left where nothing was restored")
	}
	for _, args := range [][]string{{"backup"}, {"restore", "a", "b"}, {"backup", "a", "--fly"}} {
		if code, _, stderr := say(t, args...); code != exitUsage || stderr == "" {
			t.Errorf("caveau %v: %d, %q", args, code, stderr)
		}
	}
}
