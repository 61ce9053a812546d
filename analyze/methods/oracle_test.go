package methods

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// element is an event of a random trace.
type element struct {
	kind           string
	thread, method int
	time           int64
	ticket         string // "" for none
	depth          int    // -1 for none
	overhead       int64
}

// names are the methods of random traces: class, and name with signature, of each id.
var names = [][2]string{{"a.A", "x"}, {"a.A", "y"}, {"a.B", "x"}, {"b.C", "x"}, {"D", "-init-"}}

func (e *element) String() string {
	attributes := fmt.Sprintf(`threadIdRef="%d" time="%v"`, e.thread, trace.Time(e.time))
	switch e.kind {
	case "threadStart":
		return fmt.Sprintf(`<threadStart threadId="%d" time="%v" threadName="t%[1]d"/>`, e.thread, trace.Time(e.time))
	case "traceEnd":
		return fmt.Sprintf(`<traceEnd time="%v"/>`, trace.Time(e.time))
	case "methodEntry", "methodExit":
		attributes += fmt.Sprintf(` methodIdRef="%d"`, e.method)
		if e.ticket != "" {
			attributes += ` ticket="` + e.ticket + `"`
		}
		if e.depth >= 0 {
			attributes += fmt.Sprintf(` stackDepth="%d"`, e.depth)
		}
		if e.overhead > 0 {
			attributes += fmt.Sprintf(` overhead="%v"`, trace.Time(e.overhead))
		}
	}
	return "<" + e.kind + " " + attributes + "/>"
}

func document(elements []element) string {
	var text strings.Builder
	text.WriteString("<TRACE>")
	for i, name := range names {
		method, signature, signed := strings.Cut(name[1], "(")
		if fmt.Fprintf(&text, `<classDef name="%s" classId="1%d"/><methodDef name="%s" methodId="%[2]d" classIdRef="1%[2]d"`, name[0],
			i, method); signed {
			fmt.Fprintf(&text, ` signature="(%s"`, signature)
		}
		text.WriteString("/>")
	}
	for i := range elements {
		text.WriteString(elements[i].String())
	}
	return text.String() + "</TRACE>"
}

// randomTrace has nested calls, exits that are missing, stray or from other methods, and times that go back.
func randomTrace(r *rand.Rand) (elements []element) {
	type open struct {
		ticket string
		method int
		depth  int
	}
	now, ticket, stacks := int64(1e9), 0, map[int][]open{}
	tickets, depths := r.IntN(4) > 0, r.IntN(4) > 0
	for range r.IntN(120) + 1 {
		if now += int64(r.IntN(6)); r.IntN(12) == 0 {
			now -= int64(r.IntN(12))
		}
		thread := 1 + r.IntN(3)
		e := element{thread: thread, time: now, method: r.IntN(len(names)), depth: -1}
		stack := stacks[thread]
		switch kind := r.IntN(40); {
		case kind == 0:
			e.kind = "threadStart"
		case kind == 1:
			e.kind = "threadEnd"
			stack = nil
		case kind < 22 || len(stack) == 0 && r.IntN(8) > 0:
			e.kind = "methodEntry"
			if ticket++; tickets && r.IntN(20) > 0 {
				e.ticket = fmt.Sprint(ticket - r.IntN(2)*r.IntN(2))
			}
			depth := r.IntN(3) + 1
			if len(stack) > 0 {
				depth = stack[len(stack)-1].depth + 1 + r.IntN(2)*r.IntN(2) - r.IntN(2)*r.IntN(2)*r.IntN(3)
			}
			if depth = max(depth, 0); depths && r.IntN(10) > 0 {
				e.depth = depth
			}
			stack = append(stack, open{e.ticket, e.method, depth})
		default:
			e.kind, e.overhead = "methodExit", int64(r.IntN(4))
			if n := len(stack); n > 0 && r.IntN(12) > 0 {
				i := max(0, n-1-r.IntN(2)*r.IntN(3))
				if e.ticket = stack[i].ticket; r.IntN(10) > 0 {
					e.method = stack[i].method
				}
				stack = stack[:i]
			} else if tickets {
				e.ticket = fmt.Sprint(r.IntN(ticket + 2))
			}
		}
		stacks[thread] = stack
		elements = append(elements, e)
	}
	if r.IntN(3) > 0 {
		elements = append(elements, element{kind: "traceEnd", time: now + int64(r.IntN(5)) - 2})
	}
	return elements
}

// oracleCall is a call of the naive computation.
type oracleCall struct {
	session, thread, method int
	ticket                  string
	depth                   int
	parent                  *oracleCall // the open call around it
	begin, end              int64
	top                     [][2]int64 // when it was the innermost one
	how                     ending
	overhead                int64
}

// oracle computes the calls of a trace by the rules, one thread after the other.
func oracle(session int, elements []element, f *Findings) (calls []*oracleCall) {
	end, last := int64(math.MinInt64), int64(math.MinInt64)
	for _, e := range elements {
		if e.kind == "traceEnd" {
			end = max(end, e.time)
		} else {
			last = max(last, e.time)
		}
	}
	if end == math.MinInt64 {
		end = last
	}
	var threads []int
	for _, e := range elements {
		if e.kind != "traceEnd" && !slices.Contains(threads, e.thread) {
			threads = append(threads, e.thread)
		}
	}
	for _, thread := range threads {
		clock, started := int64(0), false
		var stack []*oracleCall
		closed := func(how ending) {
			top := stack[len(stack)-1]
			top.end, top.how = clock, how
			stack = stack[:len(stack)-1]
		}
		tick := func(to int64) {
			if !started {
				clock, started = to, true
			}
			if to > clock {
				if len(stack) > 0 {
					top := stack[len(stack)-1]
					top.top = append(top.top, [2]int64{clock, to})
				}
				clock = to
			}
		}
		for _, e := range elements {
			if e.thread != thread {
				continue
			}
			if started && e.time < clock {
				f.Backwards++
			}
			tick(e.time)
			switch e.kind {
			case "threadEnd":
				for len(stack) > 0 {
					closed(isLost)
				}
			case "methodEntry":
				if e.depth >= 0 {
					keep := len(stack)
					for i := len(stack) - 1; i >= 0; i-- {
						if stack[i].depth >= e.depth { // an open call with a depth that is not below
							keep = i
						}
					}
					for len(stack) > keep {
						closed(isLost)
					}
				}
				c := &oracleCall{session: session, thread: thread, method: e.method, ticket: e.ticket, depth: e.depth, begin: clock}
				if len(stack) > 0 {
					c.parent = stack[len(stack)-1]
				}
				stack, calls = append(stack, c), append(calls, c)
			case "methodExit":
				found := -1
				for i, c := range stack {
					if e.ticket != "" && c.ticket == e.ticket || e.ticket == "" && c.method == e.method {
						found = i
					}
				}
				if found < 0 {
					f.Stray++
					continue
				}
				for len(stack) > found+1 {
					closed(isLost)
				}
				if stack[found].method != e.method {
					f.Mismatched++
				}
				stack[found].overhead = e.overhead
				closed(hasExit)
			}
		}
		if len(stack) > 0 {
			tick(end)
			for len(stack) > 0 {
				closed(isOpen)
			}
		}
	}
	return calls
}

// oracleRows sums up calls by a key, which is "" for calls that are left out.
func oracleRows(calls []*oracleCall, since, until int64, included func(int) bool,
	key func(*oracleCall) string) map[string]Figures {
	rows := map[string]Figures{}
	inside := func(from, to int64) int64 { return max(0, min(to, until)-max(from, since)) }
	reaches := func(c *oracleCall) bool {
		return c.begin < c.end && inside(c.begin, c.end) > 0 || c.begin == c.end && c.begin >= since && c.begin < until
	}
	shown := func(c *oracleCall) *oracleCall { // the nearest call towards the root that is not filtered out
		for c != nil && !included(c.method) {
			c = c.parent
		}
		return c
	}
	bases := map[*oracleCall]int64{}
	for _, c := range calls {
		for _, part := range c.top {
			bases[shown(c)] += inside(part[0], part[1])
		}
	}
	for _, c := range calls {
		if !included(c.method) || !reaches(c) {
			continue
		}
		r, known := rows[key(c)]
		if !known {
			r = noFigures
		}
		r.Calls++
		r.Base += bases[c]
		r.States[Running] += bases[c]
		same, method := false, false
		for p := shown(c.parent); p != nil; p = shown(p.parent) {
			same = same || key(p) == key(c)
			method = method || names[p.method] == names[c.method]
		}
		cumulative := inside(c.begin, c.end)
		if !same {
			r.Cumulative += cumulative
		}
		if method {
			r.Recursive++
		}
		compensated := bases[c]
		switch ends := c.begin == c.end || c.end <= until; {
		case c.how == isOpen:
			r.Open++
		case !ends:
		case c.how == isLost:
			r.Lost++
		default:
			r.Overhead += c.overhead
			compensated = max(0, compensated-c.overhead)
			r.Min, r.Max = min(r.Min, cumulative), max(r.Max, cumulative)
		}
		r.Compensated += compensated
		rows[key(c)] = r
	}
	return rows
}

// collect puts documents into a Collector.
func collect(t *testing.T, o Options, documents ...string) *Collector {
	t.Helper()
	c := NewCollector(o)
	for session, text := range documents {
		c.Name = fmt.Sprint("trace ", session)
		if err := c.Begin(session); err != nil {
			t.Fatal(err)
		}
		for e, err := range convert.Events(context.Background(), strings.NewReader(text), convert.Options{}) {
			if errors.Is(err, convert.ErrDamaged) {
				break
			}
			if err == nil {
				err = c.Put(e)
			}
			if err != nil && err != io.EOF {
				t.Fatal(err)
			}
		}
		if err := c.End(trace.Ending{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	return c
}

func compare(t *testing.T, what string, got []Row, key func(*Row) string, want map[string]Figures) {
	t.Helper()
	seen := map[string]bool{}
	for i := range got {
		k := key(&got[i])
		if seen[k] = true; got[i].Figures != want[k] {
			t.Errorf("%s %s:\ngot  %+v\nwant %+v", what, k, got[i].Figures, want[k])
		}
	}
	for k := range want {
		if !seen[k] {
			t.Errorf("%s %s is missing: want %+v", what, k, want[k])
		}
	}
}

// TestOracle compares all columns with a naive computation, on random traces, in windows and with filters.
func TestOracle(t *testing.T) {
	seeds := uint64(4000)
	if testing.Short() {
		seeds = 500
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 36))
		var documents []string
		var traces [][]element
		for range 1 + r.IntN(2)*r.IntN(2) {
			traces = append(traces, randomTrace(r))
			documents = append(documents, document(traces[len(traces)-1]))
		}
		o, since, until := Options{Merge: r.IntN(2) == 0}, int64(math.MinInt64), int64(math.MaxInt64)
		if start := traces[0][0].time; r.IntN(2) == 0 {
			o.Window.Since = time.Duration(r.IntN(100))
			o.Window.Until = o.Window.Since + 1 + time.Duration(r.IntN(100))
			if since, until = start+int64(o.Window.Since), start+int64(o.Window.Until); o.Window.Since == 0 {
				since = math.MinInt64
			}
		}
		included := func(int) bool { return true }
		if r.IntN(2) == 0 {
			excluded := r.IntN(len(names))
			included = func(method int) bool { return names[method] != names[excluded] }
			o.Filter = func(class, method string) bool { return names[excluded] != [2]string{class, method} }
		}
		checkTraces(t, fmt.Sprint("seed ", seed), o, traces, documents, since, until, included)
		if t.Failed() {
			t.Fatalf("%+v\n%s", o.Window, strings.Join(documents, "\n"))
		}
	}
}

// checkTraces compares everything that a Collector says about the documents with the naive computation.
func checkTraces(t *testing.T, name string, o Options, traces [][]element, documents []string, since, until int64,
	included func(int) bool) {
	t.Helper()
	c := collect(t, o, documents...)
	sessions := c.Sessions()
	if p := c.Profile(View{}); p != nil { // what profiles of other programs show adds up to the same
		var sum [2]int64
		for stack := range p.Stacks() {
			sum[0], sum[1] = sum[0]+stack.Values[0], sum[1]+stack.Values[1]
		}
		if total := sessions[0].Tables(nil).Total; sum != [2]int64{int64(total.Calls), total.Base} {
			t.Errorf("%s: the stacks have %v calls and ns, the tables %d and %d", name, sum, total.Calls, total.Base)
		}
	}
	for i := range traces {
		var findings Findings
		calls := oracle(i, traces[i], &findings)
		if o.Merge {
			for j := range traces[1:] {
				calls = append(calls, oracle(j+1, traces[j+1], &findings)...)
			}
		}
		s := sessions[min(i, len(sessions)-1)]
		tables := s.Tables(nil)
		what := fmt.Sprint(name, " session ", i, " ")
		rows := func(key func(*oracleCall) string) map[string]Figures {
			return oracleRows(calls, since, until, included, key)
		}
		compare(t, what+"method", tables.Methods, func(r *Row) string { return r.Class + "." + r.Name + r.Signature },
			rows(func(c *oracleCall) string { return names[c.method][0] + "." + names[c.method][1] }))
		compare(t, what+"class", tables.Classes, func(r *Row) string { return r.Class },
			rows(func(c *oracleCall) string { return names[c.method][0] }))
		compare(t, what+"package", tables.Packages, func(r *Row) string { return "p" + r.Package },
			rows(func(c *oracleCall) string { return "p" + packageOf(names[c.method][0]) }))
		compareTree(t, what+"tree", s, rows(oraclePath(included)))
		compareTree(t, what+"folded tree", s.folded(), rows(foldedPath(included)))
		compare(t, what+"callers", invoked(s, false), func(r *Row) string { return r.Title }, rows(oracleEdge(included)))
		compare(t, what+"callees", invoked(s, true), func(r *Row) string { return r.Title }, withoutRoots(rows(oracleEdge(included))))
		if !o.Merge || len(traces) == 1 {
			compare(t, what+"thread", tables.Threads, func(r *Row) string { return r.Thread },
				rows(func(c *oracleCall) string { return fmt.Sprint(c.thread) }))
		}
		got := s.Findings
		if got.Lost, got.Open = 0, 0; got != findings {
			t.Errorf("%sfindings: got %+v, want %+v", what, got, findings)
		}
		checkInvariants(t, what, tables)
		if o.Merge {
			break
		}
	}
}

// oraclePath returns the key of a call's node in the tree.
func oraclePath(included func(int) bool) func(*oracleCall) string {
	return func(c *oracleCall) (path string) {
		for p := c; p != nil; p = p.parent {
			if included(p.method) {
				path = names[p.method][0] + "." + names[p.method][1] + "/" + path
			}
		}
		return fmt.Sprint(c.session, " ", c.thread, " ", path)
	}
}

// foldedPath returns the key of a call's node in the folded tree.
func foldedPath(included func(int) bool) func(*oracleCall) string {
	var path func(*oracleCall) string
	path = func(c *oracleCall) string {
		for p := c.parent; p != nil; p = p.parent {
			if included(p.method) && names[p.method] == names[c.method] {
				return path(p)
			}
		}
		p := c.parent
		for p != nil && !included(p.method) {
			p = p.parent
		}
		own := names[c.method][0] + "." + names[c.method][1] + "/"
		if p == nil {
			return fmt.Sprint(c.session, " ", c.thread, " ", own)
		}
		return path(p) + own
	}
	return path
}

// oracleEdge returns the caller and the callee of a call.
func oracleEdge(included func(int) bool) func(*oracleCall) string {
	return func(c *oracleCall) string {
		p, title := c.parent, outermost
		for p != nil && !included(p.method) {
			p = p.parent
		}
		if p != nil {
			title = names[p.method][0] + "." + names[p.method][1]
		}
		return title + " > " + names[c.method][0] + "." + names[c.method][1]
	}
}

func withoutRoots(rows map[string]Figures) map[string]Figures {
	for key := range rows {
		if strings.HasPrefix(key, outermost) {
			delete(rows, key)
		}
	}
	return rows
}

// invoked returns the rows of all callers or callees, with both methods as title.
func invoked(s *Session, callees bool) (rows []Row) {
	named := func(r *Row) string {
		if r.Name == "" {
			return r.Title // the row of outermost calls
		}
		return r.Class + "." + r.Name + r.Signature
	}
	for _, i := range s.Invocations(&View{}, "*", callees) {
		for _, r := range i.Rows {
			if callees {
				r.Title = named(&i.Of) + " > " + named(&r)
			} else {
				r.Title = named(&r) + " > " + named(&i.Of)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// compareTree compares the nodes of the tree: calls, base and cumulative time.
func compareTree(t *testing.T, what string, s *Session, want map[string]Figures) {
	t.Helper()
	var path []string
	seen := 0
	last, sessions := (*thread)(nil), map[string]int{}
	s.walk(nil, func(th *thread, i int32) {
		if th != last {
			last = th
			sessions[th.id]++
		}
		m := s.methods[s.tree.at(i).method]
		path = append(path, m.class.name+"."+m.name+m.signature)
		n := s.tree.at(i)
		if n.calls == 0 {
			return
		}
		seen++
		found := false
		for session := range 2 { // with a thread of the same id in each
			w := want[fmt.Sprint(session, " ", th.id, " ", strings.Join(path, "/")+"/")]
			found = found || w.Calls == n.calls && w.Base == n.base && w.Cumulative == n.cumulative
		}
		if !found {
			t.Errorf("%s: %v: got %+v", what, path, n)
		}
	}, func(*thread, int32) { path = path[:len(path)-1] })
	if seen != len(want) {
		t.Errorf("%s: %d nodes, want %d", what, seen, len(want))
	}
}

// checkInvariants checks what is true for every trace.
func checkInvariants(t *testing.T, what string, tables *Tables) {
	t.Helper()
	sum := func(rows []Row) (base int64) {
		for i := range rows {
			base += rows[i].Base
			if rows[i].Base > rows[i].Cumulative {
				t.Errorf("%s%s: base %d, cumulative %d", what, rows[i].Title, rows[i].Base, rows[i].Cumulative)
			}
		}
		return base
	}
	roots := tables.Total.Cumulative
	if m, c, p, th := sum(tables.Methods), sum(tables.Classes), sum(tables.Packages), sum(tables.Threads); m != roots || c != roots ||
		p != roots || th != roots {
		t.Errorf("%sbase of methods %d, classes %d, packages %d, threads %d; cumulative of the roots %d", what, m, c, p, th, roots)
	}
	for i := range tables.Methods {
		m := &tables.Methods[i]
		at := slices.IndexFunc(tables.Classes, func(c Row) bool { return c.Class == m.Class })
		if at < 0 || tables.Classes[at].Cumulative < m.Cumulative {
			t.Errorf("%s%s: cumulative time is more than its class's", what, m.Title)
		}
	}
}
