package validate

import "github.com/trcx/trcx/trace"

var notATrace = &Rule{
	ID: "not-a-trace", Severity: trace.Error, Layer: Input,
	Summary: "one of several inputs, or one entry of a zip, is no trace at all",
	Explanation: `The input has no element of a trace: its root is another element, or it is of another
format. The other inputs were used as usual, but the exit status is 3. If no input is a trace, there is no result.

Usually the file is among the traces by mistake, such as a report. If it is a trace, look at its beginning:
bytes before the first element, such as lines of a log, can hide it.`,
	Example: `<html>
<body>Traces of Monday</body>
</html>
`,
}
