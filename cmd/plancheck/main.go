// Plancheck judges pipeline plans by rules, proves every violation, and completes
// plans.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"plancheck/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first interrupt asks, the second one ends the process.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Main(ctx, os.Args[1:], cli.OS()))
}
