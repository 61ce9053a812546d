package diff

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace/javaname"
)

// Options select the rows that are printed for people.
type Options struct {
	// All prints also rows that changed within noise. SeeAll follows the note that counts them: it says how a user asks
	// for them, such as " (--all shows every row)". "" adds nothing.
	All    bool
	SeeAll string
	// Top limits the rows of a table; 0 is no limit.
	Top int
}

// Answer returns the answer: for people the verdict, the outcomes of thresholds, and tables of the changes; as CSV all
// rows, and as JSON all rows with all their figures.
func (c *Comparison) Answer(outcomes []Outcome, options Options) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return c.report(outcomes, options) },
		CSV:    answer.Rows(c.csv),
		JSON:   func() any { return c.json(outcomes) },
	}
}

func (c *Comparison) report(outcomes []Outcome, options Options) *answer.Report {
	report := &answer.Report{Headline: c.verdict()}
	report.Add(thresholdTable(outcomes))
	report.Add(c.table("Threads, by the pattern of their names", "threads", c.Threads, options))
	report.Add(c.table("Classes of monitors", "class", c.Classes, options))
	report.Add(c.table("Callers", "method", c.Callers, options))
	for m := range measures {
		report.Add(c.methodTable(m, options))
	}
	report.Add(c.blameTable(options))
	if len(report.Tables) == 0 {
		report.Note = "Nothing changed beyond noise" + options.SeeAll + "."
	}
	if c.NoBlame != "" {
		report.Remark("Who kept threads waiting is not compared: the statistics of " + c.NoBlame + " do not have it.")
	}
	if c.NoMethods != "" {
		report.Remark("Methods are not compared: " + c.NoMethods + ".")
	}
	return report
}

// verdict summarizes the changes of all threads together.
func (c *Comparison) verdict() string {
	var parts []string
	for state, change := range apart(c.All) {
		parts = append(parts, fmt.Sprintf("%s %s instead of %s (%s, %s)", state,
			phrase.Total(change.Head.Total), phrase.Duration(whole(change.scaled())), percent(change), change.Judge()))
	}
	sentences := c.methodSentences()
	switch {
	case len(parts) > 0:
		sentences = slices.Insert(sentences, 0, "All threads together: "+strings.Join(parts, "; ")+".")
	case len(sentences) == 0:
		return "No thread was blocked or waited, in base or head."
	}
	text := strings.Join(sentences, " ")
	if c.Scale != 1 {
		text += fmt.Sprintf(" Base combines %d traces, head %d: times of the base are scaled.", len(c.Base),
			len(c.Head))
	}
	return text
}

// percent returns the change of the total, in percent.
func percent(c Change) string {
	return percentOf(float64(c.Head.Total), c.scaled())
}

func percentOf(head, base float64) string {
	switch {
	case head == base:
		return "0 %"
	case base == 0:
		return "new"
	}
	more := math.Round(100 * (head/base - 1))
	if more == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%+.0f %%", more)
}

func (c *Comparison) table(title, key string, rows []Row, options Options) answer.Table {
	t := answer.Table{Title: title, Columns: slices.Concat(answer.Left(key, "what"),
		answer.Right("count", "→").Spare(4), answer.Right("total", "→").Spare(1), answer.Right("change", ""),
		answer.Right("p50", "→").Spare(3), answer.Right("p99", "→").Spare(5), answer.Left("judgement").Spare(2))}
	quiet := 0
	for _, row := range rows {
		for state, change := range apart(row.Kinds) {
			if judgement := change.Judge(); judgement == Same && !options.All {
				quiet++
			} else {
				t.Add(cells(row.title(), state, change, judgement))
			}
		}
	}
	options.finish(&t, quiet)
	return t
}

// finish limits the rows of a table, and notes how many are left out because they are within noise.
func (o *Options) finish(t *answer.Table, quiet int) {
	t.Limit(o.Top)
	if quiet > 0 {
		t.Note("%d more changed within noise, or not at all%s", quiet, o.SeeAll)
	}
}

// apart splits the time of waits by state, as people name it, so that no time counts twice: waits for input or output
// and for classes are taken off the other waits. A park is BLOCKED if it waits for a lock; else it is one of the waits,
// which are PARKED if all of them are parks.
func apart(kinds [contention.KindCount]Change) iter.Seq2[string, Change] {
	return func(yield func(string, Change) bool) {
		for kind, change := range kinds {
			kind := contention.Kind(kind)
			state := kind.Title()
			switch kind {
			case contention.Timed, contention.Parked:
				continue
			case contention.Waited:
				for _, part := range []Change{kinds[contention.IO], kinds[contention.Init]} {
					change = Change{change.Base.Without(part.Base), change.Head.Without(part.Head), change.scale}
				}
				parked, timed := kinds[contention.Parked].count(), kinds[contention.Timed].count()
				switch {
				case parked == change.count() && kinds[contention.Blocked].count() == 0:
					state = contention.Parked.Title()
				case parked+timed > 0:
					state = "waits"
				}
			}
			if change.count() > 0 && !yield(state, change) {
				return
			}
		}
	}
}

// title returns the row's key for people.
func (r *Row) title() string {
	switch {
	case r.Key == "":
		return "(unknown)"
	case r.Class == "":
		return r.Key
	case r.Class == r.Key:
		return javaname.PlainClass(r.Key)
	}
	return strings.ReplaceAll(r.Key, "/", ".")
}

func cells(key, state string, c Change, judgement Judgement) []any {
	percentile := func(p float64) []any {
		return answer.Row(answer.Time(c.Base.Percentile(p)), answer.Time(c.Head.Percentile(p)))
	}
	return answer.Row(key, state, c.Base.Count, c.Head.Count, answer.Total(c.Base.Total), answer.Total(c.Head.Total),
		answer.Time(c.Delta()), percent(c), percentile(50), percentile(99), judgement)
}

// thresholdTable lists which thresholds are exceeded.
func thresholdTable(outcomes []Outcome) answer.Table {
	t := answer.Table{Title: "Thresholds",
		Columns: slices.Concat(answer.Left("threshold"), answer.Right("base", "head"), answer.Left(""))}
	for _, o := range outcomes {
		verdict := "kept"
		switch {
		case o.Matched == 0:
			verdict = "not exceeded: nothing matches the pattern"
		case o.Exceeded && o.Noise:
			verdict = "EXCEEDED, though within noise"
		case o.Exceeded:
			verdict = "EXCEEDED"
		}
		value := func(v float64) any { return answer.Time(whole(v)) }
		if o.counts {
			value = func(v float64) any { return uint64(math.Round(v)) }
		}
		t.Add(o.Threshold, value(o.Base), value(o.Head), verdict)
	}
	return t
}
