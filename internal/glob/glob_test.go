package glob_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/trace/javaname"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"**", "", true}, {"?", "", false}, {"?", "ä", true},
		{"?", "\xff", true},
		{"worker-*", "worker-12", true}, {"worker-*", "worker-", true}, {"worker-*", "my worker-1", false},
		{"*-1", "worker-1-1", true},
		{"a*b*c", "aXbXbXc", true}, {"a*b*c", "aXbXbX", false}, {"main", "main", true}, {"main", "Main", false},
		{"[a]", "a", true}, {"[a]", "[a]", false},
		{"worker-[12]", "worker-2", true}, {"worker-[12]", "worker-3", false}, {"[!12]", "3", true},
		{"[!12]", "1", false}, {"[a-cx]*", "bar", true}, {"[a-cx]", "-", false},
		{"[a-]", "-", true}, {"[]", "[]", true}, {"[I", "[I", true}, {"[Ljava/*", "[Ljava/lang/Object;", true},
		{"[ä-ö]", "é", true},
		{"*ä*", "Bär", true}, {"*a*a*a*a*a*b", strings.Repeat("a", 10_000), false},
	} {
		if got := glob.Names(c.pattern).Match(c.name); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.name[:min(len(c.name), 40)], got)
		}
	}
}

func TestMatchClass(t *testing.T) {
	for _, pattern := range []string{"com.acme.*", "com/acme/*", "*/Pool", "*.Pool", "com?acme?io?Pool"} {
		for _, name := range []string{"com/acme/io/Pool", "com.acme.io.Pool"} {
			if !glob.Classes(pattern).MatchClass(name) {
				t.Errorf("%s does not match %s", pattern, name)
			}
		}
	}
}

// FuzzMatch: patterns match like the equivalent regular expressions.
func FuzzMatch(f *testing.F) {
	f.Add("a*?b", "axxb")
	f.Add("*ä?", "xäö")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		pattern, name = strings.ToValidUTF8(pattern, "x"), strings.ToValidUTF8(name, "y")
		if strings.Contains(pattern, "[") {
			glob.Names(pattern).Match(name)
			return
		}
		expression := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
		want := regexp.MustCompile("(?s)^" + expression + "$").MatchString(name)
		if got := glob.Names(pattern).Match(name); got != want {
			t.Errorf("%q matches %q: %v, as a regular expression: %v", pattern, name, got, want)
		}
	})
}

// TestMatchClassOfMonitor proves that a pattern may name the class that people see instead of the class in the trace.
func TestMatchClassOfMonitor(t *testing.T) {
	const lock = "java/util/concurrent/locks/ReentrantLock$NonfairSync"
	for _, c := range []struct {
		pattern, class string
		want           bool
	}{
		{"java.util.concurrent.locks.ReentrantLock", lock, true},
		{"java/util/concurrent/locks/ReentrantLock", lock, true},
		{"ReentrantLock", lock, true},
		{"*ReentrantLock$NonfairSync", lock, true},
		{"*ReentrantLock$FairSync", lock, false},
		{"java.util.concurrent.Semaphore", lock, false},
		{"*.Condition", "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", true},
		{"shop.Cache", "shop/Cache$Lock", false},
	} {
		if got := glob.Classes(c.pattern).MatchClass(javaname.OfMonitor(c.class)...); got != c.want {
			t.Errorf("the pattern %s matches %s: %v, want %v", c.pattern, c.class, got, c.want)
		}
	}
}
