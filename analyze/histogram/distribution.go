// Package histogram keeps lengths of time in little memory: their number, total, minimum, maximum and distribution. The
// statistics of the analyses consist of them.
//
// Number, total, minimum and maximum are exact. Each length is kept as its bucket: lengths below 2048 ns have buckets
// of their own; above, each power of two has 1024 buckets, so that the middle of a bucket is at most 0.05 % off.
// Distributions merge by adding up their buckets, in any order and grouping with the same result.
package histogram

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Distribution is a set of lengths, in nanoseconds from 0 on. The zero Distribution is empty.
type Distribution struct {
	// Count is the number of lengths, Open the number of lengths that the end of the trace cut off.
	Count, Open uint64
	// Total is their sum. It saturates at the largest uint64, which is 584 years.
	Total uint64
	// Min and Max are the minimum and maximum; 0 if there are no lengths.
	Min, Max int64

	buckets []bucket // sorted by number; without the recent lengths
	// The buckets of the recent lengths, in no order: as long as few lengths share a bucket, this takes less memory.
	recent []uint16
}

// bucket is a bucket's number and its number of lengths, in one word: a trace can have many monitors.
type bucket uint64

const (
	countBits = 48
	mostCount = 1<<countBits - 1
	exactBits = 10   // each power of two has 1<<exactBits buckets
	batch     = 1024 // the least number of recent lengths that are moved into the buckets
)

func makeBucket(number uint16, count uint64) bucket {
	return bucket(number)<<countBits | bucket(min(count, mostCount))
}
func (b bucket) number() uint16 { return uint16(b >> countBits) }
func (b bucket) count() uint64  { return uint64(b) & mostCount }

// numberOf returns the number of the length's bucket.
func numberOf(length int64) uint16 {
	shift := max(bits.Len64(uint64(length))-exactBits-1, 0)
	return uint16(shift<<exactBits + int(length>>shift))
}

// middle returns the length in the middle of the bucket.
func middle(number uint16) int64 {
	if number < 2<<exactBits {
		return int64(number)
	}
	shift := int(number>>exactBits) - 1
	return (int64(number)-int64(shift)<<exactBits)<<shift + 1<<shift>>1
}

// Add adds a length; one below 0 counts as 0.
func (d *Distribution) Add(length int64) {
	length = max(length, 0)
	if d.Count == 0 {
		d.Min = length
	}
	d.Min, d.Max = min(d.Min, length), max(d.Max, length)
	d.Total = Sum(d.Total, uint64(length))
	d.Count++
	if len(d.recent) == cap(d.recent) {
		d.flushMany()
	}
	d.recent = append(d.recent, numberOf(length))
}

// flushMany moves the recent numbers into the buckets if there are many.
func (d *Distribution) flushMany() {
	if len(d.recent) >= max(batch, 4*len(d.buckets)) {
		d.flush()
	}
}

// Sum returns the sum of two times; it saturates at the largest uint64.
func Sum[N int64 | uint64](a, b N) N {
	sum, most := a+b, ^N(0)
	if most < 0 {
		most = math.MaxInt64
	}
	if sum < a {
		return most
	}
	return sum
}

// Product returns a length, which is not negative, times a number; it saturates.
func Product[N int | int32](length int64, times N) int64 {
	high, low := bits.Mul64(uint64(length), uint64(times))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}

// Signed returns a total as a signed number, which saturates.
func Signed(total uint64) int64 { return int64(min(total, math.MaxInt64)) }

// Merge adds the lengths of other, which stays unchanged.
func (d *Distribution) Merge(other *Distribution) {
	if other.Count == 0 {
		return
	}
	if d.Count == 0 || other.Min < d.Min {
		d.Min = other.Min
	}
	d.Max = max(d.Max, other.Max)
	d.Count += other.Count
	d.Open += other.Open
	d.Total = Sum(d.Total, other.Total)
	d.buckets = merged(d.buckets, other.buckets)
	if len(d.recent)+len(other.recent) > cap(d.recent) {
		d.flushMany()
	}
	d.recent = append(d.recent, other.recent...)
}

// Without returns the lengths that are not in part; d has all lengths of part. The minimum and maximum come from the
// remaining buckets, within 0.05 %. A saturated total stays so.
func (d *Distribution) Without(part *Distribution) *Distribution {
	rest := &Distribution{Count: d.Count - part.Count, Open: d.Open - part.Open, Total: d.Total}
	if d.Total < math.MaxUint64 {
		rest.Total -= part.Total
	}
	taken := map[uint16]uint64{}
	for number, count := range part.all {
		taken[number] += count
	}
	for _, pair := range d.Buckets() {
		if left := pair[1] - taken[uint16(pair[0])]; left > 0 {
			rest.buckets = append(rest.buckets, makeBucket(uint16(pair[0]), left))
		}
	}
	if last := len(rest.buckets) - 1; last >= 0 {
		rest.Min = max(middle(rest.buckets[0].number()), d.Min)
		rest.Max = min(middle(rest.buckets[last].number()), d.Max)
	}
	return rest
}

// flush moves the recent numbers into the buckets.
func (d *Distribution) flush() {
	if len(d.recent) == 0 {
		return
	}
	fresh := fewBuckets
	if len(d.recent) >= many {
		fresh = manyBuckets
	}
	d.buckets, d.recent = merged(d.buckets, fresh(d.recent)), d.recent[:0]
}

// many is the number of lengths from which counting is faster than sorting.
const many = 1 << 12

// fewBuckets returns the buckets of the numbers, which it sorts.
func fewBuckets(numbers []uint16) []bucket {
	slices.Sort(numbers)
	buckets := make([]bucket, 0, len(numbers))
	for _, number := range numbers {
		if last := len(buckets) - 1; last >= 0 && buckets[last].number() == number {
			buckets[last]++
		} else {
			buckets = append(buckets, makeBucket(number, 1))
		}
	}
	return buckets
}

// manyBuckets returns the buckets of the numbers.
func manyBuckets(numbers []uint16) (buckets []bucket) {
	counts := counters.Get().(*[mostNumber + 1]uint32)
	defer counters.Put(counts)
	different := 0
	for _, number := range numbers {
		if counts[number]++; counts[number] == 1 {
			different++
		}
	}
	buckets = make([]bucket, 0, different)
	for number, count := range counts {
		if count > 0 {
			buckets = append(buckets, makeBucket(uint16(number), uint64(count)))
			counts[number] = 0
		}
	}
	return buckets
}

// counters are slices of zeros.
var counters = sync.Pool{New: func() any { return new([mostNumber + 1]uint32) }}

// merged returns the sum of two sorted lists. It reuses the memory of the first one.
func merged(a, b []bucket) []bucket {
	fresh := 0
	for i, j := 0, 0; j < len(b); {
		switch {
		case i == len(a) || b[j].number() < a[i].number():
			fresh++
			j++
		case b[j].number() == a[i].number():
			i, j = i+1, j+1
		default:
			i++
		}
	}
	i, j := len(a)-1, len(b)-1
	a = slices.Grow(a, fresh)[:len(a)+fresh]
	for at := len(a) - 1; j >= 0; at-- { // from the end, so that nothing is overwritten before it is read
		switch {
		case i < 0 || b[j].number() > a[i].number():
			a[at] = b[j]
			j--
		case b[j].number() == a[i].number():
			a[at] = makeBucket(b[j].number(), a[i].count()+b[j].count())
			i, j = i-1, j-1
		default:
			a[at] = a[i]
			i--
		}
	}
	return a
}

// Mean returns the average in nanoseconds, rounded down; 0 if there are no lengths.
func (d *Distribution) Mean() int64 {
	if d.Count == 0 {
		return 0
	}
	return int64(min(d.Total/d.Count, math.MaxInt64))
}

// Percentile returns the percentile by the nearest rank, within 0.05 %; 0 if there are no lengths.
func (d *Distribution) Percentile(percent float64) int64 {
	if d.Count == 0 {
		return 0
	}
	rank := uint64(math.Ceil(percent / 100 * float64(d.Count)))
	rank = min(max(rank, 1), d.Count)
	switch rank {
	case 1:
		return d.Min
	case d.Count:
		return d.Max
	}
	for number, count := range d.all {
		if rank <= count {
			return min(max(middle(number), d.Min), d.Max)
		}
		rank -= count
	}
	return d.Max
}

// all yields the buckets in order, with their numbers of lengths. A bucket can come several times in a row.
func (d *Distribution) all(yield func(number uint16, count uint64) bool) {
	slices.Sort(d.recent)
	buckets, recent := d.buckets, d.recent
	for len(buckets) > 0 || len(recent) > 0 {
		number, count := uint16(0), uint64(1)
		if len(recent) == 0 || len(buckets) > 0 && buckets[0].number() <= recent[0] {
			number, count = buckets[0].number(), buckets[0].count()
			buckets = buckets[1:]
		} else {
			number = recent[0]
			recent = recent[1:]
		}
		if !yield(number, count) {
			return
		}
	}
}

// Squares returns the sum of the squares of the lengths, within 0.1 %, in square nanoseconds.
func (d *Distribution) Squares() (sum float64) {
	for number, count := range d.all {
		length := float64(middle(number))
		sum += length * length * float64(count)
	}
	return sum
}

// HalfOctaves returns the number of lengths in each half of a power of two: the nth half goes from 2^(n/2) up to
// 2^((n+1)/2) ns, and a length of 0 is in the same half as 1 ns. counts begins with half number first, which is not
// empty. It is nil without lengths.
func (d *Distribution) HalfOctaves() (first uint64, counts []uint64) {
	for number, count := range d.all {
		half := halfOctave(middle(number))
		if counts == nil {
			first = half
		}
		for uint64(len(counts)) <= half-first {
			counts = append(counts, 0)
		}
		counts[half-first] += count
	}
	return first, counts
}

// halfOctave returns the number of the half of a power of two that has the length.
func halfOctave(length int64) uint64 {
	octave := bits.Len64(uint64(max(length, 1))) - 1
	half := 2 * uint64(octave)
	if float64(length) >= math.Sqrt2*float64(uint64(1)<<octave) {
		half++
	}
	return half
}

// Buckets returns the buckets that are not empty, in ascending order: pairs of number, from 0 on, and number of
// lengths.
func (d *Distribution) Buckets() [][2]uint64 {
	pairs := make([][2]uint64, 0, len(d.buckets))
	for number, count := range d.all {
		if last := len(pairs) - 1; last >= 0 && pairs[last][0] == uint64(number) {
			pairs[last][1] += count
		} else {
			pairs = append(pairs, [2]uint64{uint64(number), count})
		}
	}
	return pairs
}

// SetBuckets sets the buckets to the result of Buckets, after Count, Open, Total, Min and Max are set. It reports
// whether all of these agree, except the total.
func (d *Distribution) SetBuckets(pairs [][2]uint64) bool {
	d.buckets, d.recent = make([]bucket, len(pairs)), nil
	count := uint64(0)
	for i, pair := range pairs {
		if pair[0] > mostNumber || pair[1] == 0 || pair[1] > mostCount || i > 0 && pair[0] <= pairs[i-1][0] {
			return false
		}
		d.buckets[i] = makeBucket(uint16(pair[0]), pair[1])
		count += pair[1]
	}
	return count == d.Count && d.Open <= d.Count && d.Min >= 0 && d.Min <= d.Max &&
		(count == 0 || numberOf(d.Min) == d.buckets[0].number() && numberOf(d.Max) == d.buckets[len(pairs)-1].number())
}

// TotalAgrees reports whether the total is possible with the other figures.
func (d *Distribution) TotalAgrees() bool {
	over, least := bits.Mul64(d.Count, uint64(d.Min))
	if over != 0 {
		least = math.MaxUint64
	}
	over, most := bits.Mul64(d.Count, uint64(d.Max))
	if over != 0 {
		most = math.MaxUint64
	}
	return least <= d.Total && d.Total <= most
}

// mostNumber is the number of the last bucket: numberOf(math.MaxInt64).
const mostNumber = (63-exactBits-1)<<exactBits + 2<<exactBits - 1
