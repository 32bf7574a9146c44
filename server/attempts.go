package server

import (
	"bytes"

	"caveau/limit"
	"caveau/wire"
)

// What no page of ours asks for stands in the log, for whoever wants to know whether somebody tries the doors.
const (
	forgedCookie  = "a cookie with another mark than ours"
	forgedToken   = "a token with another mark than ours"
	foreignHost   = "a house of another name"
	foreignPage   = "a page of another site"
	tooMuch       = "too much"
	wrongPasskey  = "a passkey that is none of ours, or such a link to another device"
	anothersPlace = "a command in another's name"
	ownersPage    = "the owner's page"
)

// Of one kind the log is told a few times in a row and then now and then, and less of one address.
var (
	linesOfKind    = limit.Rate{AtOnce: 20, PerSecond: 1.0 / 6}
	linesOfAddress = limit.Rate{AtOnce: 5, PerSecond: 1.0 / 60}
)

// attempt writes down what somebody at an address was refused, as far as there is room for it. The more is never a cookie, nor the name of a
// table, which is a key to it.
func (s *Server) attempt(kind, from string, more ...any) {
	if unsaid, said := s.attempts.Allow(kind, from, s.Clock.Now()); said {
		s.Slog.Info("refused", append([]any{"what", kind, "from", from, "unsaid", unsaid}, more...)...)
	}
}

// anothers is what stands in the answer to a command in another's name. An answer begins with the command's id, in which no quotation mark
// is bare.
var anothers = []byte(`"error":{"code":"` + wire.CodeNotYourSeat + `"`)

// notice counts an answer, and writes down that somebody was told that a place is another's.
func (c *socket) notice(message []byte) {
	if code := outcome(message); code != "" {
		c.server.answers.Add(code)
	}
	if bytes.HasPrefix(message, []byte(`{"re":`)) && bytes.Contains(message, anothers) {
		c.server.attempt(anothersPlace, c.from, "guest", c.visitor.Guest.ID)
	}
}

// outcome is what became of a command: "ok", or the code of a refusal; "" for what is no answer.
func outcome(message []byte) string {
	switch {
	case bytes.HasPrefix(message, []byte(`{"error":`)): // to what could not be read
	case !bytes.HasPrefix(message, []byte(`{"re":`)):
		return ""
	case bytes.Contains(message, []byte(`","ok":true`)):
		return "ok"
	}
	_, code, _ := bytes.Cut(message, []byte(`"error":{"code":"`))
	code, _, _ = bytes.Cut(code, []byte(`"`))
	return string(code)
}

// Sockets is how many connections are open, Answers how often a command was answered with which code, or "ok".
func (s *Server) Sockets() int {
	s.sockets.mu.Lock()
	defer s.sockets.mu.Unlock()
	return len(s.sockets.open)
}

func (s *Server) Answers() map[string]float64 { return s.answers.All() }

// brief is the beginning of what somebody else wrote, for the log.
func brief(text string) string { return text[:min(len(text), 100)] }
