// Package static serves the client's files.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Files are the client's files, in memory: they are few, and each is compressed once.
type Files struct{ byPath map[string]file }

type file struct {
	kind     string
	tag      string
	plain    []byte
	squeezed []byte        // by brotli when the client was built; nil where that saves nothing
	packed   func() []byte // by gzip, when it is first asked for; nil where that saves nothing
}

// squeezed is what the build calls a file that brotli has squeezed, after the file's own name.
const squeezed = ".br"

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
	small := map[string][]byte{}
	err := fs.WalkDir(client, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		data, err := fs.ReadFile(client, name)
		if plain, ok := strings.CutSuffix(name, squeezed); ok {
			small[plain] = data
		} else {
			f.byPath[name] = newFile(name, data)
		}
		return err
	})
	for name, data := range small {
		file, ok := f.byPath[name]
		if !ok {
			return f, fmt.Errorf("%s%s is there, and %s is not: build the client again", name, squeezed, name)
		}
		file.squeezed = data
		f.byPath[name] = file
	}
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
	body, coding := file.best(r.Header.Get("Accept-Encoding"))
	if coding != "" {
		h.Set("Content-Encoding", coding)
		h.Set("ETag", strings.TrimSuffix(file.tag, `"`)+"-"+coding+`"`)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// best is the file as small as whoever asks can read it, and by which coding; "" is none.
func (f file) best(accepted string) (body []byte, coding string) {
	if f.squeezed != nil && accepts(accepted, "br") {
		return f.squeezed, "br"
	}
	if accepts(accepted, "gzip") {
		if packed := f.packed(); packed != nil {
			return packed, "gzip"
		}
	}
	return f.plain, ""
}

// accepts tells whether the coding is named and not refused (RFC 9110, 12.5.3). Whoever takes anything gets what needs no coding.
func accepts(header, coding string) bool {
	for one := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(one, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			_, q, _ := strings.Cut(weight, "=")
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return weight == "" || err == nil && n > 0
		}
	}
	return false
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
