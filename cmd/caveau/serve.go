package main

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"caveau/address"
	"caveau/certificate"
	"caveau/crier"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/runner"
	"caveau/metrics"
	"caveau/owner"
	"caveau/push"
	"caveau/server"
	"caveau/store"
	"caveau/web"
)

// A serving is what the flags of caveau serve say.
type serving struct {
	addr, db, publicURL string
	bus                 string // an address; "" where the house has one node
	node                string // by which pages may ask for this one; "" if they do not
	keyFile             string
	tlsCert, tlsKey     string
	certificate         *certificate.Certificate // nil where the house does not speak https itself
	proxies, hosts      string
	machine             string // what this machine calls itself
	untouched, played   time.Duration
	invited             bool
	noLimits            bool
	noPush              bool
	profile             string
	metrics             string // an address; "" for nowhere
	pprof               bool
	watched             *watched
	stdout              io.Writer
	slog                *slog.Logger
	lives               int // how often it has opened
}

func serve(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	s := serving{stdout: stdout, watched: new(watched)}
	s.slog = newLog(stderr, s.watched)
	s.machine, _ = os.Hostname() // a machine without a name has none to be asked for by
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.StringVar(&s.addr, "addr", ":8080", "listen here: `host:port`; without a host, on all interfaces")
	flags.StringVar(&s.db, "db", "caveau.db", "keep everything in this `file`, which is made if it is missing, or in PostgreSQL: postgres://user@host/database")
	flags.StringVar(&s.bus, "bus", "", "be one of several nodes of the house, which have a database in PostgreSQL and a key together and speak over NATS at this `address`: nats://host:4222")
	flags.StringVar(&s.node, "node", "", "the `name` of this node of several, by which a page asks whoever leads it here for the node that has its table: …/ws?node=name")
	flags.StringVar(&s.keyFile, "key", "", "the `file` with the key that signs cookies, for nobody else to read; made if it is missing; that of --db with -key behind it if it is not named, caveau.db-key where that is PostgreSQL")
	flags.StringVar(&s.publicURL, "public-url", "", "the `address` that links and QR codes give, where it is not this machine's own")
	flags.StringVar(&s.tlsCert, "tls-cert", "", "speak https with the certificate in this `file`, and those that vouch for it behind it; it is read again when it is renewed")
	flags.StringVar(&s.tlsKey, "tls-key", "", "the `file` with the key of --tls-cert")
	flags.StringVar(&s.hosts, "host", "", "further `names` by which people ask for the house, with commas; its addresses, localhost, "+
		"names in .local, this machine's own and that of --public-url need not be given")
	flags.StringVar(&s.proxies, "trust-proxy", "", "proxies that say whose request they pass on, in X-Forwarded-For: `addresses` or networks, with commas")
	flags.DurationVar(&s.untouched, "close-open", 30*24*time.Hour, "close a table that has not begun when nobody has come for this `long`")
	flags.DurationVar(&s.played, "keep-played", 0, "delete a game that has been over for this `long`; without it games are kept for ever")
	flags.BoolVar(&s.invited, "invited", false, "let nobody in who has no invitation; without it the owner's page says whether it is so")
	flags.BoolVar(&s.noPush, "no-push", false, "tell nobody that he is waited for whose page is closed, and make no connections to browsers' push services")
	flags.BoolVar(&s.noLimits, "no-limits", false, "for load tests: let everyone ask for as much as he likes, and say at the end what was written")
	flags.StringVar(&s.profile, "profile", "", "for load tests: write to this `file` where the processor's time went")
	flags.StringVar(&s.metrics, "metrics", "", "show numbers for whoever watches over the house at this `address`, as /metrics for Prometheus, and nothing else there; such as 127.0.0.1:9100")
	flags.BoolVar(&s.pprof, "pprof", false, "show profiles of the process there too, as /debug/pprof")
	if code, ok := parse(flags, args, stderr); !ok {
		return code
	}
	if err := s.profiled(ctx, s.run); err != nil {
		fmt.Fprintf(stderr, "caveau serve: %v\n", err)
		return exitFault
	}
	return exitOK
}

// profiled runs the house, and writes where the processor's time went if that is wanted.
func (s serving) profiled(ctx context.Context, run func(context.Context) error) error {
	if s.profile == "" {
		return run(ctx)
	}
	f, err := os.OpenFile(s.profile, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	err = run(ctx)
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

// run opens the house, until ctx ends. One of several nodes that has had to close opens anew: all have, where the database was away for longer than their leases.
func (s *serving) run(ctx context.Context) error {
	for pause := time.Second; ; pause = min(2*pause, 15*time.Second) {
		lives := s.lives
		err := s.live(ctx)
		switch {
		case err == nil || ctx.Err() != nil || s.bus == "" || s.lives == 0:
			return err
		case s.lives > lives && !errors.Is(err, errDeaf): // one that the bus reaches, and nobody there, would have all others in doubt most of the time
			pause = time.Second
		}
		s.slog.Error("this node is closed, and opens anew as soon as it can", "err", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
	}
}

// live opens the house, and closes it in the other order when ctx ends, or it has to: nobody is told what the log does not have.
func (s *serving) live(ctx context.Context) error {
	proxies, err := address.ParseProxies(s.proxies)
	if err != nil {
		return fmt.Errorf("--trust-proxy: %w", err)
	}
	if s.tlsCert != "" || s.tlsKey != "" {
		if s.certificate, err = certificate.Read(s.tlsCert, s.tlsKey, s.slog); err != nil {
			return fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
	}
	log, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer log.Close()
	if s.noLimits {
		defer func() { fmt.Fprintln(s.stdout, written(log.Counts())) }()
	}
	keys, err := s.keys(ctx, log)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return fmt.Errorf("%w; give another address with --addr", err)
	}
	defer listener.Close()
	way, others, hangUp, err := s.dial()
	if err != nil {
		return err
	}
	defer hangUp()
	house := lobby.Config{Log: timedLog{log, &s.watched.writes}, Shelf: shelf, Bus: way, Clock: runner.Wall{}, Rand: chance, Slog: s.slog, Untouched: s.untouched, KeepPlayed: s.played}
	house.Deeds, house.Node = log.Deeds()
	if !s.noLimits {
		house.Tables = limit.NewPlaces(mostTables, tablePart)
	}
	origin := s.origin(listener)
	sender := push.New(push.Config{Secrets: keys, Origin: origin, Random: crand.Reader, Now: time.Now})
	defer sender.Close()
	callers := crier.New(crier.Config{Keeper: log, Send: sender.Send, Games: shelf.Games(), Slog: s.slog})
	defer callers.Close()
	if !s.noPush {
		house.Call = callers.Call
	}
	tables, err := lobby.Open(ctx, house)
	if err != nil {
		return err
	}
	defer tables.Close()
	callers.Go(tables, tables.Clock())
	config := server.Config{
		Lobby: tables, Keeper: log, Secret: keys[0], Older: keys[1:], Origin: origin, Push: sender.Key(), Random: crand.Reader, Slog: s.slog, Version: version(), Proxies: proxies,
		Hosts: append(words(s.hosts), s.machine), Others: others,
		Ready: func(ctx context.Context) error {
			_, err := log.Entries(ctx, "readyz", 0)
			return cmp.Or(lost(tables), err, log.Trouble())
		},
	}
	if s.noLimits {
		config.Limits, config.Others = server.NoLimits, nil
	}
	if s.noPush {
		config.Push = nil
	}
	var door *server.Server
	config.Owner, err = owner.New(ctx, owner.Config{
		Secret: keys[0], Older: keys[1:], Notes: log, Lobby: tables, Now: tables.Clock().Now, Wall: time.Now, Random: crand.Reader, Origin: config.Origin, Invited: s.invited,
		TurnOut: func(ctx context.Context, guest string) error { return door.TurnOut(ctx, guest) },
		Sockets: func() int { return door.Sockets() }, Version: config.Version, Slog: s.slog,
	})
	if err != nil {
		return err
	}
	client, built := web.Dist()
	if built {
		config.Client = client
	}
	if door, err = server.New(config); err != nil {
		return fmt.Errorf("--public-url: %w", err)
	}
	defer door.Close()
	numbers, unwatch, err := s.watch(func() *metrics.Page { return s.watched.page(log, tables, door) })
	if err != nil {
		return err
	}
	defer unwatch()
	if err := s.checkArchive(ctx, log, tables); err != nil { // last: a house that cannot open says why, and nothing else
		return err
	}
	if s.lives++; s.lives > 1 {
		s.slog.Info("this node is open again")
	} else {
		s.addr = listener.Addr().String()
		s.welcome(listener, config.Origin, numbers, built)
	}
	return s.listen(ctx, listener, door, tables)
}

// A house has places for so many tables whose games are not over, and nobody may have more than a hundredth of those that are
// free: two hundred at one address of a house that is empty, twenty of one guest.
const (
	mostTables = 20_000
	tablePart  = 100
)

// written says what a log has written.
func written(c store.Counts) string {
	return fmt.Sprintf("%d entries in %d commits, %.1f in each", c.Entries, c.Commits, float64(c.Entries)/float64(max(1, c.Commits)))
}

// words are those of a list with commas between them.
func words(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
}

// checkArchive replays the finished games if the program that did so last was another.
func (s serving) checkArchive(ctx context.Context, log *store.Store, tables *lobby.Lobby) error {
	last, err := log.Note(ctx, replayedBy)
	if err != nil || last == program() {
		return err
	}
	tables.CheckArchive(func() {
		is := func(string) (string, error) { return program(), nil }
		if err := log.Change(context.WithoutCancel(ctx), replayedBy, is); err != nil {
			s.slog.Error("it cannot be noted that the archive was replayed; the next start replays it again", "err", err)
		}
	})
	return nil
}

// replayedBy is the note that names the program which replayed the archive last.
const replayedBy = "archive replayed by"

// program is this one: its version, and the revision of every game's rules.
func program() string {
	words := []string{version()}
	for _, info := range shelf.Games() {
		words = append(words, fmt.Sprintf("%s/%d", info.Name, info.Revision))
	}
	return strings.Join(words, " ")
}

// listen answers until ctx ends, or the node has lost its lease, or the others: then it hangs up.
func (s serving) listen(ctx context.Context, listener net.Listener, door *server.Server, tables *lobby.Lobby) error {
	h := &http.Server{
		Handler: door, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		// Who never reads what he asked for is not waited for. Sockets have no such end: they watch over themselves.
		WriteTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(s.slog.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	if s.certificate != nil {
		listener = tls.NewListener(listener, s.certificate.Config())
	}
	go func() { ended <- h.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-tables.Ended():
		door.Close()
	case <-tables.Deaf():
		tables.Close() // first: whoever plays there is at another node soon, which asks in vain until they are given back
		door.Close()
	case <-ctx.Done():
		s.slog.Info("closing; every table goes on from here at the next start, or at the other nodes")
	}
	why := lost(tables)
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := h.Shutdown(patience)
	if h.Close(); err != nil && !errors.Is(err, context.DeadlineExceeded) { // what is slow ends with the node
		return err
	}
	<-ended
	return why
}

// welcome says where the house is.
func (s serving) welcome(listener net.Listener, origin, numbers string, built bool) {
	here := s.scheme() + "://" + net.JoinHostPort("localhost", port(listener))
	fmt.Fprintf(s.stdout, "Caveau is open:\n  on this machine     %s\n", here)
	if origin != here {
		fmt.Fprintf(s.stdout, "  from other devices  %s\n", origin)
	}
	if numbers != "" {
		fmt.Fprintf(s.stdout, "  its numbers         %s\n", numbers)
	}
	if !built {
		fmt.Fprintln(s.stdout, "The page has not been built: run make build, and start again.")
	}
}

// chance is a new source that nobody can guess: 256 bits of seed, more than there are deals of any game here.
func chance() *rand.Rand {
	var seed [32]byte
	crand.Read(seed[:]) // it never fails: it ends the process sooner
	return rand.New(rand.NewChaCha8(seed))
}
