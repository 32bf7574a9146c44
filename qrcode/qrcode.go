// Package qrcode draws links for phones to read.
package qrcode

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// SVG is the QR code of a text as a picture.
func SVG(text string) (string, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", err
	}
	return draw(code), nil
}

// draw draws the code as one path of horizontal bars, with the four modules of quiet around it that readers need.
func draw(code *qr.Code) string {
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+4, y+4, x-from, x-from)
			}
		}
	}
	size := code.Size + 8
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<rect width="%d" height="%d" fill="#fff"/><path d="%s"/></svg>`, size, size, size, size, path.String())
}
