package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// HandOver gives the secret of that name, which a file of before has, to whoever keeps it from now on, and forgets it: once keep has
// returned without an error, it stands in the file no more, nor beside it. Where there is none, keep is not called.
func (d *DB) HandOver(ctx context.Context, name string, keep func(secret []byte) error) error {
	var secret []byte
	err := d.writer.QueryRowContext(ctx, "SELECT value FROM secrets WHERE name = $1", name).Scan(&secret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return d.Explain(err)
	}
	if err := keep(secret); err != nil {
		return err
	}
	// What is deleted is overwritten, and what was written before is taken out of the file beside the database.
	for _, text := range []string{"PRAGMA secure_delete = ON", "DELETE FROM secrets WHERE name = $name"} {
		if _, err := d.writer.ExecContext(ctx, text, sql.Named("name", name)); err != nil {
			return d.Explain(err)
		}
	}
	var busy, pages, moved int
	if err := d.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return d.Explain(err)
	}
	if busy != 0 {
		return fmt.Errorf("the database %s is being read by another program; close that program, then try again", d.path)
	}
	return nil
}
