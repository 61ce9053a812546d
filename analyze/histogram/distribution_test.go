package histogram_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/histogram"
)

// lengths makes lengths as they occur: of all magnitudes, many in one bucket, and at the borders of buckets.
func lengths(r *rand.Rand, n int) []int64 {
	all := make([]int64, n)
	for i := range all {
		switch r.IntN(5) {
		case 0:
			all[i] = r.Int64N(3000)
		case 1:
			all[i] = int64(1) << r.IntN(63)
		case 2:
			all[i] = int64(1)<<r.IntN(63) - 1
		case 3:
			all[i] = 1_000_000 + r.Int64N(1000)
		default:
			all[i] = r.Int64() >> r.IntN(63)
		}
	}
	return all
}

// nearestRank returns the percentile by its definition.
func nearestRank(all []int64, percent float64) int64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(int(math.Ceil(percent/100*float64(len(all)))), 1)-1]
}

func of(all []int64) *histogram.Distribution {
	d := &histogram.Distribution{}
	for _, length := range all {
		d.Add(length)
		if length%3 == 0 {
			d.Open++
		}
	}
	return d
}

func TestAgainstEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 303 {
		all := lengths(r, 1+r.IntN(400))
		if n >= 300 {
			all = append(lengths(r, 20_000), math.MaxInt64) // so that buckets are filled in every way
		}
		d := of(all)
		var total, open uint64
		for _, length := range all {
			if total += uint64(length); total < uint64(length) {
				total = math.MaxUint64
			}
			if length%3 == 0 {
				open++
			}
		}
		if d.Count != uint64(len(all)) || d.Open != open || d.Min != slices.Min(all) || d.Max != slices.Max(all) {
			t.Fatalf("%d lengths, %d open, from %d to %d: got %+v", len(all), open, slices.Min(all), slices.Max(all), d)
		}
		if total < math.MaxUint64/2 && d.Total != total {
			t.Fatalf("the sum is %d, got %d", total, d.Total)
		}
		for _, percent := range []float64{0, 0.1, 1, 25, 50, 75, 90, 99, 99.9, 100} {
			got, want := d.Percentile(percent), nearestRank(all, percent)
			if diff := math.Abs(float64(got) - float64(want)); diff > float64(want)*0.0005+0.5 {
				t.Fatalf("percentile %v of %d lengths is %d, got %d", percent, len(all), want, got)
			}
		}
	}
}

// TestMergeInAnyOrder: merges in any order and grouping give the distribution of all lengths.
func TestMergeInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		all := lengths(r, 1+r.IntN(300))
		whole := of(all)
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		parts := make([]*histogram.Distribution, 1+r.IntN(6))
		for i := range parts {
			parts[i] = &histogram.Distribution{}
		}
		for _, length := range all {
			part := parts[r.IntN(len(parts))]
			if part.Add(length); length%3 == 0 {
				part.Open++
			}
		}
		for len(parts) > 1 {
			i := r.IntN(len(parts) - 1)
			parts[i].Merge(parts[i+1])
			parts = slices.Delete(parts, i+1, i+2)
		}
		got := parts[0]
		if got.Count != whole.Count || got.Open != whole.Open || got.Total != whole.Total || got.Min != whole.Min ||
			got.Max != whole.Max ||
			!reflect.DeepEqual(got.Buckets(), whole.Buckets()) {
			t.Fatalf("merged: %+v\nat once: %+v", got, whole)
		}
	}
}

func TestBucketsComeBack(t *testing.T) {
	d := of(lengths(rand.New(rand.NewPCG(5, 6)), 500))
	again := &histogram.Distribution{Count: d.Count, Open: d.Open, Total: d.Total, Min: d.Min, Max: d.Max}
	if !again.SetBuckets(d.Buckets()) || again.Percentile(90) != d.Percentile(90) {
		t.Errorf("%+v does not come back", d)
	}
	for name, spoil := range map[string]func(pairs [][2]uint64) [][2]uint64{
		"one missing":        func(p [][2]uint64) [][2]uint64 { return p[1:] },
		"out of order":       func(p [][2]uint64) [][2]uint64 { p[3], p[4] = p[4], p[3]; return p },
		"twice":              func(p [][2]uint64) [][2]uint64 { p[4][0] = p[3][0]; return p },
		"empty":              func(p [][2]uint64) [][2]uint64 { p[4][1], p[3][1] = 0, p[3][1]+p[4][1]; return p },
		"no such bucket":     func(p [][2]uint64) [][2]uint64 { p[len(p)-1][0] = 65535; return p },
		"more than there is": func(p [][2]uint64) [][2]uint64 { p[0][1]++; return p },
	} {
		again := &histogram.Distribution{Count: d.Count, Open: d.Open, Total: d.Total, Min: d.Min, Max: d.Max}
		if again.SetBuckets(spoil(d.Buckets())) {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestWithout(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		rest, part := lengths(r, r.IntN(3000)), lengths(r, r.IntN(3000))
		whole, want := of(slices.Concat(rest, part)), of(rest)
		if whole.Total == math.MaxUint64 {
			want.Total = whole.Total
		}
		got := whole.Without(of(part))
		if got.Count != want.Count || got.Total != want.Total || !slices.Equal(got.Buckets(), want.Buckets()) {
			t.Fatalf("%d of %d lengths: %d, %d ns, want %d, %d ns", len(rest), len(rest)+len(part), got.Count, got.Total,
				want.Count, want.Total)
		}
		for _, percent := range []float64{0, 1, 50, 99, 100} {
			if a, b := got.Percentile(percent), want.Percentile(percent); math.Abs(float64(a-b)) > 0.001*float64(b) {
				t.Errorf("percentile %v: %d, want %d", percent, a, b)
			}
		}
	}
}

func TestTotalDoesNotOverflow(t *testing.T) {
	var d histogram.Distribution
	for range 5 {
		d.Add(math.MaxInt64)
	}
	if d.Total != math.MaxUint64 || d.Percentile(50) != math.MaxInt64 {
		t.Errorf("got %+v", d)
	}
}

func TestNothing(t *testing.T) {
	var d histogram.Distribution
	if d.Mean() != 0 || d.Percentile(50) != 0 || len(d.Buckets()) != 0 || !d.SetBuckets(nil) {
		t.Errorf("got %+v", d)
	}
}

func BenchmarkAdd(b *testing.B) {
	all := lengths(rand.New(rand.NewPCG(7, 8)), 1<<16)
	var d histogram.Distribution
	b.ReportAllocs()
	for i := range b.N {
		d.Add(all[i&(1<<16-1)])
	}
}

// TestHalfOctaves: each length is counted in the half of a power of two in which it lies.
func TestHalfOctaves(t *testing.T) {
	lengths := []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 1000, 1448, 1449, 1 << 20}
	want := map[uint64]uint64{}
	var d histogram.Distribution
	for _, length := range lengths {
		d.Add(length)
		want[uint64(math.Floor(2*math.Log2(float64(max(length, 1)))))]++
	}
	first, counts := d.HalfOctaves()
	for i, count := range counts {
		if number := first + uint64(i); count != want[number] {
			t.Errorf("%d lengths in the half %d, want %d", count, number, want[number])
		}
		delete(want, first+uint64(i))
	}
	if len(want) > 0 || counts[0] == 0 {
		t.Errorf("not counted: %v; the first count is %d", want, counts[0])
	}
	if _, counts := new(histogram.Distribution).HalfOctaves(); counts != nil {
		t.Errorf("no lengths have counts %v", counts)
	}
}
