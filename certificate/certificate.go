// Package certificate keeps what a house shows over https.
package certificate

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"
)

// A Certificate is what the house shows over https. It is read again where its file has changed: whoever renews it need not start the house
// anew.
type Certificate struct {
	certFile, keyFile string
	slog              *slog.Logger

	mu      sync.Mutex // guards what follows
	pair    *tls.Certificate
	of      [2]time.Time // when the files were changed that the pair was read from
	trouble string       // what the log was told last of those that are there now; "" for nothing
}

// Read reads a certificate, and those that vouch for it behind it, and its key. There must be both.
func Read(certFile, keyFile string, slog *slog.Logger) (*Certificate, error) {
	if certFile == "" || keyFile == "" {
		return nil, errors.New("a certificate is of no use without its key, nor a key without its certificate")
	}
	c := &Certificate{certFile: certFile, keyFile: keyFile, slog: slog}
	changed, err := c.changed()
	if err == nil {
		err = c.read(changed)
	}
	return c, err
}

func (c *Certificate) changed() (at [2]time.Time, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return at, err
		}
		at[i] = info.ModTime()
	}
	return at, nil
}

func (c *Certificate) read(changed [2]time.Time) error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err == nil {
		c.pair, c.of = &pair, changed
	}
	return err
}

// get is the newest certificate that there is. While one file is renewed and the other is not yet, or what is there is none, it is the one
// before.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed, err := c.changed()
	if err == nil && changed == c.of {
		return c.pair, nil
	}
	if err == nil {
		err = c.read(changed)
	}
	if err == nil {
		c.slog.Info("the certificate was renewed", "file", c.certFile)
		c.trouble = ""
	} else if c.trouble != err.Error() {
		c.slog.Warn("the new certificate cannot be read; the one before is shown", "err", err)
		c.trouble = err.Error()
	}
	return c.pair, nil
}

// Config is how the house speaks https. WebSockets want HTTP/1.1.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
}
