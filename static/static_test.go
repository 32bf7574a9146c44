package static

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// A file as small as whoever asks can read it: by brotli as the build laid it there, else by gzip, else as it is.
func TestFilesAreSentAsSmallAsTheyCanBeRead(t *testing.T) {
	plain := strings.Repeat("lids and coffins ", 100)
	files, err := New(fstest.MapFS{
		"index.html":       {Data: []byte("<!doctype html>")},
		"assets/app.js":    {Data: []byte(plain)},
		"assets/app.js.br": {Data: []byte("squeezed")},
		"assets/old.js":    {Data: []byte(plain)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ path, accepts, coding, body string }{
		{"/assets/app.js", "gzip, deflate, br, zstd", "br", "squeezed"},
		{"/assets/app.js", "BR;q=0.3", "br", "squeezed"},
		{"/assets/app.js", "gzip;q=1.0, br;q=0", "gzip", plain},
		{"/assets/app.js", "br;q=many, gzip", "gzip", plain},
		{"/assets/app.js", "gzip;q=0", "", plain},
		{"/assets/app.js", "abracadabra", "", plain},
		{"/assets/app.js", "*", "", plain},
		{"/assets/app.js", "", "", plain},
		{"/assets/old.js", "br, gzip", "gzip", plain},
		{"/assets/old.js", "br", "", plain},
	} {
		r := httptest.NewRequest("GET", want.path, nil)
		r.Header.Set("Accept-Encoding", want.accepts)
		w := httptest.NewRecorder()
		files.Serve(w, r)
		body := io.Reader(w.Body)
		if want.coding == "gzip" {
			if body, err = gzip.NewReader(w.Body); err != nil {
				t.Fatalf("%+v: %v", want, err)
			}
		}
		text, err := io.ReadAll(body)
		if got := w.Header().Get("Content-Encoding"); err != nil || got != want.coding || string(text) != want.body {
			t.Errorf("%s for whoever takes %q came by %q, %d bytes, %v; want %q", want.path, want.accepts, got, len(text), err, want.coding)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" || strings.Contains(w.Header().Get("ETag"), "-") != (want.coding != "") {
			t.Errorf("%s for whoever takes %q could be kept for another: %v", want.path, want.accepts, w.Header())
		}
	}
}

// What was squeezed is no file of its own, and does not outlive the file that it was made of.
func TestSqueezedFilesBelongToOthers(t *testing.T) {
	files, err := New(fstest.MapFS{"a.js": {Data: []byte("1")}, "a.js.br": {Data: []byte("2")}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	files.Serve(w, httptest.NewRequest("GET", "/a.js.br", nil))
	if w.Code != 404 {
		t.Errorf("/a.js.br answers with %d", w.Code)
	}
	if _, err := New(fstest.MapFS{"a.js.br": {Data: []byte("2")}}); err == nil || !strings.Contains(err.Error(), "a.js") {
		t.Errorf("a leftover is taken for a file: %v", err)
	}
}
