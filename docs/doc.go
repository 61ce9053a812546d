// Package docs holds the documentation; there is no code in it but the tests that keep the documentation true:
// format.md is written from the table in package trace, every example is executed, and lists are compared with what
// they list.
package docs
