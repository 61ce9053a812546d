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
	// Explanation has the correct form, the common cause, and where reading continues: sentences in paragraphs,
	// separated by empty lines.
	Explanation string
	// Example is a short input with findings of this rule; "" for none.
	Example string
}
