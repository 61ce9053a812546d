// Package picture draws what threads did as a picture for documents and pull requests: SVG, or PNG.
//
// It is at the end of the walk, as emit/page is: a window of analyze/timeline comes in, with the words that stand
// around it. The picture is laid out once (layout.go and the files that are named after its parts), and drawn on a
// canvas, of which there are two (svg.go, png.go). Lanes are threads, a bar is what a thread did, arrows are
// interactions; what all this looks like is said by internal/theme.
//
// # What is too much
//
// A picture is looked at as a whole, so it has bounds: what is too short to be seen stands together as shares, lanes
// and arrows beyond the bounds are left out, and long names lose their middle. Notes at the bottom say how much is left
// out. The size of the output follows from these bounds, not from the length of the trace.
//
// # Names
//
// Names come from traces and may be anything. They never become markup, and what turns the direction of text or is no
// character is shown as an escape. The font of PNG has no glyphs for many scripts: such characters stand there as
// U+XXXX, for nothing is to be invented. In SVG text stays text.
package picture
