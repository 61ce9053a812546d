package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/schema"
)

// document and lines are small models without a fault, for faults to be planted in.
const (
	document = `{"format":"trcx-model","version":1,
"trace":{"startTime":"12.000000000","duration":50,"events":4,"truncated":false,"counts":{"monWait":2},"sessions":[
{"node":{"name":"n"},"traceId":"t","startTime":"12.000000000"}]},
"threads":[
{"key":1,"threadId":"7","name":"Grüße 😀","session":0,"events":[
{"id":1,"type":"TRCThreadRunningEvent","time":0},
{"id":3,"type":"TRCThreadNotifyAllEvent","time":20,"objectRef":"9","runningEvents":[4]}]},
{"key":2,"threadId":"8","session":0,"events":[
{"id":2,"type":"TRCThreadWaitingForLockEvent","time":10,"lockedObject":"9","lockedThread":"7","lockedThreadKey":1},
{"id":4,"type":"TRCThreadRunningEvent","time":30}]}],
"objects":[
{"objectId":"9","class":"A","session":0}],
"deadlocks":[
{"time":50,"threadIds":["7","8"],"threadKeys":[1,2]}]}
`
	lines = `{"kind":"trace","format":"trcx-model","version":1,"startTime":"12.000000000","sessions":[{}]}
{"kind":"thread","key":1,"threadId":"7","session":0}
{"kind":"event","thread":1,"threadId":"7","id":1,"type":"TRCThreadRunningEvent","time":0}
{"kind":"object","objectId":"9","session":0}
{"kind":"thread","key":2,"threadId":"8","name":"Grüße 😀","session":0}
{"kind":"event","thread":2,"threadId":"8","id":2,"type":"TRCThreadWaitingForLockEvent","time":10,"lockedObject":"9","lockedThread":"7","lockedThreadKey":1}
{"kind":"event","thread":1,"threadId":"7","id":3,"type":"TRCThreadNotifyAllEvent","time":20,"objectRef":"9","runningEvents":[]}
{"kind":"event","thread":2,"threadId":"8","id":4,"type":"TRCThreadRunningEvent","time":30}
{"kind":"binding","cause":3,"running":4}
{"kind":"deadlock","time":50,"threadIds":["7","8"],"threadKeys":[1,2]}
{"kind":"end","duration":50,"events":4,"truncated":false,"counts":{"monWait":2}}
`
)

// A defect is a change of the first old into a new text, and what is found then.
type defect struct {
	name, old, new string
	want           []string // line:column: message [rule]
}

func (d defect) plant(t *testing.T, clean string) string {
	t.Helper()
	if !strings.Contains(clean, d.old) {
		t.Fatalf("%s: there is no %s", d.name, d.old)
	}
	return strings.Replace(clean, d.old, d.new, 1)
}

// said is a finding as the tables have it. Every one here is an error, and its message begins with its pointer if it is
// about a value.
func said(t *testing.T, f trace.Finding) string {
	t.Helper()
	if f.Severity != trace.Error {
		t.Errorf("%v is no error", f)
	}
	aboutValue := f.Rule == schema.RuleSchema || f.Rule == schema.RuleModel
	if aboutValue && f.Element != "" && !strings.HasPrefix(f.Message, f.Element+": ") {
		t.Errorf("%v is about %s", f, f.Element)
	}
	return fmt.Sprintf("%d:%d: %s [%s]", f.Place.Line, f.Place.Column, f.Message, f.Rule)
}

func compare(t *testing.T, kind, clean string, defects []defect) {
	for _, finding := range check(t, kind, []byte(clean)) {
		t.Errorf("without a defect: %v", finding)
	}
	for _, d := range defects {
		var got []string
		for _, finding := range check(t, kind, []byte(d.plant(t, clean))) {
			got = append(got, said(t, finding))
		}
		if !slices.Equal(got, d.want) {
			t.Errorf("%s:\n got  %s\n want %s", d.name, strings.Join(got, "\n      "), strings.Join(d.want, "\n      "))
		}
	}
}

func TestDefectsInADocument(t *testing.T) {
	compare(t, schema.Model, document, []defect{
		{"another version", `"version":1`, `"version":2`, []string{
			`1:34: /version: must be 1, but is 2 [json-schema]`,
		}},
		{"a format of its own", `"trcx-model"`, `"\u0074rcx-\u001b[31mmodel-` + strings.Repeat("é", 60) + `"`, []string{
			`1:11: /format: must be "trcx-model", but is "trcx-\x1b[31mmodel-éééééééééééééééééééééééé…" [json-schema]`,
		}},
		{"a member is missing", `"truncated":false,`, ``, []string{
			`2:9: /trace: has no truncated [json-schema]`,
		}},
		{"several members are missing", `"key":2,"threadId":"8",`, ``, []string{
			`8:1: /threads/1: has no key, threadId [json-schema]`,
		}},
		{"a time is a text", `"time":10`, `"time":"10"`, []string{
			`9:54: /threads/1/events/0/time: must be an integer, but is a string [json-schema]`,
		}},
		{"a time after wide characters", `"name":"Grüße 😀","session":0`, `"name":"Grüße 😀","session":"0"`, []string{
			`5:52: /threads/0/session: must be an integer, but is a string [json-schema]`,
		}},
		{"a time has a fraction", `"time":10`, `"time":10.5`, []string{
			`9:54: /threads/1/events/0/time: must be an integer, but is 10.5 [json-schema]`,
		}},
		{"a time is large", `"time":10`, `"time":1700000000000000001.5`, []string{
			`9:54: /threads/1/events/0/time: must be an integer, but is 1700000000000000001.5 [json-schema]`,
		}},
		{"a negative count", `"monWait":2`, `"a/b~c%d":-2`, []string{
			`2:100: /trace/counts/a~1b~0c%d: must be at least 1, but is -2 [json-schema]`,
		}},
		{"a start that is none", `"startTime":"12.000000000","duration"`, `"startTime":"12","duration"`, []string{
			`2:22: /trace/startTime: must match ^-?[0-9]+\.[0-9]{9}$, but is "12" [json-schema]`,
		}},
		{"an attribute that is a number", `"name":"n"`, `"name":5`, []string{
			`3:17: /trace/sessions/0/node/name: must be a string, but is a number [json-schema]`,
		}},
		{"an empty id", `"traceId":"t"`, `"traceId":""`, []string{
			`3:32: /trace/sessions/0/traceId: is too short: "" [json-schema]`,
		}},
		{"an id that is none", `"objectId":"9"`, `"objectId":"-1"`, []string{
			`12:13: /objects/0/objectId: must not be "-1" [json-schema]`,
		}},
		{"an unknown event", `TRCThreadRunningEvent`, `TRCThreadGoneEvent`, []string{
			`6:16: /threads/0/events/0/type: must be one of the 14 that the schema lists, but is "TRCThreadGoneEvent" [json-schema]`,
		}},
		{"an event without type", `"type":"TRCThreadWaitingForLockEvent",`, ``, []string{
			`9:1: /threads/1/events/0: has no type [json-schema]`,
		}},
		{"an event with another's member", `"time":30`, `"time":30,"timeout":1`, []string{
			`10:60: /threads/1/events/1/timeout: does not belong to a TRCThreadRunningEvent [json-schema]`,
		}},
		{"a thread without its key", `,"lockedThreadKey":1`, ``, []string{
			`9:1: /threads/1/events/0: has lockedThread, but no lockedThreadKey [json-schema]`,
		}},
		{"inferred is false", `"time":30`, `"time":30,"inferred":false`, []string{
			`10:61: /threads/1/events/1/inferred: must be true, but is false [json-schema]`,
		}},
		{"an event twice in a list", `[4]`, `[4,4.0]`, []string{
			`7:84: /threads/0/events/1/runningEvents: has an item twice [json-schema]`,
		}},
		{"arrays in a list of ids", `[4]`, `[4,[],[],{}]`, []string{
			`7:87: /threads/0/events/1/runningEvents/1: must be an integer, but is an array [json-schema]`,
			`7:90: /threads/0/events/1/runningEvents/2: must be an integer, but is an array [json-schema]`,
			`7:93: /threads/0/events/1/runningEvents/3: must be an integer, but is an object [json-schema]`,
		}},
		{"a deadlock of one", `"threadIds":["7","8"],"threadKeys":[1,2]`, `"threadIds":["7"],"threadKeys":[1]`,
			[]string{
				`14:24: /deadlocks/0/threadIds: must have 2 items or more, but has 1 [json-schema]`,
				`14:43: /deadlocks/0/threadKeys: must have 2 items or more, but has 1 [json-schema]`,
			}},
		{"a list is an object", `"objects":[` + "\n" + `{"objectId":"9","class":"A","session":0}]`, `"objects":{}`,
			[]string{
				`11:11: /objects: must be an array, but is an object [json-schema]`,
			}},
		{"an item is no object", `"deadlocks":[` + "\n", `"deadlocks":[` + "\nnull,true,", []string{
			`14:1: /deadlocks/0: must be an object, but is null [json-schema]`,
			`14:6: /deadlocks/1: must be an object, but is a boolean [json-schema]`,
		}},
		{"a large unknown member", `"format"`, `"new":"` + strings.Repeat("x", 3<<20) + `","format"`, nil},
		{"unknown members everywhere", `"session":0`, `"session":0,"new":{"format":[1e999,{}]}`, nil},

		{"a key is left out", `"key":2`, `"key":3`, []string{
			`8:8: /threads/1/key: is 3, but threads are numbered in their order, and this is number 2 [json-model]`,
		}},
		{"ids go back", `"id":1`, `"id":5`, []string{
			`7:7: /threads/0/events/1/id: is 3, but comes after 5; the events of a thread are in the order of their ids [json-model]`,
			`4:11: /threads: the ids of the 4 events in it are not the numbers from 1 on, each once [json-model]`,
		}},
		{"an id is left out", `"id":4`, `"id":5`, []string{
			`4:11: /threads: the ids of the 4 events in it are not the numbers from 1 on, each once [json-model]`,
		}},
		{"an id comes twice", `"id":4`, `"id":3`, []string{
			`4:11: /threads: the ids of the 4 events in it are not the numbers from 1 on, each once [json-model]`,
		}},
		{"an id beyond all counting", `"id":4`, `"id":1e300`, []string{
			`4:11: /threads: the ids of the 4 events in it are not the numbers from 1 on, each once [json-model]`,
		}},
		{"a key beyond all counting", `"lockedThreadKey":1`, `"lockedThreadKey":1e300`, []string{
			`9:113: /threads/1/events/0/lockedThreadKey: is 1e300, but no thread has this key [json-model]`,
		}},
		{"ids as other spellings", `"id":4`, `"id":0.4e1`, nil},
		{"the number of events", `"events":4`, `"events":5`, []string{
			`2:60: /trace/events: is 5, but the document has 4 events [json-model]`,
		}},
		{"a thread that is not there", `"lockedThreadKey":1`, `"lockedThreadKey":3`, []string{
			`9:113: /threads/1/events/0/lockedThreadKey: is 3, but no thread has this key [json-model]`,
		}},
		{"an event that is not there", `[4]`, `[2,7,6]`, []string{
			`7:87: /threads/0/events/1/runningEvents/1: is 7, but no event has this id [json-model]`,
		}},
		{"a session that is not there", `"class":"A","session":0`, `"class":"A","session":1`, []string{
			`12:39: /objects/0/session: is 1, but no session has this number [json-model]`,
		}},
		{"a thread of a deadlock that is not there", `"threadKeys":[1,2]`, `"threadKeys":[1,3]`, []string{
			`14:50: /deadlocks/0/threadKeys/1: is 3, but no thread has this key [json-model]`,
		}},
		{"a deadlock without all keys", `["7","8"]`, `["7","8","9"]`, []string{
			`14:51: /deadlocks/0/threadKeys: has 2 items, but threadIds has 3 [json-model]`,
		}},
		{"a member twice", `"duration":50`, `"duration":50,"duration":"x"`, []string{
			`2:51: /trace/duration: has the same name as a member before it; which of them counts differs from reader to reader [json-model]`,
			`2:62: /trace/duration: must be an integer, but is a string [json-schema]`,
		}},
		{"a member of an event twice", `"time":30`, `"time":30,"new":1,"n\u0065w":1`, []string{
			`10:58: /threads/1/events/1/new: has the same name as a member before it; which of them counts differs from reader to reader [json-model]`,
		}},

		{"no comma", `"version":1,`, `"version":1`, []string{
			`2:1: '"' is where a comma or } should be [json-syntax]`,
		}},
		{"a comma too many", `"threadKeys":[1,2]`, `"threadKeys":[1,2,]`, []string{
			`14:52: ']' is where a value should be [json-syntax]`,
		}},
		{"single quotes", `"time":30`, `'time':30`, []string{
			`10:40: '\'' is where a name in double quotes should be [json-syntax]`,
		}},
		{"no value", `false`, `NaN`, []string{
			`2:74: 'N' is where a value should be [json-syntax]`,
		}},
		{"no number", `"time":30`, `"time":030`, []string{
			`10:48: '3' is where a comma or } should be [json-syntax]`,
		}},
		{"a control character in a string", `"name":"n"`, "\"name\":\"\tn\"", []string{
			`3:18: the control character U+0009 is where the rest of a string should be [json-syntax]`,
		}},
		{"no escape", `"name":"n"`, `"name":"\x"`, []string{
			`3:19: 'x' is where one of " \ / b f n r t u should be [json-syntax]`,
		}},
		{"no UTF-8", `"name":"n"`, "\"name\":\"n\xC3\"", []string{
			`3:19: the byte 0xC3 is no UTF-8 [json-syntax]`,
		}},
		{"a surrogate in UTF-8", `"name":"n"`, "\"name\":\"\xED\xA0\x80\"", []string{
			`3:18: the byte 0xED is no UTF-8 [json-syntax]`,
		}},
		{"a byte that is nothing", `"time":30`, "\xFF", []string{
			`10:40: the byte 0xFF is where a name in double quotes should be [json-syntax]`,
		}},
		{"something after the end", "[1,2]}]}\n", "[1,2]}]}\n{}", []string{
			`15:1: '{' is where the end should be [json-syntax]`,
		}},
		{"cut off", `"type":"TRCThreadNotifyAllEvent","time":20,"objectRef":"9","runningEvents":[4]}]},` +
			document[strings.Index(document, "\n{\"key\":2"):], `"ty`, []string{
			`7:12: the input ends where the rest of a string should be [truncated]`,
		}},
	})
}

func TestDefectsInLines(t *testing.T) {
	compare(t, schema.Lines, lines, []defect{
		{"another version, and a later defect", `"version":1`, `"version":2`, []string{
			`1:49: /version: must be 1, but is 2 [json-schema]`,
		}},
		{"no kind", `"kind":"object",`, ``, []string{
			`4:1: the line: has no kind [json-schema]`,
		}},
		{"an unknown kind", `"kind":"object"`, `"kind":"thing"`, []string{
			`4:9: /kind: must be one of "trace", "session", "thread", "object", "event", "binding", "deadlock", "end", but is "thing" [json-schema]`,
		}},
		{"no object", `{"kind":"object","objectId":"9","session":0}`, `["kind","object"]`, []string{
			`4:1: the line: must be an object, but is an array [json-schema]`,
		}},
		{"a time is a text", `"time":10`, `"time":"10"`, []string{
			`6:95: /time: must be an integer, but is a string [json-schema]`,
		}},
		{"an event with another's member", `"time":30`, `"time":30,"lockedObject":"9"`, []string{
			`8:106: /lockedObject: does not belong to a TRCThreadRunningEvent [json-schema]`,
		}},
		{"a cause of what is no return", `"time":10`, `"time":10,"cause":1`, []string{
			`6:106: /cause: does not belong to a TRCThreadWaitingForLockEvent [json-schema]`,
		}},
		{"a thread without its key", `,"lockedThreadKey":1`, ``, []string{
			`6:1: the line: has lockedThread, but no lockedThreadKey [json-schema]`,
		}},
		{"no sessions", `,"sessions":[{}]`, ``, []string{
			`1:1: the line: has no sessions [json-schema]`,
		}},
		{"an end without its members", `"events":4,"truncated":false,`, ``, []string{
			`11:1: the line: has no events, truncated [json-schema]`,
		}},

		{"the first line is missing", lines[:strings.Index(lines, "\n")+1], ``, []string{
			`1:1: the line: must be of kind "trace", as it is the first [json-model]`,
		}},
		{"a second beginning", "{\"kind\":\"object\"", lines[:strings.Index(lines, "\n")+1] + "{\"kind\":\"object\"",
			[]string{
				`4:1: the line: is of kind "trace", but not the first [json-model]`,
			}},
		{"the end is missing", lines[strings.Index(lines, `{"kind":"end"`):], ``, []string{
			`11:1: the input ends without a line of kind "end" [truncated]`,
		}},
		{"a line after the end", `"counts":{"monWait":2}}` + "\n", `"counts":{"monWait":2}}` + "\n\n" +
			`{"kind":"object","objectId":"9","session":0}` + "\n", []string{
			`13:1: the line: comes after that of kind "end" [json-model]`,
		}},
		{"a thread without a line", `{"kind":"thread","key":2,"threadId":"8","name":"Grüße 😀","session":0}` + "\n", ``,
			[]string{
				`5:26: /thread: is 2, but no thread has this key so far [json-model]`,
				`7:26: /thread: is 2, but no thread has this key so far [json-model]`,
				`9:68: /threadKeys/1: is 2, but no thread has this key so far [json-model]`,
			}},
		{"a thread is told twice", `{"kind":"object"`, `{"kind":"thread","key":1,"threadId":"7","session":0}` + "\n" +
			`{"kind":"object"`, nil},
		{"a key is left out", `"key":2`, `"key":3`, []string{
			`5:24: /key: is 3, but threads are numbered in their order, and the next one is number 2 [json-model]`,
		}},
		{"an event is missing",
			`{"kind":"event","thread":1,"threadId":"7","id":1,"type":"TRCThreadRunningEvent","time":0}` + "\n", ``,
			[]string{
				`5:48: /id: is 2, but events are numbered in their order, and the next one is number 1 [json-model]`,
				`10:38: /events: is 4, but there are 3 lines of kind event [json-model]`,
			}},
		{"an id comes twice", `"id":3`, `"id":2`, []string{
			`7:48: /id: is 2, but events are numbered in their order, and the next one is number 3 [json-model]`,
		}},
		{"the number of events", `"events":4`, `"events":5`, []string{
			`11:38: /events: is 5, but there are 4 lines of kind event [json-model]`,
		}},
		{"an event that is not there", `"running":4`, `"running":5`, []string{
			`9:39: /running: is 5, but no event has this id [json-model]`,
		}},
		{"a thread that is not there", `"lockedThreadKey":1`, `"lockedThreadKey":3`, []string{
			`6:154: /lockedThreadKey: is 3, but no thread has this key so far [json-model]`,
		}},
		{"a thread of a deadlock that is not there", `"threadKeys":[1,2]`, `"threadKeys":[3,4]`, []string{
			`10:68: /threadKeys/1: is 4, but no thread has this key so far [json-model]`,
		}},
		{"a deadlock without all keys", `["7","8"]`, `["7","8","9"]`, []string{
			`10:69: /threadKeys: has 2 items, but threadIds has 3 [json-model]`,
		}},

		{"an id beyond all counting", `"id":3`, `"id":9223372036854775808`, []string{
			`7:48: /id: is 9223372036854775808, but events are numbered in their order, and the next one is number 3 [json-model]`,
		}},
		{"a broken line, and a later defect", `"objectId":"9","session":0}`, `"objectId":"9","session":}` + "\n" +
			`{"kind":"object"}`, []string{
			`4:43: '}' is where a value should be [json-syntax]`,
			`5:1: the line: has no objectId, session [json-schema]`,
		}},
		{"a line in two", `"objectId":"9",`, `"objectId":"9",` + "\n", []string{
			`4:33: the line ends where a name in double quotes should be [json-syntax]`,
			`5:10: ':' is where the end of the line should be [json-syntax]`,
		}},
		{"a string in two lines", `Grüße`, "Grü\nße", []string{
			`5:52: the line ends where the rest of a string should be [json-syntax]`,
			`6:1: 'ß' is where a value should be [json-syntax]`,
		}},
		{"two objects in a line", `"threadKeys":[1,2]}`, `"threadKeys":[1,2]} {}`, []string{
			`10:72: '{' is where the end of the line should be [json-syntax]`,
		}},
		{"a line that is no JSON", `{"kind":"binding"`, "Exception in thread \"main\"\n" + `{"kind":"binding"`,
			[]string{
				`9:1: 'E' is where a value should be [json-syntax]`,
			}},
		{"a byte that is no UTF-8", `Grüße`, "Gr\xFC\xDFe", []string{
			`5:51: the byte 0xFC is no UTF-8 [json-syntax]`,
		}},
		{"blank lines and spaces", "\n{\"kind\":\"object\"", "\r\n \t\r\n\n {\"kind\":\"object\"", nil},
		{"cut off", `"running":4}` + lines[strings.Index(lines, "\n{\"kind\":\"deadlock\""):], `"run`, []string{
			`9:33: the input ends where the rest of a string should be [truncated]`,
		}},
	})
}

func TestExamplesOfRules(t *testing.T) {
	for _, rule := range schema.Rules {
		name, ok := schema.Recognise([]byte(rule.Example))
		found := map[string]bool{}
		for _, finding := range check(t, name, []byte(rule.Example)) {
			found[finding.Rule] = true
		}
		if !ok || !found[rule.ID] || len(found) != 1 {
			t.Errorf("%s: the example has findings of %v", rule.ID, found)
		}
		if rule.Severity != trace.Error || rule.Summary == "" || rule.Explanation == "" ||
			rule.Layer == validate.Meaning {
			t.Errorf("%s is not described", rule.ID)
		}
	}
}
