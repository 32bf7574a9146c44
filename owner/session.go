package owner

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"time"

	"caveau/reply"
)

// The owner is let in for so long, in one browser or a few. Nothing is stored for it: after a restart of the house he asks for another key.
const (
	sessionTime  = 12 * time.Hour
	mostSessions = 20
)

// sessions are when each of them ends, by the hash of what its cookie says.
type sessions map[[sha256.Size]byte]time.Time

const cookieName = "caveau_owner"

// cookie is the name under which a browser keeps it: over https, of this very host alone.
func cookie(secure bool) string {
	if secure {
		return "__Host-" + cookieName
	}
	return cookieName
}

// knows tells whether a request is the owner's, and whether it came with something that should make it so.
func (o *Owner) knows(r *http.Request, secure bool) (known, tried bool) {
	c, err := r.Cookie(cookie(secure))
	if err != nil {
		return false, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sessions[sha256.Sum256([]byte(c.Value))].After(o.Now()), true
}

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
	switch ok, err := o.admit(r, body.Key, value); {
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
func (o *Owner) admit(r *http.Request, key, value string) (ok bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	at, ok := made(o.Secret, key, now)
	if !ok {
		return false, nil
	}
	err = o.note(r.Context(), func(n *noted) error {
		used := n.Entered
		if used.After(now.Add(ahead)) {
			used = time.Time{} // the clock was wrong then, and nobody is locked out for it
		}
		if !at.After(used) {
			return errUsed
		}
		n.Entered = at
		return nil
	})
	if err != nil {
		return false, err
	}
	for hash, until := range o.sessions {
		if len(o.sessions) >= mostSessions || !until.After(now) {
			delete(o.sessions, hash)
		}
	}
	o.sessions[sha256.Sum256([]byte(value))] = now.Add(sessionTime)
	return true, nil
}

// leave ends the session.
func (o *Owner) leave(w http.ResponseWriter, r *http.Request) {
	secure, _ := r.Context().Value(secureKey{}).(bool)
	if c, err := r.Cookie(cookie(secure)); err == nil {
		o.mu.Lock()
		delete(o.sessions, sha256.Sum256([]byte(c.Value)))
		o.mu.Unlock()
	}
	o.setCookie(w, secure, "", -1)
	o.done(w, nil, "lock the page")
}

func (o *Owner) setCookie(w http.ResponseWriter, secure bool, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookie(secure), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure,
	})
}
