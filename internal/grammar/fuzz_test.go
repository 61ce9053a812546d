package grammar_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
)

// FuzzCheck validates a document; all its external entities have the same text. Whatever they are, there is no panic,
// and the verdict does not depend on how the document is read.
func FuzzCheck(f *testing.F) {
	f.Add(`<!DOCTYPE a SYSTEM "x"><a/>`, `<!ELEMENT a EMPTY>`)
	f.Fuzz(func(t *testing.T, document, external string) {
		whole := judged(strings.NewReader(document), external)
		if pieces := judged(iotest.OneByteReader(strings.NewReader(document)), external); !slices.Equal(pieces, whole) {
			t.Fatalf("in pieces of one byte:\n%s\nelse:\n%s", strings.Join(pieces, "\n"), strings.Join(whole, "\n"))
		}
	})
}

// judged lists the findings in a document.
func judged(document io.Reader, external string) (findings []string) {
	options := xmlscan.Options{BufferSize: 1, Open: func(systemID, _ string) (io.ReadCloser, string, error) {
		return io.NopCloser(strings.NewReader(external)), systemID, nil
	}}
	err := grammar.Check(document, options, func(f grammar.Finding) { findings = append(findings, fmt.Sprint(f)) })
	if err != nil {
		findings = append(findings, err.Error())
	}
	slices.Sort(findings) // findings about IDs come in any order
	return findings
}
