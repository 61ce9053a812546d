// Package synthetic makes traces to measure with: of any size, the same for the same seed, and true to life, so that
// whatever reads them has to do its real work.
//
// A small simulated JVM (see machine) runs some 64 threads, which call methods, contend for monitors, wait, notify,
// sleep, join, interrupt, start other threads and end. Of its elements 60 % are method entries and exits, 25 % monitor
// events, the rest definitions, heap and thread events. The number of live threads, objects, classes and methods does
// not grow with the size: a reader that keeps what lives and forgets what is gone needs the same memory for every size.
//
// A hostile trace has the same elements with their attributes in random order and three of ten values in single quotes,
// which is what a reader that expects one spelling of each element likes least. In a trace of one line nothing
// separates the elements, as in the files that Workbenches save.
//
// Another Story has other numbers of threads, or threads that do little else but wait for each other, for those who
// show what threads do.
package synthetic
