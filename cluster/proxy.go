package cluster

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// lookTime is how often a node is asked whether it is ready, and how long it may take to say so.
	lookTime = 250 * time.Millisecond
	// answerTime is how long a node may take that was stopped, or is busy.
	answerTime = time.Second
)

// A Proxy hands each request to one of the nodes that are ready, in turn, or to the one that it names: …?node=2 (ADR 22). Whoever speaks with a node that is not ready any more is cut off, and finds another when
// he comes again.
type Proxy struct {
	reverse *httputil.ReverseProxy
	to      http.Transport

	mu    sync.Mutex
	last  int
	nodes []*door
}

// A door is the way to a node.
type door struct {
	name  string
	addr  string
	ready bool
	in    map[*visit]bool // whoever speaks with it
}

// A visit is a request while it is answered.
type visit struct {
	cut func()
	at  *door // nil: at none yet
}

// NewProxy looks after nodes at these addresses, which are called 1, 2 and so on, until ctx ends.
func NewProxy(ctx context.Context, addrs ...string) *Proxy {
	// A line for each request: one that was kept may lead to a node that has ended, and nobody knows then whether it heard.
	p := &Proxy{to: http.Transport{DialContext: (&net.Dialer{Timeout: answerTime}).DialContext, DisableKeepAlives: true}}
	p.reverse = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", "node", r.In.Host
			r.SetXForwarded()
		},
		Transport: p, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, "no node is ready: try again in a moment", http.StatusServiceUnavailable)
		},
	}
	for i, addr := range addrs {
		d := &door{name: strconv.Itoa(i + 1), addr: addr, in: make(map[*visit]bool)}
		p.nodes = append(p.nodes, d)
		go p.watch(ctx, d)
	}
	return p
}

// ServeHTTP hands a request on.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cut := context.WithCancel(r.Context())
	defer cut()
	v := &visit{cut: cut}
	defer p.move(v, nil)
	p.reverse.ServeHTTP(w, r.WithContext(context.WithValue(ctx, visitKey{}, v)))
}

type visitKey struct{}

// RoundTrip asks the node that is named, or else the next one, if it is ready, and another where nobody opens, or has not the part of a page that is asked for: while nodes are upgraded one by one
// another may have it.
func (p *Proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	body := r.Body
	if body != nil {
		defer body.Close()
		r.Body = io.NopCloser(body) // who does not open has read none of it
	}
	v, err := r.Context().Value(visitKey{}).(*visit), errNobody
	var answer *http.Response
	for asked := map[*door]bool{}; ; {
		d := p.next(asked, r.URL.Query().Get("node"))
		if d == nil {
			return answer, err
		}
		asked[d] = true
		if answer != nil {
			answer.Body.Close()
		}
		p.move(v, d)
		out := r.Clone(r.Context())
		out.URL.Host = d.addr
		if answer, err = p.to.RoundTrip(out); err == nil && answer.StatusCode == http.StatusNotFound && strings.HasPrefix(r.URL.Path, "/assets/") {
			continue
		} else if err == nil {
			return answer, nil
		}
		var op *net.OpError
		if !errors.As(err, &op) || op.Op != "dial" {
			return nil, err
		}
		p.move(v, nil)
		p.mark(d, false)
	}
}

var errNobody = errors.New("no node is ready")

// next is the next node that is ready and was not asked, nil for none; first the one of that name.
func (p *Proxy) next(asked map[*door]bool, name string) *door {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.nodes {
		if d.name == name && d.ready && !asked[d] {
			return d
		}
	}
	for range p.nodes {
		p.last = (p.last + 1) % len(p.nodes)
		if d := p.nodes[p.last]; d.ready && !asked[d] {
			return d
		}
	}
	return nil
}

// move is that a visit is at a door, from where it is cut off when the node is not ready any more; nil: at none.
func (p *Proxy) move(v *visit, to *door) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.at != nil {
		delete(v.at.in, v)
	}
	if v.at = to; to != nil {
		to.in[v] = true
	}
}

func (p *Proxy) mark(d *door, ready bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d.ready = ready; ready {
		return
	}
	for v := range d.in {
		v.cut()
	}
}

// Ready is at which addresses nodes are ready.
func (p *Proxy) Ready() (addrs []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.nodes {
		if d.ready {
			addrs = append(addrs, d.addr)
		}
	}
	return addrs
}

// watch asks a node again and again whether it is ready.
func (p *Proxy) watch(ctx context.Context, d *door) {
	for ctx.Err() == nil {
		p.mark(d, p.asks(ctx, d.addr))
		select {
		case <-time.After(lookTime):
		case <-ctx.Done():
		}
	}
}

func (p *Proxy) asks(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return false
	}
	answer, err := p.to.RoundTrip(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
