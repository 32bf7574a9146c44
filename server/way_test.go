package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"caveau/guests"
	"caveau/server"
	"caveau/store/storetest"
)

// way is the code of a link by which another device is the same guest.
func (b *browser) way() string {
	b.t.Helper()
	answer, code := b.posts("/api/guest/way", `{"table": "k3x"}`)
	var made struct{ Link, QR string }
	if json.Unmarshal(answer, &made); code != "" || !strings.HasPrefix(made.QR, "<svg") {
		b.t.Fatalf("a way is answered %s %s", code, answer)
	}
	link, err := url.Parse(made.Link)
	if err != nil || link.Path != "/move" || link.RawQuery != "" {
		b.t.Fatalf("the link is %q: nothing of its secret is sent to anybody", made.Link)
	}
	secret, table, _ := strings.Cut(link.Fragment, ".")
	if table != "k3x" || len(secret) != 32 {
		b.t.Fatalf("it leads to %q by %q", table, secret)
	}
	return secret
}

// asksWay is to whom a way leads, takes is that it is taken; "" where it is none.
func (b *browser) asksWay(code string) string { return b.named(`{"code": "` + code + `"}`) }
func (b *browser) takes(code string) string   { return b.named(`{"code": "` + code + `", "sure": true}`) }

func (b *browser) named(body string) string {
	b.t.Helper()
	answer, refused := b.posts("/api/guest/way/take", body)
	var guest struct{ Name string }
	if json.Unmarshal(answer, &guest); refused != "" && refused != "wrong_passkey" {
		b.t.Errorf("a way is refused with %s", refused)
	} else if refused != "" {
		return ""
	}
	return guest.Name
}

// A link makes another device the same guest, once: whoever only looks at it does not use it up, and the first device stays who it was.
func TestAWayToAnotherDevice(t *testing.T) {
	var said bytes.Buffer
	h := inPublic(t, storetest.Memory(), noon(), &said)
	ana, ben := h.called("Ana"), h.called("Ben")
	code := ana.way()
	for range 3 {
		if name := ben.asksWay(code); name != "Ana" {
			t.Errorf("it leads to %q", name)
		}
	}
	ben.is("Ben")
	before := ben.copied()
	if name := ben.takes(code); name != "Ana" {
		t.Errorf("it is taken, and he is %q", name)
	}
	ben.is("Ana")
	ana.is("Ana")
	before.is("") // what the device was before has ended
	for _, other := range []*browser{h.called("Cleo"), ana} {
		if other.asksWay(code) != "" || other.takes(code) != "" {
			t.Error("it is taken twice")
		}
	}
	if text := said.String(); strings.Contains(text, code) || strings.Count(text, "link to another device was") != 2 {
		t.Errorf("the log says %s", text)
	}
}

// A way ends after five minutes, where its guest makes another, and with whatever ended the session that made it; nobody can guess it.
func TestAWayEnds(t *testing.T) {
	for how, ends := range map[string]func(*browser, *calendar){
		"in time":     func(_ *browser, clock *calendar) { clock.now = clock.now.Add(5*time.Minute + time.Second) },
		"by another":  func(ana *browser, _ *calendar) { ana.way() },
		"signed out":  func(ana *browser, _ *calendar) { ana.ends(`{}`) },
		"all others":  func(ana *browser, _ *calendar) { ana.copied().ends(`{"others": true}`) },
		"erased":      func(ana *browser, _ *calendar) { ana.do(http.MethodDelete, "/api/guest", "") },
		"not guessed": nil,
	} {
		t.Run(how, func(t *testing.T) {
			clock := noon()
			h := inPublic(t, storetest.Memory(), clock, &bytes.Buffer{})
			ana, other := h.called("Ana"), h.called("Ben")
			code := ana.way()
			if ends == nil {
				code = strings.Repeat("0", 32)
			} else if ends(ana, clock); other.asksWay(code) != "" {
				t.Error("it still leads there")
			}
			if other.takes(code) != "" {
				t.Error("it is taken")
			}
			other.is("Ben")
		})
	}
}

// What was begun by a way is a session like any other: it ends with all of its guest's, and its own end is nobody else's.
func TestAWayGivesASessionAndNoMore(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), &bytes.Buffer{})
	ana, tablet, phone := h.called("Ana"), h.called("Ben"), h.called("Cleo")
	tablet.takes(ana.way())
	phone.takes(ana.way())
	tablet.ends(`{}`)
	tablet.is("")
	phone.is("Ana")
	ana.ends(`{"others": true}`)
	phone.is("")
	ana.is("Ana")
}

// Nobody fills the house with ways, and whoever is nobody makes none.
func TestTooManyWays(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), &bytes.Buffer{})
	ana := h.called("Ana")
	for range 6 {
		ana.way()
	}
	if _, code := ana.posts("/api/guest/way", `{}`); code != "too_many" {
		t.Errorf("the seventh is answered %q", code)
	}
	nobody := &browser{t, h, map[string]*http.Cookie{}}
	if _, code := nobody.posts("/api/guest/way", `{}`); code != "no_guest" {
		t.Errorf("nobody's is answered %q", code)
	}
	if _, code := h.called("Ben").posts("/api/guest/way", `{"table": "../x"}`); code != "bad_request" {
		t.Errorf("a way to no table is answered %q", code)
	}
}

// A link is not used up by whoever could not be let in, and it is not said to be none because a disk cannot be read.
func TestAWayThatCannotBeTaken(t *testing.T) {
	keeper := &mute{Keeper: storetest.Memory()}
	h := openWith(t, storetest.Memory(), keeper, func(c *server.Config) { c.Origin = public })
	ana, ben := h.called("Ana"), h.called("Ben")
	code := ana.way()
	keeper.of, keeper.err = ana.guest().ID, errors.New("the disk is gone")
	for _, sure := range []string{"false", "true"} {
		if _, refused := ben.posts("/api/guest/way/take", `{"code": "`+code+`", "sure": `+sure+`}`); refused != "storage" {
			t.Errorf("it is refused with %q", refused)
		}
	}
	keeper.err = nil
	if name := ben.takes(code); name != "Ana" {
		t.Errorf("then it is taken, and he is %q", name)
	}
	if ben.asksWay(code) != "" {
		t.Error("it is taken twice")
	}
}

// slower is a keeper that finds a way there, and somebody else is quicker; and that cannot end a session, if so.
type slower struct {
	guests.Keeper
	quicker func()
	ends    error
}

func (l *slower) TakeWay(ctx context.Context, w guests.Way) (bool, error) {
	if l.quicker != nil {
		l.quicker()
	}
	return l.Keeper.TakeWay(ctx, w)
}

func (l *slower) End(ctx context.Context, guest, session string, now, until time.Time) (bool, error) {
	if l.ends != nil {
		return false, l.ends
	}
	return l.Keeper.End(ctx, guest, session, now, until)
}

// Who comes second by a link is who he was. Who comes first is let in, though what he was cannot be ended: the link would be of no use any more.
func TestAWayForTwo(t *testing.T) {
	keeper := &slower{Keeper: storetest.Memory()}
	h := openWith(t, storetest.Memory(), keeper, func(c *server.Config) { c.Origin = public })
	ana, ben, cleo := h.called("Ana"), h.called("Ben"), h.called("Cleo")
	code := ana.way()
	keeper.ends = errors.New("the disk is full")
	keeper.quicker = func() {
		keeper.quicker = nil
		if name := ben.takes(code); name != "Ana" {
			t.Errorf("who is quicker is %q", name)
		}
	}
	if name := cleo.takes(code); name != "" {
		t.Errorf("two take a link, and the second is %q", name)
	}
	cleo.is("Cleo")
	ben.is("Ana")
	code, keeper.ends = ana.way(), nil
	keeper.quicker = func() { keeper.Keeper.EndAll(t.Context(), guests.Badge{Guest: ana.guest()}, guests.Way{}) }
	if name := cleo.takes(code); name != "" {
		t.Errorf("all of Ana's sessions end, and her link makes somebody %q", name)
	}
	cleo.is("Cleo")
}

// A link is a row: it is taken at another node than where it was made, or after a restart, and once in all of them.
func TestAWayIsGoodAtEveryNode(t *testing.T) {
	keeper, clock := storetest.Memory(), noon()
	a, b := inPublic(t, keeper, clock, new(bytes.Buffer)), inPublic(t, keeper, clock, new(bytes.Buffer))
	code := a.called("Ana").way()
	ben := b.called("Ben")
	if name := ben.asksWay(code); name == "" {
		t.Error("it leads nowhere at another node")
	}
	if name := ben.takes(code); name == "" {
		t.Error("it cannot be taken at another node")
	}
	if name := a.called("Cleo").takes(code); name != "" {
		t.Errorf("it is taken again where it was made, by %q", name)
	}
}
