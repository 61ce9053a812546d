package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/sanitize"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFindings    = 1   // the input has errors
	exitUsage       = 2   // wrong usage
	exitFailed      = 3   // an input or output could not be read or written, or is of no known format
	exitInterrupted = 130 // by the user
)

// errFindings is the error for an input that was read but has errors, which have been said.
var errFindings = errors.New("the input has errors")

// errUnread is the error for inputs that could not be read, which has been said.
var errUnread = errors.New("an input could not be read")

// usageError is the error for a command line that means nothing.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usage(format string, arguments ...any) error {
	return &usageError{fmt.Sprintf(format, arguments...)}
}

// environment is what a command works with.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	mu      sync.Mutex
	results []*outputFile   // the files that are being written
	pass    func(os.Signal) // takes the signals that would interrupt the command, if not nil
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	env := &environment{stdin: stdin, stdout: stdout, stderr: stderr}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, interrupting...)
	defer signal.Stop(signals)
	go env.heed(signals, interrupt)
	done := make(chan error, 1)
	go func() { done <- env.run(ctx, args) }()
	select {
	case err := <-done:
		return env.exit(ctx, err)
	case <-ctx.Done():
		signal.Stop(signals) // from here on a second signal ends the program at once
	}
	select {
	case <-done:
	case <-time.After(patience): // it waits for an input that does not come
		env.abandon()
	}
	return env.exit(ctx, context.Canceled)
}

// interrupting are the signals that end a command.
var interrupting = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// heed interrupts the command when a signal comes, unless the command takes it itself.
func (env *environment) heed(signals <-chan os.Signal, interrupt func()) {
	for received := range signals {
		env.mu.Lock()
		pass := env.pass
		env.mu.Unlock()
		if pass == nil {
			interrupt()
			return
		}
		pass(received)
	}
}

// takeSignals has the command get the signals that would interrupt it.
func (env *environment) takeSignals(pass func(os.Signal)) {
	env.mu.Lock()
	defer env.mu.Unlock()
	env.pass = pass
}

// patience is how long a command may take to end after it was interrupted.
const patience = 300 * time.Millisecond

func (env *environment) run(ctx context.Context, args []string) error {
	app := newApp(env)
	args, err := orderArguments(app, args)
	if err != nil {
		return err
	}
	return app.RunContext(ctx, args)
}

// abandon drops the result of a command that cannot be waited for.
func (env *environment) abandon() {
	env.mu.Lock()
	defer env.mu.Unlock()
	for _, result := range env.results {
		result.discard()
	}
}

// exit says what went wrong, and returns the status for it.
func (env *environment) exit(ctx context.Context, err error) int {
	var wrong *usageError
	var program programExit
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errUnread):
		return exitFailed
	case errors.As(err, &program):
		return int(program)
	case errors.As(err, &wrong):
		fmt.Fprintf(env.stderr, "trcx: %s\n", sanitize.Text(wrong.message))
		return exitUsage
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(env.stderr, "trcx: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(env.stderr, "trcx: %s\n", sanitize.Text(err.Error()))
	return exitFailed
}

// commands are those of trcx, in the order in which the help lists them.
func commands(env *environment) []*cli.Command {
	return []*cli.Command{
		convertCommand(env),
		validateCommand(env),
		statsCommand(env),
		pathCommand(env),
		deadlocksCommand(env),
		diffCommand(env),
		queryCommand(env),
		reportCommand(env),
		serveCommand(env),
		recordCommand(env),
		attachCommand(env),
		detachCommand(env),
		dtdCommand(env),
		schemaCommand(env),
		listenCommand(env),
		completionCommand(env),
		manCommand(env),
		versionCommand(env),
	}
}

func newApp(env *environment) *cli.App {
	app := &cli.App{
		Name:        "trcx",
		Usage:       "Java thread and heap traces in the XML of Eclipse TPTP: record, check, analyse, convert",
		UsageText:   "trcx COMMAND [FLAGS] [ARGUMENTS]",
		HideVersion: true,
		Description: `Examples:
   trcx stats app.trcxml                      which locks cost most, who held them, and where
   trcx path app.trcxml                       what the time of the whole run depended on
   trcx deadlocks app.trcxml                  who is deadlocked, and who could be
   trcx report app.trcxml -o app.html         a page that shows it in a browser
   trcx convert app.trcxml -o app.json        the model with all computed interactions
   trcx convert app.trcxml --to jsonl | jq .  the same as a stream of lines
   trcx convert old.zip --to trcxml -o new.trcxml
   trcx validate app.trcxml                   whether its form is right, and whether it can have happened

Exit status: 0 done, 1 the input has errors or a threshold is exceeded, 2 wrong usage, 3 something could not be read or written.`,
		Commands:                  commands(env),
		Reader:                    env.stdin,
		Writer:                    env.stdout,
		ErrWriter:                 env.stderr,
		DisableSliceFlagSeparator: true,
		OnUsageError:              onUsageError,
		ExitErrHandler:            func(*cli.Context, error) {},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return noCommand(c.App, c.Args().First())
			}
			return usage("name a command: %s (trcx help says more)", strings.Join(names(c.App.Commands), ", "))
		},
	}
	for _, command := range app.Commands {
		command.OnUsageError = onUsageError
		command.HideHelpCommand = true // or a file could not be named help
	}
	return app
}

func onUsageError(c *cli.Context, err error, _ bool) error {
	if c.Command.Name == "" || c.Command.Name == c.App.Name {
		return usage("%v (trcx help says more)", err)
	}
	return usage("%s: %v (trcx %s --help says more)", c.Command.Name, err, c.Command.Name)
}

func names(commands []*cli.Command) []string {
	var all []string
	for _, command := range commands {
		if !command.Hidden && command.Name != "help" {
			all = append(all, command.Name)
		}
	}
	return all
}

// orderArguments puts the flags of a command before its arguments: urfave/cli stops at the first argument, but users
// write flags anywhere. What follows -- are arguments, and so is a lone -.
func orderArguments(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	switch name := args[1]; {
	case name == "--version" || name == "-version" || name == "-v":
		return []string{args[0], "version"}, nil
	case name == "help" && len(args) > 2 && app.Command(args[2]) == nil:
		return nil, noCommand(app, args[2])
	case app.Command(name) == nil || name == "help":
		return args, nil
	}
	command := app.Command(args[1])
	ordered := []string{args[0], args[1]}
	var arguments []string
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		switch arg := rest[0]; {
		case arg == "--":
			arguments = append(arguments, rest[1:]...)
			rest = rest[:1]
		case arg == "-h" || arg == "-help" || arg == "--help":
			return []string{args[0], args[1], "--help"}, nil
		case command.Name == recordName && !strings.HasPrefix(arg, "-"): // the program; what follows is its own
			arguments = append(arguments, rest...)
			rest = rest[:1]
		case arg == convert.Stdin || !strings.HasPrefix(arg, "-"):
			arguments = append(arguments, arg)
		case !takesValue(command, arg):
			ordered = append(ordered, arg)
		case len(rest) == 1 || rest[1] == "--" || isFlag(command, rest[1]):
			return nil, usage("%s: %s needs a value (trcx %s --help says more)", args[1], arg, args[1])
		default:
			ordered = append(ordered, arg, rest[1])
			rest = rest[1:]
		}
	}
	return append(append(ordered, "--"), arguments...), nil
}

// isFlag says whether the argument is a flag of the command.
func isFlag(command *cli.Command, arg string) bool {
	name, ok := strings.CutPrefix(arg, "-")
	return ok && flagNamed(command, strings.TrimPrefix(name, "-")) != nil
}

// takesValue says whether the flag is followed by its value.
func takesValue(command *cli.Command, arg string) bool {
	flag := flagNamed(command, strings.TrimLeft(arg, "-"))
	_, boolean := flag.(*cli.BoolFlag)
	return flag != nil && !boolean
}

func flagNamed(command *cli.Command, name string) cli.Flag {
	for _, flag := range command.Flags {
		if slices.Contains(flag.Names(), name) {
			return flag
		}
	}
	return nil
}

// noCommand is the error for a command that does not exist.
func noCommand(app *cli.App, name string) error {
	return usage("there is no command %q; trcx has %s (trcx help says more)", name, strings.Join(names(app.Commands),
		", "))
}
