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

// document and lines are small correct models in which defects are planted.
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

// A defect replaces the first old text by a new one; want is what is found then.
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

// said formats a finding as the tables have it. It must be an error, and its message must begin with the pointer if it
// is about a value.
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
			`1:1: /version: value must be 1 [json-schema]`,
		}},
		{"a format of its own", `"trcx-model"`, `"\u0074rcx-\u001b[31mmodel-` + strings.Repeat("é", 60) + `"`, []string{
			`1:1: /format: value must be "trcx-model" [json-schema]`,
		}},
		{"a member is missing", `"truncated":false,`, ``, []string{
			`1:1: /trace: missing properties: 'truncated' [json-schema]`,
		}},
		{"several members are missing", `"key":2,"threadId":"8",`, ``, []string{
			`8:1: /threads/1: missing properties: 'key', 'threadId' [json-schema]`,
		}},
		{"a time is a text", `"time":10`, `"time":"10"`, []string{
			`9:1: /threads/1/events/0/time: expected integer, but got string [json-schema]`,
		}},
		{"a time after wide characters", `"name":"Grüße 😀","session":0`, `"name":"Grüße 😀","session":"0"`, []string{
			`5:1: /threads/0/session: expected integer, but got string [json-schema]`,
		}},
		{"a time has a fraction", `"time":10`, `"time":10.5`, []string{
			`9:1: /threads/1/events/0/time: expected integer, but got number [json-schema]`,
		}},
		{"a time is large", `"time":10`, `"time":1700000000000000001.5`, nil},
		{"a negative count", `"monWait":2`, `"a/b~c%d":-2`, []string{
			`1:1: /trace/counts/a~1b~0c%d: must be >= 1 but found -2 [json-schema]`,
		}},
		{"a start that is none", `"startTime":"12.000000000","duration"`, `"startTime":"12","duration"`, []string{
			`1:1: /trace/startTime: does not match pattern '^-?[0-9]+\\.[0-9]{9}$' [json-schema]`,
		}},
		{"an attribute that is a number", `"name":"n"`, `"name":5`, []string{
			`3:1: /trace/sessions/0/node/name: expected string, but got number [json-schema]`,
		}},
		{"an empty id", `"traceId":"t"`, `"traceId":""`, []string{
			`3:1: /trace/sessions/0/traceId: length must be >= 1, but got 0 [json-schema]`,
		}},
		{"an id that is none", `"objectId":"9"`, `"objectId":"-1"`, []string{
			`12:1: /objects/0/objectId: is the id of no object [json-schema]`,
		}},
		{"an unknown event", `TRCThreadRunningEvent`, `TRCThreadGoneEvent`, []string{
			`6:1: /threads/0/events/0/type: value must be one of "TRCThreadRunningEvent", "TRCThreadWaitingForObjectEvent", "TRCThreadWaitingForLockEvent", "TRCThreadSleepingEvent", "TRCThreadWaitingForJoinEvent", "TRCThreadDeadLockEvent", "TRC… [json-schema]`,
		}},
		{"an event without type", `"type":"TRCThreadWaitingForLockEvent",`, ``, []string{
			`9:1: /threads/1/events/0: missing properties: 'type' [json-schema]`,
		}},
		{"an event with another's member", `"time":30`, `"time":30,"timeout":1`, []string{
			`10:1: /threads/1/events/1/timeout: does not belong to this type of event [json-schema]`,
		}},
		{"a thread without its key", `,"lockedThreadKey":1`, ``, []string{
			`9:1: /threads/1/events/0: property 'lockedThreadKey' is required, if 'lockedThread' property exists [json-schema]`,
		}},
		{"inferred is false", `"time":30`, `"time":30,"inferred":false`, []string{
			`10:1: /threads/1/events/1/inferred: value must be true [json-schema]`,
		}},
		{"an event twice in a list", `[4]`, `[4,4.0]`, []string{
			`7:1: /threads/0/events/1/runningEvents: items at index 0 and 1 are equal [json-schema]`,
		}},
		{"arrays in a list of ids", `[4]`, `[4,[],[],{}]`, []string{
			`7:1: /threads/0/events/1/runningEvents/1: expected integer, but got array [json-schema]`,
		}},
		{"a deadlock of one", `"threadIds":["7","8"],"threadKeys":[1,2]`, `"threadIds":["7"],"threadKeys":[1]`,
			[]string{
				`14:1: /deadlocks/0/threadIds: minimum 2 items required, but found 1 items [json-schema]`,
				`14:1: /deadlocks/0/threadKeys: minimum 2 items required, but found 1 items [json-schema]`,
			}},
		{"a list is an object", `"objects":[` + "\n" + `{"objectId":"9","class":"A","session":0}]`, `"objects":{}`,
			[]string{
				`1:1: /objects: expected array, but got object [json-schema]`,
			}},
		{"an item is no object", `"deadlocks":[` + "\n", `"deadlocks":[` + "\nnull,true,", []string{
			`14:1: /deadlocks/0: expected object, but got null [json-schema]`,
			`14:6: /deadlocks/1: expected object, but got boolean [json-schema]`,
		}},
		{"a large unknown member", `"format"`, `"new":[` + strings.Repeat(`"x",`, 1<<20) + `""],"format"`, nil},
		{"unknown members everywhere", `"session":0`, `"session":0,"new":{"format":[1e99,{}]}`, nil},

		{"a key is left out", `"key":2`, `"key":3`, []string{
			`8:1: /threads/1/key: is 3, but threads are numbered in their order, and the next one is number 2 [json-model]`,
		}},
		{"ids go back", `"id":1`, `"id":5`, []string{
			`7:1: /threads/0/events/1/id: is 3, but comes after 5; events are in the order of their ids, 1, 2, 3 … [json-model]`,
			`1:1: /threads: the ids of the 4 events are not the numbers from 1 on, each once [json-model]`,
		}},
		{"an id is left out", `"id":4`, `"id":5`, []string{
			`1:1: /threads: the ids of the 4 events are not the numbers from 1 on, each once [json-model]`,
		}},
		{"an id comes twice", `"id":4`, `"id":3`, []string{
			`1:1: /threads: the ids of the 4 events are not the numbers from 1 on, each once [json-model]`,
			`7:1: /threads/0/events/1/runningEvents/0: is 4, but there is no such event [json-model]`,
		}},
		{"an id beyond all counting", `"id":4`, `"id":1e300`, []string{
			`1:1: /threads: the ids of the 4 events are not the numbers from 1 on, each once [json-model]`,
		}},
		{"a key beyond all counting", `"lockedThreadKey":1`, `"lockedThreadKey":1e300`, []string{
			`9:1: /threads/1/events/0/lockedThreadKey: is 1e+300, but there is no such thread [json-model]`,
		}},
		{"ids as other spellings", `"id":4`, `"id":0.4e1`, nil},
		{"the number of events", `"events":4`, `"events":5`, []string{
			`1:1: /trace/events: is 5, but there are 4 [json-model]`,
		}},
		{"a thread that is not there", `"lockedThreadKey":1`, `"lockedThreadKey":3`, []string{
			`9:1: /threads/1/events/0/lockedThreadKey: is 3, but there is no such thread [json-model]`,
		}},
		{"an event that is not there", `[4]`, `[2,7,6]`, []string{
			`7:1: /threads/0/events/1/runningEvents/1: is 7, but there is no such event [json-model]`,
		}},
		{"a session that is not there", `"class":"A","session":0`, `"class":"A","session":1`, []string{
			`12:1: /objects/0/session: is 1, but there is no such session [json-model]`,
		}},
		{"a thread of a deadlock that is not there", `"threadKeys":[1,2]`, `"threadKeys":[1,3]`, []string{
			`14:1: /deadlocks/0/threadKeys/1: is 3, but there is no such thread [json-model]`,
		}},
		{"a deadlock without all keys", `["7","8"]`, `["7","8","9"]`, []string{
			`14:1: /deadlocks/0/threadKeys: has 2 items, but threadIds has 3 [json-model]`,
		}},
		{"a member twice", `"duration":50`, `"duration":50,"duration":"x"`, []string{
			`2:51: the object has a member of this name already; readers differ in which one counts [json-model]`,
		}},
		{"a member of an event twice", `"time":30`, `"time":30,"new":1,"n\u0065w":1`, []string{
			`10:58: the object has a member of this name already; readers differ in which one counts [json-model]`,
		}},

		{"no comma", `"version":1,`, `"version":1`, []string{
			`2:1: invalid character '"' after object key:value pair [json-syntax]`,
		}},
		{"a comma too many", `"threadKeys":[1,2]`, `"threadKeys":[1,2,]`, []string{
			`14:52: invalid character ']' looking for beginning of value [json-syntax]`,
		}},
		{"single quotes", `"time":30`, `'time':30`, []string{
			`10:40: invalid character '\'' looking for beginning of object key string [json-syntax]`,
		}},
		{"no value", `false`, `NaN`, []string{
			`2:74: invalid character 'N' looking for beginning of value [json-syntax]`,
		}},
		{"no number", `"time":30`, `"time":030`, []string{
			`10:48: invalid character '3' after object key:value pair [json-syntax]`,
		}},
		{"a control character in a string", `"name":"n"`, "\"name\":\"\tn\"", []string{
			`3:17: invalid character '\t' in string literal [json-syntax]`,
		}},
		{"no escape", `"name":"n"`, `"name":"\x"`, []string{
			`3:17: invalid character 'x' in string escape code [json-syntax]`,
		}},
		{"no UTF-8", `"name":"n"`, "\"name\":\"n\xC3\"", []string{
			`3:17: this is not valid UTF-8 [json-syntax]`,
		}},
		{"a surrogate in UTF-8", `"name":"n"`, "\"name\":\"\xED\xA0\x80\"", []string{
			`3:17: this is not valid UTF-8 [json-syntax]`,
		}},
		{"a byte that is nothing", `"time":30`, "\xFF", []string{
			`10:40: invalid character 'ÿ' looking for beginning of object key string [json-syntax]`,
		}},
		{"something after the end", "[1,2]}]}\n", "[1,2]}]}\n{}", []string{
			`15:1: something follows the document [json-syntax]`,
		}},
		{"cut off", `"type":"TRCThreadNotifyAllEvent","time":20,"objectRef":"9","runningEvents":[4]}]},` +
			document[strings.Index(document, "\n{\"key\":2"):], `"ty`, []string{
			`7:9: the document or the line ends too early [truncated]`,
		}},
	})
}

func TestDefectsInLines(t *testing.T) {
	compare(t, schema.Lines, lines, []defect{
		{"another version, and a later defect", `"version":1`, `"version":2`, []string{
			`1:1: /version: value must be 1 [json-schema]`,
		}},
		{"no kind", `"kind":"object",`, ``, []string{
			`4:1: the line: missing properties: 'kind' [json-schema]`,
		}},
		{"an unknown kind", `"kind":"object"`, `"kind":"thing"`, []string{
			`4:1: /kind: value must be one of "trace", "session", "thread", "object", "event", "binding", "deadlock", "end" [json-schema]`,
		}},
		{"no object", `{"kind":"object","objectId":"9","session":0}`, `["kind","object"]`, []string{
			`4:1: the line: expected object, but got array [json-schema]`,
		}},
		{"a time is a text", `"time":10`, `"time":"10"`, []string{
			`6:1: /time: expected integer, but got string [json-schema]`,
		}},
		{"an event with another's member", `"time":30`, `"time":30,"lockedObject":"9"`, []string{
			`8:1: /lockedObject: does not belong to this type of event [json-schema]`,
		}},
		{"a cause of what is no return", `"time":10`, `"time":10,"cause":1`, []string{
			`6:1: /cause: does not belong to this type of event [json-schema]`,
		}},
		{"a thread without its key", `,"lockedThreadKey":1`, ``, []string{
			`6:1: the line: property 'lockedThreadKey' is required, if 'lockedThread' property exists [json-schema]`,
		}},
		{"no sessions", `,"sessions":[{}]`, ``, []string{
			`1:1: the line: missing properties: 'sessions' [json-schema]`,
		}},
		{"an end without its members", `"events":4,"truncated":false,`, ``, []string{
			`11:1: the line: missing properties: 'events', 'truncated' [json-schema]`,
		}},

		{"the first line is missing", lines[:strings.Index(lines, "\n")+1], ``, []string{
			`1:1: the line: the first line is of kind "trace", and no other is [json-model]`,
		}},
		{"a second beginning", "{\"kind\":\"object\"", lines[:strings.Index(lines, "\n")+1] + "{\"kind\":\"object\"",
			[]string{
				`4:1: the line: the first line is of kind "trace", and no other is [json-model]`,
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
				`5:1: /thread: is 2, but there is no such thread so far [json-model]`,
				`7:1: /thread: is 2, but there is no such thread so far [json-model]`,
				`9:1: /threadKeys/1: is 2, but there is no such thread so far [json-model]`,
			}},
		{"a thread is told twice", `{"kind":"object"`, `{"kind":"thread","key":1,"threadId":"7","session":0}` + "\n" +
			`{"kind":"object"`, nil},
		{"a key is left out", `"key":2`, `"key":3`, []string{
			`5:1: /key: is 3, but threads are numbered in their order, and the next one is number 2 [json-model]`,
		}},
		{"an event is missing",
			`{"kind":"event","thread":1,"threadId":"7","id":1,"type":"TRCThreadRunningEvent","time":0}` + "\n", ``,
			[]string{
				`5:1: /id: is 2, but comes after 0; events are in the order of their ids, 1, 2, 3 … [json-model]`,
				`10:1: /events: is 4, but there are 3 [json-model]`,
			}},
		{"an id comes twice", `"id":3`, `"id":2`, []string{
			`7:1: /id: is 2, but comes after 2; events are in the order of their ids, 1, 2, 3 … [json-model]`,
		}},
		{"the number of events", `"events":4`, `"events":5`, []string{
			`11:1: /events: is 5, but there are 4 [json-model]`,
		}},
		{"an event that is not there", `"running":4`, `"running":5`, []string{
			`9:1: /running: is 5, but there is no such event [json-model]`,
		}},
		{"a thread that is not there", `"lockedThreadKey":1`, `"lockedThreadKey":3`, []string{
			`6:1: /lockedThreadKey: is 3, but there is no such thread so far [json-model]`,
		}},
		{"a thread of a deadlock that is not there", `"threadKeys":[1,2]`, `"threadKeys":[3,4]`, []string{
			`10:1: /threadKeys/1: is 4, but there is no such thread so far [json-model]`,
		}},
		{"a deadlock without all keys", `["7","8"]`, `["7","8","9"]`, []string{
			`10:1: /threadKeys: has 2 items, but threadIds has 3 [json-model]`,
		}},

		{"an id beyond all counting", `"id":3`, `"id":9223372036854775808`, []string{
			`7:1: /id: is 9.22337203685478e+18, but comes after 2; events are in the order of their ids, 1, 2, 3 … [json-model]`,
		}},
		{"a broken line, and a later defect", `"objectId":"9","session":0}`, `"objectId":"9","session":}` + "\n" +
			`{"kind":"object"}`, []string{
			`4:43: invalid character '}' looking for beginning of value [json-syntax]`,
			`5:1: the line: missing properties: 'objectId', 'session' [json-schema]`,
		}},
		{"a line in two", `"objectId":"9",`, `"objectId":"9",` + "\n", []string{
			`4:33: the document or the line ends too early [json-syntax]`,
			`5:11: invalid character ':' looking for beginning of value [json-syntax]`,
		}},
		{"a string in two lines", `Grüße`, "Grü\nße", []string{
			`5:48: the document or the line ends too early [json-syntax]`,
			`6:1: invalid character 'Ã' looking for beginning of value [json-syntax]`,
		}},
		{"two objects in a line", `"threadKeys":[1,2]}`, `"threadKeys":[1,2]} {}`, []string{
			`10:72: something follows the line [json-syntax]`,
		}},
		{"a line that is no JSON", `{"kind":"binding"`, "Exception in thread \"main\"\n" + `{"kind":"binding"`,
			[]string{
				`9:1: invalid character 'E' looking for beginning of value [json-syntax]`,
			}},
		{"a byte that is no UTF-8", `Grüße`, "Gr\xFC\xDFe", []string{
			`5:48: this is not valid UTF-8 [json-syntax]`,
		}},
		{"blank lines and spaces", "\n{\"kind\":\"object\"", "\r\n \t\r\n\n {\"kind\":\"object\"", nil},
		{"cut off", `"running":4}` + lines[strings.Index(lines, "\n{\"kind\":\"deadlock\""):], `"run`, []string{
			`9:29: the document or the line ends too early [truncated]`,
		}},
	})
}

func TestExamplesOfRules(t *testing.T) {
	for _, rule := range schema.Rules() {
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
