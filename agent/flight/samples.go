package flight

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/jfr"
	"github.com/trcx/trcx/trace"
)

// Samples are the samples of a flight recording, summed up.
type Samples struct {
	// Event is the type of the samples.
	Event string
	// Count is their number. Stackless is the number of further samples whose call stack the JVM could not read.
	Count, Stackless uint64
	// Shortened is how many of them count at an outer method instead of the innermost, or at none, because of the limit
	// of nodes.
	Shortened uint64
	// Losses is how often the recording tells that something is missing in it, and Loss what it tells first.
	Losses  int
	Loss    string
	Classes []Class
	Methods []Method
	// Nodes are the trees of all threads. A node follows its parent.
	Nodes []Node
	edges map[edge]int
	limit int
}

// Class is a class, by its name as the JVM has it, with slashes, and the name of its source, "" if it is unknown.
type Class struct{ Name, Source string }

// Method is a method of the class with that index, -1 if it is unknown; the name is as traces have it.
type Method struct {
	Class           int
	Name, Signature string
}

// Node is a method with the calls that led to it.
type Node struct {
	// Parent is the index of the node around it; -1 for none.
	Parent int
	// Thread is Java's id of the thread.
	Thread int64
	// Method is the index of the method.
	Method int
	// Count is how many samples found the method as the innermost one, and Base the nanoseconds on a processor that
	// they stand for. Cumulative is the sum of Base over the node and the nodes below it.
	Count            uint64
	Base, Cumulative int64
}

type edge struct {
	parent, method int
	thread         int64 // only for a node without a parent
}

// Event returns the type of the samples that a JVM of the release, such as 17, takes, and its setting for their
// interval. Since JDK 25 the interval is CPU time of the thread; an older JDK samples RUNNABLE threads once an
// interval.
func Event(java int) (event, setting string) {
	if java < 25 {
		return "jdk.ExecutionSample", "period"
	}
	return "jdk.CPUTimeSample", "throttle"
}

var errUnwritten = errors.New("the JVM has not written them; it was killed, or has no flight recorder")

// Read reads the samples of the type in the file, which the JVM writes when the recording ends. The trees have at most
// limit nodes, and only methods that shows selects.
func Read(ctx context.Context, file, event string, limit int, shows func(class, method string) bool) (*Samples, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, errUnwritten
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil && info.Size() == 0 { // the file is made when the recording begins
		return nil, errUnwritten
	}
	r := reader{samples: &Samples{Event: event, edges: map[edge]int{}, limit: limit}, shows: shows,
		classes: map[string]int{}, methods: map[string]int{}}
	s := r.samples
	lost := func(f trace.Finding) {
		if f.Severity == trace.Error || f.Rule == jfr.RuleLost {
			s.Losses++
			s.Loss = cmp.Or(s.Loss, f.Message)
		}
	}
	_, err = jfr.Read(ctx, in, builder.Options{Samples: event, Report: lost}, r.put)
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		n := &s.Nodes[i]
		n.Cumulative += n.Base
		if n.Parent >= 0 {
			s.Nodes[n.Parent].Cumulative += n.Cumulative
		}
	}
	s.Stackless = max(r.recorded, s.Count) - s.Count
	return s, err
}

// reader sums up the elements of a recording.
type reader struct {
	samples          *Samples
	shows            func(class, method string) bool
	classes, methods map[string]int // by ids; hidden methods have the index -1
	recorded         uint64         // samples, by the recording's own count
	path             []int
}

// put consumes an element. Counts of events come before samples.
func (r *reader) put(e *trace.Event) error {
	s := r.samples
	switch e.Kind {
	case trace.ClassDef:
		r.classes[e.Text(trace.AttrClassID)] = len(s.Classes)
		s.Classes = append(s.Classes, Class{e.Text(trace.AttrName), e.Text(trace.AttrSourceName)})
	case trace.MethodDef:
		class, known := r.classes[e.Text(trace.AttrClassIDRef)]
		m := Method{class, e.Text(trace.AttrName), e.Text(trace.AttrSignature)}
		name := ""
		if known {
			name = s.Classes[class].Name
		} else {
			m.Class = -1
		}
		if r.shows != nil && !r.shows(name, m.Name) {
			r.methods[e.Text(trace.AttrMethodID)] = -1
			return nil
		}
		r.methods[e.Text(trace.AttrMethodID)] = len(s.Methods)
		s.Methods = append(s.Methods, m)
	case trace.Option:
		if e.Text(trace.AttrKey) == "events."+s.Event {
			r.recorded, _ = strconv.ParseUint(e.Text(trace.AttrValue), 10, 64)
		}
	case trace.Annotation:
		if string(e.Value(trace.AttrName)) == trace.NoteSample {
			r.sample(e.Value(trace.AttrValue))
		}
	}
	return nil
}

// sample adds samples of one call stack.
func (r *reader) sample(value []byte) {
	var sample trace.Sample
	id, frames, ok := sample.Parse(value)
	if !ok || len(frames) == 0 || sample.State != trace.StateRunnable {
		return
	}
	r.path = r.path[:0]
	for frame := range trace.Frames(frames) {
		if index, known := r.methods[string(frame)]; known && index >= 0 {
			r.path = append(r.path, index)
		}
	}
	s := r.samples
	s.Count += sample.Count
	thread, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil {
		thread = 0
	}
	at := -1
	for i, method := range slices.Backward(r.path) {
		next := s.child(at, method, thread)
		if next < 0 {
			s.Shortened += sample.Count
			break
		}
		if at = next; i == 0 {
			break
		}
	}
	if at >= 0 {
		s.Nodes[at].Count += sample.Count
		s.Nodes[at].Base += int64(sample.Count) * sample.Period
	}
}

// child returns the node of the method below a node; -1 if it is new and the limit is reached.
func (s *Samples) child(parent, method int, thread int64) int {
	key := edge{parent, method, 0}
	if parent < 0 {
		key.thread = thread
	}
	if i, known := s.edges[key]; known {
		return i
	}
	if len(s.Nodes) >= s.limit {
		return -1
	}
	s.edges[key] = len(s.Nodes)
	s.Nodes = append(s.Nodes, Node{Parent: parent, Thread: thread, Method: method})
	return len(s.Nodes) - 1
}

// Walk visits the nodes of each thread: each node before the nodes below it, and again after them.
func (s *Samples) Walk(enter, leave func(*Node)) {
	below := make([][]int, len(s.Nodes)+1) // children, at the index of their parent + 1
	for i := range s.Nodes {
		below[s.Nodes[i].Parent+1] = append(below[s.Nodes[i].Parent+1], i)
	}
	slices.SortStableFunc(below[0], func(a, b int) int { return int(s.Nodes[a].Thread - s.Nodes[b].Thread) })
	var visit func(int)
	visit = func(i int) { // as deep as the recording's call stacks, which are cut
		enter(&s.Nodes[i])
		for _, child := range below[i+1] {
			visit(child)
		}
		leave(&s.Nodes[i])
	}
	for _, i := range below[0] {
		visit(i)
	}
}
