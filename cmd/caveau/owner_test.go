package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// The link that caveau owner prints opens the page of the house whose key it has read, whatever it is called.
func TestOwner(t *testing.T) {
	db := filepath.Join(t.TempDir(), "caveau.db")
	if code, stdout, stderr := say(t, "owner", "--db", db); code != exitFault || stdout != "" || !strings.Contains(stderr, db+"-key") {
		t.Errorf("without a house: %d, %q, %q", code, stdout, stderr)
	}
	url := inProcess(t, "--db", db, "--invited")
	code, stdout, stderr := say(t, "owner", "--db", db, "--public-url", "https://play.example.org/")
	link, _, _ := strings.Cut(stdout, "\n")
	key, ours := strings.CutPrefix(link, "https://play.example.org/owner#")
	if code != exitOK || !ours {
		t.Fatalf("%d, %q, %q", code, stdout, stderr)
	}
	for _, status := range []int{http.StatusNoContent, http.StatusUnauthorized} { // once
		if got := answered(t, http.MethodPost, url+"/api/owner/enter", `{"key": "`+key+`"}`); got != status {
			t.Errorf("the key is answered %d, want %d", got, status)
		}
	}
	if got := answered(t, http.MethodGet, url+"/api/tables", ""); got != http.StatusForbidden {
		t.Errorf("a stranger in a house for invited people is answered %d", got)
	}
	if code, stdout, _ := say(t, "owner", "--key", db+"-key"); code != exitOK || !strings.HasPrefix(stdout, "http://localhost:8080/owner#") {
		t.Errorf("by its key alone: %d, %q", code, stdout)
	}
}

func answered(t *testing.T, method, url, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}
