package trace

import (
	"slices"
	"testing"

	"github.com/trcx/trcx/internal/xmltext"
)

// TestAnnotations: the annotations of a name are found whatever they hold, but not those inside of others.
func TestAnnotations(t *testing.T) {
	hostile := "a > \"b\" <annotation name=\"x\" value=\"no\"/> & &amp; \t\n\x01 ü"
	inner := append([]byte(`text <annotation name="y" value="&lt;x"/><annotation name="x" value="`),
		xmltext.AppendValue(nil, EscapeJava(nil, hostile))...)
	inner = append(inner,
		`"/><other><annotation name="x" value="inside"/></other><annotation value="2" name="x"></annotation><annotation name="x"/>`...)
	extra := &Extra{Inner: inner}
	if got, want := extra.Annotations("x"), []string{hostile, "2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, ok := extra.Annotation("y"); got != "<x" || !ok {
		t.Errorf("%q %v", got, ok)
	}
	for _, other := range []*Extra{nil, {}, {Inner: []byte(`<annotation name="x" value="`)}, {Inner: []byte(`<`)},
		{Inner: []byte(`<>`)}} {
		if got, ok := other.Annotation("x"); ok {
			t.Errorf("%q is found in %+v", got, other)
		}
	}
}
