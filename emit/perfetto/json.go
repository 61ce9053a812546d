package perfetto

import (
	"slices"
	"strconv"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// LargeJSON is how many bytes of Trace Event JSON are more than viewers can be relied on to open.
const LargeJSON = 200 << 20

// jsonFormat writes Trace Event JSON: an object with a list of events, one on each line.
//
// Slices are complete events (X), arrows pairs of s and f, which viewers bind to the slice around them; where a
// thread's state is not known, or it had no length, or the thread is dead, there is none, so that one without length is
// put there.
type jsonFormat struct {
	out    *counter
	start  trace.Time
	begun  bool       // there is a mark
	first  trace.Time // of them
	lasts  []last     // by the keys of the threads
	filled bool       // there is an event
	buf    []byte
}

// last is the last slice that was written of a track.
type last struct {
	begin, end trace.Time
	first      trace.Time // when the first slice of the track begins
}

// order lets slices come before what is to lie in them.
func (f *jsonFormat) order() (order *[kindCount]rank, parts bool) { return &jsonOrder, false }

var jsonOrder = [kindCount]rank{slice: {place: 0}, point: {place: 1}, instant: {place: 1}, loop: {place: 2},
	tail: {place: 3}, head: {place: 4}}

func (f *jsonFormat) begin(start trace.Time, tracks int) {
	f.start = start
	f.lasts = slices.Repeat([]last{{never, never, never}}, tracks)
	f.out.buf = append(f.out.buf, `{"traceEvents":[`...)
}

func (f *jsonFormat) finish() {
	f.out.buf = append(f.out.buf, "\n],\"otherData\":{\"writer\":\"trcx\""...)
	if f.start != forever { // else nothing has a time
		f.out.buf = append(append(f.out.buf, `,"startTime":"`...), f.start.String()...)
		f.out.buf = append(f.out.buf, '"')
	}
	f.out.buf = append(f.out.buf, "}}\n"...)
}

// open begins an event of the phase, which the format has a letter for.
func (f *jsonFormat) open(phase byte, session uint64) {
	dst := f.out.buf
	if f.filled {
		dst = append(dst, ',')
	}
	f.filled = true
	dst = append(append(append(dst, "\n{\"ph\":\""...), phase), `","pid":`...)
	f.out.buf = trace.AppendDecimal(dst, session+1)
}

// track writes the number of the track. That of the critical path is one that no thread has, for viewers take 0 for a
// thread that idles.
func (f *jsonFormat) track(key trace.ThreadKey) {
	number := uint64(key)
	if key == pathTrack {
		number = uint64(len(f.lasts))
	}
	f.out.buf = trace.AppendDecimal(append(f.out.buf, `,"tid":`...), number)
}

// close ends the event.
func (f *jsonFormat) close() {
	f.out.buf = append(f.out.buf, '}')
	f.out.flushed()
}

// process names a process and puts it in its place.
func (f *jsonFormat) process(session uint64, name []byte) {
	f.open('M', session)
	f.name("process_name", name)
	f.open('M', session)
	f.place("process_sort_index", session)
}

// thread names a thread and puts it in its place, the critical path first.
func (f *jsonFormat) thread(session uint64, key trace.ThreadKey, name []byte) {
	f.open('M', session)
	f.track(key)
	f.name("thread_name", name)
	f.open('M', session)
	f.track(key)
	f.place("thread_sort_index", uint64(key))
}

func (f *jsonFormat) name(property string, name []byte) {
	f.out.buf = append(append(append(f.out.buf, `,"name":"`...), property...), `","args":{"name":`...)
	f.out.buf = append(jsontext.Append(f.out.buf, name), '}')
	f.close()
}

func (f *jsonFormat) place(property string, index uint64) {
	f.out.buf = append(append(append(f.out.buf, `,"name":"`...), property...), `","args":{"sort_index":`...)
	f.out.buf = append(trace.AppendDecimal(f.out.buf, index), '}')
	f.close()
}

// phases are the letters for the kinds of marks, with what belongs to them.
var phases = [kindCount]struct {
	letter byte
	fields string
}{
	slice:   {letter: 'X'},
	point:   {'i', `,"s":"t"`},
	instant: {'i', `,"s":"t"`},
	loop:    {'i', `,"s":"g"`},
	tail:    {letter: 's'},
	head:    {'f', `,"bp":"e"`},
}

func (f *jsonFormat) mark(m *mark) {
	if !f.begun {
		f.begun, f.first = true, m.at
	}
	if m.kind == tail || m.kind == head {
		f.support(m)
	}
	f.open(phases[m.kind].letter, m.session)
	f.track(m.track)
	f.time(`,"ts":`, int64(m.at-f.start))
	if m.kind == slice {
		f.time(`,"dur":`, f.length(m))
	}
	f.out.buf = append(f.out.buf, phases[m.kind].fields...)
	if m.arrow != 0 {
		f.out.buf = trace.AppendDecimal(append(f.out.buf, `,"id":`...), m.arrow)
	}
	f.look(m)
	f.values(m)
	f.close()
}

// support puts a slice where the end of an arrow would hang in the air.
func (f *jsonFormat) support(m *mark) {
	if t := &f.lasts[m.track]; t.end > m.at || t.begin == m.at {
		return
	}
	under := mark{kind: slice, look: m.look, session: m.session, track: m.track, at: m.at}
	f.mark(&under)
}

// look writes the category, the name and the colour.
func (f *jsonFormat) look(m *mark) {
	f.out.buf = append(append(append(f.out.buf, `,"cat":"`...), categories[m.category()]...), `","name":`...)
	f.buf = m.appendName(f.buf[:0])
	f.out.buf = jsontext.Append(f.out.buf, f.buf)
	if color := looks[m.look].color; color != "" && m.arrow == 0 {
		f.out.buf = append(append(append(f.out.buf, `,"cname":"`...), color...), '"')
	}
}

// values writes the arguments.
func (f *jsonFormat) values(m *mark) {
	if len(m.details) == 0 {
		return
	}
	dst := append(f.out.buf, `,"args":{`...)
	for name, v := range m.values() {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), arguments[name].name...), `":`...)
		switch arguments[name].form {
		case number:
			dst = trace.AppendDecimal(dst, v.number)
		case text:
			dst = jsontext.Append(dst, v.text)
		case flag:
			dst = append(dst, "true"...)
		}
	}
	f.out.buf = append(dst, '}')
}

// time writes a number of nanoseconds as microseconds with three decimals.
func (f *jsonFormat) time(name string, nanos int64) {
	f.out.buf = appendMicros(append(f.out.buf, name...), nanos)
}

func appendMicros(dst []byte, nanos int64) []byte {
	dst = trace.AppendDecimal(dst, uint64(nanos)/1000)
	decimals := uint64(nanos) % 1000
	return append(dst, '.', byte('0'+decimals/100), byte('0'+decimals/10%10), byte('0'+decimals%10))
}

// length is that of a slice, in nanoseconds, as it can be written. Readers take the two numbers for floats and add them
// up, some after they have made all times of the drawing, or of the track, relative to the first. Where that would give
// a little more than the beginning of the next slice, so that the two would overlap, the length is a nanosecond less.
func (f *jsonFormat) length(m *mark) int64 {
	l := &f.lasts[m.track]
	if l.first == never {
		l.first = m.at
	}
	length := m.length
	begin, end := micros(int64(m.at-f.start)), micros(int64(m.at-f.start)+length)
	for _, origin := range [...]trace.Time{f.start, f.first, l.first} {
		from := micros(int64(origin - f.start))
		for step := int64(1); length > 0 && begin-from+micros(length) > end-from; step *= 2 {
			length = max(length-step, 0)
		}
	}
	l.begin, l.end = m.at, m.at+trace.Time(length)
	return length
}

// micros is what a reader makes of a number of nanoseconds that is written as microseconds. It is the only float of
// this package, and none that is written.
func micros(nanos int64) float64 {
	if nanos < 1<<53 {
		return float64(nanos) / 1000
	}
	// beyond 104 days the quotient would be rounded twice
	value, _ := strconv.ParseFloat(string(appendMicros(nil, nanos)), 64)
	return value
}
