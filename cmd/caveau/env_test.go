package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// A program that learns says lines and hears lines; what breaks off ends with 1, what is not understood with 2; and whoever interrupts it need not
// end its input first.
func TestEnv(t *testing.T) {
	for _, x := range []struct {
		args        []string
		stdin       string
		code        int
		says, warns string
	}{
		{nil, `{"do":"make","game":"toc-toc-toc","players":3}` + "\n" + `{"do":"observe","n":0,"seat":"A"}`, exitOK, `{"ok":true,"sight":{"game":0,"you":"A"`, ""},
		{nil, "", exitOK, "", ""},
		{nil, "\x00\x01", exitFault, "", "caveau env: a packed message breaks off"},
		{[]string{"chess"}, "", exitUsage, "", "not understood"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"env"}, x.args...), strings.NewReader(x.stdin), &stdout, &stderr)
		if code != x.code || !strings.Contains(stdout.String(), x.says) || !strings.Contains(stderr.String(), x.warns) {
			t.Errorf("caveau env %v, told %q: %d, %.300s, %s", x.args, x.stdin, code, stdout.String(), stderr.String())
		}
	}
	ctx, interrupt := context.WithCancel(t.Context())
	waits, end := io.Pipe()
	defer end.Close()
	interrupt()
	if code := run(ctx, []string{"env"}, waits, io.Discard, io.Discard); code != exitOK {
		t.Errorf("interrupted it ends with %d", code)
	}
}
