package threaddump_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/threaddump"
)

// TestForms: dumps of several forms in one input are all read, in any order, with one finding, also after a dump that
// is cut off.
func TestForms(t *testing.T) {
	texts := dumps(t)
	whole := map[string]string{"printed": string(texts["jdk8_deadlock.txt"]), "json": string(texts["jdk25.json"]),
		"plain": string(texts["jdk21_plain.txt"])}
	named := map[string]string{}
	for form := range whole {
		_, rest, _ := strings.Cut(strings.Join(readValid(t, []byte(whole[form])).elements, ""), `threadName="`)
		name, _, _ := strings.Cut(rest, `"`)
		named[form] = `threadName="` + name + `"`
	}
	for first := range whole {
		for second := range whole {
			for _, between := range []string{"", "\n", "4711:\nCreated dump.json\n"} {
				if first == second {
					continue
				}
				got := readValid(t, []byte(whole[first]+between+whole[second]))
				all := strings.Join(got.elements, "")
				if !strings.Contains(all, named[first]) || !strings.Contains(all, named[second]) {
					t.Errorf("%s, then %s: one is missing:\n%s", first, second, all)
				}
				if said := strings.Join(got.findings, "\n"); strings.Count(said, "[threaddump-forms]") != 1 ||
					strings.Contains(said, "error: ") || len(got.findings) > 3 {
					t.Errorf("%s, then %s: the findings are\n%s", first, second, said)
				}
			}
		}
	}
	cut := whole["json"][:len(whole["json"])*2/3]
	got := readValid(t, []byte(cut+"\n"+whole["printed"]))
	if all := strings.Join(got.elements, ""); !strings.Contains(all, `threadId="30"`) ||
		!strings.Contains(all, named["printed"]) || len(got.findings) > 3 {
		t.Errorf("after JSON that is cut off: %q\n%s", got.findings, all)
	}
}

// TestPlacesAfterAnotherForm: the places of findings count from the beginning of the whole input.
func TestPlacesAfterAnotherForm(t *testing.T) {
	texts := dumps(t)
	printed := texts["jdk8_deadlock.txt"]
	got := readValid(t, append(bytes.Clone(printed),
		`{"threadDump": {"threadContainers": [{"threads": [{"name": "x"}]}]}}`...))
	want := fmt.Sprintf("%d:51: error: a thread has no", bytes.Count(printed, []byte("\n"))+1)
	if !strings.Contains(strings.Join(got.findings, "\n"), want) {
		t.Errorf("%q is not among %q", want, got.findings)
	}
}

// TestEntries: wrong values in JSON's arrays of threads and containers are reported, each once.
func TestEntries(t *testing.T) {
	thread := `{"tid": "30", "name": "x", "stack": ["app.Main.main(Main.java:5)"]}`
	for _, entry := range []string{`"x"`, `7`, `null`, `true`, `""`, `[]`, `[1]`} {
		got := readValid(t, []byte(`{"threadDump": {"threadContainers": [{"threads": [`+entry+`, `+thread+`]}]}}`))
		if len(got.findings) != 1 || !strings.Contains(got.findings[0], "[threaddump-thread]") ||
			!strings.Contains(strings.Join(got.elements, ""), `threadId="30"`) {
			t.Errorf("%s among threads: %q", entry, got.findings)
		}
		if entry[0] == '[' {
			continue
		}
		got = readValid(t, []byte(`{"threadDump": {"threadContainers": [{"threads": [`+thread+`]}, `+entry+`]}}`))
		if len(got.findings) != 1 || !strings.Contains(got.findings[0], "invalid container") ||
			!strings.Contains(strings.Join(got.elements, ""), `threadId="30"`) {
			t.Errorf("%s among containers: %q", entry, got.findings)
		}
	}
}

// TestTwoOwners: in each form, two owners of one object are reported, and the first one is taken for the owner.
func TestTwoOwners(t *testing.T) {
	thread := func(id string) string {
		return `{"tid": "` + id +
			`", "name": "x", "state": "RUNNABLE", "stack": ["app.Main.main(Main.java:5)"], "monitorsOwned": [{"depth": 0, "locks": ["app.One@1f"]}]}`
	}
	wants := `{"tid": "3", "name": "w", "state": "BLOCKED", "blockedOn": "app.One@1f", "stack": ["app.Main.main(Main.java:7)"]}`
	got := readValid(t, []byte(documentHead+thread("1")+","+thread("2")+","+wants+`]}]}}`))
	if len(got.findings) != 1 || !strings.Contains(got.findings[0], "[threaddump-owners]") ||
		!strings.Contains(strings.Join(got.elements, ""), `threadOwner="1"`) {
		t.Errorf("%q\n%s", got.findings, strings.Join(got.elements, ""))
	}
}

// TestArray: an array of dumps is a series, whether it is whole, broken, or followed by text.
func TestArray(t *testing.T) {
	one := dumps(t)["jdk25.json"]
	want := readValid(t, slices.Concat(one, one))
	for _, begin := range []string{"[", "[\n  ", " [ "} {
		text := slices.Concat([]byte(begin), one, []byte(","), one, []byte("]\n"))
		if !threaddump.Recognises(text[:512]) {
			t.Errorf("after %q it is not recognised", begin)
		}
		if got := readValid(t, text); !slices.Equal(got.elements, want.elements) ||
			len(got.findings) != len(want.findings) || got.ending.Truncated {
			t.Errorf("after %q it becomes %q\n%s", begin, got.findings, strings.Join(got.elements, ""))
		}
	}
	log := readValid(t, slices.Concat(one, []byte("[INFO] hello\n"), one))
	if len(log.findings) != 1 || log.ending.Truncated || !slices.Equal(log.elements, want.elements) {
		t.Errorf("around a line in brackets: %q", log.findings)
	}
	broken := `[{"threadDump": {"threadContainers": [{"threads": [{"tid": "30", "stack": ["app.Main.main(Main.java:5)"] ! }, {"tid": "31"}]}]}}, {"threadDump": {"threadContainers": [{"threads": [{"tid": "32"}]}]}}]` + "\n"
	got := readValid(t, append([]byte(broken), dumps(t)["jdk8_deadlock.txt"]...))
	for _, name := range []string{`threadId="30"`, `threadId="31"`, `threadId="32"`, `threadName="main"`} {
		if !strings.Contains(strings.Join(got.elements, ""), name) {
			t.Errorf("%s is missing; the findings are %q", name, got.findings)
		}
	}
	if said := strings.Join(got.findings, "\n"); strings.Count(said, "[threaddump-json]") != 1 {
		t.Errorf("the findings are %q", got.findings)
	}
	if cut := readValid(t, []byte(broken[:strings.LastIndex(broken, "]")])); !cut.ending.Truncated {
		t.Errorf("cut off: %q", cut.findings)
	}
}

// TestNoThread: in each form, a dump without a readable thread is an error, whatever is around it, and does not end any
// thread.
func TestNoThread(t *testing.T) {
	printed := string(dumps(t)["jdk8_deadlock.txt"])
	head := "2024-05-06 07:08:10\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\n\n"
	last := "\nJNI global refs: 4, weak refs: 0\n"
	for name, c := range map[string]struct{ text, says string }{
		"printed": {head + last, `"name" #7 prio=5`},
		"of the VM": {head + "\"VM Thread\" os_prio=0 tid=0x00007f0000000600 nid=0x106 runnable\n" + last,
			`"name" #7 prio=5`},
		"escaped": {strings.NewReplacer(`"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(printed),
			"the source of a web page"},
		"escaped plain": {
			"30\n2026-11-22T08:42:57Z\n21.0.4+7\n\n#26 &quot;main&quot;\n      app.Main.main(Main.java:5)\n\n",
			"the source of a web page"},
		"JSON": {`{"threadDump": {}}`, `"threadContainers"`},
		"JSON, less": {`{"threadDump": {"threadContainers": [{"container": "<root>", "threads": []}]}}`,
			`"threadContainers"`},
	} {
		got := readValid(t, []byte(c.text))
		if said := strings.Join(got.findings, "\n"); strings.Count(said, "[threaddump-empty]") != 1 ||
			!strings.Contains(said, c.says) {
			t.Errorf("%s: the findings are %q", name, got.findings)
		}
	}
	after := readValid(t, []byte(printed+head+last))
	if said := strings.Join(after.findings, "\n"); !strings.Contains(said, "[threaddump-empty]") ||
		strings.Contains(strings.Join(after.elements, ""), "<threadEnd ") {
		t.Errorf("after another one: %q\n%s", after.findings, strings.Join(after.elements, ""))
	}
	cut := readValid(t, []byte(head))
	if len(cut.findings) != 1 || !strings.Contains(cut.findings[0], "[threaddump-truncated]") {
		t.Errorf("cut off: %q", cut.findings)
	}
}

// TestVirtualIO: what a virtual thread waits for that is parked in the JDK's poller, and that the poller's own threads
// select. A thread that parks elsewhere waits for nobody knows what, whatever called it.
func TestVirtualIO(t *testing.T) {
	const parked = `"java.base/java.lang.VirtualThread.park(Unknown Source)", "java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:367)", `
	const polls = parked + `"java.base/sun.nio.ch.Poller.poll(Poller.java:197)", `
	for stack, want := range map[string]string{
		polls + `"java.base/sun.nio.ch.NioSocketImpl.park(NioSocketImpl.java:174)", "java.base/sun.nio.ch.NioSocketImpl.accept(NioSocketImpl.java:753)"`: "accept",
		polls + `"java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:302)", "app.Main.writeAll(Main.java:7)"`:                                "read",
		polls + `"java.base/sun.nio.ch.SocketChannelImpl.blockingWrite(SocketChannelImpl.java:602)"`:                                                     "write",
		polls + `"java.base/sun.nio.ch.Poller.subPollerLoop(Poller.java:271)"`:                                                                           "select",
		polls + `"app.Main.read(Main.java:7)"`:                                                         "",
		parked + `"java.base/sun.nio.ch.SocketChannelImpl.read(SocketChannelImpl.java:602)"`:           "",
		`"java.base/sun.nio.ch.Poller.poll(Poller.java:197)", "java.base/sun.nio.ch.Net.read(N.java)"`: "",
	} {
		got := readValid(t, []byte(documentHead+`{"tid": "3", "name": "w", "virtual": true, "state": "WAITING", "stack": [`+stack+`]}]}]}}`))
		_, after, found := strings.Cut(strings.Join(got.elements, ""), `<annotation name="io" value="`)
		if io, _, _ := strings.Cut(after, `"`); io != want || found == (want == "") {
			t.Errorf("%s: %q, want %q: %s", stack, io, want, strings.Join(got.elements, ""))
		}
	}
}

// TestHasRun: a thread that waits at the same calls has not moved between two dumps, unless it used CPU time, beyond what
// rounding explains. One that wants a monitor may use some to try.
func TestHasRun(t *testing.T) {
	dump := func(second int, cpu, state, line string) string {
		return fmt.Sprintf("2024-05-06 07:08:%02d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\n\n"+
			"\"w\" #12 prio=5 os_prio=0 cpu=%s elapsed=9.12s tid=0x00007f0000000600 nid=0x106 %s\n\tat app.Main.run(Main.java:7)\n"+
			"\t- %s <0x0000000600000010> (a app.Main)\n\n", second, cpu, state, line)
	}
	const waits, wants = "in Object.wait()  [0x1]\n   java.lang.Thread.State: WAITING (on object monitor)\n\tat java.lang.Object.wait(java.base@17/Native Method)",
		"waiting for monitor entry  [0x1]\n   java.lang.Thread.State: BLOCKED (on object monitor)"
	for _, c := range []struct {
		first, second, state, line string
		ended                      int
	}{
		{"1.00ms", "1.00ms", waits, "waiting on", 0},
		{"1.00ms", "1.02ms", waits, "waiting on", 0},
		{"1.00ms", "1.03ms", waits, "waiting on", 1},
		{"1.00ms", "5.00ms", wants, "waiting to lock", 0},
	} {
		got := strings.Join(readValid(t, []byte(dump(10, c.first, c.state, c.line)+dump(12, c.second, c.state, c.line))).elements, "")
		if ended := strings.Count(got, "<monWaited ") + strings.Count(got, "<monContendedEntered "); ended != c.ended {
			t.Errorf("%s, %s, %s: %d ends in %s", c.line, c.first, c.second, ended, got)
		}
	}
}
