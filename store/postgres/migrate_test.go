//go:build unix

package postgres

import (
	"context"
	"database/sql"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"caveau/store/pgtest"
)

// A migration is done whole or not at all, while others read; whoever reads what it changes keeps it from that, and is waited for no longer than
// a lock may be. A database to which a newer version has added something is opened as it is, unless the house speaks what this one does not know, and not copied.
func TestMigrate(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	d, err := Open(t.Context(), address, nil, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	files := fstest.MapFS{"schema/9998_wishes.sql": {Data: []byte("CREATE TABLE wishes (name text); ALTER TABLE matches ADD COLUMN wished text")}}
	ours, err := fs.Glob(schema, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range ours {
		files[name] = &fstest.MapFile{} // the database has had it
	}
	step := func(says string) {
		t.Helper()
		err := migrate(t.Context(), d.conn, files)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(d.Explain(err).Error(), says)) {
			t.Fatalf("%v, want %q", err, says)
		}
	}
	has := func(want int) {
		t.Helper()
		var version, wishes int
		err := d.conn.QueryRow(t.Context(), "SELECT version, (SELECT count(*) FROM pg_class WHERE relname = 'wishes') FROM caveau").Scan(&version, &wishes)
		want += len(ours) - 1
		if err != nil || version != want || wishes != want-len(ours) {
			t.Fatalf("version %d, %d tables of the second (%v), want version %d", version, wishes, err, want)
		}
	}
	err = Snapshot(t.Context(), address, func(tx *sql.Tx) error {
		if _, err := tx.Exec("SELECT * FROM matches"); err != nil {
			return err
		}
		step("is kept waiting") // and nothing of it is there
		has(1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		step("")
		has(2)
	}
	files["schema/9999_wrong.sql"] = &fstest.MapFile{Data: []byte("CREATE TABLE more (name text); SELECT nonsense")}
	step("nonsense")
	has(2)
	delete(files, "schema/9999_wrong.sql")
	delete(files, "schema/9998_wishes.sql")
	step("") // a newer node has added something
	has(2)
	if err := Snapshot(t.Context(), address, nil); err == nil || !strings.Contains(err.Error(), "newer version") { // which a copy would not have
		t.Errorf("a copy is made of what this version does not know: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err = Open(t.Context(), address, nil, time.Second); err != nil {
		t.Fatal(err)
	}
	d.Close()
}

// A server at which it is said beforehand how long a statement may take lets a migration take as long as it needs.
func TestMigrationsTakeTheirTime(t *testing.T) {
	server := pgtest.Start(t)
	conn, err := pgx.Connect(t.Context(), server.New()+"&statement_timeout=200")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	first, err := schema.ReadFile("schema/0001_house.sql")
	if err != nil {
		t.Fatal(err)
	}
	slow := append([]byte("SELECT pg_sleep(0.4);\n"), first...)
	if err := migrate(t.Context(), conn, fstest.MapFS{"schema/0001_house.sql": {Data: slow}}); err != nil {
		t.Error(err)
	}
}
