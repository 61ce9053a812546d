// Package picture draws a timeline for documents and pull requests, as SVG or PNG.
//
// It consumes a window of analyze/timeline and the texts around it. The picture is laid out once (layout.go, and a file
// for each part), and drawn on one of two canvases (svg.go, png.go). A lane is a thread, a bar is a state, an arrow is
// an interaction; emit/internal/theme has their colors and patterns.
//
// # Limits
//
// A picture is seen as a whole, so its content is limited: intervals that are too short to see are summed up as shares,
// lanes and arrows above the limits are left out, and long names lose their middle. Notes at the bottom say how much is
// left out. The size of the output depends on these limits, not on the length of the trace.
//
// # Names
//
// Names come from traces and may be any text. They never become markup, and characters that change the direction of
// text or are invalid are shown as escapes. The font of PNG has no glyphs for many scripts: such characters are shown
// as U+XXXX. In SVG text stays text.
package picture
