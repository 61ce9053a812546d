package perfetto

import (
	"slices"
	"strconv"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// LargeJSON is the size in bytes of Trace Event JSON above which viewers may fail to open it.
const LargeJSON = 200 << 20

// jsonEncoder writes Trace Event JSON: an object with a list of events, one on each line.
//
// Slices are complete events (X). Arrows are pairs of s and f, which viewers bind to the slice around them. If there is
// no such slice, since the thread is dead or its state is unknown or without length, a slice without length is added.
type jsonEncoder struct {
	out    *counter
	start  trace.Time
	begun  bool       // a mark was written
	first  trace.Time // of all marks
	lasts  []last     // by the keys of the threads
	filled bool       // an event was written
	buf    []byte
}

// last is the last written slice of a track.
type last struct {
	begin, end trace.Time
	first      trace.Time // begin of the first slice of the track
}

// order puts slices before the marks inside them.
func (f *jsonEncoder) order() (order *[kindCount]rank, parts bool) { return &jsonOrder, false }

var jsonOrder = [kindCount]rank{slice: {place: 0}, point: {place: 1}, instant: {place: 1}, loop: {place: 2},
	tail: {place: 3}, head: {place: 4}, callBegin: {place: 5}, callEnd: {place: 5},
	callPoint: {place: 5}, sample: {place: 6}}

func (f *jsonEncoder) begin(start trace.Time, tracks int) {
	f.start = start
	f.lasts = slices.Repeat([]last{{never, never, never}}, tracks)
	f.out.buf = append(f.out.buf, `{"traceEvents":[`...)
}

func (f *jsonEncoder) finish() {
	f.out.buf = append(f.out.buf, "\n],\"otherData\":{\"writer\":\"trcx\""...)
	if f.start != forever { // else nothing has a time
		f.out.buf = append(append(f.out.buf, `,"startTime":"`...), f.start.String()...)
		f.out.buf = append(f.out.buf, '"')
	}
	f.out.buf = append(f.out.buf, "}}\n"...)
}

// open begins an event of a phase, a letter of the format.
func (f *jsonEncoder) open(phase byte, session uint64) {
	dst := f.out.buf
	if f.filled {
		dst = append(dst, ',')
	}
	f.filled = true
	dst = append(append(append(dst, "\n{\"ph\":\""...), phase), `","pid":`...)
	f.out.buf = digits.Append(dst, session+1)
}

// close ends the event.
func (f *jsonEncoder) close() {
	f.out.buf = append(f.out.buf, '}')
	f.out.flushed()
}

// phases are, by kind of mark, the letter and further fields.
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

	callBegin: {letter: 'B'},
	callEnd:   {letter: 'E'},
	callPoint: {'i', `,"s":"t"`},
	sample:    {'i', `,"s":"t"`},
}

func (f *jsonEncoder) mark(m *mark) {
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
		f.out.buf = digits.Append(append(f.out.buf, `,"id":`...), m.arrow)
	}
	f.style(m)
	if m.category() != calls {
		f.values(m)
	}
	f.close()
}

// support adds a slice for the end of an arrow that is in no slice.
func (f *jsonEncoder) support(m *mark) {
	if t := &f.lasts[m.track]; t.end > m.at || t.begin == m.at {
		return
	}
	under := mark{kind: slice, style: m.style, session: m.session, track: m.track, at: m.at}
	f.mark(&under)
}

// style writes the category, the name and the color.
func (f *jsonEncoder) style(m *mark) {
	f.out.buf = append(append(f.out.buf, `,"cat":"`...), categories[m.category()]...)
	if m.category() == calls { // the arguments of calls are flags
		for name := range m.values() {
			f.out.buf = append(append(f.out.buf, ','), arguments[name].name...)
		}
	}
	f.out.buf = append(f.out.buf, `","name":`...)
	f.buf = m.appendName(f.buf[:0])
	f.out.buf = jsontext.Append(f.out.buf, f.buf)
	if color := styles[m.style].color; color != "" && m.arrow == 0 {
		f.out.buf = append(append(append(f.out.buf, `,"cname":"`...), color...), '"')
	}
}

// values writes the arguments.
func (f *jsonEncoder) values(m *mark) {
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
			dst = digits.Append(dst, v.number)
		case text:
			dst = jsontext.Append(dst, v.text)
		case flag:
			dst = append(dst, "true"...)
		}
	}
	f.out.buf = append(dst, '}')
}

// time writes a number of nanoseconds as microseconds with three decimals.
func (f *jsonEncoder) time(name string, nanos int64) {
	f.out.buf = appendMicros(append(f.out.buf, name...), nanos)
}

func appendMicros(dst []byte, nanos int64) []byte {
	dst = digits.Append(dst, uint64(nanos)/1000)
	decimals := uint64(nanos) % 1000
	return append(dst, '.', byte('0'+decimals/100), byte('0'+decimals/10%10), byte('0'+decimals%10))
}

// length returns the length to write for a slice, in nanoseconds. Viewers add it to the begin as floats, some after
// making all times relative to the drawing's or the track's first. If the sum would exceed the begin of the next slice,
// so that the two overlapped, the length is reduced.
func (f *jsonEncoder) length(m *mark) int64 {
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

// micros returns the float that a viewer parses from nanoseconds written as microseconds. It is never written.
func micros(nanos int64) float64 {
	if nanos < 1<<53 {
		return float64(nanos) / 1000
	}
	// beyond 104 days a division would round twice
	value, _ := strconv.ParseFloat(string(appendMicros(nil, nanos)), 64)
	return value
}
