package jfr

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// Read reads a recording and passes its elements to put in time order, after the last chunk has been read. The event is
// valid until put returns; use Clone to keep it. Damage of the recording is reported as findings, and the rest is read.
// It returns errors of put, which end the reading, and of in, temporary files and ctx.
func Read(ctx context.Context, in io.Reader, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	return read(ctx, in, options, limits{}, put)
}

// limits are limits of memory in bytes that tests lower; 0 is the default.
type limits struct{ chunkMemory, sortMemory, symbols, threads int }

func read(ctx context.Context, in io.Reader, options builder.Options, l limits, put func(*trace.Event) error) (
	ending trace.Ending, err error) {
	if options.Report == nil {
		options.Report = func(trace.Finding) {}
	}
	l.sortMemory = cmp.Or(l.sortMemory, sortMemory)
	l.symbols = cmp.Or(l.symbols, maxSymbols)
	l.threads = cmp.Or(l.threads, threadMemory)
	r := &reader{
		scanner: newScanner(in, options.Report), options: options, limits: l, symbols: newSymbols(l.symbols),
		seen: map[chunkID]int64{},
		recording: recording{counts: map[string]uint64{}, settings: map[string]map[string]string{},
			heaps: map[uint32]heapRange{}, dumps: map[uint32]trace.Time{}, troubles: map[string]trouble{}},
	}
	r.buffer.memory = l.chunkMemory
	r.events.Name, r.events.Memory = "jfr", l.sortMemory
	defer r.buffer.close()
	defer r.events.Close()
	err = r.readChunks(ctx)
	if err == nil {
		err = r.emit(ctx, put)
	}
	return trace.Ending{Closed: !r.cut, Truncated: r.cut, Place: trace.Place{Offset: r.offset}}, err
}

// reader reads a recording.
type reader struct {
	*scanner
	options  builder.Options
	limits   limits
	symbols  *symbols
	events   eventSorter
	samples  samples
	metadata metadataCache
	jvms     jvmTable
	chunks   int // read
	seen     map[chunkID]int64
	cut      bool // the recording ends inside a chunk
	longName bool // a thread's name was cut, and this is reported
	recording
	current
}

// recording describes the recording as a whole.
type recording struct {
	counts   map[string]uint64            // of events, by type
	settings map[string]map[string]string // of the types in reportedTypes
	heaps    map[uint32]heapRange         // by JVM
	dumps    map[uint32]trace.Time        // the last thread dump of each JVM
	troubles map[string]trouble           // by kind
	load     load
	sampler  sampler
	peers    int // of input and output
	end      trace.Time
	notifies bool // it has notify events
	virtual  bool // it has virtual threads
	// unmounts reports that the JVM's virtual threads also unmount when they are blocked or wait.
	unmounts bool
	endOnly  bool // it has waits whose events have only the end
}

// current is the state of decoding the current chunk.
type current struct {
	chunk     *chunk
	types     *typeTable
	constants *constantPools
	counters  map[uint64]*counter // by type
	few       [fewTypes]*counter  // the counters of small ids, for speed
	values    values
	event     event
	actor     *threadConstant   // thread of the event; nil if none
	threads   []*threadConstant // named by events
	at        int64             // offset of the event in the input
}

// fewTypes exceeds the ids of most types of events.
const fewTypes = 1 << 12

// counter counts the events of a type in a chunk.
type counter struct {
	name    string
	count   uint64
	decoder *decoder // nil for events that are only counted
}

// chunkID identifies a chunk.
type chunkID struct{ nanos, ticks, length int64 }

// readChunks reads all chunks.
func (r *reader) readChunks(ctx context.Context) error {
	for {
		chunk, cut := r.next()
		if r.cut = r.cut || cut; chunk == nil {
			return r.err
		}
		r.cut = r.cut || chunk.cut || chunk.state != 0 || chunk.size == 0
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.isRepeated(chunk) {
			continue
		}
		if err := r.decodeChunk(ctx, chunk); err != nil {
			return err
		}
	}
}

// maxSeen limits the chunks remembered to find repeated ones.
const maxSeen = 1 << 16

// isRepeated reports whether the chunk was read before: successive dumps of one JVM have chunks in common.
func (r *reader) isRepeated(c *chunk) bool {
	r.chunks++
	id := chunkID{c.startNanos, c.startTicks, c.length}
	before, repeated := r.seen[id]
	switch {
	case c.cut:
	case repeated:
		r.finding(ruleRepeated, trace.Warning, c.offset, "this chunk repeats the one at %d; it is skipped", before)
	case len(r.seen) < maxSeen:
		r.seen[id] = c.offset
	}
	return repeated && !c.cut
}

// decodeChunk adds the events of a chunk to the sorter.
func (r *reader) decodeChunk(ctx context.Context, c *chunk) error {
	r.chunk, r.threads = c, r.threads[:0]
	if c.durationNanos >= 0 && c.durationNanos <= math.MaxInt64-c.startNanos {
		r.end = max(r.end, trace.Time(c.startNanos+c.durationNanos))
	}
	if !r.readMetadata() {
		return r.err
	}
	spans := r.eventSpans()
	if err := r.compile(); err != nil {
		r.finding(ruleMetadata, trace.Error, c.offset,
			"the metadata is invalid, so the events of this chunk are skipped: %v", err)
		return r.err
	}
	defer r.reportMissing()
	r.assignJVM(spans)
	events := 0
	err := r.eachEvent(spans, func(offset int64, bytes []byte, size, kind uint64) error {
		if events++; events%eventsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return r.decodeEvent(offset, bytes, size, kind)
	})
	if err != nil {
		return err
	}
	for _, k := range r.counters {
		if k.name == "" { // metadata and checkpoint events
			continue
		}
		if _, ok := r.counts[k.name]; ok || r.symbols.reserve(len(k.name)) {
			r.counts[k.name] += k.count
		}
	}
	if err := r.addSamples(); err != nil {
		return err
	}
	return r.addThreads()
}

// readMetadata reads the last valid metadata event of the chunk. Without one, the types of the previous chunk are used.
// It reports false if there are none.
func (r *reader) readMetadata() bool {
	c := r.chunk
	if c.old != nil {
		r.metadata = metadataCache{types: newTypeTable(c.old)}
		r.types = r.metadata.types
		return true
	}
	if c.oldErr != nil {
		r.finding(ruleMetadata, trace.Error, c.offset+c.metadataEvents[len(c.metadataEvents)-1], "invalid metadata: %v",
			c.oldErr)
	}
	for _, offset := range slices.Backward(c.metadataEvents) {
		if c.isOld() {
			break
		}
		body, ok := r.eventBody(offset)
		if !ok {
			continue
		}
		err := r.metadata.read(body, !c.compressed)
		if err == nil {
			r.types = r.metadata.types
			if c.state == 0 && !c.cut && !slices.Contains(c.metadataEvents, c.metadata) {
				r.finding(ruleChain, trace.Warning, c.offset,
					"the header points to metadata at byte %d of the chunk, where none is; the metadata at byte %d is "+
						"used", c.metadata, offset)
			}
			return true
		}
		r.finding(ruleMetadata, trace.Error, c.offset+offset, "invalid metadata: %v", err)
	}
	if r.err != nil {
		return false
	}
	if r.metadata.types != nil {
		r.finding(ruleMetadata, trace.Error, c.offset,
			"this chunk has no metadata to describe its events; the metadata of the previous chunk is used")
		r.types = r.metadata.types
		return true
	}
	r.finding(ruleMetadata, trace.Error, c.offset,
		"this chunk has no metadata to describe its events; its %d bytes are skipped", c.length)
	return false
}

// eventBody returns an event without its size and type. It is valid until the next call.
func (r *reader) eventBody(offset int64) ([]byte, bool) {
	window, err := r.buffer.at(offset, maxEventHead)
	if err != nil {
		r.err = err
		return nil, false
	}
	size, _, ok := r.chunk.eventHead(window)
	if !ok || size > maxEvent {
		return nil, false
	}
	bytes, err := r.buffer.at(offset, int(size))
	if err != nil {
		r.err = err
	}
	return bytes[min(len(bytes), r.headLength(bytes)):], err == nil && len(bytes) == int(size)
}

// headLength returns the length of an event's size and type.
func (r *reader) headLength(event []byte) int {
	c := cursor{data: event, fixed: !r.chunk.compressed}
	c.uint32()
	r.chunk.eventKind(&c)
	return c.at
}

// compile compiles the decoders of the chunk and reads its constants.
func (r *reader) compile() error {
	constants, err := newConstantPools(r)
	if err != nil {
		return err
	}
	if pinned := r.types.named(pinnedEvent); pinned != nil && r.types.field(pinned, sinceUnpinned) != nil {
		r.unmounts = true
	}
	r.constants, r.counters, r.few = constants, map[uint64]*counter{}, [fewTypes]*counter{}
	types := eventTypes()
	for i := range types {
		class := r.types.named(types[i].name)
		if class == nil {
			continue
		}
		p, err := r.types.decoder(class, types[i].fields)
		if err != nil {
			return err
		}
		r.addCounter(class.id, class.name).decoder = &decoder{p, &types[i]}
	}
	r.readCheckpoints()
	return nil
}

// The field that this event type has since JDK 24, in which virtual threads also unmount when they are blocked by a
// monitor or wait for it.
const pinnedEvent, sinceUnpinned = "jdk.VirtualThreadPinned", "pinnedReason"

// reportMissing reports the constants of the chunk that are missing. Many recordings lack threads and stack traces of
// events near the border of two chunks. Others are missing because a field is damaged.
func (r *reader) reportMissing() {
	byOffset := func(a, b constantKey) int {
		return cmp.Or(cmp.Compare(r.constants.missing[a], r.constants.missing[b]), cmp.Compare(a.pool, b.pool),
			cmp.Compare(a.key, b.key))
	}
	for _, of := range slices.SortedFunc(maps.Keys(r.constants.missing), byOffset) {
		severity := trace.Error
		if of.pool == poolThread || of.pool == poolStack {
			severity = trace.Warning
		}
		if at := r.constants.missing[of]; at != noOffset {
			r.finding(ruleConstant, severity, at,
				"an event refers to the constant %d of type %s, which is missing in this chunk; it is left unknown",
				int64(of.key), of.pool)
		}
	}
}

// constantCycle reports a constant that contains itself.
func (r *reader) constantCycle(pool string, key uint64) {
	r.finding(ruleCycle, trace.Error, r.at, "the constant %d of type %s contains itself", int64(key), pool)
}

// addCounter adds the counter of a type.
func (r *reader) addCounter(id uint64, name string) *counter {
	k := &counter{name: name}
	if r.counters[id] = k; id < fewTypes {
		r.few[id] = k
	}
	return k
}

// readCheckpoints reads the constant pools of the chunk.
func (r *reader) readCheckpoints() {
	c := r.chunk
	offsets := map[int64]bool{}
	for _, offset := range c.checkpoints {
		offsets[offset] = true
	}
	linked := c.state != 0 || c.cut || c.constants == 0 || offsets[c.constants]
	for _, offset := range c.checkpoints {
		body, ok := r.eventBody(offset)
		if !ok {
			continue
		}
		r.at = c.offset + offset
		delta, err := r.constants.readCheckpoint(body)
		if err != nil {
			r.finding(ruleConstants, trace.Error, r.at, "invalid checkpoint, some constants are missing: %v", err)
		}
		linked = linked && (delta == 0 || offsets[offset+delta])
	}
	if !linked && len(c.gaps) == 0 {
		r.finding(ruleChain, trace.Warning, c.offset,
			"the checkpoints of this chunk are not linked correctly; all that it contains are used")
	}
}

// decodeEvent decodes an event, which may be cut, and adds it to the sorter.
func (r *reader) decodeEvent(offset int64, bytes []byte, size, id uint64) error {
	var k *counter
	if id < fewTypes {
		k = r.few[id]
	} else {
		k = r.counters[id]
	}
	if k == nil {
		k = r.newType(offset, id)
	}
	k.count++
	if k.decoder == nil {
		return nil
	}
	r.at = r.chunk.offset + offset
	if uint64(len(bytes)) < size {
		r.finding(ruleTooLarge, trace.Error, r.at, "this %s has %d bytes, more than %d; it is skipped", k.name, size,
			maxEvent)
		return nil
	}
	c := cursor{data: bytes, fixed: !r.chunk.compressed}
	c.at = r.headLength(bytes)
	k.decoder.steps.decode(&c, &r.values)
	if c.short {
		r.finding(ruleEvent, trace.Error, r.at, "this %s of %d bytes ends inside its fields; it is skipped", k.name,
			size)
		return nil
	}
	return r.addEvent(k.decoder)
}

// newType returns the counter of a type of events seen for the first time in the chunk.
func (r *reader) newType(offset int64, id uint64) *counter {
	if class := r.types.classes[id]; class != nil {
		return r.addCounter(id, class.name)
	}
	switch {
	case id == metadataType || id == checkpointType:
		return r.addCounter(id, "")
	case len(r.counters) > maxTypes:
		return &counter{}
	}
	r.finding(ruleType, trace.Warning, r.chunk.offset+offset,
		"the metadata does not describe events of type %d; they are skipped", id)
	return r.addCounter(id, fmt.Sprintf("type %d", id))
}

// maxTypes limits the types of events counted in a chunk.
const maxTypes = 1 << 16

// startEvent is the start of a platform thread.
const startEvent = "jdk.ThreadStart"

// addEvent adds the event decoded last to the sorter.
func (r *reader) addEvent(d *decoder) error {
	v := &r.values.numbers
	if d.name == startEvent && r.constants.isOfDestroyJavaVM(d.pools[slotSubject], v[slotSubject]) {
		return nil
	}
	e := &r.event
	*e = event{jvm: r.jvms.current, offset: r.at, timeout: noTimeout}
	if d.has[slotEnd] {
		if !d.has[slotStart] {
			v[slotStart] = v[slotEnd]
		}
		v[slotDuration] = v[slotEnd] - v[slotStart]
	}
	var ok bool
	if e.begin, ok = r.chunk.time(int64(v[slotStart])); !ok || !d.has[slotStart] && !d.has[slotEnd] {
		r.finding(ruleTime, trace.Error, r.at, "the time of this %s is not between 1970 and 2262; it is skipped",
			d.name)
		return nil
	}
	if d.has[slotDuration] || d.has[slotEnd] {
		e.duration = r.duration(d, e.begin)
	}
	r.actor = nil
	if isThreadPool(d.pools[slotThread]) {
		if t := r.constants.threadIn(d.pools[slotThread], v[slotThread]); t != nil {
			e.thread, r.actor = t.id.number, t
			r.noteThread(t, e)
		}
	}
	if d.pools[slotStack] == poolStack {
		e.stack = r.constants.stack(v[slotStack])
	}
	if !d.decode(r, d, e) || !e.kind.isJVM() && e.thread == 0 {
		return r.err
	}
	return r.events.add(e)
}

// duration returns the duration of an event in ns.
func (r *reader) duration(d *decoder, begin trace.Time) int64 {
	start, ticks := r.values.numbers[slotStart], r.values.numbers[slotDuration]
	end, ok := r.chunk.time(int64(start + ticks))
	if !ok || int64(start+ticks) < int64(start) {
		r.finding(ruleTime, trace.Error, r.at, "invalid duration of this %s: %d ticks; it is read as 0", d.name,
			int64(ticks))
		return 0
	}
	return int64(end - begin)
}

// noteThread notes that an event names a thread.
func (r *reader) noteThread(t *threadConstant, e *event) {
	if t == &r.constants.unknown {
		return
	}
	if !t.named {
		// default settings have no event of virtual threads, but there are carriers only if there are such threads
		r.virtual = r.virtual || t.virtual || r.symbols.names[t.group.name] == "CarrierThreads"
		t.named, t.first = true, int64(e.begin)
		r.threads = append(r.threads, t)
	}
	t.first = min(t.first, int64(e.begin))
}

// addThreads adds an event for each thread that events of the chunk name.
func (r *reader) addThreads() error {
	for _, t := range r.threads {
		e := event{kind: kindThreadKnown, jvm: t.id.jvm, thread: t.id.number, begin: trace.Time(t.first),
			offset: r.chunk.offset, timeout: noTimeout,
			threadInfo: threadInfo{name: r.threadName(t), group: t.group}}
		if t.virtual {
			e.flags |= flagVirtual
		}
		if t.start > t.first {
			e.flags, e.reported = e.flags|flagStartReported, trace.Time(t.start)
		}
		if err := r.events.add(&e); err != nil {
			return err
		}
	}
	return nil
}

// maxThreadName limits thread names in bytes: millions of threads of a chunk may share one name.
const maxThreadName = 4 << 10

// threadName returns the name of a thread, cut if it is too long.
func (r *reader) threadName(t *threadConstant) string {
	if len(t.name) <= maxThreadName {
		return t.name
	}
	if !r.longName {
		r.longName = true
		r.finding(ruleTooLarge, trace.Warning, r.chunk.offset,
			"the name of thread %d has %d bytes; names are cut after %d bytes", t.id.number&idMask, len(t.name),
			maxThreadName)
	}
	return strings.ToValidUTF8(t.name[:maxThreadName], "")
}

// emit runs the two passes over the sorted events.
func (r *reader) emit(ctx context.Context, put func(*trace.Event) error) error {
	inferred := eventSorter{}
	inferred.Name, inferred.Memory = r.events.Name, r.events.Memory
	defer inferred.Close()
	first := newInferrer(!r.notifies, &inferred, r.threshold(), r.limits.threads)
	first.processors, first.period, first.busy = r.load.inUse(), r.load.period, r.load.busy()
	if err := replay(ctx, &r.events, &eventSorter{}, first); err != nil {
		return err
	}
	if err := first.finish(r.dumps); err != nil {
		return err
	}
	if r.symbols.limitReached {
		r.finding(ruleTooLarge, trace.Error, r.offset,
			"limit of %d bytes for classes, methods and stack traces reached; some stack traces and names are left out",
			r.symbols.limit)
	}
	r.reportUnsupported()
	m := newEmitter(builder.New(r.options.Session, nil, put), r.symbols, r.finding, r.heaps, r.limits.threads)
	m.period = r.sampler.nanos()
	if err := r.emitCounts(m); err != nil {
		return err
	}
	if err := replay(ctx, &r.events, &inferred, m); err != nil {
		return err
	}
	m.reportEvictions(r.offset)
	if r.cut || r.end == 0 {
		return nil
	}
	return m.Element(trace.TraceEnd, r.offset).At(r.end).Put()
}
