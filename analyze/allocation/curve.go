package allocation

import "github.com/trcx/trcx/trace"

// curve has the garbage collections of the window, and the live bytes after each.
type curve struct {
	limit  int     // of the points; 0 for no points
	live   float64 // bytes of the objects that live now
	points []collectionPoint
	ended  uint64 // number of the latest collection whose end is known
	// thinned counts the collections without a point, because there were too many.
	thinned int
}

// collectionPoint is a garbage collection, or a pause of one.
type collectionPoint struct {
	trace.Collection
	live float64 // bytes of the objects that lived after it
}

// collected adds a point.
func (c *curve) collected(r *trace.Collection) {
	if c.limit == 0 {
		return
	}
	if last := len(c.points) - 1; last >= 0 && c.points[last].Number != r.Number {
		c.endCollection()
	}
	if len(c.points) >= c.limit {
		c.thin()
	}
	c.points = append(c.points, collectionPoint{*r, c.live})
	if !r.Pause {
		c.ended = r.Number
	}
}

// endCollection marks the latest pause as the end of its collection, unless an earlier one was: G1 marks objects while
// the program runs, with pauses after the end of a collection.
func (c *curve) endCollection() {
	if len(c.points) == 0 {
		return
	}
	if last := &c.points[len(c.points)-1]; last.Number != c.ended {
		last.Pause = false
		c.ended = last.Number
	}
}

// thin drops, of each two neighbours, the point of the shorter pause.
func (c *curve) thin() {
	kept := c.points[:0]
	for i := 0; i < len(c.points); i += 2 {
		longer := c.points[i]
		if i+1 < len(c.points) && c.points[i+1].Paused > longer.Paused {
			longer = c.points[i+1]
		}
		kept = append(kept, longer)
	}
	c.thinned += len(c.points) - len(kept)
	c.points = kept
}

// free counts an object that was freed. If a collection found it, it was dead from the end of the latest one on.
func (c *curve) free(bytes float64, collected trace.Time, found bool) {
	c.live -= bytes
	if last := len(c.points) - 1; found && last >= 0 && c.points[last].End == collected {
		c.points[last].live -= bytes
	}
}
