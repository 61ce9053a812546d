package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestVerdicts(t *testing.T) {
	slow := []measurement{{4 * time.Second, 5 << 20}, {6 * time.Second, 4 << 20}, {5 * time.Second, 5 << 20}}
	fast := []measurement{{2 * time.Second, 20 << 20}, {1 * time.Second, 21 << 20}, {time.Second, 20 << 20}}
	for _, c := range []struct {
		e    expectation
		want []string
	}{
		{expectation{want: 5, goal: 5.5}, []string{"5.00 times (2.00 to 6.00)", "want 5: reached", "goal 5.5: MISSED", "21.0 MiB"}},
		{expectation{}, []string{"5.00 times"}},
		{expectation{memory: true, limit: 21, within: 10}, []string{"+320.0 % memory", "want at most 21 MiB: reached", "want at most +10 %: MISSED"}},
	} {
		got := line("name", slow, fast, c.e)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: %q does not say %q", c.e, got, want)
			}
		}
	}
}

func TestMedianOfAnEvenNumber(t *testing.T) {
	if got := median([]time.Duration{4, 1, 2, 9}); got != 3 {
		t.Errorf("median is %d, want 3", got)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"--", "a"}, {"--", "a", "--"}, {"-rounds", "0", "--", "a", "--", "b"}} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
