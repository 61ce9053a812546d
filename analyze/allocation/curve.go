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

// collected adds a point.
func (c *curve) collected(r *trace.Collection) {
	if c.limit == 0 {
		return
	}
	if len(c.points) >= c.limit {
		c.thin()
	}
	c.points = append(c.points, collectionPoint{*r, c.live})
}

// thin drops the point of the shorter pause of each two neighbours.
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

// free counts an object that was freed. One that a collection has found was dead from the end of the latest one on.
func (c *curve) free(bytes float64, collected trace.Time, found bool) {
	c.live -= bytes
	if last := len(c.points) - 1; found && last >= 0 && c.points[last].End == collected {
		c.points[last].live -= bytes
	}
}
