package copies

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"caveau/store/postgres"
	"caveau/store/sqlite"
)

// kept is all that both kinds of database keep in the same tables, but for when the house was last alive: their columns, of which the first so many
// are the key, and which of them are contents.
var kept = []struct {
	table, columns, contents string
	key                      int
}{
	{"matches", "key id created due since", "", 1},
	{"entries", "match seq at data over", "data", 2},
	{"outages", "ended began", "", 1},
	{"notes", "name value", "value", 1},
	{"names", "guest name", "name", 1},
	{"ended", "guest session until", "", 2},
	{"rounds", "guest round", "", 1},
	{"ways", "guest session round sum until", "", 1},
	{"passkeys", "id guest name made used proof", "name proof", 1},
	{"sat", "guest match", "", 2},
	{"subscriptions", "endpoint guest session round language made key auth house", "", 1},
	{"told", "guest match n", "", 2},
}

// A querier is a transaction, or a database that nobody else has open.
type querier interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}

// readKept reads all of the tables, row by row in the order of their keys, and is what it was, summed up. Put, unless it is nil, takes the rows of a table;
// next is nil after the last of them.
func readKept(ctx context.Context, from querier, put func(table string, columns []string, contents string, next func() ([]any, error)) error) (c Contents, sum string, err error) {
	all := sha256.New()
	for _, k := range kept {
		columns := strings.Fields(k.columns)
		rows, err := from.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(columns, ", "), k.table, strings.Join(columns[:k.key], ", ")))
		if err != nil {
			return c, "", err
		}
		n := 0
		next := func() ([]any, error) {
			if !rows.Next() {
				return nil, rows.Err()
			}
			n++
			row := make([]any, len(columns))
			into := make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			err := rows.Scan(into...)
			addTo(all, row)
			return row, err
		}
		if put == nil {
			err = drain(next)
		} else {
			err = put(k.table, columns, k.contents, next)
		}
		if err := errors.Join(err, rows.Close()); err != nil {
			return c, "", fmt.Errorf("%s: %w", k.table, err)
		}
		switch k.table {
		case "matches":
			c.Tables = n
		case "entries":
			c.Entries = n
		}
	}
	return c, string(all.Sum(nil)), nil
}

func drain(next func() ([]any, error)) error {
	for {
		if row, err := next(); row == nil || err != nil {
			return err
		}
	}
}

// addTo adds a row to a sum, in which it is of no consequence what a driver takes a text, a number, or a truth for.
func addTo(sum hash.Hash, row []any) {
	for _, value := range row {
		text := []byte(nil)
		switch v := value.(type) {
		case []byte:
			text = v
		case bool:
			text = fmt.Append(nil, map[bool]int{true: 1}[v])
		case nil:
			sum.Write([]byte{0})
			continue
		default:
			text = fmt.Append(nil, v)
		}
		sum.Write(binary.BigEndian.AppendUint64([]byte{1}, uint64(len(text))))
		sum.Write(text)
	}
}

// errOther is said of a copy.
var errOther = errors.New("the copy is not what was copied; look at both disks, and try again")

// backupServer is Backup of PostgreSQL: into a new file of ours.
func backupServer(ctx context.Context, from, to string) (c Contents, err error) {
	return bring(ctx, "the database "+postgres.Name(from), to, func(part string) error {
		return postgres.Snapshot(ctx, from, func(tx *sql.Tx) error { return fillFile(ctx, tx, part) })
	})
}

// fillFile makes a file of all that is in a database of PostgreSQL's.
func fillFile(ctx context.Context, from *sql.Tx, path string) (err error) {
	db, err := sql.Open("sqlite", sqlite.DSN(path, sqlite.Params...))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if err := sqlite.Migrate(ctx, db); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	was, sum, err := readKept(ctx, from, func(table string, columns []string, contents string, next func() ([]any, error)) error {
		return insert(ctx, tx, table, columns, contents, next)
	})
	if err != nil {
		return err
	}
	var alive string
	question, err := postgres.SQL.ReadFile("sql/alive.sql")
	if err != nil {
		return err
	}
	if err := from.QueryRowContext(ctx, string(question)).Scan(&alive); err != nil {
		return err
	}
	if alive != "" {
		if _, err := tx.ExecContext(ctx, "INSERT INTO alive (house, at) VALUES (1, $1)", alive); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if is, again, err := readKept(ctx, db, nil); err != nil || is != was || again != sum {
		return errors.Join(errOther, err)
	}
	_, err = db.ExecContext(ctx, "PRAGMA journal_mode = DELETE") // so that it is one file
	return err
}

// insert puts rows into a table of a file.
func insert(ctx context.Context, tx *sql.Tx, table string, columns []string, contents string, next func() ([]any, error)) error {
	marks := make([]string, len(columns))
	for i := range marks {
		marks[i] = fmt.Sprint("$", i+1)
	}
	stmt, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), strings.Join(marks, ", ")))
	if err != nil {
		return err
	}
	defer stmt.Close()
	for {
		row, err := next()
		if row == nil || err != nil {
			return err
		}
		for i, column := range columns {
			if is, ok := row[i].([]byte); ok && isContent(column, contents) {
				row[i] = string(is)
			}
		}
		if _, err := stmt.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
}

func isContent(column, contents string) bool {
	return strings.Contains(" "+contents+" ", " "+column+" ")
}

// restoreServer is Restore into PostgreSQL.
func restoreServer(ctx context.Context, from, to string) (c Contents, err error) {
	if c, err = examine(ctx, from); err != nil {
		return c, sqlite.Explain(from, err)
	}
	path, remove, err := upToDate(ctx, from)
	if err != nil {
		return c, sqlite.Explain(from, err)
	}
	defer remove()
	db, err := sql.Open("sqlite", sqlite.DSN(path, "mode=ro", "immutable=1"))
	if err != nil {
		return c, sqlite.Explain(from, err)
	}
	defer db.Close()
	var secrets int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM secrets").Scan(&secrets); err != nil {
		return c, sqlite.Explain(from, err)
	}
	if secrets > 0 {
		return c, sqlite.Explain(from, errSecret)
	}
	return c, postgres.Fill(ctx, to, func(tx *sql.Tx, put postgres.Put) error { return fillServer(ctx, db, tx, put) })
}

func fillServer(ctx context.Context, from *sql.DB, to *sql.Tx, put postgres.Put) error {
	was, sum, err := readKept(ctx, from, func(table string, columns []string, contents string, next func() ([]any, error)) error {
		return put(table, columns, func() ([]any, error) {
			row, err := next()
			for i := range row {
				row[i] = forServer(row[i], columns[i], contents)
			}
			return row, err
		})
	})
	if err != nil {
		return err
	}
	question, err := sqlite.SQL.ReadFile("sql/alive.sql")
	if err != nil {
		return err
	}
	var alive string
	if err := from.QueryRowContext(ctx, string(question)).Scan(&alive); err != nil {
		return err
	}
	if _, err := to.ExecContext(ctx, "UPDATE caveau SET at = $1", alive); err != nil {
		return err
	}
	if is, again, err := readKept(ctx, to, nil); err != nil || is != was || again != sum {
		return errors.Join(errOther, err)
	}
	return nil
}

// forServer is a value as PostgreSQL takes it.
func forServer(value any, column, contents string) any {
	text, is := value.(string)
	switch {
	case is && isContent(column, contents):
		return []byte(text)
	case column == "over":
		return value == int64(1) || value == true
	}
	return value
}

// upToDate is a file with what the one at path has, in the newest schema: that one, or one that is to be removed.
func upToDate(ctx context.Context, path string) (_ string, remove func(), err error) {
	old, err := isOld(ctx, path)
	if !old || err != nil {
		return path, func() {}, err
	}
	dir, err := os.MkdirTemp("", "caveau-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			remove()
		}
	}()
	copied := filepath.Join(dir, "copy.db")
	sqlite.MakePrivate(copied)
	if err := copyFile(path, copied); err != nil {
		return "", nil, err
	}
	db, err := sql.Open("sqlite", sqlite.DSN(copied, sqlite.Params...))
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if err := sqlite.Migrate(ctx, db); err != nil {
		return "", nil, err
	}
	_, err = db.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
	return copied, remove, err
}

func isOld(ctx context.Context, path string) (bool, error) {
	db, err := sql.Open("sqlite", sqlite.DSN(path, "mode=ro", "immutable=1"))
	if err != nil {
		return false, err
	}
	defer db.Close()
	files, err := fs.Glob(sqlite.Schema, "schema/*.sql")
	if err != nil {
		return false, err
	}
	var version int
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version < len(files), err
}
