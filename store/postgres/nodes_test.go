//go:build unix

package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"caveau/fact"
	"caveau/store/pgtest"
	"caveau/wire"
)

// No node is swept that has a transaction on its way, and what that has done is given away afterwards: nothing is written by a node whose tables others have.
func TestWhoeverWritesIsNotSwept(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	join := func(lasts time.Duration) *DB {
		n, err := Join(t.Context(), address, nil, wire.Speaks, lasts, Patience)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { n.Close() })
		return n
	}
	late, here := join(0), join(time.Hour)
	tx, err := late.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if there, err := changes(tx, t.Context(), "UPDATE nodes SET commits = commits + 1 WHERE epoch = $1", late.epoch); !there || err != nil {
		t.Fatal(there, err)
	}
	if free, err := here.Sweep(t.Context()); err != nil || len(free) > 0 {
		t.Errorf("it is swept while the node writes: %v (%v)", free, err)
	}
	if _, err := tx.Exec("INSERT INTO deeds (id, epoch) VALUES ('a', $1)", late.epoch); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if free, err := here.Sweep(t.Context()); err != nil || !slices.Equal(free, []wire.ID{"a"}) {
		t.Errorf("afterwards are swept %v (%v)", free, err)
	}
}

// Whoever gives a table back of which nobody knows whether he took it waits for the taking, whether it makes the row or changes it: no node has a table for ever that is awake nowhere.
func TestWhoeverGivesBackWaitsForTheTaking(t *testing.T) {
	server := pgtest.Start(t)
	for name, before := range map[string]bool{"makes the row": false, "changes it": true} {
		t.Run(name, func(t *testing.T) {
			n, err := Join(t.Context(), server.New(), nil, wire.Speaks, time.Hour, 10*Patience)
			if err != nil {
				t.Fatal(err)
			}
			defer n.Close()
			if _, err := n.writer.Exec("INSERT INTO matches (key, id, created) VALUES (1, 'a', '')"); err != nil {
				t.Fatal(err)
			}
			if before {
				if _, err := n.Take(t.Context(), "a"); err != nil {
					t.Fatal(err)
				}
			}
			tx, err := n.writer.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback()
			var term int64
			if err := tx.QueryRow("INSERT INTO deeds (id, epoch) VALUES ('a', $1) ON CONFLICT (id) DO UPDATE SET term = DEFAULT RETURNING term", n.epoch).Scan(&term); err != nil {
				t.Fatal(err)
			}
			given := make(chan error, 1)
			go func() { given <- n.Give(context.Background(), "a", term, fact.Stopped) }()
			for waits := 0; waits == 0; {
				select {
				case err := <-given:
					t.Fatalf("it is given back while it is taken (%v)", err)
				default:
				}
				if err := n.Reader().QueryRow("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%deeds%' AND pid <> pg_backend_pid()").Scan(&waits); err != nil {
					t.Fatal(err)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			var left int
			if err := <-given; err != nil {
				t.Fatal(err)
			}
			if err := n.Reader().QueryRow("SELECT count(*) FROM deeds").Scan(&left); err != nil || left != 0 {
				t.Errorf("%d rows are left (%v)", left, err)
			}
		})
	}
}

// What the server adds to an error has what stands in a row, which no log is to have.
func TestAnErrorSaysNothingOfARow(t *testing.T) {
	d := &DB{name: "of the house"}
	for _, code := range []string{"23505", "23502", "22P02", "53100", "57P01", "XX000"} {
		err := &pgconn.PgError{Severity: "ERROR", Code: code, Message: "it does not do", Detail: "Key (id)=(k3x) exists.", Hint: "k3x", Where: "k3x", InternalQuery: "k3x"}
		for _, err := range []error{err, fmt.Errorf("to write: %w", err)} {
			if text := d.Explain(err).Error(); strings.Contains(text, "k3x") || !strings.Contains(text, "of the house") {
				t.Errorf("%s is told as %s", code, text)
			}
		}
	}
}

// Of an older node that joins and another that has the house rise either comes first, and the other waits for it and knows.
func TestNobodyJoinsWhileTheHouseRises(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	join := func(speaks int) (*DB, error) {
		n, err := Join(t.Context(), address, nil, speaks, time.Hour, 10*Patience)
		if err == nil {
			t.Cleanup(func() { n.Close() })
		}
		return n, err
	}
	newer, err := join(wire.Speaks + 1)
	if err != nil {
		t.Fatal(err)
	}
	meanwhile := func(statement, does string, do func() (int, error)) (speaks int, err error) {
		t.Helper()
		tx, err := newer.writer.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if _, err := tx.Exec("SELECT FROM caveau FOR UPDATE"); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			speaks, err = do()
		}()
		for waits := 0; waits == 0; {
			select {
			case <-done:
				t.Fatalf("%s does not wait: %d, %v", does, speaks, err)
			default:
			}
			if err := newer.Reader().QueryRow("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> pg_backend_pid()").Scan(&waits); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tx.Exec(statement); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		<-done
		return speaks, err
	}
	set := func(text string) {
		t.Helper()
		if _, err := newer.writer.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	set("UPDATE caveau SET speaks = 1")
	speaks, err := meanwhile("INSERT INTO nodes (until, speaks) VALUES ('infinity', 1)", "a house that rises", func() (int, error) { return newer.Speaks(context.Background()) })
	if speaks != 1 || err != nil {
		t.Errorf("the house speaks %d (%v), and a node that speaks 1 has just joined", speaks, err)
	}
	set("DELETE FROM nodes WHERE speaks = 1")
	_, err = meanwhile("UPDATE caveau SET speaks = 2", "a node that joins", func() (int, error) {
		_, err := join(1)
		return 0, err
	})
	if err == nil || !strings.Contains(err.Error(), "speaks version 2") {
		t.Errorf("a node that speaks 1 joins a house that has just come to speak 2: %v", err)
	}
}

// A node that has closed is none that lives, however long its lease was, and what it has not given back is swept at once.
func TestWhoeverHasClosedHasNoLease(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	join := func() *DB {
		n, err := Join(t.Context(), address, nil, wire.Speaks, time.Hour, Patience)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	gone, here := join(), join()
	defer here.Close()
	if _, err := gone.writer.Exec("INSERT INTO deeds (id, epoch) VALUES ('a', $1)", gone.epoch); err != nil {
		t.Fatal(err)
	}
	living := func() int {
		t.Helper()
		nodes, err := here.Living(t.Context(), time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return len(nodes)
	}
	before := living()
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	after := living()
	free, err := here.Sweep(t.Context())
	if before != 2 || after != 1 || len(free) != 1 || err != nil {
		t.Errorf("of %d nodes that live %d do when one has closed, and %v is free (%v)", before, after, free, err)
	}
}
