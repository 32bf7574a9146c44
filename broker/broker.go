// Package broker connects to NATS servers: to which, how safely, and what is heard when they are away.
package broker

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// An Address is that of a NATS server, or of several of which any will do.
type Address []*url.URL

// Parse reads an address: nats://host:4222 or tls://user:password@host:4222, and several with commas between them.
func Parse(text string) (a Address, err error) {
	for one := range strings.SplitSeq(text, ",") {
		at, err := url.Parse(strings.TrimSpace(one))
		if err != nil || at.Hostname() == "" || at.Scheme != "nats" && at.Scheme != "tls" {
			return nil, errors.New("the bus has an address like nats://host:4222 or tls://user:password@host:4222")
		}
		a = append(a, at)
	}
	return a, nil
}

// String is the address without its passwords and tokens.
func (a Address) String() string { return a.list(redacted) }

// redacted is an address without the password, or the token that stands in the user's place.
func redacted(at *url.URL) string {
	open := *at
	if _, has := at.User.Password(); at.User != nil && !has {
		open.User = url.User("xxxxx")
	}
	return open.Redacted()
}

func (a Address) list(write func(*url.URL) string) string {
	var all []string
	for _, at := range a {
		all = append(all, write(at))
	}
	return strings.Join(all, ",")
}

// Guarded is why nothing secret should be said there: somebody between this machine and another could read it, or say it himself.
func (a Address) Guarded() error {
	for _, at := range a {
		if local(at.Hostname()) {
			continue
		}
		if at.Scheme != "tls" || at.User == nil {
			return fmt.Errorf("the bus at %s is not on this machine, and hands of cards go over it: it needs TLS and a password, tls://user:password@%s", redacted(at), at.Host)
		}
	}
	return nil
}

func local(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// Connect connects to the bus for a program of that name. From then on it is connected again whenever it was not: away and back hear of it, not at
// the same time. No error has a password or a token in it.
func (a Address) Connect(name string, away func(error), back func(), more ...nats.Option) (*nats.Conn, error) {
	conn, err := nats.Connect(a.list((*url.URL).String), append([]nats.Option{
		nats.Name(name),
		nats.MaxReconnects(-1),
		nats.IgnoreAuthErrorAbort(), // who has changed the password changes it here, or there, in time
		nats.ReconnectWait(500 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // else we have closed it ourselves
				away(err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { back() }),
	}, more...)...)
	if err != nil {
		return nil, fmt.Errorf("the bus at %s: %w; %s", a, err, advice(err))
	}
	return conn, nil
}

// advice is what to do where the bus cannot be reached.
func advice(err error) string {
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown):
		return "name who vouches for its certificate in SSL_CERT_FILE"
	case errors.Is(err, nats.ErrAuthorization):
		return "look at the user and the password"
	}
	return "look whether it runs, and at its address"
}
