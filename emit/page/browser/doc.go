// Package browser tries the page of emit/page in a real browser, as people use it: it clicks on what has a name, types,
// and reads what the page shows.
//
// It is a module of its own, so that trcx does not depend on the library that drives Chromium. make deps installs
// Debian's Chromium; without one, the tests are skipped and say so. build/ makes the assets of the page.
// TRCX_SCREENSHOTS names a folder for pictures of what the tests saw.
package browser
