package switchlog_test

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/convert/builder/buildertest"
	"github.com/trcx/trcx/emit/switchlog"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
)

var update = flag.Bool("update", false, "write the golden files anew")

func write(t *testing.T, xml string) (log string, notes []string) {
	t.Helper()
	var out bytes.Buffer
	w := switchlog.NewWriter(&out)
	buildertest.Trace(t, xml, buildertest.Model(w))
	return out.String(), w.Notes()
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"warehouse-jdk17", "warehouse-jdk25", "deadlock-jdk25"} {
		log, _ := write(t, string(sinktest.File(t, "../..", "testdata/recorded/"+name+".trcxml")))
		sinktest.Golden(t, filepath.Join("testdata", name+".switchlog"), []byte(log), *update)
	}
}

// TestMemory: memory does not grow with the number of ended threads, and every line is written.
func TestMemory(t *testing.T) {
	testtool.Long(t)
	buildertest.CheckMemory(t, 270_000, 8<<20, func(threads int) any {
		var last lastLines
		w := switchlog.NewWriter(&last)
		buildertest.Into(t, buildertest.Model(w), buildertest.ShortThreads(threads, threads%2 == 0))
		if last.count != 3*threads {
			t.Errorf("%d threads have %d lines", threads, last.count)
		}
		return w
	})
}

// lastLines counts lines.
type lastLines struct{ count int }

func (l *lastLines) Write(p []byte) (int, error) {
	l.count += bytes.Count(p, []byte{'\n'})
	return len(p), nil
}

// TestActive: a thread is active while it runs since it was last woken, and not while it is blocked.
func TestActive(t *testing.T) {
	log, _ := write(t, `<TRACE>
<monWait threadIdRef="1" time="1.0" objIdRef="-1"/>
<monWaited threadIdRef="1" time="2.0" objIdRef="-1"/>
<monContendedEnter threadIdRef="1" time="2.5" objIdRef="9"/>
<monContendedEntered threadIdRef="1" time="5.0" objIdRef="9"/>
<monWait threadIdRef="1" time="5.2509" objIdRef="9"/>
<threadStart threadId="2" time="6.0" objIdRef="22"/>
<callNotify threadId="2" time="6.0" objIdRef="9"/>
<callNotify threadId="2" time="6.1" objIdRef="9"/>
<monWaited threadIdRef="1" time="6.5" objIdRef="9"/>
<threadStart threadId="3 4" time="7.0"/>
<callStart threadId="2" time="7.0" objIdRef="0"/>
<callInterrupt threadId="2" time="7.0" objIdRef="22"/>
<monWait threadIdRef="3 4" time="7.1" objIdRef="22"/>
</TRACE>`)
	want := `Thread-T1, sleep, Thread-T1
Thread-T1, wait, Thread-T1, active 750 ms
Thread-22, notify, Thread-T1
Thread-22, interrupt, Thread-22
Thread-X1sv1jqvjdtkj1, join, Thread-22, active 100 ms
`
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
}

// TestOpenNotifications: notifications that wake nobody do not delay the log for ever, and are counted.
func TestOpenNotifications(t *testing.T) {
	var xml, want strings.Builder
	xml.WriteString(`<TRACE><threadStart threadId="1" time="1.0" objIdRef="11"/>`)
	notifications := testtool.Times(200_000)
	for i := range notifications {
		fmt.Fprintf(&xml, `<callNotify threadId="1" time="1.0" objIdRef="9" isNotifyAll="%d"/>`, i%2)
		fmt.Fprintf(&xml, `<callInterrupt threadId="1" time="1.0" objIdRef="%d"/>`, 100+i)
		fmt.Fprintf(&want, "Thread-11, interrupt, Thread-%d\n", 100+i)
	}
	xml.WriteString(`</TRACE>`)
	log, notes := write(t, xml.String())
	if log != want.String() {
		t.Errorf("%d bytes, want %d", len(log), want.Len())
	}
	left := fmt.Sprintf("%d starts, interrupts and notifications are left out that are not known to have reached a thread",
		notifications)
	if len(notes) != 1 || notes[0] != left {
		t.Errorf("%q", notes)
	}
}
