package picture

import "github.com/trcx/trcx/emit/internal/theme"

// canvas draws one of the output formats. Lengths are in pixels at scale 1, from the left and from the top; colours are
// written #RRGGBB. Later shapes cover earlier ones.
type canvas interface {
	// begin sets the tooltip of everything drawn until end; "" is no tooltip.
	begin(about string)
	end()
	// box fills a rectangle, without a seam to adjacent ones.
	box(area rect, fill paint)
	// line draws a line through the points.
	line(points []point, pen pen)
	// shape fills a polygon.
	shape(points []point, colour string)
	// text writes a line of text, which letters has fitted to the canvas and a width.
	text(t text)
}

// point is a place.
type point struct{ x, y float64 }

// rect is an upright rectangle.
type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }
func (r rect) middle() float64 { return r.y + r.h/2 }

// paint is the fill of a rectangle.
type paint struct {
	colour  string
	pattern theme.Pattern // "" is plain
}

// pen is the stroke of a line.
type pen struct {
	colour string
	width  float64
	dash   []float64 // lengths of dashes and gaps, in turn; nil is a solid line
}

// text is a line of text. At is the left end, the middle or the right end of its base line.
type text struct {
	at     point
	words  string
	style  style
	colour string
	anchor anchor
	width  float64 // its approximate width
	// squeezed is set if the text fills its width, so that a font wider than the measured one must be squeezed.
	squeezed bool
	// clip is the area that the text must not leave, whatever the font; a width of 0 is no limit.
	clip rect
}

// style is the size of letters, in pixels, and whether they are bold.
type style struct {
	size float64
	bold bool
}

// anchor is the point of a text that At is about.
type anchor uint8

const (
	left anchor = iota
	center
	right
)

// patternSize is the length of the sides of the square that a pattern repeats.
const patternSize = 6

// patterns has the lines of each pattern's square. They may leave the square: the adjacent squares show the rest.
var patterns = map[theme.Pattern]struct {
	lines [][2]point
	width float64
}{
	theme.Dots:       {[][2]point{{{1, 1.5}, {2, 1.5}}, {{4, 4.5}, {5, 4.5}}}, 1},
	theme.Diagonal:   {rising, 1.3},
	theme.Horizontal: {[][2]point{{{0, 1.5}, {6, 1.5}}, {{0, 4.5}, {6, 4.5}}}, 1},
	theme.Vertical:   {[][2]point{{{1.5, 0}, {1.5, 6}}, {{4.5, 0}, {4.5, 6}}}, 1},
	theme.Cross:      {append(append([][2]point{}, rising...), falling...), 1.3},
	theme.Falling:    {falling, 1.3},
	theme.Grid:       {[][2]point{{{0, 3}, {6, 3}}, {{3, 0}, {3, 6}}}, 1},
	theme.Checks:     {[][2]point{{{0, 1.5}, {3, 1.5}}, {{3, 4.5}, {6, 4.5}}}, 3},
}

var (
	rising  = [][2]point{{{-1, 1}, {1, -1}}, {{-1, 7}, {7, -1}}, {{5, 7}, {7, 5}}}
	falling = [][2]point{{{-1, 5}, {1, 7}}, {{-1, -1}, {7, 7}}, {{5, -1}, {7, 1}}}
)

// palette has the colours of a picture that have no meaning.
type palette struct {
	dark                                  bool
	paper, words, quiet, grid, rule, band string
}

// The themes. paper is the background, band the background of every other lane. quiet is for less important words.
var (
	light = palette{false, "#FFFFFF", "#1F2328", "#59636E", "#E3E8ED", "#AEB7C0", "#F6F8FA"}
	dark  = palette{true, "#11161D", "#E6EDF3", "#9DA7B3", "#242C36", "#4A5563", "#161D26"}
)

func (o *Options) theme() palette {
	if o.Dark {
		return dark
	}
	return light
}

// pick returns the one of two colours that suits the background.
func (t *palette) pick(light, dark string) string {
	if t.dark {
		return dark
	}
	return light
}

// state returns the fill of a state.
func (t *palette) state(code int) paint {
	s := &theme.States[code]
	return paint{t.pick(s.Light, s.Dark), s.Pattern}
}

// narrow returns the fill of a state in a bar that is too narrow for a pattern.
func (t *palette) narrow(code int) paint { return paint{colour: t.state(code).colour} }

// interaction returns the stroke of an interaction.
func (t *palette) interaction(code int) pen {
	i := &theme.Interactions[code]
	return pen{t.pick(i.Light, i.Dark), i.Width, i.Dash}
}

// ribbon is the colour of the critical path.
func (t *palette) ribbon() string { return t.pick(theme.Path.Light, theme.Path.Dark) }
