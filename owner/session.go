package owner

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"time"

	"caveau/reply"
)

// The owner is let in for so long, in one browser or a few, at all nodes of the house; and after a restart, unless the key of the house is another.
const (
	sessionTime  = 12 * time.Hour
	mostSessions = 20
)

// sessions are when each of them ends, by the mark of what its cookie says, which is not noted.
type sessions map[string]time.Time

const cookieName = "caveau_owner"

// cookie is the name under which a browser keeps it: over https, of this very host alone.
func cookie(secure bool) string {
	if secure {
		return "__Host-" + cookieName
	}
	return cookieName
}

// knows tells whether a request is the owner's, and whether it came with something that should make it so.
func (o *Owner) knows(r *http.Request, secure bool) (known, tried bool, err error) {
	c, none := r.Cookie(cookie(secure))
	if none != nil {
		return false, false, nil
	}
	if err = o.look(r.Context()); err != nil { // another node may have let him in, or out
		return false, false, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.noted.Sessions[o.session(c)].After(o.Now()), true, nil
}

// session is the mark of a cookie.
func (o *Owner) session(c *http.Cookie) string { return mark(o.Secret, "session", c.Value) }

// enter lets in whoever has a key, once.
func (o *Owner) enter(w http.ResponseWriter, r *http.Request, secure bool) bool {
	var body struct {
		Key string `json:"key"`
	}
	if !reply.Read(w, r, longest, &body) {
		return true
	}
	word := make([]byte, 32)
	if _, err := io.ReadFull(o.Random, word); err != nil {
		reply.Error(w, err)
		return true
	}
	value := base64.RawURLEncoding.EncodeToString(word)
	switch ok, err := o.admit(r, body.Key, o.session(&http.Cookie{Value: value})); {
	case err != nil && !errors.Is(err, errUsed):
		reply.Error(w, err)
		return true
	case !ok:
		reply.Refuse(w, http.StatusUnauthorized, "no_owner", "that key is none, or is not good any more: caveau owner prints another link")
		return false
	}
	o.setCookie(w, secure, value, int(sessionTime/time.Second))
	o.done(w, nil, "come in")
	return true
}

var errUsed = errors.New("that key was used, or a newer one")

// admit uses a key up, and begins a session.
func (o *Owner) admit(r *http.Request, key, session string) (ok bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	wall := o.Wall()
	at, ok := made(o.Secret, key, wall)
	if !ok {
		return false, nil
	}
	err = o.note(r.Context(), func(n *noted) error {
		used := n.Entered
		if used.After(wall.Add(ahead)) {
			used = time.Time{} // the clock was wrong then, and nobody is locked out for it
		}
		if !at.After(used) {
			return errUsed
		}
		n.Entered = at
		n.Sessions.keep(session, o.Now())
		return nil
	})
	return err == nil, err
}

// keep begins one, and forgets those that are over; or any, where there are too many.
func (all *sessions) keep(session string, now time.Time) {
	for one, until := range *all {
		if len(*all) >= mostSessions || !until.After(now) {
			delete(*all, one)
		}
	}
	if *all == nil {
		*all = make(sessions)
	}
	(*all)[session] = now.Add(sessionTime)
}

// leave ends the session.
func (o *Owner) leave(w http.ResponseWriter, r *http.Request) {
	secure, _ := r.Context().Value(secureKey{}).(bool)
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.note(r.Context(), func(n *noted) error {
		if c, err := r.Cookie(cookie(secure)); err == nil {
			delete(n.Sessions, o.session(c))
		}
		return nil
	})
	if err == nil {
		o.setCookie(w, secure, "", -1)
	}
	o.done(w, err, "lock the page")
}

func (o *Owner) setCookie(w http.ResponseWriter, secure bool, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookie(secure), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure,
	})
}
