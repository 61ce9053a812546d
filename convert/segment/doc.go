// Package segment cuts the lives of threads into segments: what each did from one state event to the next.
//
// It stands behind enrich: model events come in and go on as they are, and each segment follows the event that ends it.
// What analyze computes and what emit draws rests on segments.
package segment
