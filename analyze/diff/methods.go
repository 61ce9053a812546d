package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
)

// MethodTimes are the times of methods on one side, by the measures of the trace: calls, and samples of each kind.
type MethodTimes struct {
	// Saved reports that some of the input is saved statistics, which have no methods.
	Saved bool
	// listed reports that some of the input only says which methods were called, counted that it has calls without
	// times.
	listed, counted bool
	sums            [measures]map[methodKey]MethodSum
}

// measure is how the times of methods are known. Times of different measures are never compared.
type measure uint8

const (
	byCalls   measure = iota
	byCPU             // samples on a processor
	byMoments         // samples of threads in any state, which measure no time
	measures
)

// measureNames are the names of the measures in JSON and CSV.
var measureNames = [measures]string{"calls", methods.OnCPU.String(), methods.Moments.String()}

var measureTitles = [measures]string{"calls", "samples on a processor", "samples of threads in any state"}

// methodKey names a method. The key of a total is empty.
type methodKey struct{ class, name, signature, title string }

// MethodSum is a sum over the calls, or the samples, of a method.
type MethodSum struct {
	Calls uint64 // or samples that found it innermost
	// Base and Cumulative are in nanoseconds; for samples that measure no time they are numbers of samples.
	Base, Cumulative int64
}

func (s *MethodSum) add(of *methods.Figures, m measure) {
	base, cumulative := of.Base, of.Cumulative
	if m == byMoments {
		base, cumulative = histogram.Signed(of.Calls), histogram.Signed(of.Samples)
	}
	s.Calls, s.Base = histogram.Sum(s.Calls, of.Calls), histogram.Sum(s.Base, base)
	s.Cumulative = histogram.Sum(s.Cumulative, cumulative)
}

// variance returns the variance of the base time. Lengths of calls are taken as exponentially distributed, samples as
// random.
func (s MethodSum) variance(m measure) float64 {
	if s.Calls == 0 {
		return 0
	}
	v := float64(s.Base) * float64(s.Base) / float64(s.Calls)
	if m == byCalls {
		return 2 * v
	}
	return v
}

// Add adds the calls and samples of a recording's selected threads; nil selects all.
func (t *MethodTimes) Add(s *methods.Session, selected func(id, name, group string) bool) {
	for m, tables := range [measures]*methods.Tables{s.Tables(selected), s.Samples(methods.OnCPU, selected),
		s.Samples(methods.Moments, selected)} {
		if tables == nil || len(tables.Methods) == 0 {
			continue
		}
		if measure(m) == byCalls && s.CalledOnly {
			t.listed = true
			continue
		}
		t.counted = t.counted || measure(m) == byCalls && !s.Timed()
		if t.sums[m] == nil {
			t.sums[m] = map[methodKey]MethodSum{}
		}
		t.add(measure(m), methodKey{}, &tables.Total)
		for i := range tables.Methods {
			r := &tables.Methods[i]
			t.add(measure(m), methodKey{r.Class, cmp.Or(r.Name, r.Title), r.Signature, r.Title}, &r.Figures)
		}
	}
}

func (t *MethodTimes) add(m measure, key methodKey, figures *methods.Figures) {
	sum := t.sums[m][key]
	sum.add(figures, m)
	t.sums[m][key] = sum
}

// says names the measures that a side has.
func (t *MethodTimes) says() string {
	if t.Saved {
		return "saved statistics, which have no methods"
	}
	var parts []string
	if t.listed {
		parts = append(parts, "a list of the methods that were called")
	}
	for m := range measures {
		if t.sums[m] != nil {
			parts = append(parts, measureTitles[m])
		}
	}
	if parts == nil {
		return "neither calls nor samples"
	}
	return phrase.List(parts, "and")
}

// MethodRow is the difference of a method, or of all methods.
type MethodRow struct {
	methodKey
	Base, Head MethodSum
	Change     int64 // of the base time: head minus scaled base
	Noise      int64 // the size of a change that chance explains
	measure    measure
	scale      float64
}

// methodRow returns the difference of two sums.
func methodRow(key methodKey, m measure, base, head MethodSum, scale float64) MethodRow {
	r := MethodRow{methodKey: key, Base: base, Head: head, measure: m, scale: scale}
	r.Change = whole(float64(head.Base) - scale*float64(base.Base))
	r.Noise = whole(2 * math.Sqrt(head.variance(m)+scale*scale*base.variance(m)))
	return r
}

// Judge returns what changed beyond noise: the number of calls, or their base time.
func (r *MethodRow) Judge() Judgement {
	base, head := float64(r.Base.Calls), float64(r.Head.Calls)
	often := r.oftener() / math.Sqrt(max(head+base*r.scale*r.scale, 1))
	beyond := max(r.Change, -r.Change) > r.Noise
	switch {
	case r.Base.Calls == 0 && often > deviations:
		return OnlyInHead
	case r.Head.Calls == 0 && often < -deviations:
		return OnlyInBase
	case often > deviations && r.Change >= 0 && r.measure == byCalls:
		return MoreOften
	case often < -deviations && r.Change <= 0 && r.measure == byCalls:
		return LessOften
	case beyond && r.Change > 0:
		return MoreTime
	case beyond && r.Change < 0:
		return LessTime
	}
	return Same
}

// CompareMethods compares the times of methods.
func (c *Comparison) CompareMethods(base, head *MethodTimes) {
	some := base.listed || head.listed
	c.NoTimes = lacking(!base.counted, !head.counted)
	for m := range measures {
		some = some || base.sums[m] != nil || head.sums[m] != nil
		if base.sums[m] != nil && head.sums[m] != nil && !base.Saved && !head.Saved {
			c.Methods[m] = c.methodRows(m, base.sums[m], head.sums[m])
		}
	}
	if some && !c.HasMethods() {
		c.NoMethods = fmt.Sprintf("the base has %s, the head %s", base.says(), head.says())
	}
}

// HasMethods reports whether methods are compared.
func (c *Comparison) HasMethods() bool {
	return slices.ContainsFunc(c.Methods[:], func(rows []MethodRow) bool { return rows != nil })
}

// methodRows joins two sides by their methods: first the row of all methods, then the largest changes.
func (c *Comparison) methodRows(m measure, base, head map[methodKey]MethodSum) (rows []MethodRow) {
	for key, sum := range base {
		rows = append(rows, methodRow(key, m, sum, head[key], c.Scale))
	}
	for key, sum := range head {
		if _, both := base[key]; !both {
			rows = append(rows, methodRow(key, m, MethodSum{}, sum, c.Scale))
		}
	}
	if m == byCalls && c.NoTimes != "" {
		for i := range rows {
			rows[i] = methodRow(rows[i].methodKey, m, MethodSum{Calls: rows[i].Base.Calls},
				MethodSum{Calls: rows[i].Head.Calls}, c.Scale)
		}
	}
	slices.SortFunc(rows, func(a, b MethodRow) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(max(b.Change, -b.Change), max(a.Change, -a.Change)),
			cmp.Compare(math.Abs(b.oftener()), math.Abs(a.oftener())),
			strings.Compare(a.title, b.title), strings.Compare(a.signature, b.signature))
	})
	return rows
}

// oftener returns the change of the number of calls.
func (r *MethodRow) oftener() float64 { return float64(r.Head.Calls) - r.scale*float64(r.Base.Calls) }

func (r *MethodRow) rank() int {
	if r.methodKey == (methodKey{}) {
		return 0
	}
	return 1
}

// methodSentences say how much time all methods took, by each measure.
func (c *Comparison) methodSentences() (sentences []string) {
	for m, rows := range c.Methods {
		if len(rows) == 0 {
			continue
		}
		all := &rows[0]
		if m := measure(m); m == byMoments {
			sentences = append(sentences, fmt.Sprintf("%s samples of threads in any state instead of %s.",
				phrase.Number(all.Head.Calls), phrase.Number(all.Base.Calls)))
			continue
		}
		if measure(m) == byCalls && c.NoTimes != "" {
			sentences = append(sentences, fmt.Sprintf("%s of methods instead of %s (%s); times are unknown in %s.",
				phrase.Count(all.Head.Calls, "call"), phrase.Number(uint64(whole(c.Scale*float64(all.Base.Calls)))),
				all.Judge(), c.NoTimes))
			continue
		}
		what := "Calls of methods took"
		if measure(m) == byCPU {
			what = "By samples, methods were on a processor for"
		}
		sentences = append(sentences, fmt.Sprintf("%s %s instead of %s (%s, %s).", what, phrase.Duration(all.Head.Base),
			phrase.Duration(whole(c.Scale*float64(all.Base.Base))), all.percent(), all.Judge()))
	}
	return sentences
}

// percent returns the change of the base time, in percent.
func (r *MethodRow) percent() string {
	return percentOf(float64(r.Head.Base), float64(r.Base.Base)*r.scale)
}

// methodTable shows the rows of a measure that changed beyond noise, or all.
func (c *Comparison) methodTable(m measure, options Options) answer.Table {
	names := [measures][3]string{{"calls", "base", "cumulative"}, {"samples", "time", "time in all"},
		{"", "samples", "in all"}}[m]
	t := answer.Table{Title: "Methods, by " + measureTitles[m]}
	if m != byMoments {
		t.Columns = answer.Right(names[0], "→").Spare(2)
	}
	timeless := m == byCalls && c.NoTimes != ""
	if timeless {
		t.Columns = slices.Concat(t.Columns, answer.Left("judgement").Spare(4), answer.Left("method"))
	} else {
		t.Columns = slices.Concat(t.Columns, answer.Right(names[1], "→").Spare(1), answer.Right("change", ""),
			answer.Right(names[2], "→").Spare(3), answer.Left("judgement").Spare(4), answer.Left("method"))
	}
	quiet := 0
	for i := range c.Methods[m] {
		r := &c.Methods[m][i]
		switch judgement := r.Judge(); {
		case r.rank() == 0:
		case judgement == Same && !options.All:
			quiet++
		default:
			t.Add(r.cells(judgement, timeless)...)
		}
	}
	options.finish(&t, quiet)
	return t
}

func (r *MethodRow) cells(judgement Judgement, timeless bool) []any {
	title := phrase.Name(r.title)
	if timeless {
		return answer.Row(r.Base.Calls, r.Head.Calls, judgement, title)
	}
	if r.measure == byMoments {
		return answer.Row(r.Base.Base, r.Head.Base, answer.CountChange(r.Change), r.percent(), r.Base.Cumulative,
			r.Head.Cumulative, judgement, title)
	}
	return answer.Row(r.Base.Calls, r.Head.Calls, answer.Time(r.Base.Base), answer.Time(r.Head.Base),
		answer.Time(r.Change), r.percent(), answer.Time(r.Base.Cumulative), answer.Time(r.Head.Cumulative), judgement,
		title)
}

// times returns a function that returns a time of the measure, or nil for an unknown one.
func (c *Comparison) times(m measure) func(int64) any {
	return func(t int64) any {
		if m == byCalls && c.NoTimes != "" {
			return nil
		}
		return t
	}
}

// csvMethods adds the rows of methods: for each measure the base times, and the cumulative ones.
func (c *Comparison) csvMethods(add func(...any)) {
	none := answer.Row(nil, nil, nil, nil, nil)
	for m, rows := range c.Methods {
		for i := range rows {
			r := &rows[i]
			known := c.times(measure(m))
			name := r.name
			if r.class != "" {
				name = r.class + "." + name
			}
			add("methods", name+r.signature, measureNames[m], r.Base.Calls, known(r.Base.Base), none, r.Head.Calls,
				known(r.Head.Base), none, known(r.Change), known(r.Noise), r.Judge())
			add("methods", name+r.signature, measureNames[m]+" cumulative", r.Base.Calls, known(r.Base.Cumulative), none,
				r.Head.Calls, known(r.Head.Cumulative), none, nil, nil, nil)
		}
	}
}

// jsonMethod is a row of a method in JSON; the row of all methods has no names.
type jsonMethod struct {
	Class     jsontext.String `json:"class,omitempty"`
	Method    jsontext.String `json:"method,omitempty"`
	Signature jsontext.String `json:"signature,omitempty"`
	Base      jsonSum         `json:"base"`
	Head      jsonSum         `json:"head"`
	Change    any             `json:"change"`
	Noise     any             `json:"noise"`
	Judgement Judgement       `json:"judgement"`
}

// jsonSum is a MethodSum in JSON. Times that are unknown are null.
type jsonSum struct {
	Calls      uint64 `json:"calls"`
	Base       any    `json:"base"`
	Cumulative any    `json:"cumulative"`
}

// jsonMethods returns the rows by the names of their measures; nil if methods are not compared.
func (c *Comparison) jsonMethods() map[string][]jsonMethod {
	var all map[string][]jsonMethod
	for m, rows := range c.Methods {
		for i := range rows {
			if all == nil {
				all = map[string][]jsonMethod{}
			}
			r, known := &rows[i], c.times(measure(m))
			sum := func(s MethodSum) jsonSum { return jsonSum{s.Calls, known(s.Base), known(s.Cumulative)} }
			all[measureNames[m]] = append(all[measureNames[m]], jsonMethod{jsontext.String(r.class),
				jsontext.String(r.name), jsontext.String(r.signature), sum(r.Base), sum(r.Head), known(r.Change),
				known(r.Noise), r.Judge()})
		}
	}
	return all
}
