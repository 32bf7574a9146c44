package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"caveau/owner"
)

// ownersLink prints a link that opens the owner's page. It reads the key of the house and nothing else, so the house need not be asked.
func ownersLink(_ context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var db, file, url string
	flags := flag.NewFlagSet("owner", flag.ContinueOnError)
	flags.StringVar(&db, "db", "caveau.db", "the `file` of the house, or the address of its PostgreSQL")
	flags.StringVar(&file, "key", "", "the `file` with the key of the house; that of --db with -key behind it if it is not named, caveau.db-key where that is PostgreSQL")
	flags.StringVar(&url, "public-url", "http://localhost:8080", "the `address` by which you open the house")
	if code, ok := parse(flags, args, stderr); !ok {
		return code
	}
	keys, err := readKeys(cmp.Or(file, keyFile(db)))
	if err != nil {
		fmt.Fprintf(stderr, "caveau owner: %v; it is made when the house is opened for the first time\n", err)
		return exitFault
	}
	fmt.Fprintf(stdout, "%s/owner#%s\nopens the owner's page once, in the next %.0f minutes. Whoever has it is the owner.\n",
		strings.TrimSuffix(url, "/"), owner.Key(keys[0], time.Now()), owner.KeyTime.Minutes())
	return exitOK
}
