package jfr

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write the expected elements, and the recording for scripts and examples")

// outcome has the elements and findings of a recording.
type outcome struct {
	elements []string // without definitions
	all      []string
	findings []trace.Finding
	lacks    []trace.Lack
	ending   trace.Ending
}

func readAll(t testing.TB, recording []byte, l limits) (o outcome) {
	t.Helper()
	options := builder.Options{Report: func(f trace.Finding) { o.findings = append(o.findings, f) },
		OnUnsupported: func(l trace.Lack) { o.lacks = append(o.lacks, l) }}
	ending, err := read(context.Background(), bytes.NewReader(recording), options, l, func(e *trace.Event) error {
		line := string(trcxml.Append(nil, e))
		o.all = append(o.all, line)
		if e.Kind != trace.ClassDef && e.Kind != trace.MethodDef && e.Kind != trace.Option {
			o.elements = append(o.elements, line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o.ending = ending
	return o
}

const second = 1_700_000_000

// golden compares an output with a golden file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has\n%s\nbut this is\n%s", name, want, got)
	}
}

// TestSample compares the elements of a recording with a golden file.
func TestSample(t *testing.T) {
	recording := sample(newBuilder(second)).bytes()
	o := readAll(t, recording, limits{})
	if len(o.findings) > 0 || o.ending.Truncated {
		t.Errorf("%v", o.findings)
	}
	golden(t, "testdata/sample.golden", []byte(strings.Join(o.all, "")))
	golden(t, "../../testdata/recorded/sample.jfr", recording)
}

// same compares the elements of two readings.
func same(t *testing.T, what string, got, want outcome) {
	t.Helper()
	if g, w := strings.Join(got.elements, ""), strings.Join(want.elements, ""); g != w {
		t.Errorf("%s:\n%s\nwant\n%s", what, g, w)
	}
}

// TestEncodings: the elements are the same with uncompressed integers, with old names of types, and with chunks and
// events in temporary files.
func TestEncodings(t *testing.T) {
	want := readAll(t, sample(newBuilder(second)).bytes(), limits{})
	full := newBuilder(second)
	full.fixed, full.header.compressed = true, false
	same(t, "integers of full width", readAll(t, sample(full).bytes(), limits{}), want)
	old := newBuilder(second)
	old.oracle, old.header.major, old.header.minor = true, 1, 0
	same(t, "names of Oracle's JDK 9", readAll(t, sample(old).bytes(), limits{}), want)
	same(t, "in files", readAll(t, sample(newBuilder(second)).bytes(), limits{chunkMemory: 100, sortMemory: 100}), want)
}

// TestSymbolLimit: beyond the limit only stack traces are left out.
func TestSymbolLimit(t *testing.T) {
	o := readAll(t, sample(newBuilder(second)).bytes(), limits{symbols: 500})
	if len(o.findings) != 1 || o.findings[0].Rule != ruleTooLarge || !strings.Contains(strings.Join(o.elements, ""),
		"monContendedEntered") {
		t.Errorf("%v", o.findings)
	}
}

// TestChunks: a wait begins in one chunk and ends in the next, and the same keys mean other constants in each.
func TestChunks(t *testing.T) {
	first, next := newBuilder(second), newBuilder(second+1)
	first.event(idSleep, first.ticks(900_000_000), 2*1000, keyMain, 1, 1000)
	first.constants()
	first.describe()
	next.event(idWait, next.ticks(-500_000_000), 2*700_000_000, keyMain, 1, 1, 0, 0, written(false), 0x1000)
	next.constants()
	next.describe()
	o := readAll(t, append(first.bytes(), next.bytes()...), limits{})
	var kinds []string
	for _, e := range o.elements {
		name, _, _ := strings.Cut(e[1:], " ")
		kinds = append(kinds, name)
	}
	// The sleep is inside the wait, which began before it: a thread does one thing at a time.
	want := "threadStart objAlloc monWait monWaited traceEnd"
	if strings.Join(kinds, " ") != want || len(o.findings) != 1 || o.findings[0].Rule != ruleOverlap {
		t.Errorf("%v %v", kinds, o.findings)
	}
}

// TestSeveralJVMs: threads of two JVMs in one file have different ids.
func TestSeveralJVMs(t *testing.T) {
	one, two := newBuilder(second), newBuilder(second+1)
	for i, b := range []*chunkBuilder{one, two} {
		b.event(idJVM, b.ticks(1), keyMain, 0, 1000+i, 4000+i)
		b.event(idSleep, b.ticks(10), 2*1000, keyMain, 1, 1000)
		b.constants()
		b.describe()
	}
	o := readAll(t, append(one.bytes(), two.bytes()...), limits{})
	text := strings.Join(o.elements, "")
	if !strings.Contains(text, `<threadStart threadId="1" `) ||
		!strings.Contains(text, `<threadStart threadId="jvm2-1" `) || len(o.findings) > 0 {
		t.Errorf("%s %v", text, o.findings)
	}
}

// TestHiddenClasses: hidden classes have the same name, however the JVM spells it.
func TestHiddenClasses(t *testing.T) {
	for _, name := range []string{"app.Main$$Lambda/0x00007f01", "app.Main$$Lambda+0x00007f01/1418334255"} {
		b := newBuilder(second)
		b.event(idEnter, b.ticks(30), 2*1000, keyMain, 0, 1, 0, 0x1000)
		b.checkpoint(0, []any{idClass, count(1), 1, 1}, []any{idSymbol, count(1), 1, name})
		b.describe()
		if o := readAll(t, b.bytes(), limits{}); !strings.Contains(strings.Join(o.all, ""),
			`<classDef name="app/Main$$Lambda.0x00007f01"`) {
			t.Errorf("%s: %s", name, o.all)
		}
	}
}

// defect damages a recording.
type defect struct {
	name  string
	spoil func(b *chunkBuilder, recording []byte) []byte
	rule  string
	at    func(b *chunkBuilder) int // of the finding; -1 if it does not matter
	lost  int                       // how many elements may be missing
}

func anywhere(*chunkBuilder) int { return -1 }

// eventAt returns the offset of the event of an index.
func eventAt(i int) func(b *chunkBuilder) int {
	return func(b *chunkBuilder) int {
		n := headerSize
		for _, e := range b.events[:i] {
			n += len(e)
		}
		return n
	}
}

var defects = []defect{
	{"the last byte is missing", func(_ *chunkBuilder, r []byte) []byte { return r[:len(r)-1] }, ruleTruncated, anywhere,
		100},
	{"no magic", func(_ *chunkBuilder, r []byte) []byte { return append([]byte("garbage"), r...) }, ruleHeader,
		func(*chunkBuilder) int { return 0 }, 0},
	{"another version", func(_ *chunkBuilder, r []byte) []byte { return append([]byte("FLR\x00\x00\x09\x00\x00"), r...) },
		ruleHeader, func(*chunkBuilder) int { return 0 }, 0},
	{"garbage after it", func(_ *chunkBuilder, r []byte) []byte { return append(r, "\xFF\xFF\xFF\xFFgarbage"...) },
		ruleChunkSize, func(*chunkBuilder) int { return 0 }, 0},
	{"no size", func(_ *chunkBuilder, r []byte) []byte { clear(r[8:16]); return r }, ruleUnfinished, func(*chunkBuilder) int {
		return 0
	}, 0},
	{"not finished", func(_ *chunkBuilder, r []byte) []byte { r[64] = 7; return r }, ruleUnfinished, func(*chunkBuilder) int {
		return 0
	}, 0},
	{"a huge size", func(_ *chunkBuilder, r []byte) []byte { r[9] = 0x7F; return r }, ruleTruncated, anywhere, 0},
	{"a size that swallows the next chunk", func(_ *chunkBuilder, r []byte) []byte {
		empty := newBuilder(second + 1)
		empty.constants()
		empty.describe()
		r[14] += 8
		return append(r, empty.bytes()...)
	}, ruleChunkSize, func(*chunkBuilder) int { return 0 }, 0},
	{"a negative size", func(_ *chunkBuilder, r []byte) []byte { r[8] = 0xFF; return append(r, r...) }, ruleHeader,
		func(*chunkBuilder) int { return 0 }, 100},
	{"no ticks", func(_ *chunkBuilder, r []byte) []byte { clear(r[56:64]); return r }, ruleHeader, func(*chunkBuilder) int {
		return 0
	}, 100},
	{"an event of no bytes", func(b *chunkBuilder, r []byte) []byte {
		copy(r[eventAt(3)(b):], "\x80\x80\x80\x00")
		return r
	}, ruleEventSize, eventAt(3), 2},
	{"a huge event", func(b *chunkBuilder, r []byte) []byte { copy(r[eventAt(3)(b):], "\xFF\xFF\xFF\x7F"); return r },
		ruleEventSize, eventAt(3), 2},
	{"an event that is cut off", func(b *chunkBuilder, r []byte) []byte {
		at := eventAt(1)(b)
		for i := at + 14; i < at+len(b.events[1]); i++ {
			r[i] = 0xFF
		}
		return r
	}, "", anywhere, 0},
	{"fields longer than their event", func(b *chunkBuilder, r []byte) []byte {
		at := eventAt(3)(b) + len(b.events[3])
		for i := at - 6; i < at; i++ {
			r[i] = 0xFF
		}
		return r
	}, ruleEvent, eventAt(3), 3},
	{"a class that is not there", func(b *chunkBuilder, r []byte) []byte {
		return bytes.Replace(r, b.append(nil, 1, 1, keyMain, 0x1000), b.append(nil, 1, 99, keyMain, 0x1000), 1)
	}, ruleConstant, eventAt(3), 1},
	{"a stack that is not there", func(b *chunkBuilder, r []byte) []byte {
		return bytes.Replace(r, b.append(nil, 1, 1, keyMain, 0x1000), b.append(nil, 99, 1, keyMain, 0x1000), 1)
	}, ruleConstant, eventAt(3), 1},
	{"a metadata that is none", func(b *chunkBuilder, r []byte) []byte { r[b.notes["metadata"]+8] = 0xFF; return r },
		ruleMetadata, func(b *chunkBuilder) int { return b.notes["metadata"] }, 100},
	{"no checkpoint where the header says", func(_ *chunkBuilder, r []byte) []byte { r[23]++; return r }, ruleChain,
		func(*chunkBuilder) int { return 0 }, 0},
	{"a metadata elsewhere than the header says", func(_ *chunkBuilder, r []byte) []byte { r[31]++; return r }, ruleChain,
		func(*chunkBuilder) int { return 0 }, 0},
	{"a group that contains itself", func(b *chunkBuilder, r []byte) []byte {
		return bytes.Replace(r, b.append(nil, 1, 2, "main", 2, 0, "system"), b.append(nil, 1, 2, "main", 2, 2,
			"system"), 1)
	}, ruleCycle, anywhere, 0},
	{"more constants than bytes for them", func(b *chunkBuilder, r []byte) []byte {
		return bytes.Replace(r, b.append(nil, idGroup, count(2), 1, 2), b.append(nil, idGroup, count(99), 1, 2), 1)
	}, ruleConstants, anywhere, 3},
}

// TestDefects: each defect is reported at its offset, and nothing else is lost.
func TestDefects(t *testing.T) {
	whole := readAll(t, sample(newBuilder(second)).bytes(), limits{})
	for _, d := range defects {
		b := sample(newBuilder(second))
		o := readAll(t, d.spoil(b, b.bytes()), limits{})
		found := d.rule == "" && len(o.findings) == 0
		for _, f := range o.findings {
			found = found || f.Rule == d.rule && (d.at(b) < 0 || f.Place == trace.Place{Offset: int64(d.at(b))})
			if f.Place.Line != 0 {
				t.Errorf("%s: %v has a line", d.name, f)
			}
		}
		if !found {
			t.Errorf("%s: %v", d.name, o.findings)
		}
		got, missing := strings.Join(o.elements, ""), 0
		for _, e := range whole.elements {
			stacked, _, _ := strings.Cut(e, "<annotation")
			stacked = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(stacked), "/>"), ">")
			if !strings.Contains(got, stacked) && !strings.HasPrefix(e, "<traceEnd") {
				missing++
			}
		}
		if missing > d.lost && d.lost < 100 {
			t.Errorf("%s: %d elements are missing: %v\n%s", d.name, missing, o.findings, got)
		}
	}
}

// TestTruncatedEverywhere: a recording cut at any byte is reported as truncated.
func TestTruncatedEverywhere(t *testing.T) {
	recording := sample(newBuilder(second)).bytes()
	for n := 1; n < len(recording); n++ {
		o := readAll(t, recording[:n], limits{})
		if len(o.findings) == 0 || n >= 8 && !o.ending.Truncated {
			t.Fatalf("%d bytes of %d: %v, truncated %v", n, len(recording), o.findings, o.ending.Truncated)
		}
	}
}

// TestDamageOrCut: only the event in which the recording ends is reported as cut off. A damaged size is reported as
// damage, in a chunk that is cut off later and at the end of a complete chunk.
func TestDamageOrCut(t *testing.T) {
	const huge = "\xFF\xFF\xFF\x7F"
	b := sample(newBuilder(second))
	b.event(idSleep, b.ticks(4_000_000), 2*1000, keyMain, 1, 1000)
	last := eventAt(len(b.events) - 1)(b)
	damaged := b.bytes()
	copy(damaged[eventAt(3)(b):], huge)
	whole := b.bytes()
	copy(whole[last:], huge)
	for _, c := range []struct {
		name      string
		recording []byte
		want      string
	}{
		{"damaged and cut", damaged[:len(damaged)-1], fmt.Sprint(ruleTruncated, len(damaged)-1, // the chunk
			ruleEventSize, eventAt(3)(b), ruleTruncated, len(damaged)-1)},
		{"damaged at the end of a chunk", append(whole, sample(newBuilder(second+1)).bytes()...),
			fmt.Sprint(ruleEventSize, last)},
	} {
		got := ""
		for _, f := range readAll(t, c.recording, limits{}).findings {
			got += fmt.Sprint(f.Rule, f.Place.Offset)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// copied returns the copy of a chunk's header that a JVM writes into the chunk at an offset.
func copied(b *chunkBuilder, place int64) []byte {
	h := *b
	h.header.size, h.events = place+headerSize, nil
	return h.bytes()
}

// TestCutBeginning: bytes before the first chunk are skipped with one finding, even if they contain copies of headers.
func TestCutBeginning(t *testing.T) {
	whole := sample(newBuilder(second)).bytes()
	rest := newBuilder(second - 5)
	rest.event(idSleep, rest.ticks(900_000_000), 2*1000, keyMain, 1, 1000)
	cut := append(append(bytes.Clone(whole[300:500]), copied(rest, 600)...), rest.events[0]...)
	for _, c := range []struct {
		name   string
		before []byte
	}{
		{"bytes of a chunk", whole[3:]}, {"with a copy of the header", cut},
		{"two copies", append(bytes.Clone(cut), cut...)}, {"one byte", []byte("\x00")},
		{"a header that cannot be", append([]byte("xx"), strings.Repeat("FLR\x00\x00\x02\x00\x01", 20)...)},
	} {
		o := readAll(t, append(bytes.Clone(c.before), whole...), limits{})
		same(t, c.name, o, readAll(t, whole, limits{}))
		if len(o.findings) != 1 || o.findings[0].Rule != ruleHeader || o.findings[0].Place.Offset != 0 ||
			!strings.Contains(o.findings[0].Message, fmt.Sprintf("%d bytes are skipped", len(c.before))) {
			t.Errorf("%s: %v", c.name, o.findings)
		}
	}
}

// TestCopyOfHeaderInGap: in a damaged part of a chunk, a copy of the chunk's header is not taken for another chunk.
func TestCopyOfHeaderInGap(t *testing.T) {
	b := newBuilder(second)
	b.event(idSleep, b.ticks(1_000), 2*1000, keyMain, 1, 1000)
	b.events = append(b.events, append([]byte("\xFF\xFF\xFF\x7Fdamaged"), copied(b, int64(b.size())+11)...))
	for i := range int64(6) {
		b.event(idSleep, b.ticks(10_000+i*10_000), 2*1000, keyMain, 1, 1000)
	}
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	if len(o.findings) != 1 || o.findings[0].Rule != ruleEventSize || strings.Count(strings.Join(o.elements, ""),
		"<monWaited") < 6 {
		t.Errorf("%v %s", o.findings, o.elements)
	}
}

// TestCopyOfHeaderInCheckpoint: a chunk is one chunk, although a program that filtered it did not update the copies of
// its header, or the JVM crashed and wrote one with the time of the crash.
func TestCopyOfHeaderInCheckpoint(t *testing.T) {
	for name, change := range map[string]func(*chunkHeader){
		"filtered": func(h *chunkHeader) { h.size += 1000 },
		"crashed":  func(h *chunkHeader) { h.startNanos, h.startTicks = h.startNanos+5, h.startTicks+5 },
	} {
		b := newBuilder(second)
		b.event(idSleep, b.ticks(1_000), 2*1000, keyMain, 1, 1000)
		body := b.append(b.long(nil, checkpointType), 0, 0, 0, written(true), count(0))
		h := *b
		h.header.size, h.events = int64(b.size()+4+len(body)+headerSize), nil
		change(&h.header)
		b.events = append(b.events, b.sized(append(body, h.bytes()...)))
		b.event(idSleep, b.ticks(10_000), 2*1000, keyMain, 1, 1000)
		b.constants()
		b.describe()
		o := readAll(t, b.bytes(), limits{})
		if len(o.findings) > 0 || strings.Count(strings.Join(o.elements, ""), "<monWaited") != 2 {
			t.Errorf("%s: %v %s", name, o.findings, o.elements)
		}
	}
}

// TestErrors: errors of the input, of put and of the context are returned.
func TestErrors(t *testing.T) {
	recording := sample(newBuilder(second)).bytes()
	full := errors.New("full")
	taken := 0
	_, err := Read(context.Background(), bytes.NewReader(recording), builder.Options{}, func(*trace.Event) error {
		taken++
		return full
	})
	if !errors.Is(err, full) || taken != 1 {
		t.Errorf("%v after %d", err, taken)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(recording), builder.Options{}, func(*trace.Event) error {
		return nil
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// fewThreads is less than the number of threads in the recordings of FuzzRead.
const fewThreads = 3

// FuzzRead reads arbitrary bytes and checks the order of each thread's elements.
func FuzzRead(f *testing.F) {
	whole := sample(newBuilder(second)).bytes()
	f.Add(oldSample(second).bytes())
	f.Add(dumpChunk(func(b *chunkBuilder) {
		b.dump(100, dumpedThread("worker-1", 2, 3, "BLOCKED (on object monitor)", wantsLock),
			dumpedThread("worker-2", 3, 3, "BLOCKED (on object monitor)", holdsLock), dumpedThread("main", 1, 3, "RUNNABLE", initialize))
		b.event(idWait, b.ticks(150*nanosPerMilli), 2*100*nanosPerMilli, keyLate, 1, 1, 0, 0, written(false), 0x1000)
		b.dump(900, dumpedThread("late", 4, 4, "TIMED_WAITING (sleeping)", sleeps))
	}))
	f.Add(whole)
	f.Add(append(bytes.Clone(whole), whole...))
	full := newBuilder(second)
	full.fixed, full.header.compressed = true, false
	f.Add(sample(full).bytes())
	for _, d := range defects {
		b := sample(newBuilder(second))
		f.Add(d.spoil(b, b.bytes()))
	}
	f.Fuzz(func(t *testing.T, recording []byte) {
		inInterval := map[trace.ThreadID]bool{}
		options := builder.Options{Report: func(f trace.Finding) {
			if f.Place.Offset < 0 || f.Place.Offset > int64(len(recording)) {
				t.Errorf("%v lies outside of %d bytes", f, len(recording))
			}
		}}
		_, err := read(context.Background(), bytes.NewReader(recording), options,
			limits{chunkMemory: 1000, sortMemory: 10_000, threads: fewThreads * threadCharge},
			func(e *trace.Event) error {
				id := e.Thread()
				switch e.Kind {
				case trace.MonContendedEnter, trace.MonWait:
					if inInterval[id] {
						t.Errorf("%s of a thread in an interval", trcxml.Append(nil, e))
					}
					inInterval[id] = true
				case trace.MonContendedEntered, trace.MonWaited:
					if !inInterval[id] {
						t.Errorf("%s of a thread in no interval", trcxml.Append(nil, e))
					}
					inInterval[id] = false
				case trace.CallNotify, trace.CallStart, trace.ThreadEnd, trace.ThreadStart:
					if inInterval[id] {
						t.Errorf("%s of a thread in an interval", trcxml.Append(nil, e))
					}
				}
				return nil
			})
		if err != nil {
			t.Error(err)
		}
	})
}

// manyEvents returns a chunk in which two threads are blocked the given number of times.
func manyEvents(events int) []byte {
	c := newBuilder(second)
	var one []byte
	for i := range int64(events) {
		c.event(idEnter, c.ticks(i*10_000), 2*5_000, keyWorker1+int(i%2), 1, 1, keyMain, 0x1000+i%64)
		one = append(one, c.events[len(c.events)-1]...)
		c.events = c.events[:0]
	}
	c.events = append(c.events, one)
	c.constants()
	c.describe()
	return c.bytes()
}

// TestAllocations: the number of allocations does not grow with the number of events.
func TestAllocations(t *testing.T) {
	allocations := func(events int) float64 {
		recording := manyEvents(events)
		return testing.AllocsPerRun(1, func() {
			if _, err := Read(context.Background(), bytes.NewReader(recording), builder.Options{},
				func(*trace.Event) error { return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	few, many := allocations(1000), allocations(21_000)
	if many-few > 200 {
		t.Errorf("20000 events more make %v allocations instead of %v", many, few)
	}
}

// BenchmarkRead reads a chunk of many events.
func BenchmarkRead(b *testing.B) {
	recording := manyEvents(100_000)
	b.SetBytes(int64(len(recording)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(context.Background(), bytes.NewReader(recording), builder.Options{},
			func(*trace.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// TestThreadNames: names in modified UTF-8 are emitted as Java has them.
func TestThreadNames(t *testing.T) {
	b := newBuilder(second)
	b.event(idWait, b.ticks(1000), 2_000_000, 100, 0, 0, 0, 0, written(false), 0x1000)
	b.checkpoint(0, []any{idThread, count(1), 100, "os", 4000, "x\xED\xA0\xBD\xED\xB8\x80\xC0\x80</script>", 7, 0,
		written(false)})
	b.describe()
	want := `threadName="x😀\u0000&lt;/script>"`
	if o := readAll(t, b.bytes(), limits{}); !strings.Contains(strings.Join(o.elements, "\n"), want) {
		t.Errorf("not %s but %q", want, o.elements)
	}
}
