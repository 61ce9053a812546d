package pprof_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/pprof"
)

// TestMethods: a profile of calls has the sums of the tables.
func TestMethods(t *testing.T) {
	collector := methods.NewCollector(methods.Options{})
	inputs, err := convert.OpenInputs([]string{"../../docs/testdata/calls.trcxml"}, os.Stdin, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, collector); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := pprof.WriteMethods(&out, collector.Profile(methods.View{})); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Error(err)
	}
	var sums [2]int64
	base := map[string]int64{}
	for _, s := range p.Sample {
		sums[0] += s.Value[0]
		sums[1] += s.Value[1]
		base[s.Location[0].Line[0].Function.Name] += s.Value[1]
	}
	tables := collector.Sessions()[0].Tables(nil)
	if sums != [2]int64{int64(tables.Total.Calls), tables.Total.Base} {
		t.Errorf("sums are %v, want %d calls and %d ns", sums, tables.Total.Calls, tables.Total.Base)
	}
	for _, m := range tables.Methods {
		if base[m.Title] != m.Base {
			t.Errorf("%s: %d, want %d", m.Title, base[m.Title], m.Base)
		}
	}
}
