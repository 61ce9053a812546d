package rows

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
)

// The tables. Each row is of one.
const (
	All      = "all"      // the times of all threads
	Pool     = "pool"     // by pool of threads
	Class    = "class"    // by class of monitors
	Caller   = "caller"   // by method
	Site     = "site"     // by place in the program and class of monitors
	Blame    = "blame"    // who kept threads waiting, by pool, state, and class of what they waited for
	Deadlock = "deadlock" // by signature
	Finding  = "finding"  // of the diagnosis, by kind, pool, class and place
	JVM      = "jvm"      // the time in which threads of one trace were blocked, by class of monitors
	Hour     = "hour"     // how long traces lasted, by hour
	Trace    = "trace"    // one for each file
	Dead     = "dead"     // one for each file that could not be read
)

// Key is what a row is about. Fields that a table does not have are empty.
type Key struct {
	Table string
	// Labels are the values of the labels, in the order of their names, joined by labelEnd.
	Labels string
	Class  string // of a monitor, or of the method
	Method string
	File   string // the source file of the class
	Line   uint64 // 0 if it is unknown
	In     string // the method of a library, for sites
	// Monitor is the class of what threads waited for, for sites and blame.
	Monitor string
	Pool    string
	Kind    string // of a finding or of blame
	State   string
	Name    string // a signature, the place of a finding, or the stage in which a file failed
	Trace   string // the name of the file
	// Time is the kind of time: blocked, waited and so on; "" for what is counted once whatever the kind.
	Time string
}

// labelEnd separates the values of labels in a Key. No value has it.
const labelEnd = "\x00"

// JoinLabels returns the values as Key.Labels has them.
func JoinLabels(values []string) string {
	clean := make([]string, len(values))
	for i, value := range values {
		clean[i] = strings.ReplaceAll(value, labelEnd, "")
	}
	return strings.Join(clean, labelEnd)
}

// LabelValues returns the values of n labels.
func (k *Key) LabelValues(n int) []string {
	values := make([]string, n)
	copy(values, strings.Split(k.Labels, labelEnd))
	return values
}

// texts are the fields of the key that are texts, in the order of columns.
func (k *Key) texts() [12]*string {
	return [...]*string{&k.Table, &k.Labels, &k.Class, &k.Method, &k.File, &k.In, &k.Monitor, &k.Pool, &k.Kind,
		&k.State, &k.Name, &k.Trace}
}

// Compare compares keys for the order of files.
func (k *Key) Compare(other *Key) int {
	others := other.texts()
	for i, text := range k.texts() {
		if order := strings.Compare(*text, *others[i]); order != 0 {
			return order
		}
	}
	return cmp.Or(cmp.Compare(k.Line, other.Line), strings.Compare(k.Time, other.Time))
}

// Value is what is known of a Key. All of it merges: sums add up.
type Value struct {
	// Count counts lengths, or deadlocks and findings. Open counts lengths that the end of the trace cut off. Total is
	// their sum, which saturates. Min and Max are 0 without lengths.
	Count, Open, Total uint64
	Min, Max           uint64
	// Buckets are the buckets of the lengths, ascending, as histogram.Distribution.Buckets returns them.
	Buckets [][2]uint64
	// Monitors and Threads count different ones, Traces the files that have the key.
	Monitors, Threads, Traces uint64
	// Start is the earliest start; 0 is unknown. Length is how long traces lasted.
	Start  int64
	Length uint64
	Events uint64 // of the model
	Bytes  uint64 // of files as they are stored
	// Status is complete, partial, empty or dead, the worst of several; "" for what is no file.
	Status string
	// Text is the name of an example file, or the reason why one is dead or partial: the least of several.
	Text string
}

// The states of a file.
const (
	Complete     = "complete"
	Partial      = "partial" // it has errors; what could be read counts
	Empty        = "empty"   // it has no events
	StatusOfDead = "dead"    // nothing of it could be read
)

var statuses = []string{"", Complete, Empty, Partial, StatusOfDead}

// Merge adds the other value, which stays unchanged.
func (v *Value) Merge(other *Value) {
	if other.Count > 0 {
		if v.Count == 0 || other.Min < v.Min {
			v.Min = other.Min
		}
		v.Max = max(v.Max, other.Max)
	}
	v.Count += other.Count
	v.Open += other.Open
	v.Total = histogram.Sum(v.Total, other.Total)
	v.Buckets = mergeBuckets(v.Buckets, other.Buckets)
	v.Monitors += other.Monitors
	v.Threads += other.Threads
	v.Traces += other.Traces
	if v.Start == 0 || other.Start != 0 && other.Start < v.Start {
		v.Start = other.Start
	}
	v.Length = histogram.Sum(v.Length, other.Length)
	v.Events += other.Events
	v.Bytes += other.Bytes
	if slices.Index(statuses, other.Status) > slices.Index(statuses, v.Status) {
		v.Status = other.Status
	}
	if v.Text == "" || other.Text != "" && other.Text < v.Text {
		v.Text = other.Text
	}
}

// mergeBuckets returns the sum of two sorted lists.
func mergeBuckets(a, b [][2]uint64) [][2]uint64 {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	sum := make([][2]uint64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch order := cmp.Compare(a[0][0], b[0][0]); {
		case order < 0:
			sum, a = append(sum, a[0]), a[1:]
		case order > 0:
			sum, b = append(sum, b[0]), b[1:]
		default:
			sum, a, b = append(sum, [2]uint64{a[0][0], a[0][1] + b[0][1]}), a[1:], b[1:]
		}
	}
	return append(append(sum, a...), b...)
}

// Of returns the value of the lengths.
func Of(d *histogram.Distribution) Value {
	return Value{Count: d.Count, Open: d.Open, Total: d.Total, Min: uint64(d.Min), Max: uint64(d.Max),
		Buckets: d.Buckets()}
}

// Distribution returns the lengths, and whether the figures agree.
func (v *Value) Distribution() (*histogram.Distribution, bool) {
	d := &histogram.Distribution{Count: v.Count, Open: v.Open, Total: v.Total, Min: int64(v.Min), Max: int64(v.Max)}
	return d, d.SetBuckets(v.Buckets)
}

// Row is a key with its value.
type Row struct {
	Key
	Value
}
