package jfr

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestInputOutput proves that input and output are waits on their peers and paths, which collections do not move; that
// parks and further input within such a wait are part of it; that collections say what paused the JVM and for how long;
// and that the processors' load is summed up.
func TestInputOutput(t *testing.T) {
	b := newBuilder(second)
	b.io = true
	us := func(n int64) int64 { return b.ticks(n * 1000) }
	lasts := func(n int64) int64 { return 2 * n * 1000 }
	b.event(idSocketRead, us(10), lasts(20), keyMain, 1, "shop.example", "192.0.2.7", count(80), 0)
	b.event(idPark, us(12), lasts(5), keyMain, 1, 1, 1_500_000, noLong, 0x2000)
	b.event(idSocketRead, us(15), lasts(10), keyMain, 1, "", "192.0.2.7", count(80), 0)
	b.event(idPauses, us(31), lasts(4), keyVM, 0, count(1), "G1New", "G1 Evacuation Pause", int(lasts(3)))
	b.event(idSocketRead, us(40), lasts(2000), keyMain, 1, "shop.example", "192.0.2.7", count(80), 1)
	b.event(idFileWrite, us(41), lasts(7), keyWorker1, 1, "/tmp/a<b")
	b.event(idFileWrite, us(50), lasts(7), keyWorker1, 1, "")
	b.event(idCPULoad, us(60), float(0.25), float(0.125), float(0.5))
	b.event(idCPULoad, us(61), float(float32(math.NaN())), float(-1), float(2))
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	if len(o.findings) > 0 {
		t.Error(o.findings)
	}
	got := slices.DeleteFunc(o.all, func(line string) bool {
		return strings.Contains(line, `"events.`) || strings.HasPrefix(line, "<methodDef")
	})
	want := `<option key="gc.collections" value="1"/>
<option key="gc.paused" value="3000"/>
<option key="cpu.jvm" value="0.188"/>
<option key="cpu.jvm.max" value="0.375"/>
<option key="cpu.machine" value="0.750"/>
<option key="cpu.machine.max" value="1.000"/>
<threadStart threadId="1" time="1700000000.000010000" threadName="main" groupName="main" parentName="system" objIdRef="1"><annotation name="inferred" value="1"/></threadStart>
<classDef name="java/net/Socket" classId="1"/>
<objAlloc objId="2" classIdRef="1" time="1700000000.000010000"/>
<classDef name="app/Job" classId="2"/>
<monWait threadIdRef="1" time="1700000000.000010000" objIdRef="2"><annotation name="stack" value="1:88"/><annotation name="io" value="read"/><annotation name="peer" value="shop.example:80"/></monWait>
<monWaited threadIdRef="1" time="1700000000.000030000" objIdRef="2" timeout="0"/>
<gcStart time="1700000000.000031000"><annotation name="collection" value="G1New: G1 Evacuation Pause"/><annotation name="paused" value="3000"/></gcStart>
<gcFinish time="1700000000.000035000"/>
<monWait threadIdRef="1" time="1700000000.000040000" objIdRef="2" timeout="1"><annotation name="stack" value="1:88"/><annotation name="io" value="read"/><annotation name="peer" value="shop.example:80"/></monWait>
<threadStart threadId="2" time="1700000000.000041000" threadName="worker-1" groupName="main" parentName="system" objIdRef="4"><annotation name="inferred" value="1"/></threadStart>
<classDef name="java/io/File" classId="3"/>
<objAlloc objId="5" classIdRef="3" time="1700000000.000041000"/>
<monWait threadIdRef="2" time="1700000000.000041000" objIdRef="5"><annotation name="stack" value="1:88"/><annotation name="io" value="write"/><annotation name="path" value="/tmp/a&lt;b"/></monWait>
<monWaited threadIdRef="2" time="1700000000.000048000" objIdRef="5" timeout="0"/>
<monWait threadIdRef="2" time="1700000000.000050000" objIdRef="0"><annotation name="stack" value="1:88"/><annotation name="io" value="write"/></monWait>
<monWaited threadIdRef="2" time="1700000000.000057000" objIdRef="0" timeout="0"/>
<monWaited threadIdRef="1" time="1700000000.002040000" objIdRef="2" timeout="2"/>
<traceEnd time="1700000001.000000000"/>
`
	if all := strings.Join(got, ""); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
}

// TestPauses: a pause is nested in its collection, also if both begin and end at the same time.
func TestPauses(t *testing.T) {
	b := newBuilder(second)
	b.io = true
	us := func(n int64) int64 { return b.ticks(n * 1000) }
	lasts := func(micros int64) int64 { return 2 * micros * 1000 }
	b.event(idPause, us(10), lasts(10), keyVM, 0, count(1), "GC Pause")
	b.event(idPauses, us(10), lasts(10), keyVM, 0, count(1), "G1New", "", int(lasts(10)))
	b.event(idPauses, us(30), lasts(20), keyVM, 0, count(2), "ZGC", "", int(lasts(2)))
	b.event(idPause, us(31), lasts(1), keyVM, 0, count(2), "Pause Mark Start")
	b.event(idPause, us(49), lasts(1), keyVM, 0, count(2), "Pause Mark End")
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	var got []string
	for _, line := range o.all {
		if strings.HasPrefix(line, "<gc") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	const pause = `<gcFinish time="1700000000.0000%d000"><annotation name="ends" value="pause"/></gcFinish>`
	want := []string{
		`<gcStart time="1700000000.000010000"><annotation name="collection" value="G1New"/><annotation name="paused" value="10000"/></gcStart>`,
		`<gcStart time="1700000000.000010000"/>`, fmt.Sprintf(pause, 20), `<gcFinish time="1700000000.000020000"/>`,
		`<gcStart time="1700000000.000030000"><annotation name="collection" value="ZGC"/><annotation name="paused" value="2000"/></gcStart>`,
		`<gcStart time="1700000000.000031000"/>`, fmt.Sprintf(pause, 32),
		`<gcStart time="1700000000.000049000"/>`, fmt.Sprintf(pause, 50), `<gcFinish time="1700000000.000050000"/>`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestHeapSummaries: a collection ends with the heap sizes recorded after it, and without sizes if only another
// collection has them.
func TestHeapSummaries(t *testing.T) {
	b := newBuilder(second)
	b.io = true
	us := func(n int64) int64 { return b.ticks(n * 1000) }
	collected := func(id, from, micros int64) {
		b.event(idPauses, us(from), 2*micros*1000, keyVM, 0, count(id), "Serial", "", int(0))
	}
	summarized := func(at, id int64, when string, used int64) {
		b.event(idHeapSummary, us(at), keyVM, 0, count(id), when, 0x1000, 4096, used)
	}
	summarized(11, 1, "Before GC", 900)
	summarized(19, 1, "After GC", 100)
	collected(1, 10, 10)
	collected(2, 30, 10)
	summarized(55, 4, "After GC", 200) // of a collection within another one
	collected(4, 52, 4)
	collected(3, 50, 10)
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	var got []string
	for _, line := range o.all {
		if strings.HasPrefix(line, "<gcFinish") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		`<gcFinish time="1700000000.000020000" usedObjSpace="100" totalObjSpace="4096"/>`,
		`<gcFinish time="1700000000.000040000"/>`,
		`<gcFinish time="1700000000.000056000" usedObjSpace="200" totalObjSpace="4096"/>`,
		`<gcFinish time="1700000000.000060000"/>`,
	}
	if len(o.findings) > 0 || !slices.Equal(got, want) {
		t.Errorf("%v\n%s", o.findings, strings.Join(got, "\n"))
	}
}

// TestUnknownThread proves that a thread is left out if only its start or an inflation is known, but no name.
func TestUnknownThread(t *testing.T) {
	b := newBuilder(second)
	b.event(idInflate, b.ticks(1000), 2, 999, 0, 1, 0x1000)
	b.event(idStart, b.ticks(2000), 999, 0, 999, keyMain)
	b.event(idSleep, b.ticks(3000), 2, keyMain, 1, 30_000)
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	if all := strings.Join(o.all, ""); strings.Contains(all, "unknown-") || !strings.Contains(all, "monWaited") {
		t.Errorf("got\n%s", all)
	}
}
