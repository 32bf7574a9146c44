//go:build unix

// Cluster runs a house of several nodes on this machine until it is interrupted: `make cluster`.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"caveau/cluster"
)

func main() {
	config := cluster.Config{Log: os.Stderr}
	flag.StringVar(&config.Caveau, "caveau", "bin/caveau", "the `program`")
	flag.StringVar(&config.Addr, "addr", ":8080", "where the proxy listens: `host:port`")
	flag.IntVar(&config.Nodes, "nodes", 3, "how many nodes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, config)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, config cluster.Config) error {
	c, err := cluster.Start(ctx, config)
	if err != nil {
		return err
	}
	defer c.Close()
	fmt.Printf("A house of %d nodes is open:\n  %s\n", len(c.Nodes), c.URL())
	for _, n := range c.Nodes {
		fmt.Printf("  node %d  %-21s  kill -9 %d  (it begins again, and whoever plays there goes on at another)\n", n.Number, n.Addr(), n.Pid())
	}
	fmt.Println("Ctrl-C ends it.")
	<-ctx.Done()
	return nil
}
