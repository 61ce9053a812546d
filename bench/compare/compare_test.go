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
		{expectation{want: 5, goal: 5.5}, []string{"5.00 times (2.00 to 6.00)", "want 5: reached", "goal 5.5: MISSED",
			"21.0 MiB"}},
		{expectation{}, []string{"5.00 times"}},
		{expectation{memory: true, limit: 21, within: 10}, []string{"+320.0 % memory", "want at most 21 MiB: reached",
			"want at most +10 %: MISSED"}},
	} {
		got := line("name", slow, fast, c.e)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: %q does not contain %q", c.e, got, want)
			}
		}
	}
}

// TestUpperBound compares bounds with published tables for the interval of a median: the 21st of 30 values, the 8th of
// 9; 5 are too few.
func TestUpperBound(t *testing.T) {
	for _, c := range []struct {
		n, want int
		enough  bool
	}{{5, 0, false}, {6, 6, true}, {9, 8, true}, {30, 21, true}, {100, 61, true}} {
		var values []float64
		for i := range c.n {
			values = append(values, float64(c.n-i))
		}
		got, enough := upperBound(values)
		if enough != c.enough || enough && got != float64(c.want) {
			t.Errorf("of %d values: %v %v, want the one of rank %d %v", c.n, got, enough, c.want, c.enough)
		}
	}
}

func TestCosts(t *testing.T) {
	var without, with []measurement
	for i := range 30 {
		without = append(without, measurement{wall: 100 * time.Millisecond})
		with = append(with, measurement{wall: time.Duration(101+i) * time.Millisecond})
	}
	for _, c := range []struct {
		e    expectation
		want string
	}{
		{expectation{most: 1.2}, "1.15 times as long, at 95 % at least 1.10, at 95 % at most 1.21  want at most 1.2: MISSED"},
		{expectation{most: 1.3}, "want at most 1.3: reached"},
		{expectation{added: 25 * time.Millisecond}, "+15.5 ms, at 95 % at most +21.0 ms  want at most 25ms: reached"},
	} {
		if got := line("name", without, with, c.e); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := line("name", without[:5], with[:5], expectation{most: 2}); !strings.Contains(got, "too few rounds") {
		t.Errorf("five rounds: %q", got)
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
