package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/cmd/optionflag"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/sanitize"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFindings    = 1   // the input has errors
	exitUsage       = 2   // wrong usage
	exitFailed      = 3   // an input or output could not be read or written, or has no known format
	exitInterrupted = 130 // by the user
)

// errFindings is the error for an input with errors, or beyond a threshold, which have already been printed.
var errFindings = errors.New("the input has errors")

// errUnread is the error for inputs that could not be read, which has already been printed.
var errUnread = errors.New("an input could not be read")

// usageError is the error for a wrong command line. Main prints it after the name of the command.
type usageError struct {
	message string
	help    bool // the message ends with a pointer to the command's help
}

func (e *usageError) Error() string { return e.message }

// usage returns the error for wrong usage.
func usage(format string, arguments ...any) error {
	return &usageError{message: withFlags(format, arguments)}
}

// usageHelp is usage for an error whose message points to the command's help.
func usageHelp(format string, arguments ...any) error {
	return &usageError{withFlags(format, arguments), true}
}

// withFlags formats a message, with flags in place of the options that the library's errors name.
func withFlags(format string, arguments []any) string {
	for i, argument := range arguments {
		if err, ok := argument.(error); ok {
			arguments[i] = optionflag.InError(err, "")
		}
	}
	return fmt.Sprintf(format, arguments...)
}

// environment is the process as a command sees it. Commands are its methods.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	command        string // the name of the command; "" for trcx alone

	mu      sync.Mutex
	results []*outputFile   // being written
	pass    func(os.Signal) // handles the signals that otherwise interrupt the command; nil for none
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	env := &environment{stdin: stdin, stdout: stdout, stderr: stderr}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, interrupting...)
	defer signal.Stop(signals)
	go env.handleSignals(signals, interrupt)
	done := make(chan error, 1)
	go func() { done <- env.run(ctx, args) }()
	select {
	case err := <-done:
		return env.exit(ctx, err)
	case <-ctx.Done():
		signal.Stop(signals) // from here on a second signal ends the program at once
	}
	select {
	case <-done: //nolint:errcheck // the interruption is why the command ended, whatever error it caused
	case <-time.After(maxEnding): // it is blocked in reading an input
		env.discardResults()
	}
	return env.exit(ctx, context.Canceled)
}

// interrupting are the signals that end a command.
var interrupting = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// handleSignals interrupts the command at the first signal, unless the command handles signals itself.
func (env *environment) handleSignals(signals <-chan os.Signal, interrupt func()) {
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

// passSignals passes the signals that would interrupt the command to the function; nil ends that.
func (env *environment) passSignals(pass func(os.Signal)) {
	env.mu.Lock()
	defer env.mu.Unlock()
	env.pass = pass
}

// maxEnding limits the time that an interrupted command may take to end.
const maxEnding = 300 * time.Millisecond

// run runs the command named by the arguments.
func (env *environment) run(ctx context.Context, args []string) error {
	app := newApp(env)
	if len(args) > 1 && app.Command(args[1]) != nil {
		env.command = args[1]
	}
	args, err := orderArguments(app, args)
	if err != nil {
		return err
	}
	return app.RunContext(ctx, args)
}

// discardResults deletes the results of an interrupted command that did not end in time.
func (env *environment) discardResults() {
	env.mu.Lock()
	defer env.mu.Unlock()
	for _, result := range env.results {
		result.discard()
	}
}

// exit prints the error and returns the exit status for it.
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
		env.print("%s", wrong.text(env.command))
		return exitUsage
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		env.print("interrupted")
		return exitInterrupted
	}
	env.print("%v", err)
	return exitFailed
}

// text returns the message on wrong usage of the command.
func (e *usageError) text(command string) string {
	prefix, help := "", "help"
	if command != "" {
		prefix, help = command+": ", command+" --help"
	}
	if !e.help {
		return prefix + e.message
	}
	return fmt.Sprintf("%s%s (see trcx %s)", prefix, e.message, help)
}

// print prints a one-line message on the standard error. Options of the library in it are replaced by their flags.
func (env *environment) print(format string, arguments ...any) {
	fmt.Fprintf(env.stderr, "trcx: %s\n", sanitize.Text(withFlags(format, arguments)))
}

// commands returns the commands in the order of the help.
func commands(env *environment) []*cli.Command {
	return []*cli.Command{
		convertCommand(env),
		validateCommand(env),
		statsCommand(env),
		pathCommand(env),
		whyCommand(env),
		blameCommand(env),
		deadlocksCommand(env),
		heapCommand(env),
		methodsCommand(env),
		diffCommand(env),
		queryCommand(env),
		reportCommand(env),
		serveCommand(env),
		recordCommand(env),
		watchCommand(env),
		attachCommand(env),
		detachCommand(env),
		dumpCommand(env),
		dtdCommand(env),
		schemaCommand(env),
		listenCommand(env),
		mcpCommand(env),
		completionCommand(env),
		manCommand(env),
		versionCommand(env),
	}
}

// newApp returns the commands with their flags.
func newApp(env *environment) *cli.App {
	app := &cli.App{
		Name:        "trcx",
		Usage:       "Java thread and heap traces in the XML of Eclipse TPTP: record, check, analyse, convert",
		UsageText:   "trcx COMMAND [FLAGS] [ARGUMENTS]",
		HideVersion: true,
		Description: `Examples:
   trcx why app.trcxml || echo found          what is wrong, who it is and where; or trcx why PID of a JVM that hangs
   trcx stats app.trcxml                      which locks cost most, who held them, and where
   trcx path app.trcxml                       what the time of the whole run depended on
   trcx blame app.trcxml                      which threads kept others waiting
   trcx deadlocks app.trcxml                  which threads are deadlocked, and which could be
   trcx report app.trcxml -o app.html         a page that shows it in a browser
   trcx convert app.trcxml -o app.json        the model with all computed interactions
   trcx convert app.trcxml --to jsonl | jq .  the same as a stream of lines
   trcx convert old.zip --to trcxml -o new.trcxml
   trcx validate app.trcxml                   check it against the DTD and the rules of threads and monitors

Exit status: 0 done, 1 the input has errors or a threshold is exceeded, 2 wrong usage, 3 something could not be read or
written, or is of no known format.`,
		Commands:                  commands(env),
		Reader:                    env.stdin,
		Writer:                    env.stdout,
		ErrWriter:                 env.stderr,
		DisableSliceFlagSeparator: true,
		OnUsageError:              onUsageError,
		ExitErrHandler:            func(*cli.Context, error) {},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return unknownCommand(c.App, c.Args().First())
			}
			return usageHelp("name a command: %s", strings.Join(commandNames(c.App), ", "))
		},
	}
	for _, command := range app.Commands {
		command.OnUsageError = onUsageError
		command.HideHelpCommand = true // or a file could not be named help
		for _, flag := range command.Flags {
			completeFlag(flag)
		}
	}
	return app
}

// unparsed matches the errors of package flag for values of a wrong type: the quoted value, and the flag.
var unparsed = regexp.MustCompile(`^invalid (boolean )?value (".*") for (?:flag )?-(\S+): `)

func onUsageError(_ *cli.Context, err error, _ bool) error {
	found := unparsed.FindStringSubmatch(err.Error())
	switch {
	case found == nil:
		return usageHelp("%v", err)
	case found[1] != "":
		return usageHelp("invalid value %s for --%s: want true or false", found[2], found[3])
	}
	return usageHelp("invalid value %s for --%s: want a whole number", found[2], found[3])
}

// commandNames returns the names of the commands that the help lists.
func commandNames(app *cli.App) (names []string) {
	for _, command := range listed(app) {
		names = append(names, command.Name)
	}
	return names
}

// orderArguments puts the flags of a command before its arguments: urfave/cli stops at the first argument, but users
// write flags anywhere. Everything after -- is an argument, and so is a lone -.
func orderArguments(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	switch name := args[1]; {
	case name == "--version" || name == "-version" || name == "-v":
		return []string{args[0], "version"}, nil
	case name == "help" && len(args) > 2 && app.Command(args[2]) == nil:
		return nil, unknownCommand(app, args[2])
	case app.Command(name) == nil || name == "help":
		return args, nil
	}
	command := app.Command(args[1])
	ordered := []string{args[0], args[1]}
	name := func(arg string) string { flag, _, _ := strings.Cut(arg, "="); return flag }
	var arguments []string
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		switch arg := rest[0]; {
		case arg == "--":
			arguments = append(arguments, rest[1:]...)
			rest = rest[:1]
		case arg == "-h" || arg == "-help" || arg == "--help":
			return []string{args[0], args[1], "--help"}, nil
		case (command.Name == recordName || command.Name == watchName) && !strings.HasPrefix(arg, "-"): // the program; what follows belongs to it
			arguments = append(arguments, rest...)
			rest = rest[:1]
		case arg == convert.Stdin || !strings.HasPrefix(arg, "-"):
			arguments = append(arguments, arg)
		case !isFlag(command, name(arg)):
			return nil, unknownFlag(command, name(arg))
		case !hasValue(command, arg):
			ordered = append(ordered, arg)
		case len(rest) == 1 || rest[1] == "--" || isFlag(command, rest[1]):
			return nil, usageHelp("%s needs a value", arg)
		default:
			ordered = append(ordered, arg, rest[1])
			rest = rest[1:]
		}
	}
	return append(append(ordered, "--"), arguments...), nil
}

// isFlag reports whether the argument is a flag of the command.
func isFlag(command *cli.Command, arg string) bool {
	name, ok := strings.CutPrefix(arg, "-")
	return ok && flagNamed(command, strings.TrimPrefix(name, "-")) != nil
}

// hasValue reports whether the flag is followed by its value.
func hasValue(command *cli.Command, arg string) bool {
	flag := flagNamed(command, strings.TrimLeft(arg, "-"))
	switch flag := flag.(type) {
	case nil, *cli.BoolFlag:
		return false
	case *cli.GenericFlag: // its value is optional, and follows an =
		boolean, ok := flag.Value.(interface{ IsBoolFlag() bool })
		return !ok || !boolean.IsBoolFlag()
	}
	return true
}

// flagNamed returns the flag of the name, or nil.
func flagNamed(command *cli.Command, name string) cli.Flag {
	for _, flag := range command.Flags {
		if slices.Contains(flag.Names(), name) {
			return flag
		}
	}
	return nil
}
