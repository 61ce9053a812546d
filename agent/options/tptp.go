package options

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/trcx/trcx/internal/sanitize"
)

// isTPTP reports whether the text is in TPTP's form, or seems meant to be.
func isTPTP(text string) bool {
	name := sectionName(split(text, ';')[0])
	return strings.HasPrefix(strings.ToUpper(name), "JPI") || profilers[name] != nil
}

func sectionName(section string) string {
	name, _, _ := strings.Cut(section, ":")
	return strings.TrimSpace(name)
}

// profilers are TPTP's profilers. With HeapProf, allocations are recorded in addition to threads and monitors.
var profilers = map[string]*syntax{threadProf.of: &threadProf, heapProf.of: &heapProf, cgProf.of: &cgProf}

// parseTPTP parses JPIAgent[:option,…];ThreadProf[:option,…];HeapProf[:option,…].
func (o *Options) parseTPTP(text string) error {
	o.Contanalysis = false
	sections := split(strings.TrimSuffix(text, ";"), ';')
	if name := sectionName(sections[0]); name != jpiAgent.of {
		return fmt.Errorf("TPTP's form begins with JPIAgent, not %s: JPIAgent:server=standalone,file=PATH;ThreadProf",
			sanitize.Quote(name))
	}
	if err := jpiAgent.parseSection(o, sections[0]); err != nil {
		return err
	}
	if profilers := sections[1:]; len(profilers) > 0 {
		return o.parseProfilers(profilers)
	}
	if o.Help {
		return nil
	}
	return errors.New(
		"JPIAgent has no profiler: add ;ThreadProf, ;HeapProf or ;CGProf (the ; must be quoted, or the shell ends the " +
			"command there)")
}

// parseProfilers parses the sections after JPIAgent's, each for another profiler.
func (o *Options) parseProfilers(sections []string) error {
	given := map[string]bool{}
	for _, section := range sections {
		name := sectionName(section)
		switch {
		case profilers[name] == nil:
			return fmt.Errorf("there is no profiler %s, only ThreadProf, HeapProf and CGProf", sanitize.Quote(name))
		case given[name]:
			return fmt.Errorf("%s is given twice", name)
		}
		given[name] = true
		switch name {
		case heapProf.of:
			o.Heap = Sampled
		case cgProf.of:
			o.Exec = Aggregated
		}
		if err := profilers[name].parseSection(o, section); err != nil {
			return err
		}
	}
	return nil
}

// parseSection parses a section: a name and, after a colon, options.
func (f *syntax) parseSection(o *Options, section string) error {
	_, list, _ := strings.Cut(section, ":")
	return f.parse(o, strings.TrimSpace(list))
}

// setServer accepts the mode without an agent controller.
func setServer(_ *Options, value string) error {
	switch value {
	case "standalone":
		return nil
	case "enabled", "controlled":
		return errors.New("an agent controller is not supported; write server=standalone and record to a file, " +
			"attach to a running JVM with trcx attach PID, or send to trcx listen with tcp=HOST:PORT")
	}
	return errors.New("want standalone")
}

// setFormat accepts the only format.
func setFormat(_ *Options, value string) error {
	switch value {
	case "xml":
		return nil
	case "binary":
		return errors.New("traces are written as XML; for a small one name a file that ends in .zst or .gz")
	}
	return errors.New("want xml")
}

// Groups of options that exclude each other.
const (
	groupOutput = "output"
	groupToken  = "token"
	groupCalls  = "contanalysis"
	groupOwner  = "owner"
	groupParks  = "parks"
	groupIO     = "io"
)

const tokenOption = "token"

// Fields that options of both forms set.
var (
	contanalysis = func(o *Options) *bool { return &o.Contanalysis }
	owner        = func(o *Options) *bool { return &o.Owner }
	parks        = func(o *Options) *bool { return &o.Parks }
	inputOutput  = func(o *Options) *bool { return &o.IO }
	help         = func(o *Options) *bool { return &o.Help }
	filterFile   = text(func(o *Options) *string { return &o.FilterFile })
	profileFile  = text(func(o *Options) *string { return &o.ProfileFile })
)

// shortSyntax is the agent's own form.
var shortSyntax = syntax{"", []option{
	{"file", "PATH", "write the trace to a file (trace.trcxml); .gz and .zst compress; - is the standard output",
		groupOutput, toFile},
	{"tcp", "HOST:PORT", "send the trace to a listener", groupOutput, toTCP},
	{"unix", "PATH", "send the trace to a listener on a socket of this machine", groupOutput, toUnix},
	{tokenOption, "TEXT", "the token of the listener", groupToken, setToken},
	{"token-file", "PATH", "the file with the token, which keeps it out of the command line", groupToken,
		text(func(o *Options) *string { return &o.Output.TokenFile })},
	{"filters", "PATH", "the file that selects the methods shown in stack traces", "", filterFile},
	{"profile", "PATH", "an options file of TPTP's", "", profileFile},
	{"stack-depth", "0…512", "depth of recorded stack traces, in frames (8); 0 for none", "",
		number(0, maxStackDepth, func(o *Options) *int { return &o.StackDepth })},
	{"contanalysis", "true|false", "record the events that contention analysis needs (true)", groupCalls,
		boolean(contanalysis)},
	{"no-contanalysis", "", "do not record which threads start, interrupt and notify others", groupCalls,
		flag(false, contanalysis)},
	{"owner", "true|false", "look up the owner of a monitor that a thread is blocked on (true)", groupOwner,
		boolean(owner)},
	{"no-owner", "", "do not record the owners of monitors, nor sample them", groupOwner, flag(false, owner)},
	{"owner-period", "TIME", "how often to sample the holders of what threads are blocked on (10ms); 0 for never", "",
		setOwnerPeriod},
	{"parks", "true|false", "record parks: waits of java.util.concurrent (true)", groupParks, boolean(parks)},
	{"no-parks", "", "do not record parks", groupParks, flag(false, parks)},
	{"io", "true|false", "record waits for input and output (true)", groupIO, boolean(inputOutput)},
	{"no-io", "", "do not record waits for input and output", groupIO, flag(false, inputOutput)},
	{"heap", "sampled|full", "record allocations and frees: a sample, or all", "", setHeap},
	{"exec", "coverage|counts|aggregated|full|sampled",
		"record calls of methods: which were called, how often, the tree of calls, or each call; or samples of methods", "",
		setExec},
	{"min-size", "BYTES", "leave out methods with less code (0; 12 with exec=aggregated and full)", "",
		number(0, math.MaxUint16, func(o *Options) *int { return &o.MinSize })},
	{"auto-tune", "", "with exec=aggregated: leave methods out that are called often and take less than 1 µs", "",
		flag(true, func(o *Options) *bool { return &o.AutoTune })},
	{"max-nodes", "NUMBER", "the limit of the nodes in all trees of calls (1000000)", "",
		number(1, 100_000_000, func(o *Options) *int { return &o.MaxNodes })},
	{"interval", "TIME", "with exec=sampled: the time between two samples of a thread (10ms); with exec=aggregated: write the " +
		"trees each TIME, and not only at the end", "", setInterval},
	{"sample-file", "PATH", "the file for the JVM's own samples, which trcx record removes", "",
		text(func(o *Options) *string { return &o.SampleFile })},
	{"dump-on-exit", "PATH", "have the JVM write a heap dump to a new file, NAME.hprof, when it ends", "",
		setDumpOnExit},
	{"wait-sets", "", "look up which threads each notify removes from the wait set; slow", "",
		flag(true, func(o *Options) *bool { return &o.WaitSets })},
	{"delay", "TIME", "wait before recording, such as 5s", "",
		duration(0, func(o *Options) *time.Duration { return &o.Delay })},
	{"duration", "TIME", "record for this time, such as 1m30s", "",
		duration(1, func(o *Options) *time.Duration { return &o.Duration })},
	{"max-size", "SIZE", "end at this size in bytes, such as 2G", "",
		size(func(o *Options) *int64 { return &o.MaxSize })},
	{"ring", "FD", "the memory shared with trcx record", "", number(3, math.MaxInt32, func(o *Options) *int {
		return &o.Ring
	})},
	{"stop", "", "end the running recording", "", flag(true, func(o *Options) *bool { return &o.Stop })},
	{"ready", "", "wait until an attached agent records", "", flag(true, func(o *Options) *bool { return &o.Ready })},
	{"summary", "", "say how a recording of an attached agent went, when it has ended", "",
		flag(true, func(o *Options) *bool { return &o.Summary })},
	{"help", "", "print this help; nothing is recorded", "", flag(true, help)},
}}

// jpiAgent are the options of TPTP's agent.
var jpiAgent = syntax{"JPIAgent", []option{
	{"server", "standalone", "the only mode", "", setServer},
	{"file", "PATH", "write the trace to a file (trace.trcxml)", "", toFile},
	{"filters", "PATH", "the file that selects the methods shown in stack traces", "", filterFile},
	{"profile", "PATH", "an options file", "", profileFile},
	{"format", "xml", "the only format", "", setFormat},
	{"help", "", "print this help; nothing is recorded", "", flag(true, help)},
}}

// heapProf are the options of TPTP's heap profiler.
var heapProf = syntax{"HeapProf", []option{
	{"allocsites", "true|false", "record all allocations, not a sample (false)", "", setAllocsites},
	{"help", "", "print this help; nothing is recorded", "", flag(true, help)},
}}

// cgProf are the options of TPTP's profiler of calls.
var cgProf = syntax{"CGProf", []option{
	{"execdetails", "true|false", "record each call by itself, not the tree of calls (false)", "", setExecDetails},
	{"help", "", "print this help; nothing is recorded", "", flag(true, help)},
}}

// threadProf are the options of TPTP's thread profiler.
var threadProf = syntax{"ThreadProf", []option{
	{"contanalysis", "true|false", "record the events that contention analysis needs (false)", "",
		boolean(contanalysis)},
	{"help", "", "print this help; nothing is recorded", "", flag(true, help)},
}}
