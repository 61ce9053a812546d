package dtd

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
)

// traceText is the DTD of traces. It is derived from the table of package trace. Every attribute is CDATA and #IMPLIED,
// as in the DTDs that TPTP published, and a flag is (1|0). Unlike theirs it allows any order and number of elements in
// a TRACE, as in every real trace.
//
//go:embed trace.dtd
var traceText string

// TraceText returns the DTD of traces. It is derived from the table of package trace.
func TraceText() string { return traceText }

// Trace returns the grammar of traces, which TraceText declares.
func Trace() *Grammar { return traceGrammar() }

var traceGrammar = sync.OnceValue(func() *Grammar {
	g, err := grammar.Parse(strings.NewReader(traceText), "TRACE", xmlscan.Options{})
	if err != nil {
		panic("trace.dtd: " + err.Error()) // the tests parse it
	}
	return (*Grammar)(g)
})
