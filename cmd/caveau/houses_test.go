package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// beABus makes this process a NATS server, which says its own address and that of what it counts, until it is asked to end.
func beABus() {
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, HTTPHost: "127.0.0.1", HTTPPort: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFault)
	}
	bus.Start()
	if !bus.ReadyForConnections(10 * time.Second) {
		os.Exit(exitFault)
	}
	fmt.Printf("%s http://%s/varz\n", bus.ClientURL(), bus.MonitorAddr())
	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM)
	<-end
	os.Exit(exitOK)
}
