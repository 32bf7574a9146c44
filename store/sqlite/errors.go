package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Refusal is what we find out ourselves. The text is the rest of a line that begins with the file.
type Refusal string

func (r Refusal) Error() string { return string(r) }

const (
	errInUse   Refusal = "is in use by another server; stop that one, or name another file"
	errNoWAL   Refusal = "is on a file system that cannot share memory, such as a network drive; move it to a local disk"
	errForeign Refusal = "belongs to another program; choose another file"
	errEmpty   Refusal = "has nothing in it; choose another file"
	errNewer   Refusal = "was written by a newer version of this program; use that version, or restore an older backup"
)

// advice is the rest of the line for SQLite's own errors, by primary result code.
var advice = map[int]string{
	sqlite3.SQLITE_BUSY:     "is locked by another program; close that program, then try again",
	sqlite3.SQLITE_LOCKED:   "is locked by another program; close that program, then try again",
	sqlite3.SQLITE_PERM:     "may not be written; give the server's user the right to write the file and its directory",
	sqlite3.SQLITE_READONLY: "may not be written; give the server's user the right to write the file and its directory",
	sqlite3.SQLITE_NOTADB:   "is not a database; choose another file, or restore a backup",
	sqlite3.SQLITE_CORRUPT:  "is damaged; stop the server and restore a backup",
	sqlite3.SQLITE_FULL:     "has no room left on its disk, and nothing was written; make room, no restart is needed",
	sqlite3.SQLITE_IOERR:    "could not be read or written; check the disk and the room left on it",
}

// Explain makes one line of an error: what happened, with which file, what to do. The error of a context stays as it is.
func Explain(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var own Refusal
	if errors.As(err, &own) {
		return fmt.Errorf("the database %s %w", path, own)
	}
	code := primary(err)
	if code == sqlite3.SQLITE_CANTOPEN {
		return fmt.Errorf("the database %s %s (%w)", path, whyNotOpened(path), err)
	}
	if text, ok := advice[code]; ok {
		return fmt.Errorf("the database %s %s (%w)", path, text, err)
	}
	return fmt.Errorf("the database %s: %w", path, err)
}

// primary is SQLite's primary result code of an error, 0 if it is not SQLite's.
func primary(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// whyNotOpened looks for the reason, which SQLite does not tell.
func whyNotOpened(path string) string {
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Sprintf("cannot be opened: there is no directory %s; create it, or choose another file", dir)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "is a directory; name a file in it"
	}
	return "cannot be opened; give the server's user the right to write the file and its directory"
}
