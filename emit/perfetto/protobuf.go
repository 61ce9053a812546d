package perfetto

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/trcx/trcx/trace"
)

// The numbers of the fields that are written, from the public definition (perfetto_trace.proto).
const (
	tracePacket protowire.Number = 1

	packetTimestamp       protowire.Number = 8
	packetSequence        protowire.Number = 10
	packetTrackEvent      protowire.Number = 11
	packetInternedData    protowire.Number = 12
	packetSequenceFlags   protowire.Number = 13
	packetTrackDescriptor protowire.Number = 60
	packetPerfSample      protowire.Number = 66

	descriptorUUID            protowire.Number = 1
	descriptorName            protowire.Number = 2
	descriptorProcess         protowire.Number = 3
	descriptorThread          protowire.Number = 4
	descriptorParent          protowire.Number = 5
	descriptorChildOrdering   protowire.Number = 11
	descriptorRank            protowire.Number = 12 // sibling_order_rank
	descriptorProcessOrdering protowire.Number = 19
	descriptorThreadOrdering  protowire.Number = 20

	processPID       protowire.Number = 1
	processSortIndex protowire.Number = 3
	processLabel     protowire.Number = 6 // process_name

	threadPID       protowire.Number = 1
	threadTID       protowire.Number = 2
	threadSortIndex protowire.Number = 3
	threadName      protowire.Number = 5

	eventCategory   protowire.Number = 3 // interned
	eventAnnotation protowire.Number = 4
	eventType       protowire.Number = 9
	eventName       protowire.Number = 10 // interned
	eventTrack      protowire.Number = 11
	eventFlow       protowire.Number = 47
	eventFlowEnd    protowire.Number = 48 // terminating_flow_ids
	eventPlainName  protowire.Number = 23

	annotationName      protowire.Number = 1 // interned
	annotationBool      protowire.Number = 2
	annotationUint      protowire.Number = 3
	annotationString    protowire.Number = 6
	annotationStringIID protowire.Number = 17

	internedCategories  protowire.Number = 1
	internedNames       protowire.Number = 2
	internedAnnotations protowire.Number = 3
	internedFunctions   protowire.Number = 5
	internedFrames      protowire.Number = 6
	internedCallstacks  protowire.Number = 7
	internedMappings    protowire.Number = 19
	internedStrings     protowire.Number = 29

	samplePID       protowire.Number = 2
	sampleTID       protowire.Number = 3
	sampleCallstack protowire.Number = 4 // interned

	frameFunction   protowire.Number = 2
	frameMapping    protowire.Number = 3
	framePC         protowire.Number = 4 // rel_pc
	callstackFrames protowire.Number = 2 // outermost first

	internedID   protowire.Number = 1
	internedText protowire.Number = 2
)

// Values of fields.
const (
	stateCleared   = 1 // SequenceFlags: earlier interned texts are invalid
	stateNeeded    = 2 // interned texts since then are needed
	childrenByRank = 3 // ChildTracksOrdering
	othersByRank   = 1 // ProcessOrdering, ThreadOrdering
	sequence       = 1 // all packets are of one
	program        = 1 // the one mapping that frames are in
)

// types are the types of track events, by kind of mark.
var types = [kindCount]uint64{slice: 1, ending: 2, point: 3, instant: 3, loop: 3, callBegin: 1, callEnd: 2, callPoint: 3}

// protobufEncoder writes Perfetto's protobuf: a packet for each mark. An arrow's ends are ids in the packets of the
// marks that it connects.
type protobufEncoder struct {
	out    *counter
	start  trace.Time
	names  table
	texts  table
	funcs  table  // the functions of frames, which have their numbers
	stacks table  // call stacks, by their lines
	arrows []mark // ends of arrows for the next mark

	event, data []byte // of the current packet, and the texts that it interns
	flags       uint64 // of the current packet
	part, inner []byte // messages inside
	name        []byte
	whole       []byte
}

// table has the ids of interned texts. It is cleared when it reaches its limit.
type table struct {
	numbers map[string]uint64
	last    uint64 // an id is never used again
	size    int    // bytes of the texts
}

const (
	// maxTexts limits a table, maxText a text in it, in bytes.
	maxTexts, maxText = 4 << 20, 64 << 10
	// textSize is the memory of a text in addition to its bytes.
	textSize = 64
)

func newProtobufEncoder(out *counter) *protobufEncoder {
	f := &protobufEncoder{out: out}
	f.forget()
	return f
}

// order puts the ends of arrows right before their marks, and the end of a slice before the next slice.
func (f *protobufEncoder) order() (order *[kindCount]rank, parts bool) { return &protobufOrder, true }

var protobufOrder = [kindCount]rank{
	ending: {place: 0},
	head:   {place: 1}, slice: {place: 1, step: 1}, point: {place: 1, step: 1},
	tail: {place: 2}, instant: {place: 2, step: 1},
	loop: {place: 3}, callBegin: {place: 5}, callEnd: {place: 5}, callPoint: {place: 5}, sample: {place: 6},
}

func (f *protobufEncoder) finish() { f.attachArrows(nil) }

func (f *protobufEncoder) mark(m *mark) {
	if m.kind == tail || m.kind == head {
		f.hold(m)
		return
	}
	f.attachArrows(m)
	if m.kind == sample {
		f.sample(m)
		return
	}
	f.write(m)
}

// maxSamples is how many packets a mark of samples has at most.
const maxSamples = 1000

// sample writes samples of a thread, as those of a profiler.
func (f *protobufEncoder) sample(m *mark) {
	f.limit()
	var stack, count = uint64(0), uint64(1)
	for name, v := range m.values() {
		if name == samplesArgument {
			count = min(v.number, maxSamples)
		} else {
			stack = f.callstack(v.text)
		}
	}
	f.event = appendNumber(f.event[:0], samplePID, m.session+1)
	f.event = appendNumber(f.event, sampleTID, uint64(m.track))
	f.event = appendNumber(f.event, sampleCallstack, stack)
	for range count {
		f.packet(packetPerfSample, f.event, uint64(m.at-f.start))
	}
}

// callstack returns the id of a call stack, whose lines are frames, the innermost first.
func (f *protobufEncoder) callstack(lines []byte) uint64 {
	if number, known := f.stacks.numbers[string(lines)]; known {
		return number
	}
	f.stacks.add(lines)
	f.part = appendNumber(f.part[:0], internedID, f.stacks.last)
	for _, line := range slices.Backward(bytes.Split(lines, []byte{'\n'})) {
		name, _, _ := bytes.Cut(line, []byte{'('})
		before := f.funcs.last
		function, _ := f.number(&f.funcs, internedFunctions, bytes.ReplaceAll(name, []byte{'/'}, []byte{'.'}))
		if f.funcs.last > before {
			f.inner = appendNumber(f.inner[:0], internedID, function)
			f.inner = appendNumber(f.inner, frameFunction, function)
			f.inner = appendNumber(f.inner, frameMapping, program)
			f.data = appendMessage(f.data, internedFrames, appendNumber(f.inner, framePC, 0))
		}
		f.part = appendNumber(f.part, callstackFrames, function)
	}
	f.data = appendMessage(f.data, internedCallstacks, f.part)
	return f.stacks.last
}

// hold keeps the end of an arrow for its mark, which is the next one.
func (f *protobufEncoder) hold(m *mark) {
	if len(f.arrows) > 0 && !f.arrows[0].belongsTo(m) {
		f.attachArrows(nil)
	}
	f.arrows = append(f.arrows, mark{kind: m.kind, style: m.style, track: m.track, session: m.session, at: m.at,
		event: m.event, arrow: m.arrow})
}

// belongsTo reports whether two marks are of the same event, at the same time and track.
func (m *mark) belongsTo(other *mark) bool {
	return m.event == other.event && m.at == other.at && m.track == other.track
}

// attachArrows begins an event with the ends of arrows that belong to the mark. Other ends get an instant of their own.
func (f *protobufEncoder) attachArrows(m *mark) {
	f.event = f.event[:0]
	if len(f.arrows) == 0 {
		return
	}
	for i := range f.arrows {
		f.event = appendFlow(f.event, &f.arrows[i])
	}
	first := f.arrows[0]
	f.arrows = f.arrows[:0]
	if m == nil || !first.belongsTo(m) {
		first.kind, first.arrow = instant, 0
		f.write(&first)
		f.event = f.event[:0]
	}
}

func appendFlow(dst []byte, m *mark) []byte {
	number := eventFlow
	if m.kind == head {
		number = eventFlowEnd
	}
	return protowire.AppendFixed64(protowire.AppendTag(dst, number, protowire.Fixed64Type), m.arrow)
}

// write writes the packet of a mark. attachArrows may have begun its event.
func (f *protobufEncoder) write(m *mark) {
	f.limit()
	f.event = appendNumber(f.event, eventType, types[m.kind])
	f.event = appendNumber(f.event, eventTrack, f.trackOf(m))
	if m.kind != ending && m.kind != callEnd {
		f.event = appendNumber(f.event, eventCategory, uint64(m.category())+1)
		f.name = m.appendName(f.name[:0])
		if number, ok := f.number(&f.names, internedNames, f.name); ok {
			f.event = appendNumber(f.event, eventName, number)
		} else {
			f.event = appendMessage(f.event, eventPlainName, f.name)
		}
		f.annotate(m)
	}
	f.packet(packetTrackEvent, f.event, uint64(m.at-f.start))
}

// annotate writes the arguments.
func (f *protobufEncoder) annotate(m *mark) {
	for name, v := range m.values() {
		f.part = appendNumber(f.part[:0], annotationName, uint64(name))
		switch arguments[name].form {
		case number:
			f.part = appendNumber(f.part, annotationUint, v.number)
		case flag:
			f.part = appendNumber(f.part, annotationBool, 1)
		case text:
			if number, ok := f.number(&f.texts, internedStrings, v.text); ok {
				f.part = appendNumber(f.part, annotationStringIID, number)
			} else {
				f.part = appendMessage(f.part, annotationString, v.text)
			}
		}
		f.event = appendMessage(f.event, eventAnnotation, f.part)
	}
}

// number returns the id of a text, which the current packet defines if it is new. Very long texts have no id.
func (f *protobufEncoder) number(t *table, field protowire.Number, text []byte) (number uint64, ok bool) {
	if number, ok := t.numbers[string(text)]; ok {
		return number, true
	}
	if len(text) > maxText {
		return 0, false
	}
	t.add(text)
	f.intern(field, t.last, string(text))
	return t.last, true
}

// intern defines the id of a text.
func (f *protobufEncoder) intern(field protowire.Number, number uint64, text string) {
	f.inner = appendNumber(f.inner[:0], internedID, number)
	f.inner = protowire.AppendString(protowire.AppendTag(f.inner, internedText, protowire.BytesType), text)
	f.data = appendMessage(f.data, field, f.inner)
}

// add numbers a text.
func (t *table) add(text []byte) {
	t.last++
	t.size += len(text) + textSize
	t.numbers[string(text)] = t.last
}

// limit clears the tables if one is full.
func (f *protobufEncoder) limit() {
	if max(f.names.size, f.texts.size, f.funcs.size, f.stacks.size) > maxTexts {
		f.forget()
	}
}

// forget clears the tables, from the current packet on.
func (f *protobufEncoder) forget() {
	for _, t := range []*table{&f.names, &f.texts, &f.funcs, &f.stacks} {
		*t = table{numbers: map[string]uint64{}, last: t.last}
	}
	f.flags |= stateCleared
	for i, name := range categories {
		f.intern(internedCategories, uint64(i)+1, name)
	}
	f.data = appendMessage(f.data, internedMappings, appendNumber(nil, internedID, program))
	for i, a := range arguments {
		if i > 0 {
			f.intern(internedAnnotations, uint64(i), a.name)
		}
	}
}

// packet writes a packet.
func (f *protobufEncoder) packet(field protowire.Number, content []byte, at uint64) {
	p := f.whole[:0]
	if field != packetTrackDescriptor {
		p = appendNumber(p, packetTimestamp, at)
	}
	p = appendNumber(p, packetSequence, sequence)
	p = appendMessage(p, field, content)
	if len(f.data) > 0 {
		p = appendMessage(p, packetInternedData, f.data)
	}
	p = appendNumber(p, packetSequenceFlags, f.flags|stateNeeded)
	f.whole, f.data, f.flags = p, f.data[:0], 0
	f.out.buf = appendMessage(f.out.buf, tracePacket, p)
	f.out.flushed()
}

func appendNumber(dst []byte, field protowire.Number, number uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.VarintType), number)
}

func appendMessage(dst []byte, field protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, field, protowire.BytesType), content)
}
