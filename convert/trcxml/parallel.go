package trcxml

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// Several goroutines read one document. The text is cut into chunks where an element seems to begin: after a > and
// before a <name. Nearly always this is right, and each chunk is a run of whole elements that can be read by itself;
// the results are put in order. If a chunk turns out to be anything else (its first < is in a comment, it does not
// close an element, it has a defect), its results are dropped. The document's own scanner then reads it, and continues
// until it is between two elements at the end of a chunk. So cuts can be guesses, and findings come from one place.

// chunk is a part of the text and the events read from it.
type chunk struct {
	text   []byte // with padding after it
	packed []packedEvent
	events []trace.Event    // the events that share no layout
	count  int              // of events
	event  trace.Event      // the current one of packed
	arena  arena            // of the events' contents
	built  builders         // of events that share no layout
	good   bool             // the text is a run of elements, without findings
	begin  xmlscan.Position // of the text
	place  xmlscan.Position // of the last located event
	end    xmlscan.Position // after the text, as if the text began the document
	done   chan struct{}
	err    error // of the input, after the text
}

// packedEvent is an event of a chunk in a fifth of the memory of a trace.Event, because it moves between the caches of
// two processors. Only the goroutine that puts the events unpacks them, one at a time.
type packedEvent struct {
	layout *trace.Layout // nil: the event is the next one of the chunk's events
	time   trace.Time
	at     uint32 // where the element begins in the text
}

// pack appends an event that shares its layout.
func (c *chunk) pack(e *trace.Event) error {
	c.packed = append(c.packed, packedEvent{e.Layout(), e.Time, uint32(e.Offset)})
	return nil
}

// next returns memory for an event that shares no layout; keep appends it.
func (c *chunk) next() *trace.Event {
	if c.count == len(c.events) {
		c.events = append(c.events, trace.Event{Session: c.event.Session, Source: c})
	}
	return &c.events[c.count]
}

func (c *chunk) keep(*trace.Event) error {
	c.packed = append(c.packed, packedEvent{})
	c.count++
	return nil
}

// clear empties the chunk for events of a recording.
func (c *chunk) clear(session int) {
	c.packed, c.count = c.packed[:0], 0
	c.event.Session, c.event.Source = session, c
	c.arena.clear()
	c.built.used, c.built.keep = 0, true
}

// cutting has the parameters of cutting the text.
type cutting struct {
	goroutines int
	solo       int64 // bytes that one goroutine reads before others help
	chunk      int   // bytes of a chunk, unless one element has more
}

// Default sizes in bytes, and the number of chunks for each goroutine.
const (
	soloSize   = 4 << 20
	chunkSize  = 128 << 10
	chunksEach = 4
)

// errPause stops the document's own scanner at the end of a chunk, errDone its reader at the end of the document.
var (
	errPause = errors.New("the scanner is between two chunks")
	errDone  = errors.New("the document has been read")
)

// together lets several goroutines read the text after the current token, if it is long enough. It returns errDone when
// they have read everything.
func (r *reader) together(ctx context.Context) error {
	helpers := r.options.cut.goroutines - 1
	if helpers < 1 || r.options.Live || r.ending.Closed || r.roots > 1 {
		r.sequential = true
		return nil
	}
	if r.mode < isTrace || r.scanner.Offset() < r.options.cut.solo {
		return nil
	}
	r.sequential = true
	rest, last, ok := r.scanner.Detach()
	if !ok {
		return nil
	}
	if last {
		r.scanner.Attach(bytes.NewReader(rest))
		return nil
	}
	depth := r.roots
	chunks := chunksEach * (helpers + 1)
	t := &team{in: r.in, rest: rest, size: r.options.cut.chunk, ordered: make(chan *chunk, chunks),
		free: make(chan *chunk, chunks), quit: make(chan struct{})}
	for range chunks {
		t.free <- &chunk{}
	}
	var helping sync.WaitGroup
	defer helping.Wait() // otherwise a helper could read a closed input
	defer close(t.quit)
	for range helpers {
		branch := r.branch(depth)
		helping.Go(func() { t.help(branch) })
	}
	return r.gather(ctx, t, depth)
}

// branch is a reader for chunks.
func (r *reader) branch(depth int) *reader {
	branch := &reader{
		decoder: decoder{scanner: r.scanner.Branch(depth)},
		options: Options{Session: r.options.Session, FlattenUnknown: r.options.FlattenUnknown, Validation: Validation{
			NamesOnly: r.options.Validation.NamesOnly}},
		nesting: nesting{roots: depth}, mode: isTrace, sequential: true,
	}
	branch.options.Report = func(trace.Finding) { branch.reported = true }
	if r.validator != nil {
		branch.validator = r.validator.Branch(branch.scanner, branch.found)
	}
	return branch
}

// gather puts the events of the chunks in order.
func (r *reader) gather(ctx context.Context, t *team, depth int) error {
	own := r.branch(depth)
	for c := t.next(own); c != nil; c = t.next(own) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.err == nil && c.good && (r.validator == nil || r.validator.At(own.validator)) {
			if err := r.putAll(c); err != nil {
				return err
			}
			t.free <- c
			continue
		}
		pause := &pausing{team: t, own: own, document: r, depth: depth, chunk: c}
		r.scanner.Attach(pause)
		if err := r.read(ctx); err != nil {
			return err
		}
		if !pause.paused {
			break
		}
		r.scanner.Detach()
		t.free <- pause.chunk
	}
	return errDone
}

// putAll puts the events of a chunk.
func (r *reader) putAll(c *chunk) error {
	c.begin = r.scanner.Position()
	c.place = c.begin
	whole := c.events
	for i := range c.packed {
		packed, e := &c.packed[i], &c.event
		if packed.layout != nil {
			packed.layout.Restore(e, c.text[packed.at:cap(c.text)], packed.time)
			e.Offset = c.begin.Offset + int64(packed.at)
		} else {
			e, whole = &whole[0], whole[1:]
			e.Offset += c.begin.Offset
		}
		if err := r.put(e); err != nil {
			return err
		}
	}
	r.scanner.Passed(c.end)
	return nil
}

// Locate returns the place and the tag of the last event that was put.
func (c *chunk) Locate(e *trace.Event) (trace.Place, []byte) {
	at, from := e.Offset-c.begin.Offset, c.place.Offset-c.begin.Offset
	c.place = c.place.Advance(c.text[from:at])
	return trace.Place(c.place), tagIn(c.text[at:min(at+maxQuoted, int64(len(c.text)))])
}

// tagIn returns the tag that the text begins with, which may be cut off.
func tagIn(text []byte) []byte {
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return text[:i+1]
		}
	}
	return text
}

// pausing is the input of the document's own scanner: the text of a chunk, and of further chunks until the scanner is
// between two elements at the end of one.
type pausing struct {
	team     *team
	own      *reader
	document *reader
	depth    int
	chunk    *chunk
	read     int
	paused   bool
}

func (p *pausing) Read(into []byte) (int, error) {
	for p.read == len(p.chunk.text) {
		if p.chunk.err != nil {
			return 0, p.chunk.err
		}
		if p.document.roots == p.depth && p.document.scanner.Idle(p.depth) && p.read > 0 {
			p.paused = true
			return 0, errPause
		}
		next := p.team.next(p.own)
		if next == nil {
			return 0, io.EOF
		}
		p.team.free <- p.chunk
		p.chunk, p.read = next, 0
	}
	n := copy(into, p.chunk.text[p.read:])
	p.read += n
	return n, nil
}

// team reads the chunks. It consists of helpers and of the goroutine that puts the events, which reads chunks itself
// while the next one is not ready.
type team struct {
	mu   sync.Mutex // held while the text is cut
	in   io.Reader
	rest []byte // read already, and not yet in a chunk
	over bool   // the text is
	size int    // of a chunk

	ordered chan *chunk // in the order of the text
	free    chan *chunk // to be filled
	quit    chan struct{}
	head    *chunk // the next one in order
}

// help cuts and reads chunks until there are no more.
func (t *team) help(r *reader) {
	for {
		select {
		case c := <-t.free:
			if !t.readNext(r, c) {
				return
			}
		case <-t.quit:
			return
		}
	}
}

// readNext cuts the next chunk and reads it. It returns false after the last one.
func (t *team) readNext(r *reader, c *chunk) bool {
	t.mu.Lock()
	if t.over {
		t.mu.Unlock()
		return false
	}
	t.over = t.fill(c)
	c.done = make(chan struct{})
	t.ordered <- c
	if t.over {
		close(t.ordered)
	}
	t.mu.Unlock()
	c.good, c.end = r.readChunk(c), xmlscan.Begin.Advance(c.text)
	close(c.done)
	return true
}

// next returns the next chunk when it has been read, and reads others with r until then. It returns nil after the last
// one.
func (t *team) next(r *reader) *chunk {
	for {
		if t.head == nil {
			select {
			case c, ok := <-t.ordered:
				if !ok {
					return nil
				}
				t.head = c
			default:
			}
		}
		if t.head != nil {
			select {
			case <-t.head.done:
				c := t.head
				t.head = nil
				return c
			default:
			}
		}
		t.helpOrWait(r)
	}
}

// helpOrWait reads another chunk or, if no chunk is free, waits for the next one.
func (t *team) helpOrWait(r *reader) {
	select {
	case c := <-t.free:
		if t.readNext(r, c) {
			return
		}
	default:
	}
	switch {
	case t.head != nil:
		<-t.head.done
	default:
		if c, ok := <-t.ordered; ok {
			t.head = c
		}
	}
}

// fill reads a chunk up to a place where an element seems to begin. It reports whether this was the last chunk.
func (t *team) fill(c *chunk) (over bool) {
	text := append(c.text[:0], t.rest...)
	c.err, t.rest = nil, t.rest[:0]
	for size := t.size; ; size *= 2 {
		for len(text) < size && c.err == nil {
			text = grow(text, size)
			n, err := t.in.Read(text[len(text):size])
			text, c.err = text[:len(text)+n], err
		}
		at := len(text)
		if c.err == nil {
			at = lastElement(text)
		}
		if at == 0 && size > maxChunk {
			at = len(text)
		}
		if at > 0 || c.err != nil {
			t.rest = append(t.rest, text[at:]...)
			text = text[:at]
			break
		}
	}
	c.text = grow(text, len(text)+xmlscan.Padding)
	clear(c.text[len(text) : len(text)+xmlscan.Padding])
	return c.err != nil
}

// maxChunk is the limit of text that is searched for the beginning of an element.
const maxChunk = 8 << 20

func grow(text []byte, size int) []byte {
	if cap(text) < size {
		text = append(make([]byte, 0, size+xmlscan.Padding), text...)
	}
	return text
}

// lastElement returns the last place after the first byte where an element seems to begin, or 0.
func lastElement(text []byte) int {
	for at := len(text); at > 0; {
		at = bytes.LastIndexByte(text[:at], '<')
		if at <= 0 || at+1 == len(text) {
			continue
		}
		if c := text[at+1] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		if before := bytes.TrimRight(text[max(0, at-64):at], " \t\r\n"); len(before) > 0 &&
			before[len(before)-1] == '>' {
			return at
		}
	}
	return 0
}

// readChunk reads the elements of a chunk. It returns false if the text is not a run of elements, or has a finding.
func (r *reader) readChunk(c *chunk) bool {
	c.clear(r.options.Session)
	r.arena, r.builders, r.reported = &c.arena, &c.built, false
	r.scanner.Reset(c.text)
	if r.validator != nil {
		r.validator.Rewind()
	}
	pack, keep := c.pack, c.keep
	for !r.reported {
		r.event, r.put = &c.event, pack
		if _, err := r.run(); err != nil {
			return false
		}
		r.event, r.put = c.next(), keep
		token, err := r.scanner.Next()
		if err == nil && token != xmlscan.End {
			r.validate(token)
		}
		if err == nil && token == xmlscan.StartTag {
			err = r.element()
		}
		switch {
		case err != nil:
			return false
		case token == xmlscan.End:
			return !r.reported && (r.validator == nil || r.validator.Unmoved())
		case token == xmlscan.StartTag, token == xmlscan.Comment, token == xmlscan.Instruction, token == xmlscan.Text &&
			r.scanner.Blank():
		default:
			return false
		}
	}
	return false
}
