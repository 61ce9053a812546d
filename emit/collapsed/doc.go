// Package collapsed writes how threads were held up as collapsed call stacks, one a line, which flame graphs are drawn
// from:
//
//	worker;shop/Worker.run;shop/Queue.take 50120000
//
// It is the end of the walk: segments come in, internal/stackprofile adds them up, and the lines are written when the trace is
// over.
package collapsed
