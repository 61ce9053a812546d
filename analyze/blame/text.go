package blame

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Grouping is how the tables for people group the blame.
type Grouping string

// The groupings: by the culprit, or by the waits.
const (
	Threads  Grouping = "thread"
	Pools    Grouping = "pool"
	Monitors Grouping = "monitor"
	Places   Grouping = "place"
	Waiters  Grouping = "waiter"
)

// Groupings lists the names of all groupings.
func Groupings() []string {
	return []string{string(Threads), string(Pools), string(Monitors), string(Places), string(Waiters)}
}

// View selects what tables show.
type View struct {
	By  Grouping
	Top int // limits the rows of a table; 0 is no limit
	// Brief leaves out, in text and Markdown, the table of open waits and the note. It also leaves out the table of
	// unexplained waits, unless that is the only one.
	Brief bool
}

// Answer returns the answer: for people the table of the view, and the open waits; as CSV all rows of that table; as
// JSON the sums and, with waits, also each finished wait with its parts.
func (b *Blame) Answer(view View, waits bool) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return b.Report(view) },
		CSV:    answer.RowsOf(func() answer.Table { return b.table(View{By: view.By}) }),
		JSON:   func() any { return b.json(waits) },
	}
}

// Report returns the report for people.
func (b *Blame) Report(view View) *answer.Report {
	report := &answer.Report{Tables: b.tables(view)}
	report.Remark(b.extent())
	report.Remark(b.Idle())
	report.Remark(b.openText())
	if view.Brief {
		return report
	}
	report.Add(b.openTable(view.Top))
	if b.recorder.Summed() == "" && (b.Count > 0 || b.options.isEverything()) {
		report.Note = b.recorder.Unreported()
	}
	return report
}

// limitOf returns the limit for the rows of a table that shows the top rows; 0 means all.
func limitOf(top int) int {
	if top == 0 {
		return math.MaxInt
	}
	return top
}

// Nothing is a sentence on why no finished wait is chosen; "" if there is one.
func (b *Blame) Nothing() string {
	switch {
	case b.Count > 0:
		return ""
	case b.recorder.Summed() != "":
		return b.recorder.Summed()
	case b.idle.count > 0:
		return "Threads finished only waits that count as idle."
	case b.idle.ofJVM > 0 && b.options.isEverything():
		return "No thread of the program finished a wait."
	case b.options.isEverything():
		return "No thread finished a wait."
	case b.since > b.End():
		return "No wait is selected: the window begins after the end of the trace, which lasts " +
			phrase.Duration(int64(b.End()-b.Start())) + "."
	case !slices.Contains(b.chosen[1:], true):
		return "No wait is selected: no thread has a name or an id that matches " +
			phrase.List(b.options.Threads, "or") + "."
	case len(b.options.Monitors) > 0 && !b.recorder.Any(b.options.Monitors):
		var names []string
		for _, m := range b.options.Monitors {
			names = append(names, m.String())
		}
		return "No wait is selected: no class or object that threads waited for matches " + phrase.List(names, "or") + "."
	}
	return "No wait that is selected was finished."
}

// extent is a sentence on all chosen finished waits; "" without any.
func (b *Blame) extent() string {
	if b.Count == 0 {
		return ""
	}
	text := fmt.Sprintf("Threads waited %s in %s.", phrase.Duration(b.Total), phrase.Count(b.Count, "finished wait"))
	if b.Timed > 0 {
		text += fmt.Sprintf(" %s ended by a timeout, or by something that the trace does not show.", phrase.Count(b.Timed, "wait"))
	}
	return text
}

// use says how the culprit used processors; "" if the trace does not show it.
func (r *Row) use() string {
	switch {
	case r.Measured == 0:
		return ""
	case 20*r.Measured < 19*r.Total:
		return critical.UseOf(r.OnCPU, r.Measured) + ", as far as the trace shows"
	}
	return critical.UseOf(r.OnCPU, r.Measured)
}

// did says what the culprit did, with how it used processors.
func (r *Row) did() string {
	if use := r.use(); use != "" {
		return r.Did() + ": " + use
	}
	return r.Did()
}

// title names the culprit's thread, or its pool.
func (b *Blame) title(c *Culprit) string {
	switch {
	case c.Thread.Key != 0:
		return c.Thread.Title()
	case c.Kind == Unknown:
		return "(unknown)"
	case c.Kind == Paused:
		return "(garbage collection)"
	}
	return phrase.Name(c.Pool)
}

// Did returns what the culprit did, for people: SLEEPING, or had woken another thread.
func (c *Culprit) Did() string {
	switch c.Kind {
	case Latency:
		return "had woken another thread"
	case Unknown:
		return "the trace does not show it"
	case Paused:
		return "the program was stopped"
	}
	return c.As.String()
}

// DidOf is Did for a kind and a state by their names in JSON. ok is false if there are no such names.
func DidOf(kind, state string) (did string, ok bool) {
	for i, name := range kindNames {
		if name != kind {
			continue
		}
		for typ := range trace.ModelTypeCount {
			if !typ.IsState() {
				continue
			}
			if c := (Culprit{Kind: Kind(i), Type: typ, As: stateOf(typ)}); c.State() == state {
				return c.Did(), true
			}
		}
	}
	return "", false
}

// table returns the table of the view.
func (b *Blame) table(view View) answer.Table {
	switch view.By {
	case Pools:
		return b.culpritTable("Who kept threads waiting, by pool", "pool", b.sumsBy(byState, b.recorder), view.Top)
	case Monitors:
		return b.groupTable("What threads waited for", "for", ByMonitor, view.Top, (*Wait).waiting)
	case Places:
		return b.groupTable("Where threads waited", "place", ByPlace, view.Top, func(w *Wait) string {
			return cmp.Or(wording.Frame(w.Caller), "(unknown)")
		})
	case Waiters:
		return b.groupTable("Which threads waited", "thread", ByWaiter, view.Top, func(w *Wait) string {
			return w.Thread.Title()
		})
	}
	return b.culpritTable("Who kept threads waiting", "thread", b.sumsBy(byState, nil), view.Top)
}

// tables returns the tables of the view for text and Markdown, without empty ones. Waits that kept only their own
// thread have a table of their own. A brief view has it only if it has no other table.
func (b *Blame) tables(view View) (all []answer.Table) {
	title, column, rows := "Who kept threads waiting", "thread", b.threads()
	switch {
	case b.Count == 0:
		return nil
	case view.By == Monitors || view.By == Places || view.By == Waiters:
		return []answer.Table{b.table(view)}
	case view.By == Pools:
		title, column, rows = "Who kept threads waiting, by pool", "pool", b.sumsBy(byOwn, b.recorder)
	}
	own, others := rows.split(key.isOwn)
	const alone = "In waits that kept only their own thread"
	for _, t := range []answer.Table{b.detailedTable(title, column, others, view.Top),
		b.detailedTable(alone, column, own, view.Top)} {
		if len(t.Rows) > 0 && !(view.Brief && len(all) > 0) {
			all = append(all, t)
		}
	}
	return all
}

func (b *Blame) culpritTable(title, column string, of *ranking, top int) answer.Table {
	t := answer.Table{Title: title, Columns: slices.Concat(answer.Right("share", "time"),
		answer.Right("waits").Spare(2), answer.Left(column), answer.Left("state").Spare(1))}
	for i := range min(len(of.order), limitOf(top)) {
		row := b.row(of, i)
		count := any(row.Count)
		if row.Count == 0 {
			count = nil // too many parts to be counted
		}
		t.Add(phrase.Percent(row.Total, b.Total), answer.Time(row.Total), count, b.title(&row.Culprit), row.Did())
	}
	t.More = len(of.order) - len(t.Rows)
	return t
}

// detailedTable is culpritTable for people, with how threads used processors, and with the places, if any are known.
func (b *Blame) detailedTable(title, column string, of *ranking, top int) answer.Table {
	t := b.culpritTable(title, column, of, top)
	if len(of.places) > 0 {
		t.Columns = append(t.Columns, answer.Left("mostly at").Spare(4)...)
	}
	for i := range t.Rows {
		row, state := b.row(of, i), len(t.Rows[i])-1
		t.Rows[i][state] = row.did()
		if len(of.places) > 0 {
			t.Rows[i] = append(t.Rows[i], row.at())
		}
	}
	return t
}

// detailed limits the groups whose culprits are computed.
const detailed = 25

func (b *Blame) groupTable(title, column string, by By, top int, name func(*Wait) string) answer.Table {
	t := answer.Table{Title: title, Columns: slices.Concat(answer.Right("share", "time"),
		answer.Right("waits").Spare(2), answer.Right("longest").Spare(3), answer.Left(column),
		answer.Left("mostly because of").Spare(1))}
	limit := limitOf(top)
	all := b.eachGroup(by, limit, min(limit, detailed), func(g groupRow) {
		t.Add(phrase.Percent(g.total, b.Total), answer.Time(g.total), g.count, answer.Time(g.longest.Length()),
			name(&g.longest), g.mostly)
	})
	t.More = all - len(t.Rows)
	return t
}

// openTable lists the open waits.
func (b *Blame) openTable(top int) answer.Table {
	t := answer.Table{Title: "Still waiting when the trace ended", Columns: slices.Concat(
		answer.Right("since").Spare(5), answer.Right("time").Spare(1), answer.Left("thread"),
		answer.Left("state").Spare(3), answer.Left("for").Spare(2), answer.Left("owner then").Spare(4),
		answer.Left("place"))}
	for i := range b.open[:min(len(b.open), limitOf(top))] {
		w, length := b.openWait(i), any(nil)
		if w.Length() > 0 {
			length = answer.Time(w.Length())
		}
		t.Add(wording.Moment(w.From, b.Start()), length, w.Thread.Title(), w.State.String(), w.reason(), w.owner(),
			wording.Frame(w.Caller))
	}
	t.More = len(b.open) - len(t.Rows)
	return t
}

// owner names the lock's owner when the wait began; "" if unknown.
func (w *Wait) owner() string {
	if w.Type != trace.WaitingForLock || w.Other.Key == 0 {
		return ""
	}
	if w.Inferred {
		return "probably " + w.Other.Title()
	}
	return w.Other.Title()
}

// waiting says in which state the thread waited, and for what: "WAITING on shop.Queue 900".
func (w *Wait) waiting() string {
	reason := w.reason()
	switch {
	case w.Type != trace.WaitingForObject:
		return cmp.Or(reason, w.State.String())
	case reason == "":
		return w.State.String()
	case w.State == trace.StateInitialising:
		return w.State.InSentence() + " for " + reason
	}
	return w.State.String() + " on " + reason
}

// reason says what the thread waited for; "" if it is unknown.
func (w *Wait) reason() string {
	switch w.Type {
	case trace.WaitingForLock:
		return w.Object.LockTitle()
	case trace.WaitingForJoin:
		return critical.JoinTitle(w.Other, w.Object)
	}
	switch {
	case w.State == trace.StateInitialising:
		return w.Object.Initialisation()
	case w.Object.ID.Known():
		return w.Object.Title()
	}
	return ""
}
