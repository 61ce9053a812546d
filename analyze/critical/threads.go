package critical

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// keyPrefix is the prefix of a thread's key that is given instead of its id or name.
const keyPrefix = "key="

// FindWorst is Find, but also accepts a pattern that matches the names of several threads. It returns the thread that
// waited longest, not counting idle waits, and the others.
func (r *Recorder) FindWorst(text string) (worst trace.ThreadKey, others []Thread, err error) {
	pattern := glob.Names(text)
	matching := r.find(func(key trace.ThreadKey, t *thread) bool {
		return t.last != 0 && (t.died == 0 || r.begin(t.died) > r.window.since) && pattern.Match(r.Name(key))
	})
	if !strings.ContainsAny(text, "*?[") || len(matching) < 2 {
		worst, err = r.Find(text)
		return worst, nil, err
	}
	waited := r.waited()
	worst = slices.MaxFunc(matching, func(a, b trace.ThreadKey) int { return cmp.Compare(waited[a], waited[b]) })
	for _, key := range matching {
		if key != worst {
			others = append(others, r.described(key))
		}
	}
	return worst, others, nil
}

// waited returns, by the keys of threads, how long they waited in segments that have ended, in the window, in
// nanoseconds. Idle waits do not count.
func (r *Recorder) waited() []int64 {
	sums := make([]int64, r.threads.Last()+1)
	for s := range r.count() {
		previous := r.of(s + 1).previous
		if previous != 0 && waitsForSomething[r.of(previous).state] && r.Idle(trace.SegmentID(previous)) == 0 {
			from, to := max(r.begin(previous), r.window.since), min(r.begin(s+1), r.window.until)
			sums[r.thread(s+1)] += max(int64(to-from), 0)
		}
	}
	return sums
}

// Find returns the thread with the key (key=3), else the id, else the name, else a name that matches the pattern. No or
// several matches are an error, which lists candidates.
func (r *Recorder) Find(text string) (trace.ThreadKey, error) {
	pattern := glob.Names(text)
	for _, means := range []func(trace.ThreadKey, *thread) bool{
		func(key trace.ThreadKey, _ *thread) bool {
			return text == keyPrefix+strconv.FormatUint(uint64(key), 10)
		},
		func(key trace.ThreadKey, _ *thread) bool { return r.described(key).ID.String() == text },
		func(key trace.ThreadKey, _ *thread) bool { return r.Name(key) == text },
		func(key trace.ThreadKey, _ *thread) bool { return pattern.Match(r.Name(key)) },
	} {
		switch found := r.find(means); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return 0, fmt.Errorf("\"%s\" matches %d threads; choose one by its key: %s", phrase.Name(text), len(found),
				r.candidates(found))
		}
	}
	all := r.find(func(_ trace.ThreadKey, t *thread) bool { return t.did.known() })
	if len(all) == 0 {
		return 0, errors.New("the trace has no events of threads or monitors")
	}
	return 0, fmt.Errorf("no thread \"%s\"; want an id, a name, a pattern for names, or a key: %s", phrase.Name(text),
		r.candidates(all))
}

func (r *Recorder) find(means func(trace.ThreadKey, *thread) bool) (found []trace.ThreadKey) {
	for key := range r.threads.Keys() {
		if means(key, r.threads.At(key)) {
			found = append(found, key)
		}
	}
	return found
}

// maxCandidates limits the threads that are listed.
const maxCandidates = 8

// candidates lists threads on one line.
func (r *Recorder) candidates(keys []trace.ThreadKey) string {
	var all []string
	for i, key := range keys {
		if i == maxCandidates {
			all = append(all, fmt.Sprintf("and %d more", len(keys)-i))
			break
		}
		who, seen := r.described(key), "not seen"
		if did := r.threads.At(key).did; did.known() {
			seen = "last seen at " + r.moment(did.at)
		}
		all = append(all, fmt.Sprintf("%s%d is %s, %s", keyPrefix, key, who.Title(), seen))
	}
	return strings.Join(all, "; ")
}
