package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/internal/theme"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// route is the path of an arrow, from the acting thread to the affected one.
type route struct {
	of       timeline.Arrow
	points   []point
	tailless bool // it begins before the window
	headless bool // it ends after the window
}

// chosenArrows returns arrows between the lanes of the picture, by ascending time and up to the limit, and notes about
// what is left out.
func chosenArrows(w *timeline.Window, rows map[trace.ThreadKey]*row, most int) (chosen []timeline.Arrow,
	notes []string) {
	away := 0
	for _, a := range w.Arrows {
		switch {
		case min(a.From.Time, a.To.Time) > w.To || max(a.From.Time, a.To.Time) < w.From:
		case rows[a.From.Thread] == nil || rows[a.To.Thread] == nil:
			away++
		default:
			chosen = append(chosen, a)
		}
	}
	left := w.ArrowsOmitted + uint64(max(0, len(chosen)-most))
	if len(chosen) > most {
		slices.SortStableFunc(chosen, func(a, b timeline.Arrow) int { return cmp.Compare(b.Waited, a.Waited) })
		chosen = chosen[:most]
	}
	slices.SortStableFunc(chosen, func(a, b timeline.Arrow) int { return cmp.Compare(a.To.Time, b.To.Time) })
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%s left out: those that are drawn ended longer waits.",
			phrase.Count(left, "arrow is", "arrows are")))
	}
	if away > 0 {
		notes = append(notes, fmt.Sprintf("%s from or to threads that are left out.",
			phrase.Count(away, "arrow is not drawn, for it leads", "arrows are not drawn, for they lead")))
	}
	return chosen, notes
}

// routeOf returns the route of an arrow: from the middle of a bar to the near edge of the other one, cut at the ends of
// the window.
func routeOf(a timeline.Arrow, rows map[trace.ThreadKey]*row, axis *axis) route {
	from, to := rows[a.From.Thread].bar(axis.x(a.From.Time), 0), rows[a.To.Thread].bar(axis.x(a.To.Time), 0)
	r := route{of: a}
	switch {
	case from.y < to.y:
		r.points = []point{{from.x, from.middle()}, {to.x, to.y}}
	case from.y > to.y:
		r.points = []point{{from.x, from.middle()}, {to.x, to.bottom()}}
	default: // over the bar
		above := from.y - 3
		r.points = []point{{from.x, from.y + 2}, {from.x, above}, {to.x, above}, {to.x, to.y + 2}}
	}
	r.cut(axis.left, axis.left+axis.width)
	return r
}

// cut removes the parts of the route outside of the window.
func (r *route) cut(left, right float64) {
	outside := func(p point) bool { return p.x < left || p.x > right }
	r.tailless, r.headless = outside(r.points[0]), outside(r.points[len(r.points)-1])
	for i, p := range r.points {
		if !outside(p) {
			continue
		}
		bound := min(max(p.x, left), right)
		if len(r.points) > 2 { // its parts are vertical or horizontal
			r.points[i].x = bound
			continue
		}
		q := r.points[1-i]
		r.points[i] = point{bound, p.y + (q.y-p.y)*(bound-p.x)/(q.x-p.x)}
	}
}

// headSize is the length of an arrow head in pixels.
const headSize = 6.5

// arrow is the drawing of an arrow.
type arrow struct {
	pen     pen
	way     []point
	tail    []point   // the disc at its beginning; nil if that is not visible
	strokes [][]point // of the head
	shapes  [][]point
}

// arrowOf returns an arrow through the points, with or without tail and head.
func arrowOf(colours *palette, code int, points []point, tail, head bool) *arrow {
	last := len(points) - 1
	a := &arrow{pen: colours.interaction(code), way: slices.Clone(points)}
	if head {
		a.strokes, a.shapes, a.way[last] = headOf(theme.Interactions[code].Head, points[last-1], points[last])
	}
	if tail {
		a.tail = dot(points[0], dotRadius)
	}
	return a
}

// dotRadius is the radius of the disc at the beginning of an arrow, haloWidth the width of the halo that separates it
// from shapes below it.
const (
	dotRadius = 2.2
	haloWidth = 0.9
)

// halo draws the halo of an arrow.
func (a *arrow) halo(c canvas, paper string) {
	around := pen{colour: paper, width: a.pen.width + 2*haloWidth}
	c.line(a.way, around)
	for _, s := range a.strokes {
		c.line(s, around)
	}
	around.width = 2 * haloWidth
	for _, s := range a.shapes {
		c.line(append(slices.Clone(s), s[0]), around)
	}
	if a.tail != nil {
		c.shape(dot(a.way[0], dotRadius+haloWidth), paper)
	}
}

// draw draws the arrow itself.
func (a *arrow) draw(c canvas) {
	if a.tail != nil {
		c.shape(a.tail, a.pen.colour)
	}
	c.line(a.way, a.pen)
	solid := a.pen
	solid.dash = nil
	for _, s := range a.strokes {
		c.line(s, solid)
	}
	for _, s := range a.shapes {
		c.shape(s, a.pen.colour)
	}
}

// headOf returns the strokes and shapes of an arrow head at the tip, and the point where the line to it ends.
func headOf(head theme.Head, before, tip point) (strokes, shapes [][]point, end point) {
	length := math.Hypot(tip.x-before.x, tip.y-before.y)
	if length == 0 {
		before, length = point{tip.x, tip.y - 1}, 1
	}
	dx, dy := (tip.x-before.x)/length, (tip.y-before.y)/length
	// at returns a point at these distances before the tip and to the side.
	at := func(back, aside float64) point {
		return point{tip.x - dx*back*headSize - dy*aside*headSize, tip.y - dy*back*headSize + dx*aside*headSize}
	}
	triangle := func(back float64) []point { return []point{at(back, 0), at(back+1, 0.45), at(back+1, -0.45)} }
	end = tip
	switch head {
	case theme.Open:
		strokes = [][]point{{at(1, 0.55), tip, at(1, -0.55)}}
	case theme.Filled:
		shapes, end = [][]point{triangle(0)}, at(0.8, 0)
	case theme.Double:
		shapes, end = [][]point{triangle(0), triangle(0.8)}, at(1.6, 0)
	case theme.Diamond:
		shapes, end = [][]point{{tip, at(0.55, 0.5), at(1.1, 0), at(0.55, -0.5)}}, at(1, 0)
	case theme.Bar:
		strokes = [][]point{{at(0.15, 0.7), at(0.15, -0.7)}}
	}
	return strokes, shapes, end
}

// dot returns a disc as a polygon.
func dot(middle point, radius float64) []point {
	const corners = 12
	all := make([]point, corners)
	for i := range all {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		all[i] = point{middle.x + radius*cos, middle.y + radius*sin}
	}
	return all
}

// band is a part of the ribbon along one lane, or the vertical link to another lane.
type band struct {
	area rect
	link bool
}

// linkWidth is the width of a link, linkGap the least distance between links.
const linkWidth, linkGap = 1.5, 4

// ribbonOf returns the critical path as it runs through the rows. Where it continues at once in another lane, a link
// leads there. Links are thin and go below the bars, so they hide no states.
func ribbonOf(rows []row, axis *axis) (bands []band) {
	type part struct {
		timeline.PathPart
		row *row
	}
	var parts []part
	for i := range rows {
		if rows[i].lane == nil {
			continue
		}
		for _, p := range rows[i].lane.Path {
			if p.End >= axis.from && p.Begin <= axis.to {
				parts = append(parts, part{p, &rows[i]})
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
	})
	var last *part
	drawn := make(map[*row]float64) // up to where
	linked := -float64(linkGap)
	for i := range parts {
		p := &parts[i]
		x, end := axis.inside(p.Begin), axis.inside(p.End)
		if begin := max(x, drawn[p.row]); end > begin {
			area := rect{begin, p.row.top + ribbonTop, end - begin, ribbonHeight}
			if n := len(bands); n > 0 && !bands[n-1].link && bands[n-1].area.y == area.y &&
				begin-bands[n-1].area.right() < 0.5 { // it only continues the previous one
				bands[n-1].area.w = area.right() - bands[n-1].area.x
			} else {
				bands = append(bands, band{area: area})
			}
			drawn[p.row] = end
		}
		touches := last != nil && float64(p.Begin-last.End) <= axis.pixel()
		if touches && last.row != p.row && p.Begin >= axis.from && x >= linked+linkGap {
			top, bottom := min(last.row.top, p.row.top)+ribbonTop, max(last.row.top, p.row.top)+ribbonTop+ribbonHeight
			at := min(max(x-linkWidth/2, axis.left), axis.left+axis.width-linkWidth)
			bands = append(bands, band{rect{at, top, linkWidth, bottom - top}, true})
			linked = x
		}
		last = p
	}
	return bands
}
