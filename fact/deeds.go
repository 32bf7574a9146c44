package fact

import (
	"context"
	"errors"
	"time"

	"caveau/wire"
)

// ErrEpoch is for a node whose epoch is over: what it owned is no longer its own, whatever it believes.
var ErrEpoch = errors.New("the lease of this node was over, and its tables are given to others")

// ErrAnothers is what Rest and Delete return for a table that this node has to own for that, and does not: it is, or may be, another's.
var ErrAnothers = errors.New("another node has the table")

// LeaseTime is how long a node has its tables for without renewing its lease.
const LeaseTime = 2500 * time.Millisecond

// Deeds say which node of a house owns which table, while that is awake (ADR 17). They are one node's, which has a lease for a time. Every
// method but Sweep is refused with ErrEpoch once that has been ended, and then for good: whoever comes too late is another node.
type Deeds interface {
	// Take makes a table this node's own, for a term whose number is greater than that of any before; 0 where another node owns it, or a house of
	// several nodes has none of that name.
	Take(ctx context.Context, id wire.ID) (term int64, err error)
	// Give ends a term. One that has ended, or has been followed by another, is left alone.
	Give(ctx context.Context, id wire.ID, term int64, left Left) error
	// Renew has the lease last for so long from now on, and notes which nodes this one hears over the bus, itself among them; none where that does not reach it. A lease
	// that is over is not renewed, ended or not.
	Renew(ctx context.Context, lasts time.Duration, hears ...int64) error
	// Sweep ends, for good, the leases of all nodes that are over, and then what they own: these tables are free to be taken. By a node whose own lease is over none is ended: it
	// could take nothing.
	Sweep(ctx context.Context) (free []wire.ID, err error)
	// Speaks is the version that the house speaks (wire.Speaks): the least that any node does whose epoch has not been ended, as soon as none has been for a minute and
	// somebody asks. It never falls, and no node joins that speaks less. Append refuses what needs more with wire.ErrNotYet.
	Speaks(ctx context.Context) (int, error)
}

// Left is how a table is left by whoever gives it back. The log alone does not tell: of a table that rested, and was woken and looked at since, it has that rest.
type Left int

const (
	Unread  Left = iota // it had no owner, and is as it was before
	Stopped             // somebody may look, and time may run
	Rests               // nobody looks, and nothing is to be done before its rest is over; or ever
)

// Shared are the deeds of a log to which other nodes write as well. Whoever refuses something there, or says that it was so already, has looked (ADR 17).
type Shared interface {
	Deeds
	// Confirm is the last entry of a table at a moment at which it is this node's for that term; 0 where it is not any more.
	Confirm(ctx context.Context, id wire.ID, term int64) (last int, err error)
	// Taken are the tables that other nodes own. What this one owns it knows; a row that it has left over by an error is no reason to let a table sleep.
	Taken(ctx context.Context) ([]wire.ID, error)
	// Idle is for how long nobody had a table when this term of it began, counted until now: since the node that had it had renewed its lease for the last time, or had given it
	// back without its resting; 0 if it rested, or some node had it. Whoever takes it later is not told so, unless this term had no owner.
	Idle(ctx context.Context, id wire.ID, term int64) (time.Duration, error)
	// Now is the time by the log's own clock, by which all nodes go.
	Now(ctx context.Context) (time.Time, error)
	// Living are the nodes that live, this one among them: whose leases last, and for no longer than that. One that opens has a longer lease, and
	// nobody is there yet.
	Living(ctx context.Context, lasts time.Duration) ([]Node, error)
}

// A Node is one that lives, and which it heard when it renewed its lease. One of an older version has not said so.
type Node struct {
	Number int64
	Hears  []int64
}
