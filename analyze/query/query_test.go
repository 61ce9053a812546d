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

// asked is what an expression gives of a document, in the format.
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

// TestSelects is about what has to do with one element at a time; reference_test.go compares the rest with another
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
		"monWaited/annotation/..":             "1000.2",
		"//annotation/ancestor::*":            "1000.2",
		"//*[annotation[2]/@name='x']":        "1000.2",
		"//annotation[last()]/..":             "1000.2",
		"(//monWait)[@timeout = 50]":          "1000.3",
		"odd | monWait":                       "1000.100000000 1000.3 no",
		"//@timeout/..":                       "1000.100000000 1000.3",
		"//*[matches(@time, '\\.3$')]":        "1000.3",
		"//*[ends-with(@time, '.2')]":         "1000.2",
		"//*[o:deep]":                         "no",
		"//*[@o:a]":                           "no",
		"//*[@xmlns:o]":                       "",
		"//monWait[../@none]":                 "",
		"true()":                              "1000.0 1000.100000000 1000.2 1000.3 no",
		"//monWait and true()":                "1000.100000000 1000.3",
		"*[string-length() > 0]":              "no",
		"*[normalize-space() = 'textmore']":   "no",
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

func TestErrors(t *testing.T) {
	for expression, want := range map[string]struct {
		column int
		says   string
	}{
		"":                                    {1, "empty"},
		"  ":                                  {1, "empty"},
		"//monWait[@x":                        {13, "a ] is missing"},
		"//monWait[@x = 'a]":                  {16, "has no end"},
		"//monWait[@x = \u201ca\u201d]":       {16, `write quotes as " or '`},
		"//monWait[@x == 1]":                  {14, "one ="},
		"//monWait[@x <> 1]":                  {14, "!="},
		"//monWait[@x => 1]":                  {14, "write >="},
		"//monWait[@x && @y]":                 {14, "write and"},
		"//monWait[@x || @y]":                 {14, "write or"},
		"//monWait[!@x]":                      {11, "not(…)"},
		"//monWait[]":                         {11, "the brackets are empty"},
		"//monWait]":                          {10, "closes nothing"},
		"//monWait)":                          {10, "closes nothing"},
		"//monWait foo":                       {11, "operator"},
		"//monWait AND true()":                {11, "small letters"},
		"//":                                  {3, "missing"},
		"//@":                                 {4, "missing"},
		"monWait/":                            {9, "missing"},
		"//monWait[@x=$y]":                    {14, "variables"},
		"//monWait[.[1]]":                     {12, "self::node()"},
		"foo::bar":                            {1, "unknown axis"},
		"//monWait[contain(@x,'a')]":          {11, "did you mean contains"},
		"//monWait[upper-case(@x)='A']":       {11, "lower-case"},
		"//monWait[contains(@x)]":             {11, "2 arguments"},
		"//monWait[true(1)]":                  {16, "no arguments"},
		"//annotation[count(1)]":              {20, "path"},
		"//monWait[matches(@x,'(')]":          {22, "regular expression"},
		"//monWait[matches(@x,@y)]":           {22, "quotes"},
		"//monWait/position()":                {11, "cannot be a step"},
		"//monWait | 3":                       {13, "both sides"},
		"'x'[1]":                              {4, "is not allowed here"},
		"(1)[1]":                              {5, "follow a path"},
		"(1)/a":                               {1, "on paths only"},
		"//x:*":                               {3, "starts-with"},
		"//comment()":                         {3, "not kept"},
		"//namespace::a":                      {3, "namespaces"},
		"//monWait[1]":                        {11, "--max"},
		"//monWait[position() < 3]":           {11, "--max"},
		"//monWait[last()]":                   {11, "--max"},
		"/TRACE/*[@timeout][2]":               {20, "--max"},
		"(//monWait)[1]":                      {13, "--max 1"},
		"//monWait[@x]/following-sibling::*":  {15, "neighbours"},
		"//monWait/preceding::*":              {11, "neighbours"},
		"//annotation/following::*":           {14, "neighbours"},
		"//monWait/../threadEnd":              {14, "neighbours"},
		"//monWait[../threadEnd]":             {14, "neighbours"},
		"/TRACE[threadEnd]/monWait":           {8, "neighbours"},
		"//monWait[//threadEnd]":              {11, "other elements"},
		"//monWait[@x = /TRACE/threadEnd/@y]": {16, "other elements"},
		"/":                                   {1, "TRACE itself"},
		".":                                   {1, "TRACE itself"},
		"..":                                  {1, "TRACE itself"},
		"/TRACE":                              {1, "TRACE itself"},
		"/TRACE/@x":                           {1, "TRACE itself"},
		"@timeout > 0":                        {1, "TRACE itself"},
		"/monWait":                            {2, "/TRACE/monWait"},
		"/TRACE/annotation":                   {8, "//annotation"},
		"//@x/y":                              {6, "no children"},
		"count(//monWait)":                    {1, "--format count"},
		"string(//monWait/@time)":             {8, "write the path"},
		"sum(//monWait/@timeout)":             {1, "unknown function sum"},
		"1 + 1":                               {3, "a value"},
		"'x'":                                 {1, "a value"},
		"position() = 1":                      {1, "in [ ] only"},
		"//x[a[b] = c]":                       {5, "exchange them"},
		"//x[starts-with(a[b], @c)]":          {17, "exchange them"},
		"//x[string(a[b]) = @c]":              {5, ""},
		strings.Repeat("(", 60) + "1":         {51, "brackets are nested"},
		"//x[" + strings.Repeat("-", 20_000) + "1]": {16385, "more than"},
		"\x00":  {1, "not allowed in an expression"},
		"a\xff": {2, "not allowed in an expression"},
	} {
		_, err := query.Compile(expression)
		var wrong *query.Error
		if !errors.As(err, &wrong) {
			if want.says != "" {
				t.Errorf("%.60q: the error is %v", expression, err)
			}
			continue
		}
		if wrong.Column() != want.column || !strings.Contains(wrong.Message, want.says) {
			t.Errorf("%.60q: character %d: %s", expression, wrong.Column(), wrong.Message)
		}
	}
}

// TestLimits: an element on which an expression takes too long, or with too much inside, is reported with its place,
// and the elements after it are searched.
func TestLimits(t *testing.T) {
	for expression, inside := range map[string]string{
		"//odd[.//a[count(../a[count(../a[b]) > 0]) > 99999]]": strings.Repeat("<a><b/></a>", 3000),
		"//odd/b":      strings.Repeat("<b/>", 200_000),
		"//a//a//a//a": strings.Repeat("<a>", 240) + strings.Repeat("</a>", 240),
		"//*/@*":       strings.Repeat(`<b c="" d="" e="" f=""/>`, 30_000),
		"//odd[concat(" + strings.Repeat(".,", 20) + ".) = 'x']": strings.Repeat("x", 1<<20),
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

// FuzzExpressions: any expression is refused with a place, or answered.
func FuzzExpressions(f *testing.F) {
	for _, seed := range []string{
		"//monWait[@timeout > 0]", "//*[contains(@a, 'x')][not(b)]/@c | //d", "/TRACE/*/annotation[2]",
		"-(1 + 2) * 3 mod 4 div 5 = 6 or a and b != c",
		"substring(translate(normalize-space(.), 'a', 'b'), 1, 2) = concat('x', \"y\")",
		"self::*/descendant-or-self::x/ancestor::y[position() = last()]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		q, err := query.Compile(expression)
		var wrong *query.Error
		if err != nil {
			if !errors.As(err, &wrong) || wrong.At > len(expression) ||
				strings.Contains(wrong.Message, "cannot be evaluated") {
				t.Fatalf("%q: %v", expression, err)
			}
			return
		}
		if _, err := answered(q, sample, q.Formats()[0]); err != nil {
			t.Fatalf("%q: %v", expression, err)
		}
	})
}
