package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Holder is a thread that had something, such as a permit or a pool's connection, while others waited for it, and gave
// it to one of them later.
type Holder struct {
	Thread  critical.Thread
	Total   int64 // time of the waits during which it had one, in nanoseconds
	Longest int64 // the longest time for which it had one
	// Likely reports that it had not waited for it. Then it only probably had it since the others began to wait.
	Likely bool
	// As is what it did for most of that time, Place is where, and AtPlace how long.
	As      trace.State
	Place   trace.Frame
	AtPlace int64
}

// minRound is the least number of threads that pass on something that is no semaphore.
const minRound = 3

// turn is a wait for what threads pass on to each other.
type turn struct {
	thread, by trace.ThreadKey // by is 0 if it is unknown who ended it
	from, to   trace.Time
	// vain reports that the thread found nothing left: it waited again, so this is no turn, and from equals to.
	vain bool
}

// holding is a time in which a thread had something that it then gave to a waiting thread.
type holding struct {
	thread   trace.ThreadKey
	from, to trace.Time
	likely   bool
}

// Holders returns the threads that had what the threads of the group waited for, the longest first. It is nil unless
// most of the givers had waited for it, too, since otherwise they made what they gave, as a thread does that gives
// permits again and again. It is nil as well if threads waited for several objects.
//
// A thread that has waited has it until it gives it to a waiting thread. Nobody else can take it while threads wait,
// except by chance. So a giver that has not waited has had it since the threads began to wait.
func (b *Blame) Holders(g *Group, semaphore bool) []Holder {
	if g.Objects != 1 || g.Count < 2 || g.Longest.Type != trace.WaitingForObject || b.finished.tooLong {
		return nil
	}
	turns := b.turns(g)
	if !goesRound(turns, semaphore) {
		return nil
	}
	queue := newQueue(turns)
	if semaphore && makes(turns, queue, turns[len(turns)-1].to) {
		return nil
	}
	all, _ := b.holdings(turns, queue)
	return b.holdersOf(all, queue)
}

// Keepers returns the threads that got what the threads of the group still wait for, after waiting for it, too, and
// gave none back. It returns only threads for which the trace shows that: others have been waiting ever since. It
// returns none if a thread made what it gave, as then nobody has to give it back.
func (b *Blame) Keepers(g *OpenGroup) (keepers []critical.Thread) {
	var ends []trace.SegmentID
	_, open := b.recorder.Thread(g.Longest.Thread.Key)
	for _, s := range b.finished.ends {
		wait := b.recorder.Segment(trace.SegmentID(s)).Previous
		if b.recorder.Segment(wait).Type == trace.WaitingForObject && b.objects(wait) == b.objects(open) {
			ends = append(ends, trace.SegmentID(s))
		}
	}
	if len(ends) == 0 || b.finished.tooLong {
		return nil
	}
	turns := b.turnsOf(ends)
	q := newQueue(turns)
	if makes(turns, q, g.Longest.From) {
		return nil
	}
	_, of := b.holdings(turns, q)
	for thread, own := range of {
		if own.has && own.maybe == 0 && !g.Waiters[thread] &&
			(own.got >= g.Longest.From || q.until(own.got) >= g.Longest.From) {
			t, _ := b.recorder.Thread(thread)
			keepers = append(keepers, t)
		}
	}
	slices.SortFunc(keepers, func(x, y critical.Thread) int { return cmp.Compare(x.Key, y.Key) })
	return keepers
}

// makes reports whether a thread gave something that it could not have: it had given one before and not got another,
// and others have waited ever since. open is when a wait began that is still open.
func makes(turns []turn, q *queue, open trace.Time) bool {
	of := map[trace.ThreadKey]possession{}
	for i := range turns {
		t := &turns[i]
		if t.by == 0 || t.vain {
			continue
		}
		by := of[t.by]
		switch {
		case by.has && t.to-by.got < justNow: // it may have more
		case !by.has && by.gave != 0 && min(q.since(t.to), open) <= by.gave:
			return true
		default:
			of[t.by] = possession{gave: t.to}
		}
		of[t.thread] = possession{has: true, got: t.to, gave: of[t.thread].gave}
	}
	return false
}

// Threads iterates over all threads of the trace.
func (b *Blame) Threads(yield func(critical.Thread) bool) {
	for key := trace.ThreadKey(1); key <= b.recorder.Threads(); key++ {
		if t, _ := b.recorder.Thread(key); !yield(t) {
			return
		}
	}
}

// goesRound reports whether most of the givers had waited for it themselves and gave it to one thread: the last thread
// to reach a barrier lets several go on. For the permits of a semaphore it is enough that one had waited. A thread that
// lets the next one go on just after its own wait had no element: both left the queue of the lock that guards these.
func goesRound(turns []turn, semaphore bool) bool {
	waits, has, givers := map[trace.ThreadKey]bool{}, map[trace.ThreadKey]bool{}, map[trace.ThreadKey]bool{}
	got := map[trace.ThreadKey]trace.Time{}
	for i := range turns {
		waits[turns[i].thread] = true
	}
	given, round, again := 0, 0, 0
	for i := range turns {
		t := &turns[i]
		if t.by == 0 || t.vain {
			continue
		}
		at, waited := got[t.by]
		got[t.thread] = t.to
		given++
		if !semaphore && waited && t.to-at < justNow {
			continue
		}
		if waits[t.by] {
			round++
		}
		if givers[t.by] && !has[t.by] {
			again++
		}
		givers[t.by], has[t.by], has[t.thread] = true, false, true
	}
	if semaphore { // a thread that takes a permit before waiting ones may never wait itself
		return round > 0
	}
	return 2*round >= given && 4*again <= given && len(givers) >= minRound && given > 0
}

// turns returns the waits for the object of the group, by their ends. A thread that was let go on and found nothing
// left waits again at once, which is the same wait.
func (b *Blame) turns(g *Group) []turn { return b.turnsOf(b.endsAt(g)) }

// Turns returns how often threads got what they waited for in the group, and how many nanoseconds one of them waited
// for it at most: a thread that found nothing left waited again.
func (b *Blame) Turns(g *Group) (count int, longest int64) {
	turns := b.turns(g)
	if len(turns) != g.Count { // other groups wait for the object, too
		return g.Count, g.Longest.Length()
	}
	for i := range turns {
		if t := &turns[i]; !t.vain {
			count, longest = count+1, max(longest, int64(t.to-t.from))
		}
	}
	return count, longest
}

func (b *Blame) turnsOf(ends []trace.SegmentID) (turns []turn) {
	gave := map[trace.ThreadKey][]trace.Time{}
	giver := func(s trace.SegmentID, end critical.Kept) trace.ThreadKey {
		if step, ok := b.recorder.Back(s, end.Begin); ok && !b.gaveUp(step.Let, end) {
			return b.recorder.Segment(step.Let).Thread
		}
		return 0
	}
	for _, s := range ends {
		end := b.recorder.Segment(s)
		if by := giver(s, end); by != 0 {
			gave[by] = append(gave[by], end.Begin)
		}
	}
	for _, times := range gave {
		slices.Sort(times)
	}
	type latest struct {
		turn int
		ran  trace.SegmentID
	}
	last := map[trace.ThreadKey]latest{}
	for _, s := range ends {
		end := b.recorder.Segment(s)
		t := turn{thread: end.Thread, by: giver(s, end)}
		t.from, t.to = b.finished.stretch(uint32(s))
		before, known := last[t.thread]
		if known && b.recorder.Segment(end.Previous).Previous == before.ran {
			own := &turns[before.turn]
			next, _ := slices.BinarySearch(gave[t.thread], own.to)
			hadNone := next == len(gave[t.thread]) || gave[t.thread][next] > t.from
			// without somebody who let it go on, its time was over
			if own.by != 0 && t.from-own.to < maxRetry && hadNone {
				vain := turn{t.thread, own.by, own.to, own.to, true}
				own.to, own.by, last[t.thread] = t.to, t.by, latest{before.turn, s}
				turns = append(turns, vain)
				continue
			}
		}
		last[t.thread] = latest{len(turns), s}
		turns = append(turns, t)
	}
	slices.SortStableFunc(turns, func(x, y turn) int { return cmp.Compare(x.to, y.to) })
	return turns
}

// maxGivenUp limits the threads that stop waiting one after the other, each let go on by the one before.
const maxGivenUp = 16

// gaveUp reports whether the thread that let another one go on had just waited for the same object in vain: who stops
// waiting lets the next thread in the queue look, too, and has nothing to give. So does that one if its time is over.
func (b *Blame) gaveUp(let trace.SegmentID, end critical.Kept) bool {
	for range maxGivenUp {
		run := b.recorder.Segment(let)
		if run.Type != trace.Running || run.Previous == 0 || end.Begin-run.Begin >= maxRetry ||
			b.recorder.Segment(run.Previous).Type != trace.WaitingForObject ||
			b.objects(run.Previous) != b.objects(end.Previous) {
			return false
		}
		step, ended := b.recorder.Back(let, run.Begin)
		if !ended {
			return true
		}
		let, end = step.Let, run
	}
	return false
}

// maxRetry is for how long a thread may run that finds nothing left and waits again, on a busy machine.
const maxRetry = 10_000_000

// endsAt returns the Running segments that ended the waits for the object of the group.
func (b *Blame) endsAt(g *Group) (ends []trace.SegmentID) {
	object := uint32(0)
	waits := func(s uint32) (thread trace.ThreadKey, wait trace.SegmentID, ok bool) {
		end := b.recorder.Segment(trace.SegmentID(s))
		return end.Thread, end.Previous, b.recorder.Segment(end.Previous).Type == trace.WaitingForObject
	}
	for _, s := range b.finished.ends {
		if thread, wait, ok := waits(s); ok && thread == g.Longest.Thread.Key {
			if of, _, _ := b.recorder.WaitOf(wait); of == g.Longest.Object {
				object = b.objects(wait)
				break
			}
		}
	}
	for _, s := range b.finished.ends {
		if _, wait, ok := waits(s); ok && object != 0 && b.objects(wait) == object {
			ends = append(ends, trace.SegmentID(s))
		}
	}
	return ends
}

// queue is the number of waiting threads over time.
type queue struct {
	times   []trace.Time
	waiting []int   // number from each of the times on
	sums    []int64 // of the waits' times, up to each of the times
	// first and last are the indexes of the times between which threads wait without a break.
	first, last []int
}

func newQueue(turns []turn) *queue {
	type change struct {
		at trace.Time
		by int
	}
	var changes []change
	for i := range turns {
		changes = append(changes, change{turns[i].from, 1}, change{turns[i].to, -1})
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(y.by, x.by)) })
	q, waiting, sum := &queue{}, 0, int64(0)
	for i, c := range changes {
		if i > 0 {
			sum = histogram.Sum(sum, histogram.Product(int64(c.at-changes[i-1].at), waiting))
		}
		waiting += c.by
		first := i
		if i > 0 && q.waiting[i-1] > 0 {
			first = q.first[i-1]
		}
		q.times, q.waiting, q.sums = append(q.times, c.at), append(q.waiting, waiting), append(q.sums, sum)
		q.first, q.last = append(q.first, first), append(q.last, i)
	}
	for i := len(q.last) - 2; i >= 0; i-- {
		if q.waiting[i] > 0 {
			q.last[i] = q.last[i+1]
		}
	}
	return q
}

// index returns the index of the latest change up to the time; -1 before the first.
func (q *queue) index(at trace.Time) int {
	i, _ := slices.BinarySearch(q.times, at+1)
	return i - 1
}

// sum returns the time of all waits up to the time.
func (q *queue) sum(at trace.Time) int64 {
	i := q.index(at)
	if i < 0 {
		return 0
	}
	return q.sums[i] + int64(q.waiting[i])*int64(at-q.times[i])
}

// since returns when the current unbroken waiting began, at a time at which one thread goes on.
func (q *queue) since(at trace.Time) trace.Time { return q.times[q.first[max(q.index(at-1), 0)]] }

// until returns the end of unbroken waiting from a time at which one thread goes on.
func (q *queue) until(at trace.Time) trace.Time { return max(at, q.times[q.last[max(q.index(at), 0)]]) }

// possession is since when a thread has had something, and when it gave something to a waiting thread.
type possession struct {
	has       bool
	got, gave trace.Time
	// looked is when it was last let go on and found nothing left, so it had nothing then.
	looked trace.Time
	// maybe is when it let a thread go on just after it had got something: there was more left, or it gave that away.
	maybe trace.Time
}

// justNow is how long after getting something a thread lets others go on that may find more of it, in nanoseconds.
const justNow = 1_000_000

// holdings returns the times in which threads had what the others waited for, and what each has at the end. Turns are
// sorted by their ends.
func (b *Blame) holdings(turns []turn, q *queue) (all []holding, of map[trace.ThreadKey]*possession) {
	of = map[trace.ThreadKey]*possession{}
	at := func(thread trace.ThreadKey) *possession {
		if of[thread] == nil {
			of[thread] = &possession{}
		}
		return of[thread]
	}
	for i := range turns {
		t := &turns[i]
		if t.by == 0 {
			continue
		}
		switch by := at(t.by); {
		case by.has && t.to-by.got < justNow:
			by.maybe = t.to
		case by.has:
			from, again := by.got, b.couldTake(t.by, q.since(t.to), q)
			if again > from { // it may have given it back while nobody waited, and taken it again
				all = append(all, holding{t.by, from, by.until(q), false})
				from = max(again, by.until(q))
			}
			all = append(all, holding{t.by, from, t.to, again > by.got})
			*by = possession{gave: t.to, looked: by.looked}
		default:
			all = append(all, holding{t.by, max(b.couldTake(t.by, q.since(t.to), q), by.gave, by.looked), t.to, true})
			by.gave = t.to
		}
		own := at(t.thread)
		if t.vain {
			own.looked = t.to
			continue
		}
		if own.has {
			all = append(all, holding{t.thread, own.got, min(own.until(q), t.from), false})
		}
		*own = possession{has: true, got: t.to, gave: own.gave, looked: own.looked}
	}
	for thread, own := range of {
		if own.has {
			all = append(all, holding{thread, own.got, own.until(q), false})
		}
	}
	return all, of
}

// couldTake returns the latest time, up to the given one, at which the thread could take something: it ran while no
// thread waited.
func (b *Blame) couldTake(thread trace.ThreadKey, at trace.Time, q *queue) trace.Time {
	lives := b.finished.lives()
	for {
		index, ok := lives.find(thread, at)
		if !ok {
			return at
		}
		s := lives.segments[index]
		from := lives.begin(s)
		if b.recorder.Segment(trace.SegmentID(s)).Type == trace.Running || from >= at {
			return at
		}
		at = from
		if i := q.index(at); i >= 0 && q.waiting[i] > 0 {
			at = q.times[q.first[i]]
		}
	}
}

// until returns the time up to which a thread had something without having given it to a waiting one, as far as is
// known: up to then, others waited.
func (p *possession) until(q *queue) trace.Time {
	if p.maybe != 0 {
		return p.maybe
	}
	return q.until(p.got)
}

// holdersOf sums the times by thread.
func (b *Blame) holdersOf(all []holding, q *queue) (holders []Holder) {
	at := map[trace.ThreadKey]int{}
	type doing struct {
		state trace.State
		place uint32
	}
	did := map[trace.ThreadKey]map[doing]int64{}
	for _, h := range all {
		length := int64(h.to - h.from)
		if length <= 0 {
			continue
		}
		n, known := at[h.thread]
		if !known {
			n = len(holders)
			at[h.thread], did[h.thread] = n, map[doing]int64{}
			thread, _ := b.recorder.Thread(h.thread)
			holders = append(holders, Holder{Thread: thread})
		}
		of := &holders[n]
		of.Total = histogram.Sum(of.Total, q.sum(h.to)-q.sum(h.from))
		of.Longest = max(of.Longest, length)
		of.Likely = of.Likely || h.likely
		b.eachState(h, func(s trace.SegmentID, length int64) {
			state, place := b.recorder.State(s), uint32(0)
			if state != trace.StateRunnable {
				place = b.recorder.Place(s)
			}
			at := doing{state, place}
			did[h.thread][at] = histogram.Sum(did[h.thread][at], length)
		})
	}
	for thread, n := range at {
		of := &holders[n]
		var most doing
		for d, length := range did[thread] {
			if length > of.AtPlace || length == of.AtPlace &&
				cmp.Or(cmp.Compare(d.state, most.state), cmp.Compare(d.place, most.place)) < 0 {
				most, of.AtPlace = d, length
			}
		}
		of.As, of.Place = most.state, b.recorder.Frame(most.place)
	}
	slices.SortFunc(holders, func(x, y Holder) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(x.Thread.Key, y.Thread.Key))
	})
	return holders
}

// eachState calls put for the thread's segments in the time, with the length of each within it.
func (b *Blame) eachState(h holding, put func(trace.SegmentID, int64)) {
	lives := b.finished.lives()
	index, ok := lives.find(h.thread, h.from)
	if !ok {
		return
	}
	for from := h.from; from < h.to; index++ {
		end, next := h.to, lives.next(h.thread, index)
		if next != 0 {
			end = min(end, lives.begin(next))
		}
		if end > from {
			put(trace.SegmentID(lives.segments[index]), int64(end-from))
			from = end
		}
	}
}
