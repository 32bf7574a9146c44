// Package guests knows who somebody is: by the cookie that his browser brings, which nobody but the house can have marked, and which is
// good until its session ends.
package guests

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"caveau/limit"
	"caveau/wire"
)

// A Config is all that a book is handed.
type Config struct {
	Keeper Keeper
	Origin *url.URL  // of the house
	Secret []byte    // marks the cookies; kept over restarts, or everybody is a stranger
	Older  [][]byte  // have marked cookies before it, which are good still
	Random io.Reader // unguessable
	Now    func() time.Time
	Secure func(*http.Request) bool // whether a request came by https
	// Push is the key of the house for those who want to be told that they are waited for; nil where nobody is.
	Push []byte
	// Called is a guest with the name that he has now.
	Called func(context.Context, wire.Guest) (wire.Guest, error)
	// Rename is that a guest is called otherwise, or has no name any more.
	Rename func(context.Context, wire.Guest) error
	// Rooms are the tables of the house.
	Rooms Rooms
	// Ended is told when sessions of a guest have ended.
	Ended func(ctx context.Context, guest string)
	// Note writes a line of the log, with what it is about by its names: never what somebody shows to be let in.
	Note func(line string, about ...any)
}

// A Book is the house's guest book.
type Book struct {
	Config
	ceremonies *webauthn.WebAuthn // nil where there are no passkeys
	making     limit.Turns        // of guests who are given what outlasts their sessions, or are forgotten
	made       *limit.Buckets     // of which so many are made
}

// New makes a book.
func New(c Config) (*Book, error) {
	ceremonies, err := newCeremonies(c.Origin)
	return &Book{Config: c, ceremonies: ceremonies, made: limit.NewBuckets(waysMade)}, err
}

// IDOf is the id of a guest who is new. Whoever hears no answer tries again, and is not two guests then: the id follows from what he calls his
// try, and from a time that is his for as long as trying at least. Where that can be guessed, or is nothing, it is drawn.
func (b *Book) IDOf(ctx context.Context, try string) (string, error) {
	if len(try) < shortestTry {
		return b.NewID()
	}
	in := func(at time.Time) string {
		of := fmt.Sprintf("%s %d", try, at.UnixNano()/int64(trying))
		return hex.EncodeToString(sign(b.Secret, "a guest's try", of)[:16])
	}
	before := in(b.Now().Add(-trying))
	if g, err := b.Called(ctx, wire.Guest{ID: before}); err != nil || g.Name != "" {
		return before, err
	}
	return in(b.Now()), nil
}

const trying, shortestTry = 10 * time.Minute, 22 // letters: of base64 more than 128 bits

// NewID draws an id that nobody can guess, for a guest or a session.
func (b *Book) NewID() (string, error) {
	id := make([]byte, 16)
	_, err := io.ReadFull(b.Random, id)
	return hex.EncodeToString(id), err
}

// Begin begins the first session of a guest who is new: from now on the browser is his.
func (b *Book) Begin(w http.ResponseWriter, r *http.Request, g wire.Guest) error {
	return b.begin(w, r, Badge{Guest: g})
}

func (b *Book) begin(w http.ResponseWriter, r *http.Request, badge Badge) (err error) {
	if badge.Session, err = b.NewID(); err != nil {
		return err
	}
	return b.give(w, r, badge)
}

// GoOn gives the guest a new cookie of his session, with the name that he has now, if he has another or the cookie is not from today.
func (b *Book) GoOn(w http.ResponseWriter, r *http.Request, badge Badge, name string) (err error) {
	if badge.Name == name && b.Now().Sub(time.Unix(badge.Since, 0)) < renewing {
		return nil
	}
	if badge.Name = name; badge.Session == "" {
		return b.begin(w, r, badge)
	}
	return b.give(w, r, badge) // of the round that it was: if that is over by now, so is this
}

// Check is nil while the session of a badge lasts, and ErrEnded when it has ended; another error where that cannot be read.
func (b *Book) Check(ctx context.Context, badge Badge) error {
	ended, round, err := b.Keeper.Ended(ctx, badge.ID, badge.Session)
	if err == nil && (ended || badge.Round < round) {
		err = ErrEnded
	}
	return err
}

// nobodyIf is for whoever was to be given something: if his session has ended meanwhile he is nobody.
func nobodyIf(err error) error {
	if errors.Is(err, ErrEnded) {
		return errNobody
	}
	return err
}

// End ends the session of a badge; all of the guest's where the cookie is from before and names none.
func (b *Book) End(ctx context.Context, badge Badge) error {
	if badge.Session == "" {
		_, err := b.endAll(ctx, badge, Way{})
		return err
	}
	return b.inTurn(ctx, badge.ID, func() error {
		now := b.Now()
		_, err := b.Keeper.End(ctx, badge.ID, badge.Session, now, now.Add(lasting+renewing))
		b.Ended(ctx, badge.ID) // after an error too: it may be noted all the same
		return err
	})
}

// EndOthers ends all sessions of the guest, and begins a new one here, if this one has not ended meanwhile. Whoever hears no answer has no cookie that is good any more: if he has given a
// name to his try he comes back by it, as by a link to another device.
func (b *Book) EndOthers(w http.ResponseWriter, r *http.Request, badge Badge, try string) (err error) {
	by := badge
	if badge.Session, err = b.NewID(); err != nil {
		return err
	}
	badge.Round++
	var back Way
	if len(try) >= shortestTry {
		back = Way{sumOf(try), badge, b.Now().Add(wayTime)}
	}
	if badge.Round, err = b.endAll(r.Context(), by, back); err != nil {
		return err
	}
	return b.give(w, r, badge)
}

func (b *Book) endAll(ctx context.Context, by Badge, back Way) (round int, err error) {
	err = b.inTurn(ctx, by.ID, func() error {
		round, err = b.Keeper.EndAll(ctx, by, back)
		b.Ended(ctx, by.ID)
		return err
	})
	return round, err
}

// Name has a guest called so from now on; somebody who is new has an empty badge. Whoever is erased meanwhile has none afterwards, which nobody could take back.
func (b *Book) Name(ctx context.Context, badge Badge, g wire.Guest) error {
	if badge.ID == "" {
		return b.Rename(ctx, g)
	}
	return b.inTurn(ctx, badge.ID, func() error {
		if err := b.Check(ctx, badge); err != nil {
			return nobodyIf(err)
		}
		renamed := b.Rename(ctx, g)
		ctx := context.WithoutCancel(ctx) // it may be written, though that was not answered, or whoever asked has gone
		err := b.Check(ctx, badge)
		if errors.Is(err, ErrEnded) { // by way of another node; he may have been erased
			b.Rename(ctx, wire.Guest{ID: g.ID})
		}
		return cmp.Or(renamed, nobodyIf(err))
	})
}

// Erase takes a guest's name from wherever it stands, and forgets him; and takes it again where by way of another node he was given one before he had no session any more.
func (b *Book) Erase(ctx context.Context, guest string) error {
	return b.inTurn(ctx, guest, func() error {
		if err := b.Rename(ctx, wire.Guest{ID: guest}); err != nil {
			return err
		}
		if err := b.forget(ctx, guest, b.forgetMade); err != nil {
			return err
		}
		ctx := context.WithoutCancel(ctx) // he has no session any more to say it again
		if g, err := b.Called(ctx, wire.Guest{ID: guest}); err == nil && g.Name == "" {
			return nil
		}
		return b.Rename(ctx, wire.Guest{ID: guest})
	})
}

// Forget forgets all that is known of a guest but his name, his programs and the games that he had kept too, and ends his sessions.
func (b *Book) Forget(ctx context.Context, guest string) error {
	return b.inTurn(ctx, guest, func() error { return b.forget(ctx, guest, b.forgetMade) })
}

// inTurn does something with a guest when nothing else is done that is not to happen meanwhile.
func (b *Book) inTurn(ctx context.Context, guest string, do func() error) error {
	over, err := b.making.Of(ctx, guest)
	if err != nil {
		return err
	}
	defer over()
	return do()
}

// forget forgets what is kept of a guest or a program, and ends its sessions. What it has made goes before, so that somebody can try again where that fails,
// and once more afterwards: it may have made something meanwhile by way of another node. That is found by where it sat, which is forgotten last.
func (b *Book) forget(ctx context.Context, guest string, made func(context.Context, string) error) error {
	if err := made(ctx, guest); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // though whoever asked has gone
	err := b.Keeper.Forget(ctx, guest)
	b.Ended(ctx, guest)
	if err == nil {
		err = made(ctx, guest)
	}
	if err == nil {
		err = b.Keeper.ForgetTables(ctx, guest)
	}
	return err
}
