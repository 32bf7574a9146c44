package main

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"caveau/store"
)

// keyOf is what a house signs with that is opened with this database and, if it is named, this key.
func keyOf(t *testing.T, db, file string) (key []byte, said string, err error) {
	t.Helper()
	log, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var b bytes.Buffer
	keys, err := serving{db: db, keyFile: file, slog: slog.New(slog.NewTextHandler(&b, nil))}.keys(t.Context(), log)
	return bytes.Join(keys, nil), b.String(), err
}

// The key is made at the first start, for the server's user alone, and is the same ever after; it is nowhere in the database.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "caveau.db")
	first, said, err := keyOf(t, db, "")
	if err != nil || len(first) != 32 || said != "" {
		t.Fatalf("%x, %v, %s", first, err, said)
	}
	if again, _, err := keyOf(t, db, ""); err != nil || !bytes.Equal(first, again) {
		t.Errorf("at the next start it is %x, not %x (%v)", again, first, err)
	}
	info, err := os.Stat(db + "-key")
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v (%v)", info.Mode(), err)
	}
	if data, err := os.ReadFile(db); err != nil || bytes.Contains(data, first) || bytes.Contains(data, []byte(hex.EncodeToString(first))) {
		t.Errorf("the database has the key (%v)", err)
	}
	elsewhere := filepath.Join(dir, "elsewhere")
	other, _, err := keyOf(t, db, elsewhere)
	if err != nil || bytes.Equal(first, other) {
		t.Errorf("another file has the same key (%v)", err)
	}
	if again, _, err := keyOf(t, filepath.Join(dir, "copy.db"), elsewhere); err != nil || !bytes.Equal(other, again) {
		t.Errorf("with another database the key is %x, not %x (%v)", again, other, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*-key.*")); err != nil || len(left) > 0 {
		t.Errorf("%v was left behind (%v)", left, err)
	}
}

// A key that was put before another signs, and the other is known still; so they are copied.
func TestKeysOfAHouse(t *testing.T) {
	dir := t.TempDir()
	db, elsewhere := filepath.Join(dir, "caveau.db"), filepath.Join(dir, "copy.db")
	both := strings.Repeat("5a", 32) + "\n" + strings.Repeat("a5", 32) + "\n"
	if err := os.WriteFile(db+"-key", []byte(both), 0o600); err != nil {
		t.Fatal(err)
	}
	if keys, _, err := keyOf(t, db, ""); err != nil || hex.EncodeToString(keys) != strings.ReplaceAll(both, "\n", "") {
		t.Errorf("the keys are %x (%v)", keys, err)
	}
	if code, _, said := say(t, "backup", "--with-key", "--db", db, elsewhere); code != exitOK {
		t.Fatal(said)
	}
	if copied, err := os.ReadFile(elsewhere + "-key"); err != nil || string(copied) != both {
		t.Errorf("copied they are %q (%v)", copied, err)
	}
}

// A database of before hands its key over: nobody is a stranger after the upgrade. It has none from then on.
func TestKeyOfBefore(t *testing.T) {
	db := filepath.Join(t.TempDir(), "caveau.db")
	old := []byte("thirty-two bytes that sign names")
	plant := func() {
		log, err := store.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		file, err := sql.Open("sqlite", db)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.Exec("INSERT INTO secrets (name, value) VALUES ('guests', $1)", old); err != nil {
			t.Fatal(err)
		}
	}
	plant()
	for range 2 { // the second time a copy of the database of before has come back
		if key, _, err := keyOf(t, db, ""); err != nil || !bytes.Equal(key, old) {
			t.Errorf("the key is %x (%v)", key, err)
		}
		files, err := filepath.Glob(db + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if data, err := os.ReadFile(name); err != nil || bytes.Contains(data, old) {
				t.Errorf("%s has the key (%v)", filepath.Base(name), err)
			}
		}
		plant()
	}
}

// A file that is no key is not taken for one; a key that others can read is complained of.
func TestBadKeys(t *testing.T) {
	dir := t.TempDir()
	db, file := filepath.Join(dir, "caveau.db"), filepath.Join(dir, "key")
	for _, text := range []string{"", "00", "not a key", strings.Repeat("00", 33), strings.Repeat("00", 32) + "\nnot a key"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if key, _, err := keyOf(t, db, file); err == nil || len(key) > 0 || !strings.Contains(err.Error(), file) {
			t.Errorf("%q became the key %x (%v)", text, key, err)
		}
	}
	if _, _, err := keyOf(t, db, filepath.Join(dir, "none", "key")); err == nil {
		t.Error("a key was made where there is no folder")
	}
	if err := errors.Join(os.WriteFile(file, []byte(strings.Repeat("5a", 32)), 0o600), os.Chmod(file, 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, said, err := keyOf(t, db, file); err != nil || runtime.GOOS != "windows" && strings.Count(said, "level=WARN") != 1 {
		t.Errorf("of a key that others can read is said %q (%v)", said, err)
	}
}
