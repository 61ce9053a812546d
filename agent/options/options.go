package options

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Options are the agent's options. An empty text gives defaultOptions. The struct has a field for each option, and the
// content of the files that options name.
type Options struct {
	// Output is the destination of the trace. With a Ring, only the consumer uses it.
	Output Output
	// Contanalysis selects the events that contention analysis needs: callStart, callInterrupt, callNotify and
	// threadInterrupted.
	Contanalysis bool
	// Owner selects that the owner of a monitor is looked up when a thread is blocked.
	Owner bool
	// OwnerPeriod is the time between two samples of threads that hold what others are blocked on; 0 for no samples.
	OwnerPeriod time.Duration
	// Parks selects that parks are recorded: waits by LockSupport.park, which all of java.util.concurrent uses.
	Parks bool
	// IO selects that waits of platform threads for sockets, channels, pipes and selectors are recorded.
	IO bool
	// Heap selects which allocations are recorded.
	Heap Heap
	// Exec selects what is recorded of calls of methods.
	Exec Exec
	// MinSize is the least size in bytes of the code of methods whose calls are recorded; negative for the default of
	// Exec. See LeastSize.
	MinSize int
	// AutoTune selects that short methods that are called often are left out once they are known.
	AutoTune bool
	// MaxNodes is the limit of the nodes in all trees of calls, or of samples.
	MaxNodes int
	// Interval is the time between two samples of a thread, with SampledMethods. With Aggregated it is the time between
	// two writings of the trees of calls; 0 for once, at the end.
	Interval time.Duration
	// SampleFile is the file in which the JVM leaves its samples until they are in the trace; "" until it is known.
	SampleFile string
	// DumpOnExit is the name of the file for a heap dump when the JVM ends, "" for none. It ends with .hprof.
	DumpOnExit string
	// WaitSets selects that the threads which a notification removes from the wait set are looked up.
	WaitSets bool
	// StackDepth is the stack trace depth: the limit of frames in a recorded stack trace, 0 to maxStackDepth. With 0 no
	// stack traces are recorded.
	StackDepth int
	// FilterFile is the name of the filters file, "" for none; Filters is its content, set by ReadFiles.
	FilterFile string
	Filters    Filters
	// ProfileFile is the name of TPTP's options file, "" for none; Profile is its content, set by ReadFiles.
	ProfileFile string
	Profile     []Setting
	// Delay is the time before recording begins.
	Delay time.Duration
	// Duration is the time to record, 0 until the JVM ends.
	Duration time.Duration
	// MaxSize is the limit of the trace's size in bytes, 0 for none.
	MaxSize int64
	// Ring is the file descriptor of the memory shared with a consumer in another process, 0 for none.
	Ring int
	// Stop ends the running recording; no other option is set then.
	Stop bool
	// Ready waits until an attached agent records; no other option is set then.
	Ready bool
	// Summary asks an attached agent how its recording went; no other option is set then.
	Summary bool
	// Help prints Usage instead of recording.
	Help bool
	// Folder is the folder in which relative names are looked up, "" for the process's working folder; see Path. It is
	// not part of the text.
	Folder string
	// Text is the parsed text with the token masked: the trace's agentParameters.
	Text string
}

// maxStackDepth is the largest StackDepth.
const maxStackDepth = 512

// DefaultStackDepth is the StackDepth of an empty text: the largest that costs a program that is blocked all the time
// at most a few percent (bench/record.sh), and enough for the place in a program and its callers.
const DefaultStackDepth = 8

// DefaultOwnerPeriod is the OwnerPeriod of an empty text. A shorter one costs more; a longer one misses owners that
// hold something for some tens of milliseconds.
const DefaultOwnerPeriod = 10 * time.Millisecond

// Samples returns the OwnerPeriod; 0 if no owners are recorded.
func (o *Options) Samples() time.Duration {
	if !o.Owner {
		return 0
	}
	return o.OwnerPeriod
}

// DefaultFile is the default file of the trace, the same as TPTP's.
const DefaultFile = "trace.trcxml"

// defaultOptions returns the options of an empty text.
func defaultOptions() Options {
	return Options{Output: Output{Kind: File, Address: DefaultFile}, Contanalysis: true, Owner: true, Parks: true,
		IO: true, OwnerPeriod: DefaultOwnerPeriod, MinSize: -1, MaxNodes: DefaultMaxNodes,
		StackDepth: DefaultStackDepth}
}

// Parse parses the agent's text in either form. It opens no file; see ReadFiles. The error is one line that says what
// is wrong and what would be right.
func Parse(text string) (Options, error) {
	o := defaultOptions()
	o.Text = withoutToken(text)
	var err error
	if isTPTP(text) {
		err = o.parseTPTP(text)
	} else {
		err = shortSyntax.parse(&o, text)
	}
	if err == nil {
		err = o.check()
	}
	if o.Exec == SampledMethods && o.Interval == 0 {
		o.Interval = DefaultInterval
	}
	if err != nil {
		return Options{}, err
	}
	return o, nil
}

// check returns an error for options that are valid alone but not together.
func (o *Options) check() error {
	switch {
	case o.Stop && o.String() != "stop":
		return errors.New("stop ends a running recording; no other option is allowed with it")
	case o.Ready && o.String() != "ready":
		return errors.New("ready waits for a recording that was requested before; no other option is allowed with it")
	case o.Summary && o.String() != "summary":
		return errors.New("summary asks about a recording that was requested before; no other option is allowed with it")
	case o.Exec == SampledMethods && o.MinSize >= 0:
		return errors.New("min-size is about calls of methods, and exec=sampled records none")
	case o.SampleFile != "" && o.Ring == 0:
		return errors.New("sample-file is set by trcx record alone, with ring")
	case o.Exec != SampledMethods && o.Exec != Aggregated && o.Interval > 0:
		return errors.New("interval is the time between two samples, or until the trees of calls are written again: " +
			"it needs exec=sampled or exec=aggregated")
	case o.Exec == NoExec && (o.MinSize >= 0 || o.MaxNodes != DefaultMaxNodes):
		return errors.New("min-size and max-nodes are about calls of methods; say which are recorded by exec")
	case o.AutoTune && o.Exec != Aggregated:
		return errors.New("auto-tune leaves methods out of the tree of calls: it needs exec=aggregated")
	case o.Output.hasToken() && o.Output.Kind != TCP && o.Output.Kind != Unix:
		return errors.New("a token is for a listener: it needs tcp=HOST:PORT or unix=PATH")
	}
	return nil
}

// String returns the options in the short form, without those that are as in defaultOptions. Parse returns the same
// Options for it, except for the content of files. It contains the token and must not be shown.
func (o Options) String() string {
	var list items
	if def := defaultOptions(); o.Output.Kind != def.Output.Kind || o.Output.Address != def.Output.Address {
		list.add(o.Output.option())
	}
	list.add("token-file", o.Output.TokenFile)
	if o.Output.TokenFile == "" {
		list.add("token", o.Output.Token)
	}
	list.add("filters", o.FilterFile)
	list.add("profile", o.ProfileFile)
	list.addUnless(o.StackDepth == DefaultStackDepth, "stack-depth", fmt.Sprint(o.StackDepth))
	list.addUnless(o.Contanalysis, "no-contanalysis", "")
	list.addUnless(o.Owner, "no-owner", "")
	list.addUnless(o.OwnerPeriod == DefaultOwnerPeriod, "owner-period", o.OwnerPeriod.String())
	list.addUnless(o.Parks, "no-parks", "")
	list.addUnless(o.IO, "no-io", "")
	list.addUnless(!o.WaitSets, "wait-sets", "")
	list.addUnless(o.Heap == NoHeap, "heap", o.Heap.String())
	list.addUnless(o.Exec == NoExec, "exec", o.Exec.String())
	list.addUnless(o.MinSize < 0, "min-size", fmt.Sprint(o.MinSize))
	list.addUnless(!o.AutoTune, "auto-tune", "")
	list.addUnless(o.MaxNodes == DefaultMaxNodes, "max-nodes", fmt.Sprint(o.MaxNodes))
	list.addUnless(o.Interval == 0 || o.Exec == SampledMethods && o.Interval == DefaultInterval, "interval",
		o.Interval.String())
	list.add("sample-file", o.SampleFile)
	list.add("dump-on-exit", o.DumpOnExit)
	list.addUnless(o.Delay == 0, "delay", o.Delay.String())
	list.addUnless(o.Duration == 0, "duration", o.Duration.String())
	list.addUnless(o.MaxSize == 0, "max-size", sizeText(o.MaxSize))
	list.addUnless(o.Ring == 0, "ring", fmt.Sprint(o.Ring))
	list.addUnless(!o.Stop, "stop", "")
	list.addUnless(!o.Ready, "ready", "")
	list.addUnless(!o.Summary, "summary", "")
	list.addUnless(!o.Help, "help", "")
	return strings.Join(list, ",")
}

// Usage returns the help text of the agent's options.
func Usage() string {
	var b strings.Builder
	b.WriteString(
		"The agent's options, separated by commas; in a value, write \\, for a comma and \\\\ for a backslash:\n")
	shortSyntax.describe(&b)
	b.WriteString(
		"File names may contain %p (the process), %t (the time, UTC), %h (the host) and %% (a percent sign).\n")
	b.WriteString(
		"TPTP's form is accepted, too: JPIAgent:OPTION,…;ThreadProf:OPTION,… with these options of JPIAgent:\n")
	jpiAgent.describe(&b)
	b.WriteString("these of ThreadProf:\n")
	threadProf.describe(&b)
	b.WriteString("those of HeapProf, which records allocations:\n")
	heapProf.describe(&b)
	b.WriteString("and these of CGProf, which records calls of methods:\n")
	cgProf.describe(&b)
	return b.String()
}
