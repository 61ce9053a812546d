package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/diagnosis"
)

// TestMovedLock: what seem to be two locks of one class, for which threads wait at one place, are told together if a
// collection can have moved one lock, with all of the time. Monitors and other places are not.
func TestMovedLock(t *testing.T) {
	const locks = `<objAlloc objId="961" classIdRef="7" time="1"/>`
	blocks := func(thread, object, stack string, from int) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="%s" time="%d" objIdRef="%s" threadOwner="5">`+
			`<annotation name="park" value="lock"/><annotation name="stack" value="%s"/></monContendedEnter>`+
			`<monContendedEntered threadIdRef="%[1]s" time="%[5]d" objIdRef="%[3]s"/>`, thread, from, object, stack, from+2)
	}
	for name, c := range map[string]struct {
		document string
		moved    bool
		want     []string // in the summaries
	}{
		"moved": {blocks("2", "960", "70:5", 2) + blocks("3", "961", "70:5", 5), true,
			[]string{"BLOCKED for 4.00 s in all on locks ReentrantReadWriteLock 960 and 1 more, which worker-4 (thread 5) held for 100 %"}},
		"identified": {blocks("2", "960", "70:5", 2) + blocks("3", "961", "70:5", 5), false,
			[]string{"on lock ReentrantReadWriteLock 960", "on lock ReentrantReadWriteLock 961"}},
		"places": {blocks("2", "960", "70:5", 2) + blocks("3", "961", "71:6", 5), true,
			[]string{"on lock ReentrantReadWriteLock 960", "on lock ReentrantReadWriteLock 961"}},
		"monitors": {blocks("2", "900", "70:5", 2) + blocks("3", "901", "70:5", 5), true,
			[]string{"on shop.Cache 900", "on shop.Cache 901"}},
	} {
		facts := factsOf(t, threadsOf+permits+ofProgram+locks+c.document+`<gcStart time="9"/></TRACE>`)
		facts.Moved = c.moved
		var got []string
		for _, f := range diagnosis.Of(facts).Findings {
			got = append(got, f.Summary)
		}
		for i, want := range c.want {
			if len(got) != len(c.want) || !strings.Contains(got[i], want) {
				t.Errorf("%s: got %s, want %s", name, strings.Join(got, "\n"), want)
				break
			}
		}
	}
}
