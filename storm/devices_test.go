package storm

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Who is here by more than one device: by a link that he made himself (guests/way.go), or by a passkey (guests/passkey.go). His second page is
// on such a device then, which has a session of its own.

// wayTime is how long a link to another device is good, and what somebody is asked to sign.
const wayTime = 5 * time.Minute

// A way is a link to another device.
type way struct {
	of         *person
	code       string
	session    string    // that made it
	life       int       // of the process, which counts how many are made
	soon, late time.Time // between which its time is over, by the clock of the house
	over       bool      // it was taken, another was made, or its session has ended
	doubted    bool      // it was to be taken, and that could not be noted
}

// sessionOf is the session that a cookie names.
func sessionOf(cookie string) string {
	_, value, _ := strings.Cut(cookie, "=")
	text, _, _ := strings.Cut(value, ".")
	data, _ := base64.RawURLEncoding.DecodeString(text)
	var badge struct{ Session string }
	json.Unmarshal(data, &badge) // "" where it is none
	return badge.Session
}

// cookieOf is a cookie that an answer sets; "" for none.
func cookieOf(answer, name string) string {
	if value := between(answer, "Set-Cookie: "+name+"=", ";"); value != "" {
		return name + "=" + value
	}
	return ""
}

// browser is one where somebody comes: mostly one that is already somebody's other device.
func (w *World) browser(n int) *page {
	for i := range names {
		if g := w.people[(n+i)%len(names)].pages[1]; g.device != "" && n/4%4 > 0 {
			return g
		}
	}
	return w.people[n%len(names)].pages[1]
}

// cookie is whose the browser is that the page is in.
func (g *page) cookie() string {
	if g.device != "" {
		return g.device
	}
	return g.p.cookie
}

func (g *page) shows() string {
	if g.device != "" {
		return "Cookie: " + g.device + "\r\n"
	}
	return g.p.shows()
}

// posts is what is answered to a browser with these cookies.
func (w *World) posts(i int, path, body string, cookies ...string) string {
	cookies = slices.DeleteFunc(cookies, func(c string) bool { return c == "" })
	return w.answer(w.request(i, "Cookie: "+strings.Join(cookies, "; ")+"\r\n", "POST", path, body))
}

// knows tells whether whoever shows this cookie is that guest.
func (w *World) knows(cookie, guest string) bool {
	return strings.Contains(w.answer(w.request(0, "Cookie: "+cookie+"\r\n", "GET", "/api/hello", "")), guest)
}

// well tells whether nothing has been wrong for a while, so that nobody need be refused.
func (w *World) well() bool {
	return !w.house.troubled() && !w.since.IsZero() && w.opened()-w.smooth > 10*time.Second
}

// outcome fails where somebody is let in who is not to be, or is not who is; it is how that went: doubtful where it could not be noted.
func (w *World) outcome(what, answer string, good, bad, well bool) (ok, doubtful bool) {
	ok = strings.HasPrefix(answer, "HTTP/1.1 200")
	wrong := strings.Contains(answer, `"wrong_passkey"`)
	switch {
	case ok && bad:
		w.fail("%s is good for nothing, and is answered %.200q", what, answer)
	case !ok && good && (wrong || well && !w.house.troubled()):
		w.fail("%s is good, and is answered %.200q", what, answer)
	}
	return ok, !ok && !wrong
}

// continues is that somebody goes on at another device. He takes his time, changes his mind, ends his sessions, or the house begins anew; the
// link is taken by him, by somebody else, twice, or looked at.
func (g *page) continues(n int) {
	w, p := g.p.w, g.p
	if w.house.clock.stopped || p.brings != nil || p.nameless {
		return
	}
	i := slices.Index(w.people, p)
	one := w.makesWay(p, i, g.cookie())
	if one == nil {
		return
	}
	switch n % 12 {
	case 0:
		w.wait(wayTime + time.Second)
	case 1:
		w.wait(wayTime - 20*time.Second)
	case 2:
		w.makesWay(p, i, p.cookie)
	case 3:
		p.endsOthers(i)
	case 4:
		w.kill(n, float64(n%3)/2)
		w.begin()
	case 5: // what was made there ends with it
		g.p.pages[1].leavesDevice()
	}
	there := w.browser(n / 12)
	for range n / 48 % 3 {
		w.takes(one, there.device, false)
	}
	if n/144%4 == 0 { // where he is already
		if cookie := w.takes(one, p.cookie, true); cookie != "" {
			w.fail("%s takes a link of his own where he is, and has another session", p.name)
		}
	} else if cookie := w.takesAgain(one, there.device); cookie != "" {
		w.moves(there, p, cookie)
	} else {
		there.stays()
	}
	for _, old := range w.ways[max(0, len(w.ways)-3):] {
		if old == one || n/576%2 == 0 {
			w.takes(old, "", n/576%4 == 0 && old.over)
		}
	}
}

// makesWay is that somebody makes a link in the browser with that cookie; nil if he has none.
func (w *World) makesWay(p *person, i int, cookie string) *way {
	well, before, few := w.well(), w.house.clock.Now(), 0
	answer := w.posts(i, "/api/guest/way", "{}", cookie)
	for _, old := range w.ways {
		if old.of == p && old.life == w.life {
			few++
		}
	}
	code := between(answer, "/move#", ".")
	if cookie == p.cookie {
		w.spends(p, "links", answer, waysAtOnce, wayFills)
	} else {
		w.spends(p, "links", "", waysAtOnce, wayFills)
	}
	if code == "" && well && w.well() && few < 6 {
		w.fail("%s has made %d links, and one more is answered %.200q", p.name, few, answer)
	}
	for _, old := range w.ways { // one that could not be noted may be all the same
		old.over, old.doubted = old.over || old.of == p && code != "", old.doubted || old.of == p && !strings.Contains(answer, `"too_many"`)
	}
	if code == "" {
		w.ways = append(w.ways, &way{of: p, life: w.life, over: true}) // it counts, as one that he has made
		return nil
	}
	one := &way{of: p, code: code, session: sessionOf(cookie), life: w.life, soon: before.Add(wayTime), late: w.house.clock.Now().Add(wayTime)}
	w.ways = append(w.ways, one)
	return one
}

// takes is that a browser with this cookie has a link, or looks where it leads; it is the cookie that the browser has now, "" for none.
func (w *World) takes(one *way, cookie string, sure bool) string {
	well, before := w.well(), w.house.clock.Now()
	answer := w.posts(0, "/api/guest/way/take", fmt.Sprintf(`{"code":%q,"sure":%t}`, one.code, sure), cookie)
	good := !one.over && !one.doubted && w.house.clock.Now().Before(one.soon)
	what := fmt.Sprintf("a link of %s to another device, taken: %t, by a cookie %.8q,", one.of.name, sure, cookie)
	ok, doubtful := w.outcome(what, answer, good, one.over || before.After(one.late), well)
	one.doubted, one.over = one.doubted || sure && doubtful, one.over || sure && ok
	had := cookieOf(answer, "caveau_guest")
	switch {
	case !ok && had != "", ok && !sure && had != "":
		w.fail("%s is answered %.200q, and the browser has another cookie", what, answer)
	case ok && one.of.called != "" && !strings.Contains(answer, fmt.Sprintf(`"name":%q`, one.of.called)):
		w.fail("%s leads to %s, and is answered %.200q", what, one.of.called, answer)
	}
	return had
}

// takesAgain is that a browser has a link for sure. If something ails, and he is told to try again, he does when all is well: unless it was the taking
// of which nobody heard he is let in then.
func (w *World) takesAgain(one *way, cookie string) string {
	unheard, was := w.house.gate.unheard("TakeWay"), one.doubted
	if had := w.takes(one, cookie, true); had != "" || !w.house.gate.ailing() || one.over {
		return had
	}
	w.heal()
	if !unheard {
		one.doubted = was
	}
	return w.takes(one, cookie, true)
}

// moves is that the browser which a page is in is somebody's from now on. What it was before has ended, and nothing else has.
func (w *World) moves(there *page, p *person, cookie string) {
	ailed := w.house.gate.ailing()
	w.heal()
	if !w.knows(cookie, p.guest) || !w.knows(p.cookie, p.guest) && w.well() {
		w.fail("%s is at another device now, and is not known there, or not where he was", p.name)
	}
	if ailed && there.device != "" && w.knows(there.device, there.p.guest) { // it could not be ended, and has no browser any more
		there.cut()
		there.device = ""
	} else {
		there.leftBehind()
	}
	his := p.pages[1]
	if his.device != "" {
		his.leavesDevice()
	}
	his.cut()
	his.device = cookie
	his.dial()
}

// leftBehind: the session of a device has ended, so its page has no line; the other page of whoever it was has.
func (g *page) leftBehind() {
	w, p, old := g.p.w, g.p, g.device
	if old == "" {
		return
	}
	home := p.pages[0]
	line := home.line()
	w.wait(time.Second)
	switch {
	case g.cable != nil && !g.stuck():
		w.fail("the session of %s has ended, and he still has a line", g.label)
	case w.knows(old, p.guest):
		w.fail("the session of %s has ended, and he is known by its cookie", g.label)
	case line != nil && home.cable != line && w.well():
		w.fail("%s has ended at one device, and %s has lost the line", g.label, home.label)
	}
	w.ends(func(o *way) bool { return o.session == sessionOf(old) })
	g.cut()
	g.device = ""
}

// leavesDevice is that somebody ends his session at his other device, which goes on nowhere else.
func (g *page) leavesDevice() {
	w := g.p.w
	if g.device == "" || w.house.clock.stopped {
		return
	}
	session, answer := sessionOf(g.device), w.posts(0, "/api/guest/end", "{}", g.device)
	if !strings.HasPrefix(answer, "HTTP/1.1 204") {
		g.p.perhapsOver = true
		w.perhapsEnds(func(o *way) bool { return o.session == session })
		if w.heal(); answer != "" && !w.knows(g.device, g.p.guest) {
			g.leftBehind()
		}
		return
	}
	g.leftBehind()
	if w.well() && !w.knows(g.p.cookie, g.p.guest) {
		w.fail("%s has ended his session at another device, and is not known at this one", g.p.name)
	}
}

// stays: nobody else has the browser; it may be nobody's, if that was noted halfway.
func (g *page) stays() {
	w := g.p.w
	if well := w.well(); g.device == "" || well {
		return
	}
	if w.heal(); !w.knows(g.device, g.p.guest) {
		g.leftBehind()
	}
}

// outlasts: his session at the first device has ended, and at the other one he is who he was, until he ends that too.
func (g *page) outlasts(line *cable) {
	w := g.p.w
	switch {
	case g.device == "":
		return
	case line != nil && g.cable != line && w.well():
		w.fail("the session of %s has ended at another device, and he has lost the line", g.label)
	case w.well() && !w.knows(g.device, g.p.guest):
		w.fail("the session of %s has ended at another device, and he is not known", g.label)
	}
	w.posts(0, "/api/guest/end", "{}", g.device)
	w.wait(time.Second)
}

// line is the page's, if it reads what it is told; nil if it has none.
func (g *page) line() *cable {
	if g.cable == nil || !g.up || g.late || g.stuck() {
		return nil
	}
	return g.cable
}

// ends is that links end with what has made them.
func (w *World) ends(which func(*way) bool) {
	w.silent(func(b *browser) bool { return which(&way{of: b.of, session: b.session}) }, false)
	for _, o := range w.ways {
		o.over = o.over || which(o)
	}
}

// perhapsEnds is that nobody knows whether sessions have ended.
func (w *World) perhapsEnds(which func(*way) bool) {
	w.silent(func(b *browser) bool { return which(&way{of: b.of, session: b.session}) }, true)
	for _, o := range w.ways {
		o.doubted = o.doubted || which(o)
	}
}

// A passkey is one that somebody has made, and the device that has it.
type passkey struct {
	of      *person
	id      []byte
	key     ed25519.PrivateKey
	count   uint32
	over    bool // it was removed, or its guest forgotten
	doubted bool // perhaps, or it could not be noted that it was made
}

// rp is the house for which passkeys are made.
const rp = "localhost"

var b64 = base64.RawURLEncoding

func (k *passkey) says(kind, challenge string) []byte {
	return fmt.Appendf(nil, `{"type":"webauthn.%s","challenge":%q,"origin":%q,"crossOrigin":false}`, kind, challenge, origin)
}

// about is what the device says of itself: that somebody is there, and it is he.
func (k *passkey) about(more byte) []byte {
	sum := sha256.Sum256([]byte(rp))
	return binary.BigEndian.AppendUint32(append(sum[:], 5|more), k.count)
}

// made is what a device answers that is to make a passkey (Web Authentication, section 6.5), its CBOR written by hand.
func (k *passkey) made(challenge string) string {
	about := append(k.about(0x40), make([]byte, 16)...)
	about = append(append(about, 0, byte(len(k.id))), k.id...)
	about = append(append(about, 0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32), k.key.Public().(ed25519.PublicKey)...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(about)))
	return k.answer(fmt.Sprintf(`"clientDataJSON":%q,"attestationObject":%q`, b64.EncodeToString(k.says("create", challenge)), b64.EncodeToString(append(object, about...))))
}

// shown is what it answers that is to show it.
func (k *passkey) shown(challenge string) string {
	k.count++
	says, about := k.says("get", challenge), k.about(0)
	sum := sha256.Sum256(says)
	mark := ed25519.Sign(k.key, append(bytes.Clone(about), sum[:]...))
	return k.answer(fmt.Sprintf(`"clientDataJSON":%q,"authenticatorData":%q,"signature":%q,"userHandle":%q`,
		b64.EncodeToString(says), b64.EncodeToString(about), b64.EncodeToString(mark), b64.EncodeToString([]byte(k.of.guest))))
}

func (k *passkey) answer(response string) string {
	id := b64.EncodeToString(k.id)
	return fmt.Sprintf(`{"id":%q,"rawId":%q,"type":"public-key","response":{%s},"clientExtensionResults":{}}`, id, id, response)
}

// hasKeys is that somebody makes a passkey, removes one, or comes by one to another device; or somebody comes who has seen him do it.
func (g *page) hasKeys(n int) {
	w, p := g.p.w, g.p
	if w.house.clock.stopped || p.brings != nil || p.nameless {
		return
	}
	i := slices.Index(w.people, p)
	var his []*passkey
	for _, k := range w.passkeys {
		if k.of == p && !k.over {
			his = append(his, k)
		}
	}
	switch {
	case len(his) == 0 || n%4 == 0 && len(his) < 6:
		w.makesKey(p, i, n/4%4 == 3)
	case n%4 == 1 && n/4%3 == 0:
		k := his[n/16%len(his)]
		k.doubted = k.doubted || !w.removesKey(p, i, k)
		k.over = k.over || !k.doubted
		w.comesByKey(k, w.browser(n/64), n/256)
	default:
		w.comesByKey(w.passkeys[n/16%len(w.passkeys)], w.browser(n/64), n/256)
	}
}

// hesitates is that somebody thinks for too long about what he is to sign; false where the machine's clock is so slow that it is not too long.
func (w *World) hesitates() bool {
	began := w.house.clock.Now()
	w.wait(wayTime + 2*time.Second)
	return w.house.clock.Now().Sub(began) > wayTime+time.Second
}

// makesKey is that somebody makes a passkey; late: he thinks about it for too long.
func (w *World) makesKey(p *person, i int, late bool) {
	well := w.well()
	asked := w.posts(i, "/api/passkeys/make", "", p.cookie)
	challenge, ceremony := between(asked, `"challenge":"`, `"`), cookieOf(asked, "caveau_passkey")
	waited := late
	late = waited && w.hesitates()
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", p.name, len(w.passkeys)))
	k := &passkey{of: p, id: seed[:20], key: ed25519.NewKeyFromSeed(seed[:])}
	answer := w.posts(i, "/api/passkeys", `{"name":"Telephone","made":`+k.made(challenge)+`}`, p.cookie, ceremony)
	ok, doubtful := w.outcome("what "+p.name+" makes", answer, !waited && ceremony != "", late, well)
	if k.doubted = doubtful; ok || doubtful {
		w.passkeys = append(w.passkeys, k)
	}
}

// removesKey is that somebody removes a passkey; false if nobody knows whether he has.
func (w *World) removesKey(p *person, i int, k *passkey) bool {
	return strings.HasPrefix(w.ask(p, i, "DELETE", "/api/passkeys/"+b64.EncodeToString(k.id), ""), "HTTP/1.1 204")
}

// comesByKey is that somebody shows a passkey in the browser of that page: there he is, and who has it was. What he has signed is of no use
// again, here or there.
func (w *World) comesByKey(k *passkey, there *page, n int) {
	well := w.well()
	asked := w.posts(0, "/api/passkeys/ask", "", there.device)
	challenge, ceremony := between(asked, `"challenge":"`, `"`), cookieOf(asked, "caveau_passkey")
	waited := n%8 == 0
	late := waited && w.hesitates()
	shown := k.shown(challenge)
	if n%8 == 1 { // of what he was asked before this
		w.posts(0, "/api/passkeys/ask", "", there.device)
		ceremony = cookieOf(w.posts(0, "/api/passkeys/ask", "", there.device), "caveau_passkey")
	}
	bad := k.over || late || n%8 == 1
	answer := w.posts(0, "/api/passkeys/show", shown, there.device, ceremony)
	ok, _ := w.outcome("a passkey of "+k.of.name, answer, !bad && !waited && !k.doubted && ceremony != "", bad, well)
	cookie := cookieOf(answer, "caveau_guest")
	if ok != (cookie != "") {
		w.fail("a passkey of %s is answered %.200q, and the browser has the cookie %q", k.of.name, answer, cookie)
	}
	if !ok {
		there.stays()
		return
	}
	if n/8%4 == 0 {
		w.kill(n, float64(n%3)/2)
		w.begin()
	}
	if again := w.posts(0, "/api/passkeys/show", shown, ceremony); strings.HasPrefix(again, "HTTP/1.1 200") {
		w.fail("what %s has signed lets somebody in once more: %.200q", k.of.name, again)
	}
	if slices.Contains(w.people, k.of) {
		w.moves(there, k.of, cookie)
		return
	}
	// His session had ended, and he comes back; there is nobody to be him.
	if !w.knows(cookie, k.of.guest) {
		w.fail("%s has come back by his passkey, and is not known", k.of.name)
	}
	there.leftBehind()
	w.posts(0, "/api/guest/end", "{}", cookie)
}

// comesBack is that somebody shows his passkey who has ended his session, or of whom nothing is known any more.
func (w *World) comesBack(p *person, n int) {
	for _, k := range w.passkeys {
		if k.of == p {
			w.comesByKey(k, w.browser(n), 2)
			return
		}
	}
}

// forgotten is that nothing is to be known of somebody any more; perhaps: it could not be noted.
func (w *World) forgotten(p *person, perhaps bool) {
	w.silent(func(b *browser) bool { return b.of == p }, perhaps)
	for _, k := range w.passkeys {
		k.doubted, k.over = k.doubted || k.of == p, k.over || k.of == p && !perhaps
	}
	for _, o := range w.ways {
		o.doubted, o.over = o.doubted || o.of == p, o.over || o.of == p && !perhaps
	}
}

// checkDevices: everybody is known at his other device, and has the passkeys that he has made.
func (w *World) checkDevices() {
	for i, p := range w.people {
		if p.brings != nil || p.nameless {
			continue
		}
		if device := p.pages[1].device; device != "" && !w.knows(device, p.guest) {
			w.fail("%s has another device, and is not known there", p.name)
		}
		has := w.ask(p, i, "GET", "/api/passkeys", "")
		for _, k := range w.passkeys {
			if listed := strings.Contains(has, b64.EncodeToString(k.id)); !k.doubted && listed != (k.of == p && !k.over) {
				w.fail("%s has made a passkey, removed: %t, and %s is told of it: %t", k.of.name, k.over, p.name, listed)
			}
		}
	}
}
