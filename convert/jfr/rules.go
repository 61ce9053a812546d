package jfr

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The ids of the rules.
const (
	ruleHeader     = "jfr-header"
	ruleTruncated  = "jfr-truncated"
	ruleUnfinished = "jfr-unfinished"
	ruleChunkSize  = "jfr-chunk-size"
	ruleEventSize  = "jfr-event-size"
	ruleMetadata   = "jfr-metadata"
	ruleType       = "jfr-type"
	ruleChain      = "jfr-chain"
	ruleConstants  = "jfr-constants"
	ruleConstant   = "jfr-constant"
	ruleCycle      = "jfr-cycle"
	ruleEvent      = "jfr-event"
	ruleTime       = "jfr-time"
	ruleTooLarge   = "jfr-too-large"
	ruleOverlap    = "jfr-overlap"
	ruleRepeated   = "jfr-repeated"
	ruleOrder      = "jfr-order"
	ruleDump       = "jfr-dump"

	// RuleLost is the rule of findings on events that the JVM has lost.
	RuleLost = "jfr-lost"
)

//go:embed rules.txt
var rules string

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }

// reportedTypes are the types of events whose settings are reported: whether they were recorded, and from which
// duration on.
var reportedTypes = map[string]bool{
	"jdk.JavaMonitorEnter": true, "jdk.JavaMonitorWait": true, "jdk.ThreadSleep": true, "jdk.ThreadPark": true,
	"jdk.ThreadStart": true, "jdk.ThreadEnd": true,
	"jdk.SocketRead": true, "jdk.SocketWrite": true, "jdk.FileRead": true, "jdk.FileWrite": true,
	"jdk.GarbageCollection": true, "jdk.GCPhasePause": true,
}

// NoIdentities says that an object that a collection may have moved counts as a new one.
func NoIdentities() trace.Lack { return noIdentities }

var noIdentities = trace.Lack{What: "identities of objects",
	Means: "objects are identified by address and class; an object that a collection may have moved counts as a new one"}

// NoVirtualParks says that virtual threads which are parked seem to run.
func NoVirtualParks() trace.Lack { return noVirtualParks }

var noVirtualParks = trace.Lack{What: "parks of virtual threads",
	Means: "the JVM reports them for pinned threads only; other threads seem to run while they are parked"}

// NoVirtualBlocks says that virtual threads which are blocked on a monitor seem to run.
func NoVirtualBlocks() trace.Lack { return noVirtualBlocks }

var noVirtualBlocks = trace.Lack{What: "contended enters of virtual threads",
	Means: "the JVM reports them for pinned threads only; other threads seem to run while they are blocked"}

// unsupported is missing in every recording.
var unsupported = []trace.Lack{
	{What: "owners of monitors",
		Means: "the owner at the time of a block is inferred from earlier events; the previous owner is known"},
	{What: "calls of Thread.interrupt",
		Means: "a wait or sleep that ended early without a notification has no cause"},
	noIdentities,
}

// reportUnsupported reports the information that the recording does not have.
func (r *reader) reportUnsupported() {
	o := &r.options
	if r.chunks == 0 {
		return
	}
	for _, u := range unsupported {
		o.Unsupported(true, u.What, u.Means)
	}
	o.Unsupported(len(r.dumps) == 0, "waits, parks and blocks still open at the end",
		"such threads seem to run, so deadlocks are not visible; a thread dump shows them, or jdk.ThreadDump events")
	o.Unsupported(len(r.dumps) > 0, "beginnings of waits, parks and blocks still open at the end",
		"the recording's thread dumps show them, and they begin when they are seen or must have begun")
	o.Unsupported(!r.notifies && r.counts["jdk.JavaMonitorWait"] > 0, "calls of notify",
		"they are inferred from the waits that they ended, at the latest possible time; others are unknown")
	o.Unsupported(r.virtual && r.unmounts, noVirtualBlocks.What, noVirtualBlocks.Means)
	o.Unsupported(r.endOnly, "beginnings of waits of virtual threads",
		"the JVM reports such a wait when it is over, with a duration of some nanoseconds; counts are right, but sums "+
			"include only the time after the notification")
	o.Unsupported(r.virtual, noVirtualParks.What, noVirtualParks.Means)
	o.Unsupported(len(r.settings) == 0, "settings",
		"it is unknown which events were switched off and from which duration on they were recorded: a missing event "+
			"may have happened")
	r.reportSettings()
}

// reportSettings reports the events that the recording's settings switched off, or recorded only if they were long.
func (r *reader) reportSettings() {
	var off, short, settings []string
	for _, name := range slices.Sorted(maps.Keys(r.settings)) {
		title := strings.TrimPrefix(name, "jdk.")
		switch threshold := r.settings[name][settingThreshold]; {
		case r.settings[name][settingEnabled] == "false":
			off, settings = append(off, title), append(settings, name+"#enabled=true")
		case threshold != "" && !strings.HasPrefix(threshold, "0 "):
			short, settings = append(short, title+" below "+threshold), append(settings, name+"#threshold=0ms")
		}
	}
	option := startOption + strings.Join(settings, ",")
	r.options.Lacks(len(off) > 0, trace.Lack{What: "events " + strings.Join(off, ", "),
		Means: "they were switched off in the recording", Option: option})
	r.options.Lacks(len(short) > 0, trace.Lack{What: "events " + strings.Join(short, ", "), Option: option,
		Means: "shorter ones were not recorded, so counts and sums exclude them; a threshold of 0 ms records all"})
}

// startOption is the option of the java command, since JDK 17, that records with the settings after it.
const startOption = "-XX:StartFlightRecording:"

// emitCounts emits the number of events of each type, also of types that are not decoded.
func (r *reader) emitCounts(m *emitter) error {
	for _, name := range slices.Sorted(maps.Keys(r.counts)) {
		if r.counts[name] > 0 {
			m.option("events."+name, strconv.FormatUint(r.counts[name], 10))
		}
	}
	r.emitLoad(m)
	r.emitTroubles(m)
	return m.err
}
