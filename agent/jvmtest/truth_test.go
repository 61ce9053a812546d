package jvmtest

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// Truth is a program's log of its own actions. The file has lines of four forms:
//
//	reports KIND                   the program reports every event of the kind
//	deadlock ID ID …               the threads block each other in this order forever
//	thread ID platform|virtual NAME
//	WHAT ID BEGIN END CLASS PEER HOW VALUE
//
// The last form is an action of the thread with the ID; records has a handler for each WHAT. BEGIN and END are
// nanoseconds since the Unix epoch, CLASS is a monitor's or "-", PEER another thread's id or 0.
type Truth struct {
	Facts   []Fact
	reports map[Kind]bool
	threads map[string]thread // by id
	objects map[string]bool   // monitors' classes
}

type thread struct {
	name    string
	virtual bool
}

// record is a line of the last form.
type record struct {
	what       string
	thread     string
	begin, end trace.Time
	object     string
	peer       string
	how        string
	value      int64
	spent      bool // an interrupt that may have had its effect already
}

// ReadTruth reads a truth file.
func ReadTruth(in io.Reader) (*Truth, error) {
	t := &Truth{reports: map[Kind]bool{}, threads: map[string]thread{}, objects: map[string]bool{}}
	var all []record
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 2 && fields[0] == "reports":
			t.reports[Kind(fields[1])] = true
		case len(fields) > 2 && fields[0] == "deadlock":
			t.Facts = append(t.Facts, deadlock(fields[1:]))
		case len(fields) > 2 && fields[0] == "thread":
			t.threads[fields[1]] = thread{strings.Join(fields[3:], " "), fields[2] == "virtual"}
		default:
			r, err := parseRecord(fields)
			if err != nil {
				return nil, fmt.Errorf("line %d of the truth: %w", number, err)
			}
			all = append(all, r)
		}
	}
	t.conclude(all)
	return t, lines.Err()
}

func parseRecord(fields []string) (r record, err error) {
	if len(fields) != 8 || records[fields[0]] == nil {
		return r, fmt.Errorf("%q is not a record: want WHAT ID BEGIN END CLASS PEER HOW VALUE",
			strings.Join(fields, " "))
	}
	var numbers [3]int64
	for i, field := range []int{2, 3, 7} {
		if numbers[i], err = strconv.ParseInt(fields[field], 10, 64); err != nil {
			return r, fmt.Errorf("%q is not a number", fields[field])
		}
	}
	return record{
		what: fields[0], thread: fields[1], begin: trace.Time(numbers[0]), end: trace.Time(numbers[1]),
		object: fields[4], peer: fields[5], how: fields[6], value: numbers[2],
	}, nil
}

// deadlock returns the fact that these threads block each other. All members of a cycle have the same subject.
func deadlock(loop []string) Fact {
	first := slices.Index(loop, slices.Min(loop))
	loop = slices.Concat(loop[first:], loop[:first])
	return Fact{subject: subject{Deadlock, loop[0], strings.Join(loop, " ")}, End: forever, Sure: true}
}

// forever is a time later than all others, without overflow in sums.
const forever trace.Time = 1 << 62

// records are the handlers that add the facts of a record, once all threads are read.
var records = map[string]func(t *Truth, r *record){
	"run":   func(*Truth, *record) {},
	"end":   func(*Truth, *record) {},
	"clear": func(*Truth, *record) {},
	"park":  func(*Truth, *record) {},
	"start": (*Truth).started,
	"notify": func(t *Truth, r *record) {
		t.add(r, Fact{subject: subject{Kind: CallNotify, Object: r.object}, Sure: true})
	},
	"interrupt": func(t *Truth, r *record) {
		t.add(r, Fact{subject: subject{Kind: CallInterrupt, Object: "#" + r.peer}, Sure: true})
	},
	"wait": (*Truth).waited,
	"join": (*Truth).joined,
	"sleep": func(t *Truth, r *record) {
		t.add(r, Fact{subject: subject{Kind: Sleep}, Millis: r.value, Sure: !noSleep(r)})
	},
	"enter": (*Truth).entered,
}

// conclude adds the facts of the records.
func (t *Truth) conclude(all []record) {
	slices.SortStableFunc(all, func(a, b record) int { return cmp.Compare(a.begin, b.begin) })
	for i := range all {
		if r := &all[i]; r.object != "-" {
			t.objects[r.object] = true
		}
	}
	for id, thread := range t.threads {
		t.Facts = append(t.Facts, Fact{subject: subject{Thread, id, thread.name}, End: forever, Sure: true})
	}
	for i := range all {
		records[all[i].what](t, &all[i])
	}
	t.interrupts(all)
	t.runs(all)
}

// add adds a fact with the record's thread and times.
func (t *Truth) add(r *record, f Fact) {
	f.Thread, f.Begin, f.End = r.thread, r.begin, r.end
	t.Facts = append(t.Facts, f)
}

// started adds the start of the peer, which ends when the peer runs; see runs. With the value 1 the thread was only
// created, to be started soon.
func (t *Truth) started(r *record) {
	if r.value == 0 {
		t.add(r, Fact{subject: subject{Kind: CallStart, Object: "#" + r.peer}, Sure: true})
	}
	t.Facts = append(t.Facts, Fact{subject: subject{Kind: Start, Thread: r.peer}, Begin: r.begin, End: r.end,
		Causes: []Cause{{By: r.thread}}, Sure: true})
}

// runs moves the ends of starts to the times at which the started threads ran.
func (t *Truth) runs(all []record) {
	ran := map[string]trace.Time{}
	for _, r := range all {
		if r.what == "run" {
			ran[r.thread] = r.end
		}
	}
	for i := range t.Facts {
		if f := &t.Facts[i]; f.Kind == Start {
			f.End = max(f.End, ran[f.Thread])
		}
	}
}

// waited adds the end of a wait; the value is the time at which the peer has notified it.
func (t *Truth) waited(r *record) {
	switch r.how {
	case "notified", "notifiedAll":
		kind := map[string]Kind{"notified": Notify, "notifiedAll": NotifyAll}[r.how]
		t.add(r, Fact{subject: subject{Kind: kind, Object: r.object}, Causes: []Cause{{r.peer, trace.Time(r.value)}},
			Sure: true})
	case "timeout":
		t.add(r, Fact{subject: subject{Kind: Timeout, Object: r.object}, Sure: true})
	case "unsure":
		t.add(r, Fact{subject: subject{Kind: unsure}})
	}
}

// joined adds the end of a join of the peer; the value is 1 if the thread was seen to wait.
func (t *Truth) joined(r *record) {
	object := "#" + r.peer
	switch r.how {
	case "ended":
		t.add(r, Fact{subject: subject{Kind: Join, Object: object}, Causes: []Cause{{By: r.peer}}, Sure: r.value == 1})
	case "timeout":
		t.add(r, Fact{subject: subject{Kind: Timeout, Object: object}, Sure: true})
	case "unsure":
		t.add(r, Fact{subject: subject{Kind: unsure}})
	}
}

// entered adds a hand-off by the peer, the previous owner; the value is 1 if the thread was seen to be blocked.
func (t *Truth) entered(r *record) {
	if r.peer != "0" && r.peer != r.thread {
		t.add(r, Fact{subject: subject{Kind: Handoff, Object: r.object}, Causes: []Cause{{By: r.peer}},
			Sure: r.value == 1})
	}
}

// noSleep reports whether the record is a sleep of 0 ms, which a trace need not show.
func noSleep(r *record) bool { return r.what == "sleep" && r.value == 0 }

// interrupts determines which interrupts have ended the interrupted waits, joins, sleeps and parks. An interrupt that
// has ended a park, and then lets the next wait end at once, counts for the park. If the park's time was over, too,
// either can have ended it.
func (t *Truth) interrupts(all []record) {
	calls := map[string][]record{} // by the interrupted thread, without those that had their effect
	for _, r := range all {
		if r.what == "interrupt" {
			calls[r.peer] = append(calls[r.peer], r)
		}
	}
	slices.SortStableFunc(all, func(a, b record) int { return cmp.Compare(a.end, b.end) })
	for i := range all {
		r := &all[i]
		cleared := r.what == "clear" && r.value == 1
		if r.how != "interrupted" && !cleared && r.what != "park" {
			continue
		}
		set := flagSet(calls[r.thread], r)
		if causes, sure := setters(calls[r.thread], set); !cleared && len(causes) > 0 {
			t.add(r, Fact{subject: subject{Kind: Interrupt}, Causes: causes,
				Sure: sure && !noSleep(r) && r.how == "interrupted"})
		}
		if r.what == "park" && r.how != "interrupted" {
			markSpent(calls[r.thread], r.end)
			continue
		}
		calls[r.thread] = spend(calls[r.thread], set, r.end)
	}
}

// flagSet returns the time since which the interrupt flag was certainly set, before the record cleared it.
func flagSet(calls []record, r *record) trace.Time {
	first := r.end
	for _, call := range calls {
		if !call.spent {
			first = min(first, call.end)
		}
	}
	return max(first, r.begin)
}

// setters returns the calls that can have set the flag, and whether one of them certainly had no effect before. If
// there are several, it is unknown which one set it, unless one came later.
func setters(calls []record, set trace.Time) (causes []Cause, sure bool) {
	for _, call := range calls {
		if call.begin <= set {
			causes = append(causes, Cause{call.thread, call.begin})
			sure = sure || !call.spent
		}
	}
	return causes, sure
}

// markSpent marks the calls that began until the time: they may have had their effect.
func markSpent(calls []record, until trace.Time) {
	for i := range calls {
		if calls[i].begin <= until {
			calls[i].spent = true
		}
	}
}

// spend removes the calls before the flag was cleared. Those during that time may have had no effect.
func spend(calls []record, set, cleared trace.Time) (left []record) {
	for _, call := range calls {
		if call.end > set {
			call.spent = call.spent || call.begin <= cleared
			left = append(left, call)
		}
	}
	return left
}
