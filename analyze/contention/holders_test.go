package contention_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
)

// convoy returns a trace of many threads that are blocked on one or two monitors most of the time, and whose times may
// go back.
func convoy(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	threads, disorder := 3+r.IntN(20), r.Int64N(3)*900
	monitors := []int{901, 902}[:1+r.IntN(2)]
	moved := 1000
	blocked := map[int]int{} // threads, and their monitors
	now := int64(1_700_000_000_000_000)
	var text strings.Builder
	add := func(element string, object int, more string) {
		at := now - r.Int64N(disorder+1)
		fmt.Fprintf(&text, `<%s time="%d.%06d" objIdRef="%d"%s/>`+"\n", element, at/1e6, at%1e6, object, more)
	}
	text.WriteString("<TRACE>\n")
	for range size {
		now += r.Int64N(1000)
		thread := 1 + r.IntN(threads)
		named := fmt.Sprintf(` threadIdRef="%d"`, thread)
		object, waits := blocked[thread]
		switch m := r.IntN(len(monitors)); {
		case waits && r.IntN(3) > 0: // most stay blocked for long
		case waits:
			delete(blocked, thread)
			add("monContendedEntered", object, named)
		case r.IntN(60) == 0:
			moved++
			add("objMove", monitors[m], fmt.Sprintf(` newObjId="%d"`, moved))
			for t, object := range blocked {
				if object == monitors[m] {
					blocked[t] = moved
				}
			}
			monitors[m] = moved
		case r.IntN(60) == 0:
			add("objFree", monitors[m], "")
		case r.IntN(20) == 0:
			add("callNotify", monitors[m], strings.Replace(named, "Ref", "", 1))
		case r.IntN(20) == 0:
			add("monWait", monitors[m], named)
		default:
			blocked[thread] = monitors[m]
			if r.IntN(3) > 0 {
				named += fmt.Sprintf(` threadOwner="%d"`, 1+r.IntN(threads))
			}
			add("monContendedEnter", monitors[m], named)
		}
	}
	text.WriteString("</TRACE>")
	return []byte(text.String())
}

// TestHoldersOfConvoys compares the owners of monitors with the naive count, however many intervals are evaluated at
// once and however early the logs are.
func TestHoldersOfConvoys(t *testing.T) {
	for seed := range testtool.Times(uint64(200)) {
		document := convoy(seed, 60+int(seed)*4)
		if seed%4 == 3 {
			document = enrichtest.Chaos(seed, 400).XML
		}
		doc, err := enrichtest.Model(document)
		sinktest.Check(t, err)
		want := bruteForce(doc)
		for _, limits := range [][2]int{{16, 1 << 12}, {0, 1 << 12}, {0, 7}, {2, 40}} {
			collector := contention.NewCollector("test", contention.DefaultRows)
			collector.SetHolderLimits(limits[0], limits[1])
			sinktest.ReadFollowing(t, enrich.NoCalls, collector, document)
			compareOwners(t, fmt.Sprintf("seed %d, limits %v", seed, limits), answerOf(t, collector.Statistics()), want)
		}
	}
}
