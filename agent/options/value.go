package options

import (
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// number sets a field to a whole number between least and most.
func number(least, most int, field func(*Options) *int) setter {
	return func(o *Options, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most || strings.HasPrefix(value, "+") {
			if most == math.MaxInt32 {
				return fmt.Errorf("want a whole number of %d or more", least)
			}
			return fmt.Errorf("want a whole number from %d to %d", least, most)
		}
		*field(o) = n
		return nil
	}
}

// text sets a field to any text.
func text(field func(*Options) *string) setter {
	return func(o *Options, value string) error {
		*field(o) = value
		return nil
	}
}

// flag sets a field to a fixed value, for a switch.
func flag(to bool, field func(*Options) *bool) setter {
	return func(o *Options, _ string) error {
		*field(o) = to
		return nil
	}
}

// boolean sets a field to true or false.
func boolean(field func(*Options) *bool) setter {
	return func(o *Options, value string) error {
		if value != "true" && value != "false" {
			return errors.New("want true or false")
		}
		*field(o) = value == "true"
		return nil
	}
}

// duration sets a field to a duration of at least least.
func duration(least time.Duration, field func(*Options) *time.Duration) setter {
	return func(o *Options, value string) error {
		given := value
		if strings.Trim(value, "0123456789.") == "" {
			value += "s"
		}
		d, err := time.ParseDuration(value)
		switch {
		case err != nil:
			return errors.New("want a time, such as 500ms, 90s, 1m30s, or seconds: 90")
		case d < 0:
			return errors.New("a time cannot be negative")
		case d < least:
			return fmt.Errorf("%s is too short", given)
		}
		*field(o) = d
		return nil
	}
}

// leastOwnerPeriod is the shortest OwnerPeriod: samples would hardly ever see a shorter block.
const leastOwnerPeriod = time.Millisecond

// setOwnerPeriod sets OwnerPeriod.
func setOwnerPeriod(o *Options, value string) error {
	err := duration(0, func(o *Options) *time.Duration { return &o.OwnerPeriod })(o, value)
	if err == nil && o.OwnerPeriod > 0 && o.OwnerPeriod < leastOwnerPeriod {
		return fmt.Errorf("want 0 or a time of %v or more", leastOwnerPeriod)
	}
	return err
}

// units are the units of sizes, largest first.
var units = []struct {
	name  string
	bytes int64
}{{"T", 1 << 40}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"", 1}}

// size sets a field to a number of bytes above 0.
func size(field func(*Options) *int64) setter {
	return func(o *Options, value string) error {
		for _, unit := range units {
			digits, ok := strings.CutSuffix(strings.ToUpper(value), unit.name)
			if !ok {
				continue
			}
			n, err := strconv.ParseUint(digits, 10, 63)
			if err != nil || n == 0 || int64(n) > math.MaxInt64/unit.bytes {
				break
			}
			*field(o) = int64(n) * unit.bytes
			return nil
		}
		return errors.New("want a size above 0: bytes, or a whole number with K, M, G or T, such as 500M")
	}
}

// sizeText returns a size in the form that size parses.
func sizeText(bytes int64) string {
	for _, unit := range units {
		if bytes%unit.bytes == 0 {
			return fmt.Sprint(bytes/unit.bytes) + unit.name
		}
	}
	return ""
}

// stdout is the file name of the standard output.
const stdout = "-"

func toFile(o *Options, value string) error {
	if value == stdout {
		o.Output.Kind, o.Output.Address = Stdout, ""
		return nil
	}
	if placeholder, found := unknownPlaceholder(value); found {
		return fmt.Errorf(
			"%q is not a placeholder: want %%p (the process), %%t (the time), %%h (the host) and %%%% (a percent sign)",
			placeholder)
	}
	o.Output.Kind, o.Output.Address = File, value
	return nil
}

func toTCP(o *Options, value string) error {
	host, port, err := net.SplitHostPort(value)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 || host == "" {
		return errors.New("want a host and a port from 1 to 65535, such as localhost:10006 or [::1]:10006")
	}
	o.Output.Kind, o.Output.Address = TCP, value
	return nil
}

// maxSocketPath is the limit of a socket's path in bytes: Linux has 108, with a zero byte at the end.
const maxSocketPath = 107

func toUnix(o *Options, value string) error {
	if len(value) > maxSocketPath {
		return fmt.Errorf("the path of a socket has at most %d bytes, this one has %d", maxSocketPath, len(value))
	}
	o.Output.Kind, o.Output.Address = Unix, value
	return nil
}

// setToken accepts a token that can be sent in a line.
func setToken(o *Options, value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return errors.New("it must be one line, without control characters")
	}
	o.Output.Token = value
	return nil
}

// Heap is the part of the allocations that is recorded.
type Heap uint8

// The parts.
const (
	NoHeap Heap = iota
	Sampled
	Full
)

// sampleInterval is the mean number of bytes between two samples: HotSpot's own default.
const sampleInterval = 512 << 10

// String returns the value of the option heap, "" for NoHeap.
func (h Heap) String() string { return [...]string{"", "sampled", "full"}[h] }

// Interval returns the mean number of bytes between two recorded allocations, 0 unless they are Sampled.
func (h Heap) Interval() int {
	if h == Sampled {
		return sampleInterval
	}
	return 0
}

func setHeap(o *Options, value string) error {
	switch value {
	case Sampled.String():
		o.Heap = Sampled
	case Full.String():
		o.Heap = Full
	default:
		return errors.New("want sampled or full")
	}
	return nil
}

// Exec is what is recorded of calls of methods; bci.CallKind has the same values.
type Exec uint8

// What is recorded.
const (
	NoExec Exec = iota
	Coverage
	Counts
	Aggregated
	Detailed
	SampledMethods // no calls, but samples of what threads run
)

// The Interval of samples without the option, and the shortest one.
const (
	DefaultInterval = 10 * time.Millisecond
	leastInterval   = time.Millisecond
)

// setInterval sets Interval. Flight recordings have it in whole milliseconds, as C has.
func setInterval(o *Options, value string) error {
	err := duration(0, func(o *Options) *time.Duration { return &o.Interval })(o, value)
	if err == nil && (o.Interval < leastInterval || o.Interval%time.Millisecond != 0) {
		return errors.New("want whole milliseconds, such as 10ms")
	}
	return err
}

// DefaultMaxNodes is the MaxNodes of an empty text: 64 MB.
const DefaultMaxNodes = 1_000_000

// timedMinSize is the least size of methods that are recorded with times: smaller ones are called often, and
// take less time than reading the clock.
const timedMinSize = 12

// execs are the values of the option exec.
var execs = []string{Coverage: "coverage", Counts: "counts", Aggregated: "aggregated", Detailed: "full",
	SampledMethods: "sampled"}

// String returns the value of the option exec, "" for NoExec.
func (e Exec) String() string { return execs[e] }

// Instruments returns what instrumented methods record of calls: Exec, or NoExec if the JVM samples methods.
func (o *Options) Instruments() Exec {
	if o.Exec == SampledMethods {
		return NoExec
	}
	return o.Exec
}

// LeastSize returns the least size of the code of methods whose calls are recorded.
func (o *Options) LeastSize() int {
	if o.MinSize < 0 && (o.Exec == Aggregated || o.Exec == Detailed) {
		return timedMinSize
	}
	return max(o.MinSize, 0)
}

func setExec(o *Options, value string) error {
	n := slices.Index(execs, value)
	if n <= 0 {
		return errors.New("want coverage, counts, aggregated, full or sampled")
	}
	o.Exec = Exec(n)
	return nil
}

// setExecDetails handles CGProf's option execdetails.
func setExecDetails(o *Options, value string) error {
	var details bool
	if err := boolean(func(*Options) *bool { return &details })(o, value); err != nil {
		return err
	}
	if details {
		o.Exec = Detailed
	}
	return nil
}

// setAllocsites handles HeapProf's option allocsites.
func setAllocsites(o *Options, value string) error {
	var all bool
	if err := boolean(func(*Options) *bool { return &all })(o, value); err != nil {
		return err
	}
	if o.Heap = Sampled; all {
		o.Heap = Full
	}
	return nil
}

// setDumpOnExit accepts the names that the JVM does.
func setDumpOnExit(o *Options, value string) error {
	if !strings.HasSuffix(value, ".hprof") {
		return errors.New("want a name that ends with .hprof")
	}
	o.DumpOnExit = value
	return nil
}
