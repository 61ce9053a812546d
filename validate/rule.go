package validate

import "github.com/trcx/trcx/trace"

// Rule describes one thing that can be wrong with an input: what outputs and documentation say of it.
type Rule struct {
	// ID is the rule's name in outputs and on the command line, such as thread-dead.
	ID string
	// Severity is the usual one; the Summary says where a finding is milder.
	Severity trace.Severity
	Layer    Layer
	// Whole says of a rule of Log that all was read where it finds something, so that it can be switched off.
	Whole bool
	// Summary completes the sentence "found when …", in one line without a period.
	Summary string
	// Explanation says what it means, what usually brings it about, and what to do: paragraphs with a blank line
	// between.
	Explanation string
	// Example is a short input in which the rule, and no other rule of severity error, finds something; "" where no
	// short text can show it.
	Example string
}

// Layer is what a rule knows of the input.
type Layer uint8

// The layers, from the bytes to what can have happened. Only rules of Meaning are switched off by --rules none.
const (
	Input   Layer = iota // the data as it was stored
	Syntax               // XML
	Grammar              // the DTD
	Meaning              // what can have happened in a JVM
	Log                  // the form of a log that is no XML
)

var layerNames = [...]string{Input: "the data", Syntax: "XML", Grammar: "the grammar", Meaning: "what happened",
	Log: "another log"}

// String says in words what rules of the layer concern.
func (l Layer) String() string { return layerNames[l] }

// Rules lists all rules, from the bytes to what can have happened.
var Rules = []*Rule{
	notATrace, damagedInput, contentTooLarge,
	xmlSyntax, truncated, unreadEntity,
	dtdRoot, dtdElement, dtdAttribute, dtdRequired, dtdValue, dtdContent,
	dtdEntity, dtdDeclaration, dtdStandalone, dtdAmbiguous,
	strayText, nestedTrace,
	attributeMissing, badTime, timePrecision, timeBackwards,
	threadUndefined, threadRedefined, threadDead,
	classUndefined, methodUndefined, objectUndefined,
	enterTwice, enteredWithoutEnter, enteredMismatch, ownerSelf, ownerUndefined,
	waitTwice, waitedWithoutWait, waitedMismatch,
	blockedThreadActs, timedOutUntimed, stackUnbalanced, badStack, badNumber,
	preambleMissing, traceUnfinished,
}

// OfLogs are the rules that the readers of logs describe.
func OfLogs(described []trace.ReaderRule) []*Rule {
	rules := make([]*Rule, len(described))
	for i, rule := range described {
		rules[i] = &Rule{ID: rule.ID, Severity: rule.Severity, Layer: Log, Whole: rule.Whole, Summary: rule.Summary,
			Explanation: rule.Explanation}
	}
	return rules
}

// Lookup returns the rule of the id, among Rules and those others, or nil if there is none.
func Lookup(id string, others ...*Rule) *Rule {
	for _, rules := range [][]*Rule{Rules, others} {
		for _, rule := range rules {
			if rule.ID == id {
				return rule
			}
		}
	}
	return nil
}
