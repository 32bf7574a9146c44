package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"caveau/load/meter"
)

// A Target is a server that is played on.
type Target struct {
	URL     string // http://host:port
	Process int    // its id, if it runs here and its use of the processor is to be told; else 0
	Bare    bool   // it is a Bare one, and knows no tables
	Meters  Meters // what else is read of it
}

// Meters are numbers that grow, by what they count.
type Meters map[string]func() float64

// read reads all of them.
func (m Meters) read() map[string]float64 {
	all := make(map[string]float64, len(m))
	for what, read := range m {
		all[what] = read()
	}
	return all
}

// used is what the target has used of the processors so far, 0 where that cannot be told.
func (t Target) used() time.Duration {
	if t.Process == 0 {
		return 0
	}
	d, _ := meter.Processor(t.Process)
	return d
}

// A guest is somebody with a name.
type guest struct {
	Target
	cookie string
}

// guest says a name to the server.
func (t Target) guest(ctx context.Context, name string) (*guest, error) {
	g := &guest{Target: t}
	header, err := g.post(ctx, "/api/guest", map[string]string{"name": name}, nil)
	if err != nil {
		return nil, err
	}
	g.cookie, _, _ = strings.Cut(header.Get("Set-Cookie"), ";")
	return g, nil
}

func (g *guest) makeTable(ctx context.Context, setup map[string]any) (string, error) {
	var made struct{ Table string }
	_, err := g.post(ctx, "/api/tables", setup, &made)
	return made.Table, err
}

// dial opens a socket, in the version of the protocol that the server names; at a node of that name, if it is not "" and the server has such.
func (g *guest) dial(ctx context.Context, node string) (*socket, error) {
	version, err := g.protocol(ctx)
	if err != nil {
		return nil, err
	}
	return dial(ctx, fmt.Sprintf("%s/ws?protocol=%d&node=%s", g.URL, version, url.QueryEscape(node)), g.cookie)
}

// protocol is the version that the server speaks.
func (t Target) protocol(ctx context.Context) (int, error) {
	var hello struct{ Protocol int }
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL+"/api/hello", nil)
	if err != nil {
		return 0, err
	}
	_, err = answer(r, &hello)
	return hello.Protocol, err
}

func (g *guest) post(ctx context.Context, path string, body, into any) (http.Header, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if g.cookie != "" {
		r.Header.Set("Cookie", g.cookie)
	}
	return answer(r, into)
}

func answer(r *http.Request, into any) (http.Header, error) {
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		err := fmt.Errorf("%s %s: %s", r.Method, r.URL, res.Status)
		if res.StatusCode == http.StatusTooManyRequests {
			err = fmt.Errorf("%w; a server for load tests is started with serve --no-limits", err)
		}
		return nil, err
	}
	if into == nil {
		return res.Header, nil
	}
	return res.Header, json.NewDecoder(res.Body).Decode(into)
}
