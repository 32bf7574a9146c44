//go:build unix

// Package cluster runs a house of several nodes on this machine, to try it and to see what it bears: PostgreSQL, a bus, nodes that begin again when they end, and a
// proxy before them. Nobody else is let in at the database, and at the bus nobody from elsewhere.
package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"caveau/store/pgserver"
)

// A Config is what a cluster is to be.
type Config struct {
	Caveau string // the program
	Addr   string // of the proxy; "": a free port of this machine's own
	Nodes  int
	More   []string  // flags for each node
	Log    io.Writer // what nodes say
}

// A Cluster is a house of several nodes.
type Cluster struct {
	Postgres *pgserver.Server
	Proxy    *Proxy
	Nodes    []*Node

	config Config
	dir    string // everything is kept here, and goes with the cluster
	bus    *server.Server
	at     server.Options // of the bus
	web    *http.Server
	listen net.Listener
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup

	writing sync.Mutex // one line of the log at a time
}

// password is no secret: who may read the folder with the socket in it owns the cluster.
const password = "cluster"

// Start starts a cluster, and returns when all nodes are open. Close it in the end.
func Start(ctx context.Context, config Config) (*Cluster, error) {
	c := &Cluster{config: config}
	c.ctx, c.stop = context.WithCancel(ctx)
	if err := c.start(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) start() (err error) {
	config := &c.config
	if c.dir, err = os.MkdirTemp("", "caveau-cluster-"); err != nil {
		return err
	}
	database := filepath.Join(c.dir, "postgres")
	if err = os.MkdirAll(database, 0o700); err != nil {
		return err
	}
	if err = os.Chmod(c.dir, 0o711); err != nil { // where we are root the database is somebody else's
		return err
	}
	if c.Postgres, err = pgserver.Make(database, password, "max_connections=200"); err != nil {
		return err
	}
	if err = c.Postgres.Begin(); err != nil {
		return err
	}
	c.at = server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true}
	if err = c.BeginBus(); err != nil {
		return err
	}
	c.at.Port = c.bus.Addr().(*net.TCPAddr).Port // where the nodes look for it, whenever it begins again
	if config.Addr == "" {
		config.Addr = "127.0.0.1:0"
	}
	if c.listen, err = net.Listen("tcp", config.Addr); err != nil {
		return err
	}
	var addrs []string
	for i := range config.Nodes {
		n := &Node{cluster: c, Number: i + 1, runs: config.Caveau, addr: "127.0.0.1:0"}
		c.Nodes = append(c.Nodes, n)
		if err = n.connect(); err != nil {
			return err
		}
		if err = n.begin(); err != nil {
			return err
		}
		addrs = append(addrs, n.Addr())
		c.work.Go(n.keep)
	}
	c.Proxy = NewProxy(c.ctx, addrs...)
	c.web = &http.Server{Handler: c.Proxy, ReadHeaderTimeout: 10 * time.Second}
	c.work.Go(func() { c.web.Serve(c.listen) })
	return c.ready()
}

// openTime is how long a node may take to open.
const openTime = 30 * time.Second

// ready waits until the proxy knows every node.
func (c *Cluster) ready() error {
	for began := time.Now(); len(c.Proxy.Ready()) < len(c.Nodes); time.Sleep(20 * time.Millisecond) {
		if c.ctx.Err() != nil || time.Since(began) > openTime {
			return errors.New("a node is not ready; its log says why")
		}
	}
	return nil
}

// URL is the proxy's address.
func (c *Cluster) URL() string {
	_, port, _ := net.SplitHostPort(c.listen.Addr().String())
	return "http://localhost:" + port
}

// EndBus ends the bus, and BeginBus begins it again at the same address.
func (c *Cluster) EndBus() {
	c.bus.Shutdown()
	c.bus.WaitForShutdown()
}

func (c *Cluster) BeginBus() (err error) {
	options := c.at
	if c.bus, err = server.NewServer(&options); err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	go c.bus.Start()
	if !c.bus.ReadyForConnections(openTime) {
		return errors.New("NATS does not answer")
	}
	return nil
}

// Close ends all of it, the nodes first, and nothing of it stays.
func (c *Cluster) Close() {
	c.stop()
	if c.web != nil {
		c.web.Close()
	}
	for _, n := range c.Nodes {
		n.Signal(syscall.SIGCONT)
		n.Signal(syscall.SIGTERM)
	}
	c.work.Wait()
	for _, n := range c.Nodes {
		for _, l := range n.lines {
			l.close()
		}
	}
	if c.bus != nil {
		c.EndBus()
	}
	if c.Postgres != nil {
		c.Postgres.End(syscall.SIGINT)
	}
	if c.dir != "" {
		os.RemoveAll(c.dir)
	}
}

// A Node is a process of the house. One that ends begins again a second later, as a unit file would have it.
type Node struct {
	cluster *Cluster
	Number  int
	lines   []*line // to the database and to the bus

	mu    sync.Mutex
	runs  string // the program
	addr  string // once it has opened it opens there again
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has
}

const againTime = time.Second

// Addr is where the node listens, and Pid is its process's number.
func (n *Node) Addr() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.addr
}
func (n *Node) Pid() int { return n.process().Process.Pid }

func (n *Node) process() *exec.Cmd {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cmd
}

// Become has the node be another program from when it begins again.
func (n *Node) Become(caveau string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.runs = caveau
}

// Signal sends the process a signal. One that is killed begins again.
func (n *Node) Signal(s os.Signal) error {
	if cmd := n.process(); cmd != nil {
		return cmd.Process.Signal(s)
	}
	return nil
}

// connect lays lines of the node's own to the database and the bus.
func (n *Node) connect() error {
	dir := n.dir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	const socket = ".s.PGSQL.5432"
	for _, way := range [][3]string{
		{"unix", filepath.Join(dir, socket), filepath.Join(n.cluster.dir, "postgres", socket)},
		{"tcp", "127.0.0.1:0", net.JoinHostPort(n.cluster.at.Host, fmt.Sprint(n.cluster.at.Port))},
	} {
		l, err := newLine(way[0], way[1], way[2])
		if err != nil {
			return err
		}
		n.lines = append(n.lines, l)
	}
	return nil
}

func (n *Node) dir() string { return filepath.Join(n.cluster.dir, fmt.Sprint("node", n.Number)) }

// CutOff has nothing come through between the node and the others, or all of it again; CutOffBus, nothing by the bus.
func (n *Node) CutOff(so bool) {
	for _, l := range n.lines {
		l.hold(so)
	}
}
func (n *Node) CutOffBus(so bool) { n.lines[1].hold(so) }

// begin starts the process, and returns once it is open.
func (n *Node) begin() error {
	c := n.cluster
	_, port, _ := net.SplitHostPort(c.listen.Addr().String())
	n.mu.Lock()
	runs := n.runs
	n.mu.Unlock()
	cmd := exec.Command(runs, append([]string{
		"serve", "--addr", n.Addr(), "--db", c.Postgres.At(n.dir(), "postgres", ""), "--bus", "nats://" + n.lines[1].Addr().String(),
		"--node", fmt.Sprint(n.Number), "--key", filepath.Join(c.dir, "key"), "--trust-proxy", "127.0.0.1", "--public-url", "http://localhost:" + port,
	}, c.config.More...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // whoever stops us by a key stops it by our word
	if c.config.Log != nil {
		cmd.Stderr = &prefixed{of: c, prefix: fmt.Sprintf("node %d: ", n.Number)}
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	ended, open := make(chan struct{}), make(chan string, 1)
	n.mu.Lock()
	n.cmd, n.ended = cmd, ended
	n.mu.Unlock()
	if c.ctx.Err() != nil { // Close has seen the process before this one
		cmd.Process.Signal(syscall.SIGTERM)
	}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if _, at, is := strings.Cut(lines.Text(), "on this machine"); is {
				open <- strings.TrimSpace(at)
			}
		}
		cmd.Wait()
		close(ended)
	}()
	select {
	case at := <-open:
		_, port, err := net.SplitHostPort(strings.TrimPrefix(at, "http://"))
		n.mu.Lock()
		n.addr = net.JoinHostPort("127.0.0.1", port)
		n.mu.Unlock()
		return err
	case <-ended:
	case <-time.After(openTime):
	}
	return fmt.Errorf("node %d does not open; its log says why", n.Number)
}

// keep begins the process again whenever it has ended, until the cluster ends.
func (n *Node) keep() {
	for n.cluster.ctx.Err() == nil {
		n.mu.Lock()
		ended := n.ended
		n.mu.Unlock()
		<-ended
		select {
		case <-time.After(againTime):
			n.begin() // where it does not open it says why itself, and begins again all the same
		case <-n.cluster.ctx.Done():
		}
	}
	<-n.ended
}

// A prefixed writes what somebody says with his name before each line.
type prefixed struct {
	of     *Cluster
	prefix string
	line   []byte
}

func (p *prefixed) Write(text []byte) (int, error) {
	p.of.writing.Lock()
	defer p.of.writing.Unlock()
	for _, b := range text {
		if len(p.line) == 0 {
			p.line = append(p.line, p.prefix...)
		}
		if p.line = append(p.line, b); b == '\n' {
			p.of.config.Log.Write(p.line)
			p.line = p.line[:0]
		}
	}
	return len(text), nil
}
