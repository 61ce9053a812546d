package threaddump_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlainNames: whatever a thread's name in a plain dump contains, the threads around it are read with their calls,
// and there is at most one finding.
func TestPlainNames(t *testing.T) {
	names := []struct {
		name     string
		unread   bool // it is ambiguous, and left out with a finding
		expected string
	}{
		{name: "\n\"x\"", expected: `&#10;&quot;x&quot;`},
		{name: "fake\" #99 prio=5 os_prio=0 tid=0x00007f00 nid=0x1 runnable\n   java.lang.Thread.State: BLOCKED"},
		{name: "a\n\"b\" #3 prio=5 tid=0x7f00 nid=0x1 runnable [0x0]\nc"},
		{name: "Found one\nFound two\n==="},
		{name: "a\n#7 \"b", unread: true},
		{name: "a\n- b", unread: true},
		{name: "a\nat b", unread: true},
		{name: strings.Repeat("a\n", 20), unread: true},
	}
	for _, jdk := range []struct{ version, after, call string }{{"21.0.4+7", "", "      "},
		{"25+36", " TIMED_WAITING 2026-11-22T08:42:58.34Z", "    at "}} {
		call := jdk.call + "app.Main.main(Main.java:5)\n\n"
		for _, n := range names {
			text := "30\n2026-11-22T08:42:57Z\n" + jdk.version + "\n\n"
			for i, name := range []string{"before", n.name, "after", "last"} {
				text += fmt.Sprintf("#%d \"%s\"%s\n%s", 25+i, name, jdk.after, call)
			}
			got := readValid(t, []byte(text))
			all := strings.Join(got.elements, "")
			for _, name := range []string{"before", "after", "last"} {
				if strings.Count(all, `threadName="`+name+`"`) != 1 {
					t.Errorf("JDK %s, near %q: %q is not there once in\n%s", jdk.version, n.name, name, all)
				}
			}
			if there := strings.Contains(all, `threadId="26"`); there == n.unread || len(got.findings) > 1 ||
				len(got.findings) == 1 && !n.unread || got.ending.Truncated {
				t.Errorf("JDK %s, %q: is it there? %v; the findings are %q", jdk.version, n.name, there, got.findings)
			}
			for _, finding := range got.findings {
				if !strings.Contains(finding, `want #7 "name"`) {
					t.Errorf("the finding is %s", finding)
				}
			}
			if !strings.Contains(all, n.expected) {
				t.Errorf("%q is not in\n%s", n.expected, all)
			}
		}
	}
}
