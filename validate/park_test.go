package validate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestOwnerAnew proves that a blocked thread's monContendedEnter fits if it only names the same lock's owner again.
func TestOwnerAnew(t *testing.T) {
	const park, again = `<annotation name="park" value="lock"/>`, `<annotation name="again" value="1"/>`
	for _, c := range []struct {
		object, annotations string
		want                []string
	}{
		{"50", park + again, nil},
		{"51", park + again, []string{"again-late", "entered-mismatch"}},
		{"50", again, []string{"enter-twice"}},
		{"50", park, []string{"enter-twice"}},
		{"50", `<annotation name="park" value="monitor"/>` + again, []string{"bad-annotation"}},
	} {
		document := fmt.Sprintf(`<TRACE>
<threadStart threadId="7" time="1700000000.1" threadName="a" groupName="main" parentName="system" objIdRef="11"/>
<threadStart threadId="8" time="1700000000.1" threadName="b" groupName="main" parentName="system" objIdRef="12"/>
<monContendedEnter threadIdRef="7" time="1700000000.2" objIdRef="50" threadOwner="8">%s</monContendedEnter>
<monContendedEnter threadIdRef="7" time="1700000000.3" objIdRef="%s" threadOwner="0">%s</monContendedEnter>
<monContendedEntered threadIdRef="7" time="1700000000.4" objIdRef="%[2]s"><annotation name="causedBy" value="8"/></monContendedEntered>
</TRACE>
`, park, c.object, c.annotations)
		var got []string
		for _, f := range judged(t, []byte(document)).Findings {
			if slices.Contains([]string{"again-late", "enter-twice", "bad-annotation"}, f.Rule) || f.Severity == trace.Error {
				got = append(got, f.Rule)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s on %s: %v, want %v", c.annotations, c.object, got, c.want)
		}
	}
}
