package contention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Saturated is a pool of workers whose threads were all busy at the same time, for a tenth of a second or more.
type Saturated struct {
	Pool    string `json:"pool"`
	Threads uint64 `json:"threads"`
	// Tally counts these times.
	Tally
	// Open reports that the last of them was not over at the end.
	Open bool `json:"open,omitempty"`
	// From is when the longest of them began, in nanoseconds since the start of the trace.
	From int64 `json:"from"`
	// Did is what the threads did meanwhile, the largest first.
	Did []*Did `json:"did"`
	// Waiters counts threads of other pools that waited meanwhile for a notification by this pool, and Waited is the
	// sum of their waits in nanoseconds.
	Waiters uint64 `json:"waiters"`
	Waited  uint64 `json:"waited"`
}

// Did is the time that the threads of a pool spent in a state, and the place where they spent most of it.
type Did struct {
	State   string `json:"state"`
	Total   uint64 `json:"total"` // nanoseconds
	Place   Place  `json:"place,omitzero"`
	AtPlace uint64 `json:"atPlace,omitempty"` // nanoseconds
}

// SelfWait is a pool whose tasks probably wait for tasks in its own queue.
type SelfWait struct {
	Pool    string   `json:"pool"`
	Threads []string `json:"threads"`
	Class   string   `json:"class"` // of the objects that they wait for
	Place   Place    `json:"place,omitzero"`
	Length  int64    `json:"length"`           // nanoseconds up to the end of the trace
	Behind  int      `json:"behind,omitempty"` // workers of other pools that probably wait for the pool
	Unsure  bool     `json:"-"`                // see pools.SelfWait
}

// NeverEnded is a group of threads that one place started. None of them ended.
type NeverEnded struct {
	Pool    string `json:"pool"`
	Place   Place  `json:"place"`
	Threads uint64 `json:"threads"`
	First   int64  `json:"first"` // when the first of them was started, in nanoseconds since the start of the trace
	Last    int64  `json:"last"`  // when the last of them was started
}

// Workers are what only all threads of pools show together. It is nil without any.
type Workers struct {
	Saturated  []*Saturated  `json:"saturated"`
	SelfWaits  []*SelfWait   `json:"selfWaits"`
	NeverEnded []*NeverEnded `json:"neverEnded"`
	LateTimers []*LateTimer  `json:"lateTimers,omitempty"`
}

// LateTimer is a thread that ran all tasks of a timer. It was busy, so that other tasks began late. Times are in
// nanoseconds.
type LateTimer struct {
	Name string `json:"thread"`
	Busy int64  `json:"busy"` // the sum of its busy times of a tenth of a second or more
	Did  *Did   `json:"did"`  // what it did for most of these times
	// Runs is the number of runs due by a period in these times, Total how late they were in all.
	Runs   int   `json:"runs"`
	Total  int64 `json:"total"`
	Max    int64 `json:"max"`
	Period int64 `json:"period"`
}

// millisecond is in nanoseconds. Timeouts of waits and periods are in milliseconds.
const millisecond = 1_000_000

// lateTimerOf sums up the times in which the thread was busy. The period is the latest one.
func lateTimerOf(p *pools.Pool) *LateTimer {
	l, busy := &LateTimer{Name: p.Name}, &Saturated{Pool: p.Name}
	for _, i := range p.Timers {
		l.Busy = histogram.Sum(l.Busy, i.Length())
		l.Runs, l.Total, l.Max = l.Runs+i.Late.Runs, histogram.Sum(l.Total, i.Late.Total), max(l.Max, i.Late.Max)
		if i.Late.Period > 0 {
			l.Period = (i.Late.Period + millisecond/2) / millisecond * millisecond
		}
		busy.merge(&Saturated{Pool: p.Name, Did: didIn(i)})
	}
	if len(busy.Did) > 0 {
		l.Did = busy.Did[0]
	}
	return l
}

// Sentence says how late tasks began: timer-1 was busy for 600 ms, SLEEPING >99 % at app.Report.run: 6 runs that were
// due every 100 ms began up to 550 ms late, 1.80 s in all.
func (l *LateTimer) Sentence() string {
	text := fmt.Sprintf("%s was busy for %s", phrase.Name(l.Name), phrase.Duration(l.Busy))
	if l.Did != nil {
		text += ", " + mostOf([]*Did{l.Did})
	}
	switch l.Runs {
	case 0:
		return text + ". What its timer had to run meanwhile, if anything, began late; the trace does not record that."
	case 1:
		return text + fmt.Sprintf(": a run that was due, as every %s, began %s late.", phrase.Duration(l.Period),
			phrase.Duration(l.Max))
	}
	return text + fmt.Sprintf(": likely %d runs that were due every %s began up to %s late, %s in all.", l.Runs,
		phrase.Duration(l.Period), phrase.Duration(l.Max), phrase.Duration(l.Total))
}

// WorkersOf returns what a Finder has found in a trace; nil for nothing.
func WorkersOf(f *pools.Finder) *Workers {
	start := f.Start()
	w := &Workers{[]*Saturated{}, []*SelfWait{}, []*NeverEnded{}, nil}
	for _, p := range f.Pools() {
		if s := p.SelfWait; s != nil {
			w.SelfWaits = append(w.SelfWaits,
				&SelfWait{p.Name, s.Names, s.Class, placeAt(s.Place), s.Length, s.Behind, s.Unsure})
		}
		if len(p.Intervals) > 0 {
			w.Saturated = append(w.Saturated, saturatedOf(p, start))
		}
		if len(p.Timers) > 0 {
			w.LateTimers = append(w.LateTimers, lateTimerOf(p))
		}
	}
	for _, u := range f.Unended() {
		w.NeverEnded = append(w.NeverEnded, &NeverEnded{u.Name, placeAt(u.Place), uint64(u.Threads),
			int64(u.First - start), int64(u.Last - start)})
	}
	if len(w.Saturated)+len(w.SelfWaits)+len(w.NeverEnded)+len(w.LateTimers) == 0 {
		return nil
	}
	return w
}

func saturatedOf(p *pools.Pool, start trace.Time) *Saturated {
	s, waiters := &Saturated{Pool: p.Name, Threads: uint64(p.Threads)}, map[trace.ThreadKey]bool{}
	for _, i := range p.Intervals {
		one := &Saturated{Pool: p.Name, Tally: Tally{1, uint64(i.Length()), i.Length()}, Open: i.Open,
			From: int64(i.From - start), Did: didIn(i)}
		for _, waiter := range i.Waiters {
			waiters[waiter.Thread.Key] = true
			one.Waited += uint64(waiter.Time)
		}
		s.merge(one)
	}
	s.Waiters = uint64(len(waiters))
	return s
}

// merge adds other times of the pool.
func (s *Saturated) merge(other *Saturated) {
	s.Pool = threads.CommonName(s.Pool, other.Pool)
	if other.Max > s.Max {
		s.From = other.From
	}
	s.Threads = max(s.Threads, other.Threads)
	s.Tally.merge(other.Tally)
	s.Open = s.Open || other.Open
	s.Waiters += other.Waiters
	s.Waited = histogram.Sum(s.Waited, other.Waited)
	for _, d := range other.Did {
		at := slices.IndexFunc(s.Did, func(own *Did) bool { return own.State == d.State })
		if at < 0 {
			s.Did = append(s.Did, d)
			continue
		}
		s.Did[at].merge(d)
	}
	slices.SortStableFunc(s.Did, func(a, b *Did) int { return cmp.Compare(b.Total, a.Total) })
}

// merge adds the time of the same state. The place with more time is kept.
func (d *Did) merge(other *Did) {
	d.Total = histogram.Sum(d.Total, other.Total)
	switch {
	case d.Place == other.Place:
		d.AtPlace = histogram.Sum(d.AtPlace, other.AtPlace)
	case other.AtPlace > d.AtPlace:
		d.Place, d.AtPlace = other.Place, other.AtPlace
	}
}

// merge adds the pools of another trace. Pools of one name are the same, and so are threads that one place starts.
func (w *Workers) merge(other *Workers) {
	type started struct {
		pool  string
		place Place
	}
	byPool, byStart := map[string]*Saturated{}, map[started]*NeverEnded{}
	for _, s := range w.Saturated {
		byPool[threads.PoolOf(s.Pool)] = s
	}
	for _, s := range other.Saturated {
		mergeRow(byPool, &w.Saturated, threads.PoolOf(s.Pool), s, (*Saturated).merge)
	}
	for _, n := range w.NeverEnded {
		byStart[started{n.Pool, n.Place}] = n
	}
	for _, n := range other.NeverEnded {
		mergeRow(byStart, &w.NeverEnded, started{n.Pool, n.Place}, n, func(a, b *NeverEnded) {
			a.Threads, a.First, a.Last = a.Threads+b.Threads, min(a.First, b.First), max(a.Last, b.Last)
		})
	}
	w.SelfWaits = append(w.SelfWaits, other.SelfWaits...)
	w.LateTimers = append(w.LateTimers, other.LateTimers...)
	slices.SortStableFunc(w.Saturated, func(a, b *Saturated) int { return cmp.Compare(b.Total, a.Total) })
	slices.SortStableFunc(w.NeverEnded, func(a, b *NeverEnded) int { return cmp.Compare(b.Threads, a.Threads) })
}

// dropNil drops rows that are nil, which saved statistics may have.
func (w *Workers) dropNil() {
	if w == nil {
		return
	}
	w.Saturated = slices.DeleteFunc(w.Saturated, func(s *Saturated) bool { return s == nil })
	for _, s := range w.Saturated {
		s.Did = slices.DeleteFunc(s.Did, func(d *Did) bool { return d == nil })
	}
	w.SelfWaits = slices.DeleteFunc(w.SelfWaits, func(s *SelfWait) bool { return s == nil })
	w.NeverEnded = slices.DeleteFunc(w.NeverEnded, func(n *NeverEnded) bool { return n == nil })
	w.LateTimers = slices.DeleteFunc(w.LateTimers, func(l *LateTimer) bool { return l == nil })
}

// didIn returns what the threads did in the interval.
func didIn(i *pools.Interval) (all []*Did) {
	for _, d := range i.Did {
		all = append(all, &Did{d.State.String(), uint64(d.Time), placeAt(d.Place), uint64(d.AtPlace)})
	}
	return all
}

// mostOf says what threads did most, with the place: BLOCKED 95 % at shop.Cache.load(Cache.java:88).
func mostOf(did []*Did) string {
	var parts []string
	all := uint64(0)
	for _, d := range did {
		all = histogram.Sum(all, d.Total)
	}
	for i, d := range did[:min(2, len(did))] {
		if i > 0 && 100*d.Total < all {
			break
		}
		text := d.State + " " + percent(d.Total, all)
		if d.Place != (Place{}) && 2*d.AtPlace >= d.Total {
			text += " at " + d.Place.String()
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// MayBeIdle reports whether the pool may not have been busy: its threads waited for others most of the time, maybe for
// work, and nobody is known to have waited for them.
func (s *Saturated) MayBeIdle() bool {
	all, waited := uint64(0), uint64(0)
	for _, d := range s.Did {
		all = histogram.Sum(all, d.Total)
		switch d.State {
		case trace.StateRunnable.String(), trace.StateSleeping.String(), trace.StateInIO.String():
		default:
			waited = histogram.Sum(waited, d.Total)
		}
	}
	return s.Waiters == 0 && waited > all/2
}

// Sentence says that the pool was saturated: All 10 of web-* were busy for 1.9 s. most is "up to ", or "".
func (s *Saturated) Sentence(most string) string {
	text := allOf(int(s.Threads), s.Pool) + " were"
	if s.Threads == 1 {
		text = phrase.Name(s.Pool) + " was"
	}
	text += " busy for " + most + phrase.Total(s.Total)
	if s.Count > 1 {
		text += " (" + phrase.Number(s.Count) + " times)"
	}
	if did := mostOf(s.Did); did != "" {
		text += ": " + did
	}
	if s.Waiters > 0 {
		text += fmt.Sprintf("; meanwhile %s waited %s for it", phrase.Count(s.Waiters, "other thread"), phrase.Total(s.Waited))
	}
	return text + "."
}

// allOf names the threads of a pool: "All 10 threads of web-*".
func allOf(threads int, pool string) string {
	if threads == 2 {
		return "Both threads of " + phrase.Name(pool)
	}
	return fmt.Sprintf("All %d threads of %s", threads, phrase.Name(pool))
}

// Sentence says what the pool probably waits for.
func (s *SelfWait) Sentence() string {
	at := ""
	if s.Place != (Place{}) {
		at = " at " + s.Place.String()
	}
	who, each, verb := allOf(len(s.Threads), s.Pool), "their", "wait"
	if len(s.Threads) == 1 {
		who, each, verb = phrase.Name(s.Pool), "its", "waits"
	}
	if !s.IsLikely() {
		length := ""
		if s.Length > 0 {
			length = ", for " + phrase.Duration(s.Length) + " up to the end"
		}
		return fmt.Sprintf("%s %s for a %s%s%s, possibly for a task in %s own queue, which then nobody is left to run: "+
			"none is idle, and no other pool is seen to be busy.", who, verb, javaname.SimpleClass(s.Class), at, length, each)
	}
	return fmt.Sprintf("%s likely %s for %s own queue: for a %s%s, for %s up to the end, and no other pool is seen to be busy.",
		who, verb, each, javaname.SimpleClass(s.Class), at, phrase.Duration(s.Length))
}

// IsLikely reports whether the self-wait is likely, and not only possible: threads wait for the results of tasks, in
// more than a single thread dump. Other objects, such as a latch, need not depend on a task of the queue, and the tasks
// can be in the queue of workers that wait, too.
func (s *SelfWait) IsLikely() bool {
	class := javaname.SimpleClass(s.Class)
	return s.Length > 0 && !s.Unsure && s.Behind == 0 && (strings.Contains(class, "Future") || strings.Contains(class, "Task"))
}

// Sentence says that threads have not ended: 150 threads poller-* were started at App.poll(App.java:30), and none of
// them had ended when the trace ended.
func (n *NeverEnded) Sentence() string {
	return fmt.Sprintf("%s %s were started at %s, and none of them had ended when the trace ended.",
		phrase.Count(n.Threads, "thread"), phrase.Name(n.Pool), n.Place)
}

func saturatedTable(s *Statistics, order Order) answer.Table {
	if s.Workers == nil {
		return answer.Table{}
	}
	t := answer.Table{Title: "Pools that were saturated: none of their threads waited for work", Columns: slices.Concat(
		answer.Left("pool"), answer.Right("threads", "times").Spare(2), answer.Right("total"),
		answer.Right("longest", "from").Spare(1), answer.Left("what they did"),
		answer.Right("waiters", "waited").Spare(3))}
	for _, row := range s.Workers.Saturated {
		var waited any
		if row.Waited > 0 {
			waited = answer.Total(row.Waited)
		}
		t.Add(row.Pool, row.Threads, row.Count, answer.Total(row.Total), answer.Time(row.Max), answer.Time(row.From),
			mostOf(row.Did), answer.Known(row.Waiters), waited)
	}
	t.Limit(order.Top)
	return t
}

func neverEndedTable(s *Statistics, order Order) answer.Table {
	if s.Workers == nil {
		return answer.Table{}
	}
	t := answer.Table{Title: "Threads that were started and never ended", Columns: slices.Concat(answer.Left("threads named"),
		answer.Right("threads"), answer.Right("first", "last").Spare(1), answer.Left("started at"))}
	for _, row := range s.Workers.NeverEnded {
		t.Add(row.Pool, row.Threads, answer.Time(row.First), answer.Time(row.Last), row.Place.String())
	}
	t.Limit(order.Top)
	return t
}
