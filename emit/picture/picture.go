package picture

import (
	"fmt"
	"io"

	"github.com/trcx/trcx/analyze/timeline"
)

// Picture is the content of a picture.
type Picture struct {
	// Title is the name of the trace, Verdict the conclusion from it, in a sentence. "" is none.
	Title, Verdict string
	// Notes are sentences at the bottom, on what the trace cannot show. Those on what the picture leaves out are added
	// to them.
	Notes []string
	// Window is the activity of the threads. Its resolution may be finer than the picture's: intervals that are too
	// short to be seen are summed up in any case.
	Window *timeline.Window
	// Threads are those of the lanes, and those that these waited for, in any order. A thread that is not among them is
	// shown as unknown.
	Threads []timeline.Thread
	Options
}

// Options choose the form of a picture. The zero Options are for a pull request.
type Options struct {
	// Width is the width of the picture, in pixels at scale 1, from MinWidth to MaxWidth; 0 is 1200.
	Width int
	// Lanes is how many threads are shown at most; 0 is 40. Those on the critical path, and those that waited long for
	// locks, come first.
	Lanes int
	// Arrows is how many interactions are shown at most, those that ended the longest waits; 0 is 100.
	Arrows int
	// Scale is how many pixels of a PNG are one of the width: 2 for screens of high density. From 1 to 4; 0 is 1. SVG
	// has no use for it.
	Scale int
	// Groups brings the threads of a thread group together, under its name.
	Groups bool
	// Dark is for dark backgrounds.
	Dark bool
}

// The bounds of a picture.
const (
	MinWidth, MaxWidth = 480, 8000 // pixels at scale 1
	MaxScale           = 4
	maxPixels          = 100_000_000 // of a PNG
)

// Check is the error for options that cannot be; it says which of them.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults are the options with what is left to the package, or an error that says which of them cannot be.
func (o Options) withDefaults() (Options, error) {
	for _, field := range []struct {
		name                 string
		value                *int
		instead, least, most int
	}{
		{"width", &o.Width, 1200, MinWidth, MaxWidth}, {"number of lanes", &o.Lanes, 40, 1, 1 << 20},
		{"number of arrows", &o.Arrows, 100, 1, 1 << 20},
		{"scale", &o.Scale, 1, 1, MaxScale},
	} {
		if *field.value == 0 {
			*field.value = field.instead
		}
		if *field.value < field.least || *field.value > field.most {
			return o, fmt.Errorf("the %s is %d, and must be from %d to %d", field.name, *field.value, field.least,
				field.most)
		}
	}
	return o, nil
}

// SVG writes the picture as an SVG document: XML 1.0 in UTF-8, without scripts, style sheets or anything from
// elsewhere. Tooltips say what each bar and arrow is. The error is that of the options or of the writer.
func SVG(out io.Writer, p *Picture) error {
	options, err := p.withDefaults()
	if err != nil {
		return err
	}
	l := arrange(p, options, newLetters(asText))
	canvas := newSVG(out, l)
	l.draw(canvas)
	return canvas.finish()
}

// PNG writes the picture as a PNG image of Width times Scale pixels width. The error is that of the options or of the
// writer, or says that there would be too many pixels.
func PNG(out io.Writer, p *Picture) error {
	options, err := p.withDefaults()
	if err != nil {
		return err
	}
	l := arrange(p, options, newLetters(asGlyphs))
	canvas, err := newPNG(l, options.Scale)
	if err != nil {
		return err
	}
	l.draw(canvas)
	return canvas.finish(out)
}
