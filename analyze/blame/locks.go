package blame

import (
	"cmp"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Lock is a lock on which threads were BLOCKED, whether they got it or not.
type Lock struct {
	Object critical.Object
	Total  int64 // the sum of these times, up to the end of the trace, in nanoseconds
	Count  int   // number of these times
	// Waiters counts the different threads. Owners are the threads known to have held it meanwhile, the longest first.
	// FindOwners finds both.
	Waiters int
	Owners  []Owner
	// Inferred reports that an owner was concluded, not recorded.
	Inferred   bool
	ends, open []uint32 // segments that ended these times, and segments that are still open
}

// Owner is a thread that held a lock while others were BLOCKED on it.
type Owner struct {
	Thread critical.Thread
	Total  int64   // time of the others during which it held the lock, in nanoseconds
	Places []Place // where it was then, as far as known, the longest first
}

// Locks returns the locks on which threads were BLOCKED in the chosen waits, the largest sums first.
func (b *Blame) Locks() (locks []Lock) {
	at := map[uint32]int{}
	lockOf := func(s trace.SegmentID) *Lock {
		number := b.objects(s)
		i, known := at[number]
		if !known {
			i, at[number] = len(locks), len(locks)
			object, _, _ := b.recorder.WaitOf(s)
			locks = append(locks, Lock{Object: object})
		}
		return &locks[i]
	}
	for i := range b.locks.list {
		g := &b.locks.list[i]
		l := lockOf(b.recorder.Segment(trace.SegmentID(g.longest)).Previous)
		l.ends, l.Total, l.Count = slices.Clip(b.locks.endsOf(i)), g.total, int(g.count)
	}
	for s := range b.recorder.OddEnds {
		end := b.recorder.Segment(s)
		wait := b.recorder.Segment(end.Previous)
		from, to := b.blockedUpTo(uint32(s))
		if b.matches(end.Previous, wait) && (from < to || from == wait.Begin && from < b.until) {
			l := lockOf(end.Previous)
			l.ends = append(l.ends, uint32(s))
			l.count(int64(to - from))
		}
	}
	for i, s := range b.open {
		if isLock(b.openIn(i).Type) {
			l := lockOf(trace.SegmentID(s))
			l.open = append(l.open, s)
			l.count(max(b.openLength(uint32(i)), 0))
		}
	}
	locks = slices.DeleteFunc(locks, func(l Lock) bool { return !l.Object.ID.IsObject() })
	slices.SortStableFunc(locks, func(x, y Lock) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(y.Count, x.Count))
	})
	return locks
}

// Open returns the number of these times that the trace leaves open.
func (l *Lock) Open() int { return len(l.open) }

func (l *Lock) count(length int64) {
	l.Total = histogram.Sum(l.Total, length)
	l.Count++
}

// blockedUpTo returns, in the window, the time that the segment ended. It has no length if times go back.
func (b *Blame) blockedUpTo(end uint32) (from, to trace.Time) {
	from, to = b.finished.stretch(end)
	return from, max(from, to)
}

// FindOwners finds the threads that were BLOCKED on the locks, and the threads that held them.
func (b *Blame) FindOwners(locks []Lock) {
	all, ends := make([]contended, len(locks)), [][]uint32{}
	of := make([]uint32, b.recorder.Lines()+1) // by the numbers of holds: the lock's index plus one; 0 for others
	put := func(i int, s trace.SegmentID, from, to trace.Time) {
		l := &all[i]
		l.begins, l.ends = append(l.begins, from), append(l.ends, to)
		l.waiters[b.finished.known.threads[s]] = true
		l.Inferred = l.Inferred || from < to && b.recorder.InfersOwner(s)
		first, _ := b.recorder.Covered(s)
		of[first] = uint32(i + 1)
	}
	for i := range locks {
		all[i] = contended{Lock: &locks[i], waiters: map[trace.ThreadKey]bool{}, owners: map[trace.ThreadKey]int{}}
		ends = append(ends, locks[i].ends)
		for _, s := range locks[i].open {
			from := max(b.recorder.Begin(trace.SegmentID(s)), b.since)
			put(i, trace.SegmentID(s), from, max(from, min(b.recorder.OpenEnd(trace.SegmentID(s)), b.until)))
		}
	}
	for end, i := range inOrder(ends) {
		from, to := b.blockedUpTo(end)
		put(i, b.recorder.Segment(trace.SegmentID(end)).Previous, from, to)
	}
	for i := range all {
		l := &all[i]
		slices.Sort(l.begins)
		slices.Sort(l.ends)
		l.Waiters, l.now = len(l.waiters), l.begins[0]
	}
	of[0] = 0 // waits whose monitors are unknown
	b.passHolds(all, of)
	for i := range all {
		b.rankOwners(&all[i])
	}
}

// passHolds passes all holds of the locks, with the places of their owners. of has, by the numbers of holds, the index
// plus one of the lock for holds with which waits begin, and 0 for others.
func (b *Blame) passHolds(locks []contended, of []uint32) {
	for number := range of {
		if of[number] != 0 {
			of[b.recorder.Owned(uint32(number)).Next] = of[number]
		}
	}
	of[0] = 0
	var stays []critical.Stay
	for s := range b.recorder.Stays {
		if of[s.Hold] != 0 {
			stays = append(stays, s)
		}
	}
	slices.SortStableFunc(stays, func(x, y critical.Stay) int { return cmp.Compare(x.Hold, y.Hold) })
	for number, lock := range of {
		if lock == 0 {
			continue
		}
		hold, l, n := b.recorder.Owned(uint32(number)), &locks[lock-1], 0
		for n < len(stays) && stays[n].Hold == uint32(number) {
			n++
		}
		l.passStays(hold.At)
		l.owner, l.at, l.stays, stays = hold.Owner, critical.Spot{}, stays[:n], stays[n:]
	}
	for i := range locks {
		locks[i].passStays(math.MaxInt64)
	}
}

// contended is a lock whose owners are being found. Time passes from hold to hold, and the lock has one owner at a
// time. So many BLOCKED threads take no more time than one.
type contended struct {
	*Lock
	begins, ends []trace.Time // of the times in which threads were BLOCKED, ascending, from now on
	now          trace.Time
	blocked      int // number of threads now
	owner        trace.ThreadKey
	waiters      map[trace.ThreadKey]bool
	stays        []critical.Stay         // where the owner is, from times on
	at           critical.Spot           // where it is now
	owners       map[trace.ThreadKey]int // the indexes of Owners
	places       []map[spot]int          // indexes of places, by these indexes
}

// spot is a place of an owner.
type spot struct {
	place uint32
	guess bool
}

// passStays passes the time up to the given one, from one place of the owner to the next.
func (l *contended) passStays(to trace.Time) {
	for _, s := range l.stays {
		if s.At >= to {
			break
		}
		l.pass(s.At)
		l.at = s.Spot
	}
	l.pass(to)
}

// pass passes the time up to the given one while the owner stays at its place.
func (l *contended) pass(to trace.Time) {
	sum := int64(0)
	for l.now < to && len(l.ends) > 0 {
		next := min(to, l.ends[0])
		if len(l.begins) > 0 {
			next = min(next, l.begins[0])
		}
		sum = histogram.Sum(sum, histogram.Product(int64(next-l.now), l.blocked))
		l.now = next
		for ; len(l.begins) > 0 && l.begins[0] == next; l.begins = l.begins[1:] {
			l.blocked++
		}
		for ; len(l.ends) > 0 && l.ends[0] == next; l.ends = l.ends[1:] {
			l.blocked--
		}
	}
	if l.owner != 0 && sum > 0 {
		l.count(sum)
	}
}

// count counts a time of the owner at its place.
func (l *contended) count(length int64) {
	i, known := l.owners[l.owner]
	if !known {
		i, l.owners[l.owner] = len(l.Owners), len(l.Owners)
		l.Owners, l.places = append(l.Owners, Owner{}), append(l.places, map[spot]int{})
	}
	o := &l.Owners[i]
	o.Total = histogram.Sum(o.Total, length)
	if l.at.Place == 0 {
		return
	}
	at := spot{l.at.Place, l.at.Probable}
	n, known := l.places[i][at]
	if !known {
		n, l.places[i][at] = len(o.Places), len(o.Places)
		o.Places = append(o.Places, Place{Probable: at.guess})
	}
	o.Places[n].Total = histogram.Sum(o.Places[n].Total, length)
}

// rankOwners describes the owners of the lock and their places, and sorts them.
func (b *Blame) rankOwners(l *contended) {
	for key, i := range l.owners {
		o := &l.Owners[i]
		o.Thread, _ = b.recorder.Thread(key)
		for at, n := range l.places[i] {
			o.Places[n].Frame = b.recorder.Frame(at.place)
		}
		slices.SortStableFunc(o.Places, func(x, y Place) int { return cmp.Compare(y.Total, x.Total) })
	}
	slices.SortStableFunc(l.Owners, func(x, y Owner) int { return cmp.Compare(y.Total, x.Total) })
}
