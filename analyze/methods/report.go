package methods

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/phrase"
)

// Answer returns what the collector found, as the view shows it.
func (c *Collector) Answer(v View) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return c.report(&v) },
		CSV:    answer.Rows(func(add func(...any)) { c.addCSV(&v, add) }),
		JSON:   func() any { return c.json(&v) },
	}
}

// addCSV adds the rows of what the view shows.
func (c *Collector) addCSV(v *View, add func(...any)) {
	switch {
	case v.Coverage:
		c.csvCoverage(v, add)
	case v.Flow:
		c.csvFlow(v, add)
	case v.Tree:
		c.csvTree(v, add)
	case len(v.asked()) > 0:
		c.csvInvocations(v, add)
	default:
		c.csv(v, add)
	}
}

func (c *Collector) report(v *View) *answer.Report {
	r := &answer.Report{}
	for _, s := range c.sessions {
		of, t := "", s.Tables(v.Threads)
		if len(c.sessions) > 1 {
			of = s.Name + ": "
		}
		sentence, sampled := of+s.summary(t, v), [samplings]*Tables{}
		for kind := range samplings {
			if sampled[kind] = s.Samples(kind, v.Threads); sampled[kind] == nil {
				continue
			}
			said, first := sampleSentence(kind, sampled[kind]), kind == OnCPU || sampled[OnCPU] == nil
			if t.Total.Calls == 0 && first {
				sentence = of + said
			} else {
				sentence += " " + said
			}
		}
		if r.Headline == "" {
			r.Headline = sentence
		} else {
			r.Remark(sentence)
		}
		remarks := s.remarks(&t.Total, v)
		if v.Coverage {
			remarks = append(s.Coverage(v).sentences(v), remarks...)
		}
		for _, remark := range remarks {
			r.Remark(of + remark)
		}
		title := ""
		if of != "" {
			title = " of " + s.Name
		}
		for _, table := range c.shown(s, t, v) {
			table.Title += title
			r.Add(table)
		}
		for kind, samples := range sampled {
			if samples != nil && !v.Tree && !v.Flow && !v.Coverage {
				table := s.sampleTable(Sampling(kind), samples, v)
				table.Title += title
				r.Add(table)
			}
		}
	}
	if len(c.sessions) > 1 {
		r.Remark("The traces are not added up.")
	}
	return r
}

// summary is the sentence about all calls.
func (s *Session) summary(t *Tables, v *View) string {
	switch {
	case s.entries == 0 && !s.Aggregated && len(s.counted) == 0:
		return "The trace has no calls of methods, and no samples of them."
	case t.Total.Calls == 0:
		return "None of the trace's calls of methods is selected."
	case s.CalledOnly:
		return fmt.Sprintf("%s called. How often, and for how long, is unknown.", phrase.Count(len(t.Methods),
			"method was", "methods were"))
	case !s.Timed():
		return fmt.Sprintf("%s of %s. Their times are unknown.", phrase.Count(t.Total.Calls, "call"),
			phrase.Count(len(t.Methods), "method"))
	}
	together := ""
	if len(t.Threads) > 1 {
		together = " together"
	}
	return fmt.Sprintf("%s of %s in %s took %s%s.", phrase.Count(t.Total.Calls, "call"),
		phrase.Count(len(t.Methods), "method"), phrase.Count(len(t.Threads), "thread"),
		phrase.Duration(v.base(&t.Total)), together)
}

// Timed reports whether calls have times, and are not only counted.
func (s *Session) Timed() bool { return s.entries > 0 || s.Aggregated }

// splits reports whether base times are split by the states of threads. If the recorder has summed up calls, the trace
// does not show in which call a thread has waited.
func (s *Session) splits() bool { return s.HasWaits && !s.Aggregated }

// leastEntries is the least number of entries that show the resolution of their times.
const leastEntries = 32

// resolution returns the resolution of times in nanoseconds, 0 if it is unknown.
func (s *Session) resolution() int64 {
	const most = 1e9
	if s.entries < leastEntries || s.Resolution > most {
		return 0
	}
	return s.Resolution
}

// coarse is the resolution from which on the answer mentions it, in nanoseconds.
const coarse = 1000

// CheckCompensated returns the reason why times cannot be compensated; nil if they can.
func (c *Collector) CheckCompensated() error {
	for _, s := range c.sessions {
		switch {
		case s.entries == 0:
		case s.overhead.calls == 0:
			return fmt.Errorf("%s does not have the overhead of calls", s.Name)
		case s.resolution() > s.overhead.sum/s.overhead.calls:
			return fmt.Errorf("times of %s are multiples of %s, which is more than the overhead of a call, %s on average",
				s.Name, phrase.Duration(s.resolution()), phrase.Duration(s.overhead.sum/s.overhead.calls))
		}
	}
	return nil
}

// remarks say what a reader of the figures must know.
func (s *Session) remarks(total *Figures, v *View) (remarks []string) {
	add := func(format string, arguments ...any) { remarks = append(remarks, fmt.Sprintf(format, arguments...)) }
	if resolution := s.resolution(); resolution > coarse {
		add("Times are multiples of %s: those of single calls mean little, and a sum is likely within ± (%[1]s × √calls).",
			phrase.Duration(resolution))
	}
	f := &s.Findings
	if f.LeftOut > 0 {
		add("The recorder has left out further calls of %s, for they were many and short; their time is that of the callers: %s.",
			phrase.Count(f.LeftOut, "method"), phrase.List(s.leftOut(), "and"))
	}
	if f.Skipped > 0 {
		add("The recorder has skipped %s, with all that they called, because they came too fast: their time is that of the "+
			"calls around them.", phrase.Count(f.Skipped, "call"))
	}
	if f.Dropped > 0 && s.entries > 0 {
		add("The recorder has lost %s; calls can be among them.", phrase.Count(f.Dropped, "record"))
	}
	if total.Lost > 0 {
		add("%s with the event that shows it.", phrase.Count(total.Lost, "call has lost its exit, and ends",
			"calls have lost their exits, and end"))
	}
	if total.Open > 0 {
		add("%s when the trace ends.", phrase.Count(total.Open, "call is open", "calls are open"))
	}
	if f.Stray > 0 {
		add("%s of no open call, and counted nowhere.", phrase.Count(f.Stray, "exit is", "exits are"))
	}
	if f.Mismatched > 0 {
		add("%s the ticket of a call of another method; the ticket counts.",
			phrase.Count(f.Mismatched, "exit has", "exits have"))
	}
	if f.Miscounted > 0 {
		add("Of %s the recorder has counted other numbers of calls.", phrase.Count(f.Miscounted, "method"))
	}
	switch {
	case (s.Aggregated || len(s.counted) > 0) && s.windowed:
		add("Calls that the recorder has summed up or counted have no times, so they are in no window.")
	case s.Aggregated:
		add("The recorder has summed up calls: recursive ones count with the outermost call of their method.")
	}
	if s.Counted && (s.entries > 0 || s.Aggregated) {
		add("Of some calls there is only a count, and no time.")
	}
	if by := &s.sampler; by.event != "" && by.interval > 0 {
		remark := fmt.Sprintf("The JVM took samples as %s, one in %s was asked for", by.event, phrase.Duration(int64(by.interval)))
		if by.reached > 0 {
			remark += fmt.Sprintf("; there is one for %s of the CPU time of all threads", phrase.Duration(int64(by.reached)))
		}
		add("%s.", remark)
		if s.windowed {
			add("Samples that the recorder has summed up have no times, so they are in no window.")
		}
	}
	if v.Compensated {
		add("Base times are without the recorder's overhead; the other times are not.")
	}
	if s.filter != nil {
		add("Filters are applied: base times include those of callees that are left out.")
	}
	return remarks
}

// leftOut names methods that the recorder has left out after some time: those with the most calls until then.
func (s *Session) leftOut() (names []string) {
	const most = 5
	left := slices.DeleteFunc(slices.Clone(s.methods), func(m *method) bool { return !m.leftOut || m.excluded })
	slices.SortStableFunc(left, func(a, b *method) int { return cmp.Compare(b.entered, a.entered) })
	for _, m := range left[:min(len(left), most)] {
		names = append(names, phrase.Name(m.Title()))
	}
	if more := len(left) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return names
}

// shown are the tables of the recording that the view asks for.
func (c *Collector) shown(s *Session, t *Tables, v *View) (tables []answer.Table) {
	switch {
	case v.Coverage:
		return s.Coverage(v).tables(v)
	case v.Flow:
		return append(tables, s.flowTable(c.start, v))
	case v.Tree:
		return append(tables, s.treeOf(v).treeTable(v))
	case len(v.asked()) > 0:
		return s.invocationTables(v)
	}
	return append(tables, s.table(s.rows(t, v), &t.Total, v))
}

// rows returns the sorted rows of the grouping.
func (s *Session) rows(t *Tables, v *View) []Row {
	rows := t.Methods
	switch v.By {
	case "class":
		rows = t.Classes
	case "package":
		rows = t.Packages
	case "thread":
		rows = t.Threads
	}
	return v.sort(rows)
}

// titles of tables by their groupings.
var titles = map[string]string{"": "Methods", "method": "Methods", "class": "Classes", "package": "Packages",
	"thread": "Threads"}

// table returns the table of rows, without empty columns.
func (s *Session) table(rows []Row, total *Figures, v *View) answer.Table {
	t := answer.Table{Title: titles[v.By]}
	type column struct {
		name  string
		spare int
		value func(*Figures) any
		shown bool
	}
	columns := []column{
		{"calls", 0, func(f *Figures) any { return phrase.Number(f.Calls) }, !s.CalledOnly},
		{"base", 0, func(f *Figures) any { return answer.Time(v.base(f)) }, true},
		{"share", 2, func(f *Figures) any { return phrase.Percent(v.base(f), v.base(total)) }, v.base(total) > 0},
		{"±", 3, func(f *Figures) any { return answer.Time(s.uncertainty(f)) }, s.resolution() > coarse},
		{"average", 3, func(f *Figures) any { return answer.Time(v.average(f)) }, true},
		{"cumulative", 0, func(f *Figures) any { return answer.Time(f.Cumulative) }, true},
		{"min", 4, func(f *Figures) any { return known(f.Min) }, true},
		{"max", 4, func(f *Figures) any { return known(f.Max) }, true},
		{"recursive", 5, func(f *Figures) any { return answer.Known(f.Recursive) }, total.Recursive > 0},
		{"overhead", 6, func(f *Figures) any { return answer.Time(f.Overhead) }, total.Overhead > 0},
		{"open", 5, func(f *Figures) any { return answer.Known(f.Open) }, total.Open > 0},
		{"lost", 5, func(f *Figures) any { return answer.Known(f.Lost) }, total.Lost > 0},
	}
	for state := Running; state < states; state++ {
		columns = append(columns, column{stateNames[state], 1,
			func(f *Figures) any { return ofState(f, state) }, s.splits() && total.States[state] > 0})
	}
	for _, c := range columns {
		if c.shown {
			t.Columns = append(t.Columns, answer.Right(c.name).Spare(c.spare)...)
		}
	}
	t.Columns = append(t.Columns, answer.Left(v.noun())...)
	for i := range rows {
		var cells []any
		for _, c := range columns {
			if c.shown {
				cells = append(cells, c.value(&rows[i].Figures))
			}
		}
		t.Add(cells, phrase.Name(rows[i].Title))
	}
	t.Limit(v.Top)
	return t
}

// uncertainty is the likely error of a sum of times: the resolution times the root of the number of calls.
func (s *Session) uncertainty(f *Figures) int64 {
	return int64(float64(s.resolution()) * math.Sqrt(float64(f.Calls)))
}

// known returns the cell of a time, empty if it is unknown.
func known(t int64) any {
	if t < 0 || t == math.MaxInt64 {
		return nil
	}
	return answer.Time(t)
}

// ofState returns the cell of the time in a state.
func ofState(f *Figures, state State) any {
	if f.States[state] == 0 {
		return nil
	}
	return answer.Time(f.States[state])
}
