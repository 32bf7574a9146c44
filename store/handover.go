package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "embed"
)

var (
	//go:embed sql/secret.sql
	secretSQL string
	//go:embed sql/forget_secret.sql
	forgetSecretSQL string
)

// HandOver gives the secret of that name, which a database of before has, to whoever keeps it from now on, and forgets it: once keep has
// returned without an error, it stands in the file no more, nor beside it. Where there is none, keep is not called.
func (s *Store) HandOver(ctx context.Context, name string, keep func(secret []byte) error) error {
	var secret []byte
	err := s.writer.QueryRowContext(ctx, secretSQL, name).Scan(&secret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return s.explain(err)
	}
	if err := keep(secret); err != nil {
		return err
	}
	// What is deleted is overwritten, and what was written before is taken out of the file beside the database.
	for _, text := range []string{"PRAGMA secure_delete = ON", forgetSecretSQL} {
		if _, err := s.writer.ExecContext(ctx, text, sql.Named("name", name)); err != nil {
			return s.explain(err)
		}
	}
	var busy, pages, moved int
	if err := s.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return s.explain(err)
	}
	if busy != 0 {
		return fmt.Errorf("the database %s is being read by another program; close that program, then try again", s.path)
	}
	return nil
}
