package allocation

import "math"

// Estimate is a sum over objects. If these are samples, it estimates the sum over all objects that they represent.
type Estimate struct {
	// Seen counts the objects that the trace has.
	Seen uint64
	// Count and Bytes are whole numbers, unless objects are samples.
	Count, Bytes float64

	countVariance, bytesVariance float64
}

// CountError returns the standard error of the estimated Count; 0 if it is exact.
func (e *Estimate) CountError() float64 { return math.Sqrt(e.countVariance) }

// BytesError returns the standard error of the estimated Bytes; 0 if they are exact.
func (e *Estimate) BytesError() float64 { return math.Sqrt(e.bytesVariance) }

// add adds a sum.
func (e *Estimate) add(v *Estimate) {
	e.Seen += v.Seen
	e.Count += v.Count
	e.Bytes += v.Bytes
	e.countVariance += v.countVariance
	e.bytesVariance += v.bytesVariance
}

// remove subtracts an object that was added.
func (e *Estimate) remove(v *Estimate) {
	if e.Seen -= v.Seen; e.Seen == 0 {
		*e = Estimate{}
		return
	}
	e.Count -= v.Count
	e.Bytes -= v.Bytes
	e.countVariance = max(0, e.countVariance-v.countVariance)
	e.bytesVariance = max(0, e.bytesVariance-v.bytesVariance)
}

// estimate returns the objects and bytes that an object of the size represents, sampled at the interval; at interval 0,
// each object is recorded. The variance of a sum of 1/p values is
// the sum of (1-p)/p² (Horvitz and Thompson).
func estimate(size, interval uint64) Estimate {
	if interval == 0 || size == 0 {
		return Estimate{Seen: 1, Count: 1, Bytes: float64(size)}
	}
	bytes := float64(size)
	p := -math.Expm1(-bytes / float64(interval))
	return Estimate{Seen: 1, Count: rounded(1 / p), Bytes: rounded(bytes / p), countVariance: (1 - p) / (p * p),
		bytesVariance: (1 - p) * (bytes / p) * (bytes / p)}
}

// weighted returns the bytes that a sample represents. Its probability is unknown, and small.
func weighted(bytes uint64) Estimate {
	value := float64(bytes)
	return Estimate{Seen: 1, Bytes: value, bytesVariance: value * value}
}

// rounded returns a value whose sums and differences are exact: a multiple of 1/1024.
func rounded(value float64) float64 { return math.Round(value*1024) / 1024 }
