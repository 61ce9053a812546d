package options

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// Setting is a key with its value: a line of TPTP's options file, an option element of a trace.
type Setting struct{ Key, Value string }

// documented has the allowed values of each key of TPTP's options file with a fixed set of values.
var documented = map[string][]string{
	"MONITOR_MODE":         {"all", "none"},
	"FILTERS":              {"true", "false"},
	"TRACK_GC_EVENT_TYPES": {"none", "deletes", "frees", "moves", "deletesAndMoves", "movesAndFrees"},
	"ID_STYLE":             {"static", "relocatable"},
	"STACK_INFORMATION":    {"none", "normal", "boundary", "boundaryAndContiguous", "boundaryAndContigous"},
}

// parseProfile parses TPTP's options file: lines KEY = VALUE, and comments that begin with *.
func parseProfile(file string, text []byte) ([]Setting, error) {
	var settings []Setting
	for n, line := range lines(text) {
		if line == "" || line[0] == '*' || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" {
			return nil, fmt.Errorf("%s:%d: %s is neither KEY = VALUE nor a comment, which begins with *", file, n,
				sanitize.Quote(line))
		}
		if allowed := documented[key]; allowed != nil && !slices.Contains(allowed, value) {
			return nil, fmt.Errorf("%s:%d: %s=%s: want %s", file, n, key, sanitize.Quote(value),
				strings.Join(allowed, " or "))
		}
		settings = append(settings, Setting{key, value})
	}
	return settings, nil
}

// Echo returns the option elements of a trace: the agent's settings by TPTP's keys, then the other keys of TPTP's
// options file. A key of the first part is not repeated with the file's value, because the agent does not follow it.
func (o *Options) Echo() []Setting {
	stacks := "none"
	if o.StackDepth > 0 {
		stacks = "normal"
	}
	echo := []Setting{
		{"OPTIONS", "true"},
		{"TIMESTAMPS", "true"},
		{"MONITOR_MODE", "all"},
		{"STACK_INFORMATION", stacks},
		{"TICKET", fmt.Sprint(o.Exec == Detailed)},
		{"TRACE_IDREFS", "false"},
		{"CPU_TIME", "false"},
		{"FILTERS", fmt.Sprint(len(o.ActiveFilters()) > 0)},
		{"contanalysis", fmt.Sprint(o.Contanalysis)},
		{"owner", fmt.Sprint(o.Owner)},
		{"stackDepth", fmt.Sprint(o.StackDepth)},
	}
	add := func(is bool, key, value string) {
		if is {
			echo = append(echo, Setting{key, value})
		}
	}
	add(!o.Parks, "parks", "false")
	add(!o.IO, "io", "false")
	add(o.WaitSets, "waitSets", "true")
	add(o.Heap != NoHeap, "heap", o.Heap.String())
	add(o.Exec != NoExec, "exec", o.Exec.String())
	add(o.Instruments() != NoExec, "minSize", fmt.Sprint(o.LeastSize()))
	add(o.Exec == Aggregated, "recursion", "folded")
	add(o.Exec == Aggregated, "maxNodes", fmt.Sprint(o.MaxNodes))
	add(o.Exec == SampledMethods || o.Exec == Aggregated && o.Interval > 0, "interval", o.Interval.String())
	add(o.AutoTune, "autoTune", "true")
	add(o.Exec == Detailed, "overhead", "calibrated")
	add(o.Delay > 0, "delay", o.Delay.String())
	add(o.Duration > 0, "duration", o.Duration.String())
	add(o.MaxSize > 0, "maxSize", sizeText(o.MaxSize))
	own := len(echo)
	for _, setting := range o.Profile {
		if !slices.ContainsFunc(echo[:own], func(s Setting) bool { return s.Key == setting.Key }) {
			echo = append(echo, setting)
		}
	}
	return echo
}

// ActiveFilters returns the Filters, or nil if TPTP's options file disables them.
func (o *Options) ActiveFilters() Filters {
	if slices.Contains(o.Profile, Setting{"FILTERS", "false"}) {
		return nil
	}
	return o.Filters
}
