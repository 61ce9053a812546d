// Package browser tests the page of emit/page in a real browser, as people use it: by accessible names, with mouse and
// keyboard.
//
// It is a module of its own, so that trcx does not depend on the library that drives Chromium. make deps installs
// Debian's Chromium; without one, the tests are skipped and say so. build/ makes the assets of the page.
// TRCX_SCREENSHOTS names a folder for screenshots of the tests.
package browser
