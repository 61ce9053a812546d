package builder

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

// Rules returns the rules that the text of a reader's rules.txt describes. Each has a line such as "# jfr-type: warning",
// then the summary, an empty line and the explanation. With ", whole" after the severity, ReaderRule.Whole is true.
func Rules(text string) (rules []trace.ReaderRule) {
	for described := range strings.SplitSeq(strings.TrimPrefix(text, "# "), "\n# ") {
		head, rest, _ := strings.Cut(described, "\n")
		summary, explanation, _ := strings.Cut(rest, "\n\n")
		id, severity, _ := strings.Cut(head, ": ")
		severity, whole := strings.CutSuffix(severity, ", whole")
		rule := trace.ReaderRule{ID: id, Whole: whole, Summary: strings.ReplaceAll(summary, "\n", " "),
			Explanation: strings.TrimSpace(explanation)}
		if severity == trace.Warning.String() {
			rule.Severity = trace.Warning
		}
		rules = append(rules, rule)
	}
	return rules
}
