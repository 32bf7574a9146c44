package main

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"caveau/load"
)

// TestMain makes the test binary caveau itself, or a bus, where a test has it started as another process.
func TestMain(m *testing.M) {
	if os.Getenv("CAVEAU_TEST_IS_CAVEAU") != "" {
		endWithThePower()
		main()
	}
	if os.Getenv("CAVEAU_TEST_IS_A_BUS") != "" {
		beABus()
	}
	m.Run()
}

// A short load test of everything: two rounds on a server of its own and on the yardstick.
func TestLoad(t *testing.T) {
	t.Setenv("CAVEAU_TEST_IS_CAVEAU", "1")
	args := []string{"load", "--tables", "2", "--seats", "3", "--rounds", "2", "--warm-up", "0", "--duration", "1m", "--moves", "300", "--bot", "random", "--beside", "2", "--json"}
	if runtime.GOOS == "linux" {
		args = append(args, "--idle", "6")
	}
	code, stdout, stderr := say(t, args...)
	if code != exitOK || stderr != "" {
		t.Fatalf("caveau load: %d, %s", code, stderr)
	}
	var report struct {
		House, Yardstick []load.Round
		Busy             []load.Round
		Memory           *load.Memory
		Said             string
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.House) != 2 || len(report.Yardstick) != 2 || len(report.Busy) != 2 {
		t.Fatalf("the report is %s", stdout)
	}
	size := report.House[0].Bytes / report.House[0].Frames
	for i, r := range append(report.House, report.Yardstick...) {
		// At either end a move of each table may be counted in part, and a table that is over is followed by another.
		if r.Moves < 300 || r.Frames < 3*(r.Moves-2) {
			t.Errorf("round %d: %d frames of %d moves", i, r.Frames, r.Moves)
		}
		if i >= 2 && r.Bytes != size*r.Frames {
			t.Errorf("the yardstick's messages have %d bytes, those of the house %d", r.Bytes/r.Frames, size)
		}
	}
	for i, r := range report.Busy { // the bots' moves are told apart from those of people
		if r.Moves < 300 || r.Frames < 3*(r.Moves-2) || r.Frames > 4*r.Moves || r.Beside == 0 || report.House[i].Beside != 0 {
			t.Errorf("while bots play beside: %d frames of %d moves, and %d beside; without, %d", r.Frames, r.Moves, r.Beside, report.House[i].Beside)
		}
	}
	if !strings.Contains(report.Said, " entries in ") {
		t.Errorf("at its end the server says %q", report.Said)
	}
	if m := report.Memory; runtime.GOOS == "linux" && (m == nil || m.Sockets != 6 || m.Tables != 2) {
		t.Errorf("of the memory is told %+v", m)
	}
}

// What cannot be played is said in one line, with the flag or the server's own words.
func TestLoadRefused(t *testing.T) {
	t.Setenv("CAVEAU_TEST_IS_CAVEAU", "1")
	for _, x := range []struct {
		args []string
		says string
	}{
		{[]string{"--seats", "1"}, "two seats"},
		{[]string{"--game", "chess"}, "400"},
		{[]string{"--beside", "2"}, "a bot for those"},
		{[]string{"--tables", "2", "--bot", "nobody", "--beside", "2", "--warm-up", "0", "--duration", "10ms"}, "400"},
		{[]string{"--url", "http://127.0.0.1:1"}, "refused"},
	} {
		code, stdout, stderr := say(t, append([]string{"load"}, x.args...)...)
		if code != exitFault || stdout != "" || !strings.Contains(stderr, x.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("caveau load %v: %d, %q, %q", x.args, code, stdout, stderr)
		}
	}
}
