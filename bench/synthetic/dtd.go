package synthetic

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/trcx/trcx/trace"
)

// DTDName is what the DOCTYPE of every generated trace refers to.
const DTDName = "trace.dtd"

// DocumentType is the DTD of the vocabulary. Unlike the one that was published, it lets elements stand in any order and
// number, as real traces have them, and its content models are deterministic, which validating parsers insist on.
func DocumentType() []byte {
	var b bytes.Buffer
	for k := trace.Root; k < trace.KindCount; k++ {
		element := k.Element()
		fmt.Fprintf(&b, "<!ELEMENT %s %s>\n", element.Name, contentModel(element.Content))
		if len(element.Attributes) > 0 {
			fmt.Fprintf(&b, "<!ATTLIST %s%s>\n", element.Name, attributeList(element.Attributes))
		}
	}
	return b.Bytes()
}

func contentModel(content trace.Content) string {
	switch content {
	case trace.RootContent:
		return "((" + strings.Join(childrenOfRoot(), "|") + ")*)"
	case trace.AnnotationsOf:
		return "((" + trace.Annotation.String() + ")*)"
	case trace.TextContent:
		return "ANY"
	default:
		return "EMPTY"
	}
}

func childrenOfRoot() []string {
	var names []string
	for k := trace.Root + 1; k < trace.KindCount; k++ {
		names = append(names, k.String())
	}
	return names
}

func attributeList(attributes []trace.Attribute) string {
	var b strings.Builder
	for _, attribute := range attributes {
		domain := "CDATA"
		if attribute.Type == trace.Flag {
			domain = "(1|0)"
		}
		fmt.Fprintf(&b, "\n  %s %s #IMPLIED", attribute.Name, domain)
	}
	return b.String()
}
