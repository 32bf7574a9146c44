package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// health asks a house whether it is well, for whoever watches over it and can run a program, but has none that asks over HTTP.
func health(ctx context.Context, args []string, _ io.Reader, _, stderr io.Writer) int {
	flags := flag.NewFlagSet("health", flag.ContinueOnError)
	url := flags.String("url", "http://127.0.0.1:8080", "ask the house at this `address`")
	if code, ok := parse(flags, args, stderr); !ok {
		return code
	}
	if err := isWell(ctx, strings.TrimSuffix(*url, "/")+"/readyz"); err != nil {
		fmt.Fprintf(stderr, "caveau health: %v\n", err)
		return exitFault
	}
	return exitOK
}

func isWell(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("--url: %w; it begins with http:// or https://", err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is answered %s; why stands in the log of the house", url, res.Status)
	}
	return nil
}
