// Package testtool finds what tests need in addition to Go: other parsers, JDKs, a browser, the agent's library.
//
// It decides in one place how a test behaves that needs more than Go. Such a test is skipped by -short. Where a tool is
// missing it is skipped with the words SKIPPED and what installs the tool; with CI=true it fails instead. Tests install
// nothing: make deps does, from the same table (Tools).
//
// Compiled Java classes and the agent's library are kept in a folder of the user's cache (cache), so that the packages
// of tests build them once. The package is used by tests only.
package testtool
