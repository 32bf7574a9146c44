//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"caveau/bot"
	"caveau/load"
	"caveau/metrics/metricstest"
)

// The figures of docs/performance.md that are not of moves: make figures. Each has its yardstick beside it, of the same run.

// BenchmarkStart: from the beginning of the process until it says that it is open, with a hundred thousand games that are over and that this
// version has not replayed yet; the yardstick is a house without any.
func BenchmarkStart(b *testing.B) {
	full, empty := newProcess(b), newProcess(b)
	full.keeps(100_000, wholeGame)
	var took, least []time.Duration
	for b.Loop() {
		took, least = append(took, full.opens()), append(least, empty.opens())
	}
	reportTimes(b, took, least)
}

// opens is how long the server takes to open.
func (p *process) opens() time.Duration {
	began := time.Now()
	p.start()
	defer p.kill()
	return time.Since(began)
}

// BenchmarkResume: from the beginning of the process until a thousand tables are awake again that were in the middle of their games; the
// yardstick reads their logs out of the same file.
func BenchmarkResume(b *testing.B) {
	p := newProcess(b)
	p.keeps(1_000, 10)
	at := freeAddr(b)
	p.more = []string{"--metrics", at}
	var took, least []time.Duration
	for b.Loop() {
		least = append(least, p.reads())
		began := time.Now()
		p.start()
		for p.running(at) < 1_000 {
			patience()
		}
		took = append(took, time.Since(began))
		p.kill()
	}
	reportTimes(b, took, least)
}

// running is how many tables are awake whose games go on.
func (p *process) running(at string) float64 {
	_, text := ask(p.t, "http://"+at+"/metrics", "")
	all, err := metricstest.Read(text)
	if err != nil {
		p.t.Fatal(err)
	}
	return all[`caveau_tables{state="running"}`]
}

// reads is how long it takes to read what stands in the logs.
func (p *process) reads() time.Duration {
	db := p.database()
	defer db.Close()
	began := time.Now()
	rows, err := db.Query("SELECT data FROM entries ORDER BY match, seq")
	if err != nil {
		p.t.Fatal(err)
	}
	defer rows.Close()
	for data := (sql.RawBytes)(nil); rows.Next(); {
		if err := rows.Scan(&data); err != nil {
			p.t.Fatal(err)
		}
	}
	return time.Since(began)
}

func (p *process) database() *sql.DB {
	db, err := sql.Open("sqlite", p.db)
	if err != nil {
		p.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// keeps has so many tables at the server, which does not run then: one at which somebody made so many moves, and copies of it.
func (p *process) keeps(tables, moves int) {
	p.start()
	k := newKeeper(p.t, "http://"+p.addr, "Ana")
	if err := k.play(p.t.Context(), moves); err != nil {
		p.t.Fatal(err)
	}
	p.kill()
	db := p.database()
	defer db.Close()
	for _, text := range []string{
		"PRAGMA synchronous = OFF",
		`INSERT INTO matches (id, created, due, since)
			WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ` + strconv.Itoa(tables) + `)
			SELECT 'copy' || i, created, due, since FROM n, matches`,
		`INSERT INTO entries (match, seq, at, data, over)
			SELECT key, seq, at, data, over FROM matches CROSS JOIN entries WHERE match = 1 AND key > 1`,
		"PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if _, err := db.Exec(text); err != nil {
			p.t.Fatal(err)
		}
	}
}

// BenchmarkThinkers: from a move at one table until another there is told of it, in a house on one processor, while at twenty other tables four
// of the bots that think longest play against each other; the yardstick is the same house without these. Times are in milliseconds.
func BenchmarkThinkers(b *testing.B) {
	for b.Loop() {
		alone, among := toldAfter(b, 0), toldAfter(b, 20)
		b.ReportMetric(percentile(among, 50), "p50-ms")
		b.ReportMetric(percentile(among, 99), "p99-ms")
		b.ReportMetric(percentile(alone, 99), "yardstick-p99-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// percentile of times, in milliseconds.
func percentile(times []time.Duration, p int) float64 {
	slices.Sort(times)
	return float64(times[(len(times)-1)*p/100].Microseconds()) / 1000
}

// toldAfter is how long moves took to be told, two hundred of them and ten a second, while bots think at so many tables.
func toldAfter(b *testing.B, tables int) (times []time.Duration) {
	ctx, p := b.Context(), newProcess(b)
	p.env, p.more = append(p.env, "GOMAXPROCS=1"), append(p.more, "--no-limits")
	p.start()
	defer p.kill()
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	var people [2]*client
	for i := range people {
		c, err := newClient(ctx, "http://"+p.addr, fmt.Sprint("Player ", i))
		must(err)
		must(c.dial(ctx))
		defer c.hangUp()
		people[i] = c
	}
	ana, ben := people[0], people[1]
	var f frame
	do := func(c *client, what, table string, more ...string) {
		command := map[string]any{"id": c.id(), "do": what, "table": table}
		if more != nil {
			command[more[0]] = more[1]
		}
		must(c.say(ctx, &f, command))
	}
	thinker := "remembering:" + bot.Levels[len(bot.Levels)-1].Name
	for range tables {
		table, err := ana.makeTable(ctx, map[string]any{"game": "dawn-under", "seats": 4, "bots": slices.Repeat([]string{thinker}, 4), "botTime": []int{0, 0}})
		must(err)
		do(ana, "start", table)
	}
	table, err := ana.makeTable(ctx, map[string]any{"game": "dawn-under", "seats": 2, "sit": true})
	must(err)
	do(ana, "watch", table)
	do(ben, "watch", table)
	do(ben, "sit", table, "seat", "B")
	do(ana, "start", table)
	for turn := time.NewTicker(100 * time.Millisecond); len(times) < 200; <-turn.C {
		for ana.told.Turn == "" || ana.told.Seq != ben.told.Seq {
			behind := ana
			if ben.told.Seq < ana.told.Seq {
				behind = ben
			}
			_, err := behind.read(ctx)
			must(err)
		}
		if ana.told.State == "over" {
			break
		}
		mover, other := ana, ben
		if ana.told.Turn == "B" {
			mover, other = ben, ana
		}
		began, seq := time.Now(), mover.told.Seq
		must(mover.say(ctx, &f, map[string]any{
			"id": mover.id(), "do": "play", "table": table, "seat": mover.told.Turn, "seq": seq, "move": mover.told.Moves[len(mover.told.Moves)-1],
		}))
		for other.told.Seq <= seq {
			_, err := other.read(ctx)
			must(err)
		}
		times = append(times, time.Since(began))
	}
	return times
}

func reportTimes(b *testing.B, took, least []time.Duration) {
	slices.Sort(took)
	slices.Sort(least)
	milliseconds := func(d []time.Duration) float64 { return float64(d[len(d)/2].Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op") // of both
	b.ReportMetric(milliseconds(took), "median-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "most-ms")
	b.ReportMetric(milliseconds(least), "yardstick-ms")
}

// BenchmarkIdle: the memory of a server, at most, with fifteen thousand sockets that watch the lobby, while it asks each whether it is still
// there; the yardstick is the bare server of caveau load, with as many.
func BenchmarkIdle(b *testing.B) {
	b.Setenv("CAVEAU_TEST_IS_CAVEAU", "1")
	const sockets = 15_000
	for b.Loop() {
		l := &loading{dir: b.TempDir()}
		house, stopHouse, err := l.startHouse(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(mostMemory(b, house, sockets, "/ws?protocol=3", `{"id":"1","do":"lobby"}`), "MiB")
		_, err1 := stopHouse()
		bare, stopBare, err := l.startBare(b.Context(), sockets+1, 1000)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(mostMemory(b, bare, sockets, "/?table=idle&seat=%d", ""), "yardstick-MiB")
		if _, err2 := stopBare(); err1 != nil || err2 != nil {
			b.Fatal(err1, err2)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// mostMemory is how many MiB a server had at most while so many sockets were open for longer than it waits before it asks.
func mostMemory(b *testing.B, t load.Target, sockets int, path, say string) float64 {
	ctx, leave := context.WithCancel(b.Context())
	defer leave()
	for i := range sockets {
		url := t.URL + path
		if strings.Contains(path, "%d") {
			url = fmt.Sprintf(t.URL+path, i)
		}
		conn, _, err := websocket.Dial(ctx, url, nil)
		if err == nil && say != "" {
			err = conn.Write(ctx, websocket.MessageText, []byte(say))
		}
		if err != nil {
			b.Fatal(err)
		}
		defer conn.CloseNow()
		go func() {
			for err == nil {
				_, _, err = conn.Read(ctx)
			}
		}()
	}
	time.Sleep(25 * time.Second)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.Process))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kib / 1024
}
