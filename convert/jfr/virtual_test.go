package jfr

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// What recordings with virtual threads lack.
const (
	lackEnters = "contended enters of virtual threads"
	lackWaits  = "beginnings of waits of virtual threads"
	lackParks  = "parks of virtual threads"
)

func lacksOf(o outcome) (about []string) {
	for _, l := range o.lacks {
		if strings.Contains(l.What, "virtual") {
			about = append(about, l.What)
		}
	}
	return about
}

// TestVirtualThreads: if a recording has virtual threads, the information that its JVM does not record on them is
// reported.
func TestVirtualThreads(t *testing.T) {
	for _, one := range []struct {
		name              string
		unpinned, virtual bool
		nanos             int64
		group             string
		want              []string
	}{
		{"JDK 25, a wait without a length", true, true, 44, "main", []string{lackEnters, lackWaits, lackParks}},
		{"JDK 25, a pinned thread waits", true, true, 30_000_000, "main", []string{lackEnters, lackParks}},
		{"JDK 25, no virtual thread", true, false, 44, "main", nil},
		{"JDK 25, only a carrier", true, false, 44, "CarrierThreads", []string{lackEnters, lackParks}},
		{"JDK 21", false, true, 44, "main", []string{lackParks}},
		{"JDK 17", false, false, 44, "main", nil},
	} {
		b := newBuilder(second)
		b.unpinned = one.unpinned
		b.event(idWait, b.ticks(1000), 2*one.nanos, 100, 0, 0, 0, 0, written(false), 0x1000)
		b.checkpoint(0, []any{idThread, count(1), 100, "os", 4000, "worker", 7, 1, written(one.virtual)},
			[]any{idGroup, count(1), 1, 0, one.group})
		b.describe()
		o := readAll(t, b.bytes(), limits{})
		if got := lacksOf(o); !slices.Equal(got, one.want) {
			t.Errorf("%s: %q", one.name, got)
		}
		marked := strings.Contains(strings.Join(o.elements, ""), `<annotation name="began" value="unknown"/>`)
		if marked != slices.Contains(one.want, lackWaits) {
			t.Errorf("%s: %q", one.name, o.elements)
		}
	}
}

// TestVirtualThreadsOfJDK checks the documented events of virtual threads: JDK 24 and later record no contended enter
// and no duration of a wait, unless the thread is pinned.
func TestVirtualThreadsOfJDK(t *testing.T) {
	for _, j := range testtool.JDKs(t, 24) {
		t.Run(j.String(), func(t *testing.T) {
			content, err := os.ReadFile(record(t, j, "Virtual"))
			if err != nil {
				t.Fatal(err)
			}
			o := readAll(t, content, limits{})
			if got := lacksOf(o); !slices.Equal(got, []string{lackEnters, lackWaits, lackParks}) {
				t.Errorf("%q", got)
			}
			did, ids := map[string]int{}, map[string]string{}
			for _, e := range o.elements {
				kind, rest, _ := strings.Cut(e[1:], " ")
				if id, name := valueOf(rest, "threadId"), valueOf(rest, "threadName"); name != "" {
					ids[id] = name
				}
				if strings.Contains(e, `name="began"`) {
					kind += " without a beginning"
				}
				did[kind+" "+ids[valueOf(rest, "threadIdRef")]]++
			}
			want := map[string]int{
				"monContendedEnter enters": 0, "monContendedEnter entersPinned": 1, "monContendedEnter platform": 1,
				"monWait without a beginning waits": 1, "monWait without a beginning waitsPinned": 0,
				"monWait waitsPinned": 1,
			}
			for what, n := range want {
				if did[what] != n {
					t.Errorf("%s: %d times, not %d; all: %v", what, did[what], n, did)
				}
			}
		})
	}
}

// valueOf is the value of an attribute of an element.
func valueOf(element, name string) string {
	_, rest, _ := strings.Cut(" "+element, " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// TestWaitWithoutBeginning: a wait whose event has only the end begins at the notification, unless the thread acted
// after that.
func TestWaitWithoutBeginning(t *testing.T) {
	const waiter, notifier, monitor = 100, 101, 0x1000
	for _, one := range []struct {
		name         string
		slept        bool  // after the notification
		notifiedAt   int64 // the monitor
		wantedBefore bool
	}{
		{"notified", false, monitor, true},
		{"notified by another monitor", false, 0x2000, false},
		{"it ran after the notification", true, monitor, false},
	} {
		b := newBuilder(second)
		b.unpinned = true
		b.event(idSleep, b.ticks(100), 200, waiter, 0, 100)
		b.event(idNotify, b.ticks(1000), 0, notifier, 0, 0, 1, one.notifiedAt)
		if one.slept {
			b.event(idSleep, b.ticks(2000), 200, waiter, 0, 100)
		}
		b.event(idWait, b.ticks(5000), 2*44, waiter, 0, 0, notifier, 0, written(false), monitor)
		b.checkpoint(0, []any{idThread, count(2), waiter, "os", 4000, "waits", 7, 0, written(true), notifier, "os",
			4001, "notifies", 8, 0, written(true)})
		b.describe()
		o := readAll(t, b.bytes(), limits{})
		for _, f := range o.findings {
			t.Errorf("%s: %v", one.name, f)
		}
		waits := slices.IndexFunc(o.elements, func(e string) bool {
			return strings.HasPrefix(e, "<monWait ") &&
				strings.Contains(e, `"began"`)
		})
		calls := slices.IndexFunc(o.elements, func(e string) bool { return strings.HasPrefix(e, "<callNotify ") })
		if waits < 0 || calls < 0 || (waits < calls) != one.wantedBefore {
			t.Errorf("%s: %q", one.name, o.elements)
		}
	}
}
