package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"caveau/store"
	"caveau/store/copies"
)

// A copying is what the command line of caveau backup or caveau restore says.
type copying struct {
	db, file string
	withKey  bool
}

// parseCopying reads it; the file may stand before the flags or behind them.
func parseCopying(name string, args []string, stderr io.Writer) (c copying, code int, ok bool) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: caveau %s [flags] FILE\n", name)
		flags.PrintDefaults()
	}
	flags.StringVar(&c.db, "db", "caveau.db", "the `file` of the house, or the address of its PostgreSQL: postgres://user@host/database")
	flags.BoolVar(&c.withKey, "with-key", false, "the key that signs cookies too: that of --db with -key behind it, or caveau.db-key where that is PostgreSQL, and of FILE likewise")
	err := flags.Parse(args)
	if err == nil && flags.NArg() > 0 {
		c.file = flags.Arg(0)
		err = flags.Parse(flags.Args()[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return c, exitOK, false
	case err == nil && (c.file == "" || flags.NArg() > 0):
		flags.Usage()
		return c, exitUsage, false
	}
	return c, exitUsage, err == nil
}

// backup makes one file of all that an open house has acknowledged.
func backup(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	c, code, ok := parseCopying("backup", args, stderr)
	if !ok {
		return code
	}
	contents, err := c.copy(ctx, copies.Backup, c.db, c.file)
	if err != nil {
		fmt.Fprintf(stderr, "caveau backup: %v\n", err)
		return exitFault
	}
	fmt.Fprintf(stdout, "%s is whole: tables %d, entries %d\n", c.file, contents.Tables, contents.Entries)
	if !c.withKey {
		fmt.Fprintf(stdout, "The key that signs cookies, %s unless serve was told --key, is not in it: keep a copy of that elsewhere.\n", keyFile(c.db))
	}
	return exitOK
}

// restore puts what backup has made where there is no house yet.
func restore(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	c, code, ok := parseCopying("restore", args, stderr)
	if !ok {
		return code
	}
	contents, err := c.copy(ctx, copies.Restore, c.file, c.db)
	if err != nil {
		fmt.Fprintf(stderr, "caveau restore: %v\n", err)
		return exitFault
	}
	fmt.Fprintf(stdout, "%s can be opened: tables %d, entries %d\n", store.Name(c.db), contents.Tables, contents.Entries)
	if _, err := os.Stat(keyFile(c.db)); err != nil {
		fmt.Fprintf(stdout, "There is no %s: put the house's there before you open it, or every guest has to say his name anew.\n", keyFile(c.db))
	}
	return exitOK
}

// copy copies a database, and the key first if that goes along: what there is a database of has its key.
func (c copying) copy(ctx context.Context, do func(context.Context, string, string) (copies.Contents, error), from, to string) (copies.Contents, error) {
	if !c.withKey {
		return do(ctx, from, to)
	}
	keys, err := readKeys(keyFile(from))
	if err != nil {
		return copies.Contents{}, fmt.Errorf("--with-key: %w", err)
	}
	if _, err := os.Lstat(keyFile(to)); !errors.Is(err, fs.ErrNotExist) {
		return copies.Contents{}, fmt.Errorf("--with-key: %s is there already, and is not overwritten", keyFile(to))
	}
	if err := writeKeys(keyFile(to), keys); err != nil {
		return copies.Contents{}, fmt.Errorf("--with-key: %w", err)
	}
	contents, err := do(ctx, from, to)
	if err != nil {
		err = errors.Join(err, os.Remove(keyFile(to))) // it would be in the way
	}
	return contents, err
}
