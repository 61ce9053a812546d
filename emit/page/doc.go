// Package page is the page that shows a trace in a browser: timeline, monitor statistics, critical path.
//
// It stands at the end of the walk, beside the other rooms of emit, and shows what analyze/timeline keeps. A Report has
// all data in one file; emit/page/serve gives the same page its data piece by piece. web/ has the sources of the page,
// assets/ what browser/build makes of them.
package page
