package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// virtualDeadlock is a program with two virtual threads. With the argument deadlock they are deadlocked; else the
// second one only waits for the first.
const virtualDeadlock = `
public class Virtual {
    static final Object left = new Object(), right = new Object();
    static volatile boolean hasLeft, hasRight;

    public static void main(String[] args) throws InterruptedException {
        Thread second = Thread.ofVirtual().name("second").unstarted(() -> {
            synchronized (right) {
                hasRight = true;
                synchronized (left) {
                }
            }
        });
        Thread first = Thread.ofVirtual().name("first").start(() -> {
            synchronized (left) {
                hasLeft = true;
                while (!hasRight || second.getState() != Thread.State.BLOCKED) {
                    pause();
                }
                if (args[0].equals("deadlock")) {
                    synchronized (right) {
                    }
                }
                while (true) {
                    pause();
                }
            }
        });
        while (!hasLeft) {
            pause();
        }
        second.start();
        while (second.getState() != Thread.State.BLOCKED
                || args[0].equals("deadlock") && first.getState() != Thread.State.BLOCKED) {
            pause();
        }
        System.out.println("ready");
        Thread.sleep(600_000);
    }

    static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}`

// TestLiveDeadlockOfVirtualThreads: virtual threads that block each other are found, as a possible deadlock, since the
// JVM does not dump all of them at once. A mere wait is not reported. The intermediate file is removed.
func TestLiveDeadlockOfVirtualThreads(t *testing.T) {
	const unseen = "A thread dump has no owners of read locks and semaphores: a deadlock of these is not seen here."
	for _, jdk := range testtool.JDKs(t, 25) {
		pid := startVirtual(t, jdk, "deadlock")
		text := liveDeadlocksOf(t, pid)
		for _, want := range []string{"1 possible deadlock, no lock-order inversion was seen.",
			"POSSIBLE DEADLOCK 1: 2 threads wait for each other\n", "which second (thread ", "which first (thread ",
			"The JVM has looked at one thread after the other, so these threads may have gone on meanwhile.", unseen} {
			if !strings.Contains(text, want) {
				t.Errorf("the text lacks %q:\n%s", want, text)
			}
		}
		if got := liveDeadlocksOf(t, pid, "--format", "json"); !strings.Contains(got, `"scattered":true`) {
			t.Errorf("the JSON does not say that the threads are not of one moment: %s", got)
		}
		if left, _ := filepath.Glob("/tmp/.threads-" + strconv.Itoa(pid) + "*"); len(left) > 0 {
			t.Errorf("%s were not removed", left)
		}
		text = liveDeadlocksOf(t, startVirtual(t, jdk, "none"))
		if want := "No deadlock, no lock-order inversion was seen.\n\n" + unseen + "\n"; text != want {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	}
}

// startVirtual starts the program, and returns its process id once its threads have reached their final states.
func startVirtual(t *testing.T, jdk testtool.JDK, argument string) int {
	source := filepath.Join(t.TempDir(), "Virtual.java")
	if err := os.WriteFile(source, []byte(virtualDeadlock), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(jdk.Tool("java"), source, argument)
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill() // it may have ended
		_ = command.Wait()         // by that signal
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the program printed %q, %v", line, err)
	}
	return command.Process.Pid
}

func liveDeadlocksOf(t *testing.T, pid int, flags ...string) string {
	var stdout, stderr bytes.Buffer
	status := Main(append([]string{"trcx", "deadlocks", "--pid", strconv.Itoa(pid)}, flags...), strings.NewReader(""),
		&stdout, &stderr)
	if status != exitDone || stderr.Len() > 0 {
		t.Fatalf("status %d, %s", status, stderr.String())
	}
	return stdout.String()
}
