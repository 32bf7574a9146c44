package server_test

import (
	"net/http"
	"strings"
	"testing"

	"caveau/server"
)

// A notice is where a browser wants to be told something, as it writes that itself.
const notice = `{"subscription": {"endpoint": "https://push.example/1", "expirationTime": null, "keys": {"auth": "BTBZMqHH6r4Tts7J_aSIgg",
	"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}, "language": "fr"}`

func withPush(c *server.Config) { c.Push = []byte{4, 1, 255} }

// wantNotices says where somebody is told that he is waited for.
func (p *person) wantNotices(want ...string) {
	p.t.Helper()
	type card struct{ Endpoint, Language, Made string }
	var all []card
	var kept struct{ Notices []card }
	p.get("/api/notices", http.StatusOK, &all)
	p.get("/api/guest/export", http.StatusOK, &kept)
	if len(all) != len(want) || len(kept.Notices) != len(want) {
		p.t.Fatalf("he is told at %v, and all that is known of him has %v, not %v", all, kept.Notices, want)
	}
	for i, c := range all {
		if c.Endpoint+" "+c.Language != want[i] || c.Made == "" || kept.Notices[i] != c {
			p.t.Errorf("he is told at %v, want %s", c, want[i])
		}
	}
}

// A browser says where it wants to be told that its guest is waited for, as often as it likes, until he does not want it any more, or
// has gone.
func TestNotices(t *testing.T) {
	h := open(t, withPush)
	ana, ben := h.as("Ana"), h.as("Ben")
	var hello struct{ Push string }
	if h.as("").get("/api/hello", http.StatusOK, &hello); hello.Push != "BAH_" {
		t.Errorf("the key of the house is %q", hello.Push)
	}
	ana.wantNotices()
	ana.post("/api/notices", notice, http.StatusNoContent, nil)
	ana.post("/api/notices", strings.Replace(notice, `"fr"`, `"ru"`, 1), http.StatusNoContent, nil)
	ana.post("/api/notices", strings.Replace(notice, "/1", "/2", 1), http.StatusNoContent, nil)
	ana.wantNotices("https://push.example/1 ru", "https://push.example/2 fr")
	ben.wantNotices()
	ben.answered(ben.do(http.MethodDelete, "/api/notices", `{"endpoint": "https://push.example/1"}`), http.StatusNoContent, nil) // it is not his
	ana.answered(ana.do(http.MethodDelete, "/api/notices", `{"endpoint": "https://push.example/2"}`), http.StatusNoContent, nil)
	ana.wantNotices("https://push.example/1 ru")
	ben.post("/api/notices", notice, http.StatusNoContent, nil) // he sits at that browser now
	ana.wantNotices()
	ana.post("/api/notices", notice, http.StatusNoContent, nil)
	ana.post("/api/guest/end", `{"others": true}`, http.StatusNoContent, nil)
	ana.wantNotices()
	ana.post("/api/notices", notice, http.StatusNoContent, nil)
	ana.wantNotices("https://push.example/1 fr")
	ana.answered(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusNoContent, nil)
	ana.refused(ana.do(http.MethodGet, "/api/notices", ""), http.StatusUnauthorized, "no_guest")
}

// What no browser says is refused, and so is everything where nobody is told anything.
func TestBadNotices(t *testing.T) {
	h := open(t, withPush)
	ana := h.as("Ana")
	for _, c := range [][2]string{
		{"https://push.example/1", "http://push.example/1"}, {"https://push.example/1", "https://push.example:22/"}, {"https://push.example/1", strings.Repeat("x", 3000)},
		{"BTBZMqHH", "BTBZ"}, {"BTBZMqHH", "!!!!!!!!"}, {"BCVxsr7N", "BCVxsr7M"}, {`"fr"`, `"de"`}, {`"language"`, `"tongue"`}, {"{", "["},
	} {
		ana.refused(ana.do(http.MethodPost, "/api/notices", strings.Replace(notice, c[0], c[1], 1)), http.StatusBadRequest, "bad_request")
	}
	ana.wantNotices()
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		h.as("").refused(h.as("").do(method, "/api/notices", notice), http.StatusUnauthorized, "no_guest")
	}
	_, robbie := ana.brings("Robbie")
	robbie.refused(robbie.do(http.MethodPost, "/api/notices", notice), http.StatusForbidden, "program")
	quiet := open(t).as("Ana")
	quiet.refused(quiet.do(http.MethodPost, "/api/notices", notice), http.StatusBadRequest, "bad_request")
	var hello map[string]any
	if quiet.get("/api/hello", http.StatusOK, &hello); hello["push"] != nil {
		t.Errorf("a house that tells nobody has the key %v", hello["push"])
	}
}
