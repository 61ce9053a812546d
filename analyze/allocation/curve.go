package allocation

import "github.com/trcx/trcx/trace"

// curve has the garbage collections of the window, and what lived after each.
type curve struct {
	limit  int     // of the points; 0 has none
	live   float64 // bytes of the objects that live now
	points []collectionPoint
	// thinned is how many collections have no point because there were too many.
	thinned int
}

// collectionPoint is a garbage collection, or a pause of one.
type collectionPoint struct {
	trace.Collection
	live float64 // bytes of the objects that lived after it
}

// collected adds a point. Of too many points, the one of the shorter pause of each two neighbours goes.
func (c *curve) collected(r *trace.Collection) {
	if c.limit == 0 {
		return
	}
	c.points = append(c.points, collectionPoint{*r, c.live})
	if len(c.points) < c.limit {
		return
	}
	kept := c.points[:0]
	for i := 0; i+1 < len(c.points); i += 2 {
		longer := c.points[i]
		if next := c.points[i+1]; next.Paused > longer.Paused {
			longer = next
		}
		kept = append(kept, longer)
	}
	c.thinned += len(c.points) - len(kept)
	c.points = kept
}

// free counts an object that was freed. One that a collection has found was dead from the latest one on.
func (c *curve) free(bytes float64, collected bool) {
	c.live -= bytes
	if last := len(c.points) - 1; collected && last >= 0 {
		c.points[last].live -= bytes
	}
}
