package main

import (
	"net"
	"testing"

	"caveau/address"
)

// Links name the address that was asked for; on this machine alone, this machine.
func TestOrigin(t *testing.T) {
	here, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	if got, want := (serving{}).origin(here), "http://localhost:"+port(here); got != want {
		t.Errorf("the origin is %s, want %s", got, want)
	}
	public := serving{publicURL: "https://games.example.org"}
	if got := public.origin(here); got != "https://games.example.org" {
		t.Errorf("the origin is %s", got)
	}
	if ip := address.Home(); ip != nil && !ip.IsPrivate() {
		t.Errorf("other devices would be sent to %s", ip)
	}
}
