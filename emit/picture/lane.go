package picture

import (
	"math"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/trace"
)

// The smallest widths of a bar with a pattern and of a bar with a tooltip.
const (
	patternWidth = 4
	tooltipWidth = 3
)

func (l *layout) drawGrid(c canvas) {
	even := false
	for i := range l.rows {
		r := &l.rows[i]
		if even = !even && r.lane != nil; even {
			c.box(rect{margin - 6, r.top, l.plot.right() - margin + 6, r.height()}, paint{colour: l.theme.band})
		}
	}
	for _, t := range l.ticks {
		x := math.Round(l.axis.x(t.time)*2) / 2
		c.line([]point{{x, l.plot.y - 4}, {x, l.plot.bottom()}}, pen{colour: l.theme.grid, width: 1})
	}
	c.line([]point{{l.plot.x, l.plot.y}, {l.plot.right(), l.plot.y}}, pen{colour: l.theme.rule, width: 1})
}

// drawBars draws the lane of a thread.
func (l *layout) drawBars(c canvas, r *row) {
	if dead, ok := l.deadBar(r); ok {
		c.begin(l.people.title(r.lane.Thread) + "\n" + trace.StateTerminated.String() + " since " +
			moment(r.thread.Died))
		c.box(dead, l.theme.state(int(timeline.Dead)))
		c.end()
	}
	for i := range r.pieces {
		p := &r.pieces[i]
		x := l.axis.x(p.begin)
		bar, about := r.bar(x, l.axis.x(p.end)-x), ""
		if bar.w >= tooltipWidth {
			about = l.people.aboutPiece(r.lane.Thread, p)
		}
		c.begin(about)
		switch {
		case p.span == nil:
			l.stack(c, bar, &p.times, float64(p.length()))
		case bar.w < patternWidth:
			c.box(bar, l.theme.narrow(int(p.span.State)))
		default:
			c.box(bar, l.theme.state(int(p.span.State)))
		}
		if l.isTorn(p) {
			l.tear(c, bar)
		}
		c.end()
	}
}

// stackOrder is the order of the states of a mix, from the bottom. The most important states begin at the same height.
var stackOrder = [timeline.StateCount]timeline.State{
	timeline.Deadlocked, timeline.WaitingForLock, timeline.WaitingForJoin, timeline.WaitingForObject,
	timeline.TimedWaiting, timeline.Parked, timeline.InIO, timeline.Sleeping,
	timeline.Running,
}

// stack draws the shares of states in a time.
func (l *layout) stack(c canvas, bar rect, times *[timeline.StateCount]float64, whole float64) {
	below := 0.0
	for _, state := range stackOrder {
		if times[state] <= 0 {
			continue
		}
		height := bar.h * times[state] / whole
		c.box(rect{bar.x, bar.bottom() - below - height, bar.w, height}, l.theme.narrow(int(state)))
		below += height
	}
}

// isTorn reports whether the trace ended, within the window, before the piece did.
func (l *layout) isTorn(p *piece) bool {
	return p.span != nil && p.span.Open && p.span.End <= l.axis.to && float64(p.length())/l.axis.pixel() >= tornWidth+2
}

// tornWidth is the depth in pixels to which the end of an open bar is torn.
const tornWidth = 4

// tear makes the right end of a bar look torn.
func (l *layout) tear(c canvas, bar rect) {
	const teeth = 4
	end, height := bar.right(), bar.h/teeth
	corners := []point{{end + 0.5, bar.y}}
	for i := range teeth {
		top := bar.y + float64(i)*height
		corners = append(corners, point{end, top}, point{end - tornWidth, top + height/2})
	}
	c.shape(append(corners, point{end, bar.bottom()}, point{end + 0.5, bar.bottom()}), l.theme.paper)
}

// deadBar returns the area where a thread is dead, if it is within the window.
func (l *layout) deadBar(r *row) (rect, bool) {
	if r.thread == nil || !r.thread.Dead || r.thread.Died >= l.axis.to {
		return rect{}, false
	}
	x := l.axis.inside(r.thread.Died)
	return rect{x, r.bar(0, 0).middle() - deadHeight/2.0, l.axis.left + l.axis.width - x, deadHeight}, true
}

// instants returns the instants of a lane that can be distinguished: for each pixel the first of each type.
func (l *layout) instants(r *row) (all []*timeline.Instant) {
	var next [timeline.InteractionCount]float64
	for i := range r.lane.Instants {
		instant := &r.lane.Instants[i]
		if instant.Time < l.axis.from || instant.Time > l.axis.to {
			continue
		}
		if x := l.axis.x(instant.Time); x >= next[instant.Type] {
			next[instant.Type] = x + 1
			all = append(all, instant)
		}
	}
	return all
}

// drawArrows draws the halos of arrows, the ribbon, which runs along many of them and must not be hidden, and the
// arrows.
func (l *layout) drawArrows(c canvas) {
	arrows := make([]*arrow, len(l.routes))
	for i := range l.routes {
		r := &l.routes[i]
		arrows[i] = arrowOf(&l.theme, int(r.of.Type), r.points, !r.tailless, !r.headless)
		arrows[i].halo(c, l.theme.paper)
	}
	l.drawRibbon(c, false)
	for i, a := range arrows {
		c.begin(l.people.aboutArrow(&l.routes[i].of))
		a.draw(c)
		c.end()
	}
}

// drawInstants draws timeouts, and interactions of threads that have no arrow.
func (l *layout) drawInstants(c canvas) {
	told := make(map[trace.EventID]bool, len(l.routes))
	for i := range l.routes {
		told[l.routes[i].of.From.Event] = true
	}
	for i := range l.rows {
		r := &l.rows[i]
		if r.lane == nil {
			continue
		}
		for _, instant := range l.instants(r) {
			if instant.Event != 0 && told[instant.Event] {
				continue
			}
			x, bar := l.axis.x(instant.Time), r.bar(0, 0)
			c.begin(l.people.aboutInstant(r.lane.Thread, instant))
			if instant.Type == timeline.Timeout {
				l.timeoutTick(c, x, bar.y)
			} else {
				c.shape(dot(point{x, bar.middle()}, dotRadius+haloWidth), l.theme.paper)
				c.shape(dot(point{x, bar.middle()}, dotRadius), l.theme.interaction(int(instant.Type)).colour)
			}
			c.end()
		}
	}
}

// timeoutTick draws a timeout on a bar whose upper edge is top.
func (l *layout) timeoutTick(c canvas, x, top float64) {
	pen := l.theme.interaction(int(timeline.Timeout))
	halo := pen
	halo.colour, halo.width = l.theme.paper, pen.width+1.5
	way := []point{{x, top - 3}, {x, top + 7}}
	c.line(way, halo)
	c.line(way, pen)
}

// drawRibbon draws the critical path: its links from lane to lane, which go below the bars, or the bands along lanes.
func (l *layout) drawRibbon(c canvas, links bool) {
	if len(l.ribbon) == 0 {
		return
	}
	c.begin("critical path")
	for _, b := range l.ribbon {
		if b.link == links {
			c.box(b.area, paint{colour: l.theme.ribbon()})
		}
	}
	c.end()
}

// piece is a part of a lane that is drawn as one: a span, or a sum of spans that are too short to see.
type piece struct {
	begin, end int64
	// times is how long the thread was in each state, in nanoseconds. The times of a mix sum to at most its length.
	times [timeline.StateCount]float64
	count uint64
	span  *timeline.Span // nil for a mix
}

func (p *piece) length() int64 { return p.end - p.begin }

// The lengths that are too short to see, in pixels.
const (
	shortest   = 1.5 // a shorter span is summed up with adjacent spans
	longestMix = 3   // up to about this length of a mix
)

// pieces returns the pieces of a lane within the window. pixel is the length of one pixel in nanoseconds.
func pieces(lane *timeline.Lane, from, to int64, pixel float64) (all []piece) {
	spans, mixes := lane.Spans, lane.Mixes
	for len(spans)+len(mixes) > 0 {
		var next piece
		if len(mixes) == 0 || len(spans) > 0 && spans[0].Begin <= mixes[0].Begin {
			next, spans = ofSpan(&spans[0], from, to), spans[1:]
		} else {
			next, mixes = ofMix(&mixes[0], from, to), mixes[1:]
		}
		if next.length() <= 0 {
			continue
		}
		if n := len(all); n > 0 && together(&all[n-1], &next, pixel) {
			all[n-1].add(&next)
			continue
		}
		all = append(all, next)
	}
	return all
}

func ofSpan(s *timeline.Span, from, to int64) piece {
	p := piece{begin: max(s.Begin, from), end: min(s.End, to), count: 1, span: s}
	p.times[s.State] = float64(p.length())
	return p
}

func ofMix(m *timeline.Mix, from, to int64) piece {
	p := piece{begin: max(m.Begin, from), end: min(m.End, to), count: m.Count}
	for state, time := range m.Times {
		p.times[state] = float64(time) * float64(p.length()) / float64(m.End-m.Begin)
	}
	return p
}

// together reports whether a piece and the previous one are summed up: both, and the gap between, are too short to see.
func together(before, next *piece, pixel float64) bool {
	length := func(p *piece) float64 { return float64(p.length()) / pixel }
	short := length(before) < shortest || before.span == nil && length(before) < longestMix
	return short && length(next) < shortest && float64(next.end-before.begin)/pixel <= longestMix
}

// add adds the next piece to the sum.
func (p *piece) add(next *piece) {
	p.end, p.span = next.end, nil
	p.count += next.count
	for state, time := range next.times {
		p.times[state] += time
	}
}
