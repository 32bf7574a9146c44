package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"caveau/record"
)

// A client speaks docs/protocol.md as somebody else's would: it shares no type with the server.
type client struct {
	url  string
	http *http.Client
	conn *websocket.Conn
	ids  int
	asks string // the watch that was asked for last

	state string // of the table that it watches
	told  frame  // of it, the last one
	stays bool   // wherever it is led, and whatever ends, it comes back at once
}

// An event is as much of one as such a client looks at.
type event struct{ Verb string }

// A frame is as much of a frame as a client without a screen looks at.
type frame struct {
	Seq   int
	You   string
	About struct{ State string }
	State string // as it was told last
	Moves []string

	Turn, Asked, Cites  string
	Shown, Own, Outcome json.RawMessage
	Events, Log         []event
}

// same tells whether two frames are of the same position: what is left out are people, who come and go.
func (f frame) same(g frame) bool {
	return slices.Equal(f.Moves, g.Moves) && f.Turn == g.Turn && f.Asked == g.Asked && f.Cites == g.Cites &&
		bytes.Equal(f.Shown, g.Shown) && bytes.Equal(f.Own, g.Own) && bytes.Equal(f.Outcome, g.Outcome)
}

type message struct {
	Re    string
	OK    bool
	Seq   int
	Error struct{ Code, Rule, Message string }
	Table string
	Frame *frame
}

// newClient says its name to the server.
func newClient(ctx context.Context, url, name string) (*client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	c := &client{url: url, http: &http.Client{Jar: jar}}
	return c, c.post(ctx, "/api/guest", map[string]string{"name": name}, nil)
}

func (c *client) post(ctx context.Context, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, strings.NewReader(string(text)))
	if err != nil {
		return err
	}
	return c.answer(r, into)
}

func (c *client) get(ctx context.Context, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return err
	}
	return c.answer(r, into)
}

func (c *client) answer(r *http.Request, into any) error {
	res, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		why, _ := io.ReadAll(res.Body)
		waits(r.Context(), res)
		return fmt.Errorf("%s %s: %s: %s", r.Method, r.URL.Path, res.Status, why)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(into)
}

// waits waits for as long as an answer asks for: somebody who is too fast, and says the same again at once, takes what others and he himself may ask for.
func waits(ctx context.Context, res *http.Response) {
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	if err != nil {
		return
	}
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-ctx.Done():
	}
}

// dial opens the socket, again if need be.
func (c *client) dial(ctx context.Context) error {
	c.hangUp()
	conn, res, err := websocket.Dial(ctx, c.url+"/ws?protocol=3", &websocket.DialOptions{HTTPClient: c.http})
	if res != nil {
		waits(ctx, res)
	}
	if err != nil {
		return err
	}
	conn.SetReadLimit(1 << 20)
	c.conn = conn
	return nil
}

func (c *client) hangUp() {
	if c.conn != nil {
		c.conn.CloseNow()
	}
}

// id is a new one for a command.
func (c *client) id() string {
	c.ids++
	return strconv.Itoa(c.ids)
}

func (c *client) send(ctx context.Context, command map[string]any) error {
	text, err := json.Marshal(command)
	if err != nil {
		return err
	}
	return c.conn.Write(ctx, websocket.MessageText, text)
}

func (c *client) read(ctx context.Context) (m message, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	_, text, err := c.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if m.Frame != nil {
		c.state = cmp.Or(m.Frame.About.State, c.state)
		m.Frame.State = c.state
		err = cmp.Or(err, c.follows(*m.Frame))
	}
	switch {
	case m.Error.Code == "reload":
		err = errReload
	case m.Error.Code != "" && m.Re != "" && m.Re == c.asks: // he does not watch, and would wait for ever
		err = refusal(m)
	}
	return m, err
}

var (
	errRefused = errors.New("refused")
	errStorage = errors.New("not done, and to be said again")
	errReload  = errors.New("the page is out of date")
	errUntold  = errors.New("what was told is not so")
	errAway    = errors.New("somebody is taken for away who has never gone")
)

// follows looks whether a frame comes after the one before. A frame that was told is never taken back, and whoever asks for it again, of
// another process that has read the log, is told the same. Who had a seat has it: nobody here gives one up. And who stays is not said to be away.
func (c *client) follows(f frame) error {
	before := c.told
	c.told = f
	if c.stays && slices.ContainsFunc(slices.Concat(f.Events, f.Log), func(e event) bool { return e.Verb == "away" }) {
		return errAway
	}
	if f.Seq < before.Seq || f.Seq == before.Seq && !f.same(before) || before.You != "" && f.You != before.You {
		first, err1 := json.Marshal(before)
		then, err2 := json.Marshal(f)
		return errors.Join(fmt.Errorf("%w: first\n%s\nand then\n%s", errUntold, first, then), err1, err2)
	}
	return nil
}

// say sends a command and reads up to its answer; the newest frame that came before it goes to f.
func (c *client) say(ctx context.Context, f *frame, command map[string]any) error {
	if err := c.send(ctx, command); err != nil {
		return err
	}
	for {
		m, err := c.read(ctx)
		switch {
		case err != nil:
			return err
		case m.Frame != nil:
			*f = *m.Frame
		case m.Re != command["id"]: // an older answer
		case m.OK:
			return nil
		default:
			return fmt.Errorf("%w: %v", refusal(m), command)
		}
	}
}

func refusal(m message) error {
	if m.Error.Code == "storage" || m.Error.Code == "busy" {
		return errStorage
	}
	return fmt.Errorf("%w: %+v", errRefused, m.Error)
}

// watch asks for a table's frames. That it is refused is an error of whatever is read next.
func (c *client) watch(ctx context.Context, table string) error {
	c.asks = c.id()
	return c.send(ctx, map[string]any{"id": c.asks, "do": "watch", "table": table})
}

// makeTable makes a table where the client sits first.
func (c *client) makeTable(ctx context.Context, setup map[string]any) (string, error) {
	var made struct{ Table string }
	err := c.post(ctx, "/api/tables", setup, &made)
	return made.Table, err
}

func (c *client) record(ctx context.Context, table string) (r record.Record, err error) {
	var text json.RawMessage
	if err := c.get(ctx, "/api/tables/"+table+"/record", &text); err != nil {
		return r, err
	}
	return record.Read(text)
}
