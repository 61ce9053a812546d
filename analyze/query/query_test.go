package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/query"
	"github.com/trcx/trcx/convert/trcxml"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// asked returns the result of an expression for a document, in the format.
func asked(t testing.TB, document, expression, format string) string {
	t.Helper()
	q, err := query.Compile(expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	out, err := answered(q, document, format)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return out
}

func answered(q *query.Query, document, format string) (string, error) {
	var out bytes.Buffer
	printer := query.NewPrinter(format, &out, emit.Append)
	finder := query.NewFinder(q, printer.Result)
	finder.Document = "a.trcxml"
	_, err := trcxml.Read(context.Background(), strings.NewReader(document), trcxml.Options{}, finder.Put)
	err = errors.Join(err, printer.Close(finder.Found()))
	return out.String(), err
}

const sample = `<?xml version="1.0"?>
<TRACE>
<threadStart threadId="1" time="1000.0" threadName="main" groupName="" parentName="" objIdRef="9"/>
<monWait threadIdRef="1" time="1000.100000000" objIdRef="7" timeout="0"/>
<monWaited objIdRef='7' threadIdRef='1' time="1000.2" isTimedOut="0"><annotation name="stack" value="1:2 3"/><annotation name="x" value="a &amp; &lt;b&gt;"/></monWaited>
<monWait threadIdRef="2" time="1000.3" objIdRef="8" timeout="50" extra="e"/>
<odd xmlns:o="urn:o" o:a="1"><o:deep><deeper>text</deeper></o:deep>more</odd>
</TRACE>
`

func TestFormats(t *testing.T) {
	for _, c := range []struct{ expression, format, want string }{
		{"//monWait", "trcxml", `<?xml version="1.0" encoding="UTF-8"?>
<TRACE>
<monWait threadIdRef="1" time="1000.100000000" objIdRef="7" timeout="0"/>
<monWait threadIdRef="2" time="1000.3" objIdRef="8" timeout="50" extra="e"/>
</TRACE>
`},
		{"//nothing", "trcxml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TRACE>\n</TRACE>\n"},
		{"monWaited", "trcxml", `<?xml version="1.0" encoding="UTF-8"?>
<TRACE>
<monWaited threadIdRef="1" time="1000.2" objIdRef="7" isTimedOut="0"><annotation name="stack" value="1:2 3"/><annotation name="x" value="a &amp; &lt;b>"/></monWaited>
</TRACE>
`},
		{"//annotation", "trcxml", `<?xml version="1.0" encoding="UTF-8"?>
<TRACE>
<annotation name="stack" value="1:2 3"/>
<annotation name="x" value="a &amp; &lt;b>"/>
</TRACE>
`},
		{"odd/*", "trcxml",
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TRACE>\n<o:deep><deeper>text</deeper></o:deep>\n</TRACE>\n"},
		{"//monWait/@timeout", "text", "0\n50\n"},
		{"//deeper/text() | odd/text()", "text", "text\nmore\n"},
		{"//*", "count", "9\n"},
		{"//nothing", "count", "0\n"},
		{"/TRACE/monWait[@timeout>0]", "json",
			`{"element":"monWait","attributes":{"threadIdRef":"2","time":"1000.3","objIdRef":"8","timeout":"50","extra":"e"},"document":"a.trcxml","line":6,"offset":374}` + "\n"},
		{"//@extra", "json",
			`{"attribute":"extra","value":"e","element":"monWait","document":"a.trcxml","line":6,"offset":374}` + "\n"},
		{"//deeper/text()", "json", `{"text":"text","element":"deeper","document":"a.trcxml","line":7,"offset":451}` +
			"\n"},
		{"odd", "json",
			`{"element":"odd","attributes":{"xmlns:o":"urn:o","o:a":"1"},"children":[{"element":"o:deep","attributes":{},` +
				`"children":[{"element":"deeper","attributes":{},"children":[],"text":"text"}]}],"text":"more","document":"a.trcxml","line":7,"offset":451}` + "\n"},
	} {
		if got := asked(t, sample, c.expression, c.format); got != c.want {
			t.Errorf("%s as %s:\n%s\nwant\n%s", c.expression, c.format, got, c.want)
		}
	}
}

// TestSelects tests what depends on one element at a time; reference_test.go compares the rest with another
// implementation.
func TestSelects(t *testing.T) {
	for expression, want := range map[string]string{
		"monWait":                             "1000.100000000 1000.3",
		"TRACE/monWait":                       "1000.100000000 1000.3",
		"/TRACE/monWait":                      "1000.100000000 1000.3",
		"/*/monWait":                          "1000.100000000 1000.3",
		"//monWait/@timeout > 0":              "1000.3",
		"monWait/@timeout = 0":                "1000.100000000",
		"not(//@time)":                        "no",
		"//annotation":                        "no no",
		"count(*/annotation) = 2":             "1000.2",
		"*[annotation]":                       "1000.2",
		"//*[annotation[2]/@name='x']":        "1000.2",
		"(//monWait)":                         "1000.100000000 1000.3",
		"odd | monWait":                       "1000.100000000 1000.3 no",
		"//*[matches(@time, '\\.3$')]":        "1000.3",
		"//*[ends-with(@time, '.2')]":         "1000.2",
		"//*[*[name() = 'o:deep']]":           "no",
		"//*[@* = 'urn:o']":                   "",
		"//*[count(@*) = 1]":                  "no",
		"true()":                              "1000.0 1000.100000000 1000.2 1000.3 no",
		"//monWait and true()":                "1000.100000000 1000.3",
		"//odd and (//deeper or //monWait)":   "no",
		"*[string-length(.) > 0]":             "no",
		"*[. = 'textmore']":                   "no",
		"*[lower-case(@threadName) = 'main']": "1000.0",
	} {
		var times []string
		for line := range strings.Lines(asked(t, sample, expression, "json")) {
			var result struct{ Attributes map[string]string }
			if err := json.Unmarshal([]byte(line), &result); err != nil {
				t.Fatal(err)
			}
			time, ok := result.Attributes["time"]
			if !ok {
				time = "no"
			}
			times = append(times, time)
		}
		if got := strings.Join(times, " "); got != want {
			t.Errorf("%s selects %q, want %q", expression, got, want)
		}
	}
}

// TestNumbers tests texts that are numbers for Go, and some of them for libxml2, but not for XPath 1.0.
func TestNumbers(t *testing.T) {
	document := `<TRACE><a b="1e3"/><a b="+1000"/><a b="Infinity"/><a b="0x1p10"/><a b="&#160;1000"/><a b=" 1000 "/><a/></TRACE>`
	for expression, want := range map[string]string{
		"//a[@b = 1000]": "1", "//a[@b > 5]": "1", "//a[@b >= -5]": "1", "//a[@b != 1000]": "5", "//a[@b != 5]": "6",
		"//*[*/@b > 5]": "0", "//a[@b > 5] | //a[@b != 5]": "6", "a/@b <= 1000": "1", "a/@b != 1000": "5",
	} {
		if got := asked(t, document, expression, "count"); got != want+"\n" {
			t.Errorf("%s selects %q, want %s", expression, got, want)
		}
	}
	nested := strings.ReplaceAll(document, "TRACE>", "odd>")
	if got := asked(t, "<TRACE>"+nested+"</TRACE>", "//odd/a[@b = 1000] | //odd[a/@b > 1000]", "count"); got != "1\n" {
		t.Errorf("inside of an element, %q are found", got)
	}
}

func TestErrors(t *testing.T) {
	for expression, want := range map[string]struct {
		column int
		says   string
	}{
		"":                              {1, "want the name"},
		"//monWait[@x":                  {13, "a ] is missing"},
		"//monWait[@x = 'a]":            {16, "has no end"},
		"//monWait[@x = \u201ca\u201d]": {16, `write quotes as " or '`},
		"//\u00e9[@x == 1]":             {3, "want the name"},
		"//monWait[@x == 1]":            {14, "one ="},
		"//monWait[@x <> 1]":            {14, "!="},
		"//monWait[@x && @y]":           {14, "write and"},
		"//monWait[!@x]":                {11, "not(…)"},
		"//monWait[contain(@x,'a')]":    {11, "the function contain is not supported"},
		"//monWait[matches(@x,'(')]":    {1, "error parsing regexp"},
		"//monWait[1]":                  {11, "a limit of 1"},
		"//monWait[@x]/following::*":    {15, "following:: cannot be a step"},
		"//monWait[//threadEnd]":        {11, "in [ ] with a name, @ or .//"},
		"//annotation/..":               {14, "write a condition in [ ]"},
		"/":                             {1, "/TRACE/ or a name"},
		"/monWait":                      {1, "/TRACE/ or a name"},
		"count(//monWait)":              {1, "the format count"},
		"//monWait | 3":                 {13, "want the path"},
		"(//a | //b)":                   {6, "in conditions write or"},
		"//x:y":                         {4, "name() = 'a:b'"},
	} {
		_, err := query.Compile(expression)
		var wrong *query.Error
		if !errors.As(err, &wrong) || wrong.Column() != want.column || !strings.Contains(wrong.Message, want.says) {
			t.Errorf("%.60q: %v", expression, err)
		}
	}
}

// TestLimits: an element with too much inside, or on which an expression takes too long, is reported with its place,
// and the elements after it are searched.
func TestLimits(t *testing.T) {
	for expression, inside := range map[string]string{
		"//odd[count(.//a[.//a[.//a[.//a[.//b]]]]) > 0]": strings.Repeat("<a>", 240) + strings.Repeat("</a>", 240),
		"//odd/b":      strings.Repeat("<b/>", 200_000),
		"//a//a//a//a": strings.Repeat("<a>", 240) + strings.Repeat("</a>", 240),
		"//*/@*":       strings.Repeat(`<b c="" d="" e="" f=""/>`, 30_000),
		"//odd[" + strings.Repeat(". = 'y' or ", 20) + ". = 'x']": strings.Repeat("x", 1<<20),
		"//a[.//a = 'x']": strings.Repeat("<a>", 200) + strings.Repeat("<a/>", 90_000) + strings.Repeat("</a>", 200),
	} {
		document := "<TRACE>\n<odd>" + inside + "</odd>\n<odd><b/>text</odd><monWait/></TRACE>"
		q, err := query.Compile(expression + " | //monWait")
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		finder := query.NewFinder(q, func(r *query.Result) error {
			found = append(found, r.Event.Name())
			return nil
		})
		var reported []trace.Finding
		finder.Report = func(_ string, f trace.Finding) { reported = append(reported, f) }
		_, err = trcxml.Read(context.Background(), strings.NewReader(document), trcxml.Options{}, finder.Put)
		if err != nil || !slices.Contains(found, "monWait") {
			t.Errorf("%.60s: found %v: %v", expression, found, err)
		}
		if len(reported) != 1 || reported[0].Rule != query.RuleLimit || reported[0].Place.String() != "2:1" {
			t.Errorf("%.60s: reported %v", expression, reported)
		}
		if _, err = answered(q, document, "json"); err == nil || !strings.HasPrefix(err.Error(), "a.trcxml:2:1: ") {
			t.Errorf("%.60s: without Report the error is %v", expression, err)
		}
	}
}

func TestMax(t *testing.T) {
	q, err := query.Compile("//*")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	finder := query.NewFinder(q, func(r *query.Result) error {
		names = append(names, r.Node.Data)
		return nil
	})
	finder.Most = 4
	_, err = trcxml.Read(context.Background(), strings.NewReader(sample), trcxml.Options{}, finder.Put)
	if !errors.Is(err, query.ErrEnough) || strings.Join(names, " ") != "threadStart monWait monWaited annotation" {
		t.Errorf("%v: %v", names, err)
	}
}

// TestNested: the text written for the library grows linearly with the expression.
func TestNested(t *testing.T) {
	for _, sign := range []string{"!=", "=", "<"} {
		expression := "//a" + strings.Repeat("[a", 60) + strings.Repeat(sign+"1]", 60)
		if got := asked(t, sample, expression, "count"); got != "0\n" {
			t.Errorf("%.60s selects %q", expression, got)
		}
	}
}

// TestContent: an element with any number of texts, or one that no reader wrote, cannot stop a query.
func TestContent(t *testing.T) {
	texts := strings.Repeat("x&amp;<!-- -->", 400_000)
	if got := asked(t, "<TRACE><odd>"+texts+"</odd></TRACE>", "//odd[contains(., 'x&x')]", "count"); got != "1\n" {
		t.Errorf("found %q", got)
	}
	q, err := query.Compile("//odd")
	if err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{"<", "</", "</x></x></x>", "<x", "<x a", "<x a=", "<x a='b'>", "<x a=\"b", "<>", "<x/", "&#;"} {
		finder := query.NewFinder(q, func(*query.Result) error { return nil })
		e := &trace.Event{Extra: &trace.Extra{Name: "odd", Inner: []byte(inside)}}
		if err := finder.Put(e); err != nil && !strings.Contains(err.Error(), "the expression cannot be evaluated") {
			t.Errorf("%q: %v", inside, err)
		}
	}
}

// FuzzExpressions: any expression is refused with a place, or evaluated, on any element.
func FuzzExpressions(f *testing.F) {
	for _, seed := range []string{
		"//monWait[@timeout > 0]", "//*[contains(@a, 'x')][not(b)]/@c | //d", "/TRACE/*/annotation[2]",
		"//a[count(.//b) > 1 and (name() = 'c' or @d != -1.5)]/text()",
		"substring-after(lower-case(a/@b), 'x') = 'y'", "//a//b//c[last()]", "//*[@a = @b]//@*",
	} {
		f.Add(seed, "<a b='1'><c>x</c>y</a>")
	}
	f.Fuzz(func(t *testing.T, expression, inside string) {
		q, err := query.Compile(expression)
		var wrong *query.Error
		if err != nil {
			if !errors.As(err, &wrong) || wrong.At > len(expression) {
				t.Fatalf("%q: %v", expression, err)
			}
			return
		}
		for _, document := range []string{sample, "<TRACE><odd>" + inside + "</odd></TRACE>"} {
			if _, err := answered(q, document, q.Formats()[0]); err != nil && !strings.Contains(err.Error(), "left out") {
				t.Fatalf("%q in %q: %v", expression, inside, err)
			}
		}
	})
}
