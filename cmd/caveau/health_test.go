package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Who asks whether a house is well is answered by how the program ends: 0 for a house that is open, 1 for one that is not well or not there.
func TestHealthOfAHouse(t *testing.T) {
	if code, _, said := say(t, "health", "--url", inProcess(t)+"/"); code != exitOK || said != "" {
		t.Errorf("an open house: %d, %q", code, said)
	}
	ill := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "unready", http.StatusServiceUnavailable)
	}))
	defer ill.Close()
	for url, says := range map[string]string{ill.URL: "503", "http://" + freeAddr(t): "refused", freeAddr(t): "begins with http://"} {
		if code, _, said := say(t, "health", "--url", url); code != exitFault || !strings.Contains(said, says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: %d, %q", url, code, said)
		}
	}
}
