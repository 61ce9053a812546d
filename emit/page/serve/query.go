package serve

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// The bounds of what can be asked.
const (
	mostParts  = 8192    // of an overview
	usualParts = 1024    // what the page asks for
	mostArrows = 400     // of a window; the page draws the foremost 80
	mostCells  = 1 << 18 // of a window with a resolution: its lanes times its buckets
	mostRows   = 1 << 16 // of one without
)

// wrong is the error for a query that means nothing.
type wrong struct{ message string }

func (w *wrong) Error() string { return w.message }

// query reads the parameters of a request. The first error stays.
type query struct {
	values url.Values
	err    error
}

func (q *query) fail(format string, arguments ...any) {
	if q.err == nil {
		q.err = &wrong{fmt.Sprintf(format, arguments...)}
	}
}

// only sees to it that there is nothing else, and nothing twice.
func (q *query) only(names ...string) {
	for name, values := range q.values {
		if !slices.Contains(names, name) {
			q.fail("there is no parameter %q; there are %s", name, strings.Join(names, ", "))
		} else if len(values) > 1 {
			q.fail("the parameter %s is given %d times", name, len(values))
		}
	}
}

// number is a number from least to most; without the parameter it is the usual one.
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

// threads are the keys in ranges such as 1-40,57, nil without the parameter. None is above the greatest key that there is.
func (q *query) threads(name string, greatest int) []trace.ThreadKey {
	text, given := q.values[name]
	if !given {
		return nil
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

// part is a part of the time.
func (q *query) part() (from, to int64) {
	from, to = q.number("from", 0, 0, math.MaxInt64), q.number("to", math.MaxInt64, 0, math.MaxInt64)
	if from > to {
		q.fail("from is behind to")
	}
	return from, to
}
