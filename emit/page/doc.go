// Package page is the page that shows a trace in a browser: timeline, monitor statistics, critical path.
//
// It shows an index of analyze/timeline. A Report has all data in one file; emit/page/serve serves the same page with
// data on demand. web/ has the sources of the page, assets/ the output of browser/build.
package page
