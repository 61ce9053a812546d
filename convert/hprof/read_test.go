package hprof_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// reading is the result of reading a log.
type reading struct {
	elements []string
	findings []trace.Finding
	lacks    []trace.Lack
	ending   trace.Ending
	counts   [trace.KindCount]uint64
}

// read reads a log; if counted is true the elements of heaps are only counted.
func read(in io.Reader, counted bool) (*reading, error) { return readTwice(in, counted, nil) }

// readTwice is read for a log that can be opened again, unless again is nil.
func readTwice(in io.Reader, counted bool, again []byte) (*reading, error) {
	r := &reading{}
	options := builder.Options{
		Report:        func(f trace.Finding) { r.findings = append(r.findings, f) },
		OnUnsupported: func(l trace.Lack) { r.lacks = append(r.lacks, l) },
	}
	if counted {
		options.Count = func(kind trace.Kind, n uint64) error {
			r.counts[kind] += n
			return nil
		}
	}
	if again != nil {
		options.Again = func() (io.ReadCloser, func(bool), error) {
			return io.NopCloser(bytes.NewReader(again)), nil, nil
		}
	}
	var err error
	r.ending, err = hprof.Read(context.Background(), in, options, func(e *trace.Event) error {
		r.elements = append(r.elements, string(trcxml.Append(nil, e)))
		r.counts[e.Kind]++
		return nil
	})
	return r, err
}

func (r *reading) String() string {
	var b strings.Builder
	for _, f := range r.findings {
		fmt.Fprintln(&b, f)
	}
	for _, l := range r.lacks {
		fmt.Fprintf(&b, "no %s: %s\n", l.What, l.Means)
	}
	fmt.Fprintf(&b, "truncated: %v, at %v\n%s", r.ending.Truncated, r.ending.Place, strings.Join(r.elements, ""))
	return b.String()
}

// logs returns the logs of the golden files, by name.
func logs() map[string][]byte {
	all := map[string][]byte{}
	for name, d := range map[string]*dump{"hotspot-8": shop(8), "hotspot-4": shop(4), "agent": agentDump(),
		"android": android()} {
		all[name] = d.Bytes()
	}
	for name, make := range malformed {
		all["bad-"+name] = make()
	}
	return all
}

// patched returns a log in which bytes were replaced.
func patched(log []byte, old, new string) []byte {
	if bytes.Count(log, []byte(old)) == 0 {
		panic("nothing to be replaced")
	}
	return bytes.Replace(log, []byte(old), []byte(new), 1)
}

// heapOf returns a dump. Its heap dump has the class Object with the id 1, the class Item with the id 2 and one
// reference, and what make adds. A name follows it.
func heapOf(tag byte, length func(int) int, make func(h *dump)) []byte {
	d := newDump("1.0.2", 8)
	d.loadClass(1, 1, "java/lang/Object").loadClass(2, 2, "Item")
	d.name("next")
	h := d.part().class(1, 0, nil, nil).class(2, 1, nil, []field{{"next", 2, 0}})
	make(h)
	d.u1(tag).u4(0).u4(uint32(length(h.Len())))
	d.Write(h.Bytes())
	if tag == 0x1C {
		d.record(0x1C, 0, d.part().instance(90, 1, d.part())).record(0x2C, 0, d.part())
	}
	return d.loadClass(3, 3, "after").frame(0xF1, "here", "()V", "After.java", 3, 1).Bytes()
}

func right(n int) int { return n }

// malformed are logs with defects.
var malformed = map[string]func() []byte{
	"ids of three bytes": func() []byte { return patched(shop(8).Bytes(), "\x00\x00\x00\x08", "\x00\x00\x00\x03") },
	"a time that cannot be": func() []byte {
		return append(append([]byte("JAVA PROFILE 1.0.2\x00\x00\x00\x00\x08"), 0xFF, 0, 0, 0, 0, 0, 0, 0),
			agentDump().Bytes()[31:40]...)
	},
	"a record that is not known": func() []byte {
		d := newDump("1.0.2", 8)
		return d.record(0x77, 0, d.part().u8(1)).loadClass(1, 1, "After").frame(0xF1, "here", "()V", "After.java", 1,
			1).Bytes()
	},
	"records of other lengths": func() []byte {
		d := newDump("1.0.2", 8)
		d.record(0x02, 0, d.part().u8(1)).record(0x0B, 0, d.part().u8(1)).record(0x05, 0, d.part().u4(1))
		d.record(0x05, 0, d.part().u4(1).u4(1).u4(0xFFFFFFFF).id(0xF1))
		d.record(0x0D, 0, d.part().u4(1).u4(9).u4(1).u4(1).u1(1))
		long := d.part().id(5)
		long.WriteString(strings.Repeat("x", 70_000))
		return d.record(0x01, 0, long).loadClass(1, 1, "After").frame(0xF1, "here", "()V", "After.java", 1, 1).Bytes()
	},
	"undefined": func() []byte {
		d := newDump("1.0.2", 8)
		d.frame(0xF1, "pick", "()V", "Box.java", 99, 1).trace(1, 1, 0xF1, 0xF9).record(0x03, 0, d.part().u4(9))
		d.record(0x0B, 0, d.part().u4(7)).record(0x0A, 0, d.part().u4(7).id(1).u4(99).id(77, 0, 0))
		d.record(0x0A, 1, d.part().u4(7).id(1).u4(1).id(0, 0, 0))
		return d.Bytes()
	},
	"threads that were there before": func() []byte {
		d := newDump("1.0.2", 4)
		d.record(0x0B, 0, d.part().u4(7)).record(0x0B, 1, d.part().u4(7))
		h := d.part().u1(0x08).id(10).u4(7).u4(0).u1(0x08).id(0).u4(8).u4(0).u1(0x02).id(11).u4(8).u4(0)
		d.record(0x0C, 2, h)
		return d.record(0x0B, 3, d.part().u4(8)).Bytes()
	},
	"an unknown sub-record": func() []byte {
		return heapOf(0x1C, right, func(h *dump) {
			h.instance(80, 1, h.part()).u1(0x42).u8(1).instance(81, 1,
				h.part())
		})
	},
	"an array of an unknown kind": func() []byte {
		return heapOf(0x1C, right, func(h *dump) { h.array(80, 3, 1, 1).instance(81, 1, h.part()) })
	},
	"a class with a value of an unknown kind": func() []byte {
		return heapOf(0x1C, right, func(h *dump) {
			h.class(5, 1, []field{{"next", 77, 1}}, nil).instance(81, 1,
				h.part())
		})
	},
	"a huge array": func() []byte {
		return heapOf(0x1C, right, func(h *dump) { h.instance(80, 1, h.part()).array(81, 11, 0xFFFFFFFF, 8) })
	},
	"a huge array of objects": func() []byte {
		return heapOf(0x1C, right, func(h *dump) { h.u1(0x22).id(81).u4(1).u4(0xFFFFFFFF).id(1).id(80) })
	},
	"a huge instance": func() []byte {
		return heapOf(0x1C, right, func(h *dump) { h.u1(0x21).id(81).u4(1).id(1).u4(0xFFFFFFFF) })
	},
	"an instance with other fields": func() []byte {
		return heapOf(0x1C, right, func(h *dump) { h.instance(80, 2, h.part().u4(1)).instance(81, 2, h.part().id(80)) })
	},
	"a class that comes later": func() []byte {
		return heapOf(0x1C, right, func(h *dump) {
			h.instance(80, 5, h.part().id(81)).instance(81, 6, h.part().id(80)).class(5, 2, nil, nil).instance(82, 5,
				h.part().id(81))
		})
	},
	"classes in a circle": func() []byte {
		return heapOf(0x1C, right, func(h *dump) {
			h.class(5, 6, nil, nil).class(6, 5, nil, nil).instance(80, 5, h.part()).instance(81, 6, h.part())
		})
	},
	"a class above itself": func() []byte {
		return heapOf(0x1C, right, func(h *dump) { h.class(5, 5, nil, nil).instance(80, 5, h.part()) })
	},
	"a class dumped twice": func() []byte {
		return heapOf(0x1C, right, func(h *dump) {
			h.instance(80, 2, h.part().id(81)).class(2, 1, nil, []field{{"next", 10, 0}}).instance(81, 2,
				h.part().u4(80))
		})
	},
	"a segment of no bytes":   func() []byte { return heapOf(0x1C, func(int) int { return 0 }, someInstances) },
	"a heap dump of no bytes": func() []byte { return heapOf(0x0C, func(int) int { return 0 }, someInstances) },
	"a segment too short":     func() []byte { return heapOf(0x1C, func(n int) int { return n - 40 }, someInstances) },
	"a heap dump too short":   func() []byte { return heapOf(0x0C, func(n int) int { return n - 40 }, someInstances) },
	"a segment too long":      func() []byte { return heapOf(0x1C, func(n int) int { return n + 5 }, someInstances) },
	"nonsense of unknown length": func() []byte {
		return heapOf(0x1C, func(int) int { return 0 }, func(h *dump) {
			h.instance(80, 1, h.part()).u1(0x42).u8(1).
				u8(2)
		})
	},
	"no end of a heap dump": func() []byte {
		log := shop(8).Bytes()
		return log[:len(log)-9]
	},
	"cut in an instance": func() []byte { return shop(8).Bytes()[:shop(8).Len()-400] },
}

func someInstances(h *dump) {
	h.instance(80, 2, h.part().id(81)).instance(81, 2, h.part().id(80)).instance(82, 1, h.part())
}

// TestGolden compares the results of reading logs with the files of testdata.
func TestGolden(t *testing.T) {
	all := logs()
	texts, err := filepath.Glob("testdata/*.hprof.txt")
	if err != nil || len(texts) == 0 {
		t.Fatal(texts, err)
	}
	for _, name := range texts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".hprof.txt")+".text"] = text
	}
	for name, log := range all {
		t.Run(name, func(t *testing.T) {
			r, err := read(bytes.NewReader(log), false)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(r.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if r.String() != string(want) {
				t.Errorf("%s is not what was read (go test ./convert/hprof -update writes it anew):\n%s", golden, r)
			}
		})
	}
}

// exampleFile is a log that scripts and the documentation use.
const exampleFile = "../../testdata/scripts/common/shop.hprof"

// TestExample: the example file equals the log that is built here.
func TestExample(t *testing.T) {
	if *update {
		if err := os.WriteFile(exampleFile, shop(8).Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(exampleFile); err != nil || !bytes.Equal(got, shop(8).Bytes()) {
		t.Errorf("%s is not current (go test ./convert/hprof -update writes it anew): %v", exampleFile, err)
	}
}

// TestCounted: counts of heap elements equal the number of emitted ones, and all other elements are emitted.
func TestCounted(t *testing.T) {
	for name, log := range logs() {
		whole, err := read(bytes.NewReader(log), false)
		if err != nil {
			t.Fatal(err)
		}
		counted, err := read(bytes.NewReader(log), true)
		if err != nil {
			t.Fatal(err)
		}
		if whole.counts != counted.counts {
			t.Errorf("%s: counted\n%v\ngiven\n%v", name, counted.counts, whole.counts)
		}
		if !slices.Equal(whole.findings, counted.findings) {
			t.Errorf("%s: the findings are\n%v\nand\n%v", name, counted.findings, whole.findings)
		}
	}
}

// TestPieces: the result does not depend on the sizes of reads.
func TestPieces(t *testing.T) {
	for name, log := range logs() {
		whole, err := read(bytes.NewReader(log), false)
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := read(iotest.OneByteReader(bytes.NewReader(log)), false)
		if err != nil || pieces.String() != whole.String() {
			t.Errorf("%s: in pieces it is\n%v\nand not\n%v (%v)", name, pieces, whole, err)
		}
	}
}

// TestCutOff cuts a log anywhere: everything before is read, and the cut is reported unless the log may end there.
func TestCutOff(t *testing.T) {
	testtool.Long(t)
	for name, log := range map[string][]byte{"hotspot": shop(8).Bytes(), "agent": agentDump().Bytes(),
		"android": android().Bytes()} {
		whole, err := read(bytes.NewReader(log), false)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, e := range whole.elements {
			known[withoutSize(e)] = true
		}
		before := 0
		complete := ends(log)
		for length := len(title); length <= len(log); length++ {
			r, err := read(bytes.NewReader(log[:length]), false)
			if err != nil {
				t.Fatal(err)
			}
			end := len(r.elements)
			if end > 0 && strings.HasPrefix(r.elements[end-1], "<traceEnd") {
				end--
			}
			for _, e := range r.elements[:end] {
				if !known[withoutSize(e)] {
					t.Fatalf("%s: of the first %d bytes there is %s, which the whole does not have", name, length, e)
				}
			}
			if end < before {
				t.Fatalf("%s: the first %d bytes have %d elements, and one byte less has %d", name, length, end, before)
			}
			before = end
			if r.ending.Truncated == complete[length] || len(r.findings) > 0 != r.ending.Truncated {
				t.Fatalf("%s: of the first %d bytes the ending is %v, and the findings are %v", name, length, r.ending,
					r.findings)
			}
			if r.ending.Truncated && (len(r.findings) != 1 || r.findings[0].Rule != "hprof-truncated" ||
				r.findings[0].Place.Offset != int64(length)) {
				t.Fatalf("%s: of the first %d bytes the findings are %v", name, length, r.findings)
			}
		}
		if before != len(whole.elements)-1 {
			t.Errorf("%s: %d elements instead of %d", name, before, len(whole.elements))
		}
	}
}

const title = "JAVA PROFILE 1.0.1\x00"

// ends returns the offsets at which the log could end: after any record in logs of the agent, after the end of the heap
// dump in other logs.
func ends(log []byte) map[int]bool {
	all := map[int]bool{}
	agent := bytes.HasPrefix(log, []byte(title))
	for at := len(title) + 12; at < len(log); {
		tag := log[at]
		at += 9 + int(binary.BigEndian.Uint32(log[at+5:]))
		if agent || tag == 0x2C {
			all[at] = true
		}
	}
	return all
}

// TestCutText cuts a text log anywhere: the cut is reported unless it is between lines outside of tables.
func TestCutText(t *testing.T) {
	text := textLog("THREAD START (obj=1, id = 1, name=\"a\", group=\"b\")", "TRACE 3:", "\tA.m(A.java:1)",
		"SITES BEGIN (ordered by live bytes) Wed Apr  5 10:11:30 2006",
		"    1 44.73% 44.73%   1161280 14516  1161280 14516 3 char[]", "SITES END", "MONITOR DUMP BEGIN",
		"    THREAD 1, trace 3, status: CW", "MONITOR DUMP END",
		"HEAP DUMP BEGIN (1 objects, 8 bytes) Wed Apr  5 10:11:30 2006", "OBJ 1 (sz=16, trace=3, class=A@1)", "\tf\t22",
		"HEAP DUMP END", "THREAD END (id = 1)")
	inside := false
	for length := 1; length <= len(text); length++ {
		if !strings.HasPrefix(text[length-1:], "\n") {
			continue
		}
		line := text[strings.LastIndexByte(text[:length-1], '\n')+1 : length-1]
		inside = strings.Contains(line, " BEGIN") || inside && !strings.HasSuffix(line, " END")
		r, err := read(strings.NewReader(text[:length]), false)
		if err != nil {
			t.Fatal(err)
		}
		if want := inside || strings.HasPrefix(line, "JAVA"); r.ending.Truncated != want ||
			len(r.findings) > 0 != want {
			t.Errorf("after %q the ending is %v, and the findings are %v", line, r.ending, r.findings)
		}
		ended := len(r.elements) > 0 && strings.HasPrefix(r.elements[len(r.elements)-1], "<traceEnd")
		if want := strings.HasSuffix(line, " END"); ended != want {
			t.Errorf("after %q an end is written: %v", line, ended)
		}
	}
	line := strings.Index(text, "\tf\t2")
	if r, err := read(strings.NewReader(text[:line+4]), false); err != nil || !r.ending.Truncated ||
		strings.Contains(r.String(), "<objReference") {
		t.Errorf("of a line that is cut off something is made up: %v %v", r, err)
	}
	for _, cut := range []string{"THREAD START (obj=1, id", "TRACE 3", "\tA.m(A.ja", "THREAD END (id"} {
		if r, err := read(strings.NewReader(text[:strings.Index(text, cut)+len(cut)]), false); err != nil ||
			!r.ending.Truncated {
			t.Errorf("after %q the ending is %v (%v)", cut, r.ending, err)
		}
	}
}

// TestAnotherLog: a second log of either form is reported once, and only the first one is read.
func TestAnotherLog(t *testing.T) {
	text := textLog(`THREAD START (obj=1, id = 1, name="a", group="b")`, "MONITOR DUMP BEGIN", "MONITOR DUMP END")
	endless := newDump("1.0.2", 8).loadClass(1, 1, "java/lang/Object").u1(0x0C).u4(0).u4(0)
	someInstances(endless)
	for name, log := range map[string][]byte{
		"HotSpot": shop(8).Bytes(), "agent": agentDump().Bytes(), "text": []byte(text),
		"a text inside of a table": []byte(text[:strings.Index(text, "MONITOR DUMP END")]),
		"a text with a trace":      []byte(text + "TRACE 3:\n\tA.m(A.java:1)\n"),
		"without its last record":  shop(8).Bytes()[:shop(8).Len()-9],
		"a dump of unknown length": endless.Bytes(),
	} {
		alone, err := read(bytes.NewReader(log), false)
		if err != nil {
			t.Fatal(err)
		}
		for other, after := range map[string]string{"HotSpot": shop(8).String(), "text": text,
			"only a title": "JAVA PROFILE 1.0."} {
			both, err := read(io.MultiReader(bytes.NewReader(log), strings.NewReader(after)), false)
			if err != nil {
				t.Fatal(err)
			}
			said := slices.IndexFunc(both.findings, func(f trace.Finding) bool { return f.Rule == "hprof-another-log" })
			if said < 0 {
				t.Errorf("%s, %s: the findings are %v", name, other, both.findings)
				continue
			}
			place := both.findings[said].Place
			if place.Offset != int64(len(log)) || place.Line > 0 && (place.Line != bytes.Count(log, []byte("\n"))+1 ||
				place.Column != 1) {
				t.Errorf("%s, %s: it is said at %v, and the other log begins at %d", name, other, place, len(log))
			}
			if both.findings = slices.Delete(both.findings, said, said+1); both.String() != alone.String() {
				t.Errorf("%s, %s: it is read as\n%v\nand alone as\n%v", name, other, both, alone)
			}
		}
	}
}

// TestUnlistedWaits: threads wait although no monitor of the dump lists them, because JDK 8 lists only contended
// monitors. They wait until a dump differs, or the thread ends. A parked thread has the same status, but another
// innermost method.
func TestUnlistedWaits(t *testing.T) {
	text := textLog(`THREAD START (obj=1, id = 1, name="waits", group="g")`,
		`THREAD START (obj=2, id = 2, name="parks", group="g")`,
		`THREAD START (obj=3, id = 3, name="listed", group="g")`,
		`THREAD START (obj=4, id = 4, name="runs", group="g")`,
		"TRACE 7:", "\tjava.lang.Object.wait(Object.java:Unknown line)", "\tApp.run(App.java:5)", "TRACE 8:",
		"\tsun.misc.Unsafe.park(Unsafe.java:Unknown line)", "\tApp.run(App.java:6)",
		"MONITOR DUMP BEGIN", "    THREAD 1, trace 7, status: S|intr|CW", "    THREAD 2, trace 8, status: CW",
		"    THREAD 3, trace 7, status: CW", "    THREAD 4, trace 7, status: R",
		"    THREAD 9, trace 7, status: CW", "    MONITOR LApp;", "\towner: thread 4, entry count: 1",
		"\twaiting to enter:", "\twaiting to be notified: thread 3", "MONITOR DUMP END",
		"MONITOR DUMP BEGIN", "    THREAD 1, trace 7, status: CW", "    THREAD 2, trace 8, status: R",
		"    THREAD 3, trace 7, status: R", "    THREAD 4, trace 7, status: R", "MONITOR DUMP END",
		"MONITOR DUMP BEGIN", "    THREAD 1, trace 7, status: ZO", "MONITOR DUMP END")
	r, err := read(strings.NewReader(text), false)
	if err != nil || len(r.findings) > 0 {
		t.Fatal(r.findings, err)
	}
	if !slices.ContainsFunc(r.lacks, func(l trace.Lack) bool { return l.What == "objects of parked threads" }) {
		t.Errorf("the input lacks %v, want the objects of parked threads, too", r.lacks)
	}
	var got []string
	for _, e := range r.elements {
		if strings.HasPrefix(e, "<monWait") {
			got = append(got, strings.ReplaceAll(strings.TrimSpace(e), ` time="1144231872.000000000"`, ""))
		}
	}
	const inferred = `<annotation name="inferred" value="1"/>`
	want := []string{
		`<monWait threadIdRef="3" objIdRef="4294967296"><annotation name="stack" value="1 2:5"/>` + inferred +
			`</monWait>`,
		`<monWait threadIdRef="1" objIdRef="0"><annotation name="stack" value="1 2:5"/>` + inferred + `</monWait>`,
		`<monWait threadIdRef="2" objIdRef="0"><annotation name="park" value="wait"/><annotation name="stack" value="3 2:6"/>` + inferred + `</monWait>`,
		`<monWaited threadIdRef="2" objIdRef="0">` + inferred + `</monWaited>`,
		`<monWaited threadIdRef="3" objIdRef="4294967296">` + inferred + `</monWaited>`,
		`<monWaited threadIdRef="1" objIdRef="0">` + inferred + `</monWaited>`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("it is read as\n%s\ninstead of\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestModifiedText: names of the text form are modified UTF-8, as in the binary form: surrogate pairs of six bytes, NUL
// of two. They are decoded everywhere, and places count characters.
func TestModifiedText(t *testing.T) {
	const name, want, nul = "\xED\xA0\xBD\xED\xB8\x80", "😀", "\xC0\x80"
	text := textLog(`THREAD START (obj=1, id = 1, name="t`+name+nul+`", group="g`+name+`")`, "TRACE 3:",
		"\tC"+name+".m"+name+"(S"+name+".java:1)",
		"SITES BEGIN (ordered by live bytes) Wed Apr  5 10:11:30 2006",
		"    1 44.73% 44.73%   1161280 14516  1161280 14516 3 R"+name+"[]", "SITES END",
		"MONITOR DUMP BEGIN", "    THREAD 1, trace 3, status: CW", "    MONITOR LM"+name+";",
		"\towner: thread 1, entry count: 1", "\twaiting to enter:",
		"\twaiting to be notified: thread 1", "MONITOR DUMP END",
		"HEAP DUMP BEGIN (1 objects, 8 bytes) Wed Apr  5 10:11:30 2006",
		"OBJ 1 (sz=16, trace=3, class=O"+name+"@1)", "HEAP DUMP END", `THREAD START (obj=2, id = 1, name="t`+name+
			`", group="g")`)
	r, err := read(strings.NewReader(text), false)
	if err != nil {
		t.Fatal(err)
	}
	got := r.String()
	for _, part := range []string{`threadName="t😀\u0000"`, `groupName="g😀"`, `name="C😀"`, `name="m😀"`,
		`sourceName="S😀.java"`, " R😀[]", `name="M😀"`, "owns a M😀,", `name="O😀"`} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %s", part)
		}
	}
	if strings.Contains(got, `\uD83D`) || t.Failed() {
		t.Errorf("the names are not read as %s:\n%s", want, got)
	}
	cut := `THREAD START (obj=1, id = 1, name="t`
	r, err = read(strings.NewReader(strings.TrimSuffix(textLog(cut+name+nul), "\n")), false)
	if err != nil || len(r.findings) != 1 || r.findings[0].Place.Column != len(cut)+3 {
		t.Errorf("after %s, an emoji and a NUL the findings are %v (%v)", cut, r.findings, err)
	}
}

// withoutSize returns an object without its size, which depends on the objects after it.
func withoutSize(element string) string {
	before, rest, found := strings.Cut(element, ` size="`)
	if !found {
		return element
	}
	_, after, _ := strings.Cut(rest, `"`)
	return before + after
}

// TestDamaged changes bytes: reading ends, and the number of findings is limited by the size of the log.
func TestDamaged(t *testing.T) {
	testtool.Long(t)
	random := rand.New(rand.NewPCG(7, 7))
	for name, log := range logs() {
		for range 300 {
			damaged := slices.Clone(log)
			for range 1 + random.IntN(4) {
				damaged[20+random.IntN(len(log)-20)] = byte(random.IntN(256))
			}
			r, err := read(bytes.NewReader(damaged), false)
			if err != nil || len(r.elements) > len(damaged) {
				t.Fatalf("%s: %d elements, %v", name, len(r.elements), err)
			}
		}
	}
}

// TestErrors: errors of the input, of ctx and of put are returned.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	log := shop(8).Bytes()
	if _, err := read(io.MultiReader(bytes.NewReader(log[:500]), iotest.ErrReader(broken)), false); !errors.Is(err,
		broken) {
		t.Errorf("the error of the input is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := hprof.Read(ctx, bytes.NewReader(log), builder.Options{}, func(*trace.Event) error {
		return nil
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of the context is %v", err)
	}
	taken := 0
	for _, text := range [][]byte{log, []byte(textLog("THREAD START (obj=1, id = 1, name=\"a\", group=\"b\")",
		"THREAD END (id = 1)"))} {
		_, err := hprof.Read(context.Background(), bytes.NewReader(text), builder.Options{},
			func(*trace.Event) error {
				taken++
				return broken
			})
		if !errors.Is(err, broken) {
			t.Errorf("the error of the taker is %v", err)
		}
	}
	if taken != 2 {
		t.Errorf("%d elements were given", taken)
	}
}

// textLog returns a log of the text form with the lines.
func textLog(lines ...string) string {
	return "JAVA PROFILE 1.0.1, created Wed Apr  5 10:11:12 2006\n\n--------\n\n" + strings.Join(lines, "\n") + "\n"
}

// TestRecognises: logs are recognized by their first bytes.
func TestRecognises(t *testing.T) {
	for head, want := range map[string]bool{"JAVA PROFILE 1.0.2\x00": true, "JAVA PROFILE 1.0.1, created": true,
		"JAVA": false, "<TRACE>": false, "": false} {
		if got := hprof.Recognises([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// FuzzRead reads any bytes as a log of the binary form.
func FuzzRead(f *testing.F) {
	for _, log := range logs() {
		f.Add(log)
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		log = append([]byte("JAVA PROFILE 1.0.2\x00\x00\x00\x00"), log[min(len(log), 22):]...)
		fuzz(t, log)
	})
}

// FuzzReadText reads any bytes as a log of the text form.
func FuzzReadText(f *testing.F) {
	texts, err := filepath.Glob("testdata/*.hprof.txt")
	if err != nil || len(texts) == 0 {
		f.Fatal(texts, err)
	}
	for _, name := range texts {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, log []byte) { fuzz(t, log) })
}

// fuzz reads a log as a whole and counted: there is no error, the numbers of elements and findings are limited by its
// size, and both results agree.
func fuzz(t *testing.T, log []byte) {
	whole, err := readTwice(bytes.NewReader(log), false, log)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole.elements) > 8*len(log)+8 || len(whole.findings) > 2000 {
		t.Errorf("%d bytes have %d elements and %d findings", len(log), len(whole.elements), len(whole.findings))
	}
	counted, err := readTwice(bytes.NewReader(log), true, log)
	if err != nil || whole.counts != counted.counts {
		t.Errorf("counted\n%v\ngiven\n%v (%v)", counted.counts, whole.counts, err)
	}
}

// TestLaborious reads logs made to take long: instances of many classes with many inherited fields, and classes
// redefined again and again. If reading took more than linear time, the test would exceed its timeout.
func TestLaborious(t *testing.T) {
	testtool.Long(t)
	d := newDump("1.0.2", 8)
	const deep = 1000
	for i := range deep {
		d.record(0x1C, 0, d.part().class(uint64(i+1)*8, uint64(i)*8, nil, slices.Repeat([]field{{"", 8, 0}}, 1000)))
	}
	const wide = 20_000
	for i := range wide {
		d.record(0x1C, 0, d.part().class(uint64(deep+i+1)*8, deep*8, nil, nil))
	}
	h := d.part()
	for i := range wide {
		h.instance(uint64(i+1)*8, uint64(deep+i+1)*8, d.part())
	}
	d.record(0x1C, 0, h)
	const redefined = 300 // more often than the limit
	for i := range redefined {
		h := d.part().class(8, 0, nil, slices.Repeat([]field{{"", 2, 0}}, 1000+i%2))
		d.record(0x1C, 0, h.instance(uint64(i+1)*8, uint64(deep+i+1)*8, d.part()))
	}
	instances := 0
	options := builder.Options{Count: func(kind trace.Kind, n uint64) error {
		if kind == trace.ObjAlloc {
			instances += int(n)
		}
		return nil
	}}
	if _, err := hprof.Read(t.Context(), bytes.NewReader(d.Bytes()), options, func(*trace.Event) error {
		return nil
	}); err != nil || instances < wide+redefined {
		t.Errorf("%d instances, %v", instances, err)
	}
	if _, err := hprof.Read(t.Context(), bytes.NewReader(d.Bytes()), builder.Options{}, func(*trace.Event) error {
		return nil
	}); err != nil {
		t.Error(err)
	}
}
