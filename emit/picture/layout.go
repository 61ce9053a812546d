package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// layout is a picture with the places of its parts: first the inputs of the layout, then a field for each part.
type layout struct {
	theme         palette
	letters       *letters
	people        people
	width, height float64
	title, about  string // the accessible name and description
	texts         []text
	plot          rect // where the lanes are
	axis          axis
	ticks         []tick
	rows          []row
	byThread      map[trace.ThreadKey]*row
	ribbon        []band
	routes        []route
	keys          []entry
	occurs        occurrences
}

// The styles of texts.
var (
	heading1 = style{17, true}
	sentence = style{13, false}
	label    = style{12, false}
	heading2 = style{11.5, true}
	small    = style{11.5, false}
)

// The distances around the picture and the lanes, and the limit of lines.
const (
	margin     = 18.0
	labelGap   = 12
	axisHeight = 22
	rightGap   = 8
	mostLines  = 4 // of a verdict or note
)

// arrange lays out the picture.
func arrange(p *Picture, o Options, letters *letters) *layout {
	l := &layout{theme: o.theme(), letters: letters, people: peopleOf(p.Threads), width: float64(o.Width)}
	lanes, ofJVM := ofProgram(p.Window.Lanes, l.people)
	lanes, others := choose(lanes, l.people, o.Lanes)
	notes := slices.Clone(p.Notes)
	for _, note := range []string{ofJVM, others} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	l.rows = rowsOf(lanes, l.people, o.Groups)
	y := l.head(p, len(lanes))
	y = l.place(p.Window, y)
	arrows, more := chosenArrows(p.Window, l.byThread, o.Arrows)
	l.fill(arrows)
	y = l.legend(y+10, l.width-2*margin)
	l.height = math.Ceil(l.foot(append(notes, more...), y+6) + margin)
	return l
}

// head lays out the texts above the lanes, and returns their lower edge.
func (l *layout) head(p *Picture, lanes int) (y float64) {
	inner := l.width - 2*margin
	threads := phrase.Count(len(p.Window.Lanes), "thread")
	if lanes < len(p.Window.Lanes) {
		threads = fmt.Sprintf("%d of %s", lanes, threads)
	}
	facts := phrase.Duration(p.Window.To-p.Window.From) + " of " + threads
	right := l.letters.put(facts, small, l.theme.quiet, point{l.width - margin, margin + 14}, right, inner/2)
	l.texts = append(l.texts, right)
	l.title, l.about = l.letters.shown(p.Title, heading1), facts
	if p.Title != "" {
		l.texts = append(l.texts, l.letters.put(p.Title, heading1, l.theme.words, point{margin, margin + 14},
			left, inner-right.width-20))
	}
	y = margin + 22
	if p.Verdict != "" {
		l.about = p.Verdict + " " + facts
		y = l.paragraph(p.Verdict, sentence, l.theme.words, y, "")
	}
	return math.Ceil(y + 6) // bars begin at whole pixels
}

// paragraph lays out the lines of a text, and returns its lower edge.
func (l *layout) paragraph(words string, s style, colour string, y float64, bullet string) float64 {
	indent := l.letters.width(bullet, s)
	limit := l.width - 2*margin - indent
	for i, line := range l.letters.wrap(l.letters.shown(words, s), s, limit*0.95, mostLines) {
		y += s.size * 1.45
		if i == 0 && bullet != "" {
			l.texts = append(l.texts, l.letters.put(bullet, s, colour, point{margin, y - 4}, left, 2*indent))
		}
		l.texts = append(l.texts, l.letters.put(line, s, colour, point{margin + indent, y - 4}, left, limit))
	}
	return y
}

// place lays out the rows and the axis, and returns their lower edge.
func (l *layout) place(w *timeline.Window, y float64) float64 {
	names := l.nameWidth()
	l.plot.x = margin + names + labelGap
	l.plot.w = l.width - margin - rightGap - l.plot.x
	l.axis = axis{w.From, max(w.To, w.From+1), l.plot.x, l.plot.w}
	l.ticks = l.axis.ticks(func(label string) float64 { return l.letters.width(label, small) })
	for _, t := range l.ticks {
		half := l.letters.width(t.label, small) / 2
		at := point{min(l.axis.x(t.time), l.width-margin-half), y + axisHeight - 8} // within the picture
		l.texts = append(l.texts, text{at: at, words: t.label, style: small, colour: l.theme.quiet, anchor: center,
			width: 2 * half})
	}
	l.plot.y = y + axisHeight
	l.byThread = make(map[trace.ThreadKey]*row)
	y = l.plot.y
	for i := range l.rows {
		r := &l.rows[i]
		r.top = y
		y += r.height()
		if r.lane == nil {
			l.texts = append(l.texts, l.letters.put(r.name, heading2, l.theme.quiet, point{margin, y - 7}, left,
				l.width-2*margin))
			continue
		}
		l.byThread[r.lane.Thread] = r
		l.texts = append(l.texts, l.letters.put(r.name, label, l.theme.words, point{margin, r.top + 15}, left, names))
	}
	l.plot.h = y - l.plot.y
	return y
}

// nameWidth returns the width of the column of names: the widest name, up to a limit.
func (l *layout) nameWidth() (widest float64) {
	for i := range l.rows {
		if l.rows[i].lane != nil {
			widest = max(widest, l.letters.width(l.letters.shown(l.rows[i].name, label), label))
		}
	}
	return min(widest/0.85+1, max(110, 0.2*l.width))
}

// fill lays out the content of the lanes.
func (l *layout) fill(arrows []timeline.Arrow) {
	for i := range l.rows {
		r := &l.rows[i]
		if r.lane == nil {
			continue
		}
		r.pieces = pieces(r.lane, l.axis.from, l.axis.to, l.axis.pixel())
		l.occur(r)
		if l.isSilent(r) {
			at := point{l.plot.x + 4, r.top + 15}
			l.texts = append(l.texts, l.letters.put(silence, small, l.theme.quiet, at, left, l.plot.w))
		}
	}
	for _, a := range arrows {
		l.routes = append(l.routes, routeOf(a, l.byThread, &l.axis))
		l.occurs.interactions[a.Type] = true
	}
	l.ribbon = ribbonOf(l.rows, &l.axis)
	l.occurs.path = len(l.ribbon) > 0
}

// silence is the text in the lane of a thread without events, whose states are unknown.
const silence = "no events"

// isSilent reports whether the trace has no state of the thread and the window has no interaction of it.
func (l *layout) isSilent(r *row) bool {
	return r.thread != nil && r.thread.Counts == [timeline.StateCount]uint64{} && len(r.pieces) == 0 &&
		!r.thread.Dead && len(r.lane.Instants) == 0
}

// occur records the states and interactions in a lane.
func (l *layout) occur(r *row) {
	for i := range r.pieces {
		p := &r.pieces[i]
		for state, time := range p.times {
			l.occurs.states[state] = l.occurs.states[state] || time > 0
		}
		l.occurs.mixes = l.occurs.mixes || p.span == nil
		l.occurs.open = l.occurs.open || l.isTorn(p)
	}
	if _, ok := l.deadBar(r); ok {
		l.occurs.states[timeline.Dead] = true
	}
	for _, i := range l.instants(r) {
		l.occurs.interactions[i.Type] = true
	}
}

// foot lays out the notes, and returns their lower edge.
func (l *layout) foot(notes []string, y float64) float64 {
	for _, note := range notes {
		y = l.paragraph(note, small, l.theme.quiet, y, "• ")
	}
	l.about = strings.Join(append([]string{l.about}, notes...), " ")
	return y
}

// draw draws the picture.
func (l *layout) draw(c canvas) {
	c.box(rect{0, 0, l.width, l.height}, paint{colour: l.theme.paper})
	l.drawGrid(c)
	l.drawRibbon(c, true)
	for i := range l.rows {
		l.drawBars(c, &l.rows[i])
	}
	l.drawArrows(c)
	l.drawInstants(c)
	for _, key := range l.keys {
		key.draw(c, key.sample)
		c.text(key.words)
	}
	for _, t := range l.texts {
		c.text(t)
	}
}

// axis maps times to places.
type axis struct {
	from, to    int64
	left, width float64
}

// pixel returns the width of a pixel in nanoseconds.
func (a *axis) pixel() float64 { return float64(a.to-a.from) / a.width }

// x returns the place of a time, which may be outside.
func (a *axis) x(time int64) float64 { return a.left + float64(time-a.from)/a.pixel() }

// inside returns the place of a time, or the nearer end of the axis.
func (a *axis) inside(time int64) float64 { return a.x(min(max(time, a.from), a.to)) }

// tick is a labelled time of the axis.
type tick struct {
	time  int64
	label string
}

// units are the units of times.
var units = []struct {
	name  string
	nanos int64
}{{"s", 1_000_000_000}, {"ms", 1_000_000}, {"µs", 1000}, {"ns", 1}}

// ticks returns as many round times as fit with their labels.
func (a *axis) ticks(width func(label string) float64) (all []tick) {
	const between = 36
	for step := int64(1); ; step = rounder(step) {
		if float64(step)/a.pixel() < between {
			if step > math.MaxInt64/10 {
				return nil
			}
			continue
		}
		label := labels(max(a.to, -a.from), step)
		if float64(step)/a.pixel() < between+max(width(label(a.from)), width(label(a.to))) && step <= math.MaxInt64/10 {
			continue
		}
		for time := a.from / step * step; time <= a.to; time += step {
			if time >= a.from {
				all = append(all, tick{time, label(time)})
			}
			if time > math.MaxInt64-step {
				break
			}
		}
		return all
	}
}

// rounder returns the next step of 1, 2, 5, 10, 20, …
func rounder(step int64) int64 {
	power := int64(1)
	for step/power >= 10 {
		power *= 10
	}
	if step/power == 2 {
		return 5 * power
	}
	return 2 * step
}

// labels returns a function that formats times up to the latest in one unit, as exactly as the steps need.
func labels(latest, step int64) func(time int64) string {
	unit := units[len(units)-1]
	for _, u := range units {
		if latest >= u.nanos {
			unit = u
			break
		}
	}
	decimals := 0
	for part := unit.nanos; part > step; part /= 10 {
		decimals++
	}
	return func(time int64) string {
		if time == 0 {
			return "0"
		}
		return strconv.FormatFloat(float64(time)/float64(unit.nanos), 'f', decimals, 64) + " " + unit.name
	}
}
