package jfr

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// matters has the types of events of which it matters whether, and from which duration on, they were recorded.
var matters = map[string]bool{
	"jdk.JavaMonitorEnter": true, "jdk.JavaMonitorWait": true, "jdk.ThreadSleep": true, "jdk.ThreadPark": true,
	"jdk.ThreadStart": true, "jdk.ThreadEnd": true,
	"jdk.GarbageCollection": true,
}

// always is what no recording tells.
var always = []trace.Lack{
	{What: "owners of monitors",
		Means: "who held a monitor when a thread was blocked is concluded from what happened before; from whom the " +
			"thread got it is known"},
	{What: "calls of Thread.interrupt",
		Means: "a wait or a sleep that ended early, and not by a notification, has no cause"},
	{What: "waits, parks and blocks that were not over at its end",
		Means: "such threads seem to run, so that a deadlock cannot be seen; a thread dump shows it"},
	{What: "identities of objects",
		Means: "an object is told by its address and class, and is another one after a collection that can " +
			"have moved it"},
}

// lacks says what the recording cannot tell.
func (r *reader) lacks() {
	o := &r.options
	if r.begun == 0 {
		return
	}
	for _, lack := range always {
		o.Lacks(true, lack.What, lack.Means)
	}
	o.Lacks(!r.notifications && r.counts["jdk.JavaMonitorWait"] > 0, "calls of notify",
		"they are concluded from the waits that they ended, at the latest moment that is possible; others are unknown")
	o.Lacks(r.virtuals && r.unpinned, "contended enters of virtual threads",
		"the JVM reports those of pinned ones only; others seem to run while they are blocked")
	o.Lacks(r.unbegun, "beginnings of waits of virtual threads",
		"the JVM reports such a wait when it is over, with a duration of some nanoseconds; so counts are right, "+
			"and sums leave the time out but for what comes after the notification")
	o.Lacks(r.virtuals, "parks of virtual threads",
		"the JVM reports those of pinned ones only; others seem to run while they are parked")
	var off, short []string
	for name, settings := range r.settings {
		name = strings.TrimPrefix(name, "jdk.")
		switch threshold := settings[settingThreshold]; {
		case settings[settingEnabled] == "false":
			off = append(off, name)
		case threshold != "" && !strings.HasPrefix(threshold, "0 "):
			short = append(short, name+" below "+threshold)
		}
	}
	slices.Sort(off)
	slices.Sort(short)
	o.Lacks(len(r.settings) == 0, "settings",
		"which events were switched off, and from which duration on they were recorded, is not known: what seems "+
			"not to have happened may not have been recorded")
	o.Lacks(len(off) > 0, "events "+strings.Join(off, ", "), "they were switched off when it was recorded")
	o.Lacks(len(short) > 0, "events "+strings.Join(short, ", "),
		"shorter ones were not recorded, so counts and sums leave them out; a threshold of 0 ms records all")
}

// preamble tells how many events of each type the recording has, for most types become nothing.
func (r *reader) preamble(t *telling) error {
	for _, name := range slices.Sorted(maps.Keys(r.counts)) {
		if r.counts[name] > 0 {
			t.put(t.Element(trace.Option, 0).Text(trace.AttrKey, "events."+name).Text(trace.AttrValue,
				strconv.FormatUint(r.counts[name], 10)))
		}
	}
	return t.err
}
