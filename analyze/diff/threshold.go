package diff

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/glob"
)

// Threshold is a limit of growth.
type Threshold struct {
	text    string // as the user wrote it
	method  bool   // it limits methods, and has no kind
	kind    contention.Kind
	figure  string // "" is the total
	pattern string // "" is all threads together
	percent bool
	limit   float64 // in percent, nanoseconds, or a number of lengths
}

// figures are those that a threshold can limit. The minimum is missing, as it does not show that anything became
// slower.
var figures = []string{"total", "count", "max", "mean", "p50", "p90", "p99"}

// methodKind is the kind of thresholds for methods; methodFigures are their figures, the default first.
const methodKind = "method"

var methodFigures = []string{"base", "cumulative", "calls"}

const form = "write KIND[.FIGURE][:PATTERN]>LIMIT, such as blocked>10%, blocked.p99>5ms, waited:com/acme/*>50ms"

// ParseThresholds parses thresholds separated by commas: KIND[.FIGURE][:PATTERN]>LIMIT. The limit is how much more the
// head may have: in percent of the base, as a duration such as 50ms, or for a count as a number.
func ParseThresholds(text string) (all []Threshold, err error) {
	for _, part := range strings.Split(text, ",") {
		t, err := parseThreshold(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func parseThreshold(text string) (t Threshold, err error) {
	what, limit, ok := glob.CutLast(text, ">")
	if !ok {
		return t, fmt.Errorf("%q has no >; %s", text, form)
	}
	t.text = text
	what, t.pattern, ok = strings.Cut(strings.TrimSpace(what), ":")
	if ok && t.pattern == "" {
		return t, fmt.Errorf("%q has no pattern after the colon; %s", text, form)
	}
	kind, figure, _ := strings.Cut(what, ".")
	wanted := figures
	if at := slices.Index(contention.Kinds(), kind); at >= 0 {
		t.kind = contention.Kind(at)
	} else if t.method = kind == methodKind; t.method {
		wanted = methodFigures
	} else {
		return t, fmt.Errorf("invalid kind in %q: %q; want %s", text, kind, strings.Join(append(contention.Kinds(),
			methodKind), ", "))
	}
	if t.figure = figure; figure != "" && !slices.Contains(wanted, figure) {
		return t, fmt.Errorf("invalid figure in %q: %q; want %s", text, figure, strings.Join(wanted, ", "))
	}
	return t, t.parseLimit(strings.TrimSpace(strings.TrimPrefix(limit, "=")))
}

func (t *Threshold) parseLimit(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch length, notLength := time.ParseDuration(text); {
	case err == nil && (percent || t.counts()) && value >= 0 && !math.IsInf(value, 0):
		t.percent, t.limit = percent, value
	case notLength == nil && !t.counts() && length >= 0:
		t.limit = float64(length)
	default:
		return fmt.Errorf("invalid limit in %q: %q; %s", t.text, text, form)
	}
	return nil
}

// counts reports whether the figure is a number and not a time.
func (t *Threshold) counts() bool { return t.figure == "count" || t.figure == "calls" }

// Outcome is the result of checking a threshold.
type Outcome struct {
	Threshold string  `json:"threshold"`
	Base      float64 `json:"base"` // nanoseconds, or a number; scaled by Comparison.Scale
	Head      float64 `json:"head"`
	Exceeded  bool    `json:"exceeded"`
	// Noise reports that the change is within noise.
	Noise bool `json:"withinNoise"`
	// Matched counts the rows that the pattern matches.
	Matched int  `json:"matched"`
	counts  bool // the figure is a number and not a time
}

// Check checks thresholds, and reports whether one is exceeded. With beyondNoise, only changes beyond noise exceed one.
// The error says why a threshold of methods cannot be checked.
func (c *Comparison) Check(thresholds []Threshold, beyondNoise bool) (outcomes []Outcome, exceeded bool, err error) {
	for i := range thresholds {
		if err := thresholds[i].Applies(c); err != nil {
			return nil, false, err
		}
		outcome := thresholds[i].Check(c)
		outcome.Exceeded = outcome.Exceeded && !(outcome.Noise && beyondNoise)
		outcomes, exceeded = append(outcomes, outcome), exceeded || outcome.Exceeded
	}
	return outcomes, exceeded, nil
}

// Check checks whether the head exceeds the threshold. A pattern matches classes of monitors, methods, classes of
// methods, and patterns of threads. The matching rows of each table are added up, and one of these sums suffices to
// exceed the threshold. The outcome is about the table with the largest change.
func (t *Threshold) Check(c *Comparison) Outcome {
	if t.method {
		return t.checkMethods(c)
	}
	if t.pattern == "" {
		return t.outcome(c.All[t.kind], 1)
	}
	worst := Outcome{Threshold: t.text, Noise: true, counts: t.counts()}
	pattern := glob.Classes(t.pattern)
	for _, rows := range [][]Row{c.Classes, c.Callers, c.Threads} {
		matching := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
			return !pattern.MatchClass(r.Key) && (r.Class == "" || !pattern.MatchClass(r.Class))
		})
		if len(matching) == 0 {
			continue
		}
		o := t.outcome(together(matching, t.kind, c.Scale), len(matching))
		if worst.Matched == 0 || o.Exceeded && !worst.Exceeded || o.Exceeded == worst.Exceeded &&
			o.Head-o.Base > worst.Head-worst.Base {
			worst = o
		}
	}
	return worst
}

// together returns the change of the sum of the rows.
func together(rows []Row, kind contention.Kind, scale float64) Change {
	sum := Change{&histogram.Distribution{}, &histogram.Distribution{}, scale}
	for _, r := range rows {
		sum.Base.Merge(r.Kinds[kind].Base)
		sum.Head.Merge(r.Kinds[kind].Head)
	}
	return sum
}

func (t *Threshold) outcome(change Change, matched int) Outcome {
	o := Outcome{Threshold: t.text, Base: float64(change.Base.Figure(t.figure)),
		Head: float64(change.Head.Figure(t.figure)), Matched: matched,
		Noise: change.Judge() == Same, counts: t.counts()}
	if t.figure == "" || t.figure == "total" || t.figure == "count" {
		o.Base *= change.scale
	}
	limit := t.limit
	if t.percent {
		limit = o.Base * t.limit / 100
	}
	o.Exceeded = o.Head-o.Base > limit
	return o
}

// Applies returns why a threshold for methods cannot be checked; nil if it can.
func (t *Threshold) Applies(c *Comparison) error {
	switch m, some := c.measure(); {
	case !t.method:
	case c.WithoutMethods:
		return fmt.Errorf("%s is about methods, which a choice by class or length leaves out", t.text)
	case c.NoMethods != "":
		return fmt.Errorf("%s is about methods, which cannot be compared: %s", t.text, c.NoMethods)
	case !some:
		return fmt.Errorf("%s is about methods, but base and head have neither calls nor samples", t.text)
	case m == byCalls && c.NoTimes != "" && !t.counts():
		return fmt.Errorf("%s is about times of calls, which are unknown in %s; want method.calls", t.text, c.NoTimes)
	case m == byMoments && !t.percent && !t.counts():
		return fmt.Errorf("%s limits a time, but the samples of base and head measure none; want percent", t.text)
	}
	return nil
}

// measure returns the measure by which thresholds are checked: the most certain one that both sides have.
func (c *Comparison) measure() (measure, bool) {
	for m, rows := range c.Methods {
		if rows != nil {
			return measure(m), true
		}
	}
	return 0, false
}

// checkMethods checks the threshold for all methods, or for the sum of the methods that its pattern matches. Cumulative
// times contain each other, so each method has to keep the threshold by itself.
func (t *Threshold) checkMethods(c *Comparison) Outcome {
	m, _ := c.measure()
	rows, all := c.Methods[m], MethodRow{}
	if len(rows) > 0 {
		all = rows[0]
	}
	if t.pattern == "" {
		return t.methodOutcome(rows[:min(1, len(rows))], all)
	}
	pattern := glob.Classes(t.pattern)
	rows = slices.DeleteFunc(slices.Clone(rows), func(r MethodRow) bool {
		return r.rank() == 0 || !pattern.MatchClass(r.class) && !pattern.MatchClass(r.class+"."+r.name)
	})
	if t.figure != "cumulative" {
		return t.methodOutcome(rows, all)
	}
	worst := t.methodOutcome(nil, all)
	for i := range rows {
		o := t.methodOutcome(rows[i:i+1], all)
		if i == 0 || o.Exceeded && !worst.Exceeded ||
			o.Exceeded == worst.Exceeded && o.Head-o.Base > worst.Head-worst.Base {
			worst = o
		}
	}
	worst.Matched = len(rows)
	return worst
}

// methodOutcome returns the outcome for the sum of the rows. The row of all methods shows how long a sample stands for.
func (t *Threshold) methodOutcome(rows []MethodRow, all MethodRow) Outcome {
	o := Outcome{Threshold: t.text, Noise: true, Matched: len(rows), counts: t.counts()}
	if len(rows) == 0 {
		return o
	}
	var base, head MethodSum
	for i := range rows {
		base.merge(rows[i].Base)
		head.merge(rows[i].Head)
	}
	sum := methodRow(methodKey{}, rows[0].measure, base, head, rows[0].scale)
	o.Base, o.Head, o.Noise = sum.scale*base.figure(t.figure), head.figure(t.figure), sum.Judge() == Same
	if t.figure == "cumulative" {
		judged := methodRow(methodKey{}, sum.measure, base.inAll(sum.measure, all.Base),
			head.inAll(sum.measure, all.Head), sum.scale)
		o.Noise = judged.Judge() == Same
	}
	o.counts = o.counts || sum.measure == byMoments
	limit := t.limit
	if t.percent {
		limit = o.Base * t.limit / 100
	}
	o.Exceeded = o.Head-o.Base > limit
	return o
}

func (s *MethodSum) merge(other MethodSum) {
	s.Calls += other.Calls
	s.Base += other.Base
	s.Cumulative += other.Cumulative
}

// inAll returns the sum to judge the cumulative time: as its base, with the number of samples that it stands for.
func (s MethodSum) inAll(m measure, all MethodSum) MethodSum {
	sum := MethodSum{Calls: s.Calls, Base: s.Cumulative}
	if m != byCalls && all.Base > 0 {
		sum.Calls = uint64(math.Round(float64(s.Cumulative) / float64(all.Base) * float64(all.Calls)))
	}
	return sum
}

func (s MethodSum) figure(name string) float64 {
	switch name {
	case "calls":
		return float64(s.Calls)
	case "cumulative":
		return float64(s.Cumulative)
	}
	return float64(s.Base)
}
