package main

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestLacks proves that one line says what a document lacks, with the option that records more.
func TestLacks(t *testing.T) {
	notifies := trace.Lack{What: "calls of notify", Means: "they are inferred"}
	owners := trace.Lack{What: "owners", Means: "they are unknown"}
	off := trace.Lack{What: "events A", Means: "they were switched off", Option: "-start:A=on,B=0"}
	short := trace.Lack{What: "events B below 20 ms", Means: "shorter ones are missing", Option: "-start:A=on,B=0"}
	for _, c := range []struct {
		lacks []trace.Lack
		want  string
	}{
		{nil, ""},
		{[]trace.Lack{owners}, "a.jfr has no owners: they are unknown\n"},
		{[]trace.Lack{owners, owners}, "a.jfr has no owners: they are unknown\n"},
		{[]trace.Lack{owners, notifies}, "a.jfr has no owners or calls of notify: trcx convert prints what each of these " +
			"means; docs/formats has a page on how to record more\n"},
		{[]trace.Lack{owners, off, short}, "a.jfr has no owners, and lacks what its settings left out: -start:A=on,B=0 " +
			"records that; trcx convert prints what each of these means\n"},
		{[]trace.Lack{off, short}, "a.jfr lacks what its settings left out: -start:A=on,B=0 records that\n"},
	} {
		var out strings.Builder
		d := diagnostics{out: &out, brief: true}
		for _, lack := range c.lacks {
			d.unsupported("a.jfr", lack)
		}
		d.finishLacks()
		if out.String() != c.want {
			t.Errorf("%v gives %q, want %q", c.lacks, out.String(), c.want)
		}
	}
}
