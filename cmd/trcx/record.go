package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/agent/drain"
	"github.com/trcx/trcx/agent/launch"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/record"
	"github.com/trcx/trcx/agent/ring"
)

const recordName = "record"

func recordCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      recordName,
		Usage:     "run a JVM and write the trace of its threads",
		UsageText: "trcx record [-o FILE] [FLAGS] -- java ARGUMENTS…",
		Description: `The program is java, or another program of a JDK from 17 to 25, such as javac. It runs as without trcx: it gets all signals,
and trcx exits with its status. The trace is written while the program runs, and is complete however it ends.

A FILE that ends in .gz or .zst is compressed. With - the trace goes to standard output, and the program's own output to
standard error.

--children records every JVM that the program starts, each into its own file. %p in FILE becomes the process id; a FILE
without %p gets it before its ending. The program need not be java.

Examples:
   trcx record -o app.trcxml -- java -jar app.jar
   trcx record --exec aggregated -o app.trcxml -- java -jar app.jar
   trcx record --exec sampled -o app.trcxml -- java -jar app.jar
   trcx record --stack-depth 16 -o app.trcxml.zst -- java -jar app.jar
   trcx record --delay 30s --duration 10s -- java -jar server.jar
   trcx record --children -o build-%p.trcxml -- ./build.sh`,
		Flags: append(recordingFlags(),
			&cli.BoolFlag{Name: "children", Usage: "record every JVM that the program starts (by JAVA_TOOL_OPTIONS)"},
			quietFlag("print errors only"),
		),
		Action: func(c *cli.Context) error { return env.record(c) },
	}
}

// recordingFlags are the flags of commands that start a recording. Except for output and library they are options of
// the agent with the same names.
func recordingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the trace to `FILE`, which only its owner may read",
			DefaultText: options.DefaultFile},
		&cli.StringFlag{Name: "tcp", Usage: "send the trace to trcx listen at `HOST:PORT` instead of a file"},
		&cli.StringFlag{Name: "unix", Usage: "send the trace to trcx listen at the socket `PATH` instead of a file"},
		&cli.StringFlag{Name: "token-file", Usage: "read the receiver's token from `FILE`",
			DefaultText: "the variable TRCX_TOKEN"},
		&cli.StringFlag{Name: "delay", Usage: "wait this `TIME` before recording, such as 30s"},
		&cli.StringFlag{Name: "duration", Aliases: []string{"d"}, Usage: "record for this `TIME`, such as 1m30s",
			DefaultText: "until the program ends"},
		&cli.StringFlag{Name: "max-size", Usage: "end the recording when the trace has this size in `BYTES`, such as 2G",
			DefaultText: "no limit"},
		&cli.StringFlag{Name: "stack-depth", Usage: "record call stacks of up to `NUMBER` frames; 0 for none",
			DefaultText: fmt.Sprint(options.DefaultStackDepth)},
		&cli.StringFlag{Name: "filters", Usage: "read from this `FILE` which methods call stacks show"},
		&cli.BoolFlag{Name: "no-contanalysis", Usage: "do not record which threads start, interrupt and notify others"},
		&cli.BoolFlag{Name: "no-owner", Usage: "do not record the owners of monitors, nor sample them"},
		&cli.StringFlag{Name: "owner-period", DefaultText: options.DefaultOwnerPeriod.String(),
			Usage: "sample who holds what threads are blocked on, and where, each `TIME`; 0 for never"},
		&cli.GenericFlag{Name: "heap", Value: new(optionalText), DefaultText: "no allocations",
			Usage: "record allocations and frees, too: `sampled`, as without a value, or full"},
		&cli.StringFlag{Name: "exec", DefaultText: "no calls",
			Usage: "record calls of methods, too: `WHAT` is coverage, counts, aggregated (the tree of calls) or full (each call); or " +
				"sampled, the methods that threads run now and then"},
		&cli.StringFlag{Name: "interval", DefaultText: options.DefaultInterval.String(),
			Usage: "with --exec sampled: the `TIME` from one sample of a thread to the next; with aggregated: write the trees " +
				"each TIME, and not only at the end"},
		&cli.StringFlag{Name: "min-size", DefaultText: "0; 12 with --exec aggregated and full",
			Usage: "with --exec: leave out methods that have less code than this in `BYTES`"},
		&cli.StringFlag{Name: "max-nodes", DefaultText: fmt.Sprint(options.DefaultMaxNodes),
			Usage: "with --exec aggregated: the `NUMBER` of nodes that all trees of calls may have"},
		&cli.BoolFlag{Name: "auto-tune",
			Usage: "with --exec aggregated: leave methods out that are called often and take less than 1 µs"},
		&cli.BoolFlag{Name: "no-parks", Usage: "leave out waits of java.util.concurrent"},
		&cli.BoolFlag{Name: "no-io", Usage: "leave out waits for input and output"},
		&cli.StringFlag{Name: "dump-on-exit", Usage: "have the JVM write a heap dump to `FILE` when it ends"},
		&cli.StringFlag{Name: "dump-on-oom", Usage: "have the JVM write a heap dump to `FILE` when it runs out of memory"},
		&cli.BoolFlag{Name: "wait-sets", Usage: "look up which threads each notify wakes; slow"},
		&cli.StringFlag{Name: "library", Usage: "load the agent from this `FILE`", DefaultText: attach.LibraryName +
			" next to trcx"},
	}
}

// agentOptions are the flags with values that are options of the agent.
var agentOptions = []string{"tcp", "unix", "token-file", "delay", "duration", "max-size", "stack-depth", "owner-period",
	"filters", "exec", "min-size", "max-nodes", "interval"}

// recordingOptions returns the flags as the agent's options.
func recordingOptions(c *cli.Context) (*options.Options, error) {
	var items []string
	for _, name := range []string{"delay", "duration"} {
		if _, err := timeFlag(c, name); err != nil {
			return nil, err
		}
	}
	if c.IsSet("output") {
		items = append(items, options.Item("file", c.String("output")))
	}
	for _, name := range agentOptions {
		if c.IsSet(name) {
			items = append(items, options.Item(name, c.String(name)))
		}
	}
	for _, name := range []string{"no-contanalysis", "no-owner", "no-parks", "no-io", "wait-sets", "auto-tune"} {
		if c.Bool(name) {
			items = append(items, name)
		}
	}
	if heap := optionalOf(c, "heap", options.Sampled.String()); heap != "" {
		items = append(items, options.Item("heap", heap))
	}
	o, err := options.Parse(strings.Join(items, ","))
	if err == nil {
		err = o.ReadFiles()
	}
	switch {
	case err != nil:
		return nil, usage("%s", asFlag(err.Error()))
	case o.MaxSize > 0 && o.MaxSize < output.LeastSize:
		return nil, usage("--max-size %s is too little for a trace; allow at least %d bytes",
			c.String("max-size"), output.LeastSize)
	}
	return &o, nil
}

// asFlag rewrites a message about the value of an agent's option for the flag.
func asFlag(message string) string {
	option, rest, _ := strings.Cut(message, "=")
	value, why, ok := strings.Cut(rest, `": `)
	if !ok || !slices.Contains(agentOptions, option) {
		return message
	}
	return fmt.Sprintf(`--%s: invalid value %s": %s`, option, value, why)
}

// programExit is the error for a program that ended with a status other than 0, which trcx then returns.
type programExit int

func (e programExit) Error() string {
	return fmt.Sprintf("the program has ended with status %d", int(e))
}

func (env *environment) record(c *cli.Context) error {
	if !c.Args().Present() {
		return usage("name the program after --, such as: trcx record -o app.trcxml -- java -jar app.jar")
	}
	o, err := recordingOptions(c)
	if err != nil {
		return err
	}
	onExit, onOutOfMemory, err := requestedDumps(c)
	if err != nil {
		return err
	}
	program, err := launch.Find(c.Args().First())
	if err != nil {
		return err
	}
	library, err := launch.Library(c.String("library"))
	if err != nil {
		return err
	}
	command := exec.Command(program.Path, c.Args().Tail()...)
	command.Stdin, command.Stdout, command.Stderr = env.stdin, env.stdout, env.stderr
	switch {
	case c.Bool("children") && (c.IsSet("dump-on-exit") || c.IsSet("dump-on-oom")):
		return usage("heap dumps are of one JVM; leave out --children, --dump-on-exit or --dump-on-oom")
	case c.Bool("children"):
		return env.recordChildren(c, o, command, library)
	case program.Launcher == launch.NoLauncher:
		return usage("%s is not a program of a JDK, so it cannot load the agent; name java itself, or use "+
			"--children", c.Args().First())
	case strings.Contains(strings.ReplaceAll(o.Output.Address, "%%", ""), "%p"):
		return usage("%%p needs --children; without it one JVM is recorded, so name its file")
	}
	flags := onOutOfMemory.jvmFlags()
	if o.Exec == options.SampledMethods {
		if err := launch.CheckSampler(program.Home()); err != nil {
			return err
		}
		flags = append(flags, "--add-modules=jdk.jfr") // whatever modules the program has
	}
	o.DumpOnExit = onExit.raw
	exit := env.recordOne(c, o, command, program, library, flags)
	for _, dump := range []requestedDump{onExit, onOutOfMemory} {
		if err := env.deliverRequested(c, dump); err != nil {
			env.print("%v", err)
		}
	}
	return exit
}

// recordOne runs a JVM and writes its trace.
func (env *environment) recordOne(c *cli.Context, o *options.Options, command *exec.Cmd, program launch.Program,
	library string, flags []string) error {
	launch.OutliveSizeLimit()
	segment, err := ring.Create()
	if err != nil {
		return err
	}
	defer segment.Close()
	memory, err := segment.Duplicate()
	if err != nil {
		return err
	}
	alive, living, err := os.Pipe() // it breaks when no process reads the ring buffer any more
	if err != nil {
		return err
	}
	defer living.Close()
	if o.Output.Kind == options.Stdout {
		command.Stdout = env.stderr
	}
	r, err := record.Start(segment, o, 0, env.stdout)
	if err != nil {
		return err
	}
	command.ExtraFiles = []*os.File{memory, alive}
	shared := *o
	shared.Ring = firstExtraFile
	command.Args = append(command.Args[:1], program.Arguments(library, shared.String(), flags, command.Args[1:])...)
	ended := make(chan struct{})
	exit, err := env.runProgram(command, func() {
		memory.Close()
		alive.Close()
		go env.reportEarlyEnd(r, ended)
	})
	close(ended)
	summary, failure := r.Finish()
	switch {
	case err != nil:
		return fmt.Errorf("%s cannot be run: %w", command.Path, bare(err))
	case failure != nil:
		env.print("%v", failure)
	case !c.Bool("quiet") || summary.PID == 0 || summary.Stopped != nil:
		env.printSummary(summary, o.Output.Kind, r.Name)
	}
	return exit
}

// firstExtraFile is the descriptor of the first of exec.Cmd.ExtraFiles in the new process.
const firstExtraFile = 3

// recordChildren runs a program whose environment makes every JVM load the agent and write a trace of its own.
func (env *environment) recordChildren(c *cli.Context, o *options.Options, command *exec.Cmd, library string) error {
	if o.Output.Kind == options.Stdout {
		return usage("with --children each JVM has a file of its own; name one, with %%p for its process id")
	}
	if o.Output.Kind == options.File && !strings.Contains(o.Output.Address, "%p") {
		o.Output.Address = withProcess(o.Output.Address)
	}
	if err := makeAbsolute(o); err != nil {
		return err
	}
	command.Env = launch.Environment(os.Environ(), library, o.String())
	before := traces(o.Output.Glob())
	exit, err := env.runProgram(command, func() {})
	if err != nil {
		return fmt.Errorf("%s cannot be run: %w", command.Path, bare(err))
	}
	if !c.Bool("quiet") {
		env.print("%s", recordedChildren(o.Output, before))
	}
	return exit
}

// recordedChildren returns the message on the traces that are new.
func recordedChildren(o options.Output, before map[string]time.Time) string {
	if o.Kind != options.File {
		return "the JVMs that the program started sent their traces to " + o.Address +
			", unless one has printed why it could not"
	}
	var names []string
	for name, changed := range traces(o.Glob()) {
		if !changed.Equal(before[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	switch n := len(names); {
	case n == 0:
		return "nothing was recorded: the program started no JVM that reads JAVA_TOOL_OPTIONS, or each has printed why " +
			"it could not write its trace"
	case n == 1:
		return "1 JVM was recorded; its trace is in " + names[0]
	case n > maxNamed:
		names = append(names[:maxNamed], fmt.Sprintf("and %d more", n-maxNamed))
		fallthrough
	default:
		return fmt.Sprintf("%d JVMs were recorded; their traces are in %s", n, strings.Join(names, ", "))
	}
}

// maxNamed limits the traces that a message names.
const maxNamed = 5

// traces returns the non-empty files of the pattern, with the times of their last change.
func traces(pattern string) map[string]time.Time {
	found := map[string]time.Time{}
	names, _ := filepath.Glob(pattern) // fails only for malformed patterns
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			found[name] = info.ModTime()
		}
	}
	return found
}

// withProcess returns the name with %p before its ending.
func withProcess(name string) string {
	plain := uncompressedName(name)
	ending := filepath.Ext(plain) + strings.TrimPrefix(name, plain)
	return strings.TrimSuffix(name, ending) + "-%p" + ending
}

// runProgram runs the program, which gets all signals in the meantime. exit is a programExit, or nil for status 0; err
// is the error of starting the program.
func (env *environment) runProgram(command *exec.Cmd, started func()) (exit, err error) {
	signals := make(chan os.Signal, 16)
	defer signal.Stop(signals)
	env.passSignals(func(received os.Signal) { signals <- received })
	for _, passed := range launch.Passed {
		signal.Notify(signals, passed)
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	started()
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case received := <-signals:
				command.Process.Signal(received) // fails if the program has just ended
			case <-ended:
				return
			}
		}
	}()
	err = command.Wait()
	close(ended)
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return nil, err
	}
	return programExit(launch.ExitStatus(failed.ProcessState)), nil
}

// reportEarlyEnd reports why a recording has ended before the program.
func (env *environment) reportEarlyEnd(r *record.Recording, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-r.Done():
	}
	if summary, err := r.Wait(); err == nil && summary.Stopped != nil {
		env.print("%v; the recording has ended, the program goes on", summary.Stopped)
	}
}

// printSummary prints how a recording went, where the trace is, and what to do with it.
func (env *environment) printSummary(s *drain.Summary, kind options.OutputKind, name string) {
	if s.PID == 0 {
		env.print("nothing was recorded: the agent did not start in the program")
		return
	}
	env.printOutcome(s.String(), kind, name)
}

// printOutcome prints the summary of a recording, where the trace is, and what to do with it.
func (env *environment) printOutcome(summary string, kind options.OutputKind, name string) {
	for line := range strings.Lines(summary) {
		env.print("%s", strings.TrimSuffix(line, "\n"))
	}
	if kind == options.File {
		env.print("the trace is in %s; next: trcx why %s", name, shellWord(name))
	} else {
		env.print("the trace went to %s", name)
	}
}
