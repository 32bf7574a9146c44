package broker_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"caveau/broker"
)

// Off this machine a bus has TLS and a password, at each of its addresses.
func TestGuarded(t *testing.T) {
	for address, want := range map[string]bool{
		"nats://localhost:4222":                                   true,
		"nats://127.0.0.1:4222":                                   true,
		"nats://127.9.9.9":                                        true,
		"nats://[::1]:4222":                                       true,
		"tls://house:hush@bus.example:4222":                       true,
		"tls://hush@10.0.0.7:4222":                                true,
		"tls://house:hush@one.example, tls://house:hush@two:4222": true,
		"nats://bus.example:4222":                                 false,
		"nats://house:hush@bus.example:4222":                      false,
		"nats://hush@bus.example:4222":                            false,
		"tls://bus.example:4222":                                  false,
		"nats://0.0.0.0:4222":                                     false,
		"nats://localhost.example:4222":                           false,
		"nats://house:hush@localhost,nats://house:hush@[fe80::1]": false,
	} {
		a, err := broker.Parse(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if err = a.Guarded(); (err == nil) != want || err != nil && (strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "tls://user:password@")) {
			t.Errorf("%s: %v", address, err)
		}
		if strings.Contains(a.String(), "hush") {
			t.Errorf("%s is written %s", address, a)
		}
	}
	for _, address := range []string{"", "localhost:4222", "http://localhost:4222", "nats://", "nats://:4222", "nats://localhost,", "nats://a b"} {
		if a, err := broker.Parse(address); err == nil {
			t.Errorf("%q is read as %s", address, a)
		}
	}
}

// Whoever is connected comes back, however long the bus is away. With tls:// nothing is said to a server that does not show a certificate that counts, and without it nothing to one that wants TLS and a password.
func TestTLS(t *testing.T) {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	made := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, made, made, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AddCert(parsed)
	plain := begin(t, &server.Options{Username: "house", Password: "hush"})
	guarded := begin(t, &server.Options{Username: "house", Password: "hush", TLS: true, TLSConfig: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}})
	for _, x := range []struct {
		address string
		trusts  *x509.CertPool
		says    string
	}{
		{"tls://house:hush@" + guarded, known, ""},
		{"tls://house:hush@127.0.0.1:1,tls://house:hush@" + guarded, known, ""},
		{"tls://house:hush@" + guarded, x509.NewCertPool(), "SSL_CERT_FILE"},
		{"tls://house:bush@" + guarded, known, "look at the user and the password"},
		{"tls://house:hush@" + plain, nil, "secure connection"},
		{"nats://house:hush@" + plain, nil, ""},
	} {
		a, err := broker.Parse(x.address)
		if err != nil {
			t.Fatal(err)
		}
		var more []nats.Option
		if x.trusts != nil {
			more = append(more, nats.Secure(&tls.Config{RootCAs: x.trusts}))
		}
		conn, err := a.Connect("a test", func(error) {}, func() {}, more...)
		if err == nil {
			if conn.Opts.MaxReconnect >= 0 || !conn.Opts.IgnoreAuthErrorAbort {
				t.Errorf("%s is given up after %d tries, or where the password is another", a, conn.Opts.MaxReconnect)
			}
			conn.Close()
		}
		if (err == nil) != (x.says == "") || err != nil && (!strings.Contains(err.Error(), x.says) || strings.Contains(err.Error(), "hush")) {
			t.Errorf("%s: %v, want %q", a, err, x.says)
		}
	}
}

// begin begins a server, and is where it listens.
func begin(t *testing.T, with *server.Options) string {
	t.Helper()
	with.Host, with.Port, with.NoLog, with.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(with)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.Addr().String()
}
