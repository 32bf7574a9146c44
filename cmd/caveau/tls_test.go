package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"caveau/certificate"
)

// issue writes a certificate of that number, and its key, as of some hours ago.
func issue(t *testing.T, certFile, keyFile string, number, hours int64) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "a house"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-time.Duration(hours) * time.Hour)
	if err := errors.Join(
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
		os.Chtimes(certFile, at, at), os.Chtimes(keyFile, at, at),
	); err != nil {
		t.Fatal(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return c
}

// A house speaks https by itself: pages, cookies and WebSockets, and nothing by an old version of it.
func TestHTTPS(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	known := x509.NewCertPool()
	known.AddCert(issue(t, certFile, keyFile, 1, 2))
	url := inProcess(t, "--tls-cert", certFile, "--tls-key", keyFile)
	if !strings.HasPrefix(url, "https://localhost:") {
		t.Fatalf("the house says that it is at %s", url)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: known}}
	defer transport.CloseIdleConnections()
	ana := &client{url: url, http: &http.Client{Jar: jar, Transport: transport}}
	if err := ana.post(t.Context(), "/api/guest", map[string]string{"name": "Ana"}, nil); err != nil {
		t.Fatal(err)
	}
	var hello struct{ Guest struct{ Name string } }
	if err := ana.get(t.Context(), "/api/hello", &hello); err != nil || hello.Guest.Name != "Ana" {
		t.Errorf("she is %q, %v", hello.Guest.Name, err)
	}
	conn, _, err := websocket.Dial(t.Context(), url+"/ws?protocol=3", &websocket.DialOptions{HTTPClient: ana.http, HTTPHeader: http.Header{"Origin": {url}}})
	if err != nil {
		t.Fatal(err)
	}
	conn.CloseNow()
	at := strings.TrimPrefix(url, "https://")
	both, err := tls.Dial("tcp", at, &tls.Config{RootCAs: known, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	if spoken := both.ConnectionState().NegotiatedProtocol; spoken != "http/1.1" {
		t.Errorf("the house would rather speak %q", spoken)
	}
	if old, err := tls.Dial("tcp", at, &tls.Config{RootCAs: known, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		old.Close()
		t.Error("the house speaks an old version of TLS")
	}
}

// A certificate that was renewed is shown from then on; what is none is complained of once, and the one before is shown.
func TestRenewal(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	issue(t, certFile, keyFile, 1, 9)
	var said strings.Builder
	c, err := certificate.Read(certFile, keyFile, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	shows := func(number int64) {
		t.Helper()
		pair, err := c.Config().GetCertificate(nil)
		if err != nil || pair.Leaf.SerialNumber.Int64() != number {
			t.Errorf("certificate %v is shown (%v), want %d", pair.Leaf.SerialNumber, err, number)
		}
	}
	shows(1)
	issue(t, certFile, keyFile, 2, 8)
	shows(2)
	issue(t, certFile, filepath.Join(dir, "another"), 3, 7) // half of a renewal
	for range 3 {
		shows(2)
	}
	if n := strings.Count(said.String(), "level=WARN"); n != 1 {
		t.Errorf("it was complained of %d times: %s", n, &said)
	}
	if err := os.Remove(keyFile); err != nil {
		t.Fatal(err)
	}
	shows(2)
	issue(t, certFile, keyFile, 4, 6)
	shows(4)
}

// A house that is to speak https and cannot does not open without.
func TestNoCertificate(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile, db := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), filepath.Join(dir, "caveau.db")
	issue(t, certFile, keyFile, 1, 1)
	for _, args := range [][]string{
		{"--tls-cert", certFile}, {"--tls-key", keyFile},
	} {
		if _, _, stderr := say(t, append([]string{"serve", "--db", db}, args...)...); !strings.Contains(stderr, "without its") {
			t.Errorf("%v: %s", args, stderr)
		}
	}
	for _, args := range [][]string{
		{"--tls-cert", keyFile, "--tls-key", certFile}, {"--tls-cert", certFile, "--tls-key", filepath.Join(dir, "none")},
	} {
		code, _, stderr := say(t, append([]string{"serve", "--db", db, "--addr", "127.0.0.1:0"}, args...)...)
		if code != exitFault || !strings.Contains(stderr, "--tls-cert and --tls-key") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: %d, %s", args, code, stderr)
		}
	}
}
