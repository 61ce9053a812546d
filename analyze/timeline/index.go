package timeline

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Index has the intervals of a trace's threads. In memory it keeps the live threads, the tables of texts, frames and
// stacks, and about three bytes a span; the rest is in files. A complete index can be read concurrently.
type Index struct {
	// Sessions are the recordings. Deadlocks are the cycles that exist at the end of the trace.
	Sessions  []Session
	Deadlocks []Deadlock
	extent
	blockFile
	guard    sync.Mutex // for threads and names, which read from the spill
	threads  threads.List[entry]
	names    threads.Names
	spill    *tempfile.Spill // of threads that have ended
	lanes    map[trace.ThreadKey]*lane
	strip    strip // of all threads
	finished bool  // times of threads are relative to the earliest
	numbers  numbers
	late     map[trace.EventID]trace.Cause // causes of Running events whose spans have another one, or none
	// classes of objects that had none when they were first named; 0 while the class is unknown
	classes map[objectOf]uint32
	locks   map[objectOf]lockOf // of conditions
	changed []trace.EventID     // the Running events of late, in ascending order; nil if not sorted yet
}

// extent describes a trace as a whole.
type extent struct {
	start     trace.Time
	started   bool          // the start is known
	last      int64         // the latest time
	earliest  int64         // the begin of times: 0, unless a later recording began earlier
	furthest  int64         // the longest part cut off from the beginning of a span
	Events    trace.EventID // number of model events
	Truncated bool          // the trace ends inside an element
	CutOff    bool          // the trace lacks its end: its threads may have gone on
	Inferred  bool          // the owner of a span or an instant is inferred
	possible  bool          // a deadlock is only a possible one
}

// blockFile is the file of an index.
type blockFile struct {
	file    *os.File
	out     *bufio.Writer
	size    int64  // of the file, including what out has buffered
	flushed int64  // without what out has buffered
	saved   string // the name under which the file stays when the index is closed, "" if it does not
}

// objectOf is an object of a session.
type objectOf struct {
	session int
	code    objectCode
}

// lockOf is the lock of a condition, with the number of its class's text.
type lockOf struct {
	object objectCode
	class  uint32
}

// Session is a recording: one document.
type Session struct {
	Index   int
	Process string // its process id, "" if unknown
	start   int64
}

// Deadlock is a cycle of threads that wait for each other.
type Deadlock struct {
	Time    int64 // when it closed, in nanoseconds since the trace's start
	Threads []trace.ThreadKey
}

// The kinds of records in the tracks of the path.
const (
	pathRecord    = recordKind(Running)
	latencyRecord = recordKind(WaitingForObject)
)

// writeBuffer is the size of the file's buffer, in bytes.
const writeBuffer = 1 << 20

func newIndex(saved string) (*Index, error) {
	folder := ""
	if saved != "" {
		folder = filepath.Dir(saved)
	}
	file, out, err := newFile(saved)
	if err != nil {
		return nil, err
	}
	x := &Index{numbers: newNumbers(), late: map[trace.EventID]trace.Cause{}, classes: map[objectOf]uint32{},
		locks: map[objectOf]lockOf{}, lanes: map[trace.ThreadKey]*lane{},
		spill:     tempfile.NewSpill(folder, "trcx-threads-*"),
		blockFile: blockFile{file: file, out: bufio.NewWriterSize(out, writeBuffer)}}
	x.threads.Keep(x.spill)
	x.names.Keep(x.spill)
	n, err := x.out.WriteString(magic)
	x.size = int64(n)
	return x, err
}

// newFile creates the file of an index, which will be saved under the name if that is not "". out writes to it.
func newFile(saved string) (file *os.File, out io.Writer, err error) {
	if saved != "" {
		file, err = tempfile.Create(saved, 0o666)
		return file, file, err
	}
	scratch, err := tempfile.NewScratch("", "trcx-timeline-*")
	if err != nil {
		return nil, nil, err
	}
	return scratch.File(), scratch, nil
}

// Close removes the file, unless it was saved.
func (x *Index) Close() error {
	if x.file == nil {
		return nil
	}
	err := x.file.Close()
	if x.saved == "" {
		os.Remove(x.file.Name())
	}
	x.file = nil
	return errors.Join(err, x.spill.Close())
}

// since returns the time since the trace's start.
func (x *Index) since(at trace.Time) int64 { return int64(at - x.start) }

func (x *Index) causeOf(c trace.Cause) (Interaction, End) {
	return Interaction(instantOf[c.Type] - 1), End{c.ID, c.Thread, x.since(c.Time)}
}

func (x *Index) session(s *trace.Session) {
	described := Session{Index: s.Index}
	for _, v := range s.Process {
		if v.Name == "pid" {
			described.Process = v.Value
		}
	}
	for len(x.Sessions) <= s.Index {
		x.Sessions = append(x.Sessions, Session{Index: len(x.Sessions)})
	}
	if s.HasStart {
		described.start = x.since(s.Start)
	}
	x.Sessions[s.Index] = described
}

// write writes the open block of a track.
func (x *Index) write(t *track) error {
	if t.open.records == 0 {
		return nil
	}
	offset := x.size
	if _, err := x.out.Write(t.text); err != nil {
		return err
	}
	x.size += int64(len(t.text))
	t.close(offset)
	return nil
}

func (x *Index) flush() error {
	if x.flushed == x.size {
		return nil
	}
	if err := x.out.Flush(); err != nil {
		return err
	}
	x.flushed = x.size
	return nil
}

// finish sets the earliest time, and makes deadlocks' times relative to it. Other times are shifted when they are read.
func (x *Index) finish() {
	x.changed = slices.Sorted(maps.Keys(x.late))
	for _, s := range x.Sessions {
		x.earliest = min(x.earliest, s.start)
	}
	for _, l := range x.lanes {
		for i := range l.tracks {
			l.tracks[i].setFloors()
		}
	}
	x.finished = true
	for i := range x.Deadlocks {
		x.Deadlocks[i].Time -= x.earliest
	}
}

// amended reports whether a cause of the block's events has changed since it was written.
func (x *Index) amended(b *block) bool {
	if len(x.late) == 0 {
		return false
	}
	if x.changed == nil {
		x.changed = slices.Sorted(maps.Keys(x.late))
	}
	at, _ := slices.BinarySearch(x.changed, b.events.least)
	return at < len(x.changed) && x.changed[at] <= b.events.most
}

// going returns the open span of a live lane, up to the latest time, or nil.
func (x *Index) going(l *lane) *record {
	if l.current == nil {
		return nil
	}
	r := *l.current
	r.exact = [2]int64{r.begin, max(x.last, r.begin)}
	r.begin, r.end = cut(&record{begin: r.begin, end: x.last}, l.tracks[spanTrack].last)
	return &r
}

// Duration returns the length of the trace in nanoseconds.
func (x *Index) Duration() int64 { return x.last - x.earliest }

// Start returns the time of the trace's start; ok reports whether the trace has any time.
func (x *Index) Start() (at trace.Time, ok bool) { return x.start + trace.Time(x.earliest), x.started }

// Lacking reports whether texts, frames and stacks exceeded a limit, so that some are unknown.
func (x *Index) Lacking() bool { return x.numbers.lacking }

// Placed reports whether any place in the program is known.
func (x *Index) Placed() bool { return len(x.numbers.Frames) > 0 }

// Has reports whether any thread was in the state.
func (x *Index) Has(s State) bool {
	for _, l := range x.lanes {
		if l.current != nil && State(l.current.kind) == s {
			return true
		}
	}
	return slices.ContainsFunc(x.strip.times[s], func(time int64) bool { return time > 0 })
}

// Texts returns the classes of objects, and ids that are not numbers.
func (x *Index) Texts() []string { return x.numbers.Texts }

// Size returns the number of threads.
func (x *Index) Size() int { return int(x.threads.Last()) }

// has reports whether the index has a thread of the key.
func (x *Index) has(key trace.ThreadKey) bool { return key > 0 && key <= x.threads.Last() }

// Keys returns the keys of all threads.
func (x *Index) Keys() []trace.ThreadKey {
	return slices.Collect(x.threads.Keys())
}

// All returns an iterator over all threads, in the order of their keys, without open spans. A thread is valid until the
// next one.
func (x *Index) All() iter.Seq[*Thread] {
	return func(yield func(*Thread) bool) {
		for key := range x.threads.Keys() {
			if t := x.thread(key); !yield(&t) {
				return
			}
		}
	}
}

// object returns the object of the record. Its thread is of the session.
func (x *Index) object(r *record, session int) Object {
	if r.object == 0 {
		return Object{}
	}
	o := Object{ID: x.id(r.object), Class: numbered(x.numbers.Texts, x.class(r, session)), Session: session}
	if lock, ok := x.locks[objectOf{session, r.object}]; ok {
		o.Lock, o.LockClass = x.id(lock.object), numbered(x.numbers.Texts, lock.class)
	}
	return o
}

// id returns the id of the object.
func (x *Index) id(object objectCode) string {
	if object&1 != 0 {
		return strconv.FormatUint(uint64(object>>1), 10)
	}
	return numbered(x.numbers.Texts, uint32(object>>1))
}

// class returns the number of the object's class, which may have become known after the record.
func (x *Index) class(r *record, session int) uint32 {
	if r.class == 0 {
		return x.classes[objectOf{session, r.object}]
	}
	return r.class
}
