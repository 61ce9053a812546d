// Package samples sums up in which states samplers and thread dumps found threads, and finds threads that compute.
package samples
