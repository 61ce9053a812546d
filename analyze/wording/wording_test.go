package wording_test

import (
	"math"
	"testing"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

func thread(id, name string) string { return wording.Thread(trace.ThreadFrom([]byte(id)), name) }

func object(id, class string) string { return wording.Object(trace.ObjectFrom([]byte(id)), class) }

func lock(id, class string) string { return wording.Lock(trace.ObjectFrom([]byte(id)), class) }

// condition returns the title of a condition of the lock.
func condition(id, lock, lockClass string) string {
	return wording.Condition(trace.ObjectFrom([]byte(id)),
		"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", trace.ObjectFrom([]byte(lock)), lockClass)
}

func frame(class, name, file string, line int32) string {
	return wording.Frame(trace.Frame{Method: &trace.ModelMethod{Class: class, Name: name, File: file, Number: 1},
		Line: line})
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{thread("7", "main"), "main (thread 7)"},
		{thread("7", ""), "thread 7"},
		{thread("0x\x1b", "two\nlines"), `two\u000Alines (thread 0x\u001B)`},
		{object("7", "java/util/Vector"), "java.util.Vector 7"},
		{object("7", ""), "object 7"},
		{object("", "java/util/Vector"), "an unknown object"},
		{object("7", "java/util/concurrent/Semaphore$NonfairSync"), "semaphore 7"},
		{object("7", "java/util/concurrent/CountDownLatch$Sync"), "latch CountDownLatch 7"},
		{object("7", javaname.PermitClass), "permit 7"},
		{lock("7", "java/util/concurrent/locks/ReentrantLock$FairSync"), "the lock ReentrantLock 7"},
		{lock("7", "java/util/Vector"), "the lock of java.util.Vector 7"},
		{lock("", "java/util/concurrent/locks/StampedLock"), "the lock of an unknown object"},
		{condition("7", "70", "java/util/concurrent/locks/ReentrantLock$FairSync"), "condition of ReentrantLock 70 (7)"},
		{condition("7", "70", ""), "condition of lock 70 (7)"},
		{condition("7", "", ""), "condition 7"},
		{object("7", "a/\u202Eb"), `a.\u202Eb 7`},
		{wording.Frame(trace.Frame{}), ""},
		{frame("", "", "Main.java", 7), ""},
		{frame("app/Main", "run", "Main.java", 7), "app.Main.run(Main.java:7)"},
		{frame("app/Main", "-init-", "Main.java", 0), "app.Main.<init>(Main.java:0)"},
		{frame("app/Main", "-clinit-", "Main.java", trace.NoLine), "app.Main.<clinit>(Main.java)"},
		{frame("app/Main", "run", "", 7), "app.Main.run(line 7)"},
		{frame("app/Main", "run", "", trace.NoLine), "app.Main.run"},
		{frame("", "run", "", trace.NoLine), "run"},
		{frame("app/\x00", "run", "\x07.java", 1), `app.\u0000.run(\u0007.java:1)`},
		{wording.Moment(1_234_567_899, 0), "1.234567 s"},
		{wording.Moment(5, 2_000_000_005), "-2.000000 s"},
		{wording.Moment(1, 1000), "0.000000 s"},
		{wording.Moment(1_700_000_000_000_000_000, 1_700_000_000_000_000_000), "0.000000 s"},
		{wording.Moment(math.MaxInt64, 0), "9223372036.854775 s"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
