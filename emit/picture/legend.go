package picture

import (
	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/internal/theme"
)

// entry is an entry of the legend: a sample and its meaning.
type entry struct {
	sample rect
	draw   func(c canvas, sample rect)
	words  text
	apart  bool // it begins a line
}

// occurrences are the states and interactions in a picture, which its legend explains.
type occurrences struct {
	states       [timeline.StateCount + 1]bool
	interactions [timeline.InteractionCount]bool
	mixes, open  bool
	path         bool
}

// The sizes of samples.
const (
	legendHeight = 22
	sampleWidth  = 28
	sampleHeight = barHeight
	sampleGap    = 7
	entryGap     = 22
)

// legend lays out an entry for each thing that occurs, in lines of at most the width, and returns its lower edge.
func (l *layout) legend(top, width float64) (bottom float64) {
	x, y := margin, top
	for _, e := range l.entries() {
		limit := width - sampleWidth - sampleGap
		e.words = l.letters.put(e.words.words, small, l.theme.words, point{}, left, limit)
		if whole := sampleWidth + sampleGap + e.words.width; x > margin && (e.apart || x+whole > margin+width) {
			x, y = margin, y+legendHeight
		}
		e.sample = rect{x, y + (legendHeight-sampleHeight)/2, sampleWidth, sampleHeight}
		e.words.at = point{x + sampleWidth + sampleGap, e.sample.middle() + 4}
		x = e.words.at.x + e.words.width + entryGap
		l.keys = append(l.keys, e)
	}
	return y + legendHeight
}

// entries returns the entries of the legend, without places.
func (l *layout) entries() (all []entry) {
	add := func(label string, draw func(c canvas, sample rect)) {
		all = append(all, entry{draw: draw, words: text{words: label}})
	}
	for code, occurs := range l.occurs.states {
		if occurs {
			add(theme.States[code].Label, func(c canvas, r rect) {
				if code == int(timeline.Dead) {
					r = rect{r.x, r.middle() - deadHeight/2.0, r.w, deadHeight}
				}
				c.box(r, l.theme.state(code))
			})
		}
	}
	if l.occurs.mixes {
		add("too short to be seen: shares of time", l.mixSample)
	}
	if l.occurs.open {
		add("goes on at the trace's end", func(c canvas, r rect) {
			c.box(r, l.theme.narrow(int(timeline.Running)))
			l.tear(c, r)
		})
	}
	if l.occurs.path {
		add(theme.Path.Label, func(c canvas, r rect) {
			c.box(rect{r.x, r.middle() - ribbonHeight/2.0, r.w, ribbonHeight}, paint{colour: l.theme.ribbon()})
		})
	}
	apart := len(all)
	for code, occurs := range l.occurs.interactions {
		if occurs {
			add(theme.Interactions[code].Label, func(c canvas, r rect) { l.interactionSample(c, r, code) })
		}
	}
	if apart < len(all) {
		all[apart].apart = true
	}
	return all
}

// mixSample draws a mix of the occurring states.
func (l *layout) mixSample(c canvas, r rect) {
	columns := [][timeline.StateCount]float64{{timeline.Running: 6, timeline.WaitingForLock: 4},
		{timeline.Running: 3, timeline.WaitingForLock: 7}, {timeline.Running: 8, timeline.WaitingForLock: 2}}
	width := r.w / float64(len(columns))
	for i, times := range columns {
		l.stack(c, rect{r.x + float64(i)*width, r.y, width, r.h}, &times, 10)
	}
}

func (l *layout) interactionSample(c canvas, r rect, code int) {
	if code == int(timeline.Timeout) {
		bar := rect{r.x + 4, r.y, r.w - 8, r.h}
		c.box(bar, l.theme.narrow(int(timeline.WaitingForObject)))
		l.timeoutTick(c, bar.x+bar.w/2, bar.y)
		return
	}
	arrowOf(&l.theme, code, []point{{r.x + 2.5, r.middle()}, {r.right(), r.middle()}}, true, true).draw(c)
}
