// Package static serves the client's files.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Files are the client's files, in memory: they are few, and each is compressed once.
type Files struct{ byPath map[string]file }

type file struct {
	kind   string
	tag    string
	plain  []byte
	packed func() []byte // packed once, when it is first asked for; nil where that saves nothing
}

// unbuilt is shown where the client was not built.
const unbuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Caveau</title>
<p lang="en">The page has not been built: run <code>make build</code>, and start the server again.</p>
<p lang="fr">La page n’a pas été construite : lancez <code>make build</code>, puis redémarrez le serveur.</p>
<p lang="ru">Страница не собрана: выполните <code>make build</code> и запустите сервер снова.</p></html>
`

// New reads the client's files; nil are those of one that was not built.
func New(client fs.FS) (*Files, error) {
	f := &Files{byPath: map[string]file{"index.html": newFile("index.html", []byte(unbuilt))}}
	if client == nil {
		return f, nil
	}
	err := fs.WalkDir(client, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		data, err := fs.ReadFile(client, name)
		f.byPath[name] = newFile(name, data)
		return err
	})
	return f, err
}

func newFile(name string, data []byte) file {
	sum := sha256.Sum256(data)
	f := file{
		kind: kindOf(path.Ext(name)), tag: `"` + hex.EncodeToString(sum[:12]) + `"`, plain: data,
		packed: func() []byte { return nil },
	}
	switch path.Ext(name) {
	case ".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt", ".wasm", ".map":
		f.packed = sync.OnceValue(func() []byte { return pack(data) })
	}
	return f
}

// kindOf is what a file is, by the end of its name. Not every system knows a manifest.
func kindOf(ext string) string {
	if ext == ".webmanifest" {
		return "application/manifest+json"
	}
	return mime.TypeByExtension(ext)
}

// pack answers with nil where packing saves nothing.
func pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one of gzip's own
	w.Write(data)                                         // a buffer takes everything
	w.Close()
	if b.Len() > len(data)*9/10 {
		return nil
	}
	return b.Bytes()
}

// Index is the page; what it shows, its own router says.
func (f *Files) Index(w http.ResponseWriter, r *http.Request) { f.send(w, r, "index.html") }

// Headed is the page with more in its head: well-formed HTML. Nobody keeps it: another may not be told the same.
func (f *Files) Headed(w http.ResponseWriter, head string) {
	page := f.byPath["index.html"]
	body := page.plain
	if before, after, ok := bytes.Cut(body, []byte("</head>")); ok { // one that was not built has none
		body = slices.Concat(before, []byte(head), []byte("</head>"), after)
	}
	w.Header().Set("Content-Type", page.kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Write(body) // whoever does not read it has gone
}

// Serve answers with a file, and where there is none with the page, for whoever reads pages.
func (f *Files) Serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this is only to be read", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	f.send(w, r, name)
}

func (f *Files) send(w http.ResponseWriter, r *http.Request, name string) {
	file, ok := f.byPath[name]
	if !ok {
		f.lost(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable") // its name changes with what is in it
	}
	h.Set("ETag", file.tag)
	h.Add("Vary", "Accept-Encoding")
	body := file.plain
	if packed := file.packed(); packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Set("ETag", strings.TrimSuffix(file.tag, `"`)+`-gz"`)
		body = packed
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// lost answers whoever looks for a page that is not there with the page itself, which says so in his language.
func (f *Files) lost(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.NotFound(w, r)
		return
	}
	page := f.byPath["index.html"]
	w.Header().Set("Content-Type", page.kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		w.Write(page.plain) // whoever does not read it has gone
	}
}
