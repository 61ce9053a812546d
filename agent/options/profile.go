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
	if !o.Parks {
		echo = append(echo, Setting{"parks", "false"})
	}
	if !o.IO {
		echo = append(echo, Setting{"io", "false"})
	}
	if o.WaitSets {
		echo = append(echo, Setting{"waitSets", "true"})
	}
	if o.Heap != NoHeap {
		echo = append(echo, Setting{"heap", o.Heap.String()})
	}
	echo = append(echo, o.echoExec()...)
	if o.Delay > 0 {
		echo = append(echo, Setting{"delay", o.Delay.String()})
	}
	if o.Duration > 0 {
		echo = append(echo, Setting{"duration", o.Duration.String()})
	}
	if o.MaxSize > 0 {
		echo = append(echo, Setting{"maxSize", sizeText(o.MaxSize)})
	}
	own := len(echo)
	for _, setting := range o.Profile {
		if !slices.ContainsFunc(echo[:own], func(s Setting) bool { return s.Key == setting.Key }) {
			echo = append(echo, setting)
		}
	}
	return echo
}

// echoExec returns the settings of how methods are recorded.
func (o *Options) echoExec() (echo []Setting) {
	switch o.Exec {
	case NoExec:
	case SampledMethods:
		echo = append(echo, Setting{"exec", o.Exec.String()}, Setting{"interval", o.Interval.String()})
	default:
		echo = append(echo, Setting{"exec", o.Exec.String()}, Setting{"minSize", fmt.Sprint(o.LeastSize())})
	}
	if o.Exec == Aggregated {
		echo = append(echo, Setting{"recursion", "folded"}, Setting{"maxNodes", fmt.Sprint(o.MaxNodes)})
		if o.Interval > 0 {
			echo = append(echo, Setting{"interval", o.Interval.String()})
		}
	}
	if o.AutoTune {
		echo = append(echo, Setting{"autoTune", "true"})
	}
	if o.Exec == Detailed {
		echo = append(echo, Setting{"overhead", "calibrated"})
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
