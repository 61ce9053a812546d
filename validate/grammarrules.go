package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdRoot = &Rule{
	ID: dtd.RuleRoot, Severity: trace.Error, Layer: Grammar,
	Summary: "the root element is not the one that the DOCTYPE names, or that the grammar begins with",
	Explanation: `The root element is where a grammar begins. The root of a trace is 'TRACE'.

Usually the document is a part of another one, or is to be judged by another grammar, which can be given.`,
	Example: `<!DOCTYPE TRACE>
<node nodeId="n1" hostname="build-7" time="1700000000.000000000"/>
`,
}

var dtdElement = &Rule{
	ID: dtd.RuleElement, Severity: trace.Error, Layer: Grammar,
	Summary: "an element that the grammar does not declare",
	Explanation: `The DTD has no such element. A reader of traces keeps it and goes on; a validating XML
parser rejects the document.

Usually the name is misspelled (names are case-sensitive), or an agent has added an element of its own. Give
trcx a DTD that declares it, or switch the rule off.`,
	Example: `<TRACE>
<monWaiting threadIdRef="7" time="1700000000.100000000"/>
</TRACE>
`,
}

var dtdAttribute = &Rule{
	ID: dtd.RuleAttribute, Severity: trace.Error, Layer: Grammar,
	Summary: "an attribute that the grammar does not declare for its element; a warning for elements whose " +
		"attribute lists are not established",
	Explanation: `The DTD has no such attribute at this element. For some elements of the trace format no
public document lists all attributes; there this is a warning.

Usually the name is misspelled, or an attribute of another element was used. A call* element names its thread
'threadId', all others 'threadIdRef': the other spelling is understood, but reported by this rule.`,
	Example: `<TRACE>
<callStart threadIdRef="1" time="1700000000.100000000" objIdRef="11"/>
</TRACE>
`,
}

var dtdRequired = &Rule{
	ID: dtd.RuleRequired, Severity: trace.Error, Layer: Grammar,
	Summary: "an attribute that the grammar requires (#REQUIRED) is missing",
	Explanation: `The DTD declares the attribute as #REQUIRED: a validating XML parser rejects the element
without it.

The grammar of the trace format requires none, so this is found only with another DTD. The rule
attribute-missing reports attributes that an event needs.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE EMPTY>
<!ATTLIST TRACE version CDATA #REQUIRED>
]>
<TRACE/>
`,
}

var dtdValue = &Rule{
	ID: dtd.RuleValue, Severity: trace.Error, Layer: Grammar,
	Summary: "a value that is outside of the attribute's type, enumeration or #FIXED default",
	Explanation: `The DTD says what the value can be; a validating XML parser rejects any other.

In traces this concerns 'isTimedOut' and 'isNotifyAll', which are 1 or 0; 'true' and 'false' are understood, and
reported here. With other DTDs also ids that are no names or occur twice, references to ids that do not exist,
and the like.`,
	Example: `<TRACE>
<callNotify threadId="1" time="1700000000.100000000" objIdRef="11" isNotifyAll="true"/>
</TRACE>
`,
}

var dtdContent = &Rule{
	ID: dtd.RuleContent, Severity: trace.Error, Layer: Grammar,
	Summary: "children or text that the element's content model does not allow",
	Explanation: `The DTD declares what an element contains: in most elements of a trace nothing, in thread
and monitor events annotations, in 'TRACE' the other elements in any order, and no text.

Usually an end tag, or the slash of an empty element, is missing, or there is text between the elements.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time="1700000000.100000000"><annotation name="reason" value="done"/></threadEnd>
</TRACE>
`,
}

var dtdEntity = &Rule{
	ID: dtd.RuleEntity, Severity: trace.Error, Layer: Grammar,
	Summary: "a reference to an entity or notation that no declaration declares, or an unparsed entity that is misused",
	Explanation: `The value of an ENTITY, ENTITIES or NOTATION attribute names nothing that the DTD
declares, or a reference in the text has no declaration that a validating parser could find.

Usually the declaration was left out of the DTD or comes too late, or the name is misspelled.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE EMPTY>
<!ATTLIST TRACE picture ENTITY #IMPLIED>
]>
<TRACE picture="logo"/>
`,
}

var dtdDeclaration = &Rule{
	ID: dtd.RuleDeclaration, Severity: trace.Error, Layer: Grammar,
	Summary: "the DTD itself breaks a rule, such as an element declared twice",
	Explanation: `The declarations are well-formed, but contradict each other or XML: an element declared
twice, two ID attributes at one element, a notation that is not declared, a default that is not of the
attribute's type, a declaration that begins in one entity and ends in another.

Correct the DTD. Documents are judged by the first of two declarations.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE EMPTY>
<!ELEMENT TRACE ANY>
]>
<TRACE/>
`,
}

var dtdStandalone = &Rule{
	ID: dtd.RuleStandalone, Severity: trace.Error, Layer: Grammar,
	Summary: "standalone=\"yes\" although declarations outside of the document change what it says",
	Explanation: `The XML declaration promises that a parser need not read the external DTD. But the external DTD
has a default for an attribute which is left out here, an entity which is used, a type by which a value is
normalised, or it declares that white space between elements means nothing.

Write standalone="no", or remove it.`,
	Example: `<?xml version="1.0" standalone="yes"?>
<!DOCTYPE TRACE SYSTEM "trace.dtd">
<TRACE>
<gcStart time="1700000000.100000000"/>
</TRACE>
`,
}

var dtdAmbiguous = &Rule{
	ID: dtd.RuleAmbiguous, Severity: trace.Warning, Layer: Grammar,
	Summary: "a content model that is not deterministic: it can match in more than one way; it is matched correctly " +
		"all the same",
	Explanation: `XML requires content models in which each child can be matched without looking ahead. Some
parsers reject other models, or match them wrongly; trcx matches them correctly. The model of 'TRACE' that was
published in 2004 is one of them.

Rewrite the model so that the next child decides how it is matched, such as '(node, (filter | option))'
instead of the one below.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE ((node, filter) | (node, option))>
<!ELEMENT node EMPTY>
<!ELEMENT filter EMPTY>
<!ELEMENT option EMPTY>
]>
<TRACE><node/><option/></TRACE>
`,
}

// AddByTable adds a finding of the reader, for a trace that is checked against the DTD derived from trace.Elements. An
// undeclared attribute is a warning if the table may lack attributes of the element.
func (f *Findings) AddByTable(finding trace.Finding) {
	if finding.Rule == dtd.RuleAttribute && !trace.Lookup([]byte(finding.Element)).Element().Established {
		finding.Severity = trace.Warning
	}
	f.Add(finding)
}
