package serve

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// The limits of requests.
const (
	mostParts  = 8192    // of an overview
	usualParts = 1024    // of the page's requests
	mostArrows = 400     // of a window; the page draws the foremost 80
	mostCells  = 1 << 18 // of a window with a resolution: lanes times buckets
	mostRows   = 1 << 16 // of a window without one
)

// wrong is the error for a query that has no meaning.
type wrong struct{ message string }

func (w *wrong) Error() string { return w.message }

// query reads the parameters of a request. It keeps the first error.
type query struct {
	values url.Values
	err    error
}

func (q *query) fail(format string, arguments ...any) {
	if q.err == nil {
		q.err = &wrong{fmt.Sprintf(format, arguments...)}
	}
}

// only checks that there are no other parameters, and none twice.
func (q *query) only(names ...string) {
	for name, values := range q.values {
		if !slices.Contains(names, name) {
			q.fail("there is no parameter %q; there are %s", name, strings.Join(names, ", "))
		} else if len(values) > 1 {
			q.fail("the parameter %s is given %d times", name, len(values))
		}
	}
}

// number returns a number from least to most, or the default if the parameter is missing.
func (q *query) number(name string, usual, least, most int64) int64 {
	text := q.values.Get(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		q.fail("the parameter %s is %q, and must be a number from %d to %d", name, text, least, most)
		return usual
	}
	return n
}

// chosen begins a parameter that has a bit for each thread.
const chosen = "~"

// threads returns the keys in ranges such as 1-40,57, or those whose bits are set; nil without the parameter. A key
// above the greatest one is an error.
func (q *query) threads(name string, greatest int) []trace.ThreadKey {
	text, given := q.values[name]
	if !given {
		return nil
	}
	if bits, is := strings.CutPrefix(text[0], chosen); is {
		return q.bits(name, bits, greatest)
	}
	keys := []trace.ThreadKey{}
	for part := range strings.SplitSeq(text[0], ",") {
		first, last, is := strings.Cut(part, "-")
		if !is {
			last = first
		}
		from, failed := strconv.ParseUint(first, 10, 32)
		to, alsoFailed := strconv.ParseUint(last, 10, 32)
		if failed != nil || alsoFailed != nil || from < 1 || to < from {
			if text[0] != "" {
				q.fail("the parameter %s has %q, which is no key of a thread and no range of them", name, part)
			}
			return keys
		}
		for key := from; key <= min(to, uint64(greatest)); key++ {
			if len(keys) > greatest {
				q.fail("the parameter %s names threads more than once", name)
				return keys
			}
			keys = append(keys, trace.ThreadKey(key))
		}
	}
	return keys
}

// bits returns the keys whose bits are set. Bits are shorter than ranges if many single threads are chosen. The lowest
// bit of the first byte is for key 1.
func (q *query) bits(name, text string, greatest int) []trace.ThreadKey {
	keys := []trace.ThreadKey{}
	chosen, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		q.fail("the parameter %s has bits that are no base64", name)
		return keys
	}
	for key := 1; key <= min(greatest, 8*len(chosen)); key++ {
		if chosen[(key-1)/8]>>((key-1)%8)&1 == 1 {
			keys = append(keys, trace.ThreadKey(key))
		}
	}
	return keys
}

// part returns a part of the time.
func (q *query) part() (from, to int64) {
	from, to = q.number("from", 0, 0, math.MaxInt64), q.number("to", math.MaxInt64, 0, math.MaxInt64)
	if from > to {
		q.fail("from is after to")
	}
	return from, to
}
