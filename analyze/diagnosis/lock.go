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
	"github.com/trcx/trcx/threads"
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

// holder is a thread that held a lock while others were BLOCKED.
type holder struct {
	Thread
	key   trace.ThreadKey // 0 if unknown
	total int64
	// place is where it was longest meanwhile, the zero Frame if unknown. atPlace is the part of its time there, "" if
	// nearly all or unknown. probable reports that the holder is a guess.
	place    trace.Frame
	at       string // the place in words
	atPlace  string
	alsoAt   []string // further places, if none has more than half of the time: 32 % in App.upload
	probable bool
	doing    string // what it did meanwhile; "" if it ran, or if unknown
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

// probable returns the owner as a holder.
func (f *facts) probable(o *blame.Holder) holder {
	h := holder{Thread: threadOf(o.Thread.ID.String(), o.Thread.Name), key: o.Thread.Key, total: o.Total}
	h.isAt([]heldAt{{o.Place, wording.Frame(o.Place), o.Total, false}})
	if o.As != trace.StateRunnable {
		h.doing = o.As.InSentence()
	} else if b := f.computingAs(h.ID); b != nil {
		h.isAt([]heldAt{{b.Place, wording.Frame(b.Place), o.Total, true}})
	}
	return h
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

// heldThen adds the thread that had the lock at the end, if no other holder is known, or if the last of several dumps
// has another one than those before. If no lengths are known, that is all that is known of the holders.
func (f *facts) heldThen(l *lock, last map[identity]holder) {
	if f.untimed() {
		l.total, l.holders = 0, nil
	}
	isLast := func(h holder) bool { return h.key == last[l.of].key }
	if h, ok := last[l.of]; ok && (len(l.holders) == 0 || f.dumps() > 1 && !slices.ContainsFunc(l.holders, isLast)) {
		l.holders = append(l.holders, h)
	}
}

// maxPlaces limits the places of a holder.
const maxPlaces = 3

// heldAt is a place of a holder, also in words, and its time there in nanoseconds. probable reports that it is a guess.
type heldAt struct {
	frame    trace.Frame
	words    string
	time     int64
	probable bool
}

// isAt sets the place of the holder, the first of the given ones. If it was there for at most half of its time, those
// with a fifth of the time are kept, too. Unknown places have no words.
func (h *holder) isAt(places []heldAt) {
	places = slices.DeleteFunc(places, func(at heldAt) bool { return at.words == "" })
	if len(places) == 0 {
		return
	}
	first := &places[0]
	h.place, h.at, h.probable = first.frame, first.words, first.probable
	if first.time < h.total-h.total/20 {
		h.atPlace = phrase.Percent(first.time, h.total)
	}
	if first.time > h.total/2 {
		return
	}
	for _, next := range places[1:] {
		if !next.probable && next.time >= h.total/5 {
			h.alsoAt = append(h.alsoAt, phrase.Percent(next.time, h.total)+" in "+next.words)
		}
	}
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

// ownersThen returns the threads that had the locks in the last dump, or at the end of a trace of a single moment: no
// owner in the statistics has a time there.
func (f *facts) ownersThen() map[identity]holder {
	owners := map[identity]holder{}
	for i := range f.open {
		w := &f.open[i].Longest
		if w.Type != trace.WaitingForLock || w.Length() > 0 && f.dumps() == 0 {
			continue
		}
		by, place := w.Other, w.OtherCaller
		if _, key := f.Blame.OpenWait(w.Thread.Key); key != 0 && key != by.Key {
			did, _ := f.Blame.Last(key)
			by, place = did.Thread, did.Caller
		}
		if by.Key != 0 {
			owner := holder{Thread: threadOf(by.ID.String(), by.Name), key: by.Key, place: place}
			switch did, lives := f.Blame.Last(by.Key); {
			case !lives || did.Type == trace.Running:
			case did.Type == trace.WaitingForLock:
				owner.doing = did.State.InSentence() + " on " + did.Object.Title()
			case did.Type == trace.WaitingForObject && did.State != trace.StateInIO:
				owner.doing = did.State.InSentence() + strings.TrimPrefix(waited(&did), "waited")
			default:
				owner.doing = did.State.InSentence()
			}
			owners[identityOf(&w.Object)] = owner
		}
	}
	return owners
}

// doer is a thread that held a lock.
type doer struct {
	lock   identity
	thread trace.ThreadKey
}

// act is what the holder of a lock did for most of the time for which it is to blame.
type act struct {
	state trace.State
	// Of the finished waits for the lock, which took waited, the thread is to blame for sum, and for total in the
	// state. Times are in nanoseconds.
	total, sum, waited int64
	place              trace.Frame
}

// holdersDid returns what the holders of locks did meanwhile for at least half of the time, other than run.
func (f *facts) holdersDid() map[doer]act {
	did := map[doer]act{}
	for _, g := range f.blocks {
		culprits := culpritsOf(g.Culprits)
		sums := map[trace.ThreadKey]int64{}
		for i := range culprits {
			sums[culprits[i].key] = histogram.Sum(sums[culprits[i].key], culprits[i].total)
		}
		for i := range culprits {
			c := &culprits[i]
			of := doer{identityOf(&g.Longest.Object), c.key}
			if c.kind == blame.Segment && c.state != trace.StateRunnable && c.total >= sums[of.thread]-c.total {
				did[of] = act{c.state, c.total, sums[of.thread], g.Total, c.place}
			}
		}
	}
	return did
}

// did sets what the holder did. If it did that at its place, the part of the time there is said already. That part is
// better known: it is of all blocks, and the act's only of the finished ones.
func (h *holder) did(a act, blocked int64) {
	h.doing = a.text(h.total, blocked)
	if h.doing != "" && h.atPlace != "" && isSameCall(&a.place, &h.place) {
		h.doing = a.state.InSentence()
	}
}

// text says what the thread did; "" if that was less than half of the time for which it held the lock: others are to
// blame for times in which it waited for them. Threads were blocked on the lock for blocked in all.
func (a *act) text(held, blocked int64) string {
	sum, expected := a.sum, int64(float64(held)/float64(max(blocked, 1))*float64(a.waited))
	if sum < expected-expected/leastNamed {
		sum = expected
	}
	if a.total == 0 || a.total < sum-a.total {
		return ""
	}
	return a.state.InSentence() + " for " + phrase.Percent(a.total, sum) + " of it"
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
		found.own = l.sampled && !f.untimed() // only the last dump shows it: it may be over at once
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

// stillHolds says what the holder waits for, or that it sleeps, since most of the longest block, or that it slept again
// and again; "" if it did not, if the sentence has that already, or if threads are no longer BLOCKED.
func (f *facts) stillHolds(l *lock) string {
	if f.Blame == nil || l.open == 0 || len(l.holders) == 0 || l.holders[0].doing != "" || l.inferred ||
		l.holders[0].total < l.total/2 || f.ownerNow(l) != l.holders[0].key || f.Blame.WaitsForTask(l.holders[0].key) {
		return ""
	}
	holder := &l.holders[0]
	did, lives := f.Blame.Last(holder.key)
	switch {
	case !lives:
		return ""
	case did.Type == trace.Running || did.Type == trace.WaitingForLock || did.Length() < l.longest/2:
		return f.keptSleeping(l, did.To)
	}
	text := f.didLast("; that one", holder.key)
	f.holding[holder.key] = true
	if isSameCall(&holder.place, &did.Caller) {
		text = strings.TrimSuffix(text, at(&did)) // it is said already
	}
	return text
}

// keptSleeping says that the holder slept again and again at one place, for nearly all of the longest block, which had
// not ended at the time; "" if it did not.
func (f *facts) keptSleeping(l *lock, end trace.Time) string {
	holder := &l.holders[0]
	sleep, total := f.Blame.Slept(holder.key, end-trace.Time(l.longest), end)
	if total < l.longest-l.longest/10 {
		return ""
	}
	text := ", " + trace.StateSleeping.InSentence()
	if f.dumps() == 0 {
		text += " for " + phrase.Percent(total, l.longest) + " of it"
	}
	if !isSameCall(&holder.place, &sleep.Caller) {
		text += at(&sleep)
	}
	return text
}

// ownerNow returns the thread that has the lock when the trace ends; 0 if it is unknown.
func (f *facts) ownerNow(l *lock) trace.ThreadKey {
	if g := f.stillBlocked(l); g != nil {
		_, owner := f.Blame.OpenWait(g.Longest.Thread.Key)
		return owner
	}
	return 0
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

// blockedAt says where threads are BLOCKED on the lock when the trace ends: all of them, or most.
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

// heldBy continues a sentence with the holders: ", which greedy held for 99 % of that, mostly in App.upload".
// unblamed says nothing about unknown holders: only blame knows the likely ones.
func (l *lock) heldBy(unblamed bool) string {
	switch {
	case unblamed && (len(l.holders) == 0 || !l.names(l.known())):
		return ""
	case l.isGuess():
		return l.likely()
	case (len(l.holders) == 0 || !l.names(l.known())) && l.read != "":
		return l.read
	case len(l.holders) == 0 && l.unowned != "":
		return l.unowned
	case len(l.holders) == 0 && l.total == 0:
		return "; who holds it is not known"
	case len(l.holders) == 0 || !l.names(l.known()):
		return unknownHolder + l.nobodyElse()
	}
	first := &l.holders[0]
	pool, members := l.pool()
	where, probably := first.where(), ""
	if l.sampled && l.total > 0 && len(l.holders) > 1 {
		seen := *first
		seen.atPlace, seen.alsoAt, seen.doing = "", nil, ""
		return fmt.Sprintf(", which %d threads or more held in turn, such as %s%s", len(l.holders), first.title(), seen.where())
	}
	if l.inferred {
		probably = " probably"
	}
	switch {
	case l.total == 0:
		return ", which " + first.title() + probably + " holds" + where
	case l.sampled && first.total == l.total && l.inAll:
		return ", which " + first.title() + probably + " held in each of these dumps" + where
	case l.sampled && first.total == l.total:
		return ", which " + first.title() + probably + " held in each dump that shows this" + where
	case first.total > l.known()-first.total || len(l.holders) == 1:
		return fmt.Sprintf(", which %s%s held for %s of that%s", first.title(), probably,
			phrase.Percent(first.total, l.total), where)
	case pool != "":
		return fmt.Sprintf(", which %d threads of %s%s held in turn for %s of that, longest %s (%s)%s", members,
			phrase.Name(pool), probably, phrase.Percent(l.known(), l.total), first.title(),
			phrase.Percent(first.total, l.total), where)
	case !l.names(first.total) && l.known() < l.total/2:
		return "; who held it is mostly not known"
	case !l.names(first.total):
		return fmt.Sprintf(", which %s%s held in turn, none of them for long", phrase.Count(len(l.holders), "thread"),
			probably)
	}
	return fmt.Sprintf(", which %s%s held in turn, longest %s (%s)%s", phrase.Count(l.worthNaming(), "thread"), probably,
		first.title(), phrase.Percent(first.total, l.total), where) + l.also()
}

// worthNaming counts the holders with a share worth naming, or all if only one has that.
func (l *lock) worthNaming() (count int) {
	for i := range l.holders {
		if l.names(l.holders[i].total) {
			count++
		}
	}
	if count < 2 {
		return len(l.holders)
	}
	return count
}

// also continues a sentence on the first of several holders with the next ones: "; also b (30 %) and c (20 %)".
func (l *lock) also() string {
	var next []string
	for i := 1; i < min(len(l.holders), 3) && l.names(l.holders[i].total); i++ {
		h := &l.holders[i]
		next = append(next, h.title()+" ("+phrase.Percent(h.total, l.total)+")")
	}
	if len(next) == 0 {
		return ""
	}
	return "; also " + phrase.List(next, "and")
}

// nobodyElse continues a sentence on a lock with an unknown holder: ", but for 93 % of that nobody got it while t slept".
func (l *lock) nobodyElse() string {
	h := l.meanwhile
	if h == nil {
		return ""
	}
	text := fmt.Sprintf(", but for %s of that %s got it while %s was %s", phrase.Percent(h.total, l.total), l.others(),
		h.title(), h.doing)
	if h.at != "" {
		text += " at " + h.at
	}
	return text + ", and somebody did as soon as that was over"
}

// others are those who did not get the lock meanwhile: readers may have shared it.
func (l *lock) others() string {
	if l.canShare() {
		return "none of the threads that waited"
	}
	return "nobody else"
}

// canShare reports whether readers can hold the lock at the same time.
func (l *lock) canShare() bool { return strings.Contains(l.class, "ReentrantReadWriteLock") }

// unknownHolder continues a sentence on a lock whose holder the trace does not show.
const unknownHolder = "; who held it is not known"

// where continues a sentence with the place of the holder and what it did there: ", 93 % of it in App.upload".
func (h *holder) where() (text string) {
	if place := cmp.Or(h.at, wording.Frame(h.place)); place != "" {
		text = ", "
		if h.atPlace != "" {
			text += h.atPlace + " of it "
		}
		if h.probable {
			text += "probably "
		}
		text += phrase.List(append([]string{"in " + place}, h.alsoAt...), "and")
	}
	if h.doing != "" {
		text += ", " + h.doing
	}
	return text
}

// pool returns the pool of all holders, and their number; "" if they belong to several pools.
func (l *lock) pool() (string, int) {
	pool := l.holders[0].Pool
	if pool == "" || slices.ContainsFunc(l.holders, func(h holder) bool { return h.Pool != pool }) {
		return "", 0
	}
	var names threads.PoolNames
	for i := range l.holders {
		names.Add(l.holders[i].Name)
	}
	return names.String(), len(l.holders)
}

// title is the thread's name and id.
func (t *Thread) title() string { return wording.Thread(trace.ThreadFrom([]byte(t.ID)), t.Name) }

func threadOf(id, name string) Thread { return Thread{ID: id, Name: name, Pool: threads.PoolOf(name)} }
