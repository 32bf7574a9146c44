package guests

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"caveau/wire"
)

// guestName is the cookie that says who somebody is, signed. Over https it has a prefix with which browsers take it from this very
// host and over https alone: a site under a common name cannot plant one.
const (
	guestName = "caveau_guest"
	prefix    = "__Host-"
)

// A guest is forgotten when he has not come for as long as lasting. Whoever comes has his cookie renewed, at most once in renewing.
const (
	lasting  = 180 * 24 * time.Hour
	renewing = 24 * time.Hour
)

// oldUntil is how long cookies of before are taken, which say nothing of time and have no prefix; at his first visit everybody has a new
// one. A site under a common name could plant such a cookie of its own, and have somebody play under a name that is not his; no more.
var oldUntil = time.Date(2027, time.June, 1, 0, 0, 0, 0, time.UTC)

// A Badge is what a cookie says.
type Badge struct {
	wire.Guest
	Since   int64  `json:"since"`             // when it was given, in Unix seconds; 0 in a cookie of before
	Session string `json:"session,omitempty"` // whatever is renewed stays one session; none in a cookie of before
	Round   int    `json:"round,omitempty"`   // how often the guest had ended all his sessions before this one
}

var (
	ErrForged = errors.New("the cookie is none of ours")
	ErrEnded  = errors.New("the session has ended")
)

// Strict: no second text says the same.
var base = base64.RawURLEncoding.Strict()

// Badge is what the guest's cookie says that a request comes with, or a program's token, beside which no cookie counts; an error if he is
// nobody whom we have named, or asks as nobody (?guest=none): a page on a big screen is not told the hand of whoever opened it. Whether the
// session was ended it does not know: Check does.
func (b *Book) Badge(r *http.Request) (Badge, error) {
	if asNobody(r) {
		return Badge{}, http.ErrNoCookie
	}
	return b.shown(r)
}

// Opener is by whose cookie a page was opened that asks as nobody: where strangers are not let in it is, as long as he is. He is nobody where a page asks as itself.
func (b *Book) Opener(r *http.Request) (opener Badge) {
	if asNobody(r) {
		opener, _ = b.shown(r)
	}
	return opener
}

func asNobody(r *http.Request) bool { return r.URL.Query().Get("guest") == "none" }

func (b *Book) shown(r *http.Request) (Badge, error) {
	if token, has := tokenOf(r); has {
		var badge Badge
		err := b.readBadge(token, tokenMark, &badge)
		return badge, err
	}
	c, err := r.Cookie(b.cookieName(r, guestName))
	if err != nil {
		return b.oldBadge(r)
	}
	var badge Badge
	err = b.readBadge(c.Value, markedAs, &badge)
	switch {
	case err != nil && !b.Secure(r):
		return b.oldBadge(r)
	case err == nil && b.Now().Sub(time.Unix(badge.Since, 0)) > lasting:
		return Badge{}, ErrEnded
	}
	return badge, err
}

// oldBadge is what a cookie of before says.
func (b *Book) oldBadge(r *http.Request) (Badge, error) {
	c, err := r.Cookie(guestName)
	if err != nil {
		return Badge{}, err
	}
	var badge Badge
	err = b.readBadge(c.Value, guestName, &badge)
	if err == nil && b.Now().After(oldUntil) {
		return Badge{}, ErrEnded
	}
	return badge, err
}

// markedAs is what the mark of a cookie is of, with its text; of a cookie of before it was the name of the cookie.
const markedAs = "guest, since"

// readBadge reads a cookie that says who somebody is.
func (b *Book) readBadge(value, kind string, badge *Badge) error {
	err := b.read(value, kind, badge)
	if err == nil && badge.ID == "" {
		err = ErrForged
	}
	if err != nil {
		*badge = Badge{}
	}
	return err
}

// read reads a cookie that was marked as one of that kind.
func (b *Book) read(value, kind string, into any) error {
	text, mark, _ := strings.Cut(value, ".")
	signed, err := base.DecodeString(mark)
	if err != nil || !b.isOurs(kind, text, signed) {
		return ErrForged
	}
	data, err := base.DecodeString(text)
	if err != nil || json.Unmarshal(data, into) != nil {
		return ErrForged
	}
	return nil
}

// marked is what a cookie of a kind says, with its mark.
func (b *Book) marked(kind string, what any) (string, error) {
	data, err := json.Marshal(what)
	text := base.EncodeToString(data)
	return text + "." + base.EncodeToString(sign(b.Secret, kind, text)), err
}

// isOurs tells whether we have marked a text: now, or with a secret of before.
func (b *Book) isOurs(kind, text string, mark []byte) bool {
	ours := hmac.Equal(mark, sign(b.Secret, kind, text))
	for _, secret := range b.Older {
		ours = ours || hmac.Equal(mark, sign(secret, kind, text))
	}
	return ours
}

func sign(secret []byte, kind, text string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(kind + "\n" + text))
	return mac.Sum(nil)
}

func (b *Book) cookieName(r *http.Request, name string) string {
	if b.Secure(r) {
		return prefix + name
	}
	return name
}

// give gives the guest his cookie, from now on.
func (b *Book) give(w http.ResponseWriter, r *http.Request, badge Badge) error {
	badge.Since = b.Now().Unix()
	value, err := b.marked(markedAs, badge)
	if err != nil {
		return err
	}
	b.setCookie(w, r, guestName, value, lasting)
	b.dropOld(w, r)
	return nil
}

// Drop takes his cookie back, and one of before.
func (b *Book) Drop(w http.ResponseWriter, r *http.Request) {
	b.setCookie(w, r, guestName, "", -1)
	b.dropOld(w, r)
}

// dropOld takes back the cookie that was given before there was another over https.
func (b *Book) dropOld(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(guestName); err == nil && b.Secure(r) {
		http.SetCookie(w, &http.Cookie{Name: guestName, Path: "/", MaxAge: -1})
	}
}

// setCookie sets a cookie for so long; for less than nothing it takes it back.
func (b *Book) setCookie(w http.ResponseWriter, r *http.Request, name, value string, lasts time.Duration) {
	seconds := -1
	if lasts > 0 {
		seconds = int(lasts / time.Second)
	}
	http.SetCookie(w, &http.Cookie{
		Name: b.cookieName(r, name), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: b.Secure(r),
	})
}
