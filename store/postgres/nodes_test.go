//go:build unix

package postgres

import (
	"context"
	"slices"
	"testing"
	"time"

	"caveau/store/pgtest"
	"caveau/wire"
)

// Whoever sweeps waits for a transaction that a node has on its way, and gives away what it has done: nothing is written by a node whose tables others have.
func TestWhoeverSweepsWaitsForACommit(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	house, err := Open(t.Context(), address, nil, Patience)
	if err != nil {
		t.Fatal(err)
	}
	defer house.Close()
	join := func(lasts time.Duration) *Node {
		n, err := Join(t.Context(), address, lasts, Patience)
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
	var free []wire.ID
	swept := make(chan error, 1)
	go func() {
		var err error
		free, err = here.Sweep(context.Background())
		swept <- err
	}()
	for waits := 0; waits == 0; {
		select {
		case err := <-swept:
			t.Fatalf("it is swept while the node writes: %v (%v)", free, err)
		default:
		}
		if err := house.Reader().QueryRow("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM nodes%'").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.Exec("INSERT INTO deeds (id, epoch) VALUES ('a', $1)", late.epoch); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-swept; err != nil || !slices.Equal(free, []wire.ID{"a"}) {
		t.Errorf("afterwards are swept %v (%v)", free, err)
	}
}
