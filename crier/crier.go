// Package crier tells those who do not look that a table waits for them, wherever they are: it goes to the push services of their browsers
// (package push). What it says is which table, why, and until when; of the game it knows nothing. No table waits for it.
package crier

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"caveau/game"
	"caveau/guests"
	"caveau/match"
	"caveau/match/runner"
	"caveau/push"
	"caveau/wire"
)

// A Config is all that a crier is handed.
type Config struct {
	Keeper guests.Keeper
	Send   func(context.Context, push.Subscription, push.Message) error
	Games  []game.Info // what people call those that are played
	Slog   *slog.Logger
}

const (
	mostCalls   = 4096             // that wait to be looked at
	mostCries   = 1024             // that are on their way, those that are tried again too
	mostSending = 8                // at once to a service
	sendTime    = 15 * time.Second // for each
	usualTTL    = 24 * time.Hour   // for those whose time is not measured
	longestWait = time.Hour        // that a service may ask for
)

// tries are how long it is waited before each of them.
var tries = []time.Duration{0, 30 * time.Second, 5 * time.Minute, 30 * time.Minute}

// A Crier tells people. All its methods may be called from many goroutines.
type Crier struct {
	Config
	clock runner.Clock
	ctx   context.Context // ends with the crier
	stop  context.CancelFunc
	work  sync.WaitGroup
	calls chan call

	mu       sync.Mutex
	cries    int                 // that are on their way
	services map[string]*service // to which some are, by host
}

// A service is a push service, as far as calls are on their way to it. One that is slow, or takes nothing, holds up its own browsers alone.
type service struct {
	cries   int
	sending chan struct{} // has room for as many as are sent at once
}

// A call is one with its table.
type call struct {
	match.Call
	table wire.ID
	game  string
	tried int // how often it could not be read or noted

	unsure bool // it may have been noted by whoever did not hear that it was
}

// New makes a crier. What he hears waits until he goes.
func New(c Config) *Crier {
	ctx, stop := context.WithCancel(context.Background())
	return &Crier{
		Config: c, ctx: ctx, stop: stop, calls: make(chan call, mostCalls), services: make(map[string]*service),
	}
}

// Call has somebody told. It does not block: where too much is to be told somebody is not.
func (c *Crier) Call(table wire.ID, game string, what match.Call) {
	select {
	case c.calls <- call{Call: what, table: table, game: game}:
	default:
		c.Slog.Warn("somebody is not told that he is waited for: there are too many", "table", table)
	}
}

// Go begins to tell what he hears, by the time of the house, by which a call says until when. What is to be said again is first asked of the rooms, whether it is so yet.
func (c *Crier) Go(rooms guests.Rooms, clock runner.Clock) {
	c.clock = clock
	c.work.Go(func() {
		for {
			select {
			case one := <-c.calls:
				c.cry(one, rooms)
			case <-c.ctx.Done():
				return
			}
		}
	})
}

// Close ends what is on its way.
func (c *Crier) Close() {
	c.stop()
	c.work.Wait()
}

// cry tells all browsers of a guest that want to be told, unless he was told before. What cannot be read or noted is tried again; rather than that it is noted and
// nobody says it, he is told once more.
func (c *Crier) cry(one call, rooms guests.Rooms) {
	all, err := c.Keeper.Subscriptions(c.ctx, one.Guest)
	if err == nil && len(all) > 0 {
		var first bool
		if first, err = c.Keeper.Tell(c.ctx, one.Guest, one.table, one.N); err != nil {
			one.unsure = true
		} else if !first && !one.unsure {
			all = nil
		}
	}
	switch one.tried++; {
	case c.ctx.Err() != nil:
		return
	case err != nil && one.tried < len(tries):
		c.aside(one, "", func(*service) { c.again(one, rooms) })
		return
	case err != nil:
		c.Slog.Error("it cannot be read or noted whom a table waits for", "table", one.table, "err", err)
		return
	}
	for _, to := range all {
		if !to.Lasts(c.clock.Now()) {
			c.drop(to)
			continue
		}
		c.aside(one, host(to.Endpoint), func(at *service) { c.carry(one, to, at, rooms) })
	}
}

// aside has something done beside all else, if not too much is.
func (c *Crier) aside(one call, host string, do func(*service)) {
	at := c.enter(host)
	if at == nil {
		c.Slog.Warn("a browser is not told that its guest is waited for: too many are", "table", one.table)
		return
	}
	c.work.Go(func() {
		do(at)
		c.leave(host, at)
	})
}

// enter takes a place on the way to a service; nil where it has as many as are still free, or none is. What waits for the store itself has no host.
func (c *Crier) enter(host string) *service {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.services[host]
	if at == nil {
		at = &service{sending: make(chan struct{}, mostSending)}
	}
	if at.cries >= mostCries-c.cries {
		return nil
	}
	c.services[host] = at
	c.cries++
	at.cries++
	return at
}

// leave gives the place back.
func (c *Crier) leave(host string, at *service) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cries--
	if at.cries--; at.cries == 0 {
		delete(c.services, host)
	}
}

// host is that of the service that brings something to a browser.
func host(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return endpoint // it was looked at when it was noted (push)
	}
	return u.Host
}

// again cries again after a while, if the guest is waited for yet or nobody can say so.
func (c *Crier) again(one call, rooms guests.Rooms) {
	if !c.sleep(tries[one.tried]) {
		return
	}
	if waits, err := one.waits(c.ctx, rooms); waits || err != nil {
		c.cry(one, rooms)
	}
}

// carry brings a call to a browser, and tries again where its service takes nothing now.
func (c *Crier) carry(one call, to guests.Subscription, at *service, rooms guests.Rooms) {
	var err error
	for _, wait := range tries {
		var later push.Later
		errors.As(err, &later)
		if wait = max(wait, later.After); wait > longestWait {
			break
		}
		if wait > 0 {
			if !c.sleep(wait) {
				return
			}
			var so bool
			if so, err = c.stillSo(one, to, rooms); err != nil {
				continue
			} else if !so {
				return
			}
		}
		if err = c.send(one, to, at); !errors.As(err, &later) {
			break
		}
	}
	switch {
	case err == nil || c.ctx.Err() != nil:
	case errors.Is(err, push.ErrGone):
		c.drop(to)
	default:
		c.Slog.Warn("a browser could not be told that its guest is waited for", "table", one.table, "err", err)
	}
}

// stillSo tells whether the guest is waited for yet, and his browser wants to know.
func (c *Crier) stillSo(one call, to guests.Subscription, rooms guests.Rooms) (bool, error) {
	all, err := c.Keeper.Subscriptions(c.ctx, one.Guest)
	if err != nil || !slices.ContainsFunc(all, func(s guests.Subscription) bool { return s.Endpoint == to.Endpoint }) {
		return false, err
	}
	return one.waits(c.ctx, rooms)
}

// waits tells whether the table waits for the guest yet.
func (one call) waits(ctx context.Context, rooms guests.Rooms) (bool, error) {
	m, his, err := rooms.Mine(ctx, one.table, one.Guest)
	if err != nil && wire.AsError(err).Code == wire.CodeNoTable {
		return false, nil
	}
	return err == nil && his && (one.Why == match.Begun || m.You == m.Turn && m.Since.Equal(one.At)), err
}

// drop forgets a subscription that is of no use.
func (c *Crier) drop(s guests.Subscription) {
	if err := c.Keeper.Unsubscribe(c.ctx, s.Guest, s.Endpoint); err != nil && c.ctx.Err() == nil {
		c.Slog.Error("a browser that wants to be told nothing cannot be forgotten", "err", err)
	}
}

// send is one try.
func (c *Crier) send(one call, to guests.Subscription, at *service) error {
	select {
	case at.sending <- struct{}{}:
		defer func() { <-at.sending }()
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
	ttl := usualTTL
	if !one.Until.IsZero() {
		ttl = one.Until.Sub(c.clock.Now())
	}
	if ttl <= 0 {
		return nil // it is too late to tell him
	}
	ctx, cancel := context.WithTimeout(c.ctx, sendTime)
	defer cancel()
	return c.Send(ctx, to.Subscription, push.Message{Text: one.text(game.Title(c.Games, one.game, "", to.Language), to.Language), TTL: ttl, Topic: one.topic(to.Subscription)})
}

// text is all that a browser is told; the page has the words for it (web/src/pocket/sw.ts).
func (one call) text(title, language string) []byte {
	said := struct {
		Table    wire.ID    `json:"table"`
		Game     string     `json:"game"`
		Title    string     `json:"title"`
		Why      string     `json:"why"`
		Until    *time.Time `json:"until,omitempty"`
		Language string     `json:"language"`
	}{one.table, one.game, title, one.Why, nil, language}
	if !one.Until.IsZero() {
		said.Until = &one.Until
	}
	text, _ := json.Marshal(said) // texts and a time always can be
	return text
}

// topic has a service keep the newest of each table alone, for a browser. It tells it neither the table, nor which other browsers are called from there: who does not know
// what the browser and the house share cannot try which one it is.
func (one call) topic(browser push.Subscription) string {
	sum := hmac.New(sha256.New, browser.Auth)
	io.WriteString(sum, "topic\n"+browser.Endpoint+"\n"+string(one.table))
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:24])
}

// sleep waits; false if the crier closes meanwhile.
func (c *Crier) sleep(d time.Duration) bool {
	over, stop := c.clock.Timer(d)
	defer stop()
	select {
	case <-over:
		return true
	case <-c.ctx.Done():
		return false
	}
}
