package jfr

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// Read reads a recording and gives what happened to take, as elements in the order of time. Nothing is given before the
// last chunk has been read. The event is good until take returns; an error of take ends the reading and is returned, as
// are errors of in, of temporary files, and of ctx. What is wrong with the recording is no error: it is reported, and
// the rest is read.
func Read(ctx context.Context, in io.Reader, options builder.Options, take func(*trace.Event) error) (trace.Ending,
	error) {
	return read(ctx, in, options, limits{}, take)
}

// limits are the bounds that tests lower; 0 is the usual one.
type limits struct{ chunkMemory, sortMemory, names, threads int }

func read(ctx context.Context, in io.Reader, options builder.Options, l limits, take func(*trace.Event) error) (
	ending trace.Ending, err error) {
	if options.Report == nil {
		options.Report = func(trace.Finding) {}
	}
	if l.sortMemory == 0 {
		l.sortMemory = sortMemory
	}
	if l.names == 0 {
		l.names = maxNames
	}
	if l.threads == 0 {
		l.threads = threadMemory
	}
	r := &reader{
		scanner: newScanner(in, options.Report), options: options, room: l.threads, names: newNames(l.names),
		spaces: map[uint32]space{},
		counts: map[string]uint64{}, settings: map[string]map[string]string{}, beginnings: map[beginning]int64{},
	}
	r.spool.memory = l.chunkMemory
	r.deeds.Name, r.deeds.Memory = "jfr", l.sortMemory
	defer r.spool.close()
	defer r.deeds.Close()
	err = r.chunks(ctx)
	if err == nil {
		err = r.tell(ctx, take)
	}
	return trace.Ending{Closed: !r.cut, Truncated: r.cut, Place: trace.Place{Offset: r.place}}, err
}

// reader reads a recording.
type reader struct {
	*scanner
	options       builder.Options
	names         *names
	room          int // of what is known of threads, in bytes
	deeds         sorted
	counts        map[string]uint64            // of the events, by the names of their types
	settings      map[string]map[string]string // of the types that matter: what was recorded of them
	beginnings    map[beginning]int64          // of whole chunks, with their places
	begun         int                          // so many chunks
	spaces        map[uint32]space
	notifications bool // the recording has them
	cut           bool // the recording ends inside of something
	virtuals      bool // it has virtual threads
	// a JVM wrote it in which virtual threads leave their carriers also when they are blocked or wait
	unpinned  bool
	unbegun   bool // it has waits that are reported by their ends only
	cutNames  bool // that is said
	manyJVMs  bool // likewise
	jvms      []jvm
	scope     uint32 // counts the JVMs
	lastStart int64
	ends      trace.Time // the recording

	// What follows is of the chunk at hand.
	chunk     *chunk
	types     *types
	described description // by the metadata that was read last
	constants *constants
	kinds     map[uint64]*counted
	few       [fewTypes]*counted // those with small ids
	values    values
	doing     deed
	actor     *thread // of the event at hand; nil if nobody did it
	seen      []*thread
	at        int64 // of the event at hand, in the input
}

// fewTypes is below what ids most types of events have.
const fewTypes = 1 << 12

// counted is a type of events in a chunk.
type counted struct {
	name    string
	count   uint64
	reading *reading // nil if it becomes nothing
}

// chunks reads all chunks.
func (r *reader) chunks(ctx context.Context) error {
	for {
		chunk, cut := r.next()
		if r.cut = r.cut || cut; chunk == nil {
			return r.err
		}
		r.cut = r.cut || chunk.cut || chunk.state != 0 || chunk.size == 0
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.repeats(chunk) {
			continue
		}
		if err := r.read(ctx, chunk); err != nil {
			return err
		}
	}
}

// mostBegun is how many chunks are remembered by their beginnings.
const mostBegun = 1 << 16

// repeats says whether the chunk was read before: dumps that were made of one JVM, one after the other, hold the same
// chunks.
func (r *reader) repeats(c *chunk) bool {
	r.begun++
	this := beginning{c.startNanos, c.startTicks, c.length}
	before, again := r.beginnings[this]
	switch {
	case c.cut:
	case again:
		r.finding(RuleRepeated, trace.Warning, c.place, "this chunk is that at %d once more; it is passed over", before)
	case len(r.beginnings) < mostBegun:
		r.beginnings[this] = c.place
	}
	return again && !c.cut
}

// beginning is what tells a chunk from others.
type beginning struct{ nanos, ticks, length int64 }

// read makes deeds of the events of a chunk.
func (r *reader) read(ctx context.Context, c *chunk) error {
	r.chunk, r.seen = c, r.seen[:0]
	if c.durationNanos >= 0 && c.durationNanos <= math.MaxInt64-c.startNanos {
		r.ends = max(r.ends, trace.Time(c.startNanos+c.durationNanos))
	}
	if !r.describe() {
		return r.err
	}
	runs := r.runs()
	if err := r.prepare(runs); err != nil {
		r.finding(RuleMetadata, trace.Error, c.place,
			"the events of this chunk cannot be read, because of what its metadata says: %v", err)
		return r.err
	}
	r.tellJVMs(runs)
	look := 0
	err := r.each(runs, func(place int64, event []byte, size, kind uint64) error {
		if look++; look%stepsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return r.event(place, event, size, kind)
	})
	if err != nil {
		return err
	}
	for _, k := range r.kinds {
		if k.name == "" { // metadata and checkpoints tell of events, and are none
			continue
		}
		if _, known := r.counts[k.name]; known || r.names.room(len(k.name)) {
			r.counts[k.name] += k.count
		}
	}
	return r.introduce()
}

// describe reads the chunk's metadata, the last one that can be read.
func (r *reader) describe() bool {
	c := r.chunk
	for _, place := range slices.Backward(c.metadatas) {
		body, ok := r.body(place)
		if !ok {
			continue
		}
		err := r.described.read(body, !c.compressed)
		if err == nil {
			r.types = r.described.types
			if c.state == 0 && !c.cut && !slices.Contains(c.metadatas, c.metadata) {
				r.finding(RuleChain, trace.Warning, c.place,
					"the header says that the metadata lies at byte %d of the chunk, where none does; that at byte "+
						"%d is used", c.metadata, place)
			}
			return true
		}
		r.finding(RuleMetadata, trace.Error, c.place+place, "this metadata cannot be read: %v", err)
	}
	if r.err != nil {
		return false
	}
	if r.described.types != nil {
		r.finding(RuleMetadata, trace.Error, c.place,
			"this chunk has no metadata, which says what its events mean; they are read as those of the chunk before")
		r.types = r.described.types
		return true
	}
	r.finding(RuleMetadata, trace.Error, c.place,
		"this chunk has no metadata, which says what its events mean; its %d bytes are left out", c.length)
	return false
}

// body is what an event holds behind its size and type.
func (r *reader) body(place int64) ([]byte, bool) {
	window, err := r.spool.at(place, longestHead)
	if err != nil {
		r.err = err
		return nil, false
	}
	size, _, ok := r.chunk.head(window)
	if !ok || size > maxEvent {
		return nil, false
	}
	event, err := r.spool.at(place, int(size))
	if err != nil {
		r.err = err
	}
	return event[min(len(event), r.headLength(event)):], err == nil && len(event) == int(size)
}

// headLength is how many bytes size and type of an event take.
func (r *reader) headLength(event []byte) int {
	c := cursor{data: event, fixed: !r.chunk.compressed}
	c.uint32()
	c.uint64()
	return c.at
}

// prepare makes the programs for the events of the chunk, and takes its constants.
func (r *reader) prepare(runs []gap) error {
	constants, err := newConstants(r.types, !r.chunk.compressed, r.names)
	if err != nil {
		return err
	}
	if pinned := r.types.named(pinnedEvent); pinned != nil && r.types.find(pinned, sinceUnpinned) != nil {
		r.unpinned = true
	}
	constants.scope = r.scope
	constants.unknown = func(pool string, key, last uint64) {
		severity := trace.Error
		if pool == poolThread && key <= last+someMore || pool == poolStack && key <= last+someMore {
			severity = trace.Warning
		}
		r.finding(RuleConstant, severity, r.at,
			"there is no %s with the key %d in this chunk, which an event names; it stays unknown", pool, int64(key))
	}
	constants.cycle = func(pool string, key uint64) {
		r.finding(RuleCycle, trace.Error, r.at, "the %s with the key %d contains itself", pool, int64(key))
	}
	r.constants, r.kinds, r.few = constants, map[uint64]*counted{}, [fewTypes]*counted{}
	for i := range kinds {
		class := r.types.named(kinds[i].name)
		if class == nil {
			continue
		}
		l, err := r.types.layout(class, kinds[i].fields)
		if err != nil {
			return err
		}
		r.count(class.id, class.name).reading = &reading{l, &kinds[i]}
	}
	r.checkpoints()
	return nil
}

// Events of a type that got this field in JDK 24, with which virtual threads leave their carriers when they are blocked
// by a monitor or wait for it.
const pinnedEvent, sinceUnpinned = "jdk.VirtualThreadPinned", "pinnedReason"

// someMore is how far the keys of constants that a JVM does not write lie beyond those that it does. There are some in
// many recordings: the thread that ends the JVM, and stacks of events near the border between two chunks.
const someMore = 16

// count returns what is counted of the type.
func (r *reader) count(id uint64, name string) *counted {
	k := &counted{name: name}
	if r.kinds[id] = k; id < fewTypes {
		r.few[id] = k
	}
	return k
}

// checkpoints takes the constants of the chunk.
func (r *reader) checkpoints() {
	c := r.chunk
	places := map[int64]bool{}
	for _, place := range c.checkpoints {
		places[place] = true
	}
	linked := c.state != 0 || c.cut || c.constants == 0 || places[c.constants]
	for _, place := range c.checkpoints {
		body, ok := r.body(place)
		if !ok {
			continue
		}
		r.at = c.place + place
		delta, err := r.constants.checkpoint(body)
		if err != nil {
			r.finding(RuleConstants, trace.Error, c.place+place, "not all constants of this checkpoint can be read: %v",
				err)
		}
		linked = linked && (delta == 0 || places[place+delta])
	}
	if !linked && len(c.gaps) == 0 {
		r.finding(RuleChain, trace.Warning, c.place,
			"the checkpoints of this chunk do not lead to each other; those that were found are used")
	}
}

// event makes a deed of an event.
func (r *reader) event(place int64, event []byte, size, id uint64) error {
	var k *counted
	if id < fewTypes {
		k = r.few[id]
	} else {
		k = r.kinds[id]
	}
	if k == nil {
		k = r.unknown(place, id)
	}
	k.count++
	if k.reading == nil {
		return nil
	}
	r.at = r.chunk.place + place
	if uint64(len(event)) < size {
		r.finding(RuleTooLarge, trace.Error, r.at, "this %s has %d bytes; trcx looks into events of at most %d", k.name,
			size, maxEvent)
		return nil
	}
	c := cursor{data: event, fixed: !r.chunk.compressed}
	c.at = r.headLength(event)
	k.reading.program.run(&c, &r.values)
	if c.short {
		r.finding(RuleEvent, trace.Error, r.at, "this %s has %d bytes, which end inside of its fields; it is left out",
			k.name, size)
		return nil
	}
	return r.deed(k.reading)
}

// unknown is the type of an event of which nothing was known up to here.
func (r *reader) unknown(place int64, id uint64) *counted {
	if class := r.types.classes[id]; class != nil {
		return r.count(id, class.name)
	}
	switch {
	case id == metadataType || id == checkpointType:
		return r.count(id, "")
	case len(r.kinds) > maxTypes:
		return &counted{}
	}
	r.finding(RuleType, trace.Warning, r.chunk.place+place,
		"the metadata does not describe events of type %d; they are passed over", id)
	return r.count(id, fmt.Sprintf("type %d", id))
}

// maxTypes is how many types of events are counted in a chunk.
const maxTypes = 1 << 16

// deed makes a deed of the values.
func (r *reader) deed(k *reading) error {
	v := &r.values.numbers
	d := &r.doing
	*d = deed{scope: r.scope, place: r.at, timeout: notTimed}
	var ok bool
	if d.begin, ok = r.chunk.time(int64(v[slotStart])); !ok || !k.has[slotStart] {
		r.finding(RuleTime, trace.Error, r.at, "the time of this %s is none between 1970 and 2262; it is left out",
			k.name)
		return nil
	}
	if k.has[slotDuration] {
		d.length = r.length(k, d.begin)
	}
	r.actor = nil
	if k.pools[slotThread] == poolThread {
		if t := r.constants.thread(v[slotThread]); t != nil {
			d.thread, r.actor = t.id.number, t
			r.involve(t, d)
		}
	}
	if k.pools[slotStack] == poolStack {
		d.stack = r.constants.stack(v[slotStack])
	}
	if !k.does(r, k, d) || d.kind != collects && d.kind != heapIs && d.thread == 0 {
		return nil
	}
	return r.deeds.add(d)
}

// length is how long an event took.
func (r *reader) length(k *reading, begin trace.Time) int64 {
	first, last := int64(r.values.numbers[slotStart]), int64(r.values.numbers[slotStart]+r.values.numbers[slotDuration])
	end, ok := r.chunk.time(last)
	if !ok || last < first {
		r.finding(RuleTime, trace.Error, r.at,
			"the duration of this %s, %d ticks, cannot be; its end is left unknown, as if it took no time", k.name,
			int64(r.values.numbers[slotDuration]))
		return 0
	}
	return int64(end - begin)
}

// involve notes that a deed names the thread.
func (r *reader) involve(t *thread, d *deed) {
	if t == &r.constants.nobody {
		return
	}
	if r.virtuals = r.virtuals || t.virtual; !t.seen {
		t.seen, t.first = true, int64(d.begin)
		r.seen = append(r.seen, t)
	}
	t.first = min(t.first, int64(d.begin))
}

// introduce adds what the chunk says of its threads.
func (r *reader) introduce() error {
	for _, t := range r.seen {
		d := deed{kind: known, scope: t.id.scope, thread: t.id.number, begin: trace.Time(t.first), name: r.shorter(t),
			group: t.group, parent: t.parent, timeout: notTimed,
			place: r.chunk.place}
		if t.virtual {
			d.flags |= virtual
		}
		if t.start > t.first {
			d.flags, d.reported = d.flags|willStart, trace.Time(t.start)
		}
		if err := r.deeds.add(&d); err != nil {
			return err
		}
	}
	return nil
}

// longestName is how many bytes of a thread's name are kept: one chunk may have millions of threads that share a name.
const longestName = 4 << 10

// shorter is the name of a thread, cut off if it is too long.
func (r *reader) shorter(t *thread) string {
	if len(t.name) <= longestName {
		return t.name
	}
	if !r.cutNames {
		r.cutNames = true
		r.finding(RuleTooLarge, trace.Warning, r.chunk.place,
			"the name of the thread %d has %d bytes; of such names the first %d are kept", t.id.number&idMask,
			len(t.name), longestName)
	}
	return strings.ToValidUTF8(t.name[:longestName], "")
}

// each gives the events of the runs: where they lie in the chunk, and their bytes, which are cut off where they are
// more than is looked into.
func (r *reader) each(runs []gap, take func(place int64, event []byte, size, kind uint64) error) error {
	for _, run := range runs {
		for place := run.from; place < run.to; {
			window, err := r.spool.at(place, int(min(run.to-place, windowSize)))
			if err != nil {
				return err
			}
			n, err := r.eachIn(window, place, run.to, take)
			if err != nil {
				return err
			}
			if place += n; n == 0 {
				return nil
			}
		}
	}
	return nil
}

// eachIn gives the events that begin in a window, and says how many bytes they have.
func (r *reader) eachIn(window []byte, place, to int64, take func(place int64, event []byte, size, kind uint64) error) (
	int64, error) {
	n := int64(0)
	for n < int64(len(window)) {
		rest := window[n:]
		size, kind, ok := r.chunk.head(rest)
		switch {
		case !ok && len(rest) < longestHead && place+int64(len(window)) < to:
			return n, nil // the head goes on in the next window
		case !ok:
			return to - place, nil
		}
		if size > uint64(len(rest)) {
			if n > 0 {
				return n, nil
			}
			var err error
			if rest, err = r.spool.at(place, int(min(size, maxEvent))); err != nil {
				return 0, err
			}
		}
		if err := take(place+n, rest[:min(uint64(len(rest)), size)], size, kind); err != nil {
			return 0, err
		}
		n += int64(size)
	}
	return n, nil
}

// runs are the parts of the chunk that are whole events, those included that lie in gaps.
func (r *reader) runs() []gap {
	c := r.chunk
	var runs []gap
	from := int64(headerSize)
	for _, g := range c.gaps {
		if g.from > from {
			runs = append(runs, gap{from: from, to: g.from})
		}
		at := r.resume(g)
		if at < g.to {
			runs = append(runs, gap{from: at, to: g.to})
			r.note(gap{from: at, to: g.to})
		}
		r.reportGap(g, at)
		from = g.to
	}
	if from < c.length {
		runs = append(runs, gap{from: from, to: c.length})
	}
	return runs
}

// reportGap says what is lost in a gap in which events go on at a place.
func (r *reader) reportGap(g gap, at int64) {
	c := r.chunk
	if c.cut && g.to == c.length && g.size >= uint64(g.to-g.from) {
		r.finding(RuleTruncated, trace.Error, c.place+g.to,
			"the recording ends inside the event at %d, which should have %d bytes", c.place+g.from, g.size)
		return
	}
	r.finding(RuleEventSize, trace.Error, c.place+g.from,
		"an event of %d bytes cannot be here; reading goes on at %d, %d bytes are left out", g.size, c.place+at,
		at-g.from)
}

// tell gives the elements.
func (r *reader) tell(ctx context.Context, take func(*trace.Event) error) error {
	found := sorted{}
	found.Name, found.Memory = r.deeds.Name, r.deeds.Memory
	defer found.Close()
	if err := play(ctx, &r.deeds, &sorted{}, newSurvey(!r.notifications, &found, r.room)); err != nil {
		return err
	}
	if r.names.full {
		r.finding(RuleTooLarge, trace.Error, r.place,
			"the classes, methods and call stacks of the recording have more than %d bytes; some call stacks and "+
				"names are left out", r.names.most)
	}
	r.lacks()
	t := newTelling(builder.New(r.options.Session, nil, take), r.names, r.finding, r.spaces, r.room)
	if err := r.preamble(t); err != nil {
		return err
	}
	if err := play(ctx, &r.deeds, &found, t); err != nil {
		return err
	}
	t.reportForgotten(r.place)
	if r.cut || r.ends == 0 {
		return nil
	}
	return t.Element(trace.TraceEnd, r.place).At(r.ends).Put()
}
