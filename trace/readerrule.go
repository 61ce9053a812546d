package trace

// ReaderRule describes one kind of finding of a reader, for outputs and documentation. Each reader lists its rules.
type ReaderRule struct {
	// ID is the rule's name, after the format's: jfr-header.
	ID string
	// Severity is the default; the Summary names the cases that are only warnings.
	Severity Severity
	// Whole reports that reading lost nothing: the rule can be switched off even if its severity is error.
	Whole bool
	// Summary completes the sentence "found when …", in one line without a period.
	Summary string
	// Explanation says what would be right, the usual cause, and where reading continues: whole sentences, in
	// paragraphs with an empty line between.
	Explanation string
}
