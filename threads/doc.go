// Package threads keeps what is known of a trace's threads by their keys, which number them 1, 2, 3 …: their names and
// recordings (Names), and a caller's own values (List). A trace may have a million threads, most of them dead: they
// take some tens of bytes each, and may be kept in a file.
package threads
