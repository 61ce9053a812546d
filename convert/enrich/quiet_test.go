package enrich_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/trace"
)

// awakeCheck checks after each event that no thread is left to be packed, and keeps how many are not packed: at most, and
// after the last event.
type awakeCheck struct {
	*enrich.Enricher
	t                *testing.T
	most, last, seen int
}

func (c *awakeCheck) Put(e *trace.Event) error {
	err := c.Enricher.Put(e)
	threads, resting := c.Awake()
	c.most, c.last, c.seen = max(c.most, threads), threads, c.seen+1
	if resting > 0 {
		c.t.Fatalf("%d threads are left to be packed", resting)
	}
	return err
}

// TestThreadsThatCannotBePacked proves that threads which cannot be packed, as they are notified and have not run yet,
// are tried once in a while and not at each event; and that all are packed later.
func TestThreadsThatCannotBePacked(t *testing.T) {
	const threads, limit = 500, 20
	var b strings.Builder
	time := 0
	event := func(format string, thread int) {
		time++
		fmt.Fprintf(&b, format+"\n", thread, time, 1000+thread)
	}
	b.WriteString("<TRACE>\n")
	for _, format := range []string{
		`<monWait threadIdRef="%d" time="%d" objIdRef="%d" timeout="0"/>`,
		`<callNotify threadId="9999" time="%[2]d" objIdRef="%[3]d" isNotifyAll="0"/>`,
		`<monWaited threadIdRef="%d" time="%d" objIdRef="%d" isTimedOut="0"/>`,
		`<monWait threadIdRef="%d" time="%d" objIdRef="%d" timeout="0"/>`,
	} {
		for i := range threads {
			event(format, i+1)
		}
	}
	b.WriteString("</TRACE>\n")
	enricher := enrich.New(model.NewWriter(io.Discard, model.Options{TempDir: t.TempDir()}), enrich.Options{})
	enricher.Quieten(limit)
	check := &awakeCheck{Enricher: enricher, t: t}
	run(t, []byte(b.String()), check)
	t.Logf("%d of %d threads were not packed at most, %d at the end", check.most, threads, check.last)
	if check.seen < 4*threads || check.most < threads || check.last > 2*limit {
		t.Errorf("after %d events %d threads are not packed, at most %d; want about %d", check.seen, check.last, check.most,
			limit)
	}
}
