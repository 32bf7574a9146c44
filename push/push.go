// Package push sends a message to a browser whose page is closed, by way of the push service of whoever made the browser (RFC 8030). The
// service reads nothing of it (RFC 8291), and knows the house again by its key (RFC 8292). Which service that is the browser says: so
// nothing is sent but by https, to an address that anybody on the internet has (dial.go).
package push

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Subscription is where a browser wants to be told something, and under which keys, as it has drawn them.
type Subscription struct {
	Endpoint string // whoever knows it may ask the service to wake the browser
	Key      []byte // of the browser: an uncompressed point of P-256
	Auth     []byte // 16 bytes that the browser and the house share
	House    []byte // the public key of the house that it was made for
}

// longestEndpoint is longer than those of all services that there are.
const longestEndpoint = 1024

// Check says what is wrong with a subscription that somebody brings.
func (s Subscription) Check() error {
	u, err := url.Parse(s.Endpoint)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Port() != "" && u.Port() != "443":
		return errors.New("endpoint: no address of a push service")
	case len(s.Endpoint) > longestEndpoint:
		return fmt.Errorf("endpoint: longer than %d bytes", longestEndpoint)
	case len(s.Auth) != authSize:
		return fmt.Errorf("auth: not %d bytes", authSize)
	}
	if _, err := ecdh.P256().NewPublicKey(s.Key); err != nil {
		return errors.New("p256dh: no point of P-256")
	}
	return nil
}

// A Message is what a browser is told. A service that cannot reach the browser forgets it after TTL, and keeps the newest of a topic.
type Message struct {
	Text  []byte // at most LongestText
	TTL   time.Duration
	Topic string // at most 32 letters of base64url, which the service reads
}

// What becomes of a message that was not taken.
var ErrGone = errors.New("the browser wants to be told nothing any more")

// Later is that a service takes nothing now, and may do so when that time has passed; 0 if it does not say when.
type Later struct {
	After time.Duration
	Err   error
}

func (l Later) Error() string { return l.Err.Error() }

// A Config is all that a sender is handed.
type Config struct {
	Secrets [][]byte  // of the house: what the first says is the key that new subscriptions are made for
	Origin  string    // of the house, for whoever runs a push service and has a complaint
	Random  io.Reader // unguessable
	Now     func() time.Time
	// Service answers instead of the internet; nil but in tests.
	Service http.RoundTripper
}

// A Sender sends messages. All its methods may be called from many goroutines.
type Sender struct {
	Config
	keys   []houseKey
	client http.Client
}

// New makes a sender.
func New(c Config) *Sender {
	s := &Sender{Config: c}
	for _, secret := range c.Secrets {
		s.keys = append(s.keys, keyOf(secret))
	}
	s.client = http.Client{Transport: c.Service, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.Service == nil {
		s.client.Transport = outside()
	}
	return s
}

// Key is the public key of the house, for which browsers make subscriptions.
func (s *Sender) Key() []byte { return s.keys[0].public }

// Close lets go of all connections.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// longestAnswer is how much is read of what a service says, in bytes.
const longestAnswer = 4096

// Send sends a message, and answers when the service has taken it: with ErrGone where it never will, and with Later where it may.
func (s *Sender) Send(ctx context.Context, to Subscription, m Message) error {
	if err := to.Check(); err != nil {
		return err
	}
	by, has := s.keyFor(to)
	if !has {
		return ErrGone // the house has another key by now
	}
	body, err := seal(to, m.Text, s.Random)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", by.vouch(r.URL, s.Origin, s.Now()))
	r.Header.Set("Content-Encoding", "aes128gcm")
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("TTL", strconv.Itoa(int(m.TTL/time.Second)))
	r.Header.Set("Topic", m.Topic)
	r.Header.Set("Urgency", "high") // a telephone that sleeps passes on nothing else
	answer, err := s.client.Do(r)
	if err != nil {
		return unreached(err)
	}
	defer answer.Body.Close()
	io.CopyN(io.Discard, answer.Body, longestAnswer)
	return s.became(answer)
}

// unreached says no more of a service that is not reached than why: its address is the browser's secret.
func unreached(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	if errors.Is(err, errInside) {
		return err
	}
	return Later{Err: err}
}

// became is what a service answers.
func (s *Sender) became(answer *http.Response) error {
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusNotFound || code == http.StatusGone:
		return ErrGone
	case code == http.StatusTooManyRequests || code >= 500:
		return Later{s.after(answer.Header.Get("Retry-After")), fmt.Errorf("the push service says %d", code)}
	default:
		return fmt.Errorf("the push service refuses: %d", code)
	}
}

// after is how long a service wants to be left alone (RFC 9110, 10.2.3).
func (s *Sender) after(says string) time.Duration {
	if seconds, err := strconv.Atoi(says); err == nil {
		return time.Duration(min(max(0, seconds), 24*3600)) * time.Second
	}
	if at, err := http.ParseTime(says); err == nil {
		return max(0, at.Sub(s.Now()))
	}
	return 0
}
