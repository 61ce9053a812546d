package diagnosis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// maxLocks limits the locks that are looked at, the largest first.
const maxLocks = 16

// lock is a lock on which threads were BLOCKED.
type lock struct {
	of      identity
	class   string
	title   string
	total   int64 // the time for which they were, in nanoseconds; 0 in a trace of one moment
	open    int   // how many still are
	waiting int   // number of threads
	holders []holder
	// inferred reports that a holder was concluded from earlier events, so it may have released the lock.
	inferred bool
	// probable reports that the trace has no holder: the waits of these threads fit the times of the others.
	probable bool
	// meanwhile is a thread in whose waits nobody got the lock, if the holders are unknown.
	meanwhile *holder
	longest   int64       // the length of the longest block
	block     trace.Frame // its place in the program
	at        string      // in words; "" if unknown
	// letIn are the threads that let the others in, if the holders are unknown for most of the time. behind are the
	// threads that the holders waited for. Both have the largest first.
	letIn, behind []culprit
	finished      int64 // the time of the blocks that are over, in nanoseconds; letIn and behind are of these
	// readers are the threads that held it when the trace ended, as far as its state has them; read says so in words.
	readers     []Thread
	read, state string
	shared      bool   // readers held it then, and no writer
	unowned     string // says that no thread of a dump holds it; or ""
	// sampled reports that several dumps show who held it at these moments, but not between them.
	sampled bool
	// inAll reports that all of these dumps show a thread BLOCKED on it.
	inAll bool
	moved string // says that several locks may be one; or ""
	// waiter is the name of the only thread that was BLOCKED, if it is known, who the title of the one BLOCKED longest.
	waiter, who string
}

// locks returns a finding for each of the locks on which threads were BLOCKED longest.
func (f *facts) locks() (findings []Finding) {
	locks, deadlocked := []lock{}, f.deadlocked()
	switch of := cmp.Or(f.Blame, f.Locks); {
	case f.Statistics != nil:
		locks = f.locksOfStatistics(f.Statistics)
	case of != nil:
		all := slices.DeleteFunc(of.Locks(), func(l blame.Lock) bool {
			return deadlocked[identityOf(&l.Object)] || ofRecorder(l.Object.Class)
		})
		most := maxLocks
		if f.Few {
			most = MaxHead
		}
		all = all[:min(len(all), f.parts(most))]
		of.FindOwners(all)
		locks = f.locksOf(all)
	}
	f.addProbable(locks)
	if f.Moved {
		locks = f.withMoved(locks)
	}
	for i := range locks {
		if l := &locks[i]; deadlocked[l.of] || ofRecorder(l.class) || l.total == 0 && l.open == 0 || l.isForAccept() {
			continue // it has a finding already, is not the program's, made nobody wait, or only idle threads
		}
		f.addBlamed(&locks[i])
		f.addState(&locks[i])
		if f.isForTask(&locks[i]) {
			continue
		}
		findings = append(findings, locks[i].finding(f))
	}
	return findings
}

// addProbable adds the threads that probably held the largest locks whose owners the trace does not show.
func (f *facts) addProbable(locks []lock) {
	var all map[identity]*blame.Lock
	for i := range locks[:min(len(locks), MaxHead)] {
		l := &locks[i]
		if f.Blame == nil || l.total == 0 || l.known() >= l.total/2 || accepts(l.block) {
			continue
		}
		if all == nil {
			all = map[identity]*blame.Lock{}
			for _, of := range f.Blame.Locks() {
				all[identityOf(&of.Object)] = &of
			}
		}
		of, held := all[l.of], []holder{}
		if of == nil {
			continue
		}
		owners := f.Blame.ProbableOwners(of)
		for i := range owners {
			if h := f.probable(&owners[i]); !owners[i].Likely {
				held = append(held, h)
			} else if l.meanwhile == nil {
				l.meanwhile = &h
			}
		}
		if len(held) > 0 && (l.meanwhile == nil || held[0].total > l.meanwhile.total) {
			l.holders, l.inferred, l.probable, l.meanwhile = held, true, true, nil
		}
	}
}

// ofRecorder reports whether the class is one of the JDK's flight recorder, whose threads wait for each other.
func ofRecorder(class string) bool {
	return strings.HasPrefix(javaname.Class(javaname.DeclaredClass(class)), "jdk.jfr.")
}

// locksOfStatistics returns the locks of the statistics, and what blame says that their holders did.
func (f *facts) locksOfStatistics(s *contention.Statistics) (locks []lock) {
	monitors := slices.DeleteFunc(slices.Clone(s.Monitors), func(m *contention.Monitor) bool {
		return m.Times.Of(contention.Blocked).Count == 0
	})
	slices.SortStableFunc(monitors, func(a, b *contention.Monitor) int {
		x, y := a.Times.Of(contention.Blocked), b.Times.Of(contention.Blocked)
		return cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(y.Count, x.Count))
	})
	did, last, longest := f.holdersDid(), f.ownersThen(), f.longestBlocks()
	for _, m := range monitors[:min(len(monitors), f.parts(maxLocks))] {
		blocked := m.Times.Of(contention.Blocked)
		object := critical.Object{ID: trace.ObjectFrom([]byte(m.ID)), Class: m.Class, Session: m.Session}
		l := lock{of: identityOf(&object), class: m.Class, title: object.Title(), open: int(blocked.Open),
			total: histogram.Signed(blocked.Total), inferred: m.Inferred}
		l.waiting = int(cmp.Or(m.Blocked, min(m.Threads, blocked.Count)))
		l.longest = blocked.Max
		l.setLongest(longest)
		for i := range m.Owners {
			o := &m.Owners[i]
			if o.ID == "" {
				continue
			}
			h := holder{Thread: threadOf(o.ID, o.Name), key: o.Key, total: histogram.Signed(o.Total)}
			var places []heldAt
			for _, at := range o.Places[:min(len(o.Places), maxPlaces)] {
				places = append(places, heldAt{at.Frame(), at.String(), histogram.Signed(at.Total), at.Probable})
			}
			h.isAt(places)
			h.did(did[doer{l.of, o.Key}], l.total)
			l.holders = append(l.holders, h)
		}
		f.heldThen(&l, last)
		locks = append(locks, l)
	}
	return locks
}

// locksOf is locksOfStatistics for the locks that blame has found.
func (f *facts) locksOf(all []blame.Lock) (locks []lock) {
	did, last, longest := f.holdersDid(), f.ownersThen(), f.longestBlocks()
	for i := range all {
		of := &all[i]
		id := identityOf(&of.Object)
		l := lock{of: id, class: of.Object.Class, title: of.Object.Title(), total: of.Total, open: of.Open(),
			waiting: of.Waiters, inferred: of.Inferred}
		l.setLongest(longest)
		for j := range of.Owners {
			o := &of.Owners[j]
			h := holder{Thread: threadOf(o.Thread.ID.String(), o.Thread.Name), key: o.Thread.Key, total: o.Total}
			var places []heldAt
			for _, at := range o.Places[:min(len(o.Places), maxPlaces)] {
				places = append(places, heldAt{at.Frame, wording.Frame(at.Frame), at.Total, at.Probable})
			}
			h.isAt(places)
			h.did(did[doer{id, o.Thread.Key}], l.total)
			l.holders = append(l.holders, h)
		}
		f.heldThen(&l, last)
		locks = append(locks, l)
	}
	return locks
}

// longestBlocks returns the longest blocks on the locks.
func (f *facts) longestBlocks() map[identity]*blame.Wait {
	longest := map[identity]*blame.Wait{}
	keep := func(w *blame.Wait) {
		id := identityOf(&w.Object)
		if w.Type == trace.WaitingForLock && (longest[id] == nil || w.Length() > longest[id].Length()) {
			longest[id] = w
		}
	}
	for i := range f.blocks {
		keep(&f.blocks[i].Longest)
	}
	for i := range f.open {
		keep(&f.open[i].Longest)
	}
	return longest
}

// setLongest sets what the longest block shows, if it is known.
func (l *lock) setLongest(all map[identity]*blame.Wait) {
	if w := all[l.of]; w != nil {
		l.block, l.at, l.longest = w.Caller, wording.Frame(w.Caller), max(l.longest, w.Length())
		l.who, l.waiter = w.Thread.Title(), onlyWaiter(w, l.waiting)
	}
}

func (l *lock) finding(f *facts) Finding {
	slices.SortStableFunc(l.holders, func(a, b holder) int { return cmp.Compare(b.total, a.total) })
	found := Finding{Kind: Lock, Certainty: Seen, Waiting: l.waiting, Total: l.total, longest: l.longest,
		waiter:  l.waiter,
		Object:  Object{ID: l.of.id.String(), Class: javaname.DeclaredClass(l.class), State: l.state},
		Command: f.command(More{Analysis: "blame", Monitor: l.of.id.String()})}
	if l.moved != "" {
		found.Command = f.command(More{Analysis: "blame", Monitor: javaname.Class(javaname.DeclaredClass(l.class))})
	}
	l.sampled, l.inAll = f.dumps() > 1, l.longest >= f.length()
	if l.inferred {
		found.Certainty = Likely
	}
	for i := range l.holders[:min(len(l.holders), 3)] {
		h := &l.holders[i]
		if !l.names(h.total) {
			break
		}
		found.Threads = append(found.Threads, h.Thread)
		if h.place.Method != nil {
			found.Places = append(found.Places, []trace.Frame{h.place})
		}
	}
	if l.total == 0 {
		found.Total, found.Waiting, l.waiting = noTotal, l.open, l.open
		// only the last dump shows it: it may be over at once, unless the holder has not moved since an earlier one
		found.own = l.sampled && !f.untimed() && (len(l.holders) == 0 || !f.hasStayed(l.holders[0].key))
		found.Summary = fmt.Sprintf("%s BLOCKED on %s%s%s.", l.blocked(f), l.title, f.blockedAt(l), l.heldBy(f.Blame == nil))
		found.Evidence = append(f.forgotten(l), f.unheld(l)...)
		if len(l.holders) > 0 && l.holders[0].doing != "" {
			f.holding[l.holders[0].key] = true
		}
		return found
	}
	switch {
	case len(found.Threads) == 0 && l.meanwhile != nil:
		found.Threads, found.Places = []Thread{l.meanwhile.Thread}, [][]trace.Frame{{l.meanwhile.place}}
		found.Certainty = Likely
	case len(found.Threads) == 0:
		found.Threads = l.readers
	}
	least := f.most()
	if g := f.stillBlocked(l); least == "" && g != nil && f.isOlder(g) {
		least = "at least "
	}
	found.Summary = fmt.Sprintf("%s BLOCKED for %s%s on %s%s.", phrase.Count(l.waiting, "thread was", "threads were"), least,
		inAll(l.total, l.waiting), l.title, l.heldBy(f.Blame == nil)+f.stillHolds(l))
	l.follow(&found)
	found.Evidence = append(found.Evidence, f.evidence(l)...)
	return found
}

// evidence says what else is known of blocks that lasted for a time: where they were, and what the trace does not show.
func (f *facts) evidence(l *lock) (evidence []string) {
	evidence = append(f.forgotten(l), f.unheld(l)...)
	if l.moved != "" {
		evidence = append(evidence, l.moved)
	}
	last := ""
	if l.sampled && l.open > 1 {
		last = f.blockedAt(l)
	}
	switch {
	case last != "" && l.open < l.waiting: // the dumps do not show whose block is the longest
		evidence = append(evidence, fmt.Sprintf("In the last dump %d are BLOCKED%s.", l.open, last))
	case last != "":
		evidence = append(evidence, "In the last dump they are BLOCKED"+last+".")
	case l.at != "" && l.waiting == 1:
		evidence = append(evidence, "The longest block was that of "+l.who+" at "+l.at+".")
	case l.at != "" && f.most() == "":
		evidence = append(evidence, "The longest block, "+phrase.Duration(l.longest)+", was at "+l.at+".")
	case l.at != "":
		evidence = append(evidence, "The longest block was at "+l.at+".")
	}
	if l.probable {
		evidence = append(evidence, "The trace does not show who held it: "+l.others()+" got it meanwhile, and somebody did "+
			"as soon as that was over.")
	} else if known := l.known(); l.names(known) && known < l.total-l.total/20 {
		evidence = append(evidence, fmt.Sprintf("Who held it is known for %s of the time.",
			phrase.Percent(known, l.total)))
	}
	return evidence
}

// stillBlocked returns the threads that are BLOCKED on the lock when the trace ends; nil if none is.
func (f *facts) stillBlocked(l *lock) *blame.OpenGroup {
	for i := range f.open {
		if w := &f.open[i].Longest; identityOf(&w.Object) == l.of && w.Type == trace.WaitingForLock {
			return &f.open[i]
		}
	}
	return nil
}

// forgotten says that the holder waits for its next task, while threads still wait for the lock.
func (f *facts) forgotten(l *lock) []string {
	if f.Blame == nil || l.open == 0 || len(l.holders) == 0 || l.inferred {
		return nil
	}
	first := &l.holders[0]
	if !f.Blame.WaitsForTask(first.key) || f.ownerNow(l) != first.key {
		return nil
	}
	return []string{first.title() + " waits for its next task with the lock: likely an earlier task has not unlocked it."}
}

// isForAccept reports whether those who wait for the lock want to wait for somebody to connect, as its holder does, if
// it is known: all of them are idle.
func (l *lock) isForAccept() bool {
	return accepts(l.block) && (len(l.holders) == 0 || accepts(l.holders[0].place))
}

// isForTask reports whether, at the moment of a dump, no thread has the lock, and only idle threads want it. It is the
// lock of their queue of tasks, and just being handed over.
func (f *facts) isForTask(l *lock) bool {
	return l.total == 0 && l.unowned != "" && !slices.ContainsFunc(f.Blame.Open(), func(w blame.Wait) bool {
		return identityOf(&w.Object) == l.of && w.Type == trace.WaitingForLock && !w.WantsTask
	})
}

// accepts reports whether a thread at the place waits for somebody to connect.
func accepts(at trace.Frame) bool {
	if at.Inner == nil || !strings.HasSuffix(strings.ToLower(at.Inner.Name), "accept") {
		return false
	}
	class := javaname.InternalClass(at.Inner.Class)
	return strings.HasPrefix(class, "java/net/") || strings.HasPrefix(class, "sun/nio/ch/")
}

// blocked names the threads that are BLOCKED on the lock in a trace of one moment.
func (l *lock) blocked(f *facts) string {
	if g := f.stillBlocked(l); g != nil && l.waiting == 1 {
		return g.Longest.Thread.Title() + " is"
	}
	return phrase.Count(l.waiting, "thread is", "threads are")
}

// blockedAt says where threads are BLOCKED on the lock when the trace ends: all of them, each of two, or most.
func (f *facts) blockedAt(l *lock) string {
	if f.Blame == nil {
		return ""
	}
	counts, frames, most := map[place]int{}, map[place]trace.Frame{}, place{}
	for _, w := range f.Blame.Open() {
		if identityOf(&w.Object) == l.of && w.Type == trace.WaitingForLock {
			of := placeOf(&w)
			if counts[of]++; counts[of] == 1 {
				frames[of] = w.Caller
			}
			frames[of] = sharedCallers(frames[of], &w)
			if of.method != nil && counts[of] > counts[most] {
				most = of
			}
		}
	}
	text := wording.Frame(frames[most])
	switch {
	case most.method == nil:
		return ""
	case counts[most] < l.open && l.open == 2 && len(l.holders) > 0: // else unheld names them
		who, _ := f.wanting(l)
		return " (" + phrase.List(who, "and") + ")"
	case counts[most] < l.open:
		return fmt.Sprintf(", %d of them at %s", counts[most], text)
	}
	return " at " + text
}

// maxListed limits the threads of a list that are named.
const maxListed = 3

// unheld says for a lock with an unknown holder, or one that readers hold, which threads still want it and where; and
// for the former, which threads slept or were in input or output meanwhile. No thread dump names the holders of a read
// lock, or reports that one of them waits for itself.
func (f *facts) unheld(l *lock) (evidence []string) {
	if len(l.holders) > 0 || l.read != "" && !l.shared || f.Blame == nil || l.isGuess() {
		return nil
	}
	who, first := f.wanting(l)
	if len(who) > 1 {
		among := "Among them " + phrase.List(who, "and") + "."
		if len(who) == l.waiting {
			among = "They are " + phrase.List(who, "and") + "."
		}
		if l.shared {
			among = "Readers alone do not keep a reader waiting: likely at least one of these threads wants to write. " + among
		}
		evidence = append(evidence, among)
	}
	if l.shared {
		return evidence
	}
	canShare := l.canShare()
	if len(who) > 0 && (l.unowned == "" || canShare) { // else none of the dump's threads has it
		evidence = append(evidence, f.asleep(&first, meanwhile)...)
		inIO := f.inIO()
		for i := range inIO[:min(len(inIO), maxListed)] {
			evidence = append(evidence, f.once(inIO[i].Summary)...)
		}
	}
	if f.dumps() > 0 && canShare {
		evidence = append(evidence, "Thread dumps do not name threads with read locks: if one of these threads "+
			"reads already and wants to write, it waits for itself for ever.")
	}
	return evidence
}

// wanting returns some of the threads that still want the lock, with their places, and the first one's wait. Those at
// different places come first: a writer is likely at another one than the readers that wait for it.
func (f *facts) wanting(l *lock) (who []string, first blame.Wait) {
	var more []string
	places := map[place]bool{}
	for _, w := range f.Blame.Open() {
		if identityOf(&w.Object) != l.of || w.Type != trace.WaitingForLock {
			continue
		}
		if first.Thread.Key == 0 {
			first = w
		}
		if of := placeOf(&w); !places[of] && len(who) < maxListed {
			places[of] = true
			who = append(who, w.Thread.Title()+at(&w))
		} else if len(more) < maxListed {
			more = append(more, w.Thread.Title()+at(&w))
		}
	}
	who = append(who, more...)
	return who[:min(len(who), maxListed)], first
}

// names reports whether a holder with this time is worth naming.
func (l *lock) names(total int64) bool { return l.total == 0 || total >= l.total/leastNamed }

// known is the time of all known holders.
func (l *lock) known() (known int64) {
	for i := range l.holders {
		known = histogram.Sum(known, l.holders[i].total)
	}
	return min(known, l.total)
}
