package hprof_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/convert/transcript"
	"github.com/trcx/trcx/trace"
)

// excess writes a log that has more of everything than is kept, and then objects.
func excess(out io.Writer) error {
	d := newDump("1.0.2", 8)
	flush := func() error {
		_, err := out.Write(d.Bytes())
		d.Reset()
		return err
	}
	parts := []struct {
		count int
		add   func(i int)
	}{
		{1_100_000, func(i int) {
			body := d.part().id(uint64(i+1) * 8)
			fmt.Fprintf(body, "some/package/or/other/of/a/program/Class%09d", i)
			d.record(0x01, 0, body)
		}},
		{270_000, func(i int) { d.record(0x02, 0, d.part().u4(uint32(i+1)).id(uint64(i+1)*64).u4(1).id(uint64(i+1)*8)) }},
		{530_000, func(i int) {
			d.record(0x04, 0, d.part().id(uint64(i+1), uint64(i+1)*8, 8, 16).u4(uint32(i%270_000+1)).u4(17))
		}},
		{140_000, func(i int) {
			frames := make([]uint64, 20)
			for f := range frames {
				frames[f] = uint64(i + f + 1)
			}
			d.trace(uint32(i+1), 1, frames...)
		}},
		{270_000, func(i int) { d.record(0x0A, 0, d.part().u4(uint32(i+1)).id(uint64(i+1)*8).u4(1).id(8, 16, 24)) }},
		{270_000, func(i int) {
			h := d.part().class(uint64(i+1)*64, 64*uint64(min(i, 20)), nil, []field{{"", 2, 0}, {"", 2, 0}, {"", 11, 0}, {"", 2, 0}, {"", 2, 0}, {"", 2, 0}})
			d.record(0x1C, 0, h)
		}},
		{300_000, func(i int) {
			d.record(0x1C, 0, d.part().instance(uint64(i+1)*8, uint64(i%270_000+1)*64, d.part().id(1, 2, 3, 4, 5, 6, 7, 8, 9)))
		}},
		{20_000, func(i int) { d.record(0x1C, 0, d.part().array(uint64(i+1)*8, 8, 10_000, 10_000)) }},
	}
	for _, p := range parts {
		for i := range p.count {
			if p.add(i); d.Len() > 1<<16 {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// TestMemory: whatever a log has too much of, reading it takes less than 256 MiB.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: reading a log of 500 MB takes a while (-short)")
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(excess(out)) }()
	debug.FreeOSMemory()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	most, elements, limits := uint64(0), 0, 0
	options := transcript.Options{Report: func(f trace.Finding) {
		if f.Rule == "hprof-limit" {
			limits++
		}
	}}
	_, err := hprof.Read(context.Background(), in, options, func(*trace.Event) error {
		if elements++; elements%50_000 == 0 {
			runtime.ReadMemStats(&now)
			most = max(most, now.Sys-now.HeapReleased-(before.Sys-before.HeapReleased))
		}
		return nil
	})
	if err != nil || limits < 4 {
		t.Errorf("%d limits were exceeded, %v", limits, err)
	}
	if most > 256<<20 {
		t.Errorf("reading took %d MiB", most>>20)
	}
	t.Logf("%d MiB for %d elements; %d limits", most>>20, elements, limits)
}
