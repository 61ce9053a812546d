package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// The content of a saved index. Each method writes what the index has, or reads it.

func (c *codec) index(x *Index) {
	integer(c, &x.start)
	flag(c, &x.started)
	integer(c, &x.last)
	integer(c, &x.earliest)
	integer(c, &x.furthest)
	integer(c, &x.Events)
	flag(c, &x.Truncated)
	flag(c, &x.CutOff)
	flag(c, &x.possible)
	flag(c, &x.Inferred)
	sequence(c, &x.Sessions, func(s *Session) {
		integer(c, &s.Index)
		integer(c, &s.start)
		c.string(&s.Process)
	})
	c.threads(x)
	sequence(c, &x.Deadlocks, func(d *Deadlock) {
		integer(c, &d.Time)
		sequence(c, &d.Threads, func(key *trace.ThreadKey) { integer(c, key) })
	})
	integer(c, &x.strip.width)
	for state := range x.strip.times {
		sequence(c, &x.strip.times[state], func(n *int64) { integer(c, n) })
	}
	c.numbers(&x.numbers)
	table(c, &x.late, cmp.Compare, func(event *trace.EventID) { integer(c, event) }, c.cause)
	table(c, &x.classes, objectOf.compare, c.object, func(class *uint32) { integer(c, class) })
	table(c, &x.locks, objectOf.compare, c.object, func(lock *lockOf) {
		integer(c, &lock.object)
		integer(c, &lock.class)
	})
	x.changed, x.finished = slices.Sorted(maps.Keys(x.late)), true
}

// threads writes or reads the threads, and the blocks of the threads that have a lane.
func (c *codec) threads(x *Index) {
	size := x.Size()
	integer(c, &size)
	for key := trace.ThreadKey(1); int(key) <= size && !c.bad; key++ {
		var e entry
		var t Thread
		l := x.lanes[key]
		if !c.reading {
			e, t = x.entryOf(key), x.thread(key)
		}
		if l == nil {
			l = &lane{}
		}
		c.entry(&e)
		for _, text := range []*string{&t.ID, &t.Name, &t.Group} {
			c.string(text)
		}
		blocks := 0
		for i := range l.tracks {
			sequence(c, &l.tracks[i].blocks, c.block)
			blocks += len(l.tracks[i].blocks)
		}
		if !c.reading {
			continue
		}
		*x.threads.Change(key) = e
		x.names.Put(&trace.ModelThread{Key: key, ID: trace.ThreadFrom([]byte(t.ID)), Name: t.Name, Group: t.Group})
		x.end(key)
		if blocks > 0 {
			x.lanes[key] = l
		}
	}
}

func (c *codec) entry(e *entry) {
	integer(c, &e.session)
	integer(c, &e.born)
	integer(c, &e.died)
	flag(c, &e.dead)
	flag(c, &e.aside)
	for state := range e.times {
		integer(c, &e.times[state])
		integer(c, &e.counts[state])
	}
	integer(c, &e.onPath)
	for i := range e.pieces {
		p := &e.pieces[i]
		for _, n := range []*int64{&p.offset, &p.last, &p.begin, &p.end} {
			integer(c, n)
		}
		for _, n := range []*uint32{&p.size, &p.sum, &p.records} {
			integer(c, n)
		}
	}
}

func (c *codec) block(b *block) {
	for _, n := range []*int64{&b.offset, &b.from.time, &b.last, &b.ran, &b.begin, &b.end, &b.firstSpan, &b.spanEnd,
		&b.reach, &b.floor} {
		integer(c, n)
	}
	for _, n := range []*uint32{&b.size, &b.sum, &b.records, &b.arrows} {
		integer(c, n)
	}
	for _, event := range []*trace.EventID{&b.from.event, &b.events.least, &b.events.most, &b.causes.least,
		&b.causes.most} {
		integer(c, event)
	}
	for state := range b.times {
		integer(c, &b.times[state])
		integer(c, &b.counts[state])
	}
	for i := range b.instants {
		integer(c, &b.instants[i])
	}
	if b.arrows > 0 {
		c.arrow(&b.heaviest)
	}
}

func (c *codec) arrow(a *Arrow) {
	c.interaction(&a.Type)
	for _, end := range []*End{&a.From, &a.To} {
		integer(c, &end.Event)
		integer(c, &end.Thread)
		integer(c, &end.Time)
	}
	integer(c, &a.Waited)
}

func (c *codec) interaction(i *Interaction) {
	integer(c, i)
	c.bad = c.bad || *i >= InteractionCount
}

func (c *codec) numbers(n *numbers) {
	sequence(c, &n.Texts, c.string)
	sequence(c, &n.Frames, func(f *Frame) {
		for _, text := range []*string{&f.Class, &f.Method, &f.File, &f.Inner, &f.Outer} {
			c.string(text)
		}
		integer(c, &f.Line)
		integer(c, &f.outer)
	})
	sequence(c, &n.Stacks, func(s *stackNumbers) {
		sequence(c, &s.Frames, func(frame *uint32) { integer(c, frame) })
		integer(c, &s.Omitted)
	})
	flag(c, &n.lacking)
}

func (c *codec) cause(cause *trace.Cause) {
	integer(c, &cause.ID)
	integer(c, &cause.Thread)
	integer(c, &cause.Type)
	integer(c, &cause.Time)
	c.bad = c.bad || cause.Type >= trace.ModelTypeCount || instantOf[cause.Type] == 0
}

func (c *codec) object(o *objectOf) {
	integer(c, &o.session)
	integer(c, &o.code)
}

// compare orders objects.
func (o objectOf) compare(other objectOf) int {
	return cmp.Or(cmp.Compare(o.session, other.session), cmp.Compare(o.code, other.code))
}

// facts writes or reads what the caller of Save keeps with the index.
func (c *codec) facts(all *map[string][]byte) { table(c, all, strings.Compare, c.string, c.bytes) }
