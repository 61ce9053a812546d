// Package collapsed writes the delays of threads as collapsed call stacks, one a line, the input of flame graphs:
//
//	worker;shop/Worker.run;shop/Queue.take 50120000
//
// It consumes the model's intervals, which analyze/stackprofile counts by stack, and writes all lines at the end.
package collapsed
