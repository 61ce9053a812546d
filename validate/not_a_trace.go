package validate

import "github.com/trcx/trcx/trace"

var notATrace = &Rule{
	ID: "not-a-trace", Severity: trace.Error, Layer: Input,
	Summary: "one of several inputs, or one entry of a zip, is no trace at all",
	Explanation: `The input was read, and holds nothing that a trace is made of: its root is another
element, or it is of another format. The other inputs were judged as usual. Where it is the only input, the
command fails instead, with exit status 3.

Usually it is a file that lies among the traces by mistake, such as a report. Leave it out; if it is a trace
after all, look at its beginning: bytes before the first element, such as the lines of a log, may hide it.`,
	Example: `<html>
<body>Traces of Monday</body>
</html>
`,
}
