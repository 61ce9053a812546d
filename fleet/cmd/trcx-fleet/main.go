// Command trcx-fleet sums up the traces of many JVMs on Apache Beam: on this machine, or on Flink, Spark or Dataflow.
//
//	main.go    the process: commands and exit statuses
//	worker.go  the process as a worker of Beam
//	flags.go   flags before and after arguments
//	run.go     trcx-fleet run
//	answer.go  trcx-fleet stats, diff and report, which read the rows of a run
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
)

// The exit statuses, as those of trcx.
const (
	exitDone     = 0
	exitFindings = 1 // files are dead or partial, or a threshold is exceeded
	exitUsage    = 2
	exitIO       = 3
)

var (
	// errFindings makes the exit status exitFindings; what was found has been printed.
	errFindings = errors.New("findings")
	// errHelp is returned after the help was printed.
	errHelp = errors.New("help")
)

// usageError is the error for a wrong command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, arguments ...any) error {
	return &usageError{fmt.Sprintf(format, arguments...)}
}

// linkedVersion is set by the linker.
var linkedVersion string

// version returns the version of this program.
func version() string {
	if linkedVersion != "" {
		return linkedVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "(unknown)"
}

func main() {
	if isWorker(os.Args[1:]) {
		os.Exit(worker(os.Args[1:], os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once: it may wait for a file
	os.Exit(Main(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const help = `trcx-fleet sums up the traces of many JVMs.

Usage:
   trcx-fleet run INPUT… -o FOLDER     sums up traces in a folder
   trcx-fleet stats FOLDER             the sums of a run: classes, places, deadlocks, outliers, findings
   trcx-fleet diff FOLDER              what became slower from one part of the traces to another
   trcx-fleet report FOLDER -o FILE    the sums of a run as a page
   trcx-fleet schema                   the JSON Schema of rows
   trcx-fleet version                  the version

trcx-fleet COMMAND --help shows the flags of a command.
`

// Main runs the command line, and returns the exit status.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := dispatch(ctx, args, stdout, stderr)
	var wrong *usageError
	switch {
	case err == nil || errors.Is(err, errHelp):
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "trcx-fleet: %v\n", err)
		return exitUsage
	case errors.Is(err, storage.ErrNoMatch):
		fmt.Fprintf(stderr, "trcx-fleet: %v; put patterns in quotes, so that the shell does not change them\n", err)
		return exitIO
	}
	fmt.Fprintf(stderr, "trcx-fleet: %v\n", err)
	return exitIO
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return usage("name a command: run, stats, diff, report, schema or version; trcx-fleet --help shows them")
	}
	switch command, rest := args[0], args[1:]; command {
	case "run":
		return run(ctx, rest, stdout, stderr)
	case "stats":
		return stats(ctx, rest, stdout)
	case "diff":
		return compare(ctx, rest, stdout)
	case "report":
		return report(ctx, rest, stdout)
	case "version":
		_, err := fmt.Fprintf(stdout, "trcx-fleet %s\n", version())
		return err
	case "schema":
		_, err := io.WriteString(stdout, rows.Schema())
		return err
	case "help", "--help", "-h", "-help":
		_, err := io.WriteString(stdout, help)
		return errors.Join(err, errHelp)
	default:
		return usage("unknown command %q: want run, stats, diff, report, schema or version", command)
	}
}
