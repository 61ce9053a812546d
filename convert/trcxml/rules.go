package trcxml

// The rules that the reader applies. Package validate describes them.
const (
	RuleSyntax           = "xml-syntax"
	RuleTruncated        = "truncated"
	RuleBadTime          = "bad-time"
	RuleTimePrecision    = "time-precision"
	RuleAttributeMissing = "attribute-missing"
	RuleStrayText        = "stray-text"
	RuleTooLarge         = "content-too-large"
	RuleUnreadEntity     = "unread-entity"
	RuleNestedTrace      = "nested-trace"
)
