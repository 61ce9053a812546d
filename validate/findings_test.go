package validate_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// TestFindingsKeepWhatMattersMost compares the collector with one that keeps everything and sorts it.
func TestFindingsKeepWhatMattersMost(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	rules := []string{"thread-dead", "bad-time", "class-undefined", "not-in-the-list"}
	selection, err := validate.ParseSelection("-class-undefined")
	if err != nil {
		t.Fatal(err)
	}
	for round := range 400 {
		most := random.IntN(12) - 1
		findings := validate.NewFindings(selection, most)
		var all []trace.Finding
		counts := map[string]int{}
		for n := range random.IntN(60) {
			f := finding(rules[random.IntN(len(rules))], trace.Severity(random.IntN(2)), random.Int64N(20))
			f.Message = strconv.Itoa(n) // the order of arrival
			keeps := findings.Keeps(f.Rule, f.Severity, f.Place.Offset)
			findings.Add(f)
			if kept := slices.Contains(findings.Result().Findings, f); kept != keeps {
				t.Fatalf("round %d: %v is kept: %v, and Keeps says %v", round, f, kept, keeps)
			}
			if selection.Enabled(f.Rule) {
				all = append(all, f)
				counts[f.Rule]++
			}
		}
		slices.SortStableFunc(all, func(a, b trace.Finding) int {
			return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Place.Offset, b.Place.Offset))
		})
		errors := 0
		for _, f := range all {
			if f.Severity == trace.Error {
				errors++
			}
		}
		want := slices.Clone(all[:min(len(all), max(most, 0))])
		slices.SortFunc(want, func(a, b trace.Finding) int {
			x, _ := strconv.Atoi(a.Message)
			y, _ := strconv.Atoi(b.Message)
			return cmp.Or(cmp.Compare(a.Place.Offset, b.Place.Offset), x-y)
		})
		got := findings.Result()
		if !slices.Equal(got.Findings, want) {
			t.Fatalf("round %d: kept\n%v\nwant\n%v", round, got.Findings, want)
		}
		if got.Errors != errors || got.Errors+got.Warnings != len(all) || got.Hidden() != len(all)-len(want) ||
			len(got.Counts) != len(counts) {
			t.Fatalf("round %d: counted %+v", round, got)
		}
		for rule, count := range counts {
			if got.Counts[rule] != count {
				t.Errorf("round %d: %d of %s, want %d", round, got.Counts[rule], rule, count)
			}
		}
	}
}

// located is the source of an event with a place.
type located struct {
	asked int
	tag   string
}

func (l *located) Locate(*trace.Event) (trace.Place, []byte) {
	l.asked++
	return trace.Place{Offset: 7, Line: 3, Column: 4}, []byte(l.tag)
}

// TestPlacesAreAskedForOnlyIfKept proves that a finding has the place and the quote of its element, in the element's
// spelling, and that the source is not asked for them if the finding is only counted.
func TestPlacesAreAskedForOnlyIfKept(t *testing.T) {
	findings := validate.NewFindings(validate.RuleSelection{}, 1)
	c := validate.NewChecker(func(int) *validate.Findings { return findings })
	if err := c.Begin(0); err != nil {
		t.Fatal(err)
	}
	source := &located{tag: `<callNotify time='1' threadIdRef='7' isNotifyAll='1'/>`}
	e := &trace.EventBuilder{Event: trace.Event{Offset: 7, Source: source}}
	e.Reset(trace.ThreadEnd)
	e.SetText(trace.AttrThreadIDRef, "7")
	for _, kind := range []trace.Kind{trace.ThreadEnd, trace.ThreadEnd, trace.ThreadEnd} {
		e.Kind = kind
		if err := c.Put(&e.Event); err != nil {
			t.Fatal(err)
		}
	}
	got := findings.Result()
	if len(got.Findings) != 1 || got.Findings[0].Rule != "thread-dead" || got.Counts["thread-dead"] != 2 {
		t.Fatalf("found %+v", got)
	}
	if f := got.Findings[0]; f.Place.Line != 3 || f.Quote.Caret != 21 || f.Element != "threadEnd" {
		t.Errorf("the finding is at %+v, with %+v", f.Place, f.Quote)
	}
	if source.asked != 2 { // for the preamble's warning, which the first error displaced, and for the error
		t.Errorf("the place was asked for %d times", source.asked)
	}
}
