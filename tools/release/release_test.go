package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"time"
)

var (
	at    = time.Unix(1_700_000_000, 0).UTC()
	files = []file{{"caveau", 0o755, []byte("the program")}, {"LICENSE", 0o644, []byte("its terms")}}
)

// An archive says nothing but what is in it: no moment at which it was made, and nobody who made it.
func TestTarSaysNothingElse(t *testing.T) {
	archive, err := packTar("caveau-1", at, files)
	if err != nil {
		t.Fatal(err)
	}
	squeezed, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	if !squeezed.ModTime.IsZero() || squeezed.Name != "" {
		t.Errorf("it was squeezed at %v as %q", squeezed.ModTime, squeezed.Name)
	}
	r := tar.NewReader(squeezed)
	for _, want := range files {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(data, want.data) || h.Name != "caveau-1/"+want.name || h.FileInfo().Mode() != want.mode {
			t.Errorf("%s of %v: %q, %v", h.Name, h.FileInfo().Mode(), data, err)
		}
		if !h.ModTime.Equal(at) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" || !h.AccessTime.IsZero() || len(h.PAXRecords) > 0 {
			t.Errorf("%s says more: %+v", h.Name, h)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("behind the last file: %v", err)
	}
}

func TestZipSaysNothingElse(t *testing.T) {
	archive, err := packZip("caveau-1", at, files)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.File) != len(files) || r.Comment != "" {
		t.Fatalf("%d files, %q", len(r.File), r.Comment)
	}
	for i, f := range r.File {
		into, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(into)
		if err != nil || !bytes.Equal(data, files[i].data) || f.Name != "caveau-1/"+files[i].name || f.Mode() != files[i].mode || !f.Modified.Equal(at) {
			t.Errorf("%s of %v at %v: %q, %v", f.Name, f.Mode(), f.Modified, data, err)
		}
	}
}

// Nothing is given away whose terms are not given along.
func TestTermsAreNeeded(t *testing.T) {
	var text bytes.Buffer
	if err := addTerms(&text, "somebody's", t.TempDir()); err == nil {
		t.Error("what has no terms is given away")
	}
	if err := addTerms(&text, "ours", "../.."); err != nil || !strings.Contains(text.String(), "Apache License") {
		t.Errorf("%v\n%s", err, text.String())
	}
}
