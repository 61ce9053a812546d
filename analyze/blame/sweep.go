package blame

import (
	"cmp"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// sweep sums many waits at once, however many parts they have. At each moment a chain leads from every wait to one
// culprit: from a blocked thread to the monitor, from there to its holder, from a notified thread to the notifier. So
// the chains form trees, and each root has the waits of its tree. The sweep goes back in time and changes a few links
// of the trees at each event.
//
// Its nodes are the segments, the threads as holders, and the lines of holds. A segment stands for the walks that come
// to it. At its begin they go on together, so it becomes a part of the segment in which they go on.
//
// If times go back, a part can count for a culprit that is as far off as these times. The sums are always whole.
type sweep struct {
	*finished
	keys    *keys
	sums    []tally // of the lists of waits
	changes []change
	now     trace.Time
	nodes   []node
	roots   []root // by key number
	lines   []held
	lineOf  []uint32            // by hold number: the number of the line
	before  []uint32            // by hold number: the previous hold in the line; 0 for none
	joins   map[uint32][]uint32 // by hold number: the lines that go on as the hold's line from there
	in      []trace.SegmentID   // by thread key: the segment in which the thread is
	owned   [][]uint32          // by thread key: the lines that the thread holds
	spots   []critical.Spot     // of a segment, the latest first
	unknown link
}

// link is the target of a node: another node if it is above 0, the root of a key if it is below.
type link int32

func rootOf(key int) link { return link(-key - 1) }

// node has the waits that lead to it.
type node struct {
	to     link
	loop   link    // a target that leads back here, so the node leads to the unknown culprit; else 0
	tokens []token // its waits
	merged bool    // it is a part of its target
}

// token is a number of waits in one of the lists.
type token struct {
	list  uint32
	count int32
}

// root has the waits that lead to a culprit, from a time back to the current one.
type root struct {
	tokens []token
	since  trace.Time
}

// held is a line of holds.
type held struct {
	owner trace.ThreadKey // the current owner
	wait  uint32          // the segment of a wait for the lock
	last  uint32          // number of the last hold that the sweep has not left
	begin trace.Time      // of the last hold
	end   trace.Time      // of the last wait
	open  int             // number of open waits
	// entered reports that the sweep has reached its end.
	entered bool
	into    uint32 // the line that continues it after its last hold; 0 for none
	node    link
}

// change is an event of the sweep.
type change struct {
	at    trace.Time
	kind  changeKind
	index uint32
}

type changeKind uint8

const (
	segmentBegin changeKind = iota // of a segment
	latencyBegin                   // of a segment: the begin of the latency before it
	tailBegin                      // of a segment: from here on, no thread is known to hold the lock
	holdBegin                      // of a hold
	spotBegin                      // of a segment: its thread is at a place from here on
	lineEnd                        // of a line
	waitEnd                        // of an indexed wait
	waitBegin                      // of an indexed wait
)

// sweep returns the sums over each of several lists of waits, without counting the waits.
func (f *finished) sweep(k *keys, lists [][]uint32) []tally {
	segments, threads := int(f.recorder.Segments()), int(f.recorder.Threads())
	s := &sweep{finished: f, keys: k, sums: make([]tally, len(lists)), now: math.MaxInt64}
	s.unknown = rootOf(k.unknown())
	s.findLines(segments + threads)
	s.nodes = make([]node, segments+threads+len(s.lines)+1)
	s.owned, s.in = make([][]uint32, threads+1), make([]trace.SegmentID, threads+1)
	for key := trace.ThreadKey(1); int(key) <= threads; key++ {
		_, last := s.recorder.Thread(key)
		s.enterSegment(key, last, 0)
	}
	waits := s.addWaits(lists)
	for n := trace.SegmentID(1); int(n) <= segments; n++ {
		s.addChange(s.lives().begin(uint32(n)), segmentBegin, uint32(n))
		if step, ok := s.recorder.Back(n, s.recorder.Begin(n)); ok && step.At < s.recorder.Begin(n) {
			s.addChange(step.At, latencyBegin, uint32(n))
		}
		s.addSpots(n)
		before := s.recorder.Segment(n).Previous
		if from, let := s.tailOf(before, n); let != 0 {
			s.addChange(from, tailBegin, uint32(before))
		}
	}
	slices.SortFunc(s.changes, func(x, y change) int {
		if x.at != y.at {
			return cmp.Compare(y.at, x.at)
		}
		return cmp.Or(cmp.Compare(y.index, x.index), cmp.Compare(x.kind, y.kind))
	})
	for _, c := range s.changes {
		s.steps++
		s.now = min(s.now, c.at)
		s.apply(c, waits)
	}
	for key := range s.roots {
		s.settle(key)
	}
	return s.sums
}

func (s *sweep) addChange(at trace.Time, kind changeKind, index uint32) {
	s.changes = append(s.changes, change{at, kind, index})
}

// swept is a wait in the sweep.
type swept struct {
	node uint32 // its segment if it is for a lock, else the Running segment that ended it
	list uint32
}

// addWaits adds the waits that the segments ended to the changes. Waits that kept only their own thread are summed at
// once.
func (s *sweep) addWaits(lists [][]uint32) (waits []swept) {
	for list, ends := range lists {
		for _, end := range ends {
			from, to := s.stretch(end)
			wait := s.recorder.Segment(trace.SegmentID(end)).Previous
			if s.isOwn(end) {
				s.sums[list].at(s.keys.ownWait(s.recorder, wait)).addTotal(int64(to - from))
				continue
			}
			w := swept{end, uint32(list)}
			if kept := s.recorder.Segment(wait); kept.ForHolder() {
				w.node = uint32(wait)
			}
			s.addChange(to, waitEnd, uint32(len(waits)))
			s.addChange(from, waitBegin, uint32(len(waits)))
			waits = append(waits, w)
		}
	}
	return waits
}

// apply applies a change.
func (s *sweep) apply(c change, waits []swept) {
	switch c.kind {
	case waitEnd, waitBegin:
		count := int32(1)
		if c.kind == waitBegin {
			count = -1
		}
		w := &waits[c.index]
		s.count(s.segment(w.node), []token{{w.list, count}}, 1)
	case segmentBegin:
		n := trace.SegmentID(c.index)
		kept := s.recorder.Segment(n)
		s.leave(c.index, kept)
		s.enterSegment(kept.Thread, kept.Previous, n)
	case latencyBegin:
		step, _ := s.recorder.Back(trace.SegmentID(c.index), s.recorder.Begin(trace.SegmentID(c.index)))
		s.merge(c.index, uint32(step.Next), uint32(s.recorder.Segment(trace.SegmentID(c.index)).Previous))
	case tailBegin:
		s.lead(s.find(link(c.index)), s.lines[s.lineOfWait(c.index)].node)
	case spotBegin:
		if s.segment(c.index); !s.nodes[c.index].merged {
			s.lead(link(c.index), s.rootAt(c.index))
		}
	case lineEnd:
		s.enterLine(c.index)
	case holdBegin:
		s.leaveHold(c.index)
	}
}

// segment returns the node of the segment.
func (s *sweep) segment(n uint32) link {
	if s.nodes[n].to == 0 {
		kept := s.recorder.Segment(trace.SegmentID(n))
		to := s.unknown
		switch {
		case !kept.ForHolder():
			to = s.rootAt(n)
		case s.lineOfWait(n) != 0:
			to = s.lines[s.lineOfWait(n)].node
		}
		s.lead(link(n), to)
	}
	return s.find(link(n))
}

// addSpots adds changes for the times at which the segment's thread changed its place.
func (s *sweep) addSpots(n trace.SegmentID) {
	if !s.keys.spots {
		return
	}
	s.spots = s.recorder.Spots(s.spots[:0], n)
	for _, spot := range s.spots[:len(s.spots)-1] {
		s.addChange(spot.At, spotBegin, uint32(n))
	}
}

// rootAt returns the root of the segment's key before the current time.
func (s *sweep) rootAt(n uint32) link {
	id, at := trace.SegmentID(n), critical.Spot{}
	if s.keys.spots {
		s.spots = s.recorder.Spots(s.spots[:0], id)
		for _, at = range s.spots {
			if at.At < s.now {
				break
			}
		}
	}
	return rootOf(s.keys.segment(s.recorder, id, s.recorder.Segment(id), at))
}

// leave leaves the segment at its begin: the walks that have reached it go on.
func (s *sweep) leave(n uint32, kept critical.Kept) {
	step, ok := s.recorder.Back(trace.SegmentID(n), kept.Begin)
	s.segment(n)
	switch {
	case !ok:
		s.merge(n, uint32(kept.Previous), 0)
	case step.At < kept.Begin:
		if !s.nodes[n].merged {
			s.lead(link(n), rootOf(s.keys.step(s.recorder, step)))
		}
	default:
		s.merge(n, uint32(step.Next), uint32(kept.Previous))
	}
}

// merge makes the segment a part of another one, or of a second one if the other is already a part of the segment.
func (s *sweep) merge(n, other, second uint32) {
	if s.nodes[n].merged {
		return
	}
	for _, to := range []uint32{other, second} {
		if to == 0 || s.segment(to) == link(n) {
			continue
		}
		at := s.find(link(to))
		s.lead(link(n), s.unknown)
		if s.leadsTo(at, link(n)) { // it would lead to itself
			before := s.nodes[at].to
			s.lead(at, s.unknown)
			s.nodes[at].loop = before
		}
		tokens := s.nodes[n].tokens
		s.count(s.unknown, tokens, -1)
		s.count(at, tokens, 1)
		s.nodes[n].tokens = nil
		s.nodes[n].to, s.nodes[n].merged = at, true
		return
	}
	s.lead(link(n), s.unknown)
}

// enterSegment makes the segment, which the next one ended, the current one of the thread.
func (s *sweep) enterSegment(thread trace.ThreadKey, n, next trace.SegmentID) {
	holder := s.holder(thread)
	defer func() {
		s.in[thread] = n // what was settled until now was in the segment after it
		s.leadLines(thread)
	}()
	if n == 0 {
		s.lead(holder, s.unknown)
		return
	}
	kept := s.recorder.Segment(n)
	s.tail(n, next)
	switch {
	case kept.Type == trace.Dead:
		s.lead(holder, s.unknown)
	case isWait(kept.Type) && !kept.ForHolder() && next != 0 &&
		s.recorder.Segment(next).Type == trace.Running:
		s.lead(holder, s.segment(uint32(next)))
	default:
		s.lead(holder, s.segment(uint32(n)))
	}
}

// leadLines links the lines of the monitors that the thread holds to what the thread does.
func (s *sweep) leadLines(thread trace.ThreadKey) {
	for _, number := range s.owned[thread] {
		line := &s.lines[number]
		if to := s.heldBy(line); s.nodes[line.node].to != to {
			s.lead(line.node, to)
		}
	}
}

// tail links the wait for a lock to the thread that let this one in at its end, if that one had stopped running.
func (s *sweep) tail(n, next trace.SegmentID) {
	if from, let := s.tailOf(n, next); let != 0 && from < s.now {
		s.lead(s.segment(uint32(n)), rootOf(s.keys.latency(s.recorder, let)))
	}
}

// tailOf describes the end of the wait for a lock, in which no thread is known to hold it. It returns the begin, and
// the segment with which the thread that handed the lock over stopped running; 0 if that did not hold it. The next
// segment ended the wait.
func (s *sweep) tailOf(n, next trace.SegmentID) (from trace.Time, let trace.SegmentID) {
	if next == 0 || s.lineOfWait(uint32(n)) == 0 {
		return 0, 0
	}
	_, number := s.recorder.Covered(n)
	begin := s.recorder.Begin(n)
	for from = s.recorder.Begin(next); number != 0 && from > begin; number = s.before[number] {
		hold := s.recorder.Owned(number)
		if hold.Owner != 0 && hold.At < from {
			break
		}
		from = min(from, max(hold.At, begin))
	}
	if from == s.recorder.Begin(next) {
		return 0, 0
	}
	return from, s.letIn(n, next, from)
}

// lead links the node to another one, with the waits that lead to it.
func (s *sweep) lead(x, to link) {
	n := &s.nodes[x]
	tokens, looping := n.tokens, s.looping(x)
	s.count(n.to, tokens, -1)
	n.to, n.loop = s.unknown, 0
	if s.count(s.unknown, tokens, 1); looping != 0 && looping != x {
		if target := s.nodes[looping].loop; !s.leadsTo(target, looping) {
			s.move(looping, target)
		}
	}
	if s.leadsTo(to, x) {
		n.loop = to
	} else {
		s.move(x, to)
	}
}

// move links a node, which leads to the unknown culprit, to another one, which does not lead to the node.
func (s *sweep) move(x, to link) {
	n := &s.nodes[x]
	s.count(s.unknown, n.tokens, -1)
	n.to, n.loop = to, 0
	s.count(to, n.tokens, 1)
}

// looping returns the node, on the way from this one, that would lead to itself; 0 for none.
func (s *sweep) looping(x link) link {
	for x > 0 {
		s.steps++
		x = s.find(x)
		if s.nodes[x].loop != 0 {
			return x
		}
		x = s.nodes[x].to
	}
	return 0
}

// leadsTo reports whether the node is the other one or leads to it.
func (s *sweep) leadsTo(x, other link) bool {
	for x > 0 {
		s.steps++
		if x = s.find(x); x == other {
			return true
		}
		x = s.nodes[x].to
	}
	return false
}

// find returns the node that the node is a part of; itself if it is separate.
func (s *sweep) find(x link) link {
	top := x
	for s.nodes[top].merged {
		top = s.nodes[top].to
	}
	for x != top {
		s.nodes[x].to, x = top, s.nodes[x].to
	}
	return top
}

// count adds the waits, times the given number, to the node and all nodes that it leads to.
func (s *sweep) count(x link, tokens []token, times int32) {
	if len(tokens) == 0 {
		return
	}
	for x > 0 {
		s.steps++
		x = s.find(x)
		n := &s.nodes[x]
		n.tokens = added(n.tokens, tokens, times)
		x = n.to
	}
	if x == 0 {
		x = s.unknown
	}
	key := int(-x - 1)
	s.settle(key)
	s.roots[key].tokens = added(s.roots[key].tokens, tokens, times)
}

// added adds the waits, times the given number, to a list.
func added(list, tokens []token, times int32) []token {
next:
	for _, t := range tokens {
		for i := range list {
			if known := &list[i]; known.list == t.list {
				if known.count += times * t.count; known.count == 0 {
					list[i] = list[len(list)-1]
					list = list[:len(list)-1]
				}
				continue next
			}
		}
		list = append(list, token{t.list, times * t.count})
	}
	return list
}

// settle adds the time since the latest change of the root to the sums of its key.
func (s *sweep) settle(key int) {
	for len(s.roots) <= key {
		s.roots = append(s.roots, root{since: s.now})
	}
	r := &s.roots[key]
	length, paused := int64(r.since-s.now), int64(0)
	if len(r.tokens) > 0 {
		paused = s.pausedIn(s.keys.list[key], s.now, r.since)
	}
	if r.since = s.now; length == 0 {
		return
	}
	running := s.runningOf(key)
	for _, t := range r.tokens {
		sum, part := s.sums[t.list].at(key), histogram.Product(length-paused, t.count)
		sum.addTotal(part)
		if running != 0 {
			s.use(sum, running, part)
		}
		if paused > 0 {
			s.sums[t.list].at(s.keys.paused()).addTotal(histogram.Product(paused, t.count))
		}
	}
}

// runningOf returns the current segment of the key's thread, if it is Running; 0 for other keys.
func (s *sweep) runningOf(key int) trace.SegmentID {
	k := &s.keys.list[key]
	if !s.keys.spots || k.kind != Segment || k.state != trace.StateRunnable || k.thread == 0 {
		return 0
	}
	n := s.in[k.thread]
	if n == 0 || s.recorder.Segment(n).Type != trace.Running {
		return 0
	}
	return n
}

// holder returns the node of the thread as a holder.
func (s *sweep) holder(thread trace.ThreadKey) link {
	return link(int(s.recorder.Segments()) + int(thread))
}

// findLines finds the lines of holds. Their nodes follow the given number of others.
func (s *sweep) findLines(others int) {
	s.lines, s.lineOf = make([]held, 1), make([]uint32, s.recorder.Lines()+1)
	s.before, s.joins = make([]uint32, s.recorder.Lines()+1), map[uint32][]uint32{}
	for number := uint32(1); number <= s.recorder.Lines(); number++ {
		if s.lineOf[number] == 0 {
			s.lineOf[number] = uint32(len(s.lines))
			s.lines = append(s.lines, held{node: link(others + len(s.lines))})
		}
		line, at := s.lineOf[number], s.recorder.Owned(number)
		begin := at.At
		if before := s.before[number]; before != 0 {
			begin = max(begin, s.lines[line].begin)
		}
		s.lines[line].begin, s.lines[line].last = begin, number
		s.addChange(begin, holdBegin, number)
		switch next := at.Next; {
		case next == 0:
		case s.lineOf[next] == 0:
			s.lineOf[next], s.before[next] = line, number
		default:
			s.joins[next] = append(s.joins[next], line)
			s.lines[line].into = s.lineOf[next]
		}
	}
	for n := trace.SegmentID(1); n <= s.recorder.Segments(); n++ {
		if number := s.lineOfWait(uint32(n)); number != 0 {
			s.lines[number].wait = uint32(n)
			s.lines[number].open++
		}
		if number := s.lineOfWait(uint32(s.recorder.Segment(n).Previous)); number != 0 {
			line := &s.lines[number]
			line.end = max(line.end, s.lives().begin(uint32(n)))
			line.open--
		}
	}
	for number := 1; number < len(s.lines); number++ {
		line := &s.lines[number]
		if line.open > 0 {
			line.end = math.MaxInt64
		}
		s.addChange(line.end, lineEnd, uint32(number))
	}
}

// enterLine enters the line at its end.
func (s *sweep) enterLine(number uint32) {
	line := &s.lines[number]
	if line.into != 0 {
		s.lead(line.node, s.lines[line.into].node)
		return
	}
	line.entered = true
	s.own(number, s.ownerIn(line.last))
}

// ownerIn returns the owner in the hold; 0 if it is unknown.
func (s *sweep) ownerIn(hold uint32) trace.ThreadKey {
	if hold == 0 {
		return 0
	}
	return s.recorder.Owned(hold).Owner
}

// lineOfWait returns the line of the segment's wait for a lock; 0 if it is unknown, or the segment is no such wait.
func (s *sweep) lineOfWait(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	if kept := s.recorder.Segment(trace.SegmentID(n)); !kept.ForHolder() {
		return 0
	}
	first, _ := s.recorder.Covered(trace.SegmentID(n))
	return s.lineOf[first]
}

// leaveHold leaves the hold at its begin.
func (s *sweep) leaveHold(hold uint32) {
	number := s.lineOf[hold]
	if line := &s.lines[number]; line.last == hold {
		line.last = s.before[hold]
	}
	for _, joined := range s.joins[hold] {
		s.lines[joined].into = 0
		s.enterLine(joined)
	}
	if s.lines[number].entered {
		s.own(number, s.ownerIn(s.before[hold]))
	}
}

// own makes the thread the holder of the line's monitor.
func (s *sweep) own(number uint32, owner trace.ThreadKey) {
	line := &s.lines[number]
	if lines := s.owned[line.owner]; line.owner != 0 {
		i := slices.Index(lines, number)
		lines[i] = lines[len(lines)-1]
		s.owned[line.owner] = lines[:len(lines)-1]
	}
	if line.owner = owner; owner != 0 {
		s.owned[owner] = append(s.owned[owner], number)
	}
	s.lead(line.node, s.heldBy(line))
}

// heldBy returns the target of the line: its owner, which has not run yet if it waits for the same monitor itself.
func (s *sweep) heldBy(line *held) link {
	n := s.in[line.owner]
	switch {
	case line.owner == 0:
		return s.unknown
	case n != 0 && isWait(s.recorder.Segment(n).Type) && s.recorder.SameObject(n, trace.SegmentID(line.wait)):
		return rootOf(s.keys.latency(s.recorder, n))
	}
	return s.holder(line.owner)
}
