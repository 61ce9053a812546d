package tables

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
)

// service is the label by which JVMs are compared with their like.
const service = "service"

// alone are the labels in which JVMs that are alike differ.
var alone = []string{analyse.HourLabel, "host", "pid"}

// member is a JVM or an hour of a group.
type member struct {
	name   string
	length uint64 // of its traces, in nanoseconds
	labels string
}

// group are the JVMs, or the hours, of a service.
type group struct {
	members map[string]*member
	blocked map[string]map[string]uint64 // by class and member
}

// outliers lists the JVMs and hours whose blocked time per second of trace is beyond the median of their service by
// more than 6 median absolute deviations, for each class. They are those of the build with all labels.
func (b *build) outliers(of *build) Table {
	t := (&Table{Name: "outliers"}).add(Text, "of", "name", "class").add(Number, "rate", "median", "mad", "blocked")
	var found []*subject
	values := map[*subject][]any{}
	for kind, groups := range map[string]map[string]*group{"jvm": of.jvms(), "hour": of.hours()} {
		for _, g := range groups {
			g.each(func(class string, m member, blocked uint64, rate, median, mad uint64) {
				key := rows.Key{Labels: m.labels, Class: class, Kind: kind, Name: m.name}
				key.Labels = project(&key, of.labels, b.labels)
				s := &subject{Key: key}
				found, values[s] = append(found, s), []any{kind, m.name, class, rate, median, mad, blocked}
			})
		}
	}
	slices.SortFunc(found, func(x, y *subject) int { return x.Key.Compare(&y.Key) })
	return b.finish(t, found, func(s *subject) []any { return values[s] })
}

// jvms returns the JVMs by service.
func (b *build) jvms() map[string]*group {
	groups := map[string]*group{}
	for _, s := range subjects(b.all, rows.Trace) {
		if s.Length > 0 {
			groupIn(groups, b.service(s)).add(member{s.Trace, s.Length, s.Labels})
		}
	}
	for _, s := range subjects(b.all, rows.JVM) {
		groupIn(groups, b.service(s)).block(s.Class, s.Trace, s.Total)
	}
	return groups
}

// hours returns the hours by service; none without the label.
func (b *build) hours() map[string]*group {
	groups := map[string]*group{}
	if !slices.Contains(b.labels, analyse.HourLabel) {
		return groups
	}
	for _, s := range subjects(b.all, rows.Hour) {
		if hour := b.hour(s); hour != "" && s.Length > 0 {
			groupIn(groups, b.service(s)).add(member{hour, s.Length, b.service(s, analyse.HourLabel)})
		}
	}
	for _, s := range subjects(b.all, rows.Class) {
		if blocked := s.times[contention.Blocked.String()]; blocked != nil {
			groupIn(groups, b.service(s)).block(s.Class, b.hour(s), blocked.Total)
		}
	}
	return groups
}

// hour returns the hour of rows that have the label.
func (b *build) hour(s *subject) string {
	return s.LabelValues(len(b.labels))[slices.Index(b.labels, analyse.HourLabel)]
}

// service names the JVMs that are alike: by the label service, or else by all labels in which they do not differ. It
// returns the values of these and other labels, with "" for the rest.
func (b *build) service(s *subject, others ...string) string {
	values, named := s.LabelValues(len(b.labels)), slices.Contains(b.labels, service)
	for i, label := range b.labels {
		if !slices.Contains(others, label) && (named && label != service || slices.Contains(alone, label)) {
			values[i] = ""
		}
	}
	return rows.JoinLabels(values)
}

func groupIn(groups map[string]*group, name string) *group {
	if groups[name] == nil {
		groups[name] = &group{members: map[string]*member{}, blocked: map[string]map[string]uint64{}}
	}
	return groups[name]
}

// add adds a member, or the length of one that is known.
func (g *group) add(m member) {
	if known := g.members[m.name]; known != nil {
		known.length += m.length
		return
	}
	g.members[m.name] = &m
}

func (g *group) block(class, name string, total uint64) {
	if g.blocked[class] == nil {
		g.blocked[class] = map[string]uint64{}
	}
	g.blocked[class][name] += total
}

// each calls put for each class and each member that stands out.
func (g *group) each(put func(class string, m member, blocked uint64, rate, median, mad uint64)) {
	for class, blocked := range g.blocked {
		var rates, deviations []uint64
		for name, m := range g.members {
			rates = append(rates, perSecond(blocked[name], m.length))
		}
		middle := median(rates)
		for _, rate := range rates {
			deviations = append(deviations, max(rate, middle)-min(rate, middle))
		}
		mad := median(deviations)
		for name, m := range g.members {
			rate := perSecond(blocked[name], m.length)
			if rate > middle && (rate-middle-1)/6 >= mad { // more than 6 times, without overflow
				put(class, *m, blocked[name], rate, middle, mad)
			}
		}
	}
}

// perSecond returns the nanoseconds per second of a length above 0, rounded down; it saturates.
func perSecond(total, length uint64) uint64 {
	high, low := bits.Mul64(total, 1e9)
	if high >= length {
		return 1<<64 - 1
	}
	rate, _ := bits.Div64(high, low, length)
	return rate
}

// median returns the middle value, or the mean of the two in the middle, rounded down.
func median(values []uint64) uint64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[uint64])
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	return low + (high-low)/2
}
