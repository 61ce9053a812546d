// Package histogram keeps how long things took: how often, in all, at least, at most, and how the lengths are
// spread, in little memory. It is what the statistics of analyze are made of.
//
// Count, total, least and greatest are exact. Of each length its bucket is kept: lengths below 2048 ns have buckets of
// their own; above, each power of two has 1024 buckets, so that a bucket's middle is at most 0.05 % off. Two
// distributions merge by adding up their buckets, so what was merged is the same in whatever order and grouping.
package histogram

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Distribution is a number of lengths, in nanoseconds from 0 on. The zero Distribution has none.
type Distribution struct {
	// Count is how many lengths there are, Open how many of them the end of the trace has cut off.
	Count, Open uint64
	// Total is their sum. It stays at the greatest number there is, which is 584 years, rather than overflow.
	Total uint64
	// Min and Max are the least and the greatest; 0 where there are none.
	Min, Max int64

	buckets []bucket // in order; what is not in recent
	// the buckets of the lengths that came last, in any order: as long as few lengths share a bucket, this takes less
	// memory
	recent []uint16
}

// bucket is a bucket's number and how many lengths it has, in one word so that a trace with many monitors fits into
// memory.
type bucket uint64

const (
	countBits = 48
	mostCount = 1<<countBits - 1
	exactBits = 10   // each power of two is split into so many bits of buckets
	batch     = 1024 // lengths that are moved into the buckets at once, at least
)

func makeBucket(number uint16, count uint64) bucket {
	return bucket(number)<<countBits | bucket(min(count, mostCount))
}
func (b bucket) number() uint16 { return uint16(b >> countBits) }
func (b bucket) count() uint64  { return uint64(b) & mostCount }

// numberOf is the number of the length's bucket.
func numberOf(length int64) uint16 {
	shift := max(bits.Len64(uint64(length))-exactBits-1, 0)
	return uint16(shift<<exactBits + int(length>>shift))
}

// middle is the length that stands for those in the bucket.
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

// flushMany moves the recent numbers into the buckets if they are many.
func (d *Distribution) flushMany() {
	if len(d.recent) >= max(batch, 4*len(d.buckets)) {
		d.flush()
	}
}

// Sum is the sum of two times; the greatest number there is where that would overflow.
func Sum(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

// Merge adds the lengths of another distribution, which stays as it is.
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

// many is from how many lengths on it is faster to count them than to sort them.
const many = 1 << 12

// fewBuckets are the buckets of the numbers, which it sorts.
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

// manyBuckets are the buckets of the numbers.
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

// counters are zeros, to count with.
var counters = sync.Pool{New: func() any { return new([mostNumber + 1]uint32) }}

// merged is what both lists have, in order. The first one may be used for it.
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
	for at := len(a) - 1; j >= 0; at-- { // from behind, so that nothing is overwritten that is still to be read
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

// Mean is the average, rounded down.
func (d *Distribution) Mean() int64 {
	if d.Count == 0 {
		return 0
	}
	return int64(min(d.Total/d.Count, math.MaxInt64))
}

// Percentile is the length that so many percent of the lengths do not exceed, by the nearest rank, within 0.05 %; 0
// where there are none.
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

// all gives the buckets in order with how many lengths they have; a bucket may come several times in a row.
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

// Squares is the sum of the squares of the lengths, within 0.1 %, in square nanoseconds.
func (d *Distribution) Squares() (sum float64) {
	for number, count := range d.all {
		length := float64(middle(number))
		sum += length * length * float64(count)
	}
	return sum
}

// HalfOctaves says how many lengths lie in each half of a power of two: the nth half goes from 2^(n/2) up to
// 2^((n+1)/2) ns, and a length of 0 lies in the one of 1 ns. The first of the counts, which is not 0, is that of the
// half of the number; there are none if there are no lengths.
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

// halfOctave is the number of the half of a power of two in which the length lies.
func halfOctave(length int64) uint64 {
	octave := bits.Len64(uint64(max(length, 1))) - 1
	half := 2 * uint64(octave)
	if float64(length) >= math.Sqrt2*float64(uint64(1)<<octave) {
		half++
	}
	return half
}

// Buckets gives the lengths by their buckets: pairs of a bucket's number, from 0 on in ascending order, and how many
// lengths it has.
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

// SetBuckets takes what Buckets has given, with Count, Open, Total, Min and Max already set. It says whether they fit
// together.
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

// CanBe says whether the total fits the other figures.
func (d *Distribution) CanBe() bool {
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
