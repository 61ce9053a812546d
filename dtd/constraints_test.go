package dtd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// constraints are small documents, by what they are about, with the verdict of the recommendation. Files behind the document are
// what it refers to: name=text.
var constraints = []struct {
	about, want, document string
	files                 []string
}{
	// 2.8 Prolog and Document Type Declaration
	{about: "no DOCTYPE", want: "invalid", document: `<r/>`},
	{about: "another root", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ELEMENT a EMPTY>]><a/>`},
	{about: "an empty subset", want: "invalid", document: `<!DOCTYPE r []><r/>`},
	{about: "a version to come", want: "valid", document: `<?xml version="1.7"?><!DOCTYPE r [<!ELEMENT r EMPTY>]><r/>`},
	{about: "a declaration that ends in another entity", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % p "ANY >"><!ELEMENT r %p;`}},
	{about: "a declaration that begins in another entity", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % p "<!ELEMENT r"><!ELEMENT s ANY>%p; ANY>`}},
	{about: "a declaration behind one that an entity ended", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % p "(#PCDATA)> <!ELEMENT s EMPTY"><!ELEMENT r %p;>`}},
	{about: "entities in an internal declaration", want: "not-wf", document: `<!DOCTYPE r [<!ENTITY % p "ANY"><!ELEMENT r %p;>]><r/>`},
	{about: "entities in an internal value", want: "not-wf", document: `<!DOCTYPE r [<!ENTITY % p "x"><!ENTITY e "%p;"><!ELEMENT r ANY>]><r/>`},
	{about: "entities in declarations of an entity", want: "valid", document: `<!DOCTYPE r [<!ENTITY % x SYSTEM "x">%x;]><r>t</r>`,
		files: []string{`x=<!ENTITY % p "(#PCDATA)"><!ELEMENT r %p;><!ENTITY % v "%p;">`}},
	{about: "an external subset with a root", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><r/>`}},
	{about: "a text declaration that is not first", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ELEMENT r ANY><?xml version="1.0" encoding="UTF-8"?>`}},
	{about: "a text declaration without an encoding", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<?xml version="1.0"?><!ELEMENT r ANY>`}},
	{about: "a text declaration with standalone", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<?xml version="1.0" encoding="UTF-8" standalone="yes"?><!ELEMENT r ANY>`}},
	{about: "an external subset that is a document", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!DOCTYPE r [<!ELEMENT r ANY>]>`}},
	{about: "an external subset of a version to come", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<?xml version="1.1" encoding="UTF-8"?><!ELEMENT r ANY>`}},
	{about: "an external subset that ends in a comment", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><!-- >`}},
	{about: "an external subset that ends in a processing instruction", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><?p >`}},
	{about: "an empty external subset", want: "valid", document: `<!DOCTYPE r SYSTEM "x" [<!ELEMENT r ANY>]><r/>`, files: []string{`x=`}},
	{about: "an external subset that is missing", want: "invalid", document: `<!DOCTYPE r SYSTEM "x" [<!ELEMENT r ANY>]><r/>`},
	{about: "an external subset with a byte order mark", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{"x=\ufeff<!ELEMENT r ANY>"}},
	{about: "the internal subset first", want: "valid", document: `<!DOCTYPE r SYSTEM "x" [<!ENTITY e "in"><!ATTLIST r a CDATA #FIXED "in">]><r a="in">&e;</r>`,
		files: []string{`x=<!ELEMENT r (#PCDATA)><!ENTITY e "<b/>"><!ATTLIST r a CDATA #FIXED "out">`}},

	// 2.9 Standalone Document Declaration
	{about: "a default from outside", want: "invalid", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ELEMENT r ANY><!ATTLIST r a CDATA "v">`}},
	{about: "a default from outside that is not used", want: "valid", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r a="1"/>`,
		files: []string{`x=<!ELEMENT r ANY><!ATTLIST r a CDATA "v">`}},
	{about: "a default from an internal parameter entity", want: "invalid",
		document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r [<!ELEMENT r ANY><!ENTITY % p '<!ATTLIST r a CDATA "v">'>%p;]><r/>`},
	{about: "normalisation from outside", want: "invalid", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r a=" v"/>`,
		files: []string{`x=<!ELEMENT r ANY><!ATTLIST r a NMTOKEN #IMPLIED>`}},
	{about: "normalisation from outside that changes nothing", want: "valid", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r a="v w"/>`,
		files: []string{`x=<!ELEMENT r ANY><!ATTLIST r a NMTOKENS #IMPLIED>`}},
	{about: "white space from outside", want: "invalid", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r> <a/></r>`,
		files: []string{`x=<!ELEMENT r (a)><!ELEMENT a EMPTY>`}},
	{about: "white space in mixed content from outside", want: "valid", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r> <a/></r>`,
		files: []string{`x=<!ELEMENT r (#PCDATA|a)*><!ELEMENT a EMPTY>`}},
	{about: "an entity from outside", want: "not-wf", document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r>&e;</r>`,
		files: []string{`x=<!ELEMENT r ANY><!ENTITY e "v">`}},
	{about: "an entity from outside, by an external entity", want: "not-wf",
		document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x" [<!ENTITY f SYSTEM "f">]><r>&f;</r>`,
		files:    []string{`x=<!ELEMENT r ANY><!ENTITY e "v">`, `f=&e;`}},
	{about: "an undeclared entity in an external entity", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY f SYSTEM "f">]><r>&f;</r>`, files: []string{`f=&e;`}},
	{about: "an entity from outside, not standalone", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r>&e;</r>`, files: []string{`x=<!ELEMENT r ANY><!ENTITY e "v">`}},
	{about: "an external entity in a standalone document", want: "valid",
		document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "x">]><r>&e;</r>`, files: []string{`x=v`}},

	// 3 Logical Structures: Element Valid
	{about: "a reference in EMPTY", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r EMPTY><!ENTITY e "">]><r>&e;</r>`},
	{about: "a comment in EMPTY", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r EMPTY>]><r><!----></r>`},
	{about: "a processing instruction in EMPTY", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r EMPTY>]><r><?p?></r>`},
	{about: "white space in EMPTY", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r EMPTY>]><r> </r>`},
	{about: "an empty CDATA section in EMPTY", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r EMPTY>]><r><![CDATA[]]></r>`},
	{about: "tags of EMPTY", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r EMPTY>]><r></r>`},
	{about: "white space, comments and processing instructions between children", want: "valid",
		document: "<!DOCTYPE r [<!ELEMENT r (a,a)><!ELEMENT a EMPTY>]><r>\r\n<!-- --><a/><?p?>\t<a/> <!-- --></r>"},
	{about: "an entity of white space between children", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY><!ENTITY e " ">]><r>&e;<a/></r>`},
	{about: "an entity with a reference to a space in its literal value", want: "valid",
		document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY><!ENTITY e "&#32;">]><r>&e;<a/></r>`},
	{about: "an entity whose replacement text has a reference to a space", want: "invalid",
		document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY><!ENTITY e "&#38;#32;">]><r>&e;<a/></r>`},
	{about: "a reference to a space between children", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY>]><r>&#32;<a/></r>`},
	{about: "a CDATA section of white space between children", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY>]><r><![CDATA[ ]]><a/></r>`},
	{about: "an empty CDATA section between children", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY>]><r><![CDATA[]]><a/></r>`},
	{about: "an empty entity between children", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (a)><!ELEMENT a EMPTY><!ENTITY e "">]><r>&e;<a/></r>`},
	{about: "children from an entity", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (a,a)><!ELEMENT a EMPTY><!ENTITY e "<a/>">]><r>&e;&e;</r>`},
	{about: "too many children from an entity", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r (a,a)><!ELEMENT a EMPTY><!ENTITY e "<a/>">]><r>&e;&e;&e;</r>`},
	{about: "an element across the end of an entity", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e "<r>">]><r>&e;</r></r>`},
	{about: "a reference to a character in mixed content", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (#PCDATA)>]><r>&#32;<![CDATA[ ]]></r>`},
	{about: "text in ANY", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY>]><r>t<r/><![CDATA[]]><!----><?p?></r>`},
	{about: "an undeclared element in ANY", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY>]><r><a/></r>`},
	{about: "an undeclared element in a model", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (a?)>]><r/>`},
	{about: "an undeclared attribute", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY>]><r a=""/>`},
	{about: "an undeclared xmlns", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY>]><r xmlns="u"/>`},
	{about: "an undeclared xml:lang", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY>]><r xml:lang="de"/>`},
	{about: "an empty xml:lang", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r xml:lang CDATA #IMPLIED>]><r xml:lang=""/>`},
	{about: "attributes of an undeclared element", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST a b CDATA #IMPLIED>]><r/>`},

	// 3.2 Element Type Declarations
	{about: "an element declared twice", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ELEMENT r ANY>]><r/>`},
	{about: "a name twice in mixed content", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r (#PCDATA|r|r)*>]><r/>`},
	{about: "mixed content with names but no star", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r (#PCDATA|r)>]><r/>`},
	{about: "mixed content that begins with a name", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r (r|#PCDATA)*>]><r/>`},
	{about: "two kinds of separators", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r (a,b|c)>]><r/>`},
	{about: "a space before a sign", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r (a) *>]><r/>`},
	{about: "a group in an entity", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r><a/></r>`,
		files: []string{`x=<!ENTITY % p "(a|b)"><!ELEMENT r (%p;)><!ELEMENT a EMPTY>`}},
	{about: "half of a group in an entity", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r><a/></r>`,
		files: []string{`x=<!ENTITY % p "(a|b"><!ELEMENT r %p;)><!ELEMENT a EMPTY>`}},
	{about: "the end of a group in an entity", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r><a/></r>`,
		files: []string{`x=<!ENTITY % p "|b)"><!ELEMENT r (a%p;><!ELEMENT a EMPTY>`}},
	{about: "half of mixed content in an entity", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % p "(#PCDATA"><!ELEMENT r %p;)>`}},
	{about: "an empty entity in a choice", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ENTITY % p ""><!ELEMENT r (#PCDATA%p;)*>`}},
	{about: "no space around an entity", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ENTITY % p "r"><!ELEMENT%p;ANY>`}},
	{about: "an entity inside a name", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ENTITY % p "r"><!ELEMENT r%p; ANY>`}},
	{about: "a sign in an entity behind a name", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ENTITY % p "*"><!ELEMENT r (r%p;)>`}},

	// 3.3 Attribute-List Declarations
	{about: "an attribute declared twice", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a CDATA #REQUIRED><!ATTLIST r a NMTOKEN #IMPLIED>]><r a="!"/>`},
	{about: "two IDs", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED b ID #IMPLIED>]><r/>`},
	{about: "an ID declared twice", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED a ID #IMPLIED>]><r/>`},
	{about: "an ID with a default", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID "x">]><r a="y"/>`},
	{about: "a fixed ID", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #FIXED "x">]><r a="x"/>`},
	{about: "an ID twice", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED>]><r a="x"><r a=" x "/></r>`},
	{about: "an ID that is no name", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED>]><r a="1"/>`},
	{about: "an ID with a colon", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED>]><r a="x:y"/>`},
	{about: "references forwards and to itself", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED b IDREFS #IMPLIED>]><r a="x" b="y x  y"><r a="y"/></r>`},
	{about: "a dangling reference", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a ID #IMPLIED b IDREFS #IMPLIED>]><r a="x" b="x z"/>`},
	{about: "a dangling reference by default", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b IDREF "z">]><r/>`},
	{about: "a dangling reference by a default that is not used", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST s b IDREF "z">]><r/>`},
	{about: "an empty IDREFS", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b IDREFS #IMPLIED>]><r b=" "/>`},
	{about: "tokens with a line feed between them", want: "valid", document: "<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b NMTOKENS #IMPLIED>]><r b='x\ny'/>"},
	{about: "tokens with a reference to a line feed between them", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b NMTOKENS #IMPLIED>]><r b="x&#10;y"/>`},
	{about: "tokens with a reference to a space between them", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b NMTOKENS #IMPLIED>]><r b="x&#32;y"/>`},
	{about: "two tokens for one", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b NMTOKEN #IMPLIED>]><r b="x y"/>`},
	{about: "an unparsed entity", want: "valid", document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ENTITY e SYSTEM "e" NDATA n><!ELEMENT r ANY><!ATTLIST r b ENTITIES #IMPLIED>]><r b="e e"/>`},
	{about: "a parsed entity for an unparsed one", want: "invalid", document: `<!DOCTYPE r [<!ENTITY e SYSTEM "e"><!ELEMENT r ANY><!ATTLIST r b ENTITY #IMPLIED>]><r b="e"/>`},
	{about: "an undeclared entity for an unparsed one", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b ENTITY #IMPLIED>]><r b="e"/>`},
	{about: "an unused default that names no entity", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST s b ENTITY "e">]><r/>`},
	{about: "an unused default that is no name", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST s b ENTITY "1">]><r/>`},
	{about: "a reference to an unparsed entity", want: "not-wf", document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ENTITY e SYSTEM "e" NDATA n><!ELEMENT r ANY>]><r>&e;</r>`},
	{about: "an external entity in a value", want: "not-wf", document: `<!DOCTYPE r [<!ENTITY e SYSTEM "e"><!ELEMENT r ANY><!ATTLIST r b CDATA #IMPLIED>]><r b="&e;"/>`, files: []string{`e=v`}},
	{about: "an unparsed entity of an undeclared notation", want: "invalid", document: `<!DOCTYPE r [<!ENTITY e SYSTEM "e" NDATA n><!ELEMENT r ANY>]><r/>`},
	{about: "a notation that is declared later", want: "valid", document: `<!DOCTYPE r [<!ENTITY e SYSTEM "e" NDATA n><!ELEMENT r ANY><!NOTATION n SYSTEM "n">]><r/>`},
	{about: "a notation attribute of an undeclared notation", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b NOTATION (n) #IMPLIED>]><r/>`},
	{about: "two notation attributes", want: "invalid",
		document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ELEMENT r ANY><!ATTLIST r b NOTATION (n) #IMPLIED c NOTATION (n) #IMPLIED>]><r/>`},
	{about: "a notation attribute of an empty element", want: "invalid",
		document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ELEMENT r EMPTY><!ATTLIST r b NOTATION (n) #IMPLIED>]><r/>`},
	{about: "a notation that is not in the list", want: "invalid",
		document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!NOTATION m SYSTEM "m"><!ELEMENT r ANY><!ATTLIST r b NOTATION (n) #IMPLIED>]><r b="m"/>`},
	{about: "a notation twice in a list", want: "invalid", document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ELEMENT r ANY><!ATTLIST r b NOTATION (n|n) #IMPLIED>]><r/>`},
	{about: "a token twice in a list", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b (x|y|x) #IMPLIED>]><r/>`},
	{about: "a token in two lists", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b (x|y) #IMPLIED c (x|y) #IMPLIED>]><r/>`},
	{about: "a default that is not in the list", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b (x|y) "z">]><r b="x"/>`},
	{about: "a required attribute with a default", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b CDATA #REQUIRED "z">]><r b="x"/>`},
	{about: "a missing attribute", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b CDATA #REQUIRED>]><r/>`},
	{about: "a fixed value after normalisation", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b NMTOKENS #FIXED " x  y">]><r b="x y "/>`},
	{about: "a fixed CDATA value with other spaces", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b CDATA #FIXED "x y">]><r b="x  y"/>`},
	{about: "a fixed value by references", want: "valid", document: `<!DOCTYPE r [<!ENTITY e "x&#38;amp;"><!ELEMENT r ANY><!ATTLIST r b CDATA #FIXED "x&#38;">]><r b="&e;"/>`},
	{about: "a default with a less-than sign", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b CDATA "<">]><r/>`},
	{about: "a default with a less-than sign in an entity", want: "not-wf", document: `<!DOCTYPE r [<!ENTITY e "<"><!ELEMENT r ANY><!ATTLIST r b CDATA "&e;">]><r/>`},
	{about: "a default that says lt", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b CDATA "&lt;&#60;">]><r/>`},
	{about: "a default with an entity that is declared later", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r b CDATA "&e;"><!ENTITY e "x">]><r/>`},
	{about: "a default with an entity that is declared later, outside", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ELEMENT r ANY><!ATTLIST r b CDATA "&e;"><!ENTITY e "x">`}},
	{about: "an unused default with an undeclared entity, outside", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ELEMENT r ANY><!ATTLIST s b CDATA "&e;">`}},
	{about: "a default with an undeclared entity behind a parameter entity", want: "invalid",
		document: `<!DOCTYPE r [<!ENTITY % p "">%p;<!ELEMENT r ANY><!ATTLIST r b CDATA "&e;">]><r/>`},
	{about: "a default with an entity that speaks of an undeclared one", want: "not-wf", document: `<!DOCTYPE r [<!ENTITY e "&f;"><!ELEMENT r ANY><!ATTLIST r b CDATA "&e;">]><r/>`},
	{about: "xml:space", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r xml:space (default|preserve) "preserve">]><r/>`},

	// 3.4 Conditional Sections
	{about: "a conditional section inside", want: "not-wf", document: `<!DOCTYPE r [<![INCLUDE[<!ELEMENT r ANY>]]>]><r/>`},
	{about: "a conditional section in an internal parameter entity", want: "not-wf", document: `<!DOCTYPE r [<!ENTITY % p "<![INCLUDE[<!ELEMENT r ANY>]]>">%p;]><r/>`},
	{about: "a conditional section in an external parameter entity", want: "valid", document: `<!DOCTYPE r [<!ENTITY % p SYSTEM "x">%p;]><r/>`,
		files: []string{`x=<![INCLUDE[<!ELEMENT r ANY>]]>`}},
	{about: "sections in sections", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<![ INCLUDE [<![IGNORE[ <![INCLUDE[ <!ELEMENT r EMPTY> ]]> " ' <!-- ]]><!ELEMENT r ANY>]]>`}},
	{about: "a section without an end", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><![INCLUDE[`}},
	{about: "an ignored section without an end", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><![IGNORE[ <![ ]]>`}},
	{about: "an end too many", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<![INCLUDE[<!ELEMENT r ANY>]]>]]>`}},
	{about: "another keyword", want: "not-wf", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<![CDATA[<!ELEMENT r ANY>]]>`}},
	{about: "a keyword by an entity", want: "valid", document: `<!DOCTYPE r SYSTEM "x" [<!ENTITY % k "INCLUDE">]><r/>`,
		files: []string{`x=<!ENTITY % k "IGNORE"><![%k;[<!ELEMENT r ANY>]]>`}},
	{about: "a section that an entity ends", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % p "[ <!ELEMENT r ANY> ]]>"><![INCLUDE %p;`}},
	{about: "a parameter entity that is not known in an ignored section", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<![IGNORE[%none;]]><!ELEMENT r ANY>`}},

	// 4 Physical Structures
	{about: "an undeclared entity", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY>]><r>&e;</r>`},
	{about: "an undeclared entity behind a parameter entity", want: "invalid", document: `<!DOCTYPE r [<!ENTITY % p "">%p;<!ELEMENT r ANY>]><r>&e;</r>`},
	{about: "an undeclared entity in a value behind a parameter entity", want: "invalid",
		document: `<!DOCTYPE r [<!ENTITY % p "">%p;<!ELEMENT r ANY><!ATTLIST r a CDATA #IMPLIED>]><r a="&e;"/>`},
	{about: "an undeclared entity with an external subset", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r>&e;</r>`, files: []string{`x=<!ELEMENT r ANY>`}},
	{about: "an undeclared entity with an external subset, standalone", want: "not-wf",
		document: `<?xml version="1.0" standalone="yes"?><!DOCTYPE r SYSTEM "x"><r>&e;</r>`, files: []string{`x=<!ELEMENT r ANY>`}},
	{about: "an undeclared parameter entity", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY>%none;]><r/>`},
	{about: "an undeclared parameter entity, outside", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY>%none;`}},
	{about: "an undeclared parameter entity in a value", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><!ENTITY e "%none;">`}},
	{about: "an undeclared entity in a value that is not used", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e "&none;">]><r/>`},
	{about: "an entity in itself", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e "&f;"><!ENTITY f "&e;">]><r>&e;</r>`},
	{about: "an entity in itself that is not used", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e "&f;"><!ENTITY f "&e;">]><r/>`},
	{about: "a parameter entity in itself", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY % e "&#37;e;">%e;]><r/>`},
	{about: "an external entity in itself", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "e">]><r>&e;</r>`, files: []string{`e=<r>&e;</r>`}},
	{about: "a missing external entity", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "e">]><r>&e;</r>`},
	{about: "a missing external entity that is not used", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "e">]><r/>`},
	{about: "a missing parameter entity", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ENTITY % m SYSTEM "m">%m;<!ELEMENT r ANY>`}},
	{about: "declarations by entities behind a missing one", want: "invalid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % m SYSTEM "m">%m;<!ENTITY % p "ANY"><!ELEMENT r %p;>`}},
	{about: "an external entity with two roots and text", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "e">]><r>&e;</r>`,
		files: []string{`e=<?xml encoding="UTF-8"?>t<r/>t<r/><!-- -->`}},
	{about: "an external entity with a DOCTYPE", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "e">]><r>&e;</r>`, files: []string{`e=<!DOCTYPE r><r/>`}},
	{about: "an external entity with bytes that are no UTF-8", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e SYSTEM "e">]><r>&e;</r>`, files: []string{"e=\xff"}},
	{about: "an external entity in Latin-1", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ATTLIST r a (é) #IMPLIED><!ENTITY e SYSTEM "e">]><r>&e;</r>`,
		files: []string{"e=<?xml encoding='ISO-8859-1'?><r a='\xe9'/>"}},
	{about: "entities that name what lies beside them", want: "valid", document: `<!DOCTYPE r SYSTEM "s/x"><r>&e;</r>`,
		files: []string{`s/x=<!ELEMENT r ANY><!ENTITY e SYSTEM "e"><!ENTITY % p SYSTEM "p">%p;`, `s/e=<r/>`, `s/p=<!ATTLIST r a CDATA #IMPLIED>`}},
	{about: "an entity declared in an entity that is referred to elsewhere", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY % p SYSTEM "s/p">%p;]><r>&e;</r>`,
		files: []string{`s/p=<!ENTITY e SYSTEM "e">`, `s/e=<r/>`}},
	{about: "lt redeclared", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY lt "&#38;#60;"><!ENTITY amp "&#38;#x26;"><!ENTITY gt ">">]><r>&lt;&amp;&gt;</r>`},
	{about: "a notation twice", want: "invalid", document: `<!DOCTYPE r [<!ELEMENT r ANY><!NOTATION n SYSTEM "n"><!NOTATION n SYSTEM "n">]><r/>`},
	{about: "an entity twice", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (#PCDATA)><!ENTITY e "1"><!ENTITY e "<b/>">]><r>&e;</r>`},
	{about: "a parameter entity and a general one of one name", want: "valid", document: `<!DOCTYPE r [<!ELEMENT r (#PCDATA)><!ENTITY % e "<!-- -->"><!ENTITY e "1">%e;]><r>&e;</r>`},
	{about: "a percent sign in a value", want: "not-wf", document: `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY e "100%">]><r/>`},
	{about: "a percent sign in a default", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`, files: []string{`x=<!ELEMENT r ANY><!ATTLIST r a CDATA "100%" b CDATA "%none;">`}},
	{about: "quotes in a replaced parameter entity", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r/>`,
		files: []string{`x=<!ENTITY % q '"'><!ENTITY e "%q;'"><!ELEMENT r ANY>`}},
	{about: "a parameter entity in the value of an entity", want: "valid", document: `<!DOCTYPE r SYSTEM "x"><r>&e;</r>`,
		files: []string{`x=<!ENTITY % p "<r/>"><!ENTITY e "%p;%p;"><!ELEMENT r (r,r)?>`}},
	{about: "an unparsed parameter entity", want: "not-wf", document: `<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ENTITY % e SYSTEM "e" NDATA n><!ELEMENT r ANY>]><r/>`},
}

// TestConstraints judges each document by the constraint it is about.
func TestConstraints(t *testing.T) {
	for _, c := range constraints {
		t.Run(c.about, func(t *testing.T) {
			folder := t.TempDir()
			for _, file := range append([]string{"document.xml=" + c.document}, c.files...) {
				name, text, _ := strings.Cut(file, "=")
				path := filepath.Join(folder, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := judge(t, folder, filepath.Join(folder, "document.xml"), plain)
			if want := (conformanceCase{kind: c.want}); !want.right(got) {
				t.Errorf("%s\n%s\nis %s, and the engine says: %v", c.document, strings.Join(c.files, "\n"), c.want, got)
			}
		})
	}
}
