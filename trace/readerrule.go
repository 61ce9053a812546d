package trace

// ReaderRule describes one kind of thing that a reader finds wrong with a log: what outputs and documentation say of
// it. Each reader has a list of its own.
type ReaderRule struct {
	// ID is the rule's name, which begins with that of the format: jfr-header.
	ID string
	// Severity is the usual one; the Summary says where a finding is milder.
	Severity Severity
	// Whole says that where it is found all of the log was read and is used: so the rule can be switched off, even if
	// it is one of severity error.
	Whole bool
	// Summary completes the sentence "found when …", in one line without a period.
	Summary string
	// Explanation says what would be right, what usually brings it about, and where reading goes on: whole sentences,
	// in paragraphs with a blank line between.
	Explanation string
}
