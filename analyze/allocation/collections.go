package allocation

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

// collections are the garbage collections so far.
type collections struct {
	count    uint32 // all that have ended
	inWindow uint32 // that ended before the window's end
	last     trace.Time
	ended    trace.Time // of the last one before the window's end
	lastFull bool       // the last one was a pause of a full one in the window

	seen    uint32           // pauses of full collections, before the window's end
	full    []fullCollection // that ended before the window's end
	first   int              // the first one of the window, counted from 1; 0 if it has not come
	unknown int              // how many of inWindow may be full or not: they count as full
	pauses  bool             // full has pauses; a collection may have several
}

// fullCollection is a garbage collection of the whole heap. It has one pause or more.
type fullCollection struct {
	number uint64 // 0 if it is unknown
	pause  uint32 // its latest pause, counted from 1
	end    trace.Time
}

// end returns the last pause of the numbered full collection, both counted from 1; 0 if the number is not positive.
func (g *collections) end(collection int) uint32 {
	if collection <= 0 {
		return 0
	}
	return g.full[collection-1].pause
}

// collected counts a collection.
func (c *Collector) collected(r *trace.Collection) {
	if r.Part {
		return
	}
	g := &c.collections
	g.count++
	g.last, g.lastFull = r.End, false
	if r.End >= c.until {
		return
	}
	g.inWindow, g.ended = g.count, r.End
	if r.End >= c.since {
		c.curve.collected(r)
	}
	switch {
	case r.FullKnown:
		if r.Full == 0 {
			return
		}
	case r.Name != "":
		if !isFull(r.Name) {
			return
		}
	default:
		g.unknown++
		g.pauses = g.pauses || r.Pause
	}
	g.addFull(r)
	if g.first == 0 && r.End >= c.since {
		g.first = len(g.full)
	}
}

// addFull adds a full collection, or a pause of the latest one.
func (g *collections) addFull(r *trace.Collection) {
	g.seen++
	g.lastFull = true
	last := len(g.full) - 1
	if last < 0 || r.Full == 0 || g.full[last].number != r.Full {
		g.full = append(g.full, fullCollection{number: r.Full})
		last++
	}
	g.full[last].pause, g.full[last].end = g.seen, r.End
}

// noun returns the word for what is counted as a full collection.
func (g *collections) noun() string {
	switch {
	case g.unknown == 0:
		return "full collection"
	case g.pauses:
		return "pause"
	default:
		return "collection"
	}
}

// isFull reports whether JVMs use the name for collections of the whole heap.
func isFull(name string) bool {
	collector, _, _ := strings.Cut(name, ":")
	for _, full := range []string{"Full", "Old", "Major", "MarkSweep", "Shenandoah"} {
		if strings.Contains(collector, full) {
			return true
		}
	}
	return collector == "Z" || collector == "ZGC"
}
