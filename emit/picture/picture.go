package picture

import (
	"fmt"
	"io"

	"github.com/trcx/trcx/analyze/timeline"
)

// Picture is the content of a picture.
type Picture struct {
	// Title is the name of the trace, Verdict the conclusion from it, in a sentence. "" leaves it out.
	Title, Verdict string
	// Notes are sentences at the bottom about what the trace cannot show. Sentences about what the picture leaves out
	// are added.
	Notes []string
	// Window is the activity of the threads. Its resolution may be finer than the picture's, because intervals that are
	// too short to see are summed up anyway.
	Window *timeline.Window
	// Threads are the threads of the lanes and the threads that they waited for, in any order. Other threads are shown
	// as unknown.
	Threads []timeline.Thread
	Options
}

// Options choose the form of a picture. The zero Options are for a pull request.
type Options struct {
	// Width is the width of the picture, in pixels at scale 1, from MinWidth to maxWidth; 0 is 1200.
	Width int
	// Lanes is the limit of threads; 0 is 40. Threads on the critical path and threads with long waits for locks are
	// preferred.
	Lanes int
	// Arrows is the limit of interactions; 0 is 100. Interactions that ended the longest waits are preferred.
	Arrows int
	// Scale is the number of pixels of a PNG for one of Width, such as 2 for screens of high density, from 1 to
	// MaxScale; 0 is 1. SVG ignores it.
	Scale int
	// Groups groups the threads by thread group, under its name.
	Groups bool
	// Dark is for dark backgrounds.
	Dark bool
}

// The limits of a picture.
const (
	MinWidth, maxWidth = 480, 8000 // pixels at scale 1
	maxScale           = 4
	maxPixels          = 100_000_000 // of a PNG
)

// Check returns an error that names an invalid option, or nil.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults returns the options with defaults for zero values, or an error that names an invalid one.
func (o Options) withDefaults() (Options, error) {
	for _, field := range []struct {
		name                 string
		value                *int
		instead, least, most int
	}{
		{"width", &o.Width, 1200, MinWidth, maxWidth}, {"number of lanes", &o.Lanes, 40, 1, 1 << 20},
		{"number of arrows", &o.Arrows, 100, 1, 1 << 20}, {"scale", &o.Scale, 1, 1, maxScale},
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
// elsewhere. Bars and arrows have tooltips. It returns errors of the options and of the writer.
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

// PNG writes the picture as a PNG image, Width times Scale pixels wide. It returns errors of the options and of the
// writer. Too many pixels are an error, too.
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
