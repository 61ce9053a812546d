package phrase_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

func thread(id, name string) string { return phrase.Thread(trace.ThreadFrom([]byte(id)), name) }

func object(id, class string) string { return phrase.Object(trace.ObjectFrom([]byte(id)), class) }

func lock(id, class string) string { return phrase.Lock(trace.ObjectFrom([]byte(id)), class) }

// condition returns the title of a condition of the lock.
func condition(id, lock, lockClass string) string {
	return phrase.Condition(trace.ObjectFrom([]byte(id)),
		"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", trace.ObjectFrom([]byte(lock)), lockClass)
}

func frame(class, name, file string, line int32) string {
	return phrase.Frame(trace.Frame{Method: &trace.ModelMethod{Class: class, Name: name, File: file, Number: 1},
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
		{object("7", trace.PermitClass), "permit 7"},
		{lock("7", "java/util/concurrent/locks/ReentrantLock$FairSync"), "the lock ReentrantLock 7"},
		{lock("7", "java/util/Vector"), "the lock of java.util.Vector 7"},
		{lock("", "java/util/concurrent/locks/StampedLock"), "the lock of an unknown object"},
		{condition("7", "70", "java/util/concurrent/locks/ReentrantLock$FairSync"), "condition of ReentrantLock 70 (7)"},
		{condition("7", "70", ""), "condition of lock 70 (7)"},
		{condition("7", "", ""), "condition 7"},
		{object("7", "a/\u202Eb"), `a.\u202Eb 7`},
		{phrase.Frame(trace.Frame{}), ""},
		{frame("", "", "Main.java", 7), ""},
		{frame("app/Main", "run", "Main.java", 7), "app.Main.run(Main.java:7)"},
		{frame("app/Main", "-init-", "Main.java", 0), "app.Main.<init>(Main.java:0)"},
		{frame("app/Main", "-clinit-", "Main.java", trace.NoLine), "app.Main.<clinit>(Main.java)"},
		{frame("app/Main", "run", "", 7), "app.Main.run(line 7)"},
		{frame("app/Main", "run", "", trace.NoLine), "app.Main.run"},
		{frame("", "run", "", trace.NoLine), "run"},
		{frame("app/\x00", "run", "\x07.java", 1), `app.\u0000.run(\u0007.java:1)`},
		{phrase.Moment(1_234_567_899, 0), "1.234567 s"},
		{phrase.Moment(5, 2_000_000_005), "-2.000000 s"},
		{phrase.Moment(1, 1000), "0.000000 s"},
		{phrase.Moment(1_700_000_000_000_000_000, 1_700_000_000_000_000_000), "0.000000 s"},
		{phrase.Moment(math.MaxInt64, 0), "9223372036.854775 s"},
		{phrase.Count(0, "thread"), "0 threads"},
		{phrase.Count(1, "thread"), "1 thread"},
		{phrase.Count(2, "more lock"), "2 more locks"},
		{phrase.Count(uint64(1), "arrow is", "arrows are"), "1 arrow is"},
		{phrase.Count(uint64(math.MaxUint64), "arrow is", "arrows are"), "18446744073709551615 arrows are"},
		{phrase.Number(999), "999"},
		{phrase.Number(uint64(1_234_567)), "1,234,567"},
		{phrase.List(nil, "and"), ""},
		{phrase.List([]string{"a"}, "and"), "a"},
		{phrase.List([]string{"a", "b"}, "and"), "a and b"},
		{phrase.List([]string{"a", "b", "c"}, "or"), "a, b or c"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestLongNames: what is longer than a line has its beginning and its end.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("ä", 10_000)
	for _, title := range []string{phrase.Name(long), thread("1", long), object("1", long), frame(long, "run", "M.java",
		1), frame("M", "run", long, 1)} {
		if n := utf8.RuneCountInString(title); n < 300 || n > 320 || !strings.Contains(title, "ä…ä") {
			t.Errorf("%q has %d characters", title, n)
		}
	}
	if exact := strings.Repeat("ä", 300); phrase.Name(exact) != exact {
		t.Error("a name of 300 characters is shortened")
	}
	if exact := strings.Repeat("ä", 150); frame(exact, exact[2:], "", trace.NoLine) != exact+"."+exact[2:] {
		t.Error("a method of 300 characters is shortened")
	}
}

func TestDuration(t *testing.T) {
	for nanoseconds, want := range map[int64]string{0: "0 ns", 999: "999 ns", 1000: "1.00 µs", 45_678: "45.7 µs",
		999_999: "1000 µs", 1_234_567: "1.23 ms",
		123_456_789: "123 ms", 4_100_000_000: "4.10 s", 86_400_000_000_000: "86400 s", -1_500_000: "-1.50 ms",
		1<<63 - 1: "9223372037 s", -1 << 63: "-9223372037 s"} {
		if got := phrase.Duration(nanoseconds); got != want {
			t.Errorf("%d is %q, want %q", nanoseconds, got, want)
		}
	}
}
