package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"caveau/store"
	"caveau/store/copies"
	"caveau/store/postgres"
)

// keySize is the length of the key that signs cookies, in bytes.
const keySize = 32

// keyFile is where the key of a house lies that nobody has named.
func keyFile(db string) string {
	if postgres.IsAddress(db) {
		db = "caveau.db"
	}
	return db + "-key"
}

// keys are what cookies are signed with: the first of them signs, and what the others have signed is believed. They lie in a file of their
// own: whoever has a copy of the database can pass for nobody. It is made at the first start; a database of before, which has it, hands it
// over.
func (s serving) keys(ctx context.Context, log *store.Store) ([][]byte, error) {
	path := cmp.Or(s.keyFile, keyFile(s.db))
	keys, err := readKeys(path)
	if missing := errors.Is(err, fs.ErrNotExist); err != nil && !missing {
		return nil, fmt.Errorf("--key: %w", err)
	}
	err = log.HandOver(ctx, "guests", func(old []byte) error {
		if keys != nil {
			return nil // this one has come from elsewhere, and counts
		}
		keys = [][]byte{old}
		return writeKeys(path, keys)
	})
	if err == nil && keys == nil {
		keys, err = makeKeys(path)
	}
	if err != nil {
		return nil, fmt.Errorf("--key: %w", err)
	}
	s.warnOfReaders(path)
	return keys, nil
}

// readKeys reads keys that are written in hexadecimal digits, each in a line.
func readKeys(path string) (keys [][]byte, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w; let the user read it that the house runs as", err)
	} else if err != nil {
		return nil, err
	}
	lines := strings.Fields(string(text))
	for _, line := range lines {
		key, err := hex.DecodeString(line)
		if err == nil && len(key) == keySize {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || len(keys) < len(lines) {
		return nil, fmt.Errorf("%s is no key of %d hexadecimal digits; restore it from a backup, or take it away, and every guest has to say his name anew",
			path, 2*keySize)
	}
	return keys, nil
}

// makeKeys makes a key. Of several nodes that are first begun at once with one file each has the one that lay there first.
func makeKeys(path string) ([][]byte, error) {
	keys := [][]byte{make([]byte, keySize)}
	rand.Read(keys[0]) // it never fails: it ends the process sooner
	err := placeKeys(path, keys, os.Link)
	if errors.Is(err, fs.ErrExist) {
		return readKeys(path)
	}
	if err != nil { // not every file system has links
		err = writeKeys(path, keys)
	}
	return keys, err
}

// writeKeys writes them over what is there.
func writeKeys(path string, keys [][]byte) error { return placeKeys(path, keys, os.Rename) }

// placeKeys writes them for the server's user alone, all of it or nothing, and durably: the database forgets its own thereafter.
func placeKeys(path string, keys [][]byte, place func(from, to string) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // where it still has that name
	for _, key := range keys {
		_, written := f.WriteString(hex.EncodeToString(key) + "\n")
		err = errors.Join(err, written)
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = cmp.Or(place(f.Name(), path), copies.SyncFolder(filepath.Dir(path)))
	}
	return err
}

// warnOfReaders says that others than the server's user can read the key.
func (s serving) warnOfReaders(path string) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		s.slog.Warn("others can read the key that signs cookies, and pass for any guest; let the server's user alone read it", "file", path)
	}
}
