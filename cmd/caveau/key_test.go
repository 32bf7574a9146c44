package main

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	neturl "net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
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

// Of nodes that are first begun at once with one file for the key all sign with what lies there in the end.
func TestKeyOfNodes(t *testing.T) {
	for night := range 20 {
		file := filepath.Join(t.TempDir(), "key")
		var keys [4][][]byte
		var begun sync.WaitGroup
		begin := make(chan bool)
		for n := range keys {
			begun.Go(func() {
				<-begin
				own, err := makeKeys(file)
				if err != nil {
					t.Error(err)
				}
				keys[n] = own
			})
		}
		close(begin)
		begun.Wait()
		for n, own := range keys {
			if lies, err := readKeys(file); !reflect.DeepEqual(own, lies) {
				t.Fatalf("night %d: node %d signs with %x, and %x lies there (%v)", night, n, own, lies, err)
			}
		}
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

// Whoever reads the database, or a copy of it, can be nobody by it: none of what lets people in is there, nor what they could be worked out from.
func TestWhoReadsTheDatabaseIsNobody(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "caveau.db")
	url := inProcess(t, "--db", db)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	asks := func(path, body, pattern string) string {
		res, err := browser.Post(url+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		found := regexp.MustCompile(pattern).FindSubmatch(answer)
		if err != nil || found == nil {
			t.Fatalf("%s is answered %s %s (%v)", path, res.Status, answer, err)
		}
		return string(found[len(found)-1])
	}
	mark := func(token string) string { return token[strings.LastIndexByte(token, '.')+1:] } // what stands before it says who it is, and is no secret
	_, owners, _ := say(t, "owner", "--db", db)
	_, key, _ := strings.Cut(strings.Split(owners, "\n")[0], "#")
	asks("/api/owner/enter", `{"key": "`+key+`"}`, "")
	asks("/api/guest", `{"name": "Ana"}`, "Ana")
	secrets := map[string]string{
		"the owner's key": mark(key), "a link to another device": asks("/api/guest/way", `{"table": ""}`, `#([^."]+)\.`),
		"a program's token": mark(asks("/api/programs", `{"name": "Robbie"}`, `"token":"([^"]+)"`)), "an invitation": asks("/api/owner/invitations", `{"days": 1}`, `/i/1-([^"]+)"`),
	}
	at, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(jar.Cookies(at), jar.Cookies(at.JoinPath("/api/owner/"))...) {
		secrets["the cookie "+c.Name] = mark(c.Value)
	}
	if len(secrets) != 6 {
		t.Fatalf("there is %v", secrets)
	}
	if code, _, said := say(t, "backup", "--db", db, filepath.Join(dir, "copy.db")); code != exitOK {
		t.Fatal(said)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.db*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("there are %v (%v)", files, err)
	}
	for _, file := range files {
		read, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "-key") {
			continue
		}
		for name, secret := range secrets {
			for _, as := range writings(secret) {
				if bytes.Contains(read, as) {
					t.Errorf("%s has %s: %q", filepath.Base(file), name, as)
				}
			}
		}
	}
}

// writings are how a secret might stand somewhere: as it is told, as the number that it is, or half of that.
func writings(secret string) (all [][]byte) {
	all = append(all, []byte(secret))
	if number, err := hex.DecodeString(secret); err == nil {
		all = append(all, number)
	}
	if number, err := base64.RawURLEncoding.DecodeString(secret); err == nil {
		all = append(all, number, fmt.Appendf(nil, "%x", number))
	}
	for _, one := range all {
		all = append(all, one[:len(one)/2], one[len(one)/2:])
	}
	return all
}
