package dtd

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
)

// TraceText is the DTD of traces. It is derived from the table of package trace. Every attribute is CDATA and #IMPLIED,
// as in the DTDs that TPTP published, and a flag is (1|0). Unlike theirs it allows any order and number of elements in
// a TRACE, as in every real trace.
//
//go:embed trace.dtd
var TraceText string

// Trace returns the grammar of traces, which TraceText declares.
var Trace = sync.OnceValue(func() *Grammar {
	g, err := grammar.Parse(strings.NewReader(TraceText), "TRACE", xmlscan.Options{})
	if err != nil {
		panic("trace.dtd: " + err.Error()) // the tests parse it
	}
	return (*Grammar)(g)
})
