package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/agent/launch"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/agent/output"
)

func attachCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "attach",
		Usage:     "start recording in a JVM that is running",
		UsageText: "trcx attach [-o FILE] [FLAGS] PID",
		Description: `The JVM writes the trace itself, until trcx detach PID, the end of --duration, or its own end. The command returns when the
recording runs, or says why it does not. With --duration it returns when the recording is over, which an interrupt (Ctrl-C)
ends early. The trace begins with the live threads and their states.

From JDK 21 on the JVM warns on its standard error that an agent was loaded.

Examples:
   trcx attach 4711
   trcx detach 4711
   trcx attach -o stall.trcxml --duration 10s 4711`,
		Flags: append(recordingFlags(), quietFlag("print errors only"),
			&cli.BoolFlag{Name: "background", Usage: "with --duration: return when the recording runs"}),
		Action: func(c *cli.Context) error { return env.attach(c) },
	}
}

func detachCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "detach",
		Usage:     "end recording in a JVM that is running",
		UsageText: "trcx detach PID",
		Description: `When the command returns, the trace is complete; the program continues. It also ends a recording of trcx record, which then
waits for the program.

Examples:
   trcx attach 4711
   trcx detach 4711`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "library", Usage: "the `FILE` of the agent that was loaded",
				DefaultText: attach.LibraryName + " next to trcx"},
		},
		Action: func(c *cli.Context) error { return env.detach(c) },
	}
}

// makeAbsolute makes file names absolute, since the JVM works in another folder.
func makeAbsolute(o *options.Options) error {
	folder, err := os.Getwd()
	if err != nil {
		return err
	}
	names := map[*string]string{&o.FilterFile: folder, &o.Output.TokenFile: folder}
	switch o.Output.Kind {
	case options.TCP:
	case options.File: // a percent sign in a name begins a placeholder
		names[&o.Output.Address] = strings.ReplaceAll(folder, "%", "%%")
	default:
		names[&o.Output.Address] = folder
	}
	for name, folder := range names {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(folder, *name)
		}
	}
	return nil
}

// processArgument returns the process that the command line names.
func processArgument(c *cli.Context) (int, error) {
	if c.NArg() != 1 {
		return 0, usage("name one JVM by its process id (jps and ps list them)")
	}
	pid, err := strconv.Atoi(c.Args().First())
	if err != nil || pid < 1 {
		return 0, usage("invalid process id %q; jps and ps list them", c.Args().First())
	}
	return pid, nil
}

func (env *environment) attach(c *cli.Context) error {
	pid, err := processArgument(c)
	if err != nil {
		return err
	}
	o, err := recordingOptions(c)
	if err != nil {
		return err
	}
	if o.Output.Kind == options.Stdout {
		return usage("the JVM writes the trace itself; name a file")
	}
	if o.Exec == options.SampledMethods {
		if err := checkSampler(pid); err != nil {
			return err
		}
	}
	if err := makeAbsolute(o); err != nil {
		return err
	}
	onExit, onOutOfMemory, err := requestedDumps(c)
	if err != nil {
		return err
	}
	if onExit.converted() || onOutOfMemory.converted() {
		return usage("the JVM writes its heap dumps when trcx has ended; name them NAME%s, without compression", dumpEnding)
	}
	if o.Output.Kind == options.TCP && o.Output.Token == "" {
		o.Output.Token = os.Getenv(output.TokenVariable) // from the environment of this process, not of the JVM's
	}
	library, err := launch.Library(c.String("library"))
	if err != nil {
		return err
	}
	o.DumpOnExit = onExit.raw
	waits := o.Duration > 0 && !c.Bool("background")
	signals := make(chan os.Signal, 1)
	if waits {
		env.passSignals(func(received os.Signal) {
			env.passSignals(nil) // another one interrupts the command
			signals <- received
		})
	}
	if err := env.startRecording(c, pid, library, o.String()); err != nil {
		return err
	}
	for _, flag := range onOutOfMemory.settings() {
		if err := attach.SetFlag(c.Context, pid, flag.name, flag.value); err != nil {
			return err
		}
	}
	if !c.Bool("quiet") {
		env.print("%s", attached(pid, o))
	}
	if !waits {
		return nil
	}
	return env.awaitEnd(c, pid, library, o, signals)
}

// checkSampler returns an error if the JVM cannot sample methods.
func checkSampler(pid int) error {
	jvm, err := attach.Inspect(pid)
	if err != nil {
		return err
	}
	home := filepath.Join(jvm.Library, "../../..") // from lib/server/libjvm.so
	if jvm.Elsewhere {
		home = filepath.Join(fmt.Sprintf("/proc/%d/root", pid), home)
	}
	return launch.CheckSampler(home)
}

// answerPause is the time between two checks of whether a recording is over.
const answerPause = 500 * time.Millisecond

// maxFailures limits the consecutive checks that the JVM does not answer.
const maxFailures = 5

// awaitEnd waits until the recording is over, and prints how it went. A recording ends by a signal, its duration, the
// end of the program, or trcx detach.
func (env *environment) awaitEnd(c *cli.Context, pid int, library string, o *options.Options, signals <-chan os.Signal) error {
	over := time.After(o.Delay + o.Duration)
	failures := 0
	for {
		select {
		case <-signals:
			if err := load(c.Context, pid, library, "stop"); err != nil {
				return err
			}
		case <-over:
		case <-time.After(answerPause):
		}
		err := attach.Load(c.Context, pid, library, "summary")
		var answer *attach.AgentError
		switch {
		case errors.As(err, &answer) && answer.Code == summary:
			if !c.Bool("quiet") {
				env.printOutcome(answer.Reason, o.Output.Kind, o.Output.Address)
			}
			return nil
		case err == nil:
			failures = 0
			continue
		}
		if _, ended := attach.Inspect(pid); ended != nil {
			if !c.Bool("quiet") {
				env.printOutcome(fmt.Sprintf("process %d has ended, and the recording with it", pid), o.Output.Kind, o.Output.Address)
			}
			return nil
		}
		if failures++; failures == maxFailures { // before that, the process may just be ending
			return err
		}
	}
}

// startRecording has the JVM record itself with the options of the agent.
func (env *environment) startRecording(c *cli.Context, pid int, library, options string) error {
	ctx := context.WithoutCancel(c.Context) // the answer to the first request says whose recording runs
	// the agent can only begin when the JVM has loaded it
	for _, request := range []string{options, "ready"} {
		err := load(ctx, pid, library, request)
		if err != nil && !env.printLost(err) {
			return err
		}
		if c.Context.Err() != nil { // the recording is this command's: the JVM has no other one
			return errors.Join(c.Context.Err(), attach.Load(ctx, pid, library, "stop"))
		}
	}
	return nil
}

// attached returns the message on a recording: where its trace goes and what ends it.
func attached(pid int, o *options.Options) string {
	text := fmt.Sprintf("process %d is recorded to %s", pid, o.Output.Address)
	if o.Delay > 0 {
		text = fmt.Sprintf("process %d will be recorded to %s, after %v", pid, o.Output.Address, o.Delay)
	}
	earlier := ""
	if o.Duration > 0 {
		text += fmt.Sprintf(", for %v", o.Duration)
		earlier = " earlier"
	}
	if o.MaxSize > 0 {
		text += fmt.Sprintf(", up to %d bytes", o.MaxSize)
		earlier = " earlier"
	}
	return fmt.Sprintf("%s; trcx detach %d ends it%s", text, pid, earlier)
}

func (env *environment) detach(c *cli.Context) error {
	pid, err := processArgument(c)
	if err != nil {
		return err
	}
	library, err := launch.Library(c.String("library"))
	if err != nil {
		return err
	}
	return load(c.Context, pid, library, "stop")
}

// agentCodes describe the agent's return codes (agent/native/load.c), for the case that it gives no reason.
var agentCodes = map[int]string{
	101: "the agent refused to record; the reason is on that process's standard error",
	102: "it is recorded already; trcx detach ends that",
	103: "it is not recorded",
	104: "the recording has not begun; the reason is on that process's standard error",

	summary:    "its recording is over",
	incomplete: "it is recorded, but not completely; the reason is on that process's standard error",
}

// notRecorded is the code in agentCodes whose reason, if there is one, says why the recording ended.
const notRecorded = 103

// incomplete is the code of an agent that records everything but the parts in the reason.
const incomplete = 105

// summary is the code of an agent whose recording is over; the reason says how it went.
const summary = 106

// printLost prints what the agent cannot record in this JVM, and reports whether the error is about that.
func (env *environment) printLost(err error) bool {
	var answer *attach.AgentError
	if !errors.As(err, &answer) || answer.Code != incomplete {
		return false
	}
	for line := range strings.Lines(answer.Reason) {
		env.print("%v differs from JVMs that trcx was tested with; not recorded: %s", answer.JVM, strings.TrimSpace(line))
	}
	return true
}

// load loads the agent into the process, or passes the request to the agent if it is already loaded.
func load(ctx context.Context, pid int, library, request string) error {
	err := attach.Load(ctx, pid, library, request)
	var refused *attach.AgentError
	if !errors.As(err, &refused) || agentCodes[refused.Code] == "" {
		return err
	}
	switch {
	case refused.Reason == "":
		return fmt.Errorf("%v: %s", refused.JVM, agentCodes[refused.Code])
	case refused.Code == notRecorded:
		return fmt.Errorf("%v: its recording has ended already: %s", refused.JVM, refused.Reason)
	}
	return err
}
