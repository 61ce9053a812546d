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
	kind    contention.Kind
	figure  string // "" is the total
	pattern string // "" is all threads together
	percent bool
	limit   float64 // in percent, nanoseconds, or a number of lengths
}

// figures are those that a threshold can limit: all but the minimum, which does not show that anything became slower.
var figures = []string{"total", "count", "max", "mean", "p50", "p90", "p99"}

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
	if at := slices.Index(contention.Kinds(), kind); at >= 0 {
		t.kind = contention.Kind(at)
	} else {
		return t, fmt.Errorf("invalid kind in %q: %q; want %s", text, kind, strings.Join(contention.Kinds(),
			", "))
	}
	if t.figure = figure; figure != "" && !slices.Contains(figures, figure) {
		return t, fmt.Errorf("invalid figure in %q: %q; want %s", text, figure, strings.Join(figures, ", "))
	}
	return t, t.parseLimit(strings.TrimSpace(strings.TrimPrefix(limit, "=")))
}

func (t *Threshold) parseLimit(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch length, notLength := time.ParseDuration(text); {
	case err == nil && (percent || t.figure == "count") && value >= 0 && !math.IsInf(value, 0):
		t.percent, t.limit = percent, value
	case notLength == nil && t.figure != "count" && length >= 0:
		t.limit = float64(length)
	default:
		return fmt.Errorf("invalid limit in %q: %q; %s", t.text, text, form)
	}
	return nil
}

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

// Check checks whether the head exceeds the threshold. A pattern matches classes of monitors, methods, classes of
// methods, and patterns of threads. The matching rows of each table are added up, and one of these sums suffices to
// exceed the threshold. The outcome is the one of the table with the largest change.
func (t *Threshold) Check(c *Comparison) Outcome {
	if t.pattern == "" {
		return t.outcome(c.All[t.kind], 1)
	}
	worst := Outcome{Threshold: t.text, Noise: true, counts: t.figure == "count"}
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

// together is the change of the sum of the rows.
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
		Noise: change.Judge() == Same, counts: t.figure == "count"}
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
