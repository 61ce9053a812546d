package diagnosis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

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

// stillHolds says what the holder has done for most of the longest block: it still waits or sleeps, slept again and
// again, or is in input or output by all dumps; "" if it did nothing of this, if the sentence has that already, or if
// threads are no longer BLOCKED.
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
	case did.Type == trace.Running && f.isInNative(holder.key):
		return "; that one was in native code, for input or output"
	case did.Type == trace.Running || did.Length() < l.longest/2:
		return f.keptSleeping(l, did.To)
	case did.Type == trace.WaitingForLock:
		return f.blockedItself(&did)
	}
	text := f.didLast("; that one", holder.key)
	f.holding[holder.key] = true
	if isSameCall(&holder.place, &did.Caller) {
		text = strings.TrimSuffix(text, at(&did)) // it is said already
	}
	return text
}

// blockedItself says for which lock the holder was BLOCKED when the trace ended, and who held that lock, if known.
func (f *facts) blockedItself(did *blame.Wait) string {
	text := "; that one was BLOCKED itself on " + did.Object.Title()
	if _, owner := f.Blame.OpenWait(did.Thread.Key); owner != 0 {
		last, _ := f.Blame.Last(owner)
		text += ", which " + last.Thread.Title() + " held"
	}
	return text
}

// isInNative reports whether all dumps show the thread in native code, for input or output.
func (f *facts) isInNative(key trace.ThreadKey) bool {
	return f.dumps() > 0 && slices.ContainsFunc(f.Statistics.Samples.Runnable, func(r samples.Runnable) bool {
		return r.Thread.Key == key && r.Native && r.All && !r.Locks
	})
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
