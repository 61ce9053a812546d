package picture

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"github.com/trcx/trcx/emit/internal/theme"
)

// svg is a canvas that becomes an SVG document.
type svg struct {
	out   *bufio.Writer // keeps the first error up to finish
	theme *palette
	about []bool // for each begin without end: whether it has an element
	clips int
}

// svgFonts are the fonts of texts: first those whose letters are about as wide as the measured ones.
const svgFonts = "Go, Helvetica, Arial, Liberation Sans, Noto Sans, sans-serif"

func newSVG(out io.Writer, l *layout) *svg {
	s := &svg{out: bufio.NewWriter(out), theme: &l.theme}
	width, height := decimal(l.width), decimal(l.height)
	s.open("svg", "xmlns", "http://www.w3.org/2000/svg", "width", width, "height", height, "viewBox", "0 0 "+width+" "+
		height, "role", "img", "aria-label", l.title, "font-family", svgFonts, "xml:space", "preserve")
	s.element("desc", l.letters.shown(l.about, small))
	s.out.WriteByte('\n')
	s.definePatterns()
	return s
}

// finish ends the document. The error is the first one of the writer.
func (s *svg) finish() error {
	s.out.WriteString("</svg>\n")
	return s.out.Flush()
}

// definePatterns defines the patterns of all states, whether they occur or not.
func (s *svg) definePatterns() {
	s.open("defs")
	for code := range theme.States {
		p := s.theme.state(code)
		if p.pattern == theme.Plain {
			continue
		}
		side := strconv.Itoa(patternSize)
		s.open("pattern", "id", s.reference(p), "width", side, "height", side, "patternUnits", "userSpaceOnUse")
		s.empty("rect", "width", side, "height", side, "fill", p.colour)
		var way strings.Builder
		for _, line := range patterns[p.pattern].lines {
			way.WriteString(path(line[:]))
		}
		s.empty("path", "d", way.String(), "stroke", theme.Ink(p.colour), "stroke-width",
			decimal(patterns[p.pattern].width))
		s.out.WriteString("</pattern>")
	}
	s.out.WriteString("</defs>\n")
}

// reference returns the name of a pattern. A page may have several pictures, so the name has everything that the
// pattern depends on.
func (s *svg) reference(p paint) string { return "trcx-" + string(p.pattern) + "-" + p.colour[1:] }

func (s *svg) begin(about string) {
	s.about = append(s.about, about != "")
	if about != "" {
		s.open("g")
		s.element("title", about)
	}
}

func (s *svg) end() {
	last := len(s.about) - 1
	if s.about[last] {
		s.out.WriteString("</g>\n")
	}
	s.about = s.about[:last]
}

func (s *svg) box(area rect, fill paint) {
	colour := fill.colour
	if fill.pattern != "" && fill.pattern != theme.Plain {
		colour = "url(#" + s.reference(fill) + ")"
	}
	attributes := []string{"x", decimal(area.x), "y", decimal(area.y), "width", decimal(area.w), "height",
		decimal(area.h), "fill", colour}
	if area.w >= 1 && area.h >= 1 { // with crisp edges a thinner area may vanish
		attributes = append(attributes, "shape-rendering", "crispEdges")
	}
	s.empty("rect", attributes...)
	s.out.WriteByte('\n')
}

func (s *svg) line(points []point, pen pen) {
	attributes := []string{"d", path(points), "fill", "none", "stroke", pen.colour, "stroke-width", decimal(pen.width)}
	if len(pen.dash) > 0 {
		lengths := make([]string, len(pen.dash))
		for i, length := range pen.dash {
			lengths[i] = decimal(length)
		}
		attributes = append(attributes, "stroke-dasharray", strings.Join(lengths, " "))
	}
	s.empty("path", attributes...)
	s.out.WriteByte('\n')
}

func (s *svg) shape(points []point, colour string) {
	s.empty("path", "d", path(points)+"z", "fill", colour)
	s.out.WriteByte('\n')
}

func (s *svg) text(t text) {
	if t.clip.w > 0 {
		s.clips++
		id := "trcx-clip-" + strconv.Itoa(s.clips)
		s.open("clipPath", "id", id)
		s.empty("rect", "x", decimal(t.clip.x), "y", decimal(t.clip.y), "width", decimal(t.clip.w), "height",
			decimal(t.clip.h))
		s.out.WriteString("</clipPath>")
		s.open("g", "clip-path", "url(#"+id+")")
		defer s.out.WriteString("</g>\n")
	}
	attributes := []string{"x", decimal(t.at.x), "y", decimal(t.at.y), "font-size", decimal(t.style.size), "fill",
		t.colour, "unicode-bidi", "isolate"}
	if t.style.bold {
		attributes = append(attributes, "font-weight", "bold")
	}
	if t.anchor != left {
		attributes = append(attributes, "text-anchor", map[anchor]string{center: "middle", right: "end"}[t.anchor])
	}
	if t.squeezed {
		attributes = append(attributes, "textLength", decimal(t.width), "lengthAdjust", "spacingAndGlyphs")
	}
	s.element("text", t.words, attributes...)
	s.out.WriteByte('\n')
}

// open writes a start tag; attributes are names and values in turn.
func (s *svg) open(name string, attributes ...string) {
	s.tag(name, attributes)
	s.out.WriteByte('>')
}

// empty writes an element without content.
func (s *svg) empty(name string, attributes ...string) {
	s.tag(name, attributes)
	s.out.WriteString("/>")
}

// element writes an element that holds a text.
func (s *svg) element(name, text string, attributes ...string) {
	s.open(name, attributes...)
	s.escape(text)
	s.out.WriteString("</" + name + ">")
}

func (s *svg) tag(name string, attributes []string) {
	s.out.WriteString("<" + name)
	for i := 0; i < len(attributes); i += 2 {
		s.out.WriteString(" " + attributes[i] + `="`)
		s.escape(attributes[i+1])
		s.out.WriteByte('"')
	}
}

// escape writes a text as content or value.
func (s *svg) escape(text string) {
	// The writer keeps its error.
	_ = xml.EscapeText(s.out, []byte(text))
}

// path returns the points as the commands of a path.
func path(points []point) string {
	var b strings.Builder
	for i, p := range points {
		if i == 0 {
			b.WriteByte('M')
		} else {
			b.WriteByte('L')
		}
		b.WriteString(decimal(p.x) + " " + decimal(p.y))
	}
	return b.String()
}

// decimal returns a length rounded to hundredths of a pixel, as short as possible.
func decimal(length float64) string {
	text := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(length, 'f', 2, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
