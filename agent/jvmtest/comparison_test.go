package jvmtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// slack is the limit of the difference between times of a trace and of a fact: both add the offset of the same clock to
// the epoch, which each determines by itself.
const slack trace.Time = 1e6

// judge compares a truth with a model.
type judge struct {
	truth *Truth
	score Scores
	// unsure are the times in which a thread cannot determine what has happened to it, by thread.
	unsure map[string][]*Fact
	// calls are the facts of calls, by the number of the model's event.
	calls map[int]*Fact
}

// Judge compares the claims of the model with the truth. Only kinds that the program reports completely, its own
// monitors and its own threads are judged. A claim that seems false is ignored at a time when the thread itself is
// unsure.
func Judge(truth *Truth, doc *enrichtest.Doc) (Scores, error) {
	all, err := claimsOf(doc)
	if err != nil {
		return nil, err
	}
	j := &judge{truth: truth, score: Scores{}, unsure: map[string][]*Fact{}, calls: map[int]*Fact{}}
	facts, claims := map[subject][]*Fact{}, map[subject][]*Claim{}
	for i := range truth.Facts {
		f := &truth.Facts[i]
		if f.Kind == unsure {
			j.unsure[f.Thread] = append(j.unsure[f.Thread], f)
			continue
		}
		facts[f.subject] = append(facts[f.subject], f)
	}
	for i := range all {
		if c := &all[i]; j.knows(c) {
			claims[c.subject] = append(claims[c.subject], c)
		}
	}
	align(facts, claims)
	for _, s := range subjects(facts, claims) {
		j.compare(s, facts[s], claims[s])
	}
	return j.score, nil
}

// align sorts facts and claims by time, and moves the claims to the truth's clock.
func align(facts map[subject][]*Fact, claims map[subject][]*Claim) {
	for _, some := range facts {
		slices.SortStableFunc(some, func(a, b *Fact) int { return cmp.Compare(a.Begin, b.Begin) })
	}
	for _, some := range claims {
		slices.SortStableFunc(some, func(a, b *Claim) int { return cmp.Compare(a.At, b.At) })
	}
	late := lag(facts, claims)
	for _, some := range claims {
		for _, c := range some {
			c.At -= late
			if c.Since != 0 {
				c.Since -= late
			}
		}
	}
}

// lag returns how much the trace's clock is ahead of the truth's, as calls show it: each was made between two readings
// of the truth's clock.
func lag(facts map[subject][]*Fact, claims map[subject][]*Claim) trace.Time {
	least, most := -slack, slack
	for s, calls := range claims {
		if !s.Kind.isCall() || len(calls) != len(facts[s]) || !inOrder(facts[s], calls) {
			continue
		}
		for i, f := range facts[s] {
			least, most = max(least, calls[i].At-f.End), min(most, calls[i].At-f.Begin)
		}
	}
	if least > most {
		return 0
	}
	return min(max(0, least), most)
}

// subjects returns the subjects of facts and claims. The names of the kinds put calls first: before their effects can
// be judged, it must be known which call is which.
func subjects(facts map[subject][]*Fact, claims map[subject][]*Claim) (all []subject) {
	for s := range facts {
		all = append(all, s)
	}
	for s := range claims {
		if facts[s] == nil {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b subject) int {
		return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Thread, b.Thread),
			strings.Compare(a.Object, b.Object))
	})
	return all
}

// knows reports whether the truth has the claim's thread and object, and so would have a fact for it if it were true.
func (j *judge) knows(c *Claim) bool {
	if _, known := j.truth.threads[c.Thread]; !known {
		return false
	}
	switch c.Kind {
	case Notify, NotifyAll, CallNotify, Handoff:
		return j.truth.objects[c.Object]
	case Timeout, Join, CallInterrupt, CallStart:
		_, known := j.truth.threads[strings.TrimPrefix(c.Object, "#")]
		return known || j.truth.objects[c.Object]
	}
	return true
}

// compare compares the facts and claims of a subject.
func (j *judge) compare(s subject, facts []*Fact, claims []*Claim) {
	found := map[*Fact]bool{}
	for i, f := range pair(facts, claims) {
		c := claims[i]
		wrong := j.wrong(c, f)
		if wrong == "" {
			found[f] = true
			j.keepCall(c, f)
		}
		if j.reports(s.Kind) && (wrong == "" || !j.isUnsure(c)) {
			j.score.claim(j.key(s, c.By), wrong)
		}
	}
	for _, f := range facts {
		if f.Sure && j.reports(s.Kind) {
			j.score.fact(j.key(s, f.by()), found[f], func() string { return "not found: " + j.describeFact(f) })
		}
	}
}

func (j *judge) reports(kind Kind) bool {
	return j.truth.reports[kind] || kind == Handoff && j.truth.reports[Barging]
}

// isUnsure reports whether the claim may be true, because the thread cannot determine it.
func (j *judge) isUnsure(c *Claim) bool {
	return slices.ContainsFunc(j.unsure[c.Thread], func(f *Fact) bool { return f.distance(c.At) <= slack })
}

// keepCall records which call the claim is about.
func (j *judge) keepCall(c *Claim, f *Fact) {
	if f.Kind.isCall() {
		j.calls[c.Event] = f
	}
}

// pair returns for each claim the fact that it can be about, or nil. Equal numbers are paired in order. Otherwise facts
// whose time includes a claim are paired first, so that one additional claim does not shift all that follow; then facts
// nearby.
func pair(facts []*Fact, claims []*Claim) []*Fact {
	if len(facts) == len(claims) && inOrder(facts, claims) {
		return facts
	}
	paired := make([]*Fact, len(claims))
	used := map[*Fact]bool{nil: true}
	for _, reach := range []trace.Time{0, slack} {
		left := facts
		for i, c := range claims {
			for len(left) > 0 && left[0].End < c.At-reach {
				left = left[1:]
			}
			if paired[i] == nil {
				paired[i] = nearest(left, used, c, reach)
				used[paired[i]] = true
			}
		}
	}
	return paired
}

// nearest returns the nearest unpaired fact within reach of the claim, or nil.
func nearest(facts []*Fact, used map[*Fact]bool, c *Claim, reach trace.Time) (best *Fact) {
	for _, f := range facts {
		if f.Begin > c.At+reach {
			break
		}
		if !used[f] && f.gap(c) <= reach && (best == nil || f.gap(c) < best.gap(c)) {
			best = f
		}
	}
	return best
}

func inOrder(facts []*Fact, claims []*Claim) bool {
	for i, f := range facts {
		if f.gap(claims[i]) > slack {
			return false
		}
	}
	return true
}

// distance returns the distance of a time from the fact, 0 within it.
func (f *Fact) distance(at trace.Time) trace.Time { return max(f.Begin-at, at-f.End, 0) }

// gap returns the distance of a claim from the fact.
func (f *Fact) gap(c *Claim) trace.Time {
	if c.Since == 0 {
		return f.distance(c.At)
	}
	return max(f.distance(c.Since), f.distance(c.At))
}

// by returns a thread that caused the fact, "" without a cause.
func (f *Fact) by() string {
	if len(f.Causes) == 0 {
		return ""
	}
	return f.Causes[0].By
}

// wrong returns the claim's mistake, "" if it is true.
func (j *judge) wrong(c *Claim, f *Fact) string {
	switch {
	case f == nil:
		return j.describeClaim(c) + "; the truth has no such fact"
	case c.By != "" && !slices.ContainsFunc(f.Causes, func(cause Cause) bool { return j.is(c, cause) }):
		return j.describeClaim(c) + "; but " + j.describeFact(f)
	case c.Kind == Sleep && (c.Millis < f.Millis || c.Millis > f.Millis+1):
		return fmt.Sprintf("%s for %d ms; but %s for %d ms", j.describeClaim(c), c.Millis, j.describeFact(f), f.Millis)
	}
	return ""
}

// is reports whether the claim names the cause: the same thread and the same call.
func (j *judge) is(c *Claim, cause Cause) bool {
	if cause.Begin == 0 {
		return c.By == cause.By
	}
	call := j.calls[c.Event]
	return call != nil && call.Thread == cause.By && call.Begin == cause.Begin
}

// key returns the key under which the subject is counted. A claim that involves a virtual thread is counted separately.
func (j *judge) key(s subject, by string) Key {
	virtual := j.truth.threads[s.Thread].virtual || j.truth.threads[by].virtual ||
		j.truth.threads[strings.TrimPrefix(s.Object, "#")].virtual
	if s.Kind == Handoff && j.truth.reports[Barging] {
		return Key{Barging, virtual}
	}
	return Key{s.Kind, virtual}
}

// name returns a thread's name and id, for messages.
func (j *judge) name(id string) string { return fmt.Sprintf("%s (%s)", j.truth.threads[id].name, id) }

func (j *judge) describeSubject(s subject) string {
	text := string(s.Kind) + " of " + j.name(s.Thread)
	switch {
	case strings.HasPrefix(s.Object, "#"):
		text += ", " + j.name(s.Object[1:])
	case s.Object != "":
		text += ", " + s.Object
	}
	return text
}

func (j *judge) describeClaim(c *Claim) string {
	text := "the model has: " + j.describeSubject(c.subject)
	if c.By != "" {
		text += " by " + j.name(c.By)
	}
	return fmt.Sprintf("%s at %v (event %d)", text, c.At, c.Event)
}

func (j *judge) describeFact(f *Fact) string {
	text := j.describeSubject(f.subject)
	for i, cause := range f.Causes {
		text += []string{" by ", " or "}[min(i, 1)] + j.name(cause.By)
		if cause.Begin != 0 {
			text += fmt.Sprintf(" since %v", cause.Begin)
		}
	}
	return fmt.Sprintf("%s from %v to %v", text, f.Begin, f.End)
}
