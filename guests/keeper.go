package guests

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"caveau/push"
	"caveau/wire"
)

// ErrTaken is what AddPasskey returns for a passkey that somebody has already.
var ErrTaken = errors.New("somebody has this passkey already")

// A Keeper keeps what is known of guests besides what they are called (fact.Log). What a method has written is durable when it returns.
type Keeper interface {
	// Nobody keeps who is signed in; what is kept is who is not any more.

	// End notes that a session of a guest has ended, until a time at which it would have ended anyway; first is false if that was noted
	// before. Of all that would have ended by now nothing is kept.
	End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error)
	// EndAll notes, for ever, that all sessions of a badge's guest have ended that were begun before the round that it answers with; ErrEnded if its own had before.
	// With that a way into this round is kept, unless it is the zero value: whoever hears no answer comes back by it. If nothing has ended it is not kept.
	EndAll(ctx context.Context, by Badge, back Way) (round int, err error)
	// Ended tells whether End was said of a session, and which is the round of the guest; 0 where EndAll never was.
	Ended(ctx context.Context, guest, session string) (ended bool, round int, err error)

	// What outlasts a session is given to whoever shows one: in the same transaction it is looked whether that has ended (ErrEnded), so that
	// nobody has anything made for him who has gone meanwhile, by whichever node.

	// AddPasskey keeps one more passkey of a guest; ErrTaken if there is one of that id.
	AddPasskey(ctx context.Context, p Passkey, by Badge) error
	// MakeProgram begins a round of a place for programs, and notes what the program is called that has it then; first is false where that round
	// was begun before, or the one before it was not.
	MakeProgram(ctx context.Context, place string, round int, program wire.Guest, by Badge) (first bool, err error)
	// KeepWay keeps a way, in the place of one that its guest had. Of those whose time is over by now nothing is kept.
	KeepWay(ctx context.Context, w Way, now time.Time) error
	// Way is the way with a code of that sum, if its time is not over.
	Way(ctx context.Context, sum []byte, now time.Time) (Way, bool, error)
	// TakeWay forgets a way; first is false where it is not there any more, or the session that made it has ended.
	TakeWay(ctx context.Context, w Way) (first bool, err error)

	// Passkey is the passkey of an id; false if there is none.
	Passkey(ctx context.Context, id []byte) (Passkey, bool, error)
	// Passkeys are those of a guest, oldest first.
	Passkeys(ctx context.Context, guest string) ([]Passkey, error)
	// UsePasskey notes that a passkey was used, and what it is checked with from now on; there is false where it is not there any more.
	UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) (there bool, err error)
	// RemovePasskey forgets a passkey of a guest, if he has it.
	RemovePasskey(ctx context.Context, guest string, id []byte) error

	// Tables are those at which a guest was the host or sat, as the log has it, the newest first.
	Tables(ctx context.Context, guest string) ([]Table, error)

	// ForgetTable forgets that a guest was at a table.
	ForgetTable(ctx context.Context, guest string, table wire.ID) error

	// A subscription goes with its session: End and EndAll forget those of what they end.

	// Subscribe keeps a subscription, in the place of one of the same address, whoever had that: of those of a guest the newest, as many as
	// MostSubscriptions. It is ErrEnded if the session has ended.
	Subscribe(ctx context.Context, s Subscription) error
	// Subscriptions are those of a guest, oldest first.
	Subscriptions(ctx context.Context, guest string) ([]Subscription, error)
	// Unsubscribe forgets a subscription of a guest, if he has it.
	Unsubscribe(ctx context.Context, guest, endpoint string) error

	// Tell notes that a guest is told the n-th thing of a table; first is false where it was noted before, or a later one was, and where
	// there is no such table.
	Tell(ctx context.Context, guest string, table wire.ID, n int) (first bool, err error)

	// Forget forgets the passkeys, subscriptions and ways of a guest, and what he was told, and ends all his sessions as EndAll does; ForgetTables, where he
	// sat. The log of a table still has his id.
	Forget(ctx context.Context, guest string) error
	ForgetTables(ctx context.Context, guest string) error
}

// MostSubscriptions is in how many browsers somebody is told that he is waited for.
const MostSubscriptions = 10

// A Subscription is where a browser wants to be told that its guest is waited for.
type Subscription struct {
	push.Subscription
	Guest    string
	Session  string // while it lasts
	Round    int    // of the session
	Language string // of the page
	Made     time.Time
}

// A Way leads a guest to another device of his: whoever brings its code is he there too, once, and soon. It is a session's, and gives no more
// than one; it ends with that session, and where the guest makes another way.
type Way struct {
	Sum   []byte // of its code, which is told once, and not kept
	Of    Badge  // of whoever made it: his id, the session, its round
	Until time.Time
}

// A Passkey is what a browser shows who it is with.
type Passkey struct {
	ID    []byte // as the browser has drawn it
	Guest string
	Name  string // by which its guest knows it
	Made  time.Time
	Used  time.Time       // the zero time: never
	Check json.RawMessage // what it is checked with
}

// A Table is one at which a guest was.
type Table struct {
	ID   wire.ID
	Made time.Time
	Over bool
}
