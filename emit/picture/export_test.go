package picture

import "github.com/trcx/trcx/analyze/timeline"

// Drawn has the parts of a picture as they are drawn.
type Drawn struct {
	Width, Height            float64
	Left, Top, Right, Bottom float64 // of the lanes
	Paper                    string
	Boxes                    []Box
	Points                   [][2]float64 // of lines and shapes
	Texts                    []Words
	open                     int
}

// Box is a rectangle that is filled.
type Box struct {
	X, Y, W, H float64
	Colour     string
}

// Words are a text and its rectangle.
type Words struct {
	Text       string
	X, Y, W, H float64
}

// Draw returns what is drawn for SVG or PNG.
func Draw(p *Picture, png bool) (*Drawn, error) {
	o, err := p.withDefaults()
	if err != nil {
		return nil, err
	}
	kind := asText
	if png {
		kind = asGlyphs
	}
	l := arrange(p, o, newLetters(kind))
	d := &Drawn{Width: l.width, Height: l.height, Left: l.plot.x, Top: l.plot.y, Right: l.plot.right(),
		Bottom: l.plot.bottom(), Paper: l.theme.paper}
	l.draw(d)
	if d.open != 0 {
		panic("what begins does not end")
	}
	return d, nil
}

func (d *Drawn) begin(string)        { d.open++ }
func (d *Drawn) end()                { d.open-- }
func (d *Drawn) box(r rect, p paint) { d.Boxes = append(d.Boxes, Box{r.x, r.y, r.w, r.h, p.colour}) }
func (d *Drawn) line(points []point, p pen) {
	d.shape(points, p.colour)
}

func (d *Drawn) shape(points []point, _ string) {
	for _, p := range points {
		d.Points = append(d.Points, [2]float64{p.x, p.y})
	}
}

func (d *Drawn) text(t text) {
	w := Words{t.words, t.at.x, t.at.y - 0.75*t.style.size, t.width, t.style.size}
	switch t.anchor {
	case center:
		w.X -= t.width / 2
	case right:
		w.X -= t.width
	}
	d.Texts = append(d.Texts, w)
}

// StateColour returns the colour of a state and the height of its bar.
func StateColour(state timeline.State, dark bool) (string, float64) {
	o := Options{Dark: dark}
	t := o.theme()
	return t.state(int(state)).colour, barHeight
}

// Ticks returns the times and labels of the ticks of an axis of the given width in pixels.
func Ticks(from, to int64, width float64) (times []int64, labels []string) {
	l := newLetters(asText)
	a := axis{from, to, 0, width}
	for _, t := range a.ticks(func(label string) float64 { return l.width(label, small) }) {
		times, labels = append(times, t.time), append(labels, t.label)
	}
	return times, labels
}

// Fit and Wrap fit and wrap a text in letters of size 12.
func Fit(text string, limit float64) string { return newLetters(asText).fit(text, label, limit) }

func Wrap(text string, limit float64, most int) []string {
	return newLetters(asText).wrap(text, label, limit, most)
}

func Width(text string) float64 { return newLetters(asText).width(text, label) }

func Shown(text string, png bool) string {
	if png {
		return newLetters(asGlyphs).shown(text, label)
	}
	return newLetters(asText).shown(text, label)
}
