package diagnosis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// A recording with Facts.Moved numbers a lock of java.util.concurrent anew when a collection has moved it. So what seem
// to be several locks are told together, if the longest blocks on them were at one place.

// lockSite is what the parts of a lock that was moved share.
type lockSite struct {
	class string
	at    place
}

// parts returns how many locks to look at for so many findings: with Moved, they may be parts of a few.
func (f *facts) parts(locks int) int {
	if f.Moved {
		return locks * maxLocks
	}
	return locks
}

// withMoved returns the locks, the parts of those that a collection can have moved as one.
func (f *facts) withMoved(locks []lock) (all []lock) {
	first, parts := map[lockSite]int{}, map[int]map[identity]bool{}
	for i := range locks {
		l := &locks[i]
		site := lockSite{l.class, place{l.block.Method, l.block.Line}}
		at, found := first[site]
		switch {
		case !strings.HasPrefix(l.class, "java/util/concurrent/") || l.block.Method == nil:
			all = append(all, *l)
		case !found:
			first[site], parts[len(all)] = len(all), map[identity]bool{l.of: true}
			all = append(all, *l)
		default:
			all[at].join(l)
			parts[at][l.of] = true
		}
	}
	for at, ids := range parts {
		l := &all[at]
		if len(ids) == 1 {
			continue
		}
		if l.waiting = max(l.waiting, f.waitersFor(ids)); l.waiting > 1 {
			l.waiter = ""
		}
		l.title = strings.Replace(l.title, "lock ", "locks ", 1) + fmt.Sprintf(" and %d more", len(ids)-1)
		l.moved = "They may be one lock: this recording gives an object a new id when a collection may have moved it."
		slices.SortStableFunc(l.holders, func(a, b holder) int { return cmp.Compare(b.total, a.total) })
	}
	return all
}

// waitersFor returns the number of threads that were BLOCKED on the locks.
func (f *facts) waitersFor(locks map[identity]bool) int {
	all := map[trace.ThreadKey]bool{}
	for i := range f.blocks {
		if locks[identityOf(&f.blocks[i].Longest.Object)] {
			maps.Copy(all, f.blocks[i].Waiters)
		}
	}
	for i := range f.open {
		if locks[identityOf(&f.open[i].Longest.Object)] {
			maps.Copy(all, f.open[i].Waiters)
		}
	}
	return len(all)
}

// join adds another part of the lock. What the holders did is known of the parts only.
func (l *lock) join(part *lock) {
	l.total = histogram.Sum(l.total, part.total)
	l.open, l.waiting = l.open+part.open, max(l.waiting, part.waiting)
	l.inferred = l.inferred || part.inferred
	if part.longest > l.longest {
		l.longest, l.at = part.longest, part.at
	}
	for _, h := range part.holders {
		i := slices.IndexFunc(l.holders, func(known holder) bool { return known.key == h.key })
		if i < 0 {
			l.holders = append(l.holders, h)
			continue
		}
		known := &l.holders[i]
		if h.total > known.total {
			known.place, known.at, known.probable = h.place, h.at, h.probable
		}
		known.total = histogram.Sum(known.total, h.total)
		known.atPlace, known.alsoAt, known.doing = "", nil, ""
	}
}
