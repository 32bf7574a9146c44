package fact

import (
	"context"
	"errors"
	"time"

	"caveau/wire"
)

// ErrEpoch is for a node whose epoch is over: what it owned is no longer its own, whatever it believes.
var ErrEpoch = errors.New("the lease of this node was over, and its tables are given to others")

// Deeds say which node of a house owns which table, while that is awake (ADR 17). They are one node's, which has a lease for a time. Every
// method but Sweep is refused with ErrEpoch once that has been ended, and then for good: whoever comes too late is another node.
type Deeds interface {
	// Take makes a table this node's own, for a term whose number is greater than that of any before; 0 where another node owns it, or a house of
	// several nodes has none of that name.
	Take(ctx context.Context, id wire.ID) (term int64, err error)
	// Give ends a term. One that has ended, or has been followed by another, is left alone.
	Give(ctx context.Context, id wire.ID, term int64) error
	// Renew has the lease last for so long from now on. One that is over is not renewed, ended or not.
	Renew(ctx context.Context, lasts time.Duration) error
	// Sweep ends, for good, the leases of all nodes that are over, and then what they own: these tables are free to be taken.
	Sweep(ctx context.Context) (free []wire.ID, err error)
}
