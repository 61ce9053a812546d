package trace

import (
	"slices"
	"strings"
)

// The keys of options by which trcx passes on what elements cannot say.
const (
	// OptionDropped marks a place where the agent has lost records. Its value is their number since the previous one.
	OptionDropped = "trcx.dropped"
	// OptionNotRecorded names what the agent cannot record in this JVM.
	OptionNotRecorded = "trcx.notRecorded"
	// OptionAlignment is the alignment of objects in bytes, where it is not LeastAlignment.
	OptionAlignment = "trcx.alignment"
	// The load of all processors, by the JVM and in all: decimal numbers from 0 to 1.
	OptionJVMLoad        = "cpu.jvm"
	OptionJVMMaxLoad     = "cpu.jvm.max"
	OptionMachineLoad    = "cpu.machine"
	OptionMachineMaxLoad = "cpu.machine.max"

	// OptionTrouble begins the keys of the JVM's reports that are not about single threads, such as "trouble.pinned". A
	// value begins with the number of cases, their total and the longest in nanoseconds.
	OptionTrouble = "trouble."
)

// IsKnownOption reports whether trcx or TPTP defines the option of the key: its value is a number, a word or a flag.
func IsKnownOption(key string) bool {
	return slices.Contains(knownOptions[:], key) || strings.HasPrefix(key, OptionTrouble)
}

// knownOptions are TPTP's options, the agent's options about how it recorded, and the constants above.
var knownOptions = [...]string{
	"OPTIONS", "TIMESTAMPS", "MONITOR_MODE", "STACK_INFORMATION", "TICKET", "TRACE_IDREFS", "CPU_TIME", "FILTERS",
	"contanalysis", "owner", "parks", "io", "waitSets", "heap", "stackDepth", "exec", "minSize", "recursion", "maxNodes",
	"interval", "sampler", "intervalReached", "delay", "duration", "maxSize",
	OptionDropped, OptionNotRecorded, OptionAlignment, OptionJVMLoad, OptionJVMMaxLoad,
	OptionMachineLoad, OptionMachineMaxLoad,
}
