// Package postgres is what a Store needs of PostgreSQL: a connection that writes and holds the house's lock, others that read, and what
// becomes of a commit whose answer was lost.
package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"caveau/wire"
)

// SQL has the statements that are other here than in a file, in its folder sql.
//
//go:embed sql/*.sql
var SQL embed.FS

const (
	// Patience is how long one try may take. Whoever commands waits for ten seconds: for the writer, for his entry, and for what became of
	// it, each as long as this.
	Patience = 3 * time.Second
	// readers is how many reads go on at once.
	readers = 4
	oldest  = 15 // the version that we know
	// application marks the lock as ours ("Cave"); the other half of its number is the schema, or of whom something is changed. Those behind it are for less.
	application = 0x43617665
	guesting    = application + 1
	migrating   = application + 2
)

// A DB is a database that one node writes to, which has the house to itself or is one of several. Begin and what it returns are for one goroutine, all
// else for many.
type DB struct {
	name     string // with no password in it
	config   *pgx.ConnConfig
	patience time.Duration
	reader   *sql.DB
	writer   *sql.DB           // for what a node does besides
	renewer  *sql.DB           // for its lease alone, which waits for none of that
	writes   map[string]string // statements by their names
	several  bool              // there may be other nodes
	speaks   int               // the version of this node (wire.Speaks)
	epoch    int64             // the node's

	conn            *pgx.Conn // it writes, and holds the lock; nil where there is none
	line, commits   int64     // as the node's row has them
	number, numbers int64     // the next that a match is given, and how many there are left

	unsure atomic.Bool // nobody knows what became of the last commit
	lost   atomic.Bool // the epoch has ended
}

// Open opens the database at an address for a house that has one node, and brings it to the newest schema. Writes are the statements that Begin is told by
// their names.
func Open(ctx context.Context, address string, writes map[string]string, patience time.Duration) (*DB, error) {
	return open(ctx, address, patience, func(d *DB) error { d.writes = writes; return d.take(ctx, 0) })
}

// Join is Open for one of several nodes, which speaks that version, with a lease that lasts for so long.
func Join(ctx context.Context, address string, writes map[string]string, speaks int, lasts, patience time.Duration) (*DB, error) {
	return open(ctx, address, patience, func(d *DB) error {
		d.writes, d.several, d.speaks = writes, true, speaks
		return d.take(ctx, lasts)
	})
}

func open(ctx context.Context, address string, patience time.Duration, take func(*DB) error) (*DB, error) {
	d, err := at(address, patience)
	if err != nil {
		return nil, err
	}
	if err := take(d); err != nil {
		return nil, errors.Join(d.Explain(err), d.Close())
	}
	return d, nil
}

// at is the database at an address. It is not asked yet.
func at(address string, patience time.Duration) (*DB, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil { // which may have the password in it
		return nil, errors.New("the address of the database cannot be read; write postgres://user@host/database")
	}
	d := &DB{name: name(config), config: config, patience: patience, speaks: wire.Speaks}
	// A standby is behind. And a house whose machine is gone must not keep its lock for hours.
	config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	config.OnNotice = func(*pgconn.PgConn, *pgconn.Notice) {}
	for param, value := range map[string]string{
		"application_name": "caveau", "tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
	} {
		if _, given := config.RuntimeParams[param]; !given {
			config.RuntimeParams[param] = value
		}
	}
	config.RuntimeParams["statement_timeout"] = strconv.FormatInt(patience.Milliseconds(), 10)
	config.RuntimeParams["lock_timeout"] = strconv.FormatInt(patience.Milliseconds()/2, 10)
	// No node is swept while it has a transaction on its way: one that sleeps has none for long.
	config.RuntimeParams["idle_in_transaction_session_timeout"] = strconv.FormatInt(patience.Milliseconds(), 10)
	reads := config.Copy()
	reads.RuntimeParams["default_transaction_read_only"] = "on"
	d.reader, d.writer, d.renewer = stdlib.OpenDB(*reads), stdlib.OpenDB(*config), stdlib.OpenDB(*config)
	for _, pool := range []*sql.DB{d.reader, d.writer} {
		pool.SetMaxOpenConns(readers)
		pool.SetMaxIdleConns(readers)
	}
	d.renewer.SetMaxOpenConns(1)
	return d, nil
}

// IsAddress tells whether a database is named by the address of a PostgreSQL server, and not by a path.
func IsAddress(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// Name is what the database at an address is called where everybody may read it.
func Name(address string) string {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return "of an address that cannot be read"
	}
	return name(config)
}

func name(c *pgx.ConnConfig) string {
	where := net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	if c.Host != "" && c.Host[0] == '/' {
		where = c.Host // a folder with a socket in it
	}
	return fmt.Sprintf("%s at %s", c.Database, where)
}

// take makes the database this node's: it takes the lock, migrates, ends the epochs of those who have not the lock any more, so that they write no more, and
// begins one.
func (d *DB) take(ctx context.Context, lasts time.Duration) error {
	within, cancel := context.WithTimeout(ctx, 2*d.patience)
	defer cancel()
	conn, err := d.lock(within)
	if err != nil {
		return err
	}
	d.conn = conn
	if err := migrate(ctx, conn, schema); err != nil {
		return err
	}
	if d.several {
		if _, err = conn.Exec(ctx, end("until = 'infinity'")); err != nil {
			return err
		}
		return d.enter(ctx, from, lasts.Microseconds())
	}
	if _, err = conn.Exec(ctx, end("true")); err == nil {
		_, err = conn.Exec(ctx, "DELETE FROM deeds; DELETE FROM idle")
	}
	if err != nil {
		return err
	}
	return d.enter(ctx, "'infinity'")
}

// enter begins an epoch, unless the house speaks what this node does not know: who joins has the house's row, so that it rises before or after.
func (d *DB) enter(ctx context.Context, until string, args ...any) error {
	return pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
		var house int
		if err := tx.QueryRow(ctx, "SELECT speaks FROM caveau FOR UPDATE").Scan(&house); err != nil {
			return err
		}
		if house > d.speaks {
			return refusal(fmt.Sprintf("has a house that speaks version %d, which it does as soon as all of its nodes do, and this program speaks %d: it could not read what is written there; "+
				"start the newer program here, too, or restore an older backup", house, d.speaks))
		}
		if err := tx.QueryRow(ctx, fmt.Sprintf("INSERT INTO nodes (until, speaks) VALUES (%s, %d) RETURNING epoch", until, d.speaks), args...).Scan(&d.epoch); err != nil {
			return err
		}
		if d.several {
			return nil // see Speaks
		}
		_, err := tx.Exec(ctx, "UPDATE caveau SET speaks = $1", d.speaks)
		return err
	})
}

// end ends the epochs of some nodes, and adds what was known of them to the house's row. It waits for what they have on its way.
func end(which string) string {
	return "WITH gone AS (DELETE FROM nodes WHERE " + which + ` RETURNING commits, at) UPDATE caveau
		SET commits = caveau.commits + (SELECT sum(commits) FROM gone), at = greatest(at, (SELECT max(at) FROM gone)), ended = clock_timestamp() WHERE EXISTS (SELECT FROM gone)`
}

// lock connects to write. The lock is the session's: the server lets go of it when that ends, however it does, and not before its last
// transaction has. Several nodes have it together, a house alone has it to itself.
func (d *DB) lock(ctx context.Context) (_ *pgx.Conn, err error) {
	conn, err := pgx.ConnectConfig(ctx, d.config.Copy())
	if err != nil {
		return nil, err
	}
	if err = check(ctx, conn); err == nil {
		shared := ""
		if d.several {
			shared = "_shared"
		}
		_, err = conn.Exec(ctx, "SELECT pg_advisory_lock"+shared+"($1::int, hashtext(current_schema()))", application)
	}
	if code(err) == lockTimeout {
		err = errInUse
	}
	if err != nil {
		d.hangUp(conn)
		return nil, err
	}
	return conn, nil
}

// check refuses a server that does not sync what it acknowledges, or cannot keep what we write.
func check(ctx context.Context, conn *pgx.Conn) error {
	var version int
	var synced, fsync, encoding, folder string
	err := conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('synchronous_commit'), current_setting('fsync'),
		current_setting('server_encoding'), coalesce(current_schema(), '')`).Scan(&version, &synced, &fsync, &encoding, &folder)
	switch {
	case err != nil:
		return err
	case version < oldest*10000:
		return errOld
	case synced == "off" || fsync == "off":
		return errUnsynced
	case encoding != "UTF8":
		return errEncoding
	case folder == "":
		return errNoSchema
	}
	return nil
}

// ready sees to it that there is a connection that writes. One that was lost is made anew, for as long as ctx has time, since the server may be
// starting.
func (d *DB) ready(ctx context.Context) error {
	for d.conn == nil || d.conn.IsClosed() {
		err := d.again(ctx)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			return errSlow
		case !isAway(err):
			return err
		}
		select {
		case <-time.After(d.patience / 30):
		case <-ctx.Done():
			return err
		}
	}
	return nil
}

// again makes the connection that writes anew. Then it is known what became of the last commit: the node's row, which the session had that is lost, says whether
// it is counted, and from now on refuses what that may still have on its way.
func (d *DB) again(ctx context.Context) error {
	if d.lost.Load() {
		return errTaken
	}
	d.conn = nil
	conn, err := d.lock(ctx)
	if errors.Is(err, errInUse) {
		return d.whoseLock(ctx)
	} else if err != nil {
		return err
	}
	var line, commits int64
	err = conn.QueryRow(ctx, "UPDATE nodes SET line = line + 1 WHERE epoch = $1 RETURNING line, commits", d.epoch).Scan(&line, &commits)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = d.lose()
	case code(err) == lockTimeout:
		err = errHeld
	}
	if err != nil {
		d.hangUp(conn)
		return err
	}
	d.conn, d.line, d.commits = conn, line, commits
	d.unsure.Store(false)
	return nil
}

// whoseLock tells whether another house has the lock, or a session of ours that the server has not given up yet.
func (d *DB) whoseLock(ctx context.Context) error {
	var ours bool
	if err := d.reader.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM nodes WHERE epoch = $1)", d.epoch).Scan(&ours); err != nil {
		return err
	}
	if ours {
		return errHeld
	}
	return d.lose()
}

// lose is that the epoch has ended. Whoever did that has waited for what was on its way, and what comes later is refused: so what there is may be read.
func (d *DB) lose() error {
	d.lost.Store(true)
	d.unsure.Store(false)
	return errTaken
}

// Epoch is the number of this node, which no other has, nor this one in another life.
func (d *DB) Epoch() int64 { return d.epoch }

// Called is what errors call it.
func (d *DB) Called() string { return d.name }

// Reader reads, with up to as many connections as there are reads at once.
func (d *DB) Reader() *sql.DB { return d.reader }

// Read has something read, again if the connection was lost, for as long as the patience. While nobody knows what became of a commit nothing is
// read: who asks for it would be told what may be untrue a moment later.
func (d *DB) Read(ctx context.Context, read func(context.Context) error) error {
	within, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	for {
		if d.unsure.Load() {
			return errUnsure
		}
		err := read(within)
		if err == nil && d.unsure.Load() {
			return errUnsure // it may have been read just before it became true
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil || !isAway(err) && within.Err() == nil:
			return err
		case within.Err() != nil:
			return errSlow
		}
		select {
		case <-time.After(d.patience / 30):
		case <-within.Done():
			return err
		}
	}
}

// Patience is how long one try takes at most.
func (d *DB) Patience() time.Duration { return d.patience }

// Unsure tells whether nobody knows what became of the last commit, until Begin finds out.
func (d *DB) Unsure() bool { return d.unsure.Load() }

// Close lets go of the lock and of all connections. A node's lease is over then, so that nobody counts it among the living; if that cannot be said it runs out.
func (d *DB) Close() error {
	if d.several {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		d.renewer.ExecContext(ctx, "UPDATE nodes SET until = least(until, clock_timestamp()) WHERE epoch = $1", d.epoch)
		cancel()
	}
	err := errors.Join(d.reader.Close(), d.writer.Close(), d.renewer.Close())
	if d.conn != nil {
		d.hangUp(d.conn)
	}
	return err
}

// hangUp closes a connection. What it has to say to that is of no use to anybody.
func (d *DB) hangUp(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), d.patience)
	defer cancel()
	conn.Close(ctx)
}
