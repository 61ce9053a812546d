package schema

import (
	"slices"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// The rules of this package. A document that is cut off has a finding of trcxml.RuleTruncated.
const (
	RuleSyntax = "json-syntax"
	RuleLimit  = "limit"
	RuleSchema = "json-schema"
	RuleModel  = "json-model"
)

// Rules describes the rules, from syntax to meaning.
func Rules() []*validate.Rule { return slices.Clone(described) }

var described = []*validate.Rule{
	{
		ID: RuleSyntax, Severity: trace.Error, Layer: validate.Syntax,
		Summary: "a model is not JSON (RFC 8259), or is not encoded in UTF-8",
		Explanation: `Programs that read JSON give up here. Usual reasons are a file that was edited by hand,
two outputs written into one file, and a stream whose lines were broken. A model of the kind json is read up to this
place. In one of the kind jsonl, in which each line is an object, reading goes on with the next line.`,
		Example: `{"format":"trcx-model","version":1,}
`,
	},
	{
		ID: RuleLimit, Severity: trace.Error, Layer: validate.Grammar,
		Summary: "a part of a model is too large or too deep to be checked",
		Explanation: `An event, a line or a string may have 1 MiB, values may be nested 256 deep, and a number may
be as large as a float64. What trcx writes is far from all of these; such a model comes from elsewhere, or was made
to do harm. A model of the kind json is read up to this place. In one of the kind jsonl, reading goes on with the next
line.`,
		Example: `{"format":"trcx-model","version":1e999}
`,
	},
	{
		ID: RuleSchema, Severity: trace.Error, Layer: validate.Grammar,
		Summary: "a value of a model is not what its JSON Schema allows",
		Explanation: `The message names the value by its JSON pointer: the names of members and the numbers of
items, from 0, that lead to it; in a stream they begin at the line. The place is where the value's event, thread or
line begins. The schemas are those that trcx schema model and trcx schema jsonl print. Members that they do not know
are allowed, because later versions may add some.

A model of another version has a finding at /version. Otherwise it was changed after it was written.`,
		Example: `{"kind":"trace","format":"trcx-model","version":2,"sessions":[{}]}
{"kind":"end","duration":0,"events":0,"truncated":false,"counts":{}}
`,
	},
	{
		ID: RuleModel, Severity: trace.Error, Layer: validate.Grammar,
		Summary: "a model breaks a promise that no schema can express",
		Explanation: `The promises: threads have the keys 1, 2, 3 … in their order. Events have the ids 1, 2, 3
…, each once; in a stream in this order, in a document each thread's events ascend. Each thread,
event and session that is named exists; in a stream a thread has its line before the first event that names
it. The number of events is the stated one. A deadlock has a key for each thread. A stream begins with its line
of kind trace and ends with the line of kind end. No object has two members of one name.

Programs that read a model rely on these. Usually a filter has removed lines or events, or two
models were joined into one. Errors of counting are not reported after a part that could not be read.`,
		Example: `{"kind":"trace","format":"trcx-model","version":1,"sessions":[{}]}
{"kind":"end","duration":0,"events":7,"truncated":false,"counts":{}}
`,
	},
}
