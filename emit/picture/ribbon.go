package picture

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/timeline"
)

// band is a part of the ribbon along one lane, or the link to another lane, which is upright.
type band struct {
	area rect
	link bool
}

// linkWidth is the width of a link, linkGap the least distance of two.
const linkWidth, linkGap = 1.5, 4

// ribbonOf is the critical path as it runs through the rows. Where it goes on in another lane at once, a link leads
// there. Links are thin and go below the bars, so they hide no states.
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
		return cmp.Or(cmp.Compare(a.Begin, b.Begin),
			cmp.Compare(a.End, b.End))
	})
	var last *part
	drawn := make(map[*row]float64) // up to where
	linked := -float64(linkGap)
	for i := range parts {
		p := &parts[i]
		x, end := axis.inside(p.Begin), axis.inside(p.End)
		if begin := max(x, drawn[p.row]); end > begin {
			bands = append(bands, band{area: rect{begin, p.row.top + ribbonTop, end - begin, ribbonHeight}})
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
	return joined(bands)
}

// joined are the bands, without those that only go on where the one before them ends.
func joined(bands []band) (fewer []band) {
	for _, b := range bands {
		if n := len(fewer); n > 0 && !b.link && !fewer[n-1].link && fewer[n-1].area.y == b.area.y &&
			b.area.x-fewer[n-1].area.right() < 0.5 {
			fewer[n-1].area.w = b.area.right() - fewer[n-1].area.x
			continue
		}
		fewer = append(fewer, b)
	}
	return fewer
}
