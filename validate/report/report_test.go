package report_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/report"
)

var update = flag.Bool("update", false, "write what is printed now into the files that it is compared with")

// The rules of the tests: two errors and a warning.
var rules = []*validate.Rule{
	{
		ID: "thread-dead", Severity: trace.Error, Layer: validate.Meaning,
		Summary: "a thread does something after its threadEnd",
		Explanation: "The thread\nhad ended.\n\nLook for a second 'threadStart', before '</TRACE>',\nof *the* same " +
			"[id](_x_) & name.",
		Example: "<threadEnd threadIdRef=\"1\" time=\"1.0\"/>\n<monWait threadIdRef=\"1\" time=\"2.0\"/>\n",
	},
	{
		ID: "wait-twice", Severity: trace.Error, Layer: validate.Meaning, Summary: "a thread that waits begins to wait",
		Explanation: "A thread waits for one object at a time.",
		Example:     "<monWait threadIdRef=\"1\" time=\"1.0\"/>\n<monWait threadIdRef=\"1\" time=\"2.0\"/>\n",
	},
	{
		ID: "time-backwards", Severity: trace.Warning, Layer: validate.Meaning,
		Summary:     "the time of an event is before that of the thread's previous one",
		Explanation: "Up to 2 ms are usual.",
	},
}

var options = report.Options{Rules: rules, Version: "v1.2.3", Started: time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)}

// result makes a result whose counts fit its findings.
func result(input string, findings ...trace.Finding) *validate.Result {
	r := &validate.Result{Input: input, Findings: findings, Counts: map[string]int{}}
	for _, f := range findings {
		r.Counts[f.Rule]++
		if f.Severity == trace.Warning {
			r.Warnings++
		} else {
			r.Errors++
		}
	}
	return r
}

// hide adds errors and warnings of a rule that were not kept.
func hide(r *validate.Result, rule string, errors, warnings int) *validate.Result {
	r.Counts[rule] += errors + warnings
	r.Errors += errors
	r.Warnings += warnings
	return r
}

// the results of the golden files, by their names.
var golden = map[string][]*validate.Result{
	"usual": {
		result("app.trcxml",
			trace.Finding{
				Rule: "time-backwards", Severity: trace.Warning, Place: trace.Place{Offset: 811, Line: 12, Column: 23},
				Element: "monWaited",
				Message: "time=\"1.5\" is 3 ms before the thread's previous event",
				Quote:   trace.Quote{Text: `<monWaited threadIdRef="1" time="1.5"/>`, Caret: 27},
			},
			trace.Finding{
				Rule: "thread-dead", Place: trace.Place{Offset: 1024, Line: 15, Column: 1}, Element: "monWait",
				Message: `thread "1" ended in line 14; nothing but a new threadStart may follow`,
				Quote:   trace.Quote{Text: `<monWait threadIdRef="1" time="2.0" objIdRef="7"/>`},
			},
			trace.Finding{
				Rule: "thread-dead", Place: trace.Place{Offset: 1100, Line: 16, Column: 1}, Element: "monWaited",
				Message: `thread "1" ended in line 14; nothing but a new threadStart may follow`,
			},
		),
		result("valid.trcxml"),
		result("-", trace.Finding{Rule: "time-backwards", Severity: trace.Warning,
			Message: "the clock of the whole trace runs backwards"}),
		hide(result("sessions/old.zip!a session.trcxml",
			trace.Finding{Rule: "wait-twice", Place: trace.Place{Offset: 9, Line: 1, Column: 10}, Element: "monWait",
				Message: "thread \"2\" waits already"},
		), "wait-twice", 1199, 1),
		hide(result("/data/traces/nothing kept.trcxml"), "thread-dead", 3, 0),
		result("app.jfr", trace.Finding{Rule: "jfr-chunk", Place: trace.Place{Offset: 4711},
			Message: "the chunk is cut off"}),
	},
	"hostile": {
		result("\x1b]0;owned\a\n::error::x,file=a:b%0A\u202Etxt.exe\xff.trcxml", hostile...),
		result("../up.zip!../../.github/workflows/ci.yml", hostile[0]),
		result("/srv/up.zip!../../etc/passwd", hostile[0]),
		result("https://example.org/x.trcxml", hostile[0]),
	},
}

// hostile are findings about names that try to break out of each format.
var hostile = func() (findings []trace.Finding) {
	for i, name := range []string{
		`</script><script>alert(1)</script>`,
		`]]></failure><!-- & &amp; &#0; "'`,
		"\n::error::x\r\n::set-output name=a::b\n##[error]x",
		`%0A::error::%25`,
		"\x1b[31mred\x1b[0m\x00\b\x7f\u0085\u009b31m",
		"\u202Etxt.exe\u2066\u200f\u061c\u2028::error::\u2029",
		"\xed\xa0\x80 \xff \xc0\xaf \xf4\x90\x80\x80 \ufffe\uffff\ufffd",
		"[see](https://example.org/?q=`<b>`) {0} $1 %s \\u0041 \\",
		strings.Repeat("long", 2500),
		strings.Repeat("\x1b", 3000),
	} {
		findings = append(findings, trace.Finding{
			Rule: "wait-twice", Place: trace.Place{Offset: int64(i), Line: i + 1, Column: 1}, Element: name,
			Message: "<" + name + "> may not be here",
			Quote:   trace.Quote{Text: "<" + name + "\ttime=\"1\"/>", Caret: 1 + len([]rune(name))},
		})
	}
	return append(findings, trace.Finding{Rule: "a \"rule\"\n::error::\u202E,x", Severity: trace.Warning,
		Message: "of a rule that is in no table"})
}()

// printed returns the results as a printer prints them.
func printed(t testing.TB, format string, o report.Options, results ...*validate.Result) []byte {
	t.Helper()
	var out bytes.Buffer
	printer, err := report.New(format, &out, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if err := printer.Print(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := printer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// endings are the endings of the golden files' names, by format.
var endings = map[string]string{"text": "txt", "json": "jsonl", "sarif": "sarif", "junit": "xml", "github": "log"}

func goldenFile(name, format string) string {
	return filepath.Join("testdata", name+"."+endings[format])
}

func TestGolden(t *testing.T) {
	for name, results := range golden {
		for _, format := range report.Formats() {
			compare(t, goldenFile(name, format), printed(t, format, options, results...))
		}
	}
	coloured := options
	coloured.Color = true
	compare(t, filepath.Join("testdata", "coloured.txt"), printed(t, "text", coloured, golden["usual"]...))
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s would now be\n%.3000s", file, got)
	}
}

func TestFormats(t *testing.T) {
	if got := fmt.Sprint(report.Formats()); got != "[text json sarif junit github]" {
		t.Errorf("the formats are %s", got)
	}
	_, err := report.New("yaml", io.Discard, options)
	if err == nil || !strings.Contains(err.Error(), `"yaml"`) ||
		!strings.Contains(err.Error(), "text, json, sarif, junit, github") {
		t.Errorf("an unknown format gives the error %v", err)
	}
}

// full is a writer that always fails.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestWriteError proves that no printer swallows an error of its writer.
func TestWriteError(t *testing.T) {
	for _, format := range report.Formats() {
		printer, err := report.New(format, full{}, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(printer.Print(golden["usual"][0]), printer.Close()); !errors.Is(err, errFull) {
			t.Errorf("%s: a full disk gives the error %v", format, err)
		}
	}
}

// TestNothingFound says what each format prints when there is nothing to say.
func TestNothingFound(t *testing.T) {
	for format, want := range map[string]string{
		"text":   "",
		"github": "",
		"json": `{"input":"a.trcxml","valid":true,"findings":[],"counts":{},"errors":0,"warnings":0,"hidden":0}` +
			"\n",
	} {
		if got := printed(t, format, options, result("a.trcxml")); string(got) != want {
			t.Errorf("%s prints %q, want %q", format, got, want)
		}
	}
}
