package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate/schema"
)

// compile compiles a schema with a loader that reads only the embedded files.
func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = func(url string) (io.ReadCloser, error) {
		if text, ok := schema.Text(strings.TrimPrefix(url, "embedded:///")); ok {
			return io.NopCloser(strings.NewReader(text)), nil
		}
		return nil, fmt.Errorf("%s is not embedded", url)
	}
	schema, err := compiler.Compile("embedded:///" + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// decode reads JSON as the schema's validator wants it: numbers exactly as written.
func decode(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("more than one value: %.300s", text)
	}
	return value
}

// write puts the model of the documents, each a session, into the sink.
func write(t *testing.T, sink trace.Sink, documents ...[]byte) {
	t.Helper()
	enricher := enrich.New(sink, enrich.Options{})
	for session, document := range documents {
		check(t, enricher.Begin(session))
		ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{Session: session},
			enricher.Put)
		check(t, err)
		check(t, enricher.End(ending))
	}
	check(t, enricher.Finish())
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func grouped(t *testing.T, documents ...[]byte) []byte {
	t.Helper()
	return groupedIn(t, 0, documents...)
}

// groupedIn returns the model as JSON, sorted in the bytes of memory.
func groupedIn(t *testing.T, memory int, documents ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	sink := model.NewWriter(&out, model.Options{TempDir: t.TempDir(), Memory: memory})
	write(t, sink, documents...)
	check(t, sink.Close())
	return out.Bytes()
}

func lines(t *testing.T, documents ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	write(t, model.NewWriter(&out, model.Options{Format: model.JSONLines}), documents...)
	return out.Bytes()
}

// documents returns simulated, chaotic, recorded and hostile traces.
func documents(t *testing.T) map[string][]byte {
	all := map[string][]byte{
		"empty":     []byte("<TRACE/>"),
		"fragments": []byte(`<threadStart threadId="a" time="1" threadName="x" objIdRef="0x1"/>`),
		"hostile": []byte(
			`<TRACE><threadStart threadId="&quot;\u0000" time="1" threadName="&lt;/script&gt;\uD800 &#x202E;&#13;" groupName="\u005Cu0000"/>` +
				`<monWait threadIdRef="&quot;\u0000" time="0.5" objIdRef="&lt;" timeout="99999999999999999999"/></TRACE>`),
		"hostile stacks": []byte(
			`<TRACE><classDef name="&quot;},{&quot;\u0000" sourceName="&lt;/script&gt;\uD800&#13;" classId="a"/>` +
				`<methodDef name="\xFF&#x202E;\" methodId="&quot;&#9;" classIdRef="a"/><monWait threadIdRef="1" time="0.5">` +
				`<annotation name="stack" value="&quot;&#9;:0 &lt;:2147483647 &quot;&#9;"/></monWait></TRACE>`),
		"a large stack": []byte(`<TRACE><methodDef name="` + strings.Repeat("\\u0000", 10_000) +
			`" methodId="1"/><monWait threadIdRef="1" time="0.5">` +
			`<annotation name="stack" value="` + strings.Repeat("1 ", 500_000) + `1"/></monWait></TRACE>`),
		"deadlock": []byte(
			`<TRACE><monContendedEnter threadIdRef="1" time="1" objIdRef="8" threadOwner="2"/><monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/></TRACE>`),
	}
	for seed := range testtool.Times(uint64(60)) {
		all[fmt.Sprint("simulated ", seed)] = enrichtest.Simulate(seed, 150).XML
		all[fmt.Sprint("chaotic ", seed)] = enrichtest.Chaos(seed, 150).XML
	}
	paths, _ := filepath.Glob("../../testdata/*/*.trcxml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(t, err)
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
			all[path] = text
		}
	}
	return all
}

func TestModelsFollowTheirSchema(t *testing.T) {
	schema := compile(t, "model")
	for name, document := range documents(t) {
		if err := schema.Validate(decode(t, grouped(t, document))); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
	}
	if err := schema.Validate(decode(t, grouped(t, enrichtest.Simulate(1, 50).XML, enrichtest.Simulate(2, 50).
		XML))); err != nil {
		t.Errorf("two sessions: %#v", err)
	}
}

func TestLinesFollowTheirSchema(t *testing.T) {
	schema := compile(t, "jsonl")
	for name, document := range documents(t) {
		for line := range bytes.Lines(lines(t, document)) {
			if err := schema.Validate(decode(t, line)); err != nil {
				t.Errorf("%s: %s: %#v", name, line, err)
			}
		}
	}
}

// TestSchemasReject proves that the schemas reject wrong models.
func TestSchemasReject(t *testing.T) {
	testtool.Long(t)
	schema := compile(t, "model")
	good := string(grouped(t, enrichtest.Simulate(3, 200).XML, documents(t)["a large stack"],
		documents(t)["hostile stacks"]))
	for name, change := range map[string][2]string{
		"another version":       {`"version":1`, `"version":2`},
		"an unknown type":       {`TRCThreadDeadEvent`, `TRCThreadGoneEvent`},
		"a time that is a text": {`Event","time":`, `Event","time":"1","was":`},
		"an id of 0":            {`"id":1,`, `"id":0,`},
		"a state with another's field": {`"type":"TRCThreadRunningEvent"`,
			`"type":"TRCThreadRunningEvent","lockedObject":"5"`},
		"an object that is a sleep": {`"objectRef":"`, `"objectRef":"-1","was":"`},
		"a thread without its key":  {`"joinedThreadKey"`, `"was"`},
		"no events":                 {`"events":[`, `"was":[`},
		"a start that is no time":   {`"startTime":"`, `"startTime":"x`},
		"inferred false": {`"type":"TRCThreadRunningEvent"`,
			`"type":"TRCThreadRunningEvent","inferred":false`},
		"a notifyAll that wakes no list": {`"runningEvents":[`, `"was":[`},
		"a frame without a method":       {`"method":"`, `"was":"`},
		"a frame without a class":        {`"class":"","method"`, `"was":"","method"`},
		"a line that is a text":          {`"line":0`, `"line":"0"`},
		"a line that is none":            {`"line":0`, `"line":-1`},
		"a file without a name":          {`"file":"`, `"file":"","was":"`},
		"a stack without frames":         {`"stack":[`, `"stack":[],"was":[`},
		"frames left out of nothing": {`"type":"TRCThreadDeadEvent"`,
			`"type":"TRCThreadDeadEvent","omittedFrames":1`},
		"no frames that are left out": {`"omittedFrames":`, `"omittedFrames":0,"was":`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if name == "no events" {
			bad = strings.Replace(good, "\"events\":[\n", "\"was\":[\n", 1)
		}
		if bad == good {
			t.Errorf("%s: the model has no %s", name, change[0])
			continue
		}
		if schema.Validate(decode(t, []byte(bad))) == nil {
			t.Errorf("%s: the schema accepts it", name)
		}
	}
}

// TestSchemasHaveNoUnknownKeywords guards against a mistyped keyword, which a validator would ignore.
func TestSchemasHaveNoUnknownKeywords(t *testing.T) {
	known := map[string]bool{}
	for _, keyword := range strings.Fields(
		`$schema $id $defs $ref title description type properties required items enum const pattern
		minimum minItems minLength uniqueItems additionalProperties dependentRequired allOf if then not`) {
		known[keyword] = true
	}
	var walk func(at string, schema any)
	walk = func(at string, schema any) {
		object, ok := schema.(map[string]any)
		if !ok {
			return
		}
		for keyword, value := range object {
			if !known[keyword] {
				t.Errorf("%s has the keyword %q", at, keyword)
			}
			switch keyword {
			case "properties", "$defs":
				for name, inner := range value.(map[string]any) {
					walk(at+"/"+keyword+"/"+name, inner)
				}
			case "allOf":
				for i, inner := range value.([]any) {
					walk(fmt.Sprintf("%s/allOf/%d", at, i), inner)
				}
			case "items", "additionalProperties", "if", "then", "not":
				walk(at+"/"+keyword, value)
			}
		}
	}
	for _, name := range schema.Names() {
		text, _ := schema.Text(name)
		walk(name, decode(t, []byte(text)))
	}
}

// TestSchemasKnowTheEvents compares the schemas with the table of events.
func TestSchemasKnowTheEvents(t *testing.T) {
	for _, name := range schema.Names() {
		text, _ := schema.Text(name)
		for typ := range trace.ModelTypeCount {
			event := typ.Row()
			if has := strings.Contains(text, `"`+event.Name+`"`); has == event.Abstract {
				t.Errorf("%s: %s is in it: %v", name, event.Name, has)
			}
			for _, attribute := range []string{event.Object, event.Other} {
				if attribute != "" && !strings.Contains(text, `"`+attribute+`"`) {
					t.Errorf("%s does not know %s", name, attribute)
				}
			}
		}
	}
}

func TestSpillingChangesNothing(t *testing.T) {
	testtool.Long(t)
	for seed := range uint64(20) {
		documents := [][]byte{enrichtest.Simulate(seed, 300).XML, enrichtest.Chaos(seed, 300).XML}
		want := grouped(t, documents...)
		for _, bytesKept := range []int{1, 500, 20_000} {
			got := groupedIn(t, bytesKept, documents...)
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d: with %d bytes in memory the model is another one", seed, bytesKept)
			}
		}
	}
}

func TestTemporaryFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	sink := model.NewWriter(io.Discard, model.Options{TempDir: folder, Memory: 100})
	write(t, sink, enrichtest.Simulate(1, 300).XML)
	check(t, sink.Close())
	check(t, sink.Close())
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%v is left over", left)
	}
}

// TestStrings checks that every string is read back from the JSON, as far as JSON and Go can hold it.
func TestStrings(t *testing.T) {
	for name, want := range map[string]string{
		"main": "main", `"\`: `"\`, "a\u2028b": "a\u2028b", "\U0001F600": "\U0001F600",
		"tab\tline\nreturn\r": "tab\tline\nreturn\r",
		"\x00\x1b\x7f":        "\x00\x1b\x7f", "\xED\xA0\x80": "\uFFFD", "\xFF": "\uFFFD", "</script>": "</script>",
	} {
		var out bytes.Buffer
		sink := model.NewWriter(&out, model.Options{Format: model.JSONLines})
		check(t, sink.Put(&trace.ModelThread{Key: 1, ID: trace.ThreadFrom([]byte("1")), Name: name}))
		check(t, sink.Put(&trace.Summary{}))
		var line struct{ Name string }
		check(t, json.Unmarshal(bytes.Split(out.Bytes(), []byte("\n"))[1], &line))
		if line.Name != want {
			t.Errorf("%q comes back as %q", name, line.Name)
		}
	}
}

// TestStacks proves that the first and later occurrences of a stack are written the same, in both forms, with the names
// as the JVM had them.
func TestStacks(t *testing.T) {
	const text = `<TRACE><classDef name="a/B" sourceName="B.java" classId="7"/><methodDef name="-init-" methodId="1" classIdRef="7"/><methodDef name="run" methodId="2"/>` +
		`<callNotify threadId="1" time="1"><annotation name="stack" value="1:12 2 3:0"/></callNotify>` +
		`<callNotify threadId="1" time="2"><annotation name="stack" value="1:12 2 3:0"/></callNotify></TRACE>`
	const want = `,"stack":[{"class":"a/B","method":"-init-","file":"B.java","line":12},{"class":"","method":"run"},{"class":"","method":"","line":0}]`
	for name, got := range map[string][]byte{"json": grouped(t, []byte(text)), "jsonl": lines(t, []byte(text))} {
		if bytes.Count(got, []byte(want)) != 2 {
			t.Errorf("%s: two times %s is to be in\n%s", name, want, got)
		}
	}
	large := lines(t, documents(t)["a large stack"])
	if !bytes.Contains(large, []byte(`"}],"omittedFrames":499897}`)) {
		t.Errorf("what a large stack leaves out is not said: …%s", large[max(0, len(large)-300):])
	}
}

func TestObjectsAreListedOnce(t *testing.T) {
	const text = `<TRACE><monWait threadIdRef="1" time="1" objIdRef="7"/><classDef name="A" classId="1"/><objAlloc objId="7" classIdRef="1"/>` +
		`<monWait threadIdRef="1" time="2" objIdRef="7"/><objFree objIdRef="7"/><monWait threadIdRef="1" time="3" objIdRef="7"/>` +
		`<classDef name="B" classId="2"/><objAlloc objId="7" classIdRef="2"/><monWait threadIdRef="1" time="4" objIdRef="7"/>` +
		`<monWait threadIdRef="1" time="5" objIdRef="x"/></TRACE>`
	var doc struct {
		Objects []struct{ ObjectID, Class string }
	}
	check(t, json.Unmarshal(grouped(t, []byte(text)), &doc))
	if got, want := fmt.Sprint(doc.Objects), "[{7 A} {7 B} {x }]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
