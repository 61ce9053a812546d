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
	integers(c, &x.start)
	integers(c, &x.last, &x.earliest, &x.furthest)
	integers(c, &x.Events)
	c.flags(&x.started, &x.Truncated, &x.CutOff, &x.possible, &x.Inferred)
	sequence(c, &x.Sessions, func(s *Session) {
		integers(c, &s.Index)
		integers(c, &s.start)
		c.strings(&s.Process)
	})
	c.threads(x)
	sequence(c, &x.Deadlocks, func(d *Deadlock) {
		integers(c, &d.Time)
		sequence(c, &d.Threads, func(key *trace.ThreadKey) { integers(c, key) })
	})
	integers(c, &x.strip.width)
	for state := range x.strip.times {
		sequence(c, &x.strip.times[state], func(n *int64) { integers(c, n) })
	}
	c.numbers(&x.numbers)
	table(c, &x.late, cmp.Compare, func(event *trace.EventID) { integers(c, event) }, c.cause)
	table(c, &x.classes, objectOf.compare, c.object, func(class *uint32) { integers(c, class) })
	table(c, &x.locks, objectOf.compare, c.object, func(lock *lockOf) {
		integers(c, &lock.object)
		integers(c, &lock.class)
	})
	x.changed, x.finished = slices.Sorted(maps.Keys(x.late)), true
}

// threads writes or reads the threads, and the blocks of the threads that have a lane.
func (c *codec) threads(x *Index) {
	size := x.Size()
	integers(c, &size)
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
		c.strings(&t.ID, &t.Name, &t.Group)
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
	integers(c, &e.session)
	integers(c, &e.born, &e.died, &e.onPath)
	c.flags(&e.dead, &e.aside)
	for state := range e.times {
		integers(c, &e.times[state])
		integers(c, &e.counts[state])
	}
	for i := range e.pieces {
		p := &e.pieces[i]
		integers(c, &p.offset, &p.last, &p.begin, &p.end)
		integers(c, &p.size, &p.sum, &p.records)
	}
}

func (c *codec) block(b *block) {
	integers(c, &b.offset, &b.from.time, &b.last, &b.ran, &b.begin, &b.end, &b.firstSpan, &b.spanEnd, &b.reach,
		&b.floor)
	integers(c, &b.size, &b.sum, &b.records, &b.arrows)
	integers(c, &b.from.event, &b.events.least, &b.events.most, &b.causes.least, &b.causes.most)
	for state := range b.times {
		integers(c, &b.times[state])
		integers(c, &b.counts[state])
	}
	for i := range b.instants {
		integers(c, &b.instants[i])
	}
	if b.arrows > 0 {
		c.arrow(&b.heaviest)
	}
}

func (c *codec) arrow(a *Arrow) {
	integers(c, &a.Type)
	c.bad = c.bad || a.Type >= InteractionCount
	integers(c, &a.From.Event, &a.To.Event)
	integers(c, &a.From.Thread, &a.To.Thread)
	integers(c, &a.From.Time, &a.To.Time, &a.Waited)
}

func (c *codec) numbers(n *numbers) {
	sequence(c, &n.Texts, func(text *string) { c.strings(text) })
	sequence(c, &n.Frames, func(f *Frame) {
		c.strings(&f.Class, &f.Method, &f.File, &f.Inner, &f.Outer)
		integers(c, &f.Line)
		integers(c, &f.outer)
	})
	sequence(c, &n.Stacks, func(s *stackNumbers) {
		sequence(c, &s.Frames, func(frame *uint32) { integers(c, frame) })
		integers(c, &s.Omitted)
	})
	c.flags(&n.lacking)
}

func (c *codec) cause(cause *trace.Cause) {
	integers(c, &cause.ID)
	integers(c, &cause.Thread)
	integers(c, &cause.Type)
	integers(c, &cause.Time)
	c.bad = c.bad || cause.Type >= trace.ModelTypeCount || instantOf[cause.Type] == 0
}

func (c *codec) object(o *objectOf) {
	integers(c, &o.session)
	integers(c, &o.code)
}

// compare orders objects.
func (o objectOf) compare(other objectOf) int {
	return cmp.Or(cmp.Compare(o.session, other.session), cmp.Compare(o.code, other.code))
}

// facts writes or reads what the caller of Save keeps with the index.
func (c *codec) facts(all *map[string][]byte) {
	table(c, all, strings.Compare, func(name *string) { c.strings(name) }, c.bytes)
}
