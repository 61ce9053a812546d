package perfetto

import (
	"cmp"
	"strings"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// A track is a row of a viewer. Each thread has one, below its process, and the critical path has one.

// pathTrack is the track of the critical path. No thread has this key.
const pathTrack trace.ThreadKey = 0

// track is the state of a thread's track.
type track struct {
	end     trace.Time // of the last slice
	session uint32
	drawn   bool // it has marks
}

// processName returns the title of a recording's process: "JVM 4711 (org.eclipse.tptp.jvmti)".
func processName(d *trace.Session) string {
	var b strings.Builder
	b.WriteString("JVM")
	for _, part := range []struct {
		values             []trace.NamedValue
		name, begin, close string
	}{{d.Process, "pid", " ", ""}, {d.Agent, "agentName", " (", ")"}} {
		for _, v := range part.values {
			if v.Name == part.name && v.Value != "" {
				b.WriteString(part.begin + shown(v.Value) + part.close)
			}
		}
	}
	return b.String()
}

// thread records the name of a thread.
func (w *Writer) thread(t *trace.ModelThread) {
	w.names.Put(t)
	w.track(t.Key).session = uint32(t.Session)
	thread := w.names.Get(t.Key)
	w.describe(uint64(t.Session), t.Key, shown(thread.Title()))
}

// describe records the name of a track.
func (w *Writer) describe(session uint64, key trace.ThreadKey, name string) {
	w.record = append(w.record[:0], name...)
	w.add(extsort.Key{Section: trackSection, Group: session, ID: uint64(key), Order: w.timeline.Records()})
}

func (w *Writer) track(key trace.ThreadKey) *track {
	for int(key) >= w.tracks.Len() {
		w.tracks.Add(track{end: never})
	}
	return w.tracks.At(int(key))
}

// title returns the title of a thread, or "" of an unknown one.
func (w *Writer) title(thread trace.ThreadRef) string {
	if thread.Key == 0 {
		return ""
	}
	known := w.names.Get(thread.Key)
	return shown(known.Title())
}

// writeTrack writes the name of a process, or of a thread with marks.
func (w *Writer) writeTrack(k extsort.Key, name []byte) {
	key := trace.ThreadKey(k.ID)
	switch {
	case key == pathTrack:
		w.encoder.process(k.Group, name)
	case w.isOfCalls(key):
		w.encoder.calls(k.Group, key, w.callTracks[key], name)
	case w.track(key).drawn:
		w.encoder.thread(k.Group, key, name)
	}
}

// isOfCalls reports whether a track is for calls.
func (w *Writer) isOfCalls(key trace.ThreadKey) bool {
	_, is := w.callTracks[key]
	return is
}

// track writes the id of a track. The critical path has an id above all threads: viewers treat 0 as an idle thread.
func (f *jsonEncoder) track(key trace.ThreadKey) {
	number := uint64(key)
	if key == pathTrack {
		number = uint64(len(f.lasts))
	}
	f.out.buf = digits.Append(append(f.out.buf, `,"tid":`...), number)
}

// process writes the name and the sort index of a process.
func (f *jsonEncoder) process(session uint64, name []byte) {
	f.open('M', session)
	f.name("process_name", name)
	f.open('M', session)
	f.place("process_sort_index", session)
}

// thread writes the name and the sort index of a thread; the critical path is the first one.
func (f *jsonEncoder) thread(session uint64, key trace.ThreadKey, name []byte) {
	f.calls(session, key, 0, name)
}

// calls writes the name of a track of calls, which follows its thread's track.
func (f *jsonEncoder) calls(session uint64, key, thread trace.ThreadKey, name []byte) {
	f.open('M', session)
	f.track(key)
	f.name("thread_name", name)
	f.open('M', session)
	f.track(key)
	f.place("thread_sort_index", uint64(cmp.Or(thread, key)))
}

func (f *jsonEncoder) name(property string, name []byte) {
	f.out.buf = append(append(append(f.out.buf, `,"name":"`...), property...), `","args":{"name":`...)
	f.out.buf = append(jsontext.Append(f.out.buf, name), '}')
	f.close()
}

func (f *jsonEncoder) place(property string, index uint64) {
	f.out.buf = append(append(append(f.out.buf, `,"name":"`...), property...), `","args":{"sort_index":`...)
	f.out.buf = append(digits.Append(f.out.buf, index), '}')
	f.close()
}

// The UUIDs of tracks. The UUID of a thread's track is its key.
const (
	rootUUID    = 0
	processUUID = 1 << 32 // plus the session
	pathUUID    = 1 << 33
)

// begin makes viewers keep the order of the track descriptors.
func (f *protobufEncoder) begin(start trace.Time, _ int) {
	f.start = start
	f.part = appendNumber(f.part[:0], descriptorUUID, rootUUID)
	f.part = appendNumber(f.part, descriptorChildOrdering, childrenByRank)
	f.part = appendNumber(f.part, descriptorProcessOrdering, othersByRank)
	f.part = appendNumber(f.part, descriptorThreadOrdering, othersByRank)
	f.packet(packetTrackDescriptor, f.part, 0)
}

func (f *protobufEncoder) process(session uint64, name []byte) {
	f.inner = appendNumber(f.inner[:0], processPID, session+1)
	f.inner = appendNumber(f.inner, processSortIndex, session)
	f.inner = appendMessage(f.inner, processLabel, name)
	f.part = appendNumber(f.part[:0], descriptorUUID, processUUID|session)
	f.part = appendMessage(f.part, descriptorProcess, f.inner)
	f.part = appendNumber(f.part, descriptorChildOrdering, childrenByRank)
	f.part = appendNumber(f.part, descriptorRank, session)
	f.packet(packetTrackDescriptor, f.part, 0)
}

func (f *protobufEncoder) thread(session uint64, key trace.ThreadKey, name []byte) {
	f.part = appendNumber(f.part[:0], descriptorUUID, uuid(key))
	f.part = appendNumber(f.part, descriptorParent, processUUID|session)
	if key == pathTrack {
		f.part = appendMessage(f.part, descriptorName, name)
	} else {
		f.inner = appendNumber(f.inner[:0], threadPID, session+1)
		f.inner = appendNumber(f.inner, threadTID, uint64(key))
		f.inner = appendNumber(f.inner, threadSortIndex, uint64(key))
		f.inner = appendMessage(f.inner, threadName, name)
		f.part = appendMessage(f.part, descriptorThread, f.inner)
	}
	f.part = appendNumber(f.part, descriptorRank, uint64(key))
	f.packet(packetTrackDescriptor, f.part, 0)
}

// calls describes a track of calls, which is part of its thread's track.
func (f *protobufEncoder) calls(session uint64, key, thread trace.ThreadKey, name []byte) {
	parent := processUUID | session
	if thread != 0 {
		parent = uuid(thread)
	}
	f.part = appendNumber(f.part[:0], descriptorUUID, uuid(key))
	f.part = appendNumber(f.part, descriptorParent, parent)
	f.part = appendMessage(f.part, descriptorName, name)
	f.part = appendNumber(f.part, descriptorRank, uint64(key))
	f.packet(packetTrackDescriptor, f.part, 0)
}

func uuid(key trace.ThreadKey) uint64 {
	if key == pathTrack {
		return pathUUID
	}
	return uint64(key)
}

// trackOf returns the uuid of the mark's track. A deadlock is on its process's track.
func (f *protobufEncoder) trackOf(m *mark) uint64 {
	if m.kind == loop {
		return processUUID | m.session
	}
	return uuid(m.track)
}

// style is the appearance of a mark. The first styles are the model's types.
type style uint8

// Styles without a model type.
const (
	timedWaiting style = style(trace.ModelTypeCount) + iota
	parked
	inIO
	initialising
	deadlocked
	deadlockLoop
	latency
	unknown
	paused
	called
	sampled
	styleCount
)

// styles are the titles of marks, their categories, and the names of colors in Trace Event viewers ("" for the viewer's
// choice). States have names and colors like in the page: green, red, yellow, grey.
var styles = [styleCount]struct {
	name     string
	category category
	color    string
}{
	style(trace.Running):             {trace.StateRunnable.String(), states, "thread_state_running"},
	style(trace.WaitingForObject):    {trace.StateWaiting.String(), states, "yellow"},
	style(trace.WaitingForLock):      {trace.StateBlocked.String(), states, "terrible"},
	style(trace.Sleeping):            {trace.StateSleeping.String(), states, "grey"},
	style(trace.WaitingForJoin):      {trace.StateJoining.String(), states, "olive"},
	style(trace.DeadLock):            {"deadlock", deadlocks, "black"},
	style(trace.StartsThread):        {"start", interactions, ""},
	style(trace.HandoffLock):         {"hand-off", interactions, ""},
	style(trace.InterruptThread):     {"interrupt", interactions, ""},
	style(trace.NotifyAll):           {"notifyAll", interactions, ""},
	style(trace.Notify):              {"notify", interactions, ""},
	style(trace.DeadAndNotifyJoined): {"join", interactions, ""},
	style(trace.WaitTimeoutExceed):   {"timeout", interactions, ""},
	timedWaiting:                     {trace.StateTimedWaiting.String(), states, "yellow"},
	parked:                           {trace.StateParked.String(), states, "yellow"},
	inIO:                             {trace.StateInIO.String(), states, "thread_state_iowait"},
	initialising:                     {trace.StateInitialising.String(), states, "yellow"},
	deadlocked:                       {trace.StateDeadlocked.String(), states, "black"},
	deadlockLoop:                     {"deadlock", deadlocks, "black"},
	latency:                          {"latency", pathPieces, "thread_state_runnable"},
	unknown:                          {critical.Unknown.Words(), pathPieces, "grey"},
	paused:                           {critical.Paused.Words(), pathPieces, "black"},
	called:                           {"", calls, ""},
	sampled:                          {"sample", samples, ""},
}

// category is the category of a mark in viewers.
type category uint8

// The categories.
const (
	states category = iota
	interactions
	deadlocks
	pathPieces
	calls
	samples
	categoryCount
)

var categories = [categoryCount]string{states: "state", interactions: "interaction", deadlocks: "deadlock",
	pathPieces: "path", calls: "call", samples: "sample"}

// styleOf returns the style of an interval.
func styleOf(s *trace.Interval) style { return styleOfState(s.State(), s.Type) }

// styleOfState returns the style of a state. of is the type of the state's event.
func styleOfState(state trace.State, of trace.ModelType) style {
	switch state {
	case trace.StateDeadlocked:
		return deadlocked
	case trace.StateParked:
		return parked
	case trace.StateInIO:
		return inIO
	case trace.StateInitialising:
		return initialising
	case trace.StateTimedWaiting:
		return timedWaiting
	}
	return style(of)
}
