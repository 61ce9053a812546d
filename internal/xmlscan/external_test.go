package xmlscan

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestExternalEntitiesAreBounded: however many external entities a document refers to, only as many are opened as the
// limit of their total size allows.
func TestExternalEntitiesAreBounded(t *testing.T) {
	var declarations, references strings.Builder
	for i := range 100 {
		fmt.Fprintf(&declarations, `<!ENTITY e%d SYSTEM "%d">`, i, i)
		fmt.Fprintf(&references, "<a>&e%d;</a>", i)
	}
	opened := 0
	s := New(strings.NewReader("<!DOCTYPE r ["+declarations.String()+"]><r>"+references.String()+"</r>"), Options{
		Open: func(systemID, _ string) (io.ReadCloser, string, error) {
			opened++
			return io.NopCloser(strings.NewReader(strings.Repeat(" ", 600<<10))), systemID, nil
		},
	})
	wrong := 0
	for {
		token, err := s.Next()
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			wrong++
			if !s.Resume(1, func(name []byte) bool { return string(name) == "a" }) {
				break
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if token == End {
			break
		}
	}
	if opened != 2 || wrong != 99 {
		t.Errorf("%d entities were opened, and %d references were refused", opened, wrong)
	}
}

// TestDefaultsAreLimited: attributes that declarations add count like the element's own.
func TestDefaultsAreLimited(t *testing.T) {
	document := func(defaults int) string {
		var b strings.Builder
		b.WriteString("<!DOCTYPE r [<!ATTLIST r")
		for i := range defaults {
			fmt.Fprintf(&b, ` a%d CDATA "%d"`, i, i)
		}
		b.WriteString(`>]><r a3="own" b="1"/>`)
		return b.String()
	}
	for _, c := range []struct {
		defaults int
		want     string
	}{{3, ""}, {9, ""}, {10, "more than 10 attributes"}, {20_000, "more than 10 attributes"}} {
		s := New(strings.NewReader(document(c.defaults)), Options{Limits: Limits{Attributes: 10}})
		err := scanAll(s)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d defaults: %v, want %q", c.defaults, err, c.want)
		}
	}
}
