package hprof_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// excess writes a log that exceeds every limit, and then objects.
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
		{270_000, func(i int) {
			d.record(0x02, 0, d.part().u4(uint32(i+1)).id(uint64(i+1)*64).u4(1).
				id(uint64(i+1)*8))
		}},
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
			h := d.part().class(uint64(i+1)*64, 64*uint64(min(i, 20)), nil, []field{{"", 2, 0}, {"", 2, 0}, {"", 11, 0},
				{"", 2, 0}, {"", 2, 0}, {"", 2, 0}})
			d.record(0x1C, 0, h)
		}},
		{300_000, func(i int) {
			d.record(0x1C, 0, d.part().instance(uint64(i+1)*8, uint64(i%270_000+1)*64, d.part().id(1, 2, 3, 4, 5, 6, 7,
				8, 9)))
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

// excesses are endless logs, with the kind of items for which the reader reports the limit,
// their begins and their repeated parts.
var excesses = []struct {
	what  string
	begin func(d *dump)
	more  func(d *dump, i int)
}{
	{"names", nil, func(d *dump, i int) { d.record(0x01, 0, d.part().id(uint64(i+1)*8).u8(7)) }},
	{"names", nil, func(d *dump, i int) { d.record(0x01, 0, zeros(d.part().id(1), 60_000)) }},
	{"classes", nil, func(d *dump, i int) { d.record(0x02, 0, d.part().u4(1).id(uint64(i+1)*8).u4(0).id(1)) }},
	{"classes", nil, func(d *dump, i int) { d.record(0x1C, 0, d.part().class(uint64(i+1)*8, 0, nil, nil)) }},
	{"classes", nil, func(d *dump, i int) { d.record(0x1C, 0, d.part().instance(8, uint64(i+1)*8, d.part())) }},
	{"classes", nil, func(d *dump, i int) { d.record(0x04, 0, d.part().id(1, 2, 3, 4).u4(uint32(i)).u4(1)) }},
	{"serial numbers of classes", nil, func(d *dump, i int) {
		d.record(0x02, 0, d.part().u4(uint32(i)).id(4096).u4(0).id(1))
	}},
	{"names of classes", func(d *dump) { d.record(0x01, 0, zeros(d.part().id(1), 60_000)) }, func(d *dump, i int) {
		d.record(0x02, 0, d.part().u4(1).id(uint64(i+1)*8).u4(0).id(1)).record(0x04, 0, d.part().id(1, 2, 3, 4).u4(1).
			u4(1))
	}},
	{"frames", func(d *dump) { d.loadClass(1, 8, "A") }, func(d *dump, i int) {
		d.record(0x04, 0, d.part().id(uint64(i), 2, 3, 4).u4(1).u4(1))
	}},
	{"methods", func(d *dump) { d.loadClass(1, 8, "A") }, func(d *dump, i int) {
		d.record(0x04, 0, d.part().id(1, uint64(i), 3, 4).u4(1).u4(1))
	}},
	{"stacks", nil, func(d *dump, i int) { d.trace(uint32(i), 1) }},
	{"stacks", func(d *dump) { d.loadClass(1, 8, "A").frame(1, "m", "()V", "A.java", 1, 1) }, func(d *dump, i int) {
		d.trace(uint32(i), 1, slices.Repeat([]uint64{1}, 1000)...)
	}},
	{"threads", nil, func(d *dump, i int) { d.record(0x0A, 0, d.part().u4(uint32(i+1)).id(8).u4(1).id(1, 2, 3)) }},
	{"threads", nil, func(d *dump, i int) { d.record(0x1C, 0, d.part().u1(0x08).id(8).u4(uint32(i)).u4(1)) }},
	{"fields", nil, func(d *dump, i int) { d.record(0x1C, 0, withID(manyFields, uint64(i+1)*8)) }},
	{"fields", nil, func(d *dump, i int) { d.record(0x1C, 0, withID(manyStatics, uint64(i+1)*8)) }},
	{"fields", func(d *dump) {
		d.record(0x1C, 0, d.part().class(8, 0, nil, slices.Repeat([]field{{"", 2, 0}}, 60_000)))
	}, func(d *dump, i int) {
		d.record(0x1C, 0, d.part().class(uint64(i+2)*8, 8, nil, nil).instance(8, uint64(i+2)*8, d.part()))
	}},
}

var (
	manyFields  = newDump("", 8).part().class(8, 0, nil, slices.Repeat([]field{{"", 8, 0}}, 60_000))
	manyStatics = newDump("", 8).part().class(8, 0, slices.Repeat([]field{{"", 8, 0}}, 60_000), nil)
)

// withID returns the dump of a class with another id.
func withID(class *dump, id uint64) *dump {
	binary.BigEndian.PutUint64(class.Bytes()[1:], id)
	return class
}

func zeros(d *dump, n int) *dump {
	d.Write(make([]byte, n))
	return d
}

// excessTexts are logs of the text form that have too much of one thing.
var excessTexts = []struct{ what, begin, more string }{
	{"threads", "", "THREAD START (obj=1, id = %d, name=\"a\", group=\"b\")\n"},
	{"stacks", "", "TRACE %d:\n"},
	{"classes", "", "TRACE 1:\n\tA%d.m(A.java:1)\n"},
	{"classes", "HEAP DUMP BEGIN\n", "OBJ 1 (sz=16, trace=1, class=A%d@1)\n"},
	{"methods", "", "TRACE 1:\n\tA.m%d(A.java:1)\n"},
	{"monitors of a dump", "MONITOR DUMP BEGIN\n", "    THREAD %d, trace 5, status: CW\n"},
	{"monitors of a dump", "MONITOR DUMP BEGIN\n", "    MONITOR LA%d;\n"},
	{"monitors of a dump", "MONITOR DUMP BEGIN\n    MONITOR LA;\n", "\twaiting to enter: thread %d" +
		strings.Repeat(", thread 2", 5000) + "\n"},
}

// TestBound: definitions without end reach the limit with a finding, and at most 128 MiB are in use then.
// Each limit is reached in one way, and with TRCX_TRIALS=all in every way.
func TestBound(t *testing.T) {
	testtool.Long(t)
	every, reached := testtool.Times(3) == 3, map[string]bool{}
	for i, e := range excesses {
		if reached[e.what] && !every {
			continue
		}
		reached[e.what] = true
		t.Run(fmt.Sprint(i, " ", e.what), func(t *testing.T) {
			d := newDump("1.0.2", 8)
			if e.begin != nil {
				e.begin(d)
			}
			n := 0
			bounded(t, e.what, func(i int) []byte {
				if i > 0 {
					d.Reset()
				}
				for begin := d.Len(); d.Len() < begin+1<<14; n++ {
					e.more(d, n)
				}
				return d.Bytes()
			})
		})
	}
	clear(reached)
	for i, e := range excessTexts {
		if reached[e.what] && !every {
			continue
		}
		reached[e.what] = true
		t.Run(fmt.Sprint("text ", i, " ", e.what), func(t *testing.T) {
			var text bytes.Buffer
			bounded(t, e.what, func(i int) []byte {
				text.Reset()
				if i == 0 {
					text.WriteString(textLog() + e.begin)
				}
				for n := range 100 {
					fmt.Fprintf(&text, e.more, 100*i+n+1)
				}
				return text.Bytes()
			})
		})
	}
}

// TestSuspendedThreads: the suspended threads of monitor dumps are limited.
func TestSuspendedThreads(t *testing.T) {
	testtool.Long(t)
	const most = 1_000_000
	bounded(t, "suspended threads", func(i int) []byte {
		var text strings.Builder
		switch {
		case i == 0:
			text.WriteString(textLog())
		case i <= most/1000:
			for n := range 1000 {
				fmt.Fprintf(&text, "THREAD START (obj=1, id = %d, name=\"a\", group=\"b\")\n", 1000*(i-1)+n)
			}
		case i == most/1000+1:
			text.WriteString("MONITOR DUMP BEGIN\n    MONITOR LA;\n")
		case i < 2*most/1000+2:
			text.WriteString("\twaiting to enter: ")
			for n := range 1000 {
				fmt.Fprintf(&text, "thread %d, ", 1000*(i-most/1000-2)+n)
			}
			text.WriteString("\n    MONITOR LA;\n")
		default:
			text.WriteString("MONITOR DUMP END\n")
		}
		return []byte(text.String())
	})
}

// endless is a log without an end, which ends when it is stopped.
type endless struct {
	next    func(i int) []byte
	text    []byte
	i, read int
	stopped bool
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.text) == 0 {
		if e.stopped || e.read > 1<<30 {
			return 0, io.EOF
		}
		e.text = e.next(e.i)
		e.i++
	}
	n := copy(p, e.text)
	e.text, e.read = e.text[n:], e.read+n
	return n, nil
}

// bounded reads an endless log until the limit is reached for a kind of items.
func bounded(t *testing.T, what string, next func(i int) []byte) {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	log := &endless{next: next}
	options := builder.Options{Report: func(f trace.Finding) {
		if !log.stopped && f.Rule == "hprof-limit" && strings.Contains(f.Message, "further "+what+" are skipped") {
			log.stopped = true
			runtime.GC()
			runtime.ReadMemStats(&now)
		}
	}}
	if _, err := hprof.Read(context.Background(), log, options, ignore); err != nil {
		t.Fatal(err)
	}
	if !log.stopped {
		t.Fatalf("after %d MB the limit was not reached for %s", log.read>>20, what)
	}
	taken := int64(now.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d MiB are in use after %d MB", taken>>20, log.read>>20)
	if taken > 128<<20 {
		t.Errorf("%d MiB are in use when the limit is reached for %s", taken>>20, what)
	}
}

// TestMemory: reading a log with too much of anything needs less than 256 MiB.
func TestMemory(t *testing.T) {
	testtool.Long(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as for users
	in, out := io.Pipe()
	go func() { out.CloseWithError(excess(out)) }()
	debug.FreeOSMemory()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	most, elements, limits := uint64(0), 0, 0
	options := builder.Options{Report: func(f trace.Finding) {
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
