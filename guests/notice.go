package guests

import (
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"time"

	"caveau/game"
	"caveau/push"
	"caveau/terms"
	"caveau/wire"
)

// Whoever wants it is told when a table waits for him that he does not look at (package crier): his browser says where, and it is a
// browser's of his as long as the session that said so.

var errNoNotices = wire.Refuse("bad_request", "this house tells nobody anything whose page is closed")

// A noticeCard is what a guest is told of a browser of his. Where it is told something nobody else knows.
type noticeCard struct {
	Endpoint string    `json:"endpoint"`
	Language string    `json:"language"`
	Made     time.Time `json:"made"`
}

// Notices are the browsers in which a guest is told that he is waited for.
func (b *Book) Notices(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	all, err := b.Keeper.Subscriptions(r.Context(), badge.ID)
	cards := make([]noticeCard, len(all))
	for i, s := range all {
		cards[i] = noticeCard{Endpoint: s.Endpoint, Language: s.Language, Made: s.Made}
	}
	return cards, err
}

// AddNotice keeps where a browser wants to be told, as the browser itself writes it.
func (b *Book) AddNotice(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	var body struct {
		Subscription struct {
			Endpoint string   `json:"endpoint"`
			Expires  *float64 `json:"expirationTime"` // the service says so when it comes to that
			Keys     struct {
				Key  string `json:"p256dh"`
				Auth string `json:"auth"`
			} `json:"keys"`
		} `json:"subscription"`
		Language string `json:"language"`
	}
	switch {
	case badge.ID == "":
		return nil, errNobody
	case b.Push == nil:
		return nil, errNoNotices
	}
	if err := readForm(r, &body); err != nil {
		return nil, err
	}
	if !slices.Contains(terms.Languages, body.Language) {
		return nil, wire.Refuse("bad_request", "language: none of %v", terms.Languages)
	}
	key, _ := base64.RawURLEncoding.DecodeString(body.Subscription.Keys.Key)
	auth, _ := base64.RawURLEncoding.DecodeString(body.Subscription.Keys.Auth)
	s := Subscription{
		Subscription: push.Subscription{Endpoint: body.Subscription.Endpoint, Key: key, Auth: auth, House: b.Push},
		Guest:        badge.ID, Session: badge.Session, Round: badge.Round, Language: body.Language, Made: b.Now(),
	}
	if err := s.Check(); err != nil { // what is no base64 is no key either
		return nil, wire.Refuse("bad_request", "subscription: %v", err)
	}
	return nil, nobodyIf(b.Keeper.Subscribe(r.Context(), s)) // his session may have ended meanwhile
}

// RemoveNotice has a browser of a guest told nothing any more. What is none of his is left alone.
func (b *Book) RemoveNotice(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	var body struct {
		Endpoint string `json:"endpoint"`
	}
	if badge.ID == "" {
		return nil, errNobody
	}
	if err := readForm(r, &body); err != nil {
		return nil, err
	}
	return nil, b.Keeper.Unsubscribe(r.Context(), badge.ID, body.Endpoint)
}

// readForm reads what somebody says in JSON.
func readForm(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = game.ReadStrict(text, into)
	}
	if err != nil {
		return wire.Refuse("bad_request", "the body is not the JSON that is expected: %v", err)
	}
	return nil
}

// Lasts tells whether the session of a subscription does, as far as time goes: whoever comes to the house makes it anew.
func (s Subscription) Lasts(now time.Time) bool { return now.Sub(s.Made) <= lasting }
