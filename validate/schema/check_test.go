package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate/schema"
)

var samples = map[string]string{schema.Model: document, schema.Lines: lines}

// TestCutOffAnywhere cuts models at every byte. The text before the cut is right, so the only finding is the cut, at
// the token that is cut off.
func TestCutOffAnywhere(t *testing.T) {
	for name, text := range samples {
		end := len(strings.TrimRight(text, "\n"))
		for cut := range end {
			findings := check(t, name, []byte(text[:cut]))
			if len(findings) != 1 || findings[0].Rule != trcxml.RuleTruncated {
				t.Fatalf("%s cut off at %d: %v", name, cut, findings)
			}
			at := int(findings[0].Place.Offset)
			if at > cut || at < cut && strings.ContainsAny(text[at:cut], ",:{}[]\n") {
				t.Errorf("%s cut off at %d: the place is %d", name, cut, at)
			}
		}
		if findings := check(t, name, []byte(text[:end])); len(findings) != 0 {
			t.Errorf("%s without the last line feed: %v", name, findings)
		}
	}
}

// TestPiecesOfOneByte reads byte by byte, so that every token is cut everywhere.
func TestPiecesOfOneByte(t *testing.T) {
	const hard = `{"a\u00e9\ud83d\ude00\ud83dx\ud83d\u0041":[-0.50e+17,true,false,null,"é€😀\\"],"b":"\ud83d"}`
	for name, text := range samples {
		for _, text := range []string{text, "\xEF\xBB\xBF" + text, hard, strings.Replace(hard, "}", ",", 1),
			text[:300] + "\xF0\x9F\x98", text[:300] + "\xF0\x9F\x41"} {
			var got []trace.Finding
			in := iotest.OneByteReader(strings.NewReader(text))
			must(t, schema.Check(context.Background(), in, name, func(f trace.Finding) { got = append(got, f) }))
			if want := check(t, name, []byte(text)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %.60q: byte by byte %v, at once %v", name, text, got, want)
			}
		}
	}
}

// TestByteOrderMark checks that a mark counts as three spaces.
func TestByteOrderMark(t *testing.T) {
	for name, text := range samples {
		changed := strings.Replace(text, `"version":1`, `"version":2`, 1)
		want := check(t, name, []byte("   "+changed))
		if got := check(t, name, []byte("\xEF\xBB\xBF"+changed)); len(got) != 1 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestSyntax compares with encoding/json, which does not require UTF-8.
func TestSyntax(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `tru`, `truex`, `nul`, `NULL`, `0`, `-0`, `00`, `01`, `-`, `+1`, `1.`, `.5`, `1.5`, `1e5`,
		`1E+5`, `1e-5`, `1e`, `1e+`, `0x1`, `1_000`, `Infinity`, `NaN`,
		`""`, `"a`, `"\"`, `"\\"`, `"\/\b\f\n\r\t\""`, `"\u0041"`, `"\u004"`, `"\u004G"`, `"\U0041"`, `"\'"`, `"\x41"`,
		`'a'`, "\"\x00\"", "\"\x1f\"", "\"\x7f\"", "\"\n\"",
		"\"\xff\"", "\"\xc0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xed\xb0\x80\"", "\"\xe2\x82\"", `"\ud800"`,
		`"\udc00\ud800"`, `"\ud800\u0041"`, `"\ud83d\ude00"`, "\"\u2028\"",
		`[]`, `[`, `]`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `[1]]`, `[1}`, `[[],[[]],{}]`, `{}`, `{`, `{"a"`, `{"a":`,
		`{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{"a"::1}`,
		`{"a":1 "b":2}`, `{1:2}`, `{"a":1]`, `{,}`,
		" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n{ \t\r\n\"a\" \t\r\n: \t\r\n1 \t\r\n} \t\r\n] \t\r\n", "\v1", "\u00a01",
		"1\x00", `// a
1`, `/* a */ 1`, `1 2`, `{} {}`, ``, ` `,
	} {
		counts := rules(check(t, schema.Model, []byte(text)))
		want := json.Valid([]byte(text)) && utf8.ValidString(text)
		if got := counts[schema.RuleSyntax]+counts[trcxml.RuleTruncated] == 0; got != want {
			t.Errorf("%q is JSON: %v, want %v", text, got, want)
		}
	}
}

func TestRecognise(t *testing.T) {
	for head, want := range map[string]string{
		document: schema.Model, lines: schema.Lines,
		"\xEF\xBB\xBF \r\n\t" + lines:               schema.Lines,
		"\n" + document:                             schema.Model,
		`{"format":"trcx-model","kind":"trace"}`:    schema.Lines,
		`{"deadlocks":[`:                            schema.Model,
		`{"a":[1,2,{"b":"}"}]}` + "\n" + `{"kind":`: schema.Lines,
		`{"a":[1,2,{"b":"}"}]}` + "\n":              schema.Model,
		`{`:                                         schema.Model,
		`{"kind`:                                    schema.Model,
		`{}`:                                        schema.Model,
		`{"name":"some package","version":"1.0.0"}`: schema.Model,
		`{"a":]`:                     schema.Model,
		"":                           "",
		" ":                          "",
		"[]":                         "",
		`"kind"`:                     "",
		"null":                       "",
		"<TRACE>":                    "",
		"{\\rtf1":                    "",
		"{kind:":                     "",
		"{ 1":                        "",
		"\x1f\x8b\x08":               "",
		"PK\x03\x04":                 "",
		"\xFF\xFE{\x00":              "",
		strings.Repeat("[", 100_000): "",
		`{"a":` + strings.Repeat(`{"a":`, 100_000):      schema.Model,
		`{"a":"` + strings.Repeat("\\u00e9", 100) + `"`: schema.Model,
	} {
		if got, ok := schema.Recognise([]byte(head)); got != want || ok != (want != "") {
			t.Errorf("%.60q is recognised as %q (%v), want %q", head, got, ok, want)
		}
	}
	for name, text := range samples {
		for cut := 8; cut < len(text); cut++ {
			if got, ok := schema.Recognise([]byte(text[:cut])); got != name || !ok {
				t.Errorf("the first %d bytes of %s are recognised as %q (%v)", cut, name, got, ok)
			}
		}
	}
}

// TestLimits checks inputs beyond a limit and just within it. Nothing else is found.
func TestLimits(t *testing.T) {
	const time, large = `"time":30`, 3 << 20
	many := func(item string, n int) string { return "[" + strings.Repeat(item+",", n) + item + "]" }
	for name, test := range map[string]struct {
		old, new string
		limit    bool
	}{
		"a long string":               {time, `"time":30,"new":"` + strings.Repeat("x", large) + `"`, true},
		"a long string nobody reads":  {`"version":1`, `"version":1,"new":"` + strings.Repeat("x", large) + `"`, true},
		"a long name":                 {time, `"time":30,"` + strings.Repeat("é", large) + `":1`, true},
		"a long number":               {time, `"time":1` + strings.Repeat("0", large), true},
		"much white space":            {time, `"time":` + strings.Repeat(" ", large) + `30`, true},
		"white space after the end":   {`[1,2]}]}`, `[1,2]}]}` + strings.Repeat("\n", large) + `}`, true},
		"many values":                 {time, `"time":30,"new":` + many("0", large), true},
		"many objects":                {time, `"time":30,"new":` + many("{}", large), true},
		"many ids":                    {`"runningEvents":[4]`, `"runningEvents":` + many("4", large), true},
		"a large exponent":            {time, `"time":1e309`, true},
		"a monstrous exponent":        {time, `"time":1e99999999999999999999`, true},
		"a large number nobody reads": {`"version":1`, `"version":1,"new":-1e999`, true},
		"a thread's own members":      {`"name":"Grüße 😀"`, `"name":"` + strings.Repeat("😀", large) + `"`, true},
		"the document's own":          {`"counts":{"monWait":2}`, `"counts":{"x":1e999}`, true},
		"depth":                       {time, `"time":30,"new":` + strings.Repeat("[", 252) + strings.Repeat("]", 252), true},
		"depth nobody reads":          {`"version":1`, `"version":1,"new":` + strings.Repeat(`{"a":`, 1_000_000), true},
		"nearly too deep":             {time, `"time":30,"new":` + strings.Repeat("[", 251) + strings.Repeat("]", 251), false},
		"nearly too long":             {time, `"time":30,"new":"` + strings.Repeat("x", 1<<20-100) + `"`, false},
		"nearly too many values":      {time, `"time":30,"new":` + many("0", 1<<19-100), false},
		"a large number":              {time, `"time":1e308`, false},
		"a tiny number":               {time, `"time":1e-999999999`, false},
		"much that nobody knows":      {`"version":1`, `"version":1,"new":` + many(`{"a":[0,"b"]}`, 1<<18), false},
		"depth that nobody knows":     {`"version":1`, `"version":1,"new":` + many(strings.Repeat("[", 254)+strings.Repeat("]", 254), 9), false},
	} {
		changed := strings.Replace(document, test.old, test.new, 1)
		findings := check(t, schema.Model, []byte(changed))
		if got := rules(findings)[schema.RuleLimit] > 0; got != test.limit || len(findings) > 1 {
			t.Errorf("%s: %.1000v", name, findings)
		}
		for _, f := range findings {
			if at := int64(strings.Index(changed, test.new)); f.Place.Offset < at || len(f.Message) > 1000 {
				t.Errorf("%s at %d: %v: a message of %d bytes", name, at, f.Place, len(f.Message))
			}
		}
	}
}

// TestLimitsInLines checks that the lines after one that exceeds a limit are validated.
func TestLimitsInLines(t *testing.T) {
	for name, value := range map[string]string{
		"long": `"` + strings.Repeat("x", 3<<20) + `"`, "deep": strings.Repeat("[", 300) + strings.Repeat("]", 300),
		"large": "1e999",
	} {
		text := strings.Replace(lines, `"time":10`, `"time":10,"new":`+value, 1)
		findings := check(t, schema.Lines, []byte(strings.Replace(text, `"running":4`, `"running":"4"`, 1)))
		if len(findings) != 2 || findings[0].Rule != schema.RuleLimit || findings[0].Place.Line != 6 ||
			findings[1].Place.Line != 9 {
			t.Errorf("%s: %v", name, findings)
		}
	}
}

// TestNothingIsLoaded checks documents that name schemas, some of them existing files. The findings have nothing of the
// files, and are the same as without these members.
func TestNothingIsLoaded(t *testing.T) {
	folder := t.TempDir()
	for _, url := range []string{"file:///etc/hostname", "file://" + folder + "/schema.json",
		"http://127.0.0.1:1/schema", "https://json-schema.org/draft/2020-12/schema", "#/$defs/none", "?"} {
		named := fmt.Sprintf(`"$schema":%q,"$ref":%[1]q,"$id":%[1]q,"$dynamicRef":%[1]q,`, url)
		for name, text := range samples {
			for _, member := range []string{`"version"`, `"threadId"`, `"time"`, `"objectId"`, `"startTime"`} {
				if findings := check(t, name, []byte(strings.Replace(text, member, named+member, 1))); len(
					findings) != 0 {
					t.Errorf("%s: %s before %s: %v", name, url, member, findings)
				}
			}
		}
	}
}

// TestSchemasCanBeTakenApart proves what streaming relies on. For lists that are read item by item the schema
// constrains only the items. Only runningEvents must have unique items. Every condition is one that is looked up.
func TestSchemasCanBeTakenApart(t *testing.T) {
	for _, name := range schema.Names() {
		text, _ := schema.Text(name)
		written, err := decode([]byte(text))
		must(t, err)
		listsOf(t, name, "", written)
	}
}

func listsOf(t *testing.T, at, name string, v any) {
	object, _ := v.(map[string]any)
	streamed := strings.HasPrefix(at, "model") && (name == "threads" || name == "events" || name == "objects" ||
		name == "deadlocks" || name == "sessions")
	if streamed && object["items"] != nil {
		for keyword := range object {
			if keyword != "type" && keyword != "items" && keyword != "description" {
				t.Errorf("%s demands %s", at, keyword)
			}
		}
	}
	if object["uniqueItems"] != nil && name != "runningEvents" {
		t.Errorf("%s demands uniqueItems", at)
	}
	if condition, ok := object["if"].(map[string]any); ok {
		members, _ := condition["properties"].(map[string]any)
		if len(object) != 2 || object["then"] == nil || len(condition) != 2 || len(members) != 1 ||
			condition["required"] == nil {
			t.Errorf("%s is not the condition that a member is a text", at)
		}
	}
	for inner, v := range object {
		listsOf(t, at+"/"+inner, inner, v)
	}
	items, _ := v.([]any)
	for i, v := range items {
		listsOf(t, fmt.Sprint(at, "/", i), "", v)
	}
}

func TestErrorsOfReading(t *testing.T) {
	for name, text := range samples {
		for _, cut := range []int{0, 10, 200, len(text)} {
			in := io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(fs.ErrPermission))
			err := schema.Check(context.Background(), in, name, func(f trace.Finding) {
				t.Errorf("%s at %d: %v", name, cut, f)
			})
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s at %d: %v", name, cut, err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := schema.Check(ctx, strings.NewReader(text), name, func(f trace.Finding) { t.Error(f) }); !errors.Is(
			err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if err := schema.Check(context.Background(), idle{}, name, func(f trace.Finding) { t.Error(f) }); !errors.Is(
			err, io.ErrNoProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := schema.Check(context.Background(), strings.NewReader("{}"), "trcxml", func(f trace.Finding) {
		t.Error(f)
	}); err == nil {
		t.Error("trcxml has no JSON Schema")
	}
}

// idle is a reader that never comes to an end.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// endless generates a head, repetitions of a part up to the size, and a tail, and measures the heap meanwhile.
type endless struct {
	rest []byte
	part func(i int) string
	tail string
	i    int
	left int
	peak uint64
}

func (e *endless) Read(b []byte) (int, error) {
	if len(e.rest) == 0 {
		switch {
		case e.left > 0:
			e.rest = []byte(e.part(e.i))
			e.i++
			if e.left -= len(e.rest); e.left <= 0 {
				e.rest = append(e.rest, e.tail...)
			}
			e.measure()
		default:
			return 0, io.EOF
		}
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func (e *endless) measure() {
	if e.i%500 == 0 {
		runtime.GC() // a busy machine collects late
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		e.peak = max(e.peak, stats.HeapAlloc)
	}
}

// mostHeap limits the heap for a model of any length.
const mostHeap = 32 << 20

// TestMemory reads generated models that are never in memory as a whole; the one with events has 200 MB. Most of it is
// long names, which take little time to check.
func TestMemory(t *testing.T) {
	testtool.Long(t)
	name := strings.Repeat("n", 20_000)
	begin := document[:strings.Index(document, `"threads"`)]
	for what, text := range map[string]*endless{
		"objects": {rest: []byte(begin + `"threads":[],"deadlocks":[],"objects":[{"objectId":"1","session":0}`),
			tail: "]}\n",
			part: func(i int) string {
				return fmt.Sprintf(",\n"+`{"objectId":"%d","class":"%s","session":0}`, i+2,
					name)
			}},
		"threads": {
			rest: []byte(begin +
				`"objects":[],"deadlocks":[],"threads":[{"key":1,"threadId":"1","session":0,"events":[]}`),
			tail: "]}\n",
			part: func(i int) string {
				return fmt.Sprintf(",\n"+`{"key":%d,"threadId":"1","name":"%s","session":0,"events":[]}`, i+2, name)
			}},
		"events": {
			rest: []byte(begin +
				`"objects":[],"deadlocks":[],"threads":[{"key":1,"threadId":"1","session":0,"events":[{"id":1,"type":"TRCThreadDeadEvent","time":1}`), tail: "]}]}\n",
			part: func(i int) string {
				return fmt.Sprintf(",\n"+
					`{"id":%d,"type":"TRCThreadDeadEvent","time":1,"stack":[{"class":"%s","method":"run"}]}`, i+2, name)
			}},
		"what no schema knows": {rest: []byte(begin + `"threads":[],"objects":[],"deadlocks":[],"new":[[]`),
			tail: "]}\n",
			part: func(int) string { return ",\n" + `[{"a":["` + name + `"]}]` }},
		"members": {rest: []byte(begin + `"threads":[],"objects":[],"deadlocks":[]`), tail: "}\n",
			part: func(i int) string { return fmt.Sprintf(`,"%d%s":0`, i, name) }},
	} {
		text.left = 50 << 20
		if what == "events" {
			text.left = testtool.Times(200 << 20)
		}
		count := 0
		must(t, schema.Check(context.Background(), text, schema.Model, func(f trace.Finding) {
			if count++; f.Element != "/trace/events" {
				t.Errorf("%s: %v", what, f)
			}
		}))
		if count != 1 && what != "what no schema knows" {
			t.Errorf("%s: %d findings", what, count)
		}
		if text.peak == 0 || text.peak > mostHeap {
			t.Errorf("%s: the heap grew to %d bytes", what, text.peak)
		}
	}
}

func TestMemoryOfLines(t *testing.T) {
	testtool.Long(t)
	first, _, _ := strings.Cut(lines, "\n")
	name := strings.Repeat("n", 20_000)
	text := &endless{rest: []byte(first), left: testtool.Times(200 << 20),
		tail: "\n" + `{"kind":"end","duration":50,"events":0,"truncated":false,"counts":{}}`,
		part: func(i int) string {
			return fmt.Sprintf("\n"+`{"kind":"thread","key":%d,"threadId":"7","name":"%s","session":0}`, i+1, name)
		}}
	must(t, schema.Check(context.Background(), text, schema.Lines, func(f trace.Finding) { t.Error(f) }))
	if text.peak == 0 || text.peak > mostHeap {
		t.Errorf("the heap grew to %d bytes", text.peak)
	}
}

// FuzzCheck compares with encoding/json and with the library on any bytes.
func FuzzCheck(f *testing.F) {
	for name, text := range samples {
		f.Add([]byte(text), name == schema.Lines)
	}
	f.Fuzz(func(t *testing.T, text []byte, asLines bool) {
		name := schema.Model
		if asLines {
			name = schema.Lines
		}
		schema.Recognise(text)
		findings := check(t, name, text)
		places(t, name, text, findings)
		counts := rules(findings)
		body := bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
		twice := slices.ContainsFunc(findings, func(f trace.Finding) bool { return strings.Contains(f.Message, "of this name") })
		if counts[schema.RuleLimit] > 0 || twice {
			return // what follows is not read
		}
		if asLines {
			brokenLines(t, body, counts, findings)
			return
		}
		isJSON := counts[schema.RuleSyntax]+counts[trcxml.RuleTruncated] == 0
		if isJSON != wellFormed(body) {
			t.Fatalf("it is JSON: %v: %v", isJSON, findings)
		}
		if isJSON && counts[schema.RuleModel] == 0 {
			if got, want := counts[schema.RuleSchema] == 0, fits(t, name, body); got != want {
				t.Fatalf("it fits: %v, want %v: %v", got, want, findings)
			}
		}
	})
}

func wellFormed(text []byte) bool { return json.Valid(text) && utf8.Valid(text) }

// brokenLines checks that each line that is not JSON has a finding; the last one may be reported as cut off instead.
func brokenLines(t *testing.T, text []byte, counts map[string]int, findings []trace.Finding) {
	t.Helper()
	broken, last := 0, 0
	for line := range bytes.Lines(text) {
		last = 0
		if len(bytes.Trim(line, " \t\r\n")) > 0 && !wellFormed(line) {
			broken++
			last = 1
		}
	}
	if got := counts[schema.RuleSyntax]; got != broken && (got != broken-last || counts[trcxml.RuleTruncated] == 0) {
		t.Fatalf("%d lines are broken: %v", broken, findings)
	}
}
