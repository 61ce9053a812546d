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

// Threshold is how much something may grow.
type Threshold struct {
	// Text is what the user wrote.
	Text    string
	kind    contention.Kind
	figure  string // "" is the total
	pattern string // "" is all threads together
	percent bool
	limit   float64 // percent, nanoseconds or a number
}

// Figures names what a threshold can be about: all figures but the least length, which says nothing of what became
// slower.
func Figures() []string { return []string{"total", "count", "max", "mean", "p50", "p90", "p99"} }

const form = "write KIND[.FIGURE][:PATTERN]>LIMIT, such as blocked>10%, blocked.p99>5ms, waited:com/acme/*>50ms"

// ParseThresholds reads thresholds with commas between them: KIND[.FIGURE][:PATTERN]>LIMIT. The limit is how much more
// there may be in the head: in percent of the base, as a length of time such as 50ms, or for a count as a number.
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
	t.Text = text
	what, t.pattern, ok = strings.Cut(strings.TrimSpace(what), ":")
	if ok && t.pattern == "" {
		return t, fmt.Errorf("%q has no pattern behind the colon; %s", text, form)
	}
	kind, figure, _ := strings.Cut(what, ".")
	if at := slices.Index(contention.Kinds[:], kind); at >= 0 {
		t.kind = contention.Kind(at)
	} else {
		return t, fmt.Errorf("%q is about %q, but there are only %s", text, kind, strings.Join(contention.Kinds[:],
			", "))
	}
	if t.figure = figure; figure != "" && !slices.Contains(Figures(), figure) {
		return t, fmt.Errorf("%q: a time has no figure %q, but %s", text, figure, strings.Join(Figures(), ", "))
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
		return fmt.Errorf("%q: %q is no limit; %s", t.Text, text, form)
	}
	return nil
}

// Outcome is what a threshold has found.
type Outcome struct {
	Threshold string  `json:"threshold"`
	Base      float64 `json:"base"` // nanoseconds, or a number; scaled as the comparison says
	Head      float64 `json:"head"`
	Exceeded  bool    `json:"exceeded"`
	// Noise says that the change is within noise.
	Noise bool `json:"withinNoise"`
	// Matched counts the rows that the pattern matches.
	Matched int `json:"matched"`
}

// Check finds out whether the head exceeds the threshold. A pattern matches classes of monitors, methods, classes of
// methods, and patterns of threads; the rows of each are added up, and it is enough that one of these sums exceeds it.
// Of several that do, or do not, the largest change is told.
func (t *Threshold) Check(c *Comparison) Outcome {
	if t.pattern == "" {
		return t.outcome(c.All[t.kind], 1)
	}
	worst := Outcome{Threshold: t.Text, Noise: true}
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

// together is the change of all the rows.
func together(rows []Row, kind contention.Kind, scale float64) Change {
	sum := Change{&histogram.Distribution{}, &histogram.Distribution{}, scale}
	for _, r := range rows {
		sum.Base.Merge(r.Kinds[kind].Base)
		sum.Head.Merge(r.Kinds[kind].Head)
	}
	return sum
}

func (t *Threshold) outcome(change Change, matched int) Outcome {
	o := Outcome{Threshold: t.Text, Base: float64(change.Base.Figure(t.figure)),
		Head: float64(change.Head.Figure(t.figure)), Matched: matched,
		Noise: change.Judge() == Same}
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
