package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/agent/launch"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// The recording of a process.
const (
	defaultFor = 3 * time.Second
	// spare is how much longer than asked a JVM records at most, if trcx was killed before it could end the recording.
	spare = 10 * time.Second
	// fallbackDumps is the number of thread dumps, dumpPause apart, of a JVM that cannot load the agent.
	fallbackDumps = 3
	dumpPause     = time.Second
	// dumpsWhile is the number of thread dumps made while a JVM is recorded.
	dumpsWhile = 2
	// depthWhile is the stack depth: the program's own code is often below a dozen library calls, and a short recording
	// may cost more than a long one.
	depthWhile = 32
)

// libraryFlag returns the flag of commands that load the agent into a process themselves.
func libraryFlag() cli.Flag {
	return &cli.StringFlag{Name: "library", Usage: "load the agent into a process from this `FILE`",
		DefaultText: attach.LibraryName + " next to trcx"}
}

// processFlags are the flags of why for a process.
func processFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "for", Usage: "record a process for this `TIME`", DefaultText: defaultFor.String()},
		libraryFlag(),
		&cli.BoolFlag{Name: "all", Usage: "diagnose all JVMs of this user"},
	}
}

// observation is what was seen of a process: a trace, or only thread dumps if the agent could not be loaded.
type observation struct {
	process attach.JVM
	length  time.Duration
	trace   string // a file; "" without the agent
	dumps   string // a file; "" if the JVM made no dumps
	all     string // a file with a JSON dump of all virtual threads; "" if the trace and the dumps have them
	why     error  // why there is no trace
	folder  string // of the files
	kept    bool   // the folder is the user's
	virtual bool   // virtual threads may wait without a carrier
}

// input returns the file to diagnose, and its format.
func (o *observation) input() (name, format string) {
	if o.trace != "" {
		return o.trace, "trcxml"
	}
	return o.dumps, "threaddump"
}

// processesToObserve returns the processes that the command names; none if it names files.
func processesToObserve(c *cli.Context) ([]int, error) {
	if c.Bool("all") {
		if c.NArg() > 0 {
			return nil, usage("--all is for all JVMs; leave out %s", c.Args().First())
		}
		pids, err := attach.JVMs()
		if err == nil && len(pids) == 0 {
			err = errors.New("no JVM runs here that this user may inspect")
		}
		return pids, err
	}
	var pids []int
	names := c.Args().Slice()
	if !slices.ContainsFunc(names, isProcess) {
		return nil, nil
	}
	for _, name := range names {
		if !isProcess(name) {
			return nil, usage("%s is no process; name processes or files, not both", name)
		}
		pid, err := strconv.Atoi(name)
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// whyProcesses records processes at the same time, and prints the diagnosis of each.
func (env *environment) whyProcesses(c *cli.Context, pids []int) error {
	length := defaultFor
	if c.IsSet("for") {
		var err error
		if length, err = timeFlag(c, "for"); err != nil {
			return err
		}
		if length <= 0 {
			return usage("--for %s: a process has to be recorded for some time", c.String("for"))
		}
	}
	if c.IsSet("from") || c.IsSet("since") || c.IsSet("until") {
		return usage("--from, --since and --until are for files; --for says how long a process is recorded")
	}
	format, err := answerFormat(c, answerFormats)
	switch {
	case err != nil:
		return err
	case len(pids) > 1 && format == "csv":
		return usage("a table is of one process; take --json for several")
	}
	folder := c.String("output")
	if err := c.Set("output", ""); err != nil { // the answers go to the standard output
		return err
	}
	observed, failures := make([]*observation, len(pids)), make([]error, len(pids))
	var running sync.WaitGroup
	for i, pid := range pids {
		o := &observation{length: length, folder: folder, kept: folder != ""}
		if observed[i] = o; o.kept && len(pids) > 1 {
			o.folder = filepath.Join(folder, strconv.Itoa(pid))
		}
		running.Go(func() { failures[i] = env.observe(c, pid, o) })
	}
	running.Wait()
	for i, o := range observed {
		if !o.kept {
			defer os.RemoveAll(o.folder)
		}
		if failures[i] == nil && len(pids) > 1 {
			failures[i] = env.printHeading(o.process, format, i == 0)
		}
		if failures[i] == nil {
			failures[i] = env.printDiagnosis(c, o)
		}
	}
	return env.worst(failures)
}

// printHeading prints which process the next diagnosis is of, if there are several. In JSON each object says it.
func (env *environment) printHeading(process attach.JVM, format string, first bool) error {
	heading := map[string]string{"text": "%s:\n", "markdown": "## %s\n\n"}[format]
	if heading == "" {
		return nil
	}
	if !first {
		heading = "\n" + heading
	}
	title := process.String()
	_, err := fmt.Fprintf(env.stdout, heading, strings.ToUpper(title[:1])+title[1:])
	return err
}

// worst returns the last of the errors, and prints the others. Without errors it returns errFindings if a diagnosis
// found something.
func (env *environment) worst(failures []error) (last error) {
	for _, err := range failures {
		switch {
		case err == nil || errors.Is(err, errFindings) && last != nil:
			continue
		case last != nil && !errors.Is(last, errFindings):
			env.print("%v", last)
		}
		last = err
	}
	return last
}

// printDiagnosis prints the diagnosis of the observation.
func (env *environment) printDiagnosis(c *cli.Context, o *observation) error {
	if o.kept {
		if err := env.drawPage(c, o); err != nil {
			return err
		}
	}
	if o.why != nil {
		env.print("the agent was not loaded, so this is what %d thread dumps show: %v", fallbackDumps, o.why)
	}
	name, format := o.input()
	pid := o.process.PID
	facts := &diagnosis.Facts{Target: strconv.Itoa(pid), Recorded: o.length.Nanoseconds(),
		Command: moreOfProcess(pid, o.virtual)}
	if o.kept {
		facts.Command = moreOf(name, selection.Window{})
	}
	dumped, err := env.samplesOf(c, o)
	if err != nil {
		return err
	}
	if o.all != "" {
		if facts.Only, err = virtualIn(o.all); err != nil {
			return err
		}
		for _, name := range []string{o.dumps, o.all} {
			recorder := critical.NewRecorderIn("")
			defer recorder.Close() // nothing to lose
			beside, err := env.beside(c, name, recorder, facts.Only)
			if err != nil {
				return err
			}
			if beside.Command = facts.Command; o.kept {
				beside.Command = moreOf(name, selection.Window{})
			}
			facts.Beside = append(facts.Beside, beside)
		}
	}
	return env.diagnose(c, []string{name}, format, facts, selection.Window{}, dumped)
}

// observe records the process, and lets it dump its threads in the meantime.
func (env *environment) observe(c *cli.Context, pid int, o *observation) (err error) {
	if o.process, err = attach.Inspect(pid); err != nil {
		return err
	}
	if !o.kept {
		o.folder, err = os.MkdirTemp("", "trcx-why-")
	} else if err = os.MkdirAll(o.folder, 0o777); err != nil {
		err = fmt.Errorf("%s cannot be made: %w", o.folder, bare(err))
	}
	if err != nil {
		return err
	}
	file, raw, err := temporaryFile(o.process, filepath.Join(os.TempDir(), "why"+traceEnding))
	if err != nil {
		return err
	}
	defer os.Remove(raw)
	library, err := launch.Library(c.String("library"))
	if err == nil {
		err = env.startRecording(c, o.process.PID, library, strings.Join([]string{
			options.Item("file", strings.ReplaceAll(file, "%", "%%")), // a percent sign begins a placeholder
			options.Item("duration", (o.length + spare).String()),
			options.Item("stack-depth", strconv.Itoa(depthWhile)),
		}, ","))
	}
	if err != nil {
		if c.Context.Err() != nil {
			return err
		}
		o.why, o.length = err, (fallbackDumps-1)*dumpPause
		return o.dumpThreads(c.Context, fallbackDumps, dumpPause)
	}
	part := o.length / (dumpsWhile + 1)
	failed := pause(c.Context, part)
	if failed == nil {
		failed = o.dumpThreads(c.Context, dumpsWhile, part)
	}
	if failed == nil {
		failed = pause(c.Context, part)
	}
	// the recording ends, whatever happened in the meantime
	if err := attach.Load(context.WithoutCancel(c.Context), o.process.PID, library, "stop"); failed == nil {
		failed = err
	}
	if failed != nil {
		return failed
	}
	if failed = o.dumpVirtual(c.Context); failed != nil {
		return failed
	}
	o.trace = filepath.Join(o.folder, "trace"+traceEnding)
	return env.deliver(raw, o.trace, &outputFormat{name: "the trace", ending: traceEnding, private: true})
}

// dumpThreads writes thread dumps to a file, with a pause between them.
func (o *observation) dumpThreads(ctx context.Context, count int, between time.Duration) error {
	var text strings.Builder
	for i := range count {
		if i > 0 {
			if err := pause(ctx, between); err != nil {
				return err
			}
		}
		dump, err := attach.ThreadDump(ctx, o.process.PID)
		if err != nil {
			return cmp.Or(o.why, err)
		}
		o.virtual = strings.Contains(dump, virtualThreads)
		text.WriteString(dump)
	}
	o.dumps = filepath.Join(o.folder, "threads.txt")
	return os.WriteFile(o.dumps, []byte(text.String()), 0o600)
}

// dumpVirtual writes a thread dump with all virtual threads, if there are any: other dumps lack those that wait, and
// the agent lists only some of those that have waited since before. A JVM that refuses has no such threads.
func (o *observation) dumpVirtual(ctx context.Context) error {
	if !o.virtual {
		return nil
	}
	dump, err := attach.ThreadDumpAsJSON(ctx, o.process.PID)
	if err != nil {
		return ctx.Err()
	}
	o.all = filepath.Join(o.folder, "threads.json")
	return os.WriteFile(o.all, []byte(dump), 0o600)
}

// virtualIn returns the names of the virtual threads in a JSON dump, by their ids.
func virtualIn(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var dump struct {
		ThreadDump struct {
			ThreadContainers []struct {
				Threads []struct {
					TID     json.Number `json:"tid"`
					Name    string      `json:"name"`
					Virtual bool        `json:"virtual"`
				} `json:"threads"`
			} `json:"threadContainers"`
		} `json:"threadDump"`
	}
	names := map[string]string{}
	if json.Unmarshal(text, &dump) != nil {
		return names, nil // of another JVM
	}
	for _, container := range dump.ThreadDump.ThreadContainers {
		for _, t := range container.Threads {
			if t.Virtual {
				names[t.TID.String()] = t.Name
			}
		}
	}
	return names, nil
}

// beside reads a thread dump made during the recording. It takes the names of virtual threads by their ids, because
// printed dumps lack them. The recorder must stay open as long as the facts are used.
func (env *environment) beside(c *cli.Context, name string, recorder *critical.Recorder,
	names map[string]string) (*diagnosis.Facts, error) {
	states := &diagnosis.States{}
	observe := trace.Tee(recorder, states)
	named := trace.SinkFunc(func(r trace.Record) error {
		if t, ok := r.(*trace.ModelThread); ok && t.Unnamed && names[t.ID.String()] != "" {
			t.Name, t.Unnamed = names[t.ID.String()], false
		}
		return observe.Put(r)
	})
	if err := env.readDumps(c, name, named); err != nil {
		return nil, err
	}
	blamed, err := blame.Of(recorder, blame.Options{WithoutIdle: true})
	return &diagnosis.Facts{Blame: blamed, States: states, Deadlocks: deadlock.Of(recorder, selection.Window{})}, err
}

// readDumps reads the thread dumps in a file.
func (env *environment) readDumps(c *cli.Context, name string, sink trace.Sink) error {
	reading, err := env.openReading(c, []string{name}, "threaddump")
	if err != nil {
		return err
	}
	defer reading.close()
	reading.diagnostics.quiet = true // what dumps lack, the trace has
	return reading.enriched(c.Context, reading.inputs.Documents, sink)
}

// pause waits until the time is over or the context ends.
func pause(ctx context.Context, length time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(length):
		return nil
	}
}

// drawPage draws the page of the observation.
func (env *environment) drawPage(c *cli.Context, o *observation) error {
	name, format := o.input()
	page, err := chooseFormat("html", "")
	if err != nil {
		return err
	}
	return env.convertFiles(c, files{[]string{name}, format, filepath.Join(o.folder, "page.html")},
		convertOptions{format: page})
}

// samplesOf returns what threads were doing in the thread dumps made during the recording; nil without a trace. A trace
// has no calls of threads that compute.
func (env *environment) samplesOf(c *cli.Context, o *observation) (*samples.Summary, error) {
	if o.trace == "" {
		return nil, nil
	}
	found, described := samples.Collector{}, map[trace.ThreadKey]*trace.ModelThread{}
	observe := trace.SinkFunc(func(r trace.Record) error {
		found.Observe(r)
		if t, ok := r.(*trace.ModelThread); ok {
			defined := *t
			described[t.Key] = &defined
		}
		return nil
	})
	if err := env.readDumps(c, o.dumps, observe); err != nil {
		return nil, err
	}
	summary := found.Summary(func(key trace.ThreadKey) (string, bool) {
		return described[key].Name, described[key].OfJVM()
	})
	if summary != nil {
		summary.Alone = false
	}
	return summary, nil
}

// moreOfProcess returns the function for command lines that show more of a finding in a process, with virtual threads
// or without.
func moreOfProcess(pid int, virtual bool) func(diagnosis.More) string {
	return func(m diagnosis.More) string {
		if m.Analysis == "deadlocks" && !virtual { // it does not have their locks
			return fmt.Sprintf("trcx deadlocks --pid %d", pid)
		}
		return fmt.Sprintf("trcx why %d -o FOLDER", pid)
	}
}
