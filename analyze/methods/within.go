package methods

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/spill"
	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/trace"
)

// spans say when which methods were innermost, in lists by hotBy.
type spans struct {
	file  *tempfile.Spill
	lists [hotInCalls + 1]spill.List[span]
}

// span is a time in which a method was the innermost call of a thread, or samples of one moment. The length of samples
// is the nanoseconds that they stand for, or their number.
type span struct {
	at             trace.Time
	length         int64
	thread, method int32
	count          uint32 // number of samples
}

// maxSpans is the memory for a list of spans in bytes.
const maxSpans = 2 << 20

func newSpans() *spans {
	s := &spans{file: tempfile.NewSpill("", "trcx-methods-*")}
	for by := range s.lists {
		s.lists[by].Keep(s.file, maxSpans, 9)
	}
	return s
}

// Piece is a part of the time of a thread.
type Piece struct {
	Session  int    // the index of its recording
	Thread   string // id
	From, To trace.Time
}

// pieces are the pieces of a thread, in the order of time. They do not overlap.
type pieces []Piece

// inside returns how much of the length of a span is in the pieces.
func (p pieces) inside(g *span, by hotBy) (length int64) {
	end := g.at + trace.Time(g.length)
	if by != hotInCalls {
		end = g.at + 1
	}
	at, _ := slices.BinarySearchFunc(p, g.at+1, func(p Piece, at trace.Time) int { return cmp.Compare(p.To, at) })
	for ; at < len(p) && p[at].From < end; at++ {
		length += int64(min(end, p[at].To) - max(g.at, p[at].From))
	}
	if by != hotInCalls {
		length *= g.length
	}
	return length
}

// Ran says in which methods threads ran in pieces of their time.
type Ran struct {
	Hot   map[string]Hot // like Collector.Hot, but only in the pieces
	total int64          // the length of the pieces
	by    [hotInCalls + 1]struct {
		rows []Row
		sum  hotSum
	}
}

// Within returns the methods in which threads ran during the pieces. These must be in the order of time and not
// overlap. It needs Options.Spans.
func (c *Collector) Within(all iter.Seq[Piece]) *Ran {
	type id struct {
		session int
		thread  string
	}
	of, ran := map[id]pieces{}, &Ran{Hot: map[string]Hot{}}
	for p := range all {
		of[id{p.Session, p.Thread}] = append(of[id{p.Session, p.Thread}], p)
		add(&ran.total, int64(p.To-p.From))
	}
	for by := range ran.by {
		to, sums := &ran.by[by], map[*method]hotSum{}
		for number, s := range c.sessions {
			threads := map[string]map[int32]hotSum{}
			for i := range s.spans.lists[by].Len() {
				g := s.spans.lists[by].At(i)
				thread := s.threads[g.thread].id
				length := of[id{number, thread}].inside(g, hotBy(by))
				if length == 0 {
					continue
				}
				if threads[thread] == nil {
					threads[thread] = map[int32]hotSum{}
				}
				sum := hotSum{length, uint64(g.count)}
				threads[thread][g.method] = threads[thread][g.method].plus(sum)
				sums[s.methods[g.method]] = sums[s.methods[g.method]].plus(sum)
				to.sum = to.sum.plus(sum)
			}
			if len(c.sessions) == 1 {
				for thread, methods := range threads {
					s.addHottest(ran.Hot, hotBy(by), thread, methods)
				}
			}
		}
		for m, sum := range sums {
			row := Row{Figures: Figures{Calls: sum.calls, Base: sum.time}}
			m.describe(&row)
			to.rows = append(to.rows, row)
		}
		slices.SortFunc(to.rows, func(a, b Row) int {
			return cmp.Or(cmp.Compare(b.Base, a.Base), cmp.Compare(a.Title, b.Title),
				cmp.Compare(a.Signature, b.Signature))
		})
	}
	return ran
}

// Tables returns the tables of methods, with shares of a whole, or of the samples.
func (r *Ran) Tables(whole int64, most int) (tables []answer.Table) {
	for by := range r.by {
		of := &r.by[by]
		if len(of.rows) == 0 {
			continue
		}
		t := answer.Table{Title: "Methods in which threads ran on the path",
			Columns: append(answer.Right("share", "time"), answer.Left("method")...)}
		all := whole
		if hotBy(by) != hotInCalls {
			t.Title += fmt.Sprintf(", by %s %s", phrase.Count(of.sum.calls, "sample"),
				[...]string{hotInCPU: "on a processor", hotInMoments: "that were RUNNABLE"}[by])
			t.Columns = append(answer.Right("share", "samples"), answer.Left("method")...)
			all = of.sum.time
		}
		for i := range of.rows {
			figure := any(answer.Time(of.rows[i].Base))
			if hotBy(by) != hotInCalls {
				figure = phrase.Number(of.rows[i].Calls)
			}
			t.Add(phrase.Percent(of.rows[i].Base, all), figure, phrase.Name(of.rows[i].Title))
		}
		if rest := r.total - of.sum.time; hotBy(by) == hotInCalls && rest > 0 {
			t.Note("for %s no call of theirs is in the trace", phrase.Duration(rest))
		}
		t.Limit(most)
		tables = append(tables, t)
	}
	return tables
}

// jsonRan is a method in JSON.
type jsonRan struct {
	By string `json:"by"`
	jsonNames
	Samples uint64 `json:"samples,omitempty"`
	Time    int64  `json:"time,omitempty"` // in nanoseconds; for samples on a processor what they stand for
}

// rows iterates over the methods in JSON, by calls and by samples of each kind.
func (r *Ran) rows(yield func(jsonRan) bool) {
	for by, name := range [...]string{hotInCPU: OnCPU.String(), hotInMoments: Moments.String(), hotInCalls: "calls"} {
		for i := range r.by[by].rows {
			row := &r.by[by].rows[i]
			j := jsonRan{name, nameMethod(row), row.Calls, row.Base}
			if hotBy(by) == hotInMoments {
				j.Time = 0
			}
			if !yield(j) {
				return
			}
		}
	}
}

// JSON returns the field with the methods; nothing without methods.
func (r *Ran) JSON() answer.Object {
	rows := slices.Collect(r.rows)
	if len(rows) == 0 {
		return nil
	}
	return answer.Object{{Name: "methods", Line: true,
		Value: answer.ListOf(rows, func(j *jsonRan) *jsonRan { return j })}}
}
