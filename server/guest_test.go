package server_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caveau/match/matchtest"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

const secret = "a secret of the tests"

// A calendar is a clock that can be moved on.
type calendar struct {
	matchtest.Clock
	now time.Time
}

func (c *calendar) Now() time.Time { return c.now }

// A browser keeps cookies, whatever they say of hosts and times.
type browser struct {
	t       *testing.T
	h       *house
	cookies map[string]*http.Cookie
}

// hello is the name of the guest that the house takes it for, "" for nobody.
func (b *browser) hello() string {
	b.t.Helper()
	var hello struct{ Guest *wire.Guest }
	p := &person{t: b.t}
	p.answered(b.do(http.MethodGet, "/api/hello", ""), http.StatusOK, &hello)
	if hello.Guest == nil {
		return ""
	}
	return hello.Guest.Name
}

func (b *browser) do(method, path, body string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "192.168.1.7"
	for name, c := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: c.Value})
	}
	w := httptest.NewRecorder()
	b.h.server.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if b.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	res := w.Result()
	res.Request = r
	return res
}

// called is a browser whose guest has said his name.
func (h *house) called(name string) *browser {
	b := &browser{h.t, h, map[string]*http.Cookie{}}
	b.do(http.MethodPost, "/api/guest", `{"name": "`+name+`"}`)
	return b
}

// marked is a text with the house's mark, as something of a kind.
func marked(kind, text string) string {
	base := base64.RawURLEncoding
	text = base.EncodeToString([]byte(text))
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(kind + "\n" + text))
	return text + "." + base.EncodeToString(mac.Sum(nil))
}

// No script reads the cookie and no page elsewhere posts with it; over https no other site can set it, and it never goes without.
func TestCookie(t *testing.T) {
	home := open(t).called("Ana").cookies["caveau_guest"]
	if home == nil || !home.HttpOnly || home.SameSite != http.SameSiteLaxMode || home.Secure || home.Path != "/" || home.Domain != "" {
		t.Errorf("at home the cookie is %v", home)
	}
	b := open(t, func(c *server.Config) { c.Origin = "https://games.example.org" }).called("Ana")
	c := b.cookies["__Host-caveau_guest"]
	if c == nil || len(b.cookies) != 1 || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || !c.Secure || c.Path != "/" || c.Domain != "" {
		t.Errorf("over https the cookies are %v", b.cookies)
	}
	if name := b.hello(); name != "Ana" {
		t.Errorf("she is taken for %q", name)
	}
	if b.do(http.MethodDelete, "/api/guest", ""); len(b.cookies) > 0 {
		t.Errorf("she had herself forgotten, and has the cookies %v", b.cookies)
	}
	b.cookies = map[string]*http.Cookie{"caveau_guest": c} // as a site under a common name would plant it
	if name := b.hello(); name != "" {
		t.Errorf("with a cookie that anybody may have set she is taken for %q", name)
	}
}

// A guest is forgotten half a year after his last visit, and no sooner.
func TestCookiesEnd(t *testing.T) {
	const day = 24 * time.Hour
	clock := &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	ana := open(t, func(c *server.Config) { c.Clock = clock }).called("Ana")
	first := ana.cookies["caveau_guest"]
	clock.now = clock.now.Add(day / 2)
	if name := ana.hello(); name != "Ana" || ana.cookies["caveau_guest"] != first {
		t.Errorf("on the same day %q has a new cookie", name)
	}
	for range 3 {
		clock.now = clock.now.Add(179 * day)
		last := ana.cookies["caveau_guest"]
		if name := ana.hello(); name != "Ana" || ana.cookies["caveau_guest"] == last {
			t.Errorf("after half a year %q has the cookie of before", name)
		}
	}
	clock.now = clock.now.Add(181 * day)
	if name := ana.hello(); name != "" {
		t.Errorf("after more than half a year she is still %q", name)
	}
	ana.cookies["caveau_guest"] = first
	if name := ana.hello(); name != "" {
		t.Errorf("with her first cookie she is %q", name)
	}
}

// The key is another one day: who has a cookie with the mark of the one before is who he was, as long as that is known, and at his next visit
// on another day he has one with the mark of the new one.
func TestAnotherKey(t *testing.T) {
	clock := &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	at := func(secret string, older ...string) *house {
		return open(t, func(c *server.Config) {
			c.Clock, c.Secret = clock, []byte(secret)
			for _, o := range older {
				c.Older = append(c.Older, []byte(o))
			}
		})
	}
	ana := at("first").called("Ana")
	for _, x := range []struct {
		h    *house
		name string
	}{
		{at("second", "first"), "Ana"}, {at("third", "second", "first"), "Ana"},
		{at("third"), "Ana"}, {at("first"), ""}, {at("fourth", "second"), ""},
	} {
		clock.now = clock.now.Add(25 * time.Hour)
		visitor := &browser{t, x.h, ana.cookies}
		if name := visitor.hello(); name != x.name {
			t.Errorf("she is %q, want %q", name, x.name)
		}
	}
}

// Cookies of before, which said nothing of time, are taken for some months, and exchanged at the first visit.
func TestCookiesOfBefore(t *testing.T) {
	old := &http.Cookie{Name: "caveau_guest", Value: marked("caveau_guest", `{"id":"0123","name":"Ana"}`)}
	for origin, name := range map[string]string{"http://192.168.1.7:8080": "caveau_guest", "https://games.example.org": "__Host-caveau_guest"} {
		clock := &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
		h := open(t, func(c *server.Config) { c.Clock, c.Origin = clock, origin })
		ana := &browser{t, h, map[string]*http.Cookie{"caveau_guest": old}}
		if who := ana.hello(); who != "Ana" || len(ana.cookies) != 1 || ana.cookies[name] == nil || ana.cookies[name].Value == old.Value {
			t.Errorf("%s: she is %q, and has %v", origin, who, ana.cookies)
		}
		if who := ana.hello(); who != "Ana" {
			t.Errorf("%s: with her new cookie she is %q", origin, who)
		}
		late := &browser{t, h, map[string]*http.Cookie{"caveau_guest": old}}
		clock.now = time.Date(2027, 6, 2, 0, 0, 0, 0, time.UTC)
		if who := late.hello(); who != "" {
			t.Errorf("%s: in June she is %q with the cookie of before", origin, who)
		}
	}
}

// Whose cookie has another mark, another text or none of ours is nobody.
func TestForgedCookies(t *testing.T) {
	h := open(t)
	good := h.called("Ana").cookies["caveau_guest"].Value
	text, mark, _ := strings.Cut(good, ".")
	for _, value := range []string{
		"", ".", text, text + ".", "." + mark, text + "." + mark + "A", text + "A." + mark, strings.ToLower(text) + "." + mark,
		strings.Replace(good, good[:4], "AAAA", 1), marked("guest", `{"id":"0123","name":"Ana","since":1}`), marked("guest, since", `{"id":"","name":"Ana"}`),
		marked("guest, since", `[]`), text + "." + mark + "." + mark,
	} {
		b := &browser{t, h, map[string]*http.Cookie{"caveau_guest": {Value: value}}}
		if who := b.hello(); who != "" {
			t.Errorf("with %q one is %q", value, who)
		}
	}
}

// Whoever hears no answer tries again, by the same page, and is one guest: for ten minutes at least, and where nobody can guess what he calls his try.
func TestWhoTriesAgainIsOne(t *testing.T) {
	clock := &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	h := open(t, func(c *server.Config) { c.Clock = clock })
	tries := func(name, try string) string {
		b := h.nobody() // no cookie has come to him
		if _, code := b.posts("/api/guest", `{"name": "`+name+`", "try": "`+try+`"}`); code != "" {
			t.Fatalf("%s is answered %q", name, code)
		}
		return b.guest().ID
	}
	ana := tries("Ana", "0123456789abcdef012345")
	if again := tries("Ana", "0123456789abcdef012345"); again != ana {
		t.Errorf("who tries again is %s, and was %s", again, ana)
	}
	if ben := tries("Ben", "0123456789abcdef012346"); ben == ana {
		t.Error("another try is another guest's")
	}
	if one, other := tries("Cleo", "1"), tries("Dan", "1"); one == other {
		t.Error("by a try that everybody can guess one is somebody else")
	}
	clock.now = clock.now.Add(10 * time.Minute)
	if again := tries("Ana", "0123456789abcdef012345"); again != ana {
		t.Errorf("who tries again ten minutes later is %s, and was %s", again, ana)
	}
	clock.now = clock.now.Add(10 * time.Minute)
	if late := tries("Eve", "0123456789abcdef012345"); late == ana {
		t.Error("twenty minutes later a try still tells whose it was")
	}
}

// A lateOwner finds out that an invitation was used up when somebody has his name already.
type lateOwner struct{ inTime bool }

func (*lateOwner) Answer(http.ResponseWriter, *http.Request, bool) bool { return true }
func (*lateOwner) Invited() bool                                        { return true }
func (o *lateOwner) Redeem(_ context.Context, _, _ string, do func() error) error {
	if err := do(); err != nil || o.inTime {
		return err
	}
	return wire.Refuse(wire.CodeUninvited, "too late")
}

// A roll is a log that remembers which names were written. Perhaps nothing about guests can be read of it.
type roll struct {
	storetest.Store
	names []string
	blind atomic.Bool // the lobby asks again and again, whom it could not tell
}

func (r *roll) Names(ctx context.Context, of ...string) (map[string]string, error) {
	if r.blind.Load() {
		return nil, errors.New("it cannot be read")
	}
	return r.Store.Names(ctx, of...)
}

func (r *roll) Name(ctx context.Context, guest, name string) error {
	r.names = append(r.names, name)
	return r.Store.Name(ctx, guest, name)
}

// Of whoever does not come in after all no name is left, which nobody could have erased.
func TestWhoDoesNotComeInHasNoName(t *testing.T) {
	m := &roll{Store: storetest.Memory()}
	o := new(lateOwner)
	h := openWith(t, m, m, func(c *server.Config) { c.Owner = o })
	wrote := func(want ...string) {
		t.Helper()
		if !slices.Equal(m.names, want) {
			t.Errorf("her names are %q, not %q", m.names, want)
		}
		m.names = nil
	}
	b := h.nobody()
	if _, code := b.posts("/api/guest", `{"name": "Zoe", "invitation": "1-x"}`); code != wire.CodeUninvited || b.guest().ID != "" {
		t.Errorf("she is answered %q, and is %v", code, b.guest())
	}
	wrote("Zoe", "")
	m.blind.Store(true) // it is written, and cannot be told
	if _, code := b.posts("/api/guest", `{"name": "Zoe", "invitation": "1-x"}`); code != wire.CodeStorage || b.guest().ID != "" {
		t.Errorf("she is answered %q, and is %v", code, b.guest())
	}
	wrote("Zoe", "")
	m.blind.Store(false)
	for _, o.inTime = range []bool{true, false} { // she has come in, has not heard so, and tries again
		if _, code := h.nobody().posts("/api/guest", `{"name": "Zoe", "invitation": "1-x", "try": "0123456789abcdef012345"}`); (code == "") != o.inTime {
			t.Errorf("in time: %t; she is answered %q", o.inTime, code)
		}
	}
	wrote("Zoe", "Zoe")
}
