// Package testtool finds what tests need in addition to Go: other parsers, JDKs, a browser, the agent's library.
//
// A test that needs more than Go is skipped by -short. If a tool is missing, the test is skipped with the word SKIPPED
// and what installs the tool; with CI=true it fails instead. Tests install nothing: make deps does, from the same table
// (Tools).
//
// Compiled Java classes and the agent's library are kept in a folder of the user's cache (cache), so that the packages
// of tests build them once. The package is used by tests only.
package testtool
