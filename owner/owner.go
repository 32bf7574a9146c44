// Package owner is for whoever runs the house: a key from the command line opens his page, where he sees what is going on, closes and
// moderates tables, and says whether the house is for invited people only. He sees no more of a game than its door sign.
package owner

import (
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caveau/lobby"
	"caveau/reply"
)

// A Config is all that an owner is handed.
type Config struct {
	Secret  []byte   // the key of the house; whoever may read it is the owner
	Older   [][]byte // keys of before, under which invitations were written that are still good
	Notes   Notes
	Lobby   *lobby.Lobby
	Now     func() time.Time // the house's time, by which invitations and sessions last, at every node alike
	Wall    func() time.Time // what the clock of a machine shows on which a key is made; Now if it is nil
	Random  io.Reader        // unguessable
	Origin  string           // the address that others reach, for invitations
	Invited bool             // the house is for invited people only, whatever was noted
	// TurnOut makes a stranger of a guest.
	TurnOut func(ctx context.Context, guest string) error
	// Sockets is how many connections are open.
	Sockets func() int
	Version string
	Slog    *slog.Logger
}

// Notes are what the house notes for itself, durably. Several may change one: change is told what is noted, and says what is to be, as often as
// somebody else was quicker; an error from it leaves the note as it is, and is the answer.
type Notes interface {
	Note(ctx context.Context, name string) (value string, err error)
	Change(ctx context.Context, name string, change func(value string) (string, error)) error
}

// An Owner is whoever runs the house, as the house knows him.
type Owner struct {
	Config
	opened time.Time
	mux    *http.ServeMux

	mu    sync.Mutex // guards what follows; held while it is written
	noted noted

	invited atomic.Bool // as it is noted, for whoever must not wait until something else is
}

// noted is all that is kept of it, in one note.
type noted struct {
	Entered     time.Time    `json:"entered"` // when the newest key was made that was used: no older one is good any more
	Invited     bool         `json:"invited"`
	Last        int          `json:"last"` // the number of the newest invitation that ever was
	Invitations []Invitation `json:"invitations"`
	Came        []string     `json:"came,omitempty"` // marks of who has come by an invitation lately, the newest last
	Sessions    sessions     `json:"sessions,omitempty"`
	Key         string       `json:"key,omitempty"` // the mark of the key of the house that whoever opened it last goes by
}

const noteName = "owner"

const whichKey = "which key" // the mark is of that

// sameKey says so where the house had a key of which this node does not know. Then it was lost, or several nodes have one each, and do not know each other's guests.
func (o *Owner) sameKey(ctx context.Context) error {
	own, before := mark(o.Secret, whichKey, ""), o.noted.Key
	is := func(key []byte) bool { return hmac.Equal([]byte(mark(key, whichKey, "")), []byte(before)) }
	if is(o.Secret) {
		return nil
	}
	if before != "" && !slices.ContainsFunc(o.Older, is) {
		o.Slog.Error("the house was opened with another key before, and who was known by that is a stranger: if it has several nodes give all of them the same")
	}
	return o.note(ctx, func(n *noted) error { n.Key = own; return nil })
}

// New reads what was noted.
func New(ctx context.Context, c Config) (*Owner, error) {
	c.Origin = strings.TrimSuffix(c.Origin, "/")
	if c.Wall == nil {
		c.Wall = c.Now
	}
	o := &Owner{Config: c, opened: c.Now()}
	text, err := c.Notes.Note(ctx, noteName)
	if err == nil {
		o.noted, err = readNoted(text)
	}
	if err == nil {
		err = o.sameKey(ctx)
	}
	o.invited.Store(o.noted.Invited)
	o.mux = o.routes()
	c.Lobby.Heed(func(ctx context.Context, guest string) {
		if guest == "" {
			o.look(ctx)
		}
	})
	return o, err
}

// look looks at what is noted: another node may have changed it.
func (o *Owner) look(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	text, err := o.Notes.Note(ctx, noteName)
	n, unread := readNoted(text)
	if err = cmp.Or(err, unread); err == nil {
		o.noted = n
		o.invited.Store(n.Invited)
	} else if ctx.Err() == nil {
		o.Slog.Error("it cannot be read what the owner has said", "err", err)
	}
	return err
}

func readNoted(text string) (n noted, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &n)
	}
	return n, err
}

// note writes down what is to be so, and then it is. What change says rests on what is noted, whoever has noted it. The caller holds mu.
func (o *Owner) note(ctx context.Context, change func(*noted) error) error {
	var n noted
	err := o.Notes.Change(context.WithoutCancel(ctx), noteName, func(value string) (string, error) {
		var err error
		if n, err = readNoted(value); err == nil {
			err = change(&n)
		}
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(n)
		return string(text), err
	})
	if err == nil {
		o.noted = n
		o.invited.Store(n.Invited)
		o.Lobby.Changed("")
	}
	return err
}

func (o *Owner) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/owner/house", o.house)
	mux.HandleFunc("PUT /api/owner/house", o.setHouse)
	mux.HandleFunc("POST /api/owner/leave", o.leave)
	mux.HandleFunc("GET /api/owner/tables", o.tables)
	mux.HandleFunc("GET /api/owner/tables/{table}", o.table)
	mux.HandleFunc("POST /api/owner/tables/{table}/close", o.closeTable)
	mux.HandleFunc("POST /api/owner/tables/{table}/unlist", o.unlist)
	mux.HandleFunc("POST /api/owner/tables/{table}/out", o.outOfTable)
	mux.HandleFunc("POST /api/owner/guests/{guest}/nameless", o.nameless)
	mux.HandleFunc("POST /api/owner/guests/{guest}/out", o.outOfHouse)
	mux.HandleFunc("POST /api/owner/invitations", o.invite)
	mux.HandleFunc("DELETE /api/owner/invitations/{n}", o.revoke)
	mux.HandleFunc("GET /api/owner/invitations/{n}/qr.svg", o.drawn)
	mux.HandleFunc("/api/owner/", func(w http.ResponseWriter, _ *http.Request) {
		reply.Refuse(w, http.StatusNotFound, "bad_request", "there is nothing of that name and method; see docs/owner.md")
	})
	return mux
}

// enterPath is where a key is handed in; whatever else is asked for is for whom it has let in.
const enterPath = "/api/owner/enter"

// Answer answers what is asked at /api/owner/, over https or not; false where somebody wanted to pass for the owner.
func (o *Owner) Answer(w http.ResponseWriter, r *http.Request, secure bool) bool {
	if r.URL.Path == enterPath && r.Method == http.MethodPost {
		return o.enter(w, r, secure)
	}
	known, tried, err := o.knows(r, secure)
	if err != nil {
		reply.Error(w, err)
		return true
	}
	if !known {
		reply.Refuse(w, http.StatusUnauthorized, "no_owner", "this is for whoever runs the house: caveau owner prints a link")
		return !tried
	}
	o.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), secureKey{}, secure)))
	return true
}

type secureKey struct{}

// done answers that something was done, or why it was not, and writes it into the log of the house.
func (o *Owner) done(w http.ResponseWriter, err error, what string, about ...any) {
	if err != nil {
		reply.Error(w, err)
		return
	}
	o.Slog.Info("the owner", append([]any{"did", what}, about...)...)
	w.WriteHeader(http.StatusNoContent)
}
