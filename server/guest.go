package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"caveau/wire"
)

// cookieName is the cookie that says who somebody is, signed. Over https it has a prefix with which browsers take it from this very
// host and over https alone: a site under a common name cannot plant one.
const (
	cookieName = "caveau_guest"
	prefix     = "__Host-"
)

// A guest is forgotten when he has not come for as long as lasting. Whoever comes has his cookie renewed, at most once in renewing.
const (
	lasting  = 180 * 24 * time.Hour
	renewing = 24 * time.Hour
)

// oldUntil is how long cookies of before are taken, which say nothing of time and have no prefix; at his first visit everybody has a new
// one. A site under a common name could plant such a cookie of its own, and have somebody play under a name that is not his; no more.
var oldUntil = time.Date(2027, time.June, 1, 0, 0, 0, 0, time.UTC)

// A badge is what a cookie says.
type badge struct {
	wire.Guest
	Since int64 `json:"since"` // when it was given, in Unix seconds; 0 in a cookie of before
}

var (
	errForged = errors.New("the cookie is none of ours")
	errEnded  = errors.New("the cookie has ended")
)

// Strict: no second text says the same.
var base = base64.RawURLEncoding.Strict()

// badge is what the guest's cookie says that a request comes with; an error if he is nobody whom we have named.
func (s *Server) badge(r *http.Request) (badge, error) {
	c, err := r.Cookie(s.cookieName(r))
	if err != nil {
		return s.oldBadge(r)
	}
	b, err := s.read(c.Value, markedAs)
	switch {
	case err != nil && !s.isSecure(r):
		return s.oldBadge(r)
	case err == nil && s.Clock.Now().Sub(time.Unix(b.Since, 0)) > lasting:
		return badge{}, errEnded
	}
	return b, err
}

// oldBadge is what a cookie of before says.
func (s *Server) oldBadge(r *http.Request) (badge, error) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return badge{}, err
	}
	b, err := s.read(c.Value, cookieName)
	if err == nil && s.Clock.Now().After(oldUntil) {
		return badge{}, errEnded
	}
	return b, err
}

// markedAs is what the mark of a cookie is of, with its text; of a cookie of before it was the name of the cookie.
const markedAs = "guest, since"

// read reads a cookie that was marked as one of that kind.
func (s *Server) read(value, kind string) (b badge, err error) {
	text, mark, _ := strings.Cut(value, ".")
	signed, err := base.DecodeString(mark)
	if err != nil || !hmac.Equal(signed, s.sign(kind, text)) {
		return b, errForged
	}
	data, err := base.DecodeString(text)
	if err != nil || json.Unmarshal(data, &b) != nil || b.ID == "" {
		return badge{}, errForged
	}
	return b, nil
}

func (s *Server) sign(kind, text string) []byte {
	mac := hmac.New(sha256.New, s.Secret)
	mac.Write([]byte(kind + "\n" + text))
	return mac.Sum(nil)
}

// isSecure tells whether a request came by https; of a house whose address has it, all do.
func (s *Server) isSecure(r *http.Request) bool {
	return s.origin.Scheme == "https" || s.scheme(r) == "https"
}

func (s *Server) cookieName(r *http.Request) string {
	if s.isSecure(r) {
		return prefix + cookieName
	}
	return cookieName
}

// remember gives the guest his cookie, from now on.
func (s *Server) remember(w http.ResponseWriter, r *http.Request, g wire.Guest) error {
	data, err := json.Marshal(badge{g, s.Clock.Now().Unix()})
	if err != nil {
		return err
	}
	text := base.EncodeToString(data)
	s.setCookie(w, r, text+"."+base.EncodeToString(s.sign(markedAs, text)), int(lasting/time.Second))
	s.dropOld(w, r)
	return nil
}

// forget takes his cookie back, and one of before.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) {
	s.setCookie(w, r, "", -1)
	s.dropOld(w, r)
}

// dropOld takes back the cookie that was given before there was another over https.
func (s *Server) dropOld(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(cookieName); err == nil && s.isSecure(r) {
		http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1})
	}
}

func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(r), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.isSecure(r),
	})
}

// renew gives a guest a new cookie where his is not from today.
func (s *Server) renew(w http.ResponseWriter, r *http.Request) error {
	b, err := s.badge(r)
	if err != nil || s.Clock.Now().Sub(time.Unix(b.Since, 0)) < renewing {
		return nil // there is nothing to renew
	}
	return s.remember(w, r, b.Guest)
}

// newGuestID draws an id that nobody can guess.
func (s *Server) newGuestID() (string, error) {
	id := make([]byte, 16)
	_, err := io.ReadFull(s.Random, id)
	return hex.EncodeToString(id), err
}
