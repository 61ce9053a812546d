// Package callgrind writes calls of methods in the format of Valgrind's callgrind, which KCachegrind and QCachegrind
// open: for each method its own time, and for each method that it called the number of calls and their time.
package callgrind
