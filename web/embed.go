// Package web holds the built client, so that the house is one file.
package web

import (
	"embed"
	"io/fs"
)

// A clean clone has only dist/.keep, so that the house builds before its client is built.
//
//go:embed all:dist
var files embed.FS

// Dist is the built client; false where it was not built.
func Dist() (fs.FS, bool) {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		return nil, false
	}
	_, err = fs.Stat(dist, "index.html")
	return dist, err == nil
}
