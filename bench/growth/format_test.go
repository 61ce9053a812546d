package growth

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// others are inputs in other formats, and archives.
var others = []input{
	{"sessions", "sessions.zip", sessions, 20, nil},
	{"monlog: threads of one hash code", "log.monlog", func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "%d.0,ThreadStarted,0A1B2C01,t%d\n", i, i)
		}
	}, 0, nil},
	{"monlog: threads of one hash code that wait", "log.monlog", func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "%d.0,ThreadStarted,0A1B2C01,t%d\n%[1]d.5,ObjectWait,0A1B2C01,%08X\n", i, i, i+16)
		}
	}, 0, nil},
	{"monlog: threads", "log.monlog", func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "%d.0,ThreadStarted,%08X,t%[1]d\n", i, i+16)
		}
	}, 0, nil},
	{"monlog: hand-offs", "log.monlog", func(w io.Writer, n int) {
		fmt.Fprint(w, "0.0,ThreadStarted,00000001,a\n0.0,ThreadStarted,00000002,b\n")
		for i := range n {
			fmt.Fprintf(w, "%d.1,MonitorContendedEnter,%08X,00000009,%08X,1,00007F3A4C002010,00000004\n"+
				"%[1]d.2,MonitorContendedEntered,%08[2]X,00000009\n", i, i%2+1, (i+1)%2+1)
		}
	}, 0, nil},
	{"monlog: methods", "log.monlog", func(w io.Writer, n int) {
		fmt.Fprint(w, "0.0,ThreadStarted,00000001,a\n")
		for i := range n {
			fmt.Fprintf(w, "%d.1,ThreadSleep,00000001,1,%016X,00000004\n%[1]d.2,ThreadSlept,00000001\n", i, i+16)
		}
	}, 0, nil},
	{"switchlog: threads", "log.switchlog", func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "Thread-0, start, Thread-%d\n", i+1)
		}
	}, 0, nil},
	{"switchlog: waits", "log.switchlog", func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "Thread-1, wait, Thread-1, active %d ms\nThread-2, notify, Thread-1\n", i%10)
		}
	}, 0, nil},
	{"switchlog: waiting threads", "log.switchlog", func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "Thread-%d, wait, Thread-%[1]d\n", i+1)
		}
		for i := range n {
			fmt.Fprintf(w, "Thread-0, notify, Thread-%d\n", i+1)
		}
	}, 0, nil},
	{"thread dump: threads in one deadlock", "dump.txt", func(w io.Writer, n int) {
		dump(w, 0, n, func(i int) string {
			return fmt.Sprintf("\t- waiting to lock <%#018x> (a p.L)\n\t- locked <%#018x> (a p.L)\n", (i+1)%n+16, i+16)
		})
	}, 0, nil},
	{"thread dump: stack traces", "dump.txt", func(w io.Writer, n int) {
		dump(w, 0, n, func(i int) string { return fmt.Sprintf("\tat p.C%d.m(C%[1]d.java:1)\n", i) })
	}, 0, nil},
	{"thread dumps", "dump.txt", func(w io.Writer, n int) {
		for i := range n {
			dump(w, i, 10, func(int) string { return fmt.Sprintf("\t- waiting to lock <%#018x> (a p.L)\n", i%2+16) })
		}
	}, 10, nil},
	{"thread dump in JSON: threads", "dump.json", func(w io.Writer, n int) {
		fmt.Fprint(w, `{"threadDump":{"processId":"1","time":"2025-09-16T12:13:14.25Z","runtimeVersion":"25",`+
			`"threadContainers":[{"container":"<root>","parent":null,"owner":null,"threads":[`)
		for i := range n {
			fmt.Fprintf(w, `%.*s{"tid":"%d","name":"t","state":"BLOCKED","blockedOn":"p.L@%x",`+
				`"stack":["p.C.m(C.java:1)"],"monitorsOwned":[{"depth":0,"locks":["p.L@%x"]}]}`, min(i, 1), ",", i+1,
				(i+1)%n, i)
		}
		fmt.Fprint(w, `]}]}}`)
	}, 0, nil},
	{"HPROF text: threads", "log.hprof.txt", hprofText(func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "THREAD START (obj=%x, id = %d, name=\"t\", group=\"main\")\n", i+1_000_000, i+1)
		}
	}), 0, nil},
	{"HPROF text: stack traces", "log.hprof.txt", hprofText(func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, "TRACE %d:\n\tp.C%[1]d.m(C%[1]d.java:1)\n", i+1)
		}
	}), 0, nil},
	{"HPROF text: monitors in a dump", "log.hprof.txt", hprofText(func(w io.Writer, n int) {
		for i := range n + 1 {
			fmt.Fprintf(w, "THREAD START (obj=%x, id = %d, name=\"t\", group=\"main\")\n", i+1_000_000, i+1)
		}
		fmt.Fprint(w, "TRACE 1:\n\t<empty>\nMONITOR DUMP BEGIN\n    THREAD 1, trace 1, status: R\n")
		for i := range n {
			fmt.Fprintf(w, "    THREAD %d, trace 1, status: MW\n", i+2)
		}
		for i := range n {
			fmt.Fprintf(w, "    MONITOR Lp/L%d;\n\towner: thread 1, entry count: 1\n\twaiting to enter: thread %d\n"+
				"\twaiting to be notified:\n", i, i+2)
		}
		fmt.Fprint(w, "MONITOR DUMP END\n")
	}), 0, nil},
	{"HPROF text: objects", "log.hprof.txt", hprofText(func(w io.Writer, n int) {
		fmt.Fprintf(w, "HEAP DUMP BEGIN (%d objects, %d bytes) Wed Apr  5 10:11:31 2006\n"+
			"CLS 1 (name=p.C, trace=300000)\nROOT 10 (kind=<JNI global ref>, id=1, trace=300000)\n", n, 24*n)
		for i := range n {
			fmt.Fprintf(w, "OBJ %x (sz=24, trace=300000, class=p.C@1)\n\tnext\t%x\n", i+16, min(i+1, n-1)+16)
		}
		fmt.Fprint(w, "HEAP DUMP END\n")
	}), 0, nil},
}

// dumps are heap dumps, which have commands of their own, too.
var dumps = []input{
	{"heap dump: objects in one list", "heap.hprof", heap(func(w *segment, n int) {
		for i := range n {
			w.instance(i, min(i+1, n-1))
		}
	}), 0, nil},
	{"heap dump: objects of one array", "heap.hprof", heap(func(w *segment, n int) {
		for i := range n - 1 {
			w.instance(i+1, 0)
		}
		w.u1(0x22)
		w.u8(objectID(0))
		w.u4(0)
		w.u4(uint32(n - 1))
		w.u8(classID)
		for i := range n - 1 {
			w.u8(objectID(i + 1))
		}
	}), 0, nil},
	{"heap dump: roots", "heap.hprof", heap(func(w *segment, n int) {
		for i := range n {
			w.instance(i, i)
			w.u1(0xFF)
			w.u8(objectID(i))
		}
	}), 0, nil},
	{"heap dump: equal arrays", "heap.hprof", heap(func(w *segment, n int) {
		for i := range n {
			w.array(i, 7)
		}
	}), 0, []string{"heap --duplicates", "heap --fill"}},
	{"heap dump: different arrays", "heap.hprof", heap(func(w *segment, n int) {
		for i := range n {
			w.array(i, uint32(i))
		}
	}), 0, []string{"heap --duplicates", "heap --fill"}},
	{"heap dump: classes", "heap.hprof", func(w io.Writer, n int) {
		classes := &hprof{out: w}
		classes.begin()
		for i := range n {
			classes.class(uint64(i)+0x1000_0000, fmt.Sprint("p/C", i))
		}
		s := &segment{}
		for i := range n {
			s.class(uint64(i) + 0x1000_0000)
			s.u1(0x21)
			s.u8(objectID(i))
			s.u4(0)
			s.u8(uint64(i) + 0x1000_0000)
			s.u4(8)
			s.u8(objectID(max(i-1, 0)))
		}
		classes.heap(s)
	}, 0, nil},
}

// sessions writes a zip with n traces.
func sessions(w io.Writer, n int) {
	archive := zip.NewWriter(w)
	for i := range n {
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%06d.trcxml", i)})
		if err != nil {
			panic(err)
		}
		trace(func(w io.Writer, n int) {
			starts(w, 2)
			enter(w, 1, 1, monitor(0), 2)
			entered(w, 1, 2, monitor(0))
		})(entry, 1)
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
}

// dump writes a thread dump of n blocked threads.
func dump(w io.Writer, second, n int, lines func(i int) string) {
	fmt.Fprintf(w, "2024-05-06 %02d:%02d:%02d\nFull thread dump OpenJDK 64-Bit Server VM (21.0.4+7 mixed mode):\n\n",
		second/3600, second/60%60, second%60)
	for i := range n {
		fmt.Fprintf(w, "\"t%d\" #%[1]d prio=5 os_prio=0 tid=%#016x nid=%[1]d waiting for monitor entry  "+
			"[0x00007f00000f0000]\n   java.lang.Thread.State: BLOCKED (on object monitor)\n"+
			"\tat p.C.m(C.java:1)\n%[3]s\n",
			i+1, i+0x1000, lines(i))
	}
	fmt.Fprint(w, "JNI global refs: 4, weak refs: 0\n\n")
}

// hprofText returns the units as a log in HPROF's text form.
func hprofText(units func(w io.Writer, n int)) func(w io.Writer, n int) {
	return func(w io.Writer, n int) {
		fmt.Fprintf(w, "JAVA PROFILE 1.0.1, created Wed Apr  5 10:11:12 2006\n\n%s\n--------\n\n",
			strings.Repeat("Header for -agentlib:hprof\n", 2))
		units(w, n)
	}
}

// hprof writes records of HPROF's binary form.
type hprof struct {
	out   io.Writer
	names uint64
}

// segment is the body of a record.
type segment struct{ bytes []byte }

func (s *segment) u1(n uint8)  { s.bytes = append(s.bytes, n) }
func (s *segment) u2(n uint16) { s.bytes = binary.BigEndian.AppendUint16(s.bytes, n) }
func (s *segment) u4(n uint32) { s.bytes = binary.BigEndian.AppendUint32(s.bytes, n) }
func (s *segment) u8(n uint64) { s.bytes = binary.BigEndian.AppendUint64(s.bytes, n) }

// classID is the id of the objects' class.
const classID = 0x2000

func objectID(i int) uint64 { return 0x7_0000_0000 + uint64(i)*32 }

// heap returns the objects as a heap dump, of which the first one is a root.
func heap(units func(s *segment, n int)) func(w io.Writer, n int) {
	return func(w io.Writer, n int) {
		h := &hprof{out: w}
		h.begin()
		h.class(classID, "p/C")
		s := &segment{}
		s.u1(0xFF)
		s.u8(objectID(0))
		s.class(classID)
		units(s, n)
		h.heap(s)
	}
}

func (h *hprof) begin() {
	s := &segment{}
	s.bytes = append(s.bytes, "JAVA PROFILE 1.0.2\x00"...)
	s.u4(8)
	s.u8(1_700_000_000_000)
	h.out.Write(s.bytes)
	h.class(0x1000, "java/lang/Object")
}

func (h *hprof) record(tag uint8, body []byte) {
	s := &segment{}
	s.u1(tag)
	s.u4(0)
	s.u4(uint32(len(body)))
	h.out.Write(append(s.bytes, body...))
}

func (h *hprof) class(id uint64, name string) {
	h.names++
	text, load := &segment{}, &segment{}
	text.u8(h.names)
	h.record(0x01, append(text.bytes, name...))
	load.u4(uint32(h.names))
	load.u8(id)
	load.u4(0)
	load.u8(h.names)
	h.record(0x02, load.bytes)
}

func (h *hprof) heap(s *segment) {
	object := &segment{}
	object.class(0x1000)
	h.record(0x1C, object.bytes)
	h.record(0x1C, s.bytes)
	h.record(0x2C, nil)
}

// class appends a class with one reference, or none in java.lang.Object.
func (s *segment) class(id uint64) {
	s.u1(0x20)
	s.u8(id)
	s.u4(0)
	above := uint64(0x1000)
	if id == 0x1000 {
		above = 0
	}
	for _, id := range []uint64{above, 0, 0, 0, 0, 0} {
		s.u8(id)
	}
	s.u4(8)
	s.u2(0)
	s.u2(0)
	if above == 0 {
		s.u2(0)
		return
	}
	s.u2(1)
	s.u8(1)
	s.u1(2)
}

func (s *segment) instance(i, to int) {
	s.u1(0x21)
	s.u8(objectID(i))
	s.u4(0)
	s.u8(classID)
	s.u4(8)
	s.u8(objectID(to))
}

// array appends an array of four bytes.
func (s *segment) array(i int, content uint32) {
	s.u1(0x23)
	s.u8(objectID(i))
	s.u4(0)
	s.u4(4)
	s.u1(8)
	s.u4(content)
}
