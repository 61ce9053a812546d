package perfetto_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// drawing is what a viewer sees of either format. Tracks are named by the numbers of their threads; the critical path's
// track is 0. Times are nanoseconds since the start of the drawing.
type drawing struct {
	json     bool
	start    string  // of JSON: decimal seconds
	first    float64 // of JSON: the time of the first mark, in microseconds
	path     int     // of JSON: the number of the critical path's track there
	threads  map[int]string
	sessions map[int]string
	of       map[int]int // the session by track
	slices   []drawn     // in the order written
	instants []drawn
	arrows   map[int]*arrow
	samples  []sampled
}

// sampled is a sample: a track, a time, and functions from the outermost to the innermost one.
type sampled struct {
	track int
	at    int64
	stack string
}

type drawn struct {
	track, event   int // event is 0 if unknown
	at, length     int64
	name, category string
	values         map[string]any
	floatAt        float64 // in microseconds, as a reader sees it that parses numbers as floats; of JSON only
	floatLength    float64
}

func (d *drawn) end() int64 { return d.at + d.length }

// arrow is an arrow with its ends.
type arrow struct {
	name         string
	tails, heads []end
}

type end struct {
	track int
	at    int64
}

func newDrawing() *drawing {
	return &drawing{threads: map[int]string{}, sessions: map[int]string{}, of: map[int]int{}, arrows: map[int]*arrow{}}
}

func (d *drawing) arrow(number int) *arrow {
	if d.arrows[number] == nil {
		d.arrows[number] = &arrow{}
	}
	return d.arrows[number]
}

// jsonEvent is an event as a reader of Trace Event JSON sees it.
type jsonEvent struct {
	Ph, Cat, Name, S, Bp, Cname string
	Pid, Tid                    int
	Ts, Dur                     json.Number
	ID                          int
	Args                        map[string]any
}

var micros = regexp.MustCompile(`^(0|[1-9][0-9]*)\.[0-9]{3}$`)

// nanos reads microseconds with three decimals.
func nanos(t *testing.T, text json.Number) int64 {
	t.Helper()
	if !micros.MatchString(text.String()) {
		t.Fatalf("%q is no time in microseconds with three decimals", text)
	}
	value, err := strconv.ParseInt(strings.ReplaceAll(text.String(), ".", ""), 10, 64)
	check(t, err)
	return value
}

// fromJSON reads Trace Event JSON, and checks that its events are in time order.
func fromJSON(t *testing.T, text []byte) *drawing {
	t.Helper()
	var file struct {
		TraceEvents []jsonEvent
		OtherData   struct{ StartTime, Writer string }
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		t.Fatalf("%v in %.2000s", err, text)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatal("there is more than one value")
	}
	d := newDrawing()
	d.json, d.start = true, file.OtherData.StartTime
	d.path = -1
	last, open := int64(0), map[int][]int{} // the indices of the open slices by track
	for _, e := range file.TraceEvents {
		if e.Ph == "M" {
			if last > 0 {
				t.Errorf("%+v comes late", e)
			}
			switch e.Name {
			case "process_name":
				d.sessions[e.Pid-1] = e.Args["name"].(string)
			case "thread_name":
				name := e.Args["name"].(string)
				if name == "critical path" && len(d.threads) == 0 {
					d.path, e.Tid = e.Tid, 0
				}
				d.threads[e.Tid], d.of[e.Tid] = name, e.Pid-1
			}
			continue
		}
		at := nanos(t, e.Ts)
		if len(d.slices)+len(d.instants)+len(d.arrows) == 0 {
			d.first, _ = e.Ts.Float64()
		}
		if at < last {
			t.Errorf("%+v comes after one of %d ns", e, last)
		}
		last = at
		if e.Ph == "E" {
			of := open[e.Tid]
			if len(of) == 0 {
				t.Fatalf("%+v ends nothing", e)
			}
			ended := &d.slices[of[len(of)-1]]
			if open[e.Tid] = of[:len(of)-1]; ended.name != e.Name || len(ended.values) != len(e.Args) {
				t.Errorf("%+v ends %+v", e, ended)
			}
			ended.length = at - ended.at
			continue
		}
		if e.Ph == "B" {
			open[e.Tid] = append(open[e.Tid], len(d.slices))
		}
		d.add(t, &e, at)
	}
	for track, places := range open {
		if len(places) > 0 {
			t.Errorf("%d calls of track %d are still open", len(places), track)
		}
	}
	return d
}

func (d *drawing) add(t *testing.T, e *jsonEvent, at int64) {
	if e.Tid == d.path {
		e.Tid = 0
	}
	if name, ok := d.threads[e.Tid]; !ok || d.of[e.Tid] != e.Pid-1 {
		t.Errorf("%+v is on a track that is not described, or of another process (%s)", e, name)
	}
	one := drawn{track: e.Tid, at: at, name: e.Name, category: e.Cat, values: e.Args}
	if number, ok := e.Args["event"].(json.Number); ok {
		one.event, _ = strconv.Atoi(number.String())
	}
	switch {
	case e.Ph == "B" && strings.HasPrefix(e.Cat, "call"):
		d.slices = append(d.slices, one)
	case e.Ph == "X":
		one.length = nanos(t, e.Dur)
		one.floatAt, _ = e.Ts.Float64()
		one.floatLength, _ = e.Dur.Float64()
		d.slices = append(d.slices, one)
	case e.Ph == "i" && e.Cat == "sample":
		calls := strings.Split(e.Args["stack"].(string), "\n")
		for i, call := range calls {
			calls[i], _, _ = strings.Cut(strings.ReplaceAll(call, "/", "."), "(")
		}
		if e.Name != "sample: "+calls[0] {
			t.Errorf("%+v has the name of another call", e)
		}
		slices.Reverse(calls)
		count, _ := e.Args["samples"].(json.Number).Int64()
		d.samples = append(d.samples, slices.Repeat([]sampled{{e.Tid, at, strings.Join(calls, ";")}}, int(min(count, 1000)))...)
	case e.Ph == "i" && (e.S == "t" || e.S == "g" && e.Cat == "deadlock"):
		d.instants = append(d.instants, one)
	case e.Ph == "s":
		a := d.arrow(e.ID)
		a.tails, a.name = append(a.tails, end{e.Tid, at}), e.Name
		if len(a.heads) > 0 {
			t.Errorf("the head of arrow %d is written before its tail", e.ID)
		}
	case e.Ph == "f" && e.Bp == "e":
		a := d.arrow(e.ID)
		a.heads = append(a.heads, end{e.Tid, at})
		if a.name != e.Name {
			t.Errorf("arrow %d is called %s and %s", e.ID, a.name, e.Name)
		}
	default:
		t.Errorf("what is %+v?", e)
	}
}

// message has the fields of a protobuf message, in the order written.
type message []field

type field struct {
	number protowire.Number
	value  uint64
	bytes  []byte
}

func parse(t *testing.T, text []byte) (m message) {
	t.Helper()
	for len(text) > 0 {
		number, typ, size := protowire.ConsumeTag(text)
		if size < 0 {
			t.Fatal(protowire.ParseError(size))
		}
		text = text[size:]
		f := field{number: number}
		switch typ {
		case protowire.VarintType:
			f.value, size = protowire.ConsumeVarint(text)
		case protowire.Fixed64Type:
			f.value, size = protowire.ConsumeFixed64(text)
		case protowire.BytesType:
			f.bytes, size = protowire.ConsumeBytes(text)
		default:
			t.Fatalf("field %d is of type %d", number, typ)
		}
		if size < 0 {
			t.Fatal(protowire.ParseError(size))
		}
		text = text[size:]
		m = append(m, f)
	}
	return m
}

func (m message) get(number protowire.Number) (field, bool) {
	for _, f := range m {
		if f.number == number {
			return f, true
		}
	}
	return field{}, false
}

func (m message) number(number protowire.Number) int {
	f, _ := m.get(number)
	return int(f.value)
}

func (m message) text(number protowire.Number) string {
	f, _ := m.get(number)
	return string(f.bytes)
}

// perfettoReader reads packets as Perfetto does: texts by their numbers, and slices by their beginnings and ends.
type perfettoReader struct {
	t     *testing.T
	d     *drawing
	texts map[protowire.Number]map[uint64]string // of the interned data, by field
	open  map[int][]int                          // by track: the indices of its open slices
	last  int64
}

// fromProtobuf reads Perfetto's protobuf.
func fromProtobuf(t *testing.T, text []byte) *drawing {
	t.Helper()
	r := &perfettoReader{t: t, d: newDrawing(), open: map[int][]int{}}
	for _, packet := range parse(t, text) {
		if packet.number != 1 {
			t.Fatalf("there is a field %d between the packets", packet.number)
		}
		r.packet(parse(t, packet.bytes))
	}
	for track, places := range r.open {
		for _, place := range places {
			t.Errorf("a slice of track %d is still open: %+v", track, r.d.slices[place])
		}
	}
	return r.d
}

func (r *perfettoReader) packet(p message) {
	if p.number(10) != 1 || p.number(13)&2 == 0 {
		r.t.Errorf("packet %v is of no sequence, or without what was interned before", p)
	}
	if p.number(13)&1 != 0 {
		r.texts = map[protowire.Number]map[uint64]string{1: {}, 2: {}, 3: {}, 5: {}, 6: {}, 7: {}, 19: {}, 29: {}}
	}
	if data, ok := p.get(12); ok {
		for _, f := range parse(r.t, data.bytes) {
			entry := parse(r.t, f.bytes)
			text := entry.text(2)
			switch f.number {
			case 6: // a frame is its function
				if text = r.texts[5][uint64(entry.number(2))]; text == "" || r.texts[19][uint64(entry.number(3))] == "" {
					r.t.Errorf("frame %v has no function or no mapping", entry)
				}
			case 7:
				var calls []string
				for _, frame := range entry[1:] {
					calls = append(calls, r.texts[6][frame.value])
				}
				text = strings.Join(calls, ";")
			case 19:
				text = "the program"
			}
			r.texts[f.number][uint64(entry.number(1))] = text
		}
	}
	if descriptor, ok := p.get(60); ok {
		r.describe(parse(r.t, descriptor.bytes))
		return
	}
	at := int64(p.number(8))
	if at < r.last {
		r.t.Errorf("a packet of %d ns comes after one of %d ns", at, r.last)
	}
	r.last = at
	if f, ok := p.get(66); ok {
		sample := parse(r.t, f.bytes)
		track := sample.number(3)
		if r.d.threads[track] == "" || r.d.of[track] != sample.number(2)-1 {
			r.t.Errorf("sample %v is of no thread that is described", sample)
		}
		r.d.samples = append(r.d.samples, sampled{track, at, r.texts[7][uint64(sample.number(4))]})
		return
	}
	event, ok := p.get(11)
	if !ok {
		r.t.Errorf("what is packet %v?", p)
	}
	r.event(at, parse(r.t, event.bytes))
}

func (r *perfettoReader) describe(d message) {
	switch uuid := d.number(1); {
	case uuid == 0:
	case uuid == 1<<33:
		r.d.threads[0], r.d.of[0] = d.text(2), d.number(5)-1<<32
	case uuid >= 1<<32:
		f, _ := d.get(3)
		process := parse(r.t, f.bytes)
		r.d.sessions[uuid-1<<32] = process.text(6)
		if process.number(1) != uuid-1<<32+1 {
			r.t.Errorf("process %v is of track %d", process, uuid)
		}
	default:
		f, is := d.get(4)
		if !is { // calls, below their thread or process
			r.d.threads[uuid], r.d.of[uuid] = d.text(2), r.d.of[d.number(5)]
			if parent := d.number(5); parent >= 1<<32 {
				r.d.of[uuid] = parent - 1<<32
			}
			return
		}
		thread := parse(r.t, f.bytes)
		r.d.threads[uuid], r.d.of[uuid] = thread.text(5), thread.number(1)-1
		if thread.number(2) != uuid || d.number(5) != 1<<32+thread.number(1)-1 {
			r.t.Errorf("thread %v is of track %d", thread, uuid)
		}
	}
}

func (r *perfettoReader) event(at int64, e message) {
	uuid := e.number(11)
	track := uuid
	if uuid == 1<<33 {
		track = 0
	}
	if _, ok := r.d.threads[track]; !ok && uuid < 1<<32 {
		r.t.Errorf("%v is on a track that is not described", e)
	}
	one := drawn{track: track, at: at, name: r.text(e, 2, 10, 23), category: r.text(e, 1, 3, 22), values: r.values(e)}
	if number, ok := one.values["event"].(json.Number); ok {
		one.event, _ = strconv.Atoi(number.String())
	}
	for _, f := range e {
		switch f.number {
		case 47:
			a := r.d.arrow(int(f.value))
			a.tails, a.name = append(a.tails, end{track, at}), strings.TrimSpace(strings.Split(one.name, ":")[0])
		case 48:
			a := r.d.arrow(int(f.value))
			a.heads = append(a.heads, end{track, at})
		}
	}
	switch e.number(9) {
	case 1:
		if len(r.open[track]) > 0 && one.category != "call" {
			r.t.Errorf("at %d ns a slice begins on track %d inside another", at, track)
		}
		r.open[track] = append(r.open[track], len(r.d.slices))
		r.d.slices = append(r.d.slices, one)
	case 2:
		last := len(r.open[track]) - 1
		if last < 0 {
			r.t.Fatalf("at %d ns a slice ends on track %d that has not begun", at, track)
		}
		ended := &r.d.slices[r.open[track][last]]
		ended.length, r.open[track] = at-ended.at, r.open[track][:last]
	case 3:
		r.d.instants = append(r.d.instants, one)
	default:
		r.t.Errorf("what is event %v?", e)
	}
}

// text returns a text that is interned, or in the plain field.
func (r *perfettoReader) text(m message, table, interned, plain protowire.Number) string {
	f, ok := m.get(interned)
	if !ok {
		return m.text(plain)
	}
	text, ok := r.texts[table][f.value]
	if !ok {
		r.t.Errorf("text %d of table %d is not known", f.value, table)
	}
	return text
}

func (r *perfettoReader) values(e message) map[string]any {
	values := map[string]any{}
	for _, f := range e {
		if f.number != 4 {
			continue
		}
		annotation := parse(r.t, f.bytes)
		name := r.text(annotation, 3, 1, 10)
		if number, ok := annotation.get(3); ok {
			values[name] = json.Number(fmt.Sprint(number.value))
		} else if _, ok := annotation.get(2); ok {
			values[name] = true
		} else {
			values[name] = r.text(annotation, 29, 17, 6)
		}
	}
	return values
}
