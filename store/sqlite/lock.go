package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"

	sqlite3 "modernc.org/sqlite/lib"
)

// A Lock says that this process, and this DB in it, is the one that serves a database file.
//
// It is an exclusive transaction, never ended, on an empty database beside the file. So the system lets go of it when the
// process dies, however it dies; it works wherever SQLite works; and the database itself stays open to readers such as the
// sqlite3 shell and backups, which locking_mode=EXCLUSIVE would shut out along with our own reading connections. A row in
// the database would need a clock to tell a server that runs from one that died.
type Lock struct {
	db   *sql.DB
	conn *sql.Conn
}

// LockFile locks the database file at path, or says who has it.
func LockFile(ctx context.Context, path string) (*Lock, error) {
	// For nobody but the server's user: whoever reads the lock can hold it. One from before that was so is made so.
	MakePrivate(path + "-lock")
	os.Chmod(path+"-lock", 0o600) // where that may not be, SQLite says what is wrong
	db, err := sql.Open("sqlite", DSN(path+"-lock"))
	if err != nil {
		return nil, Explain(path, err)
	}
	l := &Lock{db: db}
	if l.conn, err = db.Conn(ctx); err == nil {
		_, err = l.conn.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	if err == nil {
		return l, nil
	}
	l.Close()
	if primary(err) == sqlite3.SQLITE_BUSY {
		err = errInUse
	}
	return nil, Explain(path, err)
}

// Close lets go of the lock. The empty file stays: to remove it would race with a server that is starting.
func (l *Lock) Close() error {
	var err error
	if l.conn != nil {
		err = l.conn.Close()
	}
	return errors.Join(err, l.db.Close())
}
