package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFindings    = 1   // the input has errors
	exitUsage       = 2   // wrong usage
	exitFailed      = 3   // an input or output could not be read or written, or is of no known format
	exitInterrupted = 130 // by the user
)

// findings is the error for an input that was read but has errors, which have been said.
var errFindings = errors.New("the input has errors")

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
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	env := &environment{stdin, stdout, stderr}
	app := newApp(env)
	err := app.RunContext(ctx, flagsFirst(app, args))
	return env.exit(ctx, err)
}

// exit says what went wrong, and returns the status for it.
func (env *environment) exit(ctx context.Context, err error) int {
	var wrong *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &wrong):
		fmt.Fprintf(env.stderr, "trcx: %s\n", printable(wrong.message))
		return exitUsage
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(env.stderr, "trcx: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(env.stderr, "trcx: %s\n", printable(err.Error()))
	return exitFailed
}

func newApp(env *environment) *cli.App {
	app := &cli.App{
		Name:        "trcx",
		Usage:       "Java thread and heap traces in the XML of Eclipse TPTP: read, enrich, write",
		UsageText:   "trcx COMMAND [FLAGS] [ARGUMENTS]",
		HideVersion: true,
		Description: `Examples:
   trcx convert app.trcxml -o app.json        the model with all computed interactions
   trcx convert app.trcxml --to jsonl | jq .  the same as a stream of lines
   trcx convert old.zip --to trcxml -o new.trcxml

Exit status: 0 done, 1 the input has errors, 2 wrong usage, 3 something could not be read or written.`,
		Commands:                  []*cli.Command{convertCommand(env), schemaCommand(env), versionCommand(env)},
		Reader:                    env.stdin,
		Writer:                    env.stdout,
		ErrWriter:                 env.stderr,
		DisableSliceFlagSeparator: true,
		OnUsageError:              onUsageError,
		ExitErrHandler:            func(*cli.Context, error) {},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("there is no command %q; trcx has %s (trcx help says more)", c.Args().First(), strings.Join(names(c.App.Commands), ", "))
			}
			return cli.ShowAppHelp(c)
		},
	}
	for _, command := range app.Commands {
		command.OnUsageError = onUsageError
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

// flagsFirst moves the flags of a command before its arguments: urfave/cli stops at the first argument, but users write flags
// anywhere. What follows -- are arguments, and so is a lone -.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	command := app.Command(args[1])
	if command == nil {
		return args
	}
	var flags, arguments []string
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		switch arg := rest[0]; {
		case arg == "--":
			arguments = append(arguments, rest[1:]...)
			rest = rest[:1]
		case arg == convert.Stdin || !strings.HasPrefix(arg, "-"):
			arguments = append(arguments, arg)
		default:
			flags = append(flags, arg)
			if takesValue(command, arg) && len(rest) > 1 {
				flags = append(flags, rest[1])
				rest = rest[1:]
			}
		}
	}
	ordered := append(append([]string{args[0], args[1]}, flags...), "--")
	return append(ordered, arguments...)
}

// takesValue says whether the flag is followed by its value.
func takesValue(command *cli.Command, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, flag := range command.Flags {
		for _, known := range flag.Names() {
			if known == name {
				_, boolean := flag.(*cli.BoolFlag)
				return !boolean
			}
		}
	}
	return false
}
