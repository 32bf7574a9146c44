package main

import (
	"bytes"
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

	"caveau/store"
)

// keySize is the length of the key that signs cookies, in bytes.
const keySize = 32

// key is what cookies are signed with. It lies in a file of its own: whoever has a copy of the database can pass for nobody. It is made
// at the first start; a database of before, which has it, hands it over.
func (s serving) key(ctx context.Context, log *store.Store) ([]byte, error) {
	path := cmp.Or(s.keyFile, s.db+"-key")
	key, err := readKey(path)
	if missing := errors.Is(err, fs.ErrNotExist); err != nil && !missing {
		return nil, fmt.Errorf("--key: %w", err)
	}
	err = log.HandOver(ctx, "guests", func(old []byte) error {
		if key != nil {
			return nil // this one has come from elsewhere, and counts
		}
		key = old
		return writeKey(path, key)
	})
	if err == nil && key == nil {
		key = make([]byte, keySize)
		rand.Read(key) // it never fails: it ends the process sooner
		err = writeKey(path, key)
	}
	if err != nil {
		return nil, fmt.Errorf("--key: %w", err)
	}
	s.warnOfReaders(path)
	return key, nil
}

// readKey reads a key that is written in hexadecimal digits.
func readKey(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("%s is no key of %d hexadecimal digits; restore it from a backup, or take it away, and every guest has to say his name anew",
			path, 2*keySize)
	}
	return key, nil
}

// writeKey writes a key for the server's user alone, all of it or nothing, and durably: the database forgets its own thereafter.
func writeKey(path string, key []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // where it still has that name
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		err = store.SyncFolder(filepath.Dir(path))
	}
	return err
}

// warnOfReaders says that others than the server's user can read the key.
func (s serving) warnOfReaders(path string) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		s.slog.Warn("others can read the key that signs cookies, and pass for any guest; let the server's user alone read it", "file", path)
	}
}
