package dtd_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write trace.dtd")

// TestTraceDTD proves that trace.dtd says what the table of package trace says.
func TestTraceDTD(t *testing.T) {
	want := traceDTD()
	if *update {
		if err := os.WriteFile("trace.dtd", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if dtd.TraceText() != want {
		t.Error("trace.dtd is not current; write it with: go test ./dtd -update")
	}
}

// traceDTD writes the table of the vocabulary as a DTD.
func traceDTD() string {
	var b strings.Builder
	b.WriteString("<!-- The DTD of Java thread and heap traces in the vocabulary of Eclipse TPTP.\n" +
		"     Written by the tests from trace/table.go: go test ./dtd -update -->\n")
	for group := trace.GroupLifecycle; group <= trace.GroupAnnotations; group++ {
		fmt.Fprintf(&b, "\n<!-- %s -->\n", group)
		for k := trace.Root; k < trace.KindCount; k++ {
			if e := k.Element(); e.Group == group {
				declare(&b, e)
			}
		}
	}
	b.WriteString("\n<!-- The names of annotations that trcx writes or reads, inside elements and among the events:\n")
	for _, row := range trace.Annotations() {
		in := "among the events"
		for i, kind := range row.Elements {
			if in += " " + kind.String(); i == 0 {
				in = kind.String()
			}
		}
		fmt.Fprintf(&b, "     %s (%s)\n", row.Name, in)
	}
	b.WriteString("-->\n")
	return b.String()
}

func declare(b *strings.Builder, e *trace.Element) {
	fmt.Fprintf(b, "\n<!-- %s -->\n<!ELEMENT %s %s>\n", strings.ReplaceAll(e.Summary, "--", "- -"), e.Name,
		contentModel(e.Content))
	if len(e.Attributes) == 0 {
		return
	}
	fmt.Fprintf(b, "<!ATTLIST %s", e.Name)
	for _, a := range e.Attributes {
		domain := "CDATA"
		if a.Type == trace.Flag {
			domain = "(1|0)"
		}
		fmt.Fprintf(b, "\n  %s %s #IMPLIED", a.Name, domain)
	}
	b.WriteString(">\n")
}

func contentModel(content trace.Content) string {
	switch content {
	case trace.RootContent:
		var names []string
		for k := trace.Root + 1; k < trace.KindCount; k++ {
			names = append(names, k.String())
		}
		return "((" + strings.Join(names, "|") + ")*)"
	case trace.AnnotationsOf:
		return "((" + trace.Annotation.String() + ")*)"
	case trace.TextContent:
		return "ANY"
	}
	return "EMPTY"
}

// TestTraceDTDIsTheTable reads trace.dtd with the engine's own parser and compares each declaration with the table.
func TestTraceDTDIsTheTable(t *testing.T) {
	doctype, err := xmlscan.ReadSubset(strings.NewReader(dtd.TraceText()), xmlscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(doctype.Elements), int(trace.KindCount-trace.Root); got != want {
		t.Errorf("trace.dtd declares %d elements, the table has %d", got, want)
	}
	declared := map[trace.Kind]int{}
	for _, a := range doctype.Attributes {
		kind := trace.Lookup([]byte(a.Element))
		position, proper := kind.Element().Find([]byte(a.Name))
		if position != declared[kind] || !proper {
			t.Errorf("%s %s is at place %d of the table, and declared at place %d", a.Element, a.Name, position,
				declared[kind])
			continue
		}
		declared[kind]++
		flag := kind.Element().Attributes[position].Type == trace.Flag
		if a.Presence != xmlscan.Implied || flag != (a.Type == xmlscan.Enumeration) || !flag &&
			a.Type != xmlscan.CDATA {
			t.Errorf("%s %s is declared as type %d, presence %d", a.Element, a.Name, a.Type, a.Presence)
		}
	}
	for k := trace.Root; k < trace.KindCount; k++ {
		if !dtd.Trace().Declares(k.String()) || declared[k] != len(k.Element().Attributes) {
			t.Errorf("%s: %d attributes of %d are declared", k, declared[k], len(k.Element().Attributes))
		}
	}
}

// TestTraceDTDIsOneOfXML validates a document that has every element by trace.dtd as its internal subset.
func TestTraceDTDIsOneOfXML(t *testing.T) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE TRACE [%s]>\n<TRACE>\n", dtd.TraceText())
	for k := trace.Root + 1; k < trace.KindCount; k++ {
		fmt.Fprintf(&b, "<%s", k)
		for _, a := range k.Element().Attributes {
			fmt.Fprintf(&b, ` %s="1"`, a.Name)
		}
		b.WriteString("/>\n")
	}
	b.WriteString("</TRACE>\n")
	findings, err := dtd.Check(&b, dtd.Options{})
	if err != nil || len(findings) > 0 {
		t.Errorf("%v %v", findings, err)
	}
}
