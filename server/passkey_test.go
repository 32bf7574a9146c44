package server_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"caveau/guests"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// public is where passkeys can be had.
const public = "https://games.example.org"

// A device makes passkeys and shows them, as browsers and telephones do. What it says can be made wrong.
type device struct {
	id     []byte
	key    *ecdsa.PrivateKey
	handle string // whose passkey it is

	origin, rp string
	flags      byte // 1: somebody is there, 4: it is he
	count      uint32
}

func newDevice(t *testing.T) *device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 20)
	rand.Read(id)
	return &device{id: id, key: key, origin: public, rp: "games.example.org", flags: 1 | 4}
}

var b64 = base64.RawURLEncoding

// said is what the browser says of a ceremony, and about is what the device says of itself.
func (d *device) said(kind, challenge string) []byte {
	text, _ := json.Marshal(map[string]any{"type": "webauthn." + kind, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	return text
}

func (d *device) about(more byte) []byte {
	sum := sha256.Sum256([]byte(d.rp))
	return binary.BigEndian.AppendUint32(append(sum[:], d.flags|more), d.count)
}

// makes is the passkey that it makes when it is asked to, as JSON. CBOR is written by hand.
func (d *device) makes(options []byte) string {
	var asked struct {
		PublicKey struct {
			Challenge string
			User      struct{ ID string }
		}
	}
	json.Unmarshal(options, &asked)
	handle, _ := b64.DecodeString(asked.PublicKey.User.ID)
	d.handle = string(handle)
	point, _ := d.key.PublicKey.Bytes()
	about := append(d.about(0x40), make([]byte, 16)...)
	about = append(append(about, 0, byte(len(d.id))), d.id...)
	about = append(append(about, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32), point[1:33]...)
	about = append(append(about, 0x22, 0x58, 32), point[33:]...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(about)))
	return d.shownAs(map[string]string{
		"clientDataJSON": b64.EncodeToString(d.said("create", asked.PublicKey.Challenge)), "attestationObject": b64.EncodeToString(append(object, about...)),
	})
}

// shows is what it shows when it is asked to.
func (d *device) shows(options []byte) string {
	var asked struct{ PublicKey struct{ Challenge string } }
	json.Unmarshal(options, &asked)
	d.count++
	said, about := d.said("get", asked.PublicKey.Challenge), d.about(0)
	sum := sha256.Sum256(said)
	signed := sha256.Sum256(append(bytes.Clone(about), sum[:]...))
	mark, _ := ecdsa.SignASN1(rand.Reader, d.key, signed[:])
	return d.shownAs(map[string]string{
		"clientDataJSON": b64.EncodeToString(said), "authenticatorData": b64.EncodeToString(about), "signature": b64.EncodeToString(mark),
		"userHandle": b64.EncodeToString([]byte(d.handle)),
	})
}

func (d *device) shownAs(response map[string]string) string {
	id := b64.EncodeToString(d.id)
	text, _ := json.Marshal(map[string]any{"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}})
	return string(text)
}

// posts is the answer to a post, and its code where it is refused.
func (b *browser) posts(path, body string) (answer []byte, code string) {
	b.t.Helper()
	return b.asks(http.MethodPost, path, body)
}

func (b *browser) asks(method, path, body string) (answer []byte, code string) {
	b.t.Helper()
	res := b.do(method, path, body)
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	if res.StatusCode >= 400 {
		var refused wire.Error
		json.Unmarshal(answer, &refused)
		return answer, refused.Code
	}
	return answer, ""
}

// makes has a guest make a passkey with that device.
func (b *browser) makes(d *device) (code string) {
	b.t.Helper()
	options, code := b.posts("/api/passkeys/make", "")
	if code == "" {
		_, code = b.posts("/api/passkeys", `{"name": "Telephone", "made": `+d.makes(options)+`}`)
	}
	return code
}

// shows has a browser show what that device has.
func (b *browser) shows(d *device) (code string) {
	b.t.Helper()
	options, code := b.posts("/api/passkeys/ask", "")
	if code == "" {
		_, code = b.posts("/api/passkeys/show", d.shows(options))
	}
	return code
}

// nobody is a browser that the house has not seen.
func (h *house) nobody() *browser { return &browser{h.t, h, map[string]*http.Cookie{}} }

func (b *browser) guest() wire.Guest {
	b.t.Helper()
	var hello struct{ Guest wire.Guest }
	text, _ := b.asks(http.MethodGet, "/api/hello", "")
	json.Unmarshal(text, &hello)
	return hello.Guest
}

// inPublic is a house with passkeys, over a store, on a calendar.
func inPublic(t *testing.T, s storetest.Store, clock *calendar, said io.Writer) *house {
	return openWith(t, s, s, func(c *server.Config) {
		c.Origin, c.Clock, c.Slog = public, clock, slog.New(slog.NewTextHandler(said, nil))
	})
}

func noon() *calendar { return &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)} }

type passkeyCard struct {
	ID, Name   string
	Made, Used time.Time
}

func (b *browser) passkeys() (all []passkeyCard) {
	b.t.Helper()
	text, code := b.asks(http.MethodGet, "/api/passkeys", "")
	if json.Unmarshal(text, &all); code != "" {
		b.t.Errorf("the list of passkeys is refused: %s", code)
	}
	return all
}

// forgetting is a keeper by which whoever shows a passkey is forgotten meanwhile, by way of another node: before it is noted that it was used, or after that.
type forgetting struct {
	guests.Keeper
	before, after bool
}

func (f *forgetting) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) (there bool, err error) {
	p, _, err := f.Keeper.Passkey(ctx, id)
	if err == nil && f.before {
		err = f.Keeper.Forget(ctx, p.Guest)
	}
	if err != nil {
		return false, err
	}
	if there, err = f.Keeper.UsePasskey(ctx, id, at, check); err == nil && f.after {
		err = f.Keeper.Forget(ctx, p.Guest)
	}
	return there, err
}

// Whoever is forgotten while he shows his passkey is nobody afterwards.
func TestForgottenAsHeShowsAPasskey(t *testing.T) {
	for _, before := range []bool{true, false} {
		s, d := storetest.Memory(), newDevice(t)
		keeper := &forgetting{Keeper: s}
		h := openWith(t, s, keeper, func(c *server.Config) { c.Origin, c.Clock = public, noon() })
		if code := h.called("Ana").makes(d); code != "" {
			t.Fatalf("she makes a passkey: %s", code)
		}
		keeper.before, keeper.after = before, !before
		other := h.nobody()
		code := other.shows(d)
		if who := other.guest(); who.ID != "" || (code != "") != before {
			t.Errorf("forgotten before it is noted: %t; she is answered %q, and is %v", before, code, who)
		}
	}
}

// Who has made a passkey is the same guest wherever he shows it, under the name that he has by then; also after a restart.
func TestAPasskeyIsShownElsewhere(t *testing.T) {
	s, clock, d := storetest.Memory(), noon(), newDevice(t)
	ana := inPublic(t, s, clock, io.Discard).called("Ana")
	if code := ana.makes(d); code != "" {
		t.Fatalf("she makes a passkey: %s", code)
	}
	if all := ana.passkeys(); len(all) != 1 || all[0].Name != "Telephone" || !all[0].Made.Equal(clock.now) || !all[0].Used.IsZero() {
		t.Errorf("her passkeys are %v", all)
	}
	ana.do(http.MethodPost, "/api/guest", `{"name": "Annabella"}`)
	for range 2 {
		h := inPublic(t, s, clock, io.Discard)
		clock.now = clock.now.Add(time.Hour)
		other := h.nobody()
		if code := other.shows(d); code != "" {
			t.Fatalf("she shows it: %s", code)
		}
		if who := other.guest(); who != ana.guest() || who.Name != "Annabella" {
			t.Errorf("elsewhere she is %v, and is %v", who, ana.guest())
		}
		if all := other.passkeys(); len(all) != 1 || !all[0].Used.Equal(clock.now) {
			t.Errorf("her passkeys are %v", all)
		}
	}
}

// What one node asks a browser to sign another takes, when a passkey is made and when it is shown.
func TestAPasskeyByTwoNodes(t *testing.T) {
	s, clock, d := storetest.Memory(), noon(), newDevice(t)
	here, there := inPublic(t, s, clock, io.Discard), inPublic(t, s, clock, io.Discard)
	ana := here.called("Ana")
	options, _ := ana.posts("/api/passkeys/make", "")
	ana.h = there
	if _, code := ana.posts("/api/passkeys", `{"name": "Telephone", "made": `+d.makes(options)+`}`); code != "" {
		t.Errorf("by another node she makes a passkey: %s", code)
	}
	other := there.nobody()
	options, _ = other.posts("/api/passkeys/ask", "")
	other.h = here
	if _, code := other.posts("/api/passkeys/show", d.shows(options)); code != "" || other.guest() != ana.guest() {
		t.Errorf("by another node she shows it: %q, and is %v", code, other.guest())
	}
}

// What was not asked of this browser, in time, for that, by this house, of one who is there, opens nothing; and it stands in the log. All of it is answered alike.
func TestWrongPasskeys(t *testing.T) {
	answers := map[string]string{}
	for what, wrong := range map[string]func(d *device, b *browser, clock *calendar) (body string){
		"another site": func(d *device, b *browser, _ *calendar) string {
			d.origin = "https://games.example.org.evil.example"
			return ""
		},
		"another house":  func(d *device, b *browser, _ *calendar) string { d.rp = "evil.example"; return "" },
		"nobody there":   func(d *device, b *browser, _ *calendar) string { d.flags = 4; return "" },
		"another's":      func(d *device, b *browser, _ *calendar) string { d.handle = "somebody"; return "" },
		"another key":    func(d *device, b *browser, _ *calendar) string { d.key = newDevice(b.t).key; return "" },
		"another device": func(d *device, b *browser, _ *calendar) string { d.id = newDevice(b.t).id; return "" },
		"late": func(d *device, b *browser, clock *calendar) string {
			clock.now = clock.now.Add(301 * time.Second)
			return ""
		},
		"not asked": func(d *device, b *browser, _ *calendar) string { clear(b.cookies); return "" },
		"asked something else": func(d *device, b *browser, _ *calendar) string {
			options, _ := b.posts("/api/passkeys/ask", "")
			body := d.shows(options)
			b.posts("/api/passkeys/ask", "")
			return body
		},
		"asked to make one": func(d *device, b *browser, _ *calendar) string {
			ben := b.h.called("Ben")
			options, _ := ben.posts("/api/passkeys/make", "")
			maps.Copy(b.cookies, map[string]*http.Cookie{"__Host-caveau_passkey": ben.cookies["__Host-caveau_passkey"]})
			return d.shows(options)
		},
		"not JSON": func(*device, *browser, *calendar) string { return "{" },
		"nothing":  func(*device, *browser, *calendar) string { return "{}" },
	} {
		var said strings.Builder
		clock, d := noon(), newDevice(t)
		h := inPublic(t, storetest.Memory(), clock, &said)
		if code := h.called("Ana").makes(d); code != "" {
			t.Fatalf("she makes a passkey: %s", code)
		}
		b := h.nobody()
		options, _ := b.posts("/api/passkeys/ask", "")
		body := wrong(d, b, clock)
		if body == "" {
			body = d.shows(options)
		}
		res := b.do(http.MethodPost, "/api/passkeys/show", body)
		text, err := io.ReadAll(res.Body)
		answers[fmt.Sprint(res.StatusCode, res.Header, string(text), err)] = what
		if !strings.Contains(string(text), "wrong_passkey") || b.guest().ID != "" {
			t.Errorf("%s: he is answered %s, and is %v", what, text, b.guest())
		}
		if !strings.Contains(said.String(), "a passkey that is none of ours") {
			t.Errorf("%s: the log says %q", what, said.String())
		}
	}
	if len(answers) > 1 { // else it can be found out which passkeys the house knows
		t.Errorf("what is wrong can be told from %v", answers)
	}
}

// What was shown once opens nothing a second time, whoever has copied it with its cookie.
func TestAPasskeyIsShownOnce(t *testing.T) {
	s, clock, d := storetest.Memory(), noon(), newDevice(t)
	h := inPublic(t, s, clock, io.Discard)
	h.called("Ana").makes(d)
	b := h.nobody()
	options, _ := b.posts("/api/passkeys/ask", "")
	thieves, body := []*browser{b.copied(), b.copied()}, d.shows(options)
	thieves[1].h = inPublic(t, s, clock, io.Discard) // another process, as after a start and at another node
	if _, code := b.posts("/api/passkeys/show", body); code != "" {
		t.Fatalf("she shows it: %s", code)
	}
	for _, thief := range thieves {
		if _, code := thief.posts("/api/passkeys/show", body); code != "wrong_passkey" || thief.guest().ID != "" {
			t.Errorf("he shows it again: %q, and is %v", code, thief.guest())
		}
	}
}

// A passkey is made by a guest for himself, with a name that can be read, and belongs to one.
func TestPasskeysThatAreNotMade(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), io.Discard)
	ana, ben, d := h.called("Ana"), h.called("Ben"), newDevice(t)
	if _, code := h.nobody().posts("/api/passkeys/make", ""); code != "no_guest" {
		t.Errorf("nobody makes one: %q", code)
	}
	options, _ := ana.posts("/api/passkeys/make", "")
	body := `{"name": "Telephone", "made": ` + d.makes(options) + `}`
	ben.cookies["__Host-caveau_passkey"] = ana.cookies["__Host-caveau_passkey"]
	if _, code := ben.posts("/api/passkeys", body); code != "wrong_passkey" {
		t.Errorf("he makes what she was asked to: %q", code)
	}
	if _, code := ana.posts("/api/passkeys", strings.Replace(body, "Telephone", "\u200b", 1)); code != "bad_name" {
		t.Errorf("it has a name that cannot be seen: %q", code)
	}
	if _, code := ana.posts("/api/passkeys", body); code != "" {
		t.Errorf("she makes it: %q", code)
	}
	if code := ben.makes(d); code != "wrong_passkey" {
		t.Errorf("he makes the one that she has: %q", code)
	}
	for range 9 {
		ana.makes(newDevice(t))
	}
	if code := ana.makes(newDevice(t)); code != "too_many" || len(ana.passkeys()) != 10 || len(ben.passkeys()) != 0 {
		t.Errorf("an eleventh: %q; she has %d, he %d", code, len(ana.passkeys()), len(ben.passkeys()))
	}
}

// Who shows his passkey in a browser that was somebody else's leaves that one, and its session ends.
func TestAPasskeyInSomebodyElsesBrowser(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), io.Discard)
	d, ben := newDevice(t), h.called("Ben")
	h.called("Ana").makes(d)
	before := ben.copied()
	if code := ben.shows(d); code != "" {
		t.Fatalf("she shows it: %s", code)
	}
	ben.is("Ana")
	before.is("")
}

// A passkey that was removed opens nothing, nor does one whose guest was erased; nobody removes another's.
func TestRemovedPasskeys(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), io.Discard)
	ana, ben, d, kept := h.called("Ana"), h.called("Ben"), newDevice(t), newDevice(t)
	ana.makes(d)
	ana.makes(kept)
	path := "/api/passkeys/" + b64.EncodeToString(d.id)
	if _, code := ben.asks(http.MethodDelete, path, ""); code != "" || len(ana.passkeys()) != 2 {
		t.Errorf("he removes it: %q", code)
	}
	if _, code := ana.asks(http.MethodDelete, path, ""); code != "" || len(ana.passkeys()) != 1 {
		t.Errorf("she removes it: %q", code)
	}
	if _, code := ana.asks(http.MethodDelete, "/api/passkeys/!", ""); code != "bad_request" {
		t.Errorf("she removes nothing: %q", code)
	}
	if code := h.nobody().shows(d); code != "wrong_passkey" {
		t.Errorf("what was removed is shown: %q", code)
	}
	other := h.nobody()
	if code := other.shows(kept); code != "" {
		t.Errorf("what was kept is shown: %q", code)
	}
	ana.do(http.MethodDelete, "/api/guest", "")
	other.is("")
	if code := h.nobody().shows(kept); code != "wrong_passkey" {
		t.Errorf("whoever was erased shows his: %q", code)
	}
}

// Browsers have passkeys for a name, by https or on their own machine; elsewhere the house says that there are none.
func TestWhereThereArePasskeys(t *testing.T) {
	for origin, want := range map[string]string{
		public: "games.example.org", "https://games.example.org:8443": "games.example.org", "http://localhost:8080": "localhost",
		"http://192.168.1.7:8080": "", "https://192.168.1.7": "", "http://games.example.org": "", "http://[::1]:8080": "",
	} {
		h := open(t, func(c *server.Config) { c.Origin = origin })
		var hello struct{ Passkeys string }
		text, _ := h.nobody().asks(http.MethodGet, "/api/hello", "")
		json.Unmarshal(text, &hello)
		if hello.Passkeys != want {
			t.Errorf("%s: passkeys are for %q, want %q", origin, hello.Passkeys, want)
		}
		ana := h.called("Ana")
		for _, path := range []string{"/api/passkeys/make", "/api/passkeys/ask", "/api/passkeys", "/api/passkeys/show"} {
			if _, code := ana.posts(path, "{}"); (code == "no_passkeys") != (want == "") {
				t.Errorf("%s: %s is answered %q", origin, path, code)
			}
		}
	}
}

// A guest is told all that the house has of him, and nobody else is.
func TestExport(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), io.Discard)
	ana, ben := h.called("Ana"), h.called("Ben")
	ana.makes(newDevice(t))
	var made struct{ Table string }
	text, _ := ana.posts("/api/tables", `{"game": "toy", "seats": 2, "sit": true}`)
	json.Unmarshal(text, &made)
	type export struct {
		Guest    wire.Guest
		Session  struct{ ID string }
		Passkeys []passkeyCard
		Tables   []struct {
			Table, Link string
			Over        bool
		}
	}
	var anas, bens export
	res := ana.do(http.MethodGet, "/api/guest/export", "")
	json.NewDecoder(res.Body).Decode(&anas)
	if anas.Guest != ana.guest() || anas.Session.ID == "" || len(anas.Passkeys) != 1 || len(anas.Tables) != 1 ||
		anas.Tables[0].Table != made.Table || anas.Tables[0].Link != public+"/t/"+made.Table || anas.Tables[0].Over {
		t.Errorf("she is told %+v", anas)
	}
	if d := res.Header.Get("Content-Disposition"); !strings.HasPrefix(d, "attachment") {
		t.Errorf("it comes as %q", d)
	}
	text, _ = ben.asks(http.MethodGet, "/api/guest/export", "")
	if json.Unmarshal(text, &bens); bens.Guest.Name != "Ben" || len(bens.Passkeys)+len(bens.Tables) != 0 {
		t.Errorf("he is told %+v", bens)
	}
	if _, code := h.nobody().asks(http.MethodGet, "/api/guest/export", ""); code != "no_guest" {
		t.Errorf("nobody is told: %q", code)
	}
}
