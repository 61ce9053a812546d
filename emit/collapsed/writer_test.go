package collapsed_test

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/enrich/sinktest"
)

const root = "../.."

func lines(t testing.TB, options collapsed.Options, documents ...[]byte) string {
	t.Helper()
	var out bytes.Buffer
	sinktest.Read(t, collapsed.NewWriter(&out, options), documents...)
	return out.String()
}

// text has two threads that call the same method at different lines, wait in two ways, and are blocked by each other.
const text = `<TRACE><classDef name="app/Cache" classId="7"/><classDef name="java/lang/Object" classId="8"/><methodDef name="load" methodId="1" classIdRef="7"/>
	<methodDef name="-init-" methodId="2" classIdRef="7"/><methodDef name="wait" methodId="3" classIdRef="8"/>
	<threadStart threadId="1" threadName="reader" time="1"/><threadStart threadId="2" threadName="writer" time="1"/>
	<monWait threadIdRef="2" objIdRef="9" timeout="10" time="2"><annotation name="stack" value="3 2:33"/></monWait><monWaited threadIdRef="2" objIdRef="9" isTimedOut="1" time="3"/>
	<monWait threadIdRef="2" objIdRef="9" timeout="0" time="4"><annotation name="stack" value="3 2:33"/></monWait><monWaited threadIdRef="2" objIdRef="9" time="6"/>
	<monContendedEnter threadIdRef="1" objIdRef="9" threadOwner="2" time="6"><annotation name="stack" value="1:12 2:5"/></monContendedEnter>
	<monContendedEntered threadIdRef="1" objIdRef="9" time="7"/>
	<monContendedEnter threadIdRef="1" objIdRef="9" threadOwner="2" time="8"><annotation name="stack" value="1:13 2:5"/></monContendedEnter>
	<monContendedEntered threadIdRef="1" objIdRef="9" time="10"/>
	<monContendedEnter threadIdRef="2" objIdRef="9" threadOwner="0" time="11"/><monContendedEntered threadIdRef="2" objIdRef="9" time="12"/></TRACE>`

func TestLines(t *testing.T) {
	blocked := []string{"blocked"}
	for name, c := range map[string]struct {
		options collapsed.Options
		want    string
	}{
		"blocked": {collapsed.Options{States: blocked},
			"reader;app/Cache.<init>;app/Cache.load 3000000000\nwriter;[no call stack] 1000000000\n"},
		"counts": {collapsed.Options{States: blocked, Counts: true},
			"reader;app/Cache.<init>;app/Cache.load 2\nwriter;[no call stack] 1\n"},
		"several states": {collapsed.Options{States: []string{"waited", "timed"}},
			"writer;[timed];app/Cache.<init>;java/lang/Object.wait " +
				"1000000000\nwriter;[waited];app/Cache.<init>;java/lang/Object.wait 2000000000\n"},
		"nothing": {collapsed.Options{States: []string{"slept"}}, ""},
	} {
		if got := lines(t, c.options, []byte(text)); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

var line = regexp.MustCompile(`^([^;]*[^; ](?:;[^;]*[^; ])+) ([0-9]+)$`)

// values returns the sum of the lines' values. Lines must have the form of collapsed stacks and differ.
func values(t *testing.T, name, text string) (sum int64) {
	t.Helper()
	if text == "" {
		return 0
	}
	seen := make(map[string]bool)
	for _, one := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		parts := line.FindStringSubmatch(one)
		if parts == nil || seen[parts[1]] || !utf8.ValidString(one) || strings.ContainsAny(one, "\x00\x1b\r\t\u202E") {
			t.Fatalf("%s: a wrong line, or one that came before: %q", name, one)
		}
		seen[parts[1]] = true
		value, err := strconv.ParseInt(parts[2], 10, 64)
		sinktest.Check(t, err)
		sum += value
	}
	return sum
}

// TestSumsAreTheOracles: the values of all lines add up to the sums of the model.
func TestSumsAreTheOracles(t *testing.T) {
	for name, document := range sinktest.Documents(t, root) {
		var count, delay int64
		for _, interval := range sinktest.Intervals(t, document) {
			count++
			delay += interval.Length
		}
		options := collapsed.Options{States: stackprofile.StateNames()}
		if got := values(t, name, lines(t, options, document)); got != delay {
			t.Errorf("%s: %d ns, want %d", name, got, delay)
		}
		options.Counts = true
		if got := values(t, name, lines(t, options, document)); got != count {
			t.Errorf("%s: %d delays, want %d", name, got, count)
		}
	}
}

func TestHostileNames(t *testing.T) {
	got := lines(t, collapsed.Options{States: stackprofile.StateNames(), Counts: true}, sinktest.HostileDocument())
	if sum := values(t, "hostile", got); sum != int64(len(sinktest.Hostile)) {
		t.Errorf("%d delays for %d threads", sum, len(sinktest.Hostile))
	}
	for _, want := range []string{`a\u003Bb\u003Bc 5;`, `blanks at the end\u0020\u0020;`,
		`two\u000Alines\u000D\u000Aand a tab\u0009;`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

func TestOrder(t *testing.T) {
	for _, path := range []string{"testdata/recorded/warehouse-jdk25.trcxml",
		"testdata/recorded/deadlock-jdk17.trcxml"} {
		got := lines(t, collapsed.Options{States: stackprofile.StateNames()}, sinktest.File(t, root, path))
		sorted := slices.SortedFunc(strings.Lines(got), func(a, b string) int {
			return slices.Compare(strings.Split(a[:strings.LastIndexByte(a, ' ')], ";"),
				strings.Split(b[:strings.LastIndexByte(b, ' ')], ";"))
		})
		if strings.Join(sorted, "") != got {
			t.Errorf("%s: the lines are not in order:\n%s", path, got)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	text := sinktest.File(b, root, "testdata/recorded/warehouse-jdk25.trcxml")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		lines(b, collapsed.Options{States: stackprofile.StateNames()}, text)
	}
}
