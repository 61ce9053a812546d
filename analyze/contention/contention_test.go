package contention_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// collect counts a document.
func collect(t testing.TB, document []byte, rows int) *contention.Statistics {
	t.Helper()
	collector := contention.NewCollector("test", rows)
	sinktest.ReadFollowing(t, enrich.NoCalls, collector, document)
	return collector.Statistics()
}

// answerOf is the JSON answer.
func answerOf(t testing.TB, s *contention.Statistics) answer {
	t.Helper()
	var text bytes.Buffer
	sinktest.Check(t, answers.WriteJSON(&text, s.Answer(contention.Views()[0], contention.Order{})))
	var a answer
	sinktest.Check(t, json.Unmarshal(text.Bytes(), &a))
	return a
}

// answer is what the JSON answer has to have by the docs and the contract.
type answer struct {
	Threads []struct {
		ThreadID, Name, Group                             string
		Blocked, Waited, Timed, Joined, Slept, Parked, IO figures
	}
	Classes []struct {
		Class                              string
		Blocked, Waited, Timed, Parked, IO figures
		Monitors, Threads                  int
	}
	Monitors []struct {
		ObjectID, Class string
		Blocked, Waited figures
		Owners          []struct {
			ThreadID     string
			Count, Total int64
			Places       []struct {
				Class, Method string
				Line          int
				Total         int64
				Probable      bool
			}
		}
	}
	Starts struct {
		Rows []struct {
			Pool, By                string
			Count, Total, Max, Open int64
		}
	}
	Callers []struct {
		Class, Method     string
		Blocked, Waited   figures
		Monitors, Threads int
	}
	Pairs []struct {
		Waiter, Owner struct{ ThreadID string }
		Count, Total  int64
	}
}

type figures struct{ Count, Total, Min, Max, Mean, P50, P90, P99, Open int64 }

// lengths are the results of a brute-force count.
type lengths struct {
	all  []int64
	open int64
}

func (l *lengths) add(length int64, open bool) {
	l.all = append(l.all, length)
	if open {
		l.open++
	}
}

// differ says how the figures differ from the lengths; "" if they agree.
func (f figures) differ(l lengths) string {
	if len(l.all) == 0 {
		if f != (figures{}) {
			return fmt.Sprintf("got %+v, want no lengths", f)
		}
		return ""
	}
	sorted := slices.Sorted(slices.Values(l.all))
	want := figures{Count: int64(len(sorted)), Min: sorted[0], Max: sorted[len(sorted)-1], Open: l.open}
	for _, length := range sorted {
		want.Total += length
	}
	want.Mean = want.Total / want.Count
	got := f
	for percent, value := range map[float64]int64{50: f.P50, 90: f.P90, 99: f.P99} {
		rank := sorted[int(math.Ceil(percent/100*float64(len(sorted))))-1]
		if math.Abs(float64(value-rank)) > float64(rank)/1000 {
			return fmt.Sprintf("the percentile %v is %d, got %d", percent, rank, value)
		}
	}
	got.P50, got.P90, got.P99 = 0, 0, 0
	if got != want {
		return fmt.Sprintf("want %+v, got %+v", want, got)
	}
	return ""
}

// brute is the brute-force count of a model.
type brute struct {
	threads                    []map[string]*lengths
	classes, monitors, callers map[string]map[string]*lengths
	distinct                   map[string]map[string]bool // "class threads C" → who
	pairs                      map[string]*lengths
	owners                     map[string]int64
	starts                     []string
	places                     map[string]int64 // by the places of owners
}

func count(table map[string]map[string]*lengths, key string) map[string]*lengths {
	if table[key] == nil {
		table[key] = map[string]*lengths{}
	}
	return table[key]
}

func put(table map[string]*lengths, key string, length int64, open bool) {
	if table[key] == nil {
		table[key] = &lengths{}
	}
	table[key].add(length, open)
}

func of(table map[string]*lengths, key string) lengths {
	if table[key] == nil {
		return lengths{}
	}
	return *table[key]
}

var kinds = map[string]string{
	enrichtest.WaitingForLock: "blocked", enrichtest.WaitingForObject: "waited", enrichtest.WaitingForJoin: "joined",
	enrichtest.Sleeping: "slept",
}

func bruteForce(doc *enrichtest.Doc) *brute { return bruteForceIn(doc, math.MinInt64, math.MaxInt64) }

// bruteForceIn counts in a window, whose bounds are in nanoseconds since the trace's start.
func bruteForceIn(doc *enrichtest.Doc, since, until int64) *brute {
	b := &brute{
		classes: map[string]map[string]*lengths{}, monitors: map[string]map[string]*lengths{},
		callers:  map[string]map[string]*lengths{},
		distinct: map[string]map[string]bool{}, owners: map[string]int64{}, pairs: map[string]*lengths{},
		places: map[string]int64{},
	}
	b.addStarts(doc, since, until)
	owners, places := doc.HoldersIn(since, until)
	for p, total := range places {
		id := doc.Threads[p.Thread-1].ThreadID
		b.places[placeKey(p.Object, id, p.Class, p.Method, max(p.Line, 0), p.Probable)] += total
	}
	for holder, held := range owners {
		id := ""
		if holder.Thread != 0 {
			id = doc.Threads[holder.Thread-1].ThreadID
		}
		b.owners[holder.Object+" "+id] += held.Total*1000 + held.Count
	}
	classOf := map[string]string{}
	for _, o := range doc.Objects {
		classOf[o.ObjectID] = o.Class
	}
	for _, t := range doc.Threads {
		row := map[string]*lengths{}
		b.threads = append(b.threads, row)
		for i, e := range t.Events {
			if kind := kinds[e.Type]; kind != "" {
				end, open := endOf(doc, t, i)
				length, reaches := partIn(e.Time, end, since, until)
				if reaches {
					b.add(row, t, e, kind, length, open, classOf)
				}
			}
		}
	}
	return b
}

// partIn returns the length of the part of an interval inside a window: "An interval counts in each window that it
// reaches into with more than 0; one of length 0, or that ends before it begins, in the window that has its begin."
func partIn(begin, end, since, until int64) (length int64, reaches bool) {
	if end <= begin {
		return 0, begin >= since && begin < until
	}
	length = min(end, until) - max(begin, since)
	return length, length > 0
}

// endOf returns when the state that the thread's event began is over.
func endOf(doc *enrichtest.Doc, t *enrichtest.Thread, i int) (end int64, open bool) {
	for _, e := range t.Events[i+1:] {
		if e.IsState() && e.Type != enrichtest.DeadLock {
			return e.Time, false
		}
	}
	return doc.Trace.Duration, true
}

func (b *brute) add(row map[string]*lengths, t *enrichtest.Thread, e *enrichtest.Event, kind string, length int64,
	open bool, classOf map[string]string) {
	timed := kind == "waited" && e.Timeout != nil && *e.Timeout > 0
	tell := func(table map[string]*lengths) {
		put(table, kind, length, open)
		if timed {
			put(table, "timed", length, open)
		}
		switch {
		case e.Park:
			put(table, "parked", length, open)
		case e.IO != "":
			put(table, "io", length, open)
		}
	}
	tell(row)
	if kind != "blocked" && kind != "waited" {
		return
	}
	object := e.ObjectRef + e.LockedObject
	thread := fmt.Sprint(t.Key)
	caller := callerOf(e)
	if object != "" {
		class := classOf[object]
		tell(count(b.classes, class))
		tell(count(b.monitors, object))
		b.note("class threads "+class, thread)
		b.note("class monitors "+class, object)
		if e.LockedThreadKey != 0 {
			put(b.pairs, fmt.Sprint(t.ThreadID, " ", e.LockedThread), length, open)
		}
	}
	if caller != "" {
		tell(count(b.callers, caller))
		b.note("caller threads "+caller, thread)
		if object != "" {
			b.note("caller monitors "+caller, object)
		}
	}
}

func (b *brute) note(what, who string) {
	if b.distinct[what] == nil {
		b.distinct[what] = map[string]bool{}
	}
	b.distinct[what][who] = true
}

// callerOf returns the program's own innermost call, or else the innermost call that is not one of the JDK's ways to
// wait.
func callerOf(e *enrichtest.Event) string {
	if len(e.Stack) == 0 {
		return ""
	}
	library := regexp.MustCompile(`^(java|javax|jdk|sun|kotlin|scala)/`)
	waits := regexp.MustCompile(`^java/(lang/(Object|Thread|VirtualThread)|util/concurrent/(TimeUnit|locks/.*))$|/misc/Unsafe$`)
	first := func(pattern *regexp.Regexp) int {
		return slices.IndexFunc(e.Stack, func(f enrichtest.Frame) bool { return !pattern.MatchString(f.Class) })
	}
	at := first(library)
	if at < 0 {
		at = max(first(waits), 0)
	}
	if e.Stack[at].Method == "" {
		return ""
	}
	return e.Stack[at].Class + "." + e.Stack[at].Method
}

// compare compares the answer with the brute-force count.
func compare(t *testing.T, name string, a answer, b *brute, objects bool) {
	t.Helper()
	differ := func(what string, f figures, l lengths) {
		if diff := f.differ(l); diff != "" {
			t.Fatalf("%s: %s: %s", name, what, diff)
		}
	}
	if len(a.Threads) != len(b.threads) {
		t.Fatalf("%s: %d threads, want %d", name, len(a.Threads), len(b.threads))
	}
	for i, row := range a.Threads {
		for kind, f := range map[string]figures{"blocked": row.Blocked, "waited": row.Waited, "timed": row.Timed,
			"parked": row.Parked, "io": row.IO,
			"joined": row.Joined, "slept": row.Slept} {
			differ(fmt.Sprintf("thread %d %s", i, kind), f, of(b.threads[i], kind))
		}
	}
	for _, row := range a.Callers {
		key := row.Class + "." + row.Method
		differ("blocked in "+key, row.Blocked, of(b.callers[key], "blocked"))
		differ("waited in "+key, row.Waited, of(b.callers[key], "waited"))
		if got, want := row.Threads, len(b.distinct["caller threads "+key]); got != want {
			t.Fatalf("%s: %d threads in %s, want %d", name, got, key, want)
		}
	}
	if len(a.Callers) != len(b.callers) {
		t.Fatalf("%s: %d callers, want %d", name, len(a.Callers), len(b.callers))
	}
	compareOwners(t, name, a, b)
	slices.Sort(b.starts)
	got := []string{}
	for _, r := range a.Starts.Rows {
		got = append(got, fmt.Sprintf("%q by %q: %d %d %d %d", r.Pool, r.By, r.Count, r.Total, r.Max, r.Open))
	}
	slices.Sort(got)
	if diff := cmp.Diff(startRows(b.starts), got); diff != "" {
		t.Fatalf("%s: starts:\n%s", name, diff)
	}
	if objects {
		compareObjects(t, name, a, b, differ)
	}
}

// startRows sums starts, each as "POOL by POOL: LENGTH", or "open".
func startRows(all []string) []string {
	type sums struct{ count, total, most, open int64 }
	rows := map[string]*sums{}
	for _, s := range all {
		key, length, _ := strings.Cut(s, ": ")
		if rows[key] == nil {
			rows[key] = &sums{}
		}
		row := rows[key]
		if n, err := strconv.ParseInt(length, 10, 64); err == nil {
			row.count, row.total, row.most = row.count+1, row.total+n, max(row.most, n)
		} else {
			row.open++
		}
	}
	lines := []string{}
	for key, r := range rows {
		lines = append(lines, fmt.Sprintf("%s: %d %d %d %d", key, r.count, r.total, r.most, r.open))
	}
	slices.Sort(lines)
	return lines
}

// addStarts adds the starts of a window.
func (b *brute) addStarts(doc *enrichtest.Doc, since, until int64) {
	at, pool := map[int]int64{}, map[int]string{}
	for _, t := range doc.Threads {
		for _, e := range t.Events {
			at[e.ID], pool[e.ID] = e.Time, threads.PoolOf(t.Name)
		}
	}
	for _, t := range doc.Threads {
		for _, e := range t.Events {
			open := slices.Contains(doc.OpenStarts, e.ID)
			if e.Type != enrichtest.StartsThread || e.RunningEvent == 0 && !open {
				continue
			}
			end := doc.Trace.Duration
			if !open {
				end = at[e.RunningEvent]
			}
			length, reaches := partIn(e.Time, end, since, until)
			started := fmt.Sprintf("%q by %q: ", pool[e.RunningEvent], pool[e.ID])
			switch {
			case reaches && open:
				b.starts = append(b.starts, started+"open")
			case reaches:
				b.starts = append(b.starts, started+fmt.Sprint(length))
			}
		}
	}
}

// compareOwners compares the owners of monitors. Their totals sum to the time in which threads were blocked.
func compareOwners(t *testing.T, name string, a answer, b *brute) {
	t.Helper()
	owners, places := map[string]int64{}, map[string]int64{}
	for _, row := range a.Monitors {
		var total int64
		for _, owner := range row.Owners {
			owners[row.ObjectID+" "+owner.ThreadID] += owner.Total*1000 + owner.Count
			total += owner.Total
			for _, p := range owner.Places {
				places[placeKey(row.ObjectID, owner.ThreadID, p.Class, p.Method, p.Line, p.Probable)] += p.Total
			}
		}
		if total != row.Blocked.Total {
			t.Fatalf("%s: the owners of %s have %d ns, of %d", name, row.ObjectID, total, row.Blocked.Total)
		}
	}
	if diff := cmp.Diff(b.owners, owners); diff != "" {
		t.Fatalf("%s: owners:\n%s", name, diff)
	}
	if diff := cmp.Diff(b.places, places); diff != "" {
		t.Fatalf("%s: places of owners:\n%s", name, diff)
	}
}

func placeKey(object, owner, class, method string, line int, probable bool) string {
	return fmt.Sprintf("%s %s: %s.%s:%d %v", object, owner, class, method, line, probable)
}

func compareObjects(t *testing.T, name string, a answer, b *brute, differ func(string, figures, lengths)) {
	t.Helper()
	if len(a.Classes) != len(b.classes) || len(a.Monitors) != len(b.monitors) {
		t.Fatalf("%s: %d classes and %d monitors, want %d and %d", name, len(a.Classes), len(a.Monitors),
			len(b.classes), len(b.monitors))
	}
	for _, row := range a.Classes {
		differ("blocked at "+row.Class, row.Blocked, of(b.classes[row.Class], "blocked"))
		differ("waited at "+row.Class, row.Waited, of(b.classes[row.Class], "waited"))
		differ("timed at "+row.Class, row.Timed, of(b.classes[row.Class], "timed"))
		differ("parked at "+row.Class, row.Parked, of(b.classes[row.Class], "parked"))
		differ("io at "+row.Class, row.IO, of(b.classes[row.Class], "io"))
		threads, monitors := len(b.distinct["class threads "+row.Class]), len(b.distinct["class monitors "+row.Class])
		if row.Threads != threads || row.Monitors != monitors {
			t.Fatalf("%s: %s has %d threads and %d monitors, want %d and %d", name, row.Class, row.Threads,
				row.Monitors, threads, monitors)
		}
	}
	pairs := map[string]int64{}
	for _, row := range a.Monitors {
		differ("blocked on "+row.ObjectID, row.Blocked, of(b.monitors[row.ObjectID], "blocked"))
		differ("waited for "+row.ObjectID, row.Waited, of(b.monitors[row.ObjectID], "waited"))
	}
	for _, row := range a.Pairs {
		pairs[row.Waiter.ThreadID+" "+row.Owner.ThreadID] += row.Total*1000 + row.Count
	}
	if diff := cmp.Diff(sums(b.pairs), pairs); diff != "" {
		t.Fatalf("%s: pairs:\n%s", name, diff)
	}
}

// sums returns the totals with the counts in their last digits.
func sums(all map[string]*lengths) map[string]int64 {
	sums := map[string]int64{}
	for key, l := range all {
		for _, length := range l.all {
			sums[key] += length*1000 + 1
		}
	}
	return sums
}

// TestWindows: all figures of a window are computed from the cut intervals.
func TestWindows(t *testing.T) {
	for seed := range testtool.Times(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 11))
		for kind, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 200).XML,
			"a run": enrichtest.AnyRun(seed, 200).XML, "convoy": convoy(seed, 300)} {
			doc, err := enrichtest.Model(document)
			sinktest.Check(t, err)
			since := 1 + r.Int64N(doc.Trace.Duration/2+1)
			until := since + 1 + r.Int64N(doc.Trace.Duration/2+1)
			collector := contention.NewCollector("test", contention.DefaultRows)
			part := selection.Selection{Window: selection.Window{Since: time.Duration(since), Until: time.Duration(until)}}
			filter := selection.NewFilter(part, collector)
			sinktest.ReadFollowing(t, enrich.CallersOnly, collector.Whole(filter.Entrance()), document)
			compare(t, fmt.Sprintf("%s %d from %d to %d", kind, seed, since, until), answerOf(t, collector.Statistics()),
				bruteForceIn(doc, since, until), kind != "convoy")
		}
	}
}

func TestAgainstBruteForce(t *testing.T) {
	for seed := range testtool.Times(uint64(150)) {
		for kind, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 400).XML,
			"chaos": enrichtest.Chaos(seed, 400).XML, "a run": enrichtest.AnyRun(seed, 400).XML} {
			doc, err := enrichtest.Model(document)
			sinktest.Check(t, err)
			// In chaos an id names several objects in turn, which a model does not tell apart.
			compare(t, fmt.Sprintf("%s %d", kind, seed), answerOf(t, collect(t, document, contention.DefaultRows)),
				bruteForce(doc), kind != "chaos")
		}
	}
}

func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("../../testdata/recorded/*.trcxml")
	sinktest.Check(t, err)
	more, err := filepath.Glob("../../docs/testdata/*.trcxml")
	sinktest.Check(t, err)
	if len(files) == 0 || len(more) == 0 {
		t.Fatal("there are no recorded traces")
	}
	for _, file := range append(files, more...) {
		document, err := os.ReadFile(file)
		sinktest.Check(t, err)
		doc, err := enrichtest.Model(document)
		sinktest.Check(t, err)
		compare(t, file, answerOf(t, collect(t, document, contention.DefaultRows)), bruteForce(doc), true)
	}
}

// documents are traces to merge.
func documents(n int) (all [][]byte) {
	for seed := range uint64(n) {
		all = append(all, enrichtest.Simulate(seed, 300).XML)
	}
	return all
}

// canonical is an answer with sorted rows, for comparing traces in any order.
func canonical(t testing.TB, s *contention.Statistics) map[string][]string {
	t.Helper()
	var text bytes.Buffer
	sinktest.Check(t, answers.WriteJSON(&text, s.Answer(contention.Views()[0], contention.Order{})))
	var tables map[string]json.RawMessage
	sinktest.Check(t, json.Unmarshal(text.Bytes(), &tables))
	all := map[string][]string{}
	for name, table := range tables {
		var rows []json.RawMessage
		if json.Unmarshal(table, &rows) != nil {
			all[name] = []string{string(table)}
			continue
		}
		for _, row := range rows {
			all[name] = append(all[name], string(row))
		}
		slices.Sort(all[name])
	}
	return all
}

// reload saves and loads statistics.
func reload(t testing.TB, s *contention.Statistics) *contention.Statistics {
	t.Helper()
	var text bytes.Buffer
	sinktest.Check(t, s.Save(&text))
	if !contention.IsSaved(text.Bytes()) {
		t.Fatalf("it does not look like saved statistics: %.100s", text.Bytes())
	}
	loaded, err := contention.Load(&text)
	sinktest.Check(t, err)
	return loaded
}

// TestMergeInAnyOrderAndGrouping: statistics that are saved, in any groups, and combined, in any order, equal the
// statistics of the traces together.
func TestMergeInAnyOrderAndGrouping(t *testing.T) {
	testtool.Long(t)
	all := documents(6)
	whole := contention.NewMerged(contention.DefaultRows)
	for _, document := range all {
		whole.Add(collect(t, document, contention.DefaultRows))
	}
	want := canonical(t, whole.Statistics())
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		var parts []*contention.Statistics
		for _, document := range all {
			parts = append(parts, reload(t, collect(t, document, contention.DefaultRows)))
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		for len(parts) > 1 {
			i := r.IntN(len(parts) - 1)
			both := contention.NewMerged(contention.DefaultRows)
			both.Add(parts[i])
			both.Add(parts[i+1])
			parts = slices.Replace(parts, i, i+2, reload(t, both.Statistics()))
		}
		if diff := cmp.Diff(want, canonical(t, parts[0])); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestFewRows: with any limit of rows, the sums over all threads and the classes are complete, and hidden rows are
// reported.
func TestFewRows(t *testing.T) {
	for seed := range uint64(20) {
		document := enrichtest.Simulate(seed, 600).XML
		whole, small := collect(t, document, contention.DefaultRows), collect(t, document, 8)
		for _, kind := range []contention.Kind{contention.Blocked, contention.Waited, contention.Timed,
			contention.Joined, contention.Slept, contention.Parked, contention.IO} {
			want, got := whole.All.Of(kind), small.All.Of(kind)
			if got.Count != want.Count || got.Total != want.Total {
				t.Fatalf("seed %d: all together: %+v, want %+v", seed, got, want)
			}
		}
		if diff := cmp.Diff(classesOf(whole), classesOf(small)); diff != "" {
			t.Fatalf("seed %d: classes:\n%s", seed, diff)
		}
		if len(small.Monitors) > 8 ||
			small.Hidden[contention.TableThreads].Rows != uint64(len(whole.Threads)-len(small.Threads)) {
			t.Fatalf("seed %d: %d threads and %d monitors, hidden %v", seed, len(small.Threads), len(small.Monitors),
				small.Hidden)
		}
	}
}

func classesOf(s *contention.Statistics) map[string]string {
	all := map[string]string{}
	for _, c := range s.Classes {
		all[c.Name] = fmt.Sprint(c.Monitors, c.Threads, c.Blocks, c.Waits, c.Times.Of(contention.Blocked).Buckets(),
			c.Times.Of(contention.Waited).Total)
	}
	return all
}

// TestBatchesInParallel counts the batches of a trace on one processor and on four: the statistics have the same bytes,
// with and without evicted rows.
func TestBatchesInParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var document bytes.Buffer
	workload := synthetic.Workload{Threads: 300, Waits: true}
	sinktest.Check(t, synthetic.GenerateWorkload(&document, 6<<20, 1, workload, synthetic.Style{}))
	for _, rows := range []int{40, contention.DefaultRows} {
		var texts [2]bytes.Buffer
		for i, processors := range [...]int{1, 4} {
			runtime.GOMAXPROCS(processors)
			collector := contention.NewCollector("test", rows)
			sinktest.ReadFollowing(t, enrich.CallersOnly, collector, document.Bytes())
			sinktest.Check(t, answers.WriteJSON(&texts[i],
				collector.Statistics().Answer(contention.Views()[0], contention.Order{})))
		}
		if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
			t.Errorf("with %d rows the statistics depend on the number of processors", rows)
		}
	}
}

// TestManyNames: classes and methods beyond the limit are counted together, without losses.
func TestManyNames(t *testing.T) {
	var text strings.Builder
	text.WriteString("<TRACE>")
	const n = 50
	for i := range n {
		fmt.Fprintf(&text, `<classDef name="a/C%[1]d" classId="%[1]d"/><objAlloc objId="%[2]d" classIdRef="%[1]d"/>`+
			`<monContendedEnter threadIdRef="1" time="%[3]d" objIdRef="%[2]d"/><monContendedEntered threadIdRef="1" time="%[4]d" objIdRef="%[2]d"/>`, i+1, i+1000, 2*i, 2*i+1)
	}
	s := collect(t, []byte(text.String()+"</TRACE>"), 10)
	var total uint64
	for _, c := range s.Classes {
		total += c.Times.Of(contention.Blocked).Total
	}
	if last := s.Classes[len(s.Classes)-1]; len(s.Classes) != 11 || last.Name != contention.Others ||
		last.Monitors != n-10 || total != n*1e9 {
		t.Errorf("%d classes, the last is %+v; %d ns in all", len(s.Classes), last, total)
	}
}

// TestLockIsHeldWhereItsOwnerWas: each of two locks of one class is held where its own owner was.
func TestLockIsHeldWhereItsOwnerWas(t *testing.T) {
	const text = `<TRACE><classDef name="a/B" classId="1"/><methodDef name="x" methodId="1" classIdRef="1"/><methodDef name="y" methodId="2" classIdRef="1"/>
<objAlloc objId="100" classIdRef="1"/><objAlloc objId="101" classIdRef="1"/>
<callNotify threadId="1" time="1" objIdRef="50"><annotation name="stack" value="1"/></callNotify>
<callNotify threadId="2" time="1" objIdRef="50"><annotation name="stack" value="2"/></callNotify>
<monContendedEnter threadIdRef="3" time="1" objIdRef="100" threadOwner="1"><annotation name="stack" value="1"/></monContendedEnter>
<monContendedEntered threadIdRef="3" time="9" objIdRef="100"/>
<monContendedEnter threadIdRef="3" time="10" objIdRef="101" threadOwner="2"><annotation name="stack" value="1"/></monContendedEnter>
<monContendedEntered threadIdRef="3" time="17" objIdRef="101"/></TRACE>`
	for _, m := range collect(t, []byte(text), contention.DefaultRows).Monitors {
		if want := map[string]string{"100": "x", "101": "y"}[m.ID]; len(m.Owners) != 1 || len(m.Owners[0].Places) != 1 ||
			m.Owners[0].Places[0].Method != want || !m.Owners[0].Places[0].Probable {
			t.Errorf("%s is held by %+v, want probably in %s", m.ID, m.Owners, want)
		}
	}
}

// blocks is a trace in which threads are blocked, each 1 s longer than the previous one: "thread object owner line".
func blocks(all ...string) []byte {
	var text strings.Builder
	text.WriteString(`<TRACE><classDef name="a/B" classId="1"/><methodDef name="x" methodId="1" classIdRef="1"/>`)
	for _, owner := range []int{90, 7, 8, 9} { // so that their keys have another order than the blocks
		fmt.Fprintf(&text, `<threadStart threadId="%d" time="1"/>`, owner)
	}
	at := 1
	for i, words := range all {
		var thread, object, owner, line int
		if _, err := fmt.Sscan(words, &thread, &object, &owner, &line); err != nil {
			panic(err)
		}
		fmt.Fprintf(&text,
			`<monContendedEnter threadIdRef="%d" time="%d" objIdRef="%d" threadOwner="%d"><annotation name="stack" value="1:%d"/></monContendedEnter>`,
			thread, at, object, owner, line)
		at += i + 1
		fmt.Fprintf(&text, `<monContendedEntered threadIdRef="%d" time="%d" objIdRef="%d"/>`, thread, at, object)
	}
	return []byte(text.String() + "</TRACE>")
}

// TestRowsThatComeAgain: with too few rows, sites whose rows were evicted and come back have the same threads as
// before, and nothing is lost.
func TestRowsThatComeAgain(t *testing.T) {
	var all []string
	for i := range 60 {
		all = append(all, fmt.Sprintf("%d %d 90 %d", i%7+1, 100+i%11, i%5))
	}
	document := blocks(all...)
	whole, small := collect(t, document, contention.DefaultRows), collect(t, document, 2)
	if got, want := small.Callers[0].Threads, whole.Callers[0].Threads; got != want || want != 7 {
		t.Errorf("%d threads in the method, want %d", got, want)
	}
	for _, site := range small.Sites {
		if site.Threads != 7 {
			t.Errorf("%d threads at line %d, want 7", site.Threads, site.Line)
		}
	}
	for table, sum := range map[string]uint64{contention.TableSites: totalOf(small.Sites,
		func(s *contention.Site) *contention.Times { return &s.Times }),
		contention.TableMonitors: totalOf(small.Monitors, func(m *contention.Monitor) *contention.Times {
			return &m.Times
		})} {
		if got, want := sum+small.Hidden[table].Time, whole.All.Of(contention.Blocked).Total; got != want {
			t.Errorf("%s have %d ns, shown and hidden, want %d", table, got, want)
		}
	}
}

// TestHeavierHalfIsKept: the row that exceeds the limit evicts exactly the lighter half, and of equal rows the earlier
// ones, in any order of rows.
func TestHeavierHalfIsKept(t *testing.T) {
	const limit = 3000
	random := rand.New(rand.NewPCG(1, 2))
	for name, weights := range map[string][]int{
		"different": random.Perm(limit), "equal": make([]int, limit), "few": pick(random, limit, 3),
	} {
		byWeight := make([]int, limit) // the objects, lightest first
		c := contention.NewCollector("x", limit)
		waiter := trace.ThreadRef{Key: 1}
		sinktest.Check(t, c.Put(&trace.ModelThread{Key: waiter.Key}))
		for i := range limit + 1 {
			end := trace.Time(1)
			if i < limit {
				byWeight[i], end = i, trace.Time(1+weights[i])
			}
			sinktest.Check(t, c.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock,
				Thread: waiter, Object: trace.ObjectFrom(strconv.AppendInt(nil, int64(i+1), 10)),
				ObjectKey: trace.ObjectKey(i + 1)}, End: end}))
		}
		slices.SortStableFunc(byWeight, func(a, b int) int { return weights[a] - weights[b] })
		want := map[string]bool{strconv.Itoa(limit + 1): true}
		for _, i := range byWeight[limit/2:] {
			want[strconv.Itoa(i+1)] = true
		}
		s := c.Statistics()
		got := map[string]bool{}
		for _, m := range s.Monitors {
			got[m.ID] = true
		}
		if hidden := s.Hidden[contention.TableMonitors].Rows; hidden != limit/2 || !maps.Equal(got, want) {
			t.Errorf("%s: %d rows are kept and %d hidden; want the heavier %d", name, len(got), hidden, limit/2)
		}
	}
}

// pick returns n numbers below the limit.
func pick(random *rand.Rand, n, limit int) []int {
	picked := make([]int, n)
	for i := range picked {
		picked[i] = random.IntN(limit)
	}
	return picked
}

func totalOf[R any](rows []*R, times func(*R) *contention.Times) (sum uint64) {
	for _, row := range rows {
		sum += times(row).Of(contention.Blocked).Total
	}
	return sum
}

// TestIDUsedAgain: the row of a monitor whose id becomes another object's goes on, also when it is evicted later.
func TestIDUsedAgain(t *testing.T) {
	first, rest := blocks("1 50 2 1", "1 50 2 1"), blocks("1 60 2 1", "1 60 2 1", "1 60 2 1", "1 60 2 1", "1 61 2 1",
		"1 62 2 1", "1 50 2 1")
	again := []byte(`<objFree objIdRef="50"/><objAlloc objId="50" classIdRef="1"/>`)
	document := slices.Concat([]byte(`<TRACE><classDef name="a/B" classId="1"/><objAlloc objId="50" classIdRef="1"/>`),
		inside(first), again, inside(first), inside(rest), []byte("</TRACE>"))
	s := collect(t, document, 2)
	sum := totalOf(s.Monitors, func(m *contention.Monitor) *contention.Times { return &m.Times }) +
		s.Hidden[contention.TableMonitors].Time
	if want := s.All.Of(contention.Blocked).Total; sum != want {
		t.Errorf("monitors have %d ns, shown and hidden, want %d", sum, want)
	}
}

// inside returns the content of a TRACE.
func inside(document []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(document, []byte("<TRACE>")), []byte("</TRACE>"))
}

// TestCallersAreInTheOrderFirstSeen: methods of owners do not count for the order of the callers, nor for the limit of
// rows.
func TestCallersAreInTheOrderFirstSeen(t *testing.T) {
	methods := map[string]*trace.ModelMethod{}
	for i, name := range []string{"early", "owner", "late"} {
		methods[name] = &trace.ModelMethod{Class: "a/B", Name: name, Number: uint32(i + 1)}
	}
	callers := slices.Concat(slices.Repeat([]string{"early"}, 10_000), []string{"late", "owner"})
	for rows, want := range map[int][]string{
		contention.DefaultRows: {"early", "late", "owner"},
		2:                      {"early", "late", contention.Others},
	} {
		c := contention.NewCollector("x", rows)
		waiter, owner := trace.ThreadRef{Key: 1}, trace.ThreadRef{Key: 2}
		sinktest.Check(t, c.Put(&trace.ModelThread{Key: waiter.Key}))
		sinktest.Check(t, c.Put(&trace.ModelThread{Key: owner.Key}))
		for _, caller := range callers {
			sinktest.Check(t, c.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock,
				Thread: waiter, Other: owner, Object: trace.ObjectFrom([]byte{'7'}), Class: "a/B",
				Caller:      trace.Frame{Method: methods[caller]},
				OtherCaller: trace.Frame{Method: methods["owner"]}}, End: 1}))
		}
		var got []string
		for _, caller := range c.Statistics().Callers {
			got = append(got, caller.Method)
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %d rows the callers are %q, want %q", rows, got, want)
		}
	}
}

// TestOwnersInOrder: owners with equal totals are in the order first seen.
func TestOwnersInOrder(t *testing.T) {
	document := blocks("1 50 9 1", "1 50 9 1", "1 50 8 1", "1 50 7 1") // 1 and 2, 3, 4 s
	var got []string
	for _, owner := range collect(t, document, contention.DefaultRows).Monitors[0].Owners {
		got = append(got, owner.ID)
	}
	if diff := cmp.Diff([]string{"7", "9", "8"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	var good bytes.Buffer
	sinktest.Check(t, collect(t, documents(1)[0], contention.DefaultRows).Save(&good))
	for name, c := range map[string]struct{ old, new, want string }{
		"another format":    {`"trcx-statistics"`, `"trcx-model"`, "not saved statistics"},
		"a later version":   {`"version":1`, `"version":2`, "version 2"},
		"cut off":           {good.String()[good.Len()/2:], "", "end in the middle"},
		"more after":        {"", "", ""},
		"a text for number": {`"count":`, `"count":"x","was":`, "damaged"},
		"figures that lie":  {`"count":`, `"count":9`, "do not fit together"},
	} {
		text := strings.Replace(good.String(), c.old, c.new, 1)
		if name == "more after" {
			text, c.want = good.String()+"{}", "data after"
		}
		_, err := contention.Load(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzLoad: loading any bytes ends, and what is loaded can be printed in every form and merged.
func FuzzLoad(f *testing.F) {
	var good bytes.Buffer
	sinktest.Check(f, collect(f, documents(1)[0], contention.DefaultRows).Save(&good))
	f.Add(good.Bytes())
	f.Add(
		[]byte(
			`{"format":"trcx-statistics","version":1,"threads":[null,{"times":{"blocked":{"count":1,"total":5,"min":5,"max":5,"buckets":[[5,1]]}}}]}`))
	f.Add([]byte(`{"format":"trcx-statistics","version":1,"sites":[{"holders":[{}]}],"monitors":[{"owners":[{}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := contention.Load(bytes.NewReader(text))
		if err != nil {
			return
		}
		merged := contention.NewMerged(2)
		merged.Add(reload(t, s))
		merged.Add(reload(t, s))
		both := merged.Statistics()
		for _, view := range contention.Views() {
			all := both.Answer(view, contention.Order{Top: 1})
			sinktest.Check(t, answers.WriteJSON(io.Discard, all))
			sinktest.Check(t, answers.WriteCSV(io.Discard, all))
			sinktest.Check(t, answers.WriteText(io.Discard, all, answers.Options{}))
			sinktest.Check(t, answers.WriteMarkdown(io.Discard, all, answers.Options{}))
		}
	})
}

func TestOrders(t *testing.T) {
	for _, order := range []string{"", "blocked", "waited.max", "slept.p99", "timed.count", "name", "first",
		"joined.mean", "blocked.min", "blocked.total", "parked", "io.max"} {
		sinktest.Check(t, contention.CheckOrder(order))
	}
	for _, order := range []string{"x", "name.max", "blocked.", "blocked.p95", "timeout"} {
		if contention.CheckOrder(order) == nil {
			t.Errorf("%q is accepted", order)
		}
	}
	s := collect(t, documents(1)[0], contention.DefaultRows)
	var text bytes.Buffer
	sinktest.Check(t, answers.WriteJSON(&text, s.Answer(contention.Views()[0], contention.Order{By: "blocked.max"})))
	var sorted struct {
		Threads []struct{ Blocked struct{ Max int64 } }
	}
	sinktest.Check(t, json.Unmarshal(text.Bytes(), &sorted))
	if len(sorted.Threads) != len(s.Threads) {
		t.Fatalf("%d threads of %d", len(sorted.Threads), len(s.Threads))
	}
	for i, row := range sorted.Threads[1:] {
		if row.Blocked.Max > sorted.Threads[i].Blocked.Max {
			t.Errorf("row %d is out of order", i+1)
		}
	}
}

// BenchmarkSegment counts segments of 100 threads at 50 monitors.
func BenchmarkSegment(b *testing.B) {
	c := contention.NewCollector("x", contention.DefaultRows)
	methods := make([]trace.ModelMethod, 20)
	for i := range methods {
		methods[i] = trace.ModelMethod{Class: "a/B", Name: fmt.Sprint("m", i)}
	}
	ref := func(i int) trace.ThreadRef {
		return trace.ThreadRef{Key: trace.ThreadKey(i%100 + 1), ID: trace.ThreadFrom(fmt.Append(nil, i%100))}
	}
	for i := range 100 {
		sinktest.Check(b, c.Put(&trace.ModelThread{Key: ref(i).Key, ID: ref(i).ID}))
	}
	b.ReportAllocs()
	for i := range b.N {
		s := trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock, Thread: ref(i), Other: ref(i * 7),
			Object: trace.ObjectFrom([]byte{'1' + byte(i%50)}), Class: "java/lang/Object",
			Caller:      trace.Frame{Method: &methods[i%20]},
			OtherCaller: trace.Frame{Method: &methods[i%19]}}, End: trace.Time(i % 100_000)}
		sinktest.Check(b, c.Put(&s))
	}
}

// TestAddDoesNotSort: adding a trace takes time in proportion to its own rows, not to the rows of all traces before:
// rows are sorted when the sums are read, and trimmed when there are twice as many as are kept.
func TestAddDoesNotSort(t *testing.T) {
	const kept = 40
	merged := contention.NewMerged(kept)
	pairs, trimmed := 0, 0
	for i := range 200 {
		one := collect(t, blocks("1 50 7 1", "2 50 8 1", "3 50 9 1"), contention.DefaultRows)
		pairs += len(one.Pairs)
		merged.Add(one)
		added := merged.AddedPairs()
		if len(added) != pairs {
			trimmed++
			pairs = len(added)
		}
		if last := added[max(0, len(added)-4):]; i > 0 && trimmed == 0 && last[0].Total >= last[1].Total {
			t.Fatal("the pairs are sorted after each trace")
		}
	}
	if most := 600 / kept; trimmed == 0 || trimmed > most {
		t.Errorf("rows are trimmed %d times, want 1 to %d times", trimmed, most)
	}
	if got := merged.Statistics(); len(got.Pairs) != kept || got.Hidden["pairs"].Rows != 600-kept {
		t.Errorf("%d pairs are kept and %d hidden, want %d and %d", len(got.Pairs), got.Hidden["pairs"].Rows, kept, 600-kept)
	}
}
