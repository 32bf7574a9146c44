// Package progress tells how far something is that takes its time.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Bar draws how much of it is done, from 0 to 1, where somebody looks at a terminal; elsewhere it says nothing.
func Bar(w io.Writer) func(done float64) {
	if !isTerminal(w) {
		return func(float64) {}
	}
	return func(done float64) {
		const width = 40
		n := int(done * width)
		fmt.Fprintf(w, "\r[%s%s] %3.0f %%", strings.Repeat("#", n), strings.Repeat(".", width-n), 100*done)
		if done == 1 {
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}

// Count tells how many of all are done: with a bar where somebody looks at a terminal, elsewhere with a line at each tenth.
func Count(w io.Writer, what string, all int) func(done int) {
	parts, tell := 10, func(done int) { fmt.Fprintf(w, "%d of %d %s\n", done, all, what) }
	if isTerminal(w) {
		bar := Bar(w)
		parts, tell = 100, func(done int) { bar(float64(done) / float64(max(all, 1))) }
	}
	last := -1
	return func(done int) {
		if part := parts * done / max(all, 1); part != last {
			last = part
			tell(done)
		}
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
