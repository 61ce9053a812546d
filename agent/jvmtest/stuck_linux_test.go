package jvmtest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// stuck are programs that hang, and what why says about the process and about a thread dump, as regular expressions; ""
// if it need not say anything.
var stuck = []struct{ name, process, dump string }{
	{"deadHolder", `^3 threads were BLOCKED .* on lock ReentrantLock \d+, which importer \(thread \d+\) held when the trace ended; that one has ended\.`,
		`^3 threads are BLOCKED on lock ReentrantLock .*; no thread in the dump holds it: who took it has ended, `},
	{"saturated", `asker \(thread \d+\) still waited for future FutureTask \d+, which is in the queue of ThreadPoolExecutor \d+ and not run by any ` +
		`thread, .*; its 2 workers were all busy: pool-1-thread-1 \(thread \d+\) and pool-1-thread-2 \(thread \d+\) were SLEEPING at ` +
		`Stuck\.report\(`,
		`(?s)asker \(thread \d+\) waits for future FutureTask .*pool-1-thread-1 \(thread \d+\) at Stuck\.report\(`},
	{"forks", `2 threads of ForkJoinPool-1-worker-\* still waited for latch CountDownLatch \d+, .*; all 2 workers of ForkJoinPool \d+, in whose queue ` +
		`2 tasks are, wait for it\.`, `2 threads of ForkJoinPool-1-worker-\* wait for latch CountDownLatch `},
	{"ownQueue", `^deadlock: pool-1-thread-1 \(thread \d+\), the only worker of ThreadPoolExecutor \d+, waits for a task in its own queue at Stuck\.`, ""},
	{"discarded", `asker \(thread \d+\) still waited for future FutureTask \d+, which no thread runs, `, `asker \(thread \d+\) waits for future FutureTask `},
	{"timeouts", `(?s)client \(thread \d+\) waited for \d+ objects, such as future FutureTask .*; nothing in the trace shows who could have ended that sooner\.` +
		`\s+During the longest these slept: pool-1-thread-1 \(thread \d+\) at Stuck\.report\(`, ""},
	{"joins", `^deadlock: joiner-0 \(thread \d+\) .* waits for the end of joiner-1 \(thread \d+\); joiner-1 .* waits for the end of joiner-0 `,
		`2 threads of joiner-\* wait, likely for the ends of 2 threads, at Stuck\.`},
	{"ownEnd", `(?s)^deadlock: service \(thread \d+\) waits for its own end at Stuck\..*\npatient \(thread \d+\) still waited`, ""},
	{"untilTimeout", `(?s)^Possible deadlock: mover-\d .* One of these waits has a timeout\.\n.*\npossible deadlock: joiner-0 .* waits for the end of ` +
		`joiner-1 .* One of these waits has a timeout\.\n`, `^Possible deadlock: mover-\d .* One of these waits has a timeout\.\n`},
	{"process", `runner \(thread \d+\) still waited for the end of another process at Stuck\.`, `runner \(thread \d+\) waits for the end of another process at Stuck\.`},
	{"termination", `stopper \(thread \d+\) still waited for an executor to terminate at Stuck\..*; its only worker was busy: ` +
		`pool-1-thread-1 \(thread \d+\) was SLEEPING at Stuck\.report\(`,
		`(?s)stopper \(thread \d+\) waits for an executor to terminate at Stuck\..*\n   Perhaps it waits for pool-1-thread-1 ` +
			`\(thread \d+\), which is SLEEPING at Stuck\.report\(`},
	{"forkTermination", `stopper \(thread \d+\) still waited for a ForkJoinPool to terminate at Stuck\..*; (1 of its 2 workers|its only worker) was busy: ` +
		`\S+ \(thread \d+\) still waited for an element of queue LinkedBlockingQueue at Stuck\.`, ""},
	{"barrierAction", `^2 threads of party-\* still waited at barrier CyclicBarrier, whose lock party-2 \(thread \d+\) held, at Stuck\..*; ` +
		`that one was SLEEPING at Stuck\.report\(`, `^2 threads of party-\* wait at barrier CyclicBarrier, whose lock party-2 \(thread \d+\) holds, at Stuck\.`},
	{"retries", `(?s)^2 threads of reader-\* still waited for latch CountDownLatch .*\n   Meanwhile these slept: uploader \(thread \d+\) at Stuck\.upload\(`,
		`(?s)2 threads of reader-\* wait for latch CountDownLatch .*Asleep, and perhaps who is to end that: uploader \(thread \d+\) at Stuck\.upload\(`},
	{"input", `(?s)console \(thread \d+\) still waited for input or output at Stuck\.readCommand\(.*\n   It is the JVM's standard input\.`,
		`console \(thread \d+\) is in native code, for input or output, at Stuck\.readCommand\(`},
	{"answer", `(?s)client \(thread \d+\) still waited for input or output at Stuck\.ask\(.*\n   The peer is 127\.0\.0\.1:\d+, this JVM itself\.`,
		`client \(thread \d+\) is in native code, for input or output, at Stuck\.ask\(`},
	{"livelock", `2 threads slept again and again, such as teller-\d \(thread \d+\) at Stuck\.transfer\(`, ""},
	{"spins", `poller \(thread \d+\) (likely )?computed at Stuck\.spin\(`, `poller \(thread \d+\) is RUNNABLE at Stuck\.spin\(`},
	{"permits", `(?s)3 threads (of web-\* still waited for semaphore \d+ at Stuck\..*\n   All the while|waited for semaphore \d+ for .* at Stuck\..*\n   During the longest) ` +
		`these slept: report \(thread \d+\) at Stuck\.report\(`,
		`(?s)3 threads of web-\* wait for semaphore .*\n   Asleep, and perhaps who is to end that: report \(thread \d+\) at Stuck\.report\(`},
	{"compiled", `BLOCKED .* held for 100 % of that, in Stuck\$Retry\.retry\(.*\) ← Stuck\.deliver\(.*\) ← Stuck\.send\(`,
		`^clerk .* is BLOCKED .* holds, in Stuck\$Retry\.retry\(.*\) ← Stuck\.deliver\(.*\) ← Stuck\.send\(`},
	{"pools", `^110 threads of 110 executors live, such as pool-1-thread-1 \(thread \d+\): possibly these are created again and again, `,
		`^110 threads of 110 executors live, `},
}

// virtualStuck are likewise programs of virtual threads, which no dump of the usual kind has.
var virtualStuck = []struct{ name, process string }{
	{"virtualDeadlock", `(?s)^Deadlock: mover-\d \(thread \d+\) holds lock ReentrantLock \d+ and wants lock ReentrantLock \d+ at Stuck\.takeBoth\(.*` +
		`; mover-\d \(thread \d+\) holds `},
	{"virtualHolder", `^3 threads were BLOCKED for .* on lock ReentrantLock \d+, which greedy \(thread \d+\) held for (9\d|>99|100) % of that, in ` +
		`Stuck\.lambda\$virtualHolder`},
	{"virtualJoin", `(?m)^boss \(thread \d+\) still waited for the end of a virtual thread at Stuck\.joined\(`},
}

// TestStuckVirtual proves that why names virtual threads that wait for each other since before it attaches.
func TestStuckVirtual(t *testing.T) {
	b, trcx := newBench(t), testtool.Trcx(t)
	for _, j := range b.jdks {
		for _, s := range virtualStuck {
			if j.Version < firstVirtual {
				continue
			}
			t.Run(fmt.Sprintf("%v/%s", j, s.name), func(t *testing.T) {
				t.Parallel()
				if text, _ := b.whyStuck(t, j, trcx, s.name); !regexp.MustCompile(s.process).MatchString(text) {
					t.Errorf("got %s\nwant %s", text, s.process)
				}
			})
		}
	}
}

// TestStuck proves that why names the threads that hang, and their places, when it attaches to a process that already
// hangs, and when it reads a thread dump.
func TestStuck(t *testing.T) {
	b, trcx := newBench(t), testtool.Trcx(t)
	for _, j := range b.jdks {
		for _, s := range stuck {
			t.Run(fmt.Sprintf("%v/%s", j, s.name), func(t *testing.T) {
				t.Parallel()
				process, dump := b.whyStuck(t, j, trcx, s.name)
				for text, want := range map[string]string{process: s.process, dump: s.dump} {
					if want != "" && strings.HasPrefix(text, "Nothing is wrong") || strings.Contains(text, "had a permit") || !regexp.MustCompile("(?m)"+want).MatchString(text) {
						t.Errorf("got %s\nwant %s", text, want)
					}
				}
			})
		}
	}
}

// whyStuck runs the program until it hangs, and returns what why says about its process and about a dump of it.
func (b *bench) whyStuck(t *testing.T, j testtool.JDK, trcx, name string) (process, dump string) {
	t.Helper()
	cmd, cancel := b.command(j, "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", b.classes, "Stuck", name)
	defer cancel()
	in, out := must(cmd.StdinPipe())(t), must(cmd.StdoutPipe())(t) // the input stays open
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cancel()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "stuck\n" {
		t.Fatalf("the program prints %q (%v), want that it is stuck", line, err)
	}
	pid, file := fmt.Sprint(cmd.Process.Pid), filepath.Join(t.TempDir(), "dump.txt")
	text := must(exec.Command(j.Tool("jcmd"), pid, "Thread.print", "-l").Output())(t)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return why(t, trcx, pid, "--for", "1500ms", "--library", b.agent), why(t, trcx, file)
}

// why returns what trcx why says.
func why(t *testing.T, trcx string, args ...string) string {
	t.Helper()
	cmd := exec.Command(trcx, append([]string{"why"}, args...)...)
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("messages of trcx why %s: %s", strings.Join(args, " "), messages.String())
		}
	})
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("trcx why %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}
